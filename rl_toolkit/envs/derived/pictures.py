"""`Pictures`: a game as text, as SVG, and in the console."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rl_toolkit.envs.derived.core import Core
from rl_toolkit.envs.derived.own_form import standard
from rl_toolkit.envs.validation import Board, shown
from rl_toolkit.utils import board_viz, counted

if TYPE_CHECKING:
    from rl_toolkit.utils.svg import ThemeName


class Pictures(Core):
    """What `print`, a notebook and `render` show."""

    _own_winning_cells: list[int] | None = None

    @property
    @standard
    def board_2d(self) -> Board:
        """The board as a rows × cols copy, row 0 first."""
        return np.array(self.board, dtype=np.int8).reshape(self.rows, self.cols)

    @property
    @standard
    def winning_cells(self) -> list[int]:
        """The cells of all lines that won, in increasing order; empty without one.

        A class may also keep them itself, by assigning them.
        """
        own = self._own_winning_cells
        return sorted(set(self._cells_of_lines())) if own is None else own

    @winning_cells.setter
    def winning_cells(self, cells: list[int] | None) -> None:
        self._own_winning_cells = cells

    def _cells_of_lines(self) -> Iterable[int]:
        return self.winning_line or ()

    def render(self, mode: str = "human") -> str | None:
        """Print the board (``mode="human"``) or return it as text (``mode="ansi"``)."""
        if mode not in ("human", "ansi"):
            raise ValueError(f"render mode is 'human' or 'ansi', not {shown(mode)}")
        text = self._as_text()
        if mode == "ansi":
            return text
        print(text)  # noqa: T201 - the one place below the front ends that prints
        return None

    @standard
    def _as_text(self) -> str:
        if self.traits.row_one_at == "top":
            return board_viz.render_board_ascii(self.board_2d)
        return board_viz.render_board_plain(self.board_2d, row_one_at="bottom")

    @standard
    def to_svg(self, theme: ThemeName = "light") -> str:
        """The position as an SVG picture, with the last move and the winning line marked."""
        return board_viz.render_board_svg(
            self.board_2d,
            style=self.traits.style,
            colours=self.traits.piece_colours,
            row_one_at=self.traits.row_one_at,
            last_move=self.last_move,
            winning_line=self.winning_line,
            theme=theme,
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @standard
    def __repr__(self) -> str:
        to_move = f"{self.traits.side(self.current_player)} to move"
        state = "over" if self.is_terminal() else to_move
        return f"<{self.name}: {counted(self.move_count)} played, {state}>"

    def __str__(self) -> str:
        """The board as text, so that ``print(env)`` shows it."""
        return self._as_text()
