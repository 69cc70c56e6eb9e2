"""Compiled searches over any compiled rules: negamax, MCTS, PUCT."""
