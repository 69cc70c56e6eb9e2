"""Learning the evaluation of Gomoku from self-play."""
