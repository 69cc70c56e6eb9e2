"""Engines: given a position, they return the value of each move."""
