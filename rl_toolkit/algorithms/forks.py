"""Forks: moves that threaten to win in two places at once, found without a search.

Who makes one wins two plies later, unless the opponent wins first; who allows one loses. In Gomoku
this is the open four, and the open three that was not answered. Only games are covered in which a
stone goes on any empty cell and ``win_length`` or more in a row win.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from rl_toolkit.algorithms.compiled_rules import rules_are_known
from rl_toolkit.envs import BaseGameEnv, lines
from rl_toolkit.envs.tactics import PlainResult
from rl_toolkit.kernels.spec import LineSpec

#: For a move, the cells where its player then wins, each with the cells of the window.
_Completions = list[tuple[int, frozenset[int]]]


class _Side:
    """The windows of one side that lack one or two stones and hold none of the other side."""

    def __init__(self, cells: np.ndarray, windows: np.ndarray) -> None:
        own = cells[windows]
        lacking = np.where((own == -1).any(axis=1), -1, (own == 0).sum(axis=1))
        #: Cells that win at once.
        self.wins = set(windows[lacking == 1][own[lacking == 1] == 0].tolist())
        #: Move → the cells that win after it.
        self.after: defaultdict[int, _Completions] = defaultdict(list)
        for window in windows[lacking == 2]:
            first, second = (int(cell) for cell in window if cells[cell] == 0)
            whole = frozenset(window.tolist())
            self.after[first].append((second, whole))
            self.after[second].append((first, whole))

    def wins_after(self, move: int, blocked: int | None = None) -> set[int]:
        """Where the side wins after ``move``, with an enemy stone on ``blocked``."""
        new = {cell for cell, window in self.after.get(move, ()) if blocked not in window}
        return (self.wins | new) - {move, blocked}


def fork_results(env: BaseGameEnv) -> dict[int, PlainResult]:
    """The moves that fork, and those that allow a fork, with lines to the end of the game.

    Moves that win at once, and moves after which the opponent does, are left out; see
    `plain_results`. Empty for games that are not covered.

    >>> from rl_toolkit.records import position_from_text
    >>> env = position_from_text("tictactoe", "x2/1o1/2x o")  # the edges draw, the corners lose
    >>> sorted(env.move_name(move) for move in fork_results(env))
    ['a3', 'c1']
    """
    spec = env.kernel_spec()
    if not isinstance(spec, LineSpec) or spec.gravity or spec.exactly or not rules_are_known(env):
        return {}
    windows = lines.windows(env.rows, env.cols, spec.win_length)
    mine = _Side(env.board.astype(np.int64) * env.current_player, windows)
    theirs = _Side(env.board.astype(np.int64) * -env.current_player, windows)
    forks = [move for move, cells in theirs.after.items() if len({c for c, _ in cells}) > 1]
    found = {}
    for move in env.get_legal_moves():
        if move in mine.wins or theirs.wins - {move}:
            continue
        wins = mine.wins_after(move)
        if len(wins) > 1:
            first, second = sorted(wins)[:2]
            found[move] = PlainResult(1.0, (move, first, second))
            continue
        for fork in forks:
            if fork == move or wins - {fork}:  # taken, or answered by winning first
                continue
            left = sorted(theirs.wins_after(fork, blocked=move))
            if len(left) > 1:
                found[move] = PlainResult(-1.0, (move, fork, left[0], left[1]))
                break
    return found
