import math
import random


class MCTSNode:
    def __init__(self, env, parent=None, move_from_parent=None):
        self.env = env
        self.parent = parent
        self.move_from_parent = move_from_parent
        self.children = []
        self.visit_count = 0
        self.total_value = 0.0
        self.untried_moves = [] if env.is_terminal() else list(env.get_legal_moves())

    def uct_score(self, c=1.41):
        if self.visit_count == 0:
            return math.inf
        bonus = c * math.sqrt(math.log(self.parent.visit_count) / self.visit_count)
        return self.total_value / self.visit_count + bonus

    def is_fully_expanded(self):
        return not self.untried_moves

    def best_child(self, c=1.41):
        return max(self.children, key=lambda child: child.uct_score(c))

    def expand(self):
        move = self.untried_moves.pop(random.randrange(len(self.untried_moves)))
        env = self.env.copy()
        env.step(move)
        child = MCTSNode(env, self, move)
        self.children.append(child)
        return child


class MCTSSolver:
    def __init__(self, num_simulations=1000, c=1.41, max_depth=None):
        self.num_simulations = num_simulations
        self.c = c
        self.max_depth = max_depth
        self.root = None

    def search(self, env):
        self._run(env)
        return max(self.root.children, key=lambda child: child.visit_count).move_from_parent

    def _run(self, env):
        self.root = MCTSNode(env.copy())
        for _ in range(self.num_simulations):
            node = self.root
            while node.is_fully_expanded() and node.children:
                node = node.best_child(self.c)
            if node.untried_moves:
                node = node.expand()
            self._backpropagate(node, self._simulate(node.env.copy()))

    def _simulate(self, env):
        plies = 0
        while not env.is_terminal():
            if self.max_depth is not None and plies >= self.max_depth:
                return env.evaluate_heuristic(1)
            env.step(random.choice(env.get_legal_moves()))
            plies += 1
        return env.get_result(1)

    def _backpropagate(self, node, result):
        while node is not None:
            node.visit_count += 1
            node.total_value += result * self._mover_into(node)
            node = node.parent

    def _mover_into(self, node):
        return -node.env.current_player if node.parent is None else node.parent.env.current_player

    def get_candidate_evaluations(self, env):
        self._run(env)
        most = max(self.root.children, key=lambda child: child.visit_count)
        return {
            child.move_from_parent: self._entry(child, child is most)
            for child in self.root.children
        }

    def _entry(self, child, is_best):
        value = child.total_value / child.visit_count
        visits = child.visit_count
        explored = "Heavily" if visits > 200 else "Moderately" if visits > 50 else "Lightly"
        words = "strong" if value > 0.3 else "balanced" if value > -0.3 else "weak"
        return {
            "value": value,
            "visits": visits,
            "uct_score": child.uct_score(self.c),
            "reasoning": f"{explored} explored, {words} position",
            "is_best": bool(is_best),
        }

    def get_stats(self):
        def nodes(node):
            return 1 + sum(nodes(child) for child in node.children)

        def depth(node):
            return 1 + max((depth(child) for child in node.children), default=-1)

        return {"nodes": nodes(self.root), "depth": depth(self.root)}
