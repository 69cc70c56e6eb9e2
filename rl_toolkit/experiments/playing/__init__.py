"""Experiments that play: against everybody, against one opponent, in a league."""
