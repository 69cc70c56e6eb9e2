"""The NBoard protocol, version 2, for Reversi: programs as engines, and engines as programs."""
