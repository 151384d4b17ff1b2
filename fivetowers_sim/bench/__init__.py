"""What a question needs whatever the game: arms, looks, a folder, and what is said of figures. It knows no game."""
