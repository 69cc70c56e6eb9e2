"""Session 2: Monte Carlo tree search."""


class MCTSNode:
    """Has env, parent, move_from_parent, children, visit_count, total_value, untried_moves."""

    def __init__(self, env, parent=None, move_from_parent=None):
        raise NotImplementedError

    def uct_score(self, c=1.41):
        """Mean value plus bonus; infinite for a node without visits."""
        raise NotImplementedError

    def is_fully_expanded(self):
        raise NotImplementedError

    def best_child(self, c=1.41):
        raise NotImplementedError

    def expand(self):
        """Add a child for a random untried move."""
        raise NotImplementedError


class MCTSSolver:
    def __init__(self, num_simulations=1000, c=1.41, max_depth=None):
        raise NotImplementedError

    def search(self, env):
        """The most visited move."""
        raise NotImplementedError

    def get_candidate_evaluations(self, env):
        """Move -> {"value", "visits", "uct_score", "reasoning", "is_best"}."""
        raise NotImplementedError

    def get_stats(self):
        raise NotImplementedError
