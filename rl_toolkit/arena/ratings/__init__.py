"""Ratings on Elo's scale: all players fitted together, and a test that stops by itself."""
