class Solver:
    def _minimax(self, env, depth, maximize, alpha, beta):
        if env.is_terminal():
            return env.get_result(1)
        best = -2 if maximize else 2
        for move in env.get_legal_moves():
            child = env.copy()
            child.step(move)
            value = self._minimax(child, depth + 1, not maximize, alpha, beta)
            best = max(best, value) if maximize else min(best, value)
            if abs(best) == 1 and (best == 1) == maximize:
                break
        return best
