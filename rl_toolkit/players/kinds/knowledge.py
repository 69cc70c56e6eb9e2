"""How well the built-in engines know a position, and which of them play a game perfectly.

The limits come from measurements; see docs/reference/players.md. The size of a game from outside is
found out by playing it: its tree is counted as far as a few hundred moves reach, and a few random
games show whether every move fills a cell.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from weakref import WeakKeyDictionary

import numpy as np

from rl_toolkit.algorithms import solver_of
from rl_toolkit.envs import BaseGameEnv, Gomoku, Reversi, for_game
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.players.kinds.kind import Knowledge

#: Games in which the shipped network beats every other engine of the ladder.
_STRONG_NETWORKS = ("connect-four",)


def minimax_knows(env: BaseGameEnv) -> Knowledge:
    """Minimax plays every game, and proves every move on small boards."""
    return Knowledge.PLAYS if _perfect_depth(env) is None else Knowledge.EXACT


def perfect_minimax(env: BaseGameEnv) -> str | None:
    """The spec of a search to the end of the game, ``None`` if it takes more than a few seconds."""
    from rl_toolkit.players.spec import Spec  # reads the table that this module is part of

    depth = _perfect_depth(env)
    return None if depth is None else Spec("minimax").with_(depth=depth).text


def _perfect_depth(env: BaseGameEnv) -> int | None:
    """The depth of a search to the end of the game, ``None`` if it takes more than a few seconds.

    Measured for games of lines on every shape of board. With gravity, a board of one or two rows
    has many columns and takes longer. A game without compiled rules is tried: see
    `plies_to_the_end`.
    """
    spec, cells = env.kernel_spec(), env.rows * env.cols
    if spec is None:
        return plies_to_the_end(env) or None
    if not isinstance(spec, LineSpec):
        return None
    most = 20 if spec.gravity and spec.rows > 2 else 16
    return 2 * cells if cells <= most else None


def exact_knows(env: BaseGameEnv) -> Knowledge:
    """The exact engine plays the games that have a solver; the solver knows when it is quick."""
    solver = solver_of(env)
    if solver is None:
        return Knowledge.NONE
    return Knowledge.EXACT if solver.soon(env) else Knowledge.PLAYS


def perfect_exact(env: BaseGameEnv) -> str | None:
    """The spec that proves every move, or only the best; ``None`` if neither is quick enough."""
    if exact_knows(env) is Knowledge.EXACT:
        return "exact"
    solver = solver_of(env)
    return "exact:every=off" if solver is not None and solver.best_only(env) else None


def solver_step(env: BaseGameEnv) -> int:
    """The most nodes that the solver of a game searches between two looks at its limit.

    The engine with learned weights ends its games of Reversi with the same search.
    """
    solver = solver_of(env)
    return 0 if solver is None else solver.node_step


def reversi_knows(env: BaseGameEnv) -> Knowledge:
    """The engine with learned weights plays Reversi."""
    return for_game({Reversi: Knowledge.STRONG}, env) or Knowledge.NONE


def gomoku_knows(env: BaseGameEnv) -> Knowledge:
    """The engine with threats plays five in a row on Gomoku boards."""
    plays = for_game({Gomoku: Knowledge.STRONG}, env)
    spec = env.kernel_spec()
    is_five = isinstance(spec, LineSpec) and spec.win_length == 5
    return plays if plays is not None and is_five else Knowledge.NONE


def alphazero_knows(env: BaseGameEnv) -> Knowledge:
    """AlphaZero plays the games for which the package includes a network."""
    from rl_toolkit.learning.alphazero import shipped_games

    if env.name not in shipped_games():
        return Knowledge.NONE
    return Knowledge.STRONG if env.name in _STRONG_NETWORKS else Knowledge.PLAYS


def gomocup_knows(env: BaseGameEnv) -> Knowledge:
    """Programs of Gomocup play five in a row."""
    from rl_toolkit.protocols import can_play

    return Knowledge.PLAYS if can_play(env) else Knowledge.NONE


def nboard_knows(env: BaseGameEnv) -> Knowledge:
    """NBoard is a protocol for Reversi on the usual board."""
    plays = for_game({Reversi: Knowledge.PLAYS}, env)
    return plays if plays is not None and env.rows == 8 else Knowledge.NONE


# ------------------------------------------------------------------ games without measurements


#: Boards that are looked at, and those where it is enough that every move fills a cell: on nine
#: cells there are then at most 6,046 positions.
_CELLS, _CELLS_TO_FILL = 16, 9
_MOVES = 1_000  # to be played while the tree is counted
_GAMES = 20

_plies: WeakKeyDictionary[type[BaseGameEnv], dict[Hashable, int | None]] = WeakKeyDictionary()


def plies_to_the_end(env: BaseGameEnv) -> int | None:
    """A depth that every line of the game fits in, ``None`` if a complete search takes too long."""
    plies = _plies.setdefault(type(env), {})
    key = (env.name, env.rows, env.cols)
    if key not in plies:
        plies[key] = _tried_plies(env)
    return plies[key]


def _tried_plies(env: BaseGameEnv) -> int | None:
    cells = env.rows * env.cols
    if cells > _CELLS:
        return None
    try:
        game = env.copy()
        game.reset()
        longest = _counted(game)
        if longest is None and cells <= _CELLS_TO_FILL and env.traits.has_grid and _fills(game):
            longest = 2 * cells  # there may be passes
    except Exception:  # a mistake in the game; whoever plays it hears of it
        return None
    return longest


def _counted(game: BaseGameEnv) -> int | None:
    """The length of the longest game, ``None`` if there are cycles or too many moves."""
    heights: dict[Hashable, int] = {}
    path: set[Hashable] = set()
    moves = 0

    def height() -> int | None:
        nonlocal moves
        key = game.get_state_hash()
        if key in heights:
            return heights[key]
        if key in path:
            return None
        path.add(key)
        highest = 0
        for move in game.get_legal_moves():
            moves += 1
            if moves > _MOVES:
                return None
            game.step(move)
            below = height()
            game.undo()
            if below is None:
                return None
            highest = max(highest, below + 1)
        path.remove(key)
        heights[key] = highest
        return highest

    return height()


def _fills(game: BaseGameEnv) -> bool:
    """Whether in a few random games every move fills a cell, or passes."""
    rng = random.Random(0)
    for _ in range(_GAMES):
        game.reset()
        while not game.is_terminal():
            before, move = np.count_nonzero(game.board), rng.choice(game.get_legal_moves())
            game.step(move)
            if np.count_nonzero(game.board) <= before and move != game.pass_move:
                return False
    return True
