"""Lab L17: a bug hunt for numbers in the wrong point of view."""
