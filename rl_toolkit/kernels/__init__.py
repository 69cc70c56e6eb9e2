"""Compiled rules and searches on machine words; `jit` is the only door to Numba."""
