"""Names of squares and pictures of boards: pure functions that know no game."""
