"""What our base class costs a student's own code: time per node beside the same code without it.

* *five methods*: Tic-Tac-Toe as a handout's readers type it, on `BaseGameEnv` and on a base that
  only stores the size, searched by a plain minimax of their own (µs a node). Aim: 1.5 ×.
* *plain class*: Connect Four without a base, searched by an MCTS of their own (µs a simulation):
  the object that a bot gets if it was written for the class (aim: 1.5 ×), the game that
  `adapt_game` makes of it, and the same class on `BaseGameEnv` (aim: about 2 ×).
* *our games*: step and undo, legal moves and copy of Connect Four, which the base must not slow
  down (µs a call; compare with another version).

Each pair is measured alternately in one run. The time is the processor's, the best of fifteen.
"""

from __future__ import annotations

import math
import random
import time
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import Row
from rl_toolkit.envs import BaseGameEnv, ConnectFour, adapt_game

ROUNDS, SIMULATIONS = 15, 100


class BareBase:
    """A base class that does nothing."""

    def __init__(self, board_size: int) -> None:
        self.board_size = board_size


def tictactoe_on(base: type) -> Any:
    """The class of five methods."""

    class TicTacToe(base):  # type: ignore[misc]
        def __init__(self, board_size: int = 3, win_length: int | None = None) -> None:
            super().__init__(board_size)
            self.win_length = win_length or board_size
            if not 3 <= self.win_length <= board_size:
                raise ValueError("win_length does not fit the board")
            self.reset()

        def reset(self) -> Any:
            self.board = np.zeros(self.board_size * self.board_size, dtype=np.int8)
            self.current_player = 1
            self.done = False
            self.winner = None
            self.winning_line = None
            return self.board.copy()

        def get_legal_actions(self) -> list[int]:
            return [i for i in range(len(self.board)) if self.board[i] == 0]

        def step(self, action: int) -> Any:
            if self.done:
                raise ValueError("the game is over")
            if self.board[action] != 0:
                raise ValueError("the cell is taken")
            self.board[action] = self.current_player
            winner, line = self._check_winner()
            reward = 0.0
            if winner is not None:
                self.done, self.winner, self.winning_line = True, winner, line
                reward = float(winner)
            elif len(self.get_legal_actions()) == 0:
                self.done, self.winner = True, 0
            else:
                self.current_player = -self.current_player
            info = {"winner": self.winner, "winning_line": self.winning_line}
            return self.board.copy(), reward, self.done, info

        def _check_winner(self) -> tuple[int | None, list[int] | None]:
            n, k = self.board_size, self.win_length
            grid = self.board.reshape(n, n)
            for row in range(n):
                for col in range(n):
                    player = grid[row, col]
                    if player == 0:
                        continue
                    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                        cells = [(row + i * down, col + i * right) for i in range(k)]
                        if all(
                            0 <= r < n and 0 <= c < n and grid[r, c] == player for r, c in cells
                        ):
                            return int(player), [r * n + c for r, c in cells]
            return None, None

        def copy(self) -> Any:
            twin = TicTacToe(self.board_size, self.win_length)
            twin.board = self.board.copy()
            twin.current_player = self.current_player
            twin.done = self.done
            twin.winner = self.winner
            twin.winning_line = self.winning_line
            return twin

    return TicTacToe


def connect_four_on(base: type) -> Any:
    """The class of the second handout: nothing of the toolkit in it, unless ``base`` is ours."""

    class Columns(base):  # type: ignore[misc]
        def __init__(self, rows: int = 6, cols: int = 7, win_length: int = 4) -> None:
            self.rows, self.cols, self.win_length = rows, cols, win_length
            self.reset()

        def reset(self) -> Any:
            self.board = np.zeros(self.rows * self.cols, dtype=np.int8)
            self.current_player, self.winner = 1, None
            self.move_count, self.last_move = 0, None
            return self.board.copy()

        def get_legal_moves(self) -> list[int]:
            if self.is_terminal():
                return []
            top = (self.rows - 1) * self.cols
            return [c for c in range(self.cols) if self.board[top + c] == 0]

        def step(self, col: int) -> Any:
            for row in range(self.rows):
                if self.board[row * self.cols + col] == 0:
                    break
            else:
                raise ValueError("the column is full")
            index = row * self.cols + col
            self.board[index] = self.current_player
            self.last_move, self.move_count = index, self.move_count + 1
            if self._wins_at(row, col):
                self.winner = self.current_player
            elif self.move_count == self.rows * self.cols:
                self.winner = 0
            else:
                self.current_player = -self.current_player
            return self.board.copy(), float(self.winner or 0), self.is_terminal(), {}

        def _wins_at(self, row: int, col: int) -> bool:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                count = 1
                for sign in (1, -1):
                    r, c = row + sign * down, col + sign * right
                    while (
                        0 <= r < self.rows
                        and 0 <= c < self.cols
                        and self.board[r * self.cols + c] == self.current_player
                    ):
                        count, r, c = count + 1, r + sign * down, c + sign * right
                if count >= self.win_length:
                    return True
            return False

        def is_terminal(self) -> bool:
            return self.winner is not None

        def get_result(self, player: int) -> float:
            if self.winner is None:
                raise ValueError("the game is not over")
            return float(self.winner * player)

        def copy(self) -> Any:
            twin = Columns(self.rows, self.cols, self.win_length)
            twin.board = self.board.copy()
            twin.current_player, twin.winner = self.current_player, self.winner
            twin.move_count, twin.last_move = self.move_count, self.last_move
            return twin

    return Columns


