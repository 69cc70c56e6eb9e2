"""Reversi: the engine with learned weights, the exact solver and their opening books."""
