"""Lab L14: evaluations of Connect Four in a tournament."""
