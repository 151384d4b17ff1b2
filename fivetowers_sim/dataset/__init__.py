"""Run folders: recorded games as Parquet parts with a manifest that vouches for them.

Nothing here knows a rule of any game: tables are described by record layouts, and games come from a plan.
"""
