"""What a search looks for: a position, or a pattern of some cells, as tables for a scan.

`kernels.archive.scan` explains the scan. In packs the number of a cell on a board of more than 253
cells is shifted by 256, which `Kind.shift` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv, PositionError, make_game
from rl_toolkit.library.kinds import NO_STONE, Kind, to_move
from rl_toolkit.utils import rows_top_down, shown

#: A cell of a pattern that may be anything.
ANY = 2
_LETTERS = {"x": 1, "o": -1, ".": 0, "?": ANY}
#: In a pattern: the rest of the row may be anything.
_REST = "*"

Bytes = NDArray[np.uint8]
Board = NDArray[np.int8]


class Target:
    """A position that games of a kind are searched for.

    Attributes:
        board, to_move: the position.
        masks: ``masks[colour, cell]``: the symmetries that carry a stone there onto one of the
            position.
        alive: the symmetries that carry the start of the kind onto stones of the position.
        stones: the number of stones that moves have placed; below 0 no game has the position.
    """

    def __init__(self, kind: Kind, env: BaseGameEnv) -> None:
        self.kind = kind
        self.board: Board = np.array(env.board, np.int8)
        self.to_move = to_move(env)
        self.stones = int(np.count_nonzero(self.board)) - kind.stones
        start = np.asarray(kind.begun.board)
        self.masks = np.zeros((2, 256 + (kind.cells if kind.is_wide else 0)), np.uint8)
        self.masks[:, NO_STONE] = 255
        self.alive = 0
        cells = kind.shift + np.arange(kind.cells)
        for s, symmetry in enumerate(kind.symmetries):
            seen = self.board[symmetry.cells]
            for colour, piece in enumerate((1, -1)):
                fits = (seen != 0) if kind.flips else (seen == piece)
                self.masks[colour, cells] |= (fits << s).astype(np.uint8)
            begun = start != 0
            may_differ = kind.flips and self.stones > 0
            agrees = seen[begun] != 0 if may_differ else seen[begun] == start[begun]
            self.alive |= int(agrees.all()) << s

    def images(self) -> list[Board]:
        """For each symmetry the board that it carries onto the position."""
        return [self.board[symmetry.cells] for symmetry in self.kind.symmetries]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Some cells of a board: stones, free cells, and any others.

    Attributes:
        game: the full name of the game.
        cells: a number for each cell: 1, −1, 0 for free, `ANY`.

    The text of a pattern is that of a position (rows separated by ``/``) with ``?`` for any cell
    and ``*`` for the rest of a row; rows that are missing may be anything, too:

    >>> Pattern.read("tictactoe", "x*/?o").cells
    (1, 2, 2, 2, -1, 2, 2, 2, 2)
    """

    game: str
    cells: tuple[int, ...]

    @classmethod
    def read(cls, game: str, text: str) -> Self:
        """The pattern that ``text`` describes; raises `PositionError`."""
        env = make_game(game)
        board = np.full((env.rows, env.cols), ANY, np.int64)
        rows = text.split("/")
        if len(rows) > env.rows:
            raise PositionError(f"{env.name} has {env.rows} rows, and this pattern {len(rows)}")
        order = rows_top_down(env.rows, env.traits.row_one_at)
        for number, (row, words) in enumerate(zip(order, rows, strict=False), 1):
            board[row] = _row(words.strip(), env.cols, f"row {number} from the top")
        if (board == ANY).all():
            raise PositionError("a pattern asks for at least one stone or free cell")
        return cls(env.name, tuple(board.ravel().tolist()))

    def tables(self, kind: Kind) -> PatternTables:
        """The pattern for a scan of games of ``kind``."""
        return PatternTables(kind, np.array(self.cells))


def _row(text: str, cols: int, where: str) -> list[int]:
    cells: list[int] = []
    digits = ""
    for letter in text.lower() + "/":
        if letter.isdigit() and letter.isascii():
            digits += letter
            continue
        if digits:
            cells += [0] * min(int(digits[:3]), cols + 1)
            digits = ""
        if letter == _REST:
            cells += [ANY] * (cols - len(cells))
        elif letter in _LETTERS:
            cells.append(_LETTERS[letter])
        elif letter != "/":
            raise PositionError(
                f"{shown(letter)} is not a cell of a pattern: x, o, . (free), ? (any), "
                "a number of free cells and * (any to the end of the row) are",
                where,
            )
    if len(cells) > cols:
        raise PositionError(f"the board has {cols} columns, but {shown(text)} has more", where)
    return cells + [ANY] * (cols - len(cells))


class PatternTables:
    """A pattern for a scan.

    Attributes:
        kills: ``kills[colour, cell]``: the symmetries that a stone there rules out.
        wanted: ``wanted[colour, cell]``: the symmetries for which it is a stone of the pattern.
        needs: the number of stones of the pattern.
        begun: for each symmetry, how many of them the start has.
        alive: the symmetries that the start does not rule out.
    """

    def __init__(self, kind: Kind, pattern: NDArray[np.int64]) -> None:
        self.kind, self.pattern = kind, pattern
        codes = 256 + (kind.cells if kind.is_wide else 0)
        self.kills = np.zeros((2, codes), np.uint8)
        self.wanted = np.zeros((2, codes), np.uint8)
        self.needs = int(np.count_nonzero(np.abs(pattern) == 1))
        self.begun = [0] * 8
        self.alive = 0
        start, cells = np.asarray(kind.begun.board), kind.shift + np.arange(kind.cells)
        for s, symmetry in enumerate(kind.symmetries):
            seen = pattern[symmetry.cells]
            stone = np.abs(seen) == 1
            for colour, piece in enumerate((1, -1)):
                right = stone if kind.flips else seen == piece
                wrong = (seen == 0) | (stone & ~right)
                self.wanted[colour, cells] |= (right << s).astype(np.uint8)
                self.kills[colour, cells] |= (wrong << s).astype(np.uint8)
            there = start != 0
            agrees = stone if kind.flips else seen == start
            self.begun[s] = int(np.count_nonzero(there & stone & agrees))
            self.alive |= int(not (there & ((seen == 0) | (stone & ~agrees))).any()) << s

    def images(self) -> list[NDArray[np.int64]]:
        """For each symmetry the pattern that it carries onto this one."""
        return [self.pattern[symmetry.cells] for symmetry in self.kind.symmetries]
