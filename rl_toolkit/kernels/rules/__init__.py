"""Compiled rules of every family of games; importing this package does not load Numba."""
