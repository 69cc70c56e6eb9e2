"""Lab L03: two people play in the terminal."""
