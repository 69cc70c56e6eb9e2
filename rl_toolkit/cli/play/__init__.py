"""A game in the terminal, from the first prompt to the review."""
