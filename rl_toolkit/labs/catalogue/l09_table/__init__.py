"""Lab L09: a table of positions, and symmetry."""
