"""What to simulate for a question, and what follows from it."""
