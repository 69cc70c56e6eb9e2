"""Lab L11: the rules of Connect Four."""
