"""Compiled rules and searches on machine words; only `jit` imports Numba."""

__all__: list[str] = []
