"""Openings of matches and tournaments: drawn at random, balanced, from files, and shipped."""
