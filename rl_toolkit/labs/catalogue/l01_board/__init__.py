"""Lab L01: a board as data."""
