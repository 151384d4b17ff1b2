"""What to play for a question, and what the games say about it."""
