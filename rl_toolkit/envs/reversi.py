"""Reversi (Othello) on 4×4, 6×6 or 8×8.

Row 1 is at the top, ``a1`` top left. Black (+1) moves first, and the game starts with four discs in
the middle, white on ``d4`` and ``e5``::

        c d e f
    3   . . . .
    4   . O X .        X black, O white
    5   . X O .
    6   . . . .

A move must flip at least one disc. A player who cannot place a disc passes: the pass is a move of
its own, numbered after the last cell, and legal only then. When neither side can place a disc, the
side with more discs wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs.bases import lines
from rl_toolkit.envs.bases.board_game import DRAWN, RUNNING, BoardGame, Verdict
from rl_toolkit.envs.errors import IllegalMoveError, InvalidPositionError
from rl_toolkit.envs.symmetry import Symmetry, board_symmetries
from rl_toolkit.envs.traits import FamousPosition, FormField, GameTraits
from rl_toolkit.envs.validation import Board, as_move, as_player, as_sides, shown
from rl_toolkit.kernels.spec import ReversiSpec, ReversiWeights

SIZES = (4, 6, 8)


@lru_cache(maxsize=8)
def _rays(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell the rays along which it can flip discs: those of two cells or more."""
    return tuple(
        tuple(ray for axis in four for ray in axis if len(ray) >= 2)
        for four in lines.axes(size, size)
    )


