"""Experiments that count: nodes, positions, games, sweeps."""
