"""Totals belong to the player to move; a parent turns their sign when it chooses."""

import math
import random


class TreeNode:
    def __init__(self, env, parent=None, action=None):
        self.env, self.parent, self.action = env, parent, action
        self.side = -parent.side if parent else env.current_player
        self.children = []
        self.n, self.w = 0, 0.0
        self.untried = [] if env.is_terminal() else list(env.get_legal_moves())

    def best_child(self, c):
        return max(self.children, key=lambda k: -k.w / k.n + c * math.sqrt(math.log(self.n) / k.n))


class Searcher:
    def __init__(self, n_simulations=100, c=1.0):
        self.n_simulations, self.c = n_simulations, c

    def search(self, env):
        root = TreeNode(env.copy())
        for _ in range(self.n_simulations):
            node = root
            while not node.untried and node.children:
                node = node.best_child(self.c)
            if node.untried:
                move = node.untried.pop()
                after = node.env.copy()
                after.step(move)
                node.children.append(TreeNode(after, node, move))
                node = node.children[-1]
            self.backup(node, self.playout(node))
        return max(root.children, key=lambda k: k.n).action

    def playout(self, node):
        env = node.env.copy()
        while not env.is_terminal():
            env.step(random.choice(env.get_legal_moves()))
        return env.get_result(node.side)

    def backup(self, node, value):
        while node:
            node.n += 1
            node.w += value
            value = -value
            node = node.parent
