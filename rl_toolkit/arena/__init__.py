"""Measure engines: against exact scores where they are known, against each other elsewhere."""
