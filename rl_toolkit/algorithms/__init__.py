"""Engines: they take a position and answer what each move is worth."""
