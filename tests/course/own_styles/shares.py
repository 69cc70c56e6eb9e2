"""Wins counted as 1, draws as a half; nodes hand the result on to their parents."""

import math
import random


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.just_moved = parent.state.current_player if parent else None
        self.children = {}
        self.wins, self.visits = 0, 0

    def select_child(self):
        def ucb(child):
            return child.wins / child.visits + math.sqrt(2 * math.log(self.visits) / child.visits)

        return max(self.children.values(), key=ucb)

    def expand(self):
        move = random.choice([m for m in self.state.get_legal_moves() if m not in self.children])
        state = self.state.copy()
        state.step(move)
        self.children[move] = Node(state, self, move)
        return self.children[move]

    def rollout(self):
        state = self.state.copy()
        while not state.is_terminal():
            state.step(random.choice(state.get_legal_moves()))
        return state.get_result(1)

    def backpropagate(self, result):
        self.visits += 1
        if self.just_moved is not None:
            self.wins += (1 + result * self.just_moved) / 2
        if self.parent:
            self.parent.backpropagate(result)


class Player:
    def __init__(self, iterations=100):
        self.iterations = iterations

    def choose_move(self, game):
        root = Node(game.copy())
        for _ in range(self.iterations):
            node = root
            while not node.state.is_terminal():
                if len(node.children) < len(node.state.get_legal_moves()):
                    node = node.expand()
                    break
                node = node.select_child()
            node.backpropagate(node.rollout())
        return max(root.children, key=lambda move: root.children[move].visits)
