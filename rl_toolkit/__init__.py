"""Play, solve, learn and understand two-player board games."""

__version__ = "0.1.0"