class Minimax:
    """A student's minimax, which copies the game for every move."""

    def __init__(self) -> None:
        self.nodes = 0

    def value(self, env: Any, depth: int, maximize: bool) -> float:
        """The value for player +1."""
        self.nodes += 1
        if env.done:
            return float(env.winner)
        best = -math.inf if maximize else math.inf
        for action in env.get_legal_actions():
            child = env.copy()
            child.step(action)
            value = self.value(child, depth + 1, not maximize)
            best = max(best, value) if maximize else min(best, value)
        return best


class Node:
    """A node of a student's tree."""

    def __init__(self, env: Any, parent: Node | None) -> None:
        self.env, self.parent, self.children = env, parent, list[Node]()
        self.visits, self.value, self.untried = 0, 0.0, list(env.get_legal_moves())

    def best(self) -> Node:
        """The child with the highest UCT score."""
        log = math.log(self.visits)
        return max(
            self.children, key=lambda n: n.value / n.visits + 1.4 * math.sqrt(log / n.visits)
        )


def search(env: Any, rng: random.Random) -> None:
    """A student's MCTS with random playouts."""
    root = Node(env.copy(), None)
    for _ in range(SIMULATIONS):
        node = root
        while not node.untried and node.children:
            node = node.best()
        if node.untried:
            child = node.env.copy()
            child.step(node.untried.pop(rng.randrange(len(node.untried))))
            node.children.append(Node(child, node))
            node = node.children[-1]
        end = node.env.copy()
        while not end.is_terminal():
            end.step(rng.choice(end.get_legal_moves()))
        up: Node | None = node
        while up is not None:
            up.visits += 1
            up.value += 0.0 if up.parent is None else end.get_result(up.parent.env.current_player)
            up = up.parent


def per_node(make: Callable[[], Any]) -> float:
    """Microseconds a node of a plain minimax, from a position after three moves."""
    env = make()
    for move in (0, 4, 8):
        env.step(move)
    solver = Minimax()
    began = time.process_time()
    solver.value(env, 0, maximize=False)
    return (time.process_time() - began) / solver.nodes * 1e6


def per_simulation(make: Callable[[], Any]) -> float:
    """Microseconds a simulation of a student's MCTS, after two moves."""
    env = make()
    rng = random.Random(1)
    began = time.process_time()
    search(env, rng)
    return (time.process_time() - began) / SIMULATIONS * 1e6


def alternately(
    measure: Callable[[Callable[[], Any]], float], kinds: dict[str, Callable[[], Any]]
) -> dict[str, float]:
    """The best of some rounds for each kind, measured in turns."""
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, make in kinds.items():
            times[kind].append(measure(make))
    return {kind: min(each) for kind, each in times.items()}


def after_two(make: Callable[[], Any]) -> Any:
    """A game in which column 3 was played twice."""
    env = make()
    env.step(3)
    env.step(3)
    return env


def own_object_of(env: Any) -> Any:
    """What a bot gets that was written for the class; an older version has no such thing."""
    try:
        from rl_toolkit.adapting import own_object
    except ImportError:
        return env
    return own_object(env)


def rows(what: str, unit: str, times: dict[str, float]) -> list[Row]:
    """The times, and their ratios to the first."""
    bare = next(iter(times.values()))
    return [
        {"what": what, "code": kind, f"µs a {unit}": round(taken, 2), "ratio": taken / bare}
        for kind, taken in times.items()
    ]


def our_games() -> list[Row]:
    """Single calls of a built-in game."""
    env = ConnectFour()

    def step_and_undo() -> None:
        env.step(3)
        env.undo()

    calls = {"step and undo": step_and_undo, "legal moves": env.get_legal_moves, "copy": env.copy}
    table: list[Row] = []
    for kind, call in calls.items():
        best = min(timeit.repeat(call, number=3000, repeat=ROUNDS, timer=time.process_time)) / 3000
        table.append(
            {"what": "our games", "code": kind, "µs a node": round(best * 1e6, 2), "ratio": None}
        )
    return table


def run() -> list[Row]:
    five = {"bare": tictactoe_on(BareBase), "on BaseGameEnv": tictactoe_on(BaseGameEnv)}
    plain = connect_four_on(object)
    adapted = adapt_game(plain)
    kinds = {
        "bare": lambda: after_two(plain),
        "its own object": lambda: own_object_of(after_two(adapted)),
        "adapted": lambda: after_two(adapted),
        "on BaseGameEnv": lambda: after_two(connect_four_on(BaseGameEnv)),
    }
    table = rows("five methods", "node", alternately(per_node, five))
    simulations = alternately(per_simulation, kinds)
    for row in rows("plain class", "node", simulations):
        table.append(row)
    return table + our_games()
