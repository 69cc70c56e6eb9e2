"""Lab L06: counting nodes, games and positions."""
