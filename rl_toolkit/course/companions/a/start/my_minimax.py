"""Session 2: the solver."""


class MinimaxSolver:
    def __init__(self, max_depth=None, use_pruning=True, use_memoization=True):
        raise NotImplementedError

    def reset_stats(self):
        """Set nodes_evaluated and cache_hits to 0 and empty memo."""
        raise NotImplementedError

    def get_best_action(self, env, maximize=True):
        """The best move; maximize says whether X (+1) is to move."""
        raise NotImplementedError

    def get_candidate_evaluations(self, env, maximize=True):
        """Move -> {"value": X's view, "reasoning": words, "is_best": bool}."""
        raise NotImplementedError

    def _minimax(self, env, depth, maximize, alpha, beta):
        """The value of a position in X's view."""
        raise NotImplementedError
