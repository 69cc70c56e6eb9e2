"""`Position`: a board and the side to move, as checks know it.

Unlike a game object it is a plain value: it can be compared, put into a set, and may have numbers
of pieces that no game reaches, which rules read from the board must still judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.utils.position_utils import index_to_algebraic

_LETTERS = {"x": 1, "o": -1}
_RUN = re.compile(r"[0-9]+|.")


@lru_cache(maxsize=32)
def start_of(game: str) -> BaseGameEnv:
    """A game of that name in its starting position; do not change it."""
    return make_game(game)


@dataclass(frozen=True, slots=True)
class Position:
    """A board with the side to move.

    Attributes:
        cells: +1 (X), −1 (O) or 0 for each cell, row 1 first.
        mover: the side to move, +1 or −1.
        game: the name of the game.
        rows, cols: the sides of the board.
        last: the cell of the last piece, if the position came from moves.
    """

    cells: tuple[int, ...]
    mover: int
    game: str = "tictactoe"
    rows: int = 3
    cols: int = 3
    last: int | None = None

    @property
    def text(self) -> str:
        """The position as one line: ``xx1/oo1/3 x``."""
        rows = [self.cells[i * self.cols : (i + 1) * self.cols] for i in range(self.rows)]
        if start_of(self.game).traits.row_one_at == "bottom":
            rows.reverse()
        written = "/".join("".join(".xo"[cell] for cell in row) for row in rows)
        runs = re.sub(r"\.+", lambda run: str(len(run[0])), written)
        return f"{runs} {'x' if self.mover > 0 else 'o'}"

    def env(self) -> BaseGameEnv:
        """A game of the package in this position; raises ``ValueError`` if none can be in it."""
        env = start_of(self.game).copy()
        env.set_position(list(self.cells), self.mover)
        return env

    @property
    def moves(self) -> list[int]:
        """The legal moves; none if the game is over."""
        return [] if self.over else list(self.env().get_legal_moves())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.env().is_terminal()

    @property
    def winner(self) -> int | None:
        """+1 or −1, 0 for a draw, ``None`` while the game runs."""
        return self.env().winner

    def play(self, move: int) -> Position:
        """The position after a move; raises ``ValueError`` if it is illegal."""
        env = self.env()
        env.step(move)
        cells = tuple(int(cell) for cell in env.board)
        return Position(cells, -self.mover, self.game, self.rows, self.cols, env.last_move)

    def name(self, cell: int) -> str:
        """The name of a cell: ``b2``."""
        return index_to_algebraic(cell, (self.rows, self.cols))


def position(text: str, game: str = "tictactoe") -> Position:
    """The position that ``text`` describes; the pieces need not be numbers that a game reaches.

    >>> position("xx1/oo1/3 x").cells
    (1, 1, 0, -1, -1, 0, 0, 0, 0)
    """
    start = start_of(game)
    written, _, mover = text.partition(" ")
    rows = [_row(row) for row in written.split("/")]
    if start.traits.row_one_at == "bottom":
        rows.reverse()
    if len(rows) != start.rows or any(len(row) != start.cols for row in rows):
        raise ValueError(f"{text!r} is not a board of {start.rows} × {start.cols}")
    if mover not in _LETTERS:
        raise ValueError(f"{text!r} does not end with the side to move, x or o")
    cells = tuple(cell for row in rows for cell in row)
    return Position(cells, _LETTERS[mover], game, start.rows, start.cols)


def after(moves: Iterable[int], game: str = "tictactoe") -> Position:
    """The position after these moves from the start.

    >>> after([4, 0]).text
    'o2/1x1/3 x'
    """
    here = from_env(start_of(game))
    for move in moves:
        here = here.play(move)
    return here


def from_env(env: BaseGameEnv) -> Position:
    """The position of a game."""
    cells = tuple(int(cell) for cell in env.board)
    return Position(cells, env.current_player, env.name, env.rows, env.cols, env.last_move)


def _row(text: str) -> list[int]:
    cells: list[int] = []
    for part in _RUN.findall(text):
        if part.isdigit():
            cells += [0] * int(part)
        elif part in ("x", "o", "."):
            cells.append(_LETTERS.get(part, 0))
        else:
            raise ValueError(f"{part!r} is not a cell: use x, o or a number of empty cells")
    return cells
