"""Lab L07: alpha-beta pruning."""
