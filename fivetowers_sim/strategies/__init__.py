"""Strategies: families of players with named, bounded parameters."""
