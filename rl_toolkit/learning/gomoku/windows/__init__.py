"""The window network of Gomoku learned from games: positions, the model in JAX, its training."""