class Reversi(BoardGame):
    """Flip the discs you enclose; the side with more discs wins.

    The board is 4, 6 or 8 squares wide; any other size raises `InvalidPositionError`.

    >>> env = Reversi()
    >>> [env.move_name(move) for move in env.get_legal_moves()]
    ['d3', 'c4', 'f5', 'e6']
    """

    #: The boards that can be played.
    SIZES: ClassVar[tuple[int, ...]] = SIZES
    traits = GameTraits(
        aliases=("othello",),
        pieces=("Black", "White"),
        style="flips",
        passes=True,
        score_unit="disc",
        sizes=SIZES,
        fields=(
            FormField("size", "Size", "8", choices=tuple((str(n), f"{n} × {n}") for n in SIZES)),
        ),
        variant="{size}",
        preview="f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6",
        example="f5 d6",
        rules=(
            "Black and White take turns to place a disc that encloses discs of the other colour.",
            "Enclosed discs are turned over; a player who cannot place a disc passes.",
            "When neither can move, the colour with more discs wins.",
        ),
        pictures=("f5", "f5 d6 c5 f4", "e6 f4 e3 f6 g5 d6 e7 f5 c5"),
        famous=(
            FamousPosition(
                title="The shortest game",
                moves="e6 f4 e3 f6 g5 d6 e7 f5",
                result=1,
                best=("c5",),
                sentence="Few discs are dangerous: one more move, and White has none left.",
            ),
            FamousPosition(
                title="The corner can wait",
                moves="c4 e3 f6 c5 c6 b4 b3 b7 b5 a2 b2 b6 b8 a3 d7 c7 d8 f5 e6 a6 d3 f7 f4 "
                "e2 f1 e1 d6 a8 d1 c2 e7 f3 g4 g2 g5 e8 h3 g3 a4 g6 h7 c8 f8 h5 a7 a5 "
                "a1 g7 c3 b1 d2",
                result=1,
                best=("c1",),
                sentence="Two corners can be taken, and both lose by more than twenty discs; the "
                "edge wins.",
            ),
            FamousPosition(
                title="Not the corner",
                moves="f5 f6 f7 f4 c3 e6 d7 c5 g4 g7 h7 g5 c6 c7 h5 h8 g6 h6 g8 d6 e7 f8 b5 "
                "b2 b7 g3 e8 c4 h4 b6 g2 h2 e3 a4 a6 b8 b4 d3 f2 g1 h3 d8 e2 c2 c1 e1 "
                "c8 d2 h1 a3 a5",
                result=1,
                best=("f3",),
                sentence="Four moves are legal, a corner among them. One wins, and it is not the "
                "corner.",
            ),
            FamousPosition(
                title="Four by four",
                moves="",
                variant="4",
                result=-1,
                best=(),
                sentence="On the smallest board the second player wins, whatever Black begins "
                "with.",
            ),
        ),
    )

    def __init__(self, board_size: int = 8) -> None:
        side, cols = as_sides(board_size)
        if side != cols or side not in SIZES:
            raise InvalidPositionError(
                f"Reversi is played on a square board of 4, 6 or 8, not {shown(board_size)}"
            )
        super().__init__(side)
        self.board_size = side
        self.heuristic_weights = ReversiWeights()

    @property
    def num_moves(self) -> int:
        """The cells and the pass."""
        return self.rows * self.cols + 1

    @property
    def pass_move(self) -> int:
        """The move that passes."""
        return self.rows * self.cols

    # --------------------------------------------------------------------- rules

    def start_board(self) -> Board:
        """Two discs of each colour in the middle."""
        board = np.zeros(self.rows * self.cols, dtype=np.int8)
        north_west = (self.rows // 2 - 1) * self.cols + self.cols // 2 - 1
        south_west = north_west + self.cols
        board[[north_west, south_west + 1]] = -1
        board[[north_west + 1, south_west]] = 1
        return board

    def _turned(self, cell: int, player: int, cells: bytes) -> list[int]:
        """The discs that ``player`` would flip by placing one on the empty ``cell``."""
        # As bytes, +1 is 1 and −1 is 255.
        own, enemy = (1, 255) if player == 1 else (255, 1)
        turned: list[int] = []
        for ray in _rays(self.rows)[cell]:
            if cells[ray[0]] != enemy:
                continue
            for reach, neighbour in enumerate(ray):
                if cells[neighbour] != enemy:
                    if cells[neighbour] == own:
                        turned.extend(ray[:reach])
                    break
        return turned

    def _placements(self, player: int) -> list[int]:
        cells = self._board.tobytes()
        return [
            cell
            for cell, piece in enumerate(cells)
            if not piece and self._turned(cell, player, cells)
        ]

    def _can_place(self, player: int) -> bool:
        cells = self._board.tobytes()
        return any(
            not piece and self._turned(cell, player, cells) for cell, piece in enumerate(cells)
        )

    def open_moves(self) -> list[int]:
        """Every cell where a disc encloses something; the pass if there is none."""
        return self._placements(self._player) or [self.pass_move]

    def landing(self, move: int) -> tuple[int | None, list[int]]:
        """The cell itself and the discs it encloses."""
        if move == self.pass_move:
            if self._can_place(self._player):
                raise IllegalMoveError("passing is allowed only when no disc can be placed")
            return None, []
        self.check_free(move)
        turned = self._turned(move, self._player, self._board.tobytes())
        if not turned:
            raise IllegalMoveError(f"{self.move_name(move)} turns no disc")
        return move, turned

    def verdict(self, cell: int | None = None) -> Verdict:
        """The game is over when neither side can place a disc; more discs win."""
        if self._can_place(-self._player) or self._can_place(self._player):
            return RUNNING
        margin = int(self._board.sum(dtype=np.int64))
        return Verdict((margin > 0) - (margin < 0), []) if margin else DRAWN

    def _check_reachable(self, cells: Board) -> None:
        """Accept every board: flips and passes allow any numbers of discs."""

    def _count_moves(self) -> int:
        return max(0, int(np.count_nonzero(self._board)) - 4)

    # -------------------------------------------------------------------- extras

    names_vary = False

    def move_name(self, move: int) -> str:
        """The square, or ``pass``."""
        return "pass" if as_move(move) == self.pass_move else super().move_name(move)

    def parse_move(self, text: str) -> int:
        """The move that ``text`` names; ``pass`` (or ``--``, ``pa``) is the pass."""
        if isinstance(text, str) and text.strip().lower() in ("pass", "--", "pa"):
            return self.pass_move
        return super().parse_move(text)

    def symmetries(self) -> list[Symmetry]:
        """The 8 symmetries of the square; the pass stays the pass."""
        return board_symmetries(self.rows, self.cols, extra_moves=1)

    def kernel_spec(self) -> ReversiSpec:
        """The parameters of the compiled rules."""
        return ReversiSpec(self.rows)

    def move_priorities(self) -> NDArray[np.int64]:
        """Corners first, then edges; cells next to a corner last, since they give it away."""
        to_edge = np.minimum(np.arange(self.rows), np.arange(self.rows)[::-1])
        near, far = np.minimum.outer(to_edge, to_edge), np.maximum.outer(to_edge, to_edge)
        grid = np.select([far == 0, far == 1, near == 0], [3, 0, 2], default=1)
        return np.append(grid.ravel(), 0).astype(np.int64)

    def evaluate_heuristic(self, player: int) -> float:
        """Mobility, corners, stable edge discs and, near the end, discs; minus the opponent's.

        The weights are in `heuristic_weights`, which may be replaced.
        """
        player = as_player(player)
        if self.is_terminal():
            return self.get_result(player)
        weights = self.heuristic_weights
        points = self._points(player) - self._points(-player)
        empties = int(np.count_nonzero(self._board == 0))
        if 6 * empties <= len(self._board):
            points += weights.disc * player * int(self._board.sum(dtype=np.int64))
        return max(-1.0, min(1.0, points / weights.scale))

    def _points(self, player: int) -> int:
        weights = self.heuristic_weights
        mobility = len(self._placements(player))
        corners, stable = self._corners_and_stable(player)
        return weights.mobility * mobility + weights.corner * corners + weights.stable * stable

    def _corners_and_stable(self, player: int) -> tuple[int, int]:
        """The number of own corners, and of own edge discs connected to one (corners included)."""
        last, board = self.rows - 1, self.board_2d
        corners, stable = 0, set[tuple[int, int]]()
        for row in (0, last):
            for col in (0, last):
                if board[row, col] != player:
                    continue
                corners += 1
                down, right = (-1 if row else 1), (-1 if col else 1)
                for step_row, step_col in ((down, 0), (0, right)):
                    r, c = row, col
                    while 0 <= r <= last and 0 <= c <= last and board[r, c] == player:
                        stable.add((r, c))
                        r, c = r + step_row, c + step_col
        return corners, len(stable)
