"""Forty ways in which students write Tic-Tac-Toe, as source: names, boards, marks, errors."""

from __future__ import annotations

from itertools import cycle, islice, product

#: Name → an empty board, a cell read and a cell written; ``E`` is the empty mark.
BOARDS = {
    "list": ("[E] * 9", "{b}[m]", "{b}[m]"),
    "rows": ("[[E] * 3 for _ in range(3)]", "{b}[m // 3][m % 3]", "{b}[m // 3][m % 3]"),
    "array": ("np.array([E] * 9, dtype=KIND)", "{b}[m]", "{b}[m]"),
    "grid": ("np.full((3, 3), E, dtype=KIND)", "{b}[m // 3, m % 3]", "{b}[m // 3, m % 3]"),
    "int8": ("np.zeros(9, dtype=np.int8)", "{b}[m]", "{b}[m]"),
}
#: The empty mark and those of the two players.
MARKS = [(0, 1, -1), (" ", "X", "O"), (0, 1, 2), (".", "x", "o"), ("-", "X", "O")]
#: Legal moves, a move, the end, the winner: names of the handouts and of many students.
NAMES = [
    ("get_legal_moves", "step", "is_terminal", "winner"),
    ("get_legal_actions", "step", "done", "winner"),
    ("legal_moves", "make_move", "is_game_over", "check_winner()"),
    ("available_moves", "play", "game_over", "get_winner()"),
    ("get_available_moves", "make_move", "is_terminal", "check_winner()"),
    ("valid_moves", "do_move", "is_over", "winner"),
]
#: How moves are listed: as ints, NumPy scalars, an array.
MOVES = ["[m for m in free]", "[np.int32(m) for m in free]", "np.array(free, dtype=np.int64)"]
#: What a wrong move does.
ERRORS = ["raise ValueError('not free')", "raise IndexError(m)", "raise Illegal(m)", "return False"]
#: What a move returns.
RETURNS = ["None", "self.board", "(self.board, 0.0, over, {})", "True"]

SOURCE = """
import numpy as np

KIND = {kind}
E, X, O = {empty!r}, {x!r}, {o!r}
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Illegal(Exception):
    pass


class Game:
    def __init__(self):
        self.board = {board}
        self.current_player = X
{state}
    def reset(self):
        self.__init__()
        return self.board

    def _at(self, m):
        return {read}

    def _free(self):
        return [m for m in range(9) if self._at(m) == E]

    def _line(self):
        for line in LINES:
            if self._at(line[0]) != E and len({{str(self._at(m)) for m in line}}) == 1:
                return self._at(line[0])
        return None

    def {legal}(self):
        free = self._free()
        return {moves}

    def {move}(self, m):
        if self._over() or not 0 <= m < 9 or self._at(m) != E:
            {error}
        {write} = self.current_player
        self.current_player = O if self.current_player == X else X
        over = self._over()
{keep}
        return {returns}

    def _over(self):
        return self._line() is not None or not self._free()
{end}{winner}
"""


def source(number: int) -> str:
    """The source of one of the styles, 0 to 39."""
    board, marks, names, moves, error, returns = STYLES[number]
    empty, x, o = marks
    legal, move, end, winner = names
    new, read, write = BOARDS[board]
    state, keep = "", ""
    if end == "done":
        state += "        self.done = False\n"
        keep += "        self.done = over\n"
    if winner == "winner":
        state += "        self.winner = None\n"
        keep += "        self.winner = self._line()\n"
    return SOURCE.format(
        kind="object" if isinstance(empty, str) else "int",
        empty=empty,
        x=x,
        o=o,
        board=new,
        state=state,
        read=read.format(b="self.board"),
        write=write.format(b="self.board"),
        legal=legal,
        moves=moves,
        move=move,
        error=error,
        keep=keep,
        returns=returns,
        end="" if end == "done" else f"\n    def {end}(self):\n        return self._over()\n",
        winner=""
        if winner == "winner"
        else f"\n    def {winner.removesuffix('()')}(self):\n        return self._line()\n",
    )


def _styles() -> list[tuple[str, tuple, tuple, str, str, str]]:
    """Forty mixes in which every value of every part occurs, and no two are equal."""
    pairs = [
        (board, marks)
        for board, marks in product(BOARDS, MARKS)
        if not (isinstance(marks[0], str) and board == "int8")
    ]
    rest = zip(cycle(NAMES), cycle(MOVES), cycle(ERRORS), cycle([*RETURNS, "None"]), strict=False)
    mixed = zip(cycle(pairs), rest, strict=False)
    return [(board, marks, *more) for (board, marks), more in islice(mixed, 40)]


STYLES = _styles()
