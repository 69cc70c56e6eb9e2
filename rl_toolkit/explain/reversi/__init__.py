"""Facts about Reversi moves, and the phrases for them."""
