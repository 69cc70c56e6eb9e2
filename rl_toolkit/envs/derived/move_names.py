"""`MoveNames`: moves as people write them, for games on a board of rows and columns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from rl_toolkit.envs.derived.core import Core
from rl_toolkit.envs.derived.own_form import standard
from rl_toolkit.envs.errors import InvalidMoveError
from rl_toolkit.envs.validation import as_move, shown
from rl_toolkit.utils import position_utils


class MoveNames(Core):
    """Names of moves: ``b2``, an index, or row and column.

    Attributes:
        names_vary: whether the name of a move depends on the position, as ``e2e4`` may; true for a
            class that has a `move_name` of its own, unless it says otherwise.
    """

    names_vary: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "move_name" in vars(cls) and "names_vary" not in vars(cls):
            cls.names_vary = True

    @standard
    def move_name(self, move: int) -> str:
        """The move as people write it: ``b2``."""
        move = as_move(move)
        if not 0 <= move < self.num_moves:
            raise InvalidMoveError(
                f"{shown(move)} is not a move: moves run from 0 to {self.num_moves - 1}"
            )
        if move < self.rows * self.cols:
            return position_utils.cell_name(move, self.rows, self.cols)
        return str(move)

    @standard
    def line_names(self, moves: Iterable[int]) -> list[str]:
        """The names of moves that are played one after the other from here, each in its position.

        A move that cannot be played there is not played.
        """
        if not self.names_vary:
            return [self.move_name(move) for move in moves]
        game, names = self.copy(), []
        for move in moves:
            names.append(game.move_name(move))
            if move in game.get_legal_moves():
                game.step(move)
        return names

    def history_names(self) -> list[str]:
        """The names of the moves in `history`, each in its position."""
        moves = self.history
        if not self.names_vary:
            return [self.move_name(move) for move in moves]
        game = self.copy()
        for _ in moves:
            game.undo()
        return game.line_names(moves)

    def moves_text(self) -> str:
        """The names of the moves since the start, or ``start``.

        In a game without a grid this is the text of a position; see `envs.position`.
        """
        return " ".join(self.history_names()) or "start"

    @standard
    def parse_move(self, text: str) -> int:
        """The move that ``text`` names: ``b2``, an index ``4``, or ``row col`` counted from 1.

        Row and column are separated by a blank or a comma: ``2 3``, ``2,3``.

        Raises `InvalidMoveError` for text that names no move. The move need not be legal.
        """
        if not isinstance(text, str):
            raise InvalidMoveError(f"the name of a move is text, not {shown(text)}")
        word = text.strip().lower()
        shape = (self.rows, self.cols)
        try:
            if re.fullmatch(r"[0-9]{1,9}", word):
                self.move_name(int(word))
                return int(word)
            if pair := re.fullmatch(r"([0-9]{1,4})(?:\s*,\s*|\s+)([0-9]{1,4})", word):
                row, col = int(pair[1]) - 1, int(pair[2]) - 1
                return position_utils.tuple_to_index((row, col), shape)
            return position_utils.algebraic_to_index(word, shape)
        except ValueError as error:
            corner = position_utils.index_to_algebraic(self.rows * self.cols - 1, shape)
            last = self.num_moves - 1 - (self.pass_move is not None)
            raise InvalidMoveError(
                f"{shown(text)} is not a move here; use a1-{corner}, 0-{last}, or row col"
            ) from error

    def as_played(self, move: object) -> int:
        """``move`` as a number: a whole number, or the name of a move.

        Digits alone are not a name: ``"4"`` is b2 in one game and column d in another.
        """
        if not isinstance(move, str):
            return as_move(move)
        if move.strip().isdigit():
            raise InvalidMoveError(
                f"{shown(move)} is not the name of a move; use a name such as "
                f"{self.move_name(self.num_moves // 2)!r}, or a number without quotes"
            )
        return self.parse_move(move)
