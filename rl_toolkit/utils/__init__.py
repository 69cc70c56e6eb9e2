"""Names of squares, pictures of boards, files and processes: helpers that know no game."""
