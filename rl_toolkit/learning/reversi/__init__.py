"""Learning pattern weights for Reversi from self-play."""
