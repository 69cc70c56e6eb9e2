"""`ColumnNames`: the moves of adapted games: cells with a pass, or columns with letters."""

from __future__ import annotations

import re

from rl_toolkit.envs import InvalidMoveError
from rl_toolkit.envs.derived import Core
from rl_toolkit.envs.validation import as_move
from rl_toolkit.utils import shown


class ColumnNames(Core):
    """Names of moves in a game whose traits say whether a move is a cell or a column."""

    @property
    def num_moves(self) -> int:
        """One move per cell, and a pass; or one per column."""
        if self.traits.move_by == "column":
            return self.cols
        return self.rows * self.cols + (self.pass_move is not None)

    def move_name(self, move: int) -> str:
        """The move as people write it: ``b2``, the letter of a column, ``pass``."""
        if self.traits.move_by == "column" and 0 <= as_move(move) < self.cols:
            return chr(ord("a") + move)
        if move == self.pass_move and self.pass_move is not None:
            return "pass"
        return super().move_name(move)

    def parse_move(self, text: str) -> int:
        """The move that ``text`` names; a column is a letter or a number from 1."""
        word = text.strip().lower() if isinstance(text, str) else ""
        if word == "pass" and self.pass_move is not None:
            return self.pass_move
        if self.traits.move_by == "cell":
            return super().parse_move(text)
        column = -1
        if re.fullmatch(r"[0-9]{1,4}", word):
            column = int(word) - 1
        elif re.fullmatch(r"[a-z]", word):
            column = ord(word) - ord("a")
        if not 0 <= column < self.cols:
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; moves are columns, "
                f"a-{self.move_name(self.cols - 1)} or 1-{self.cols}"
            )
        return column
