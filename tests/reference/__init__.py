"""A slow, obvious engine written from the rulebook alone, to test the fast one against.

It imports nothing of the program but card names and the rule set's dials. Cards are names such as
``candy-11``, towers are lists of values from bottom to top, and every question is answered by trying
everything.
"""
