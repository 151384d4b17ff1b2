"""The rules of the game: rule sets, and one compiled function per rule."""
