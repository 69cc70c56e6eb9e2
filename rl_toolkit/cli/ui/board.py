"""A board for the terminal, with labels, the last move and the winning line marked.

Marks are brackets as well as colours, so that they can be seen without colour::

      a   b   c
    +---+---+---+
  1 | X |   |(O)|      ( ) the last move
    +---+---+---+
  2 |   |[X]|   |      [ ] a winning line
"""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import rows_top_down
from rl_toolkit.utils.position_utils import column_letters

_SYMBOLS = {0: ".", 1: "X", -1: "O"}
#: Colours of X and O by the kind of piece.
_COLOURS = {
    "marks": ("cyan", "yellow"),
    "discs": ("red", "yellow"),
    "stones": ("bright_blue", "bright_white"),
    "flips": ("bright_green", "bright_white"),
}
#: The widest board of X and O that is drawn in boxes.
_MOST_BOXED = 9

#: The most moves that are listed for a game without a grid.
_MOST_NAMES = 120

_LAST, _WON = "()", "[]"


def draw_board(env: BaseGameEnv, width: int = 80, *, flipped: bool = False) -> Text:
    """The position as coloured text no wider than ``width`` where that is possible.

    ``flipped`` turns the board upside down. Where legal moves are hard to see (Reversi) they are
    shown as ``+``. A game without a grid is shown as its text, with a list of the moves.
    """
    if not env.traits.has_grid:
        return _as_text(env, width)
    return _Drawing(env, flipped).text(width)


def _as_text(env: BaseGameEnv, width: int) -> Text:
    """The text of the position, and the names of the legal moves."""
    text = Text(str(env.render(mode="ansi")).rstrip() + "\n")
    legal = env.get_legal_moves()
    names = [env.move_name(move) for move in legal[:_MOST_NAMES]]
    if not names:
        text.right_crop(1)
        return text
    more = f" … and {len(legal) - len(names)} more" if len(legal) > len(names) else ""
    lines = wrap(f"Moves: {' '.join(names)}{more}", max(width, 20), break_on_hyphens=False)
    return text.append("\n".join(lines), "dim")


class _Drawing:
    def __init__(self, env: BaseGameEnv, flipped: bool) -> None:
        self._env = env
        self._cells = env.board_2d
        rows = rows_top_down(env.rows, env.traits.row_one_at)
        self._rows = rows[::-1] if flipped else rows
        self._cols = list(range(env.cols))[:: -1 if flipped else 1]
        self._letters = column_letters(env.cols)
        self._margin = len(str(env.rows)) + 1
        self._won = set(env.winning_cells)
        legal = env.get_legal_moves() if env.traits.style == "flips" else []
        self._legal = {move for move in legal if move < env.rows * env.cols}

    def text(self, width: int) -> Text:
        boxed = self._env.traits.style == "marks" and self._env.cols <= _MOST_BOXED
        if boxed and self._margin + 4 * self._env.cols + 1 <= width:
            text = self._boxed()
        else:
            is_wide = self._margin + 2 * self._env.cols + 1 <= width
            text = self._open(" " if is_wide else "")
        text.right_crop(1)
        return text

    def _boxed(self) -> Text:
        border = " " * self._margin + "+" + "---+" * len(self._cols) + "\n"
        text = self._letters_line("   ", self._margin + 2)
        text.append(border, "dim")
        for row in self._rows:
            text.append(self._label(row), "dim")
            text.append("|", "dim")
            for col in self._cols:
                marks = self._marks(row, col) or "  "
                text.append(marks[0], "bold").append(*self._piece(row, col, empty=" "))
                text.append(marks[1], "bold").append("|", "dim")
            text.append("\n").append(border, "dim")
        return text

    def _open(self, gap: str) -> Text:
        """The column between two cells holds the marks of both; without it colour shows them."""
        text = self._letters_line(gap, self._margin + len(gap))
        for row in self._rows:
            text.append(self._label(row), "dim")
            before = ""
            for col in self._cols:
                here = self._marks(row, col)
                text.append(gap and _between(before, here), "bold").append(*self._piece(row, col))
                before = here
            text.append(gap and _between(before, ""), "bold").append("\n")
        return text

    def _letters_line(self, gap: str, indent: int) -> Text:
        letters = gap.join(self._letters[col] for col in self._cols)
        return Text(" " * indent).append(letters + "\n", "dim")

    def _label(self, row: int) -> str:
        return f"{row + 1:>{self._margin - 1}} "

    def _cell(self, row: int, col: int) -> int:
        return row * self._env.cols + col

    def _marks(self, row: int, col: int) -> str:
        cell = self._cell(row, col)
        if cell in self._won:
            return _WON
        return _LAST if cell == self._env.last_move else ""

    def _piece(self, row: int, col: int, empty: str = ".") -> tuple[str, str]:
        """The symbol of a cell and its style."""
        piece, cell = int(self._cells[row, col]), self._cell(row, col)
        if not piece:
            return ("+", "bold") if cell in self._legal else (empty, "dim")
        colour = _COLOURS.get(self._env.traits.style, ("cyan", "yellow"))[piece < 0]
        emphasis = " bold reverse" if cell in self._won else ""
        if cell == self._env.last_move and not emphasis:
            emphasis = " bold underline"
        return _SYMBOLS[piece], colour + emphasis


def _between(left: str, right: str) -> str:
    """The one column between two cells with these marks."""
    if left == right:
        return " "
    return right[0] if right else left[1]
