"""Solutions and wrong solutions of labs are not tests, whatever their names."""

collect_ignore_glob = ["L*"]
