"""Which games have an exact solver, and how fast it solves which positions.

To give a game a solver, add an entry to `SOLVERS`. A solver is imported, with its compiled code,
when it is made; the engine ``exact`` (`algorithms.by_game.exact`) makes one when a position of its
game is first analysed. `ScoreRange` bounds a score that a solver does not know exactly yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rl_toolkit.analysis import Engine
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, for_game
from rl_toolkit.kernels.spec import fits_connect_four_solver

#: Reversi with at most this many empty squares is solved within seconds, on boards of all sizes.
LATE = 18
#: The endgame search of Reversi does not look at its limit among the last eight empty squares, for
#: speed. Of 687,000 such searches the longest took 7,000 nodes.
_REVERSI_STEP = 20_000


@dataclass(frozen=True, slots=True)
class Solver:
    """The exact solver of a game, and how fast it solves which positions.

    Attributes:
        module: the module of the engine.
        make: creates the engine; keyword options that do not apply to it are ignored.
        plays: whether it supports the board of a position.
        soon: whether it proves every move of a position within a few seconds.
        most_empty: the number of empty cells up to which it solves any position in reasonable time.
        best_only: whether it proves at least the best move soon, even from the start of the game.
        node_step: the most nodes that it searches between two looks at its limit, if these are more
            than a few.
    """

    module: str
    make: Callable[..., Engine]
    plays: Callable[[BaseGameEnv], bool]
    soon: Callable[[BaseGameEnv], bool]
    most_empty: Callable[[BaseGameEnv], int]
    best_only: Callable[[BaseGameEnv], bool] = lambda env: False
    node_step: int = 0


def _connect_four(every_move: bool = True, **options: Any) -> Engine:
    """Ignores ``every_move``: this solver always proves every move."""
    from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver

    return ConnectFourSolver(**options)


def _connect_four_soon(env: BaseGameEnv) -> bool:
    """On 6 × 7 the opening book covers the positions that search would take longer for.

    Other boards have no book: up to 36 cells the empty board took two seconds, but many columns
    make the search much slower.
    """
    rows, cols = env.rows, env.cols
    small = rows >= 4 and cols <= 8 and rows * cols <= 36
    return small or (rows, cols) == (6, 7)


def _connect_four_most_empty(env: BaseGameEnv) -> int:
    from rl_toolkit.algorithms.connect_four.solver import MOST_EMPTY

    return env.rows * env.cols if _connect_four_soon(env) else MOST_EMPTY


def _reversi(
    seed: int | None = None, every_move: bool = True, threads: int = 1, **_others: Any
) -> Engine:
    from rl_toolkit.algorithms.reversi.solver import ReversiSolver

    return ReversiSolver(seed=seed, every_move=every_move, threads=threads)


def _reversi_most_empty(env: BaseGameEnv) -> int:
    from rl_toolkit.algorithms.reversi.solver import MOST_EMPTY

    return MOST_EMPTY if env.rows == 8 else env.rows * env.cols


#: The solvers by the class of their game.
SOLVERS: dict[type[BaseGameEnv], Solver] = {
    ConnectFour: Solver(
        "rl_toolkit.algorithms.connect_four.solver",
        _connect_four,
        plays=lambda env: fits_connect_four_solver(env.kernel_spec()),
        soon=_connect_four_soon,
        most_empty=_connect_four_most_empty,
    ),
    Reversi: Solver(
        "rl_toolkit.algorithms.reversi.solver",
        _reversi,
        plays=lambda env: True,
        soon=lambda env: env.board.size - env.piece_count(1) - env.piece_count(-1) <= LATE,
        most_empty=_reversi_most_empty,
        best_only=lambda env: env.rows == 6,
        node_step=_REVERSI_STEP,
    ),
}


def solver_of(env: BaseGameEnv) -> Solver | None:
    """The solver that supports the board of ``env``; ``None`` if there is none."""
    solver = for_game(SOLVERS, env)
    return solver if solver is not None and solver.plays(env) else None


# ------------------------------------------------------------------------------------------ scores


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """Bounds on a score: it lies between ``low`` and ``high``, both included.

    >>> ScoreRange(2, 9).sign, ScoreRange(0, 9).sign, ScoreRange(0, 0).exact
    (1, None, True)
    """

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the score itself is known."""
        return self.low == self.high

    @property
    def sign(self) -> int | None:
        """1, 0 or −1 for a win, draw or loss; ``None`` if the bounds leave that open."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.exact else None


def final_margin(env: BaseGameEnv) -> int:
    """The final difference in pieces, from the side to move's point of view.

    Empty cells count for the winner, as in Reversi tournaments.
    """
    player = env.current_player
    ahead = env.piece_count(player) - env.piece_count(-player)
    if ahead == 0:
        return 0
    empty = len(env.board) - env.piece_count(player) - env.piece_count(-player)
    return ahead + empty if ahead > 0 else ahead - empty
