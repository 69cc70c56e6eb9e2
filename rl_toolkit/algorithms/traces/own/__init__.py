"""Traces of somebody else's search: its calls, its simulations, and its faults."""
