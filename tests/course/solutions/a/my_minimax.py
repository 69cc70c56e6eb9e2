import math


class MinimaxSolver:
    def __init__(self, max_depth=None, use_pruning=True, use_memoization=True):
        self.max_depth = max_depth
        self.use_pruning = use_pruning
        self.use_memoization = use_memoization
        self.reset_stats()

    def reset_stats(self):
        self.nodes_evaluated = 0
        self.cache_hits = 0
        self.memo = {}

    def get_best_action(self, env, maximize=True):
        values = self._values(env, maximize)
        best = max(values.values()) if maximize else min(values.values())
        return next(move for move in values if values[move] == best)

    def get_candidate_evaluations(self, env, maximize=True):
        values = self._values(env, maximize)
        best = max(values.values()) if maximize else min(values.values())
        return {
            move: {
                "value": value,
                "reasoning": self._words(value if maximize else -value),
                "is_best": value == best,
            }
            for move, value in values.items()
        }

    def _values(self, env, maximize):
        values = {}
        for move in env.get_legal_actions():
            child = env.copy()
            child.step(move)
            values[int(move)] = self._minimax(child, 1, not maximize, -math.inf, math.inf)
        return values

    def _words(self, value):
        for least, words in (
            (0.9, "Forces immediate win"),
            (0.5, "Creates strong winning threats"),
            (0.1, "Slight advantage"),
            (-0.1, "Balanced position"),
            (-0.5, "Slight disadvantage"),
            (-0.9, "Defensive necessity"),
        ):
            if value >= least:
                return words
        return "Cannot prevent loss"

    def _minimax(self, env, depth, maximize, alpha, beta):
        self.nodes_evaluated += 1
        if env.done:
            return float(env.winner or 0)
        if self.max_depth is not None and depth >= self.max_depth:
            return 0.0
        left = None if self.max_depth is None else self.max_depth - depth
        key = (env.board.tobytes(), maximize, left)
        if self.use_memoization and key in self.memo:
            kind, value = self.memo[key]
            if (
                kind == "exact"
                or (kind == "low" and value >= beta)
                or (kind == "high" and value <= alpha)
            ):
                self.cache_hits += 1
                return value
        best, low, high = (-math.inf if maximize else math.inf), alpha, beta
        for move in env.get_legal_actions():
            child = env.copy()
            child.step(move)
            value = self._minimax(child, depth + 1, not maximize, low, high)
            if maximize:
                best, low = max(best, value), max(low, value)
            else:
                best, high = min(best, value), min(high, value)
            if self.use_pruning and low >= high:
                break
        kind = "low" if best >= beta else "high" if best <= alpha else "exact"
        self.memo[key] = kind, best
        return best
