"""Tournaments: many players, one pool of workers, one table of ratings."""
