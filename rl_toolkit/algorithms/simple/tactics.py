"""What the board shows: immediate wins, and moves whose result needs no search.

`immediate_wins` gives `BaseGameEnv.winning_moves` with cells and lines; `plain_results` the moves
that end the game or let the opponent win with the next move; `fork_results` the moves that threaten
to win in two places at once, and those that allow it. `with_proofs` tells an engine's candidates:
what the board shows is proven, whatever the engine estimates.

Who makes a fork wins two plies later, unless the opponent wins first; who allows one loses. In
Gomoku this is the open four, and the open three that was not answered. Only games are covered in
which a stone goes on any empty cell and ``win_length`` or more in a row win.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rl_toolkit.algorithms.by_game.compiled_rules import rules_are_known
from rl_toolkit.analysis import Candidate, outcome_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.bases import windows
from rl_toolkit.kernels.spec import LineSpec


class Win(NamedTuple):
    """A move that wins immediately.

    ``cell`` is where the piece goes, ``None`` if the move places none; ``line`` holds the cells of
    the completed line, if there is one.
    """

    move: int
    cell: int | None
    line: tuple[int, ...] | None

    @property
    def place(self) -> tuple[str, int]:
        """What distinguishes two wins: the cell (a column may have several), else the move."""
        return ("move", self.move) if self.cell is None else ("cell", self.cell)


class PlainResult(NamedTuple):
    """A result that the board shows: the move ends the game, or the reply does.

    ``result`` is +1, 0 or −1 for the player of the move; ``line`` leads to the end of the game.
    """

    result: float
    line: tuple[int, ...]


def plain_results(env: BaseGameEnv) -> dict[int, PlainResult]:
    """The moves of ``env`` that end the game or allow an immediate win, with their results.

    Looks at each move and each reply, so it costs about as much as playing every move once.
    """
    results: dict[int, PlainResult] = {}
    player = env.current_player
    for move in env.get_legal_moves():
        move, game = int(move), env.copy()
        game.step(move)
        if game.is_terminal():
            results[move] = PlainResult(game.get_result(player), (move,))
        elif game.current_player != player:
            replies = game.winning_moves(-player)
            if replies:
                results[move] = PlainResult(-1.0, (move, int(replies[0])))
    return results


def immediate_wins(env: BaseGameEnv) -> tuple[Win, ...]:
    """The moves that win immediately for the side to move, in increasing order."""
    return _wins(env, env.current_player)


def wins_if_to_move(env: BaseGameEnv, player: int) -> tuple[Win, ...]:
    """The wins by completing a line that ``player`` would have if it were their turn.

    Other kinds of wins are left out: in those games a second move in a row is not a threat.
    """
    if env.is_terminal() or env.traits.score_unit:  # a game of counting is not won by lines
        return ()
    return tuple(win for win in _wins(env, player) if win.line is not None)


def _wins(env: BaseGameEnv, player: int) -> tuple[Win, ...]:
    wins = []
    for move in env.winning_moves(player):
        game = env.copy()
        if game.current_player != player:
            game.current_player = player
        cell = game.landing_cell(move)
        wins.append(Win(move, cell, line_of(game.step(move)[3])))
    return tuple(wins)


def line_of(info: dict[str, Any]) -> tuple[int, ...] | None:
    """The cells of the winning line in the ``info`` that `BaseGameEnv.step` returns.

    ``None`` if the move completed no line.
    """
    line = info.get("winning_line")
    return None if line is None else tuple(int(cell) for cell in line)


# ------------------------------------------------------------------------------------------- forks


#: For a move, the cells where its player then wins, each with the cells of the window.
_Completions = list[tuple[int, frozenset[int]]]


class _Side:
    """The windows of one side that lack one or two stones and hold none of the other side."""

    def __init__(self, cells: np.ndarray, lines: np.ndarray) -> None:
        own = cells[lines]
        lacking = np.where((own == -1).any(axis=1), -1, (own == 0).sum(axis=1))
        #: Cells that win at once.
        self.wins = set(lines[lacking == 1][own[lacking == 1] == 0].tolist())
        #: Move → the cells that win after it.
        self.after: defaultdict[int, _Completions] = defaultdict(list)
        for window in lines[lacking == 2]:
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
    lines = windows(env.rows, env.cols, spec.win_length)
    mine = _Side(env.board.astype(np.int64) * env.current_player, lines)
    theirs = _Side(env.board.astype(np.int64) * -env.current_player, lines)
    forks = [move for move, cells in theirs.after.items() if len({c for c, _ in cells}) > 1]
    results = {}
    for move in env.get_legal_moves():
        if move in mine.wins or theirs.wins - {move}:
            continue
        wins = mine.wins_after(move)
        if len(wins) > 1:
            first, second = sorted(wins)[:2]
            results[move] = PlainResult(1.0, (move, first, second))
            continue
        for fork in forks:
            if fork == move or wins - {fork}:  # taken, or answered by winning first
                continue
            left = sorted(theirs.wins_after(fork, blocked=move))
            if len(left) > 1:
                results[move] = PlainResult(-1.0, (move, fork, left[0], left[1]))
                break
    return results


# -------------------------------------------------------------------------- candidates with proofs


def proven_candidate(move: int, name: str, plain: PlainResult) -> Candidate:
    """The candidate of a move whose result the board shows."""
    return with_proof(Candidate(move, name), plain)


def with_proof(candidate: Candidate, plain: PlainResult) -> Candidate:
    """The candidate with the result that the board shows; its visits and prior stay."""
    return replace(
        candidate,
        value=plain.result,
        outcome=outcome_of(plain.result),
        proven=True,
        distance=len(plain.line),
        uct=None,
        line=plain.line,
    )


def with_proofs(
    candidates: Sequence[Candidate], plain: Mapping[int, PlainResult]
) -> list[Candidate]:
    """The candidates in the same order, with every result that the board shows."""
    return [with_proof(c, plain[c.move]) if c.move in plain else c for c in candidates]
