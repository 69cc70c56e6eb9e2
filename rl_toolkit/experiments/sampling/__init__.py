"""Experiments with samples: the values of MCTS, the regret of bandits."""
