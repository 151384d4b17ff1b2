"""Games played by the rules and strategies: single games, blocks of games, traces."""
