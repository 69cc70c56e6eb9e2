"""How people number the cells of a board: from 0, from 1, or like the keys of a numpad.

Names (``b2``) and ``row col`` mean the same in all of them. Where a move is a column, numbers
are columns and always begin with 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from rl_toolkit.envs import BaseGameEnv, InvalidMoveError
from rl_toolkit.utils import rows_top_down, shown
from rl_toolkit.utils.position_utils import column_letters, index_to_algebraic

_NUMPAD_SIDE = 3


@dataclass(frozen=True, slots=True)
class Cells:
    """One way to number cells."""

    kind: Literal["0", "1", "numpad"] = "0"
    last: int | None = field(default=None, compare=False)  # the end of the range, if one was named

    @classmethod
    def named(cls, text: str) -> Cells:
        """The numbering that ``0-8``, ``1-9`` or ``numpad`` names, or a larger range."""
        word = text.strip().lower()
        if word == "numpad":
            return cls("numpad")
        if match := re.fullmatch(r"([01])(?:\s*-\s*([0-9]{1,4}))?", word):
            return cls("0" if match[1] == "0" else "1", int(match[2]) if match[2] else None)
        raise ValueError(f"cells are numbered 0-8, 1-9 or numpad, not {shown(text)}")

    def check(self, env: BaseGameEnv) -> None:
        """Raise ``ValueError`` if the board of ``env`` cannot be numbered in this way."""
        if not env.traits.has_grid and self.kind != "0":
            raise ValueError(f"{env.name} has no cells: moves have names")
        if env.traits.move_by == "column" and self.kind != "0":
            raise ValueError(f"moves of {env.name} are columns, {form_of_moves(env, self)}")
        if self.kind == "numpad" and (env.rows, env.cols) != (_NUMPAD_SIDE, _NUMPAD_SIDE):
            raise ValueError(f"a numpad has 3×3 keys, {env.name} has {env.rows}×{env.cols} cells")
        if self.last is None or not env.traits.has_grid or env.traits.move_by == "column":
            return
        first = int(self.kind)  # a numpad has no range
        whole = env.rows * env.cols - 1 + first
        if self.last not in (whole, 8 + first):  # 0-8 and 1-9 name the two ways on every board
            raise ValueError(
                f"the cells of {env.name} are {first}-{whole}, not {first}-{self.last}"
            )

    def number(self, env: BaseGameEnv, cell: int) -> int:
        """The number of a cell."""
        if self.kind != "numpad":
            return cell + int(self.kind)
        row, col = divmod(cell, env.cols)
        from_top = rows_top_down(env.rows, env.traits.row_one_at).index(row)
        return (env.rows - 1 - from_top) * env.cols + col + 1

    def read(self, env: BaseGameEnv, text: str) -> int:
        """The move that ``text`` names; ``ValueError`` if it names none."""
        is_number = re.fullmatch(r"[0-9]{1,9}", text.strip()) is not None
        if not env.traits.has_grid:
            return env.parse_move(text)
        if env.traits.move_by == "column" or (self.kind == "0" and not is_number):
            return env.parse_move(text)
        try:
            return self._cell(env, int(text)) if is_number else env.parse_move(text)
        except ValueError as error:
            hint, cells = "", env.rows * env.cols
            if self.kind == "0" and int(text) == cells:  # counted from 1, most likely
                hint = f"; type cells 1-{cells} to count from 1"
            form = form_of_moves(env, self)
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; use {form}, or row col{hint}"
            ) from error

    def _cell(self, env: BaseGameEnv, number: int) -> int:
        if self.kind == "0":  # a pass has the next number
            return env.parse_move(str(number))
        numbers = {self.number(env, cell): cell for cell in range(env.rows * env.cols)}
        if number not in numbers:
            raise InvalidMoveError(f"there is no cell {number}")
        return numbers[number]

    def grid(self, env: BaseGameEnv) -> list[str]:
        """The numbers of all cells where they are on the board, with letters and rows."""
        cells = env.rows * env.cols
        wide = max(2, len(str(self.number(env, cells - 1))), len(str(cells)))
        margin = len(str(env.rows))
        letters = " ".join(f"{letter:>{wide}}" for letter in column_letters(env.cols))
        lines = [f"{'':{margin}} {letters}"]
        for row in rows_top_down(env.rows, env.traits.row_one_at):
            numbers = (self.number(env, row * env.cols + col) for col in range(env.cols))
            lines.append(f"{row + 1:>{margin}} " + " ".join(f"{n:>{wide}}" for n in numbers))
        return lines


def form_of_moves(env: BaseGameEnv, cells: Cells) -> str:
    """How moves are written: ``a1-c3 or 0-8``."""
    if env.traits.move_by == "column":
        return f"a-{env.move_name(env.cols - 1)} or 1-{env.cols}"
    if not env.traits.has_grid:
        legal = env.get_legal_moves()
        return f"a name such as {env.move_name(legal[0])}" if legal else "a name"
    last = env.rows * env.cols - 1
    squares = f"a1-{index_to_algebraic(last, (env.rows, env.cols))}"
    if cells.kind == "numpad":
        return f"{squares} or numpad"
    first = int(cells.kind)
    return f"{squares} or {first}-{last + first}"
