"""What ``import fivetowers_sim`` offers: a function for each command, and what they return.

Nothing is loaded from here before it is used; the package's own ``__init__`` says what there is. Every function reads
its arguments as its command reads its options, and plays by the same code.
"""
