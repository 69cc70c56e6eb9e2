"""Learning from self-play: the Reversi evaluation, and networks for every game."""
