"""How well the built-in engines know a position, and which of them play a game perfectly.

What is solved soon enough was measured; docs/players.md has the figures. What holds for single
games stands in tables by their class.
"""

from __future__ import annotations

from collections.abc import Callable

from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, for_game
from rl_toolkit.kernels.spec import LineSpec, fits_connect_four_solver
from rl_toolkit.players.registry import Knowledge

#: Reversi with at most this many squares empty is solved while one waits, on boards of all sizes.
LATE = 18

#: Games in which the shipped network has beaten every other engine of the ladder.
_STRONG_NETWORKS = ("connect-four", "gomoku-9")


# --------------------------------------------------------------------------- minimax


def minimax_knows(env: BaseGameEnv) -> Knowledge:
    """It plays every game, and proves every move on small boards."""
    return Knowledge.PLAYS if perfect_minimax(env) is None else Knowledge.EXACT


def perfect_minimax(env: BaseGameEnv) -> str | None:
    """A search to the end of the game, where that takes a few seconds at most.

    Measured for rows of pieces on every shape of board. On one or two rows a board with gravity has
    so many columns that it takes longer.
    """
    spec, cells = env.kernel_spec(), env.rows * env.cols
    if not isinstance(spec, LineSpec):
        return None
    most = 20 if spec.gravity and spec.rows > 2 else 16
    return f"minimax:depth={2 * cells}" if cells <= most else None


# ----------------------------------------------------------------------------- exact


def exact_knows(env: BaseGameEnv) -> Knowledge:
    """It plays the games that have a solver; how soon that proves every move depends on them."""
    judge = for_game(_SOLVERS, env)
    return Knowledge.NONE if judge is None else judge(env)


def perfect_exact(env: BaseGameEnv) -> str | None:
    """The solver, where it proves every move of every position soon; else what ``_BEST`` says."""
    if exact_knows(env) is Knowledge.EXACT:
        return "exact"
    spec = for_game(_BEST, env)
    return None if spec is None else spec.get(env.rows)


def _connect_four(env: BaseGameEnv) -> Knowledge:
    """On 6 × 7 the opening book answers where search would take longer.

    Other boards have no book: up to 36 cells the empty board took two seconds, but many columns
    make it much slower.
    """
    rows, cols = env.rows, env.cols
    if not fits_connect_four_solver(env.kernel_spec()):
        return Knowledge.NONE
    small = rows >= 4 and cols <= 8 and rows * cols <= 36
    return Knowledge.EXACT if small or (rows, cols) == (6, 7) else Knowledge.PLAYS


def _reversi(env: BaseGameEnv) -> Knowledge:
    empty = env.rows * env.cols - env.piece_count(1) - env.piece_count(-1)
    return Knowledge.EXACT if empty <= LATE else Knowledge.PLAYS


_SOLVERS: dict[type, Callable[[BaseGameEnv], Knowledge]] = {
    ConnectFour: _connect_four,
    Reversi: _reversi,
}
#: Where the best move alone is proven soon enough to play by, by the rows of the board.
_BEST: dict[type, dict[int, str]] = {Reversi: {6: "exact:every=off"}}


# ------------------------------------------------------------------- learned engines


def reversi_knows(env: BaseGameEnv) -> Knowledge:
    """The engine with learned weights for Reversi."""
    return for_game({Reversi: Knowledge.STRONG}, env) or Knowledge.NONE


def alphazero_knows(env: BaseGameEnv) -> Knowledge:
    """It plays the games for which a trained network comes with the package."""
    from rl_toolkit.learning.alphazero.weights import shipped_games

    if env.name not in shipped_games():
        return Knowledge.NONE
    return Knowledge.STRONG if env.name in _STRONG_NETWORKS else Knowledge.PLAYS
