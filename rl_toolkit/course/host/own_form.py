"""How a program of one's own writes boards, players and moves: found out by trying it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from rl_toolkit.adapting import BoardFormatError, Form

#: Marks of the two players that are tried in turn.
MARKS: tuple[tuple[Any, Any], ...] = (
    ("X", "O"),
    ("x", "o"),
    (1, -1),
    (1, 2),
    ("R", "J"),
    ("R", "Y"),
)
#: What an empty cell of a program holds, where no function makes an empty board.
BLANKS: tuple[Any, ...] = (" ", "", 0, None, ".", "-", "_")
_LETTERS = " XO"


@dataclass(frozen=True, slots=True)
class HandoutGame:
    """A game as the tests of the companions write it.

    Attributes:
        is_flat: whether a board is one list of cells; else it is a list of rows, the top one first.
        line: cells in a row that win. moves: what a move names, ``cell`` or ``column``.
        dilemmas: two boards, with X and with O to move; one move wins for X, another one for O.
        wins: the winning move of X and of O in both. drawn: a full board without a line.
        lost: a board on which O is to move and loses, "" where a search may be too short for it.
    """

    title: str
    rows: int
    cols: int
    is_flat: bool
    line: int
    moves: str
    dilemmas: tuple[tuple[str, str], tuple[str, str]]
    wins: dict[str, int]
    drawn: str
    lost: str = ""


#: The games of the handouts that leave names free.
GAMES = {
    "tictactoe": HandoutGame(
        *("Tic-Tac-Toe", 3, 3, True, 3, "cell"),
        dilemmas=(("XX.OO.XO.", "X"), ("XX.OO.X..", "O")),
        wins={"X": 2, "O": 5},
        drawn="XOXXOOOXX",
        lost="X.X.O.X.O",
    ),
    "connect-four": HandoutGame(
        *("Connect Four", 6, 7, False, 4, "column"),
        dilemmas=(
            ("." * 21 + 3 * "...XO..", "X"),
            ("." * 21 + 2 * "...XO.." + "X..XO..", "O"),
        ),
        wins={"X": 3, "O": 4},
        drawn="OXOXOXOOXOXOXXOXOXOXOXOXOXOXXOXOXOOXOXOXOX",
    ),
}


class OwnForm:
    """Boards, players and moves of one game: ours in the tests, the student's in their program.

    In tests a board is a list of marks, or for Connect Four six lists with the top row first; cells
    and columns count from 0; the players are ``"X"`` and ``"O"``.
    """

    def __init__(self, game: str) -> None:
        self.game = GAMES[game]
        self.rows, self.cols = self.game.rows, self.game.cols
        self.form = Form(self.rows, self.cols, self.empty_board(), " ", marks={"X": 1, "O": -1})
        self.first_column = 0
        #: What each empty cell holds, where that is not the same in all of them.
        self._numbers: tuple[Any, ...] = ()
        #: Whether the mark of an empty cell, given as the winner, means that there is none.
        self.blank_is_no_winner = True
        self.says: list[str] = []

    # ---------------------------------------------------------------- boards of the tests

    def empty_board(self) -> Any:
        """An empty board of a test."""
        return self._shaped([" "] * (self.rows * self.cols))

    def board_with_row(self, letter: str) -> Any:
        """A board with a row of a player in a corner, nothing else."""
        cells = [" "] * (self.rows * self.cols)
        start = 0 if self.game.is_flat else (self.rows - 1) * self.cols
        cells[start : start + self.game.line] = [letter] * self.game.line
        return self._shaped(cells)

    def board_of(self, text: str) -> Any:
        """A board of a test from its cells in one row."""
        return self._shaped(list(text.replace(".", " ")))

    def _shaped(self, cells: list[str]) -> Any:
        if self.game.is_flat:
            return cells
        return [cells[row * self.cols : (row + 1) * self.cols] for row in range(self.rows)]

    # ------------------------------------------------------------------------ learning

    def learn_board(self, empty: Any) -> None:
        """Take an empty board of the program as the model of all boards."""
        cells, sides = _cells(empty)
        if len(cells) != self.rows * self.cols:
            raise BoardFormatError(f"has {len(cells)} cells, not {self.rows * self.cols}")
        is_numbered = (
            self.game.is_flat and isinstance(empty, list) and len(set(cells)) == len(cells)
        )
        if not is_numbered and any(cell != cells[0] for cell in cells):
            raise BoardFormatError("does not hold the same thing in every empty cell")
        self._numbers = tuple(cells) if is_numbered else ()
        across = sides == (self.cols, self.rows) and self.rows != self.cols
        self.form = replace(self.form, like=empty, empty=cells[0], is_transposed=across)
        if sides is not None and self.game.is_flat:
            self.says.append("your board has three rows")
        if across:
            self.says.append("your board is a list of columns")
        if self._numbers:
            self.says.append(f"your empty cells hold {cells[0]!r} to {cells[-1]!r}")
        elif cells[0] != " ":
            self.says.append(f"an empty cell of yours is {cells[0]!r}")

    def learn_usual_board(
        self, works: Callable[[OwnForm, bool], bool], played: tuple[Any, Any] | None = None
    ) -> bool:
        """Try usual boards until the program knows one, as `learn_marks` does; whether it does."""
        before, said = self.form, list(self.says)
        rows = [[" "] * self.cols for _ in range(self.rows)]
        flat = [" "] * (self.rows * self.cols)
        for shape in (flat, rows) if self.game.is_flat else (rows, flat):
            for blank in BLANKS:
                self.form, self.says = before, list(said)
                cells = [[blank] * len(row) for row in shape] if shape is rows else None
                self.learn_board(cells or [blank] * len(flat))
                if self.learn_marks(works, played):
                    return True
        self.form, self.says = before, said
        return False

    def learn_marks(
        self, works: Callable[[OwnForm, bool], bool], played: tuple[Any, Any] | None = None
    ) -> bool:
        """Try marks until the program knows them; first those that it has ``played`` itself.

        ``works`` is asked twice: for marks with which all is right, then for marks that may do.
        The answer is whether any do.
        """
        alike = sorted(MARKS, key=lambda pair: type(pair[0]) is not type(self.form.empty))
        first = [] if played is None else [played]
        for is_sure, (x, o) in product((True, False), (*first, *alike)):
            self.form = replace(self.form, marks={x: 1, o: -1})
            with suppress(Exception):
                if works(self, is_sure):
                    if (x, o) != MARKS[0]:
                        self.says.append(f"your players are {x!r} and {o!r}")
                    return True
        self.form = replace(self.form, marks={"X": 1, "O": -1})
        return False

    def learn_moves(self, moves: Sequence[Any]) -> None:
        """Read how cells are written from the moves of the empty board."""
        first = moves[0]
        if isinstance(first, (tuple, list)):
            least = min(int(part) for move in moves for part in move)
            self.form = replace(self.form, moves="pair", first=least)
            self.says.append(f"your cells are pairs (row, column) from {least}")
        else:
            least = min(int(move) for move in moves)
            self.form = replace(self.form, first=least)
            if least:
                self.says.append(f"your cells count from {least}")

    def learn_columns(self, columns: Sequence[Any]) -> None:
        """Read how columns are written from those of the empty board."""
        self.first_column = min(int(column) for column in columns)
        if self.first_column:
            self.says.append(f"your columns count from {self.first_column}")

    def learn_gravity(self, once: Any) -> None:
        """See from a board with one disc in the first column where its bottom row is."""
        cells = self.form.contents(once)
        self.learn_bottom(0 if cells[0] != self.form.empty else self.rows - 1)

    def learn_bottom(self, row: int) -> None:
        """Take the row in which the first disc of a column lies as the bottom row."""
        if row == 0:
            self.form = replace(self.form, is_flipped=True)
            self.says.append("your first row is the bottom row")

    # ------------------------------------------------------------------ to the program

    def board(self, board: Any) -> Any:
        """A board of a test as the program keeps it."""
        rows = board if isinstance(board[0], list) else [board]
        cells = [_LETTERS.index(cell) - 3 * (cell == "O") for row in rows for cell in row]
        made = self.form.write(cells)
        for index, number in enumerate(self._numbers):
            if not cells[index]:
                row, at = self._place(made, index)
                row[at] = number
        return made

    def _place(self, board: Any, index: int) -> tuple[list[Any], int]:
        """The list with a cell of a board that has numbers, and where the cell is in it."""
        if len(board) == len(self._numbers):
            return board, index
        return board[index // self.cols], index % self.cols

    def player(self, letter: str) -> Any:
        """The mark of a player."""
        return self.form.mark(1 if letter == "X" else -1)

    def landing_row(self, board: Any, column: int) -> int | None:
        """The row in which a disc lands, as the program counts rows; ``None`` if there is none."""
        free = [row for row in range(self.rows) if board[row][column] == " "]
        return self.form.flipped(max(free)) + self.first_column if free else None

    def cell(self, cell: int) -> Any:
        """A cell as the program writes it."""
        return self.form.own_move(cell)

    # ------------------------------------------------------------------ and back

    def read_board(self, board: Any) -> Any:
        """A board of the program as tests write it; raises ``ValueError``."""
        if self._numbers and isinstance(board, list):
            board = copy.deepcopy(board)
            for index, number in enumerate(self._numbers):
                row, at = self._place(board, index)
                row[at] = self.form.empty if row[at] == number else row[at]
        return self._shaped([_LETTERS[cell] for cell in self.form.read(board).tolist()])

    def read_cell(self, move: Any) -> Any:
        """A cell of the program, counted from 0; anything else as it is."""
        with suppress(TypeError, ValueError):
            if isinstance(move, (tuple, list)) and len(move) == 2 and self.form.moves == "pair":
                row, col = (int(part) - self.form.first for part in move)
                return row * self.cols + col
            return int(move) - self.form.first
        return move

    def read_column(self, column: Any) -> Any:
        """A column of the program, counted from 0."""
        with suppress(TypeError, ValueError):
            return int(column) - self.first_column
        return column

    def read_player(self, mark: Any) -> str | None:
        """``"X"``, ``"O"`` or ``None``, which programs write in many ways."""
        if isinstance(mark, (tuple, list)) and mark:
            mark = mark[0]
        if mark is None or mark is False:
            return None
        if mark == self.form.empty:
            return None if self.blank_is_no_winner or not mark else str(mark)
        for own, player in self.form.marks.items():
            if own == mark and not isinstance(mark, bool):
                return _LETTERS[player]
        if isinstance(mark, str):
            letters = [letter for letter in "XO" if letter in mark.upper().split()]
            return letters[0] if len(letters) == 1 else None
        if mark in (1, -1, 2):
            return "X" if mark == 1 else "O"
        return None


def cell_count(value: Any) -> int:
    """How many cells a value has if it is a board: a list, rows, an array, a text; else 0."""
    if callable(value) or not hasattr(value, "__len__"):
        return 0
    with suppress(Exception):
        return len(_cells(value)[0])
    return 0


def flat_cells(board: Any) -> list[Any]:
    """The cells of a board, row by row."""
    return _cells(board)[0]


def _cells(board: Any) -> tuple[list[Any], tuple[int, int] | None]:
    """The cells of a list, of rows or of an array, and its sides if it has rows."""
    plain = board.tolist() if hasattr(board, "tolist") else board
    if isinstance(plain, str):
        return list(plain), None
    if isinstance(plain, dict):
        return list(plain.values()), None
    if plain and isinstance(plain[0], (list, tuple, str)) and len(plain[0]) > 1:
        return [cell for row in plain for cell in row], (len(plain), len(plain[0]))
    return list(plain), None


def exchanged(board: Any) -> Any:
    """The board with the colours exchanged."""
    turned = {"X": "O", "O": "X", " ": " "}
    if isinstance(board[0], list):
        return [[turned[cell] for cell in row] for row in board]
    return [turned[cell] for cell in board]
