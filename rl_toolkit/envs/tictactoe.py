"""Tic-Tac-Toe on any board: m,n,k games.

Cells are numbered row by row from the top left, and row 1 is the top row::

        a   b   c
    1   0 | 1 | 2
       ---+---+---
    2   3 | 4 | 5
       ---+---+---
    3   6 | 7 | 8
"""

from __future__ import annotations

from typing import Self

from rl_toolkit.envs.bases.line_game import LineGame, board_fields, checked_win_length
from rl_toolkit.envs.traits import FamousPosition, GameTraits
from rl_toolkit.envs.validation import as_sides, read_numbers


class TicTacToe(LineGame):
    """``win_length`` in a row on a board of ``board_size``, a side or ``(rows, cols)``.

    By default ``win_length`` is the shorter side.

    >>> env = TicTacToe()
    >>> for name in ("b2", "a1", "c3", "b1", "c1"):
    ...     _ = env.step(env.parse_move(name))
    >>> env.move_name(2), env.get_legal_moves()
    ('c1', [3, 5, 6, 7])
    """

    traits = GameTraits(
        name="tictactoe",
        aliases=("tic-tac-toe", "ttt", "noughts-and-crosses", "morpion"),
        title="Tic-Tac-Toe",
        fields=board_fields(3, 3, 3),
        variant="{rows}x{cols}x{length}",
        variants="or tictactoe-4x4x4, rows x columns x length",
        preview="b2 a1 c1 a3 a2 c2 b1",
        example="b2 a1",
        rules=(
            "X and O take turns to mark an empty square.",
            "The first with three in a row, column or diagonal wins; larger boards may need more.",
            "A full board without such a row is a draw.",
        ),
        pictures=("b2 a1 c3", "b2 b1 a1 a2 c3", "a1 b2 c3 c1 a3 a2 c2 b3 b1"),
        famous=(
            FamousPosition(
                title="Two opposite corners",
                moves="a1 b2 c3",
                result=0,
                best=("b1", "a2", "c2", "b3"),
                sentence="O has the centre and still has to be careful: a corner loses, an edge "
                "holds.",
            ),
            FamousPosition(
                title="An edge beside the corner",
                moves="a1 b1",
                result=1,
                best=("b2", "a2", "a3"),
                sentence="The first answer already loses: X makes two threats at once.",
            ),
            FamousPosition(
                title="The centre and a corner",
                moves="b2 a1 c3",
                result=0,
                best=("c1", "a3"),
                sentence="Both other corners hold; after an edge X has a fork.",
            ),
        ),
    )

    def __init__(
        self, board_size: int | tuple[int, int] = 3, win_length: int | None = None
    ) -> None:
        rows, cols = as_sides(board_size)
        super().__init__((rows, cols), checked_win_length(win_length, rows, cols))
        self.board_size = rows if rows == cols else (rows, cols)

    @classmethod
    def from_variant(cls, variant: str) -> Self | None:
        """``4`` or ``4x4`` or ``4x4x3``: rows, columns and the number in a row that wins."""
        if not variant:
            return cls()
        numbers = read_numbers(variant, (1, 2, 3))
        if numbers is None:
            return None
        rows, cols = (numbers * 2)[:2] if len(numbers) == 1 else numbers[:2]
        return cls((rows, cols), numbers[2] if len(numbers) == 3 else None)

    @property
    def name(self) -> str:
        """``tictactoe``, or ``tictactoe-ROWSxCOLSxLENGTH`` for other boards."""
        shape = (self.rows, self.cols, self.win_length)
        name = self.traits.name
        return name if shape == (3, 3, 3) else "{}-{}x{}x{}".format(name, *shape)
