"""A lab, a position and the student's names for things, as data."""
