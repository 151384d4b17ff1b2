"""Plans, and the workers that carry them out part by part.

Nothing here knows a rule of any game: a plan holds a setup, and a setup can play games by number.
"""
