"""Immediate wins: what can be seen on a board by looking one move ahead.

Which moves win is `BaseGameEnv.winning_moves`; here each becomes a `Win` that says where its piece
goes and which line it completes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rl_toolkit.envs.base_game import BaseGameEnv


class Win(NamedTuple):
    """A move that wins at once; ``line`` holds the cells that it completes, if it is a line.

    ``cell`` is where the piece goes, ``None`` if the move places none.
    """

    move: int
    cell: int | None
    line: tuple[int, ...] | None

    @property
    def place(self) -> tuple[str, int]:
        """What tells two wins apart: the cell, as a column may offer a win twice; else the move."""
        return ("move", self.move) if self.cell is None else ("cell", self.cell)


def immediate_wins(env: BaseGameEnv) -> tuple[Win, ...]:
    """The moves with which the side to move ends the game as its winner, in legal order."""
    return _wins(env, env.current_player)


def wins_if_to_move(env: BaseGameEnv, player: int) -> tuple[Win, ...]:
    """The lines that ``player`` could complete if it were their turn.

    Only lines: where a game is won in other ways, what a player could do with a second move in a
    row says nothing about the game, so such wins are left out.
    """
    if env.is_terminal() or env.traits.score_unit:  # what is counted is not won by lines
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
    """The cells of the winning line, from the last part of what `BaseGameEnv.step` returns."""
    line = info.get("winning_line")
    return None if line is None else tuple(int(cell) for cell in line)
