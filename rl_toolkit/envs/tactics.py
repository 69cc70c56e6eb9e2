"""What the board shows: immediate wins, and moves whose result needs no search.

`immediate_wins` gives `BaseGameEnv.winning_moves` with cells and lines; `plain_results` the moves
that end the game or let the opponent win with the next move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rl_toolkit.envs.base_game import BaseGameEnv


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
    found: dict[int, PlainResult] = {}
    player = env.current_player
    for move in env.get_legal_moves():
        move, game = int(move), env.copy()
        game.step(move)
        if game.is_terminal():
            found[move] = PlainResult(game.get_result(player), (move,))
        elif game.current_player != player:
            replies = game.winning_moves(-player)
            if replies:
                found[move] = PlainResult(-1.0, (move, int(replies[0])))
    return found


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
    found = []
    for move in env.winning_moves(player):
        game = env.copy()
        if game.current_player != player:
            game.current_player = player
        cell = game.landing_cell(move)
        found.append(Win(move, cell, line_of(game.step(move)[3])))
    return tuple(found)


def line_of(info: dict[str, Any]) -> tuple[int, ...] | None:
    """The cells of the winning line in the ``info`` that `BaseGameEnv.step` returns."""
    line = info.get("winning_line")
    return None if line is None else tuple(int(cell) for cell in line)
