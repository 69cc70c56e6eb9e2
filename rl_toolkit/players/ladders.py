"""The levels of each game as data: game → level → engine spec, weakest first.

``perfect`` is not listed here: a game has it if some engine plays it perfectly, see `levels`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, TicTacToe, for_game
from rl_toolkit.players.options import spec_name
from rl_toolkit.players.registry import engine_kind

LADDERS: dict[type[BaseGameEnv], Mapping[str, str]] = {
    TicTacToe: {
        "beginner": "greedy:slips=0.7",
        "easy": "greedy:slips=0.35",
        "medium": "greedy",
        "hard": "minimax:depth=4",
        "expert": "minimax:depth=6",
    },
    ConnectFour: {
        "beginner": "greedy:slips=0.5",
        "easy": "minimax:depth=2",
        "medium": "minimax:depth=4",
        "hard": "minimax:depth=6",
        "expert": "mcts:simulations=50000",
    },
    Gomoku: {
        "beginner": "greedy:slips=0.6",
        "easy": "greedy:slips=0.1",
        "medium": "gomoku:depth=1",
        "hard": "gomoku:nodes=3000",
        "expert": "gomoku:time=1.2",
    },
    Reversi: {
        "beginner": "greedy:slips=0.9",
        "easy": "minimax:depth=1",
        "medium": "reversi:depth=1",
        "hard": "reversi:depth=4",
        "expert": "reversi:time=1",
    },
}
#: The expert in games where a trained network beats the one in the ladder.
EXPERTS = {"connect-four": "alphazero:simulations=400"}
#: The level to play against by default, where it is not ``medium``.
USUAL = {"tictactoe": "perfect"}

# For games from outside the toolkit, which run in plain Python, so levels have a time limit; and
# for rules that an engine of the ladder above does not play.
_WITH_HEURISTIC = {
    "beginner": "greedy:slips=0.5",
    "easy": "greedy:slips=0.1",
    "medium": "minimax:depth=2,time=5",
    "hard": "minimax:depth=4,time=5",
    "expert": "minimax:time=10",
}
# Without a heuristic minimax is blind before the end of the game; playouts always reach it.
_WITHOUT_HEURISTIC = {
    "beginner": "greedy:slips=0.5",
    "easy": "mcts:simulations=50,time=5",
    "medium": "mcts:simulations=200,time=5",
    "hard": "mcts:simulations=1000,time=5",
    "expert": "mcts:time=10",
}


def ladder_of(env: BaseGameEnv) -> dict[str, str]:
    """The levels below ``perfect``: from the game's traits, its class, or the default ones."""
    own = env.traits.levels or _played(for_game(LADDERS, env), env)
    if own is None:
        own = _WITH_HEURISTIC if env.traits.has_heuristic else _WITHOUT_HEURISTIC
    levels = dict(own)
    if env.name in EXPERTS:
        levels["expert"] = EXPERTS[env.name]
    return levels


def _played(ladder: Mapping[str, str] | None, env: BaseGameEnv) -> Mapping[str, str] | None:
    """``ladder`` if its engines play by the rules of ``env``, such as its length of a line."""
    kinds = [engine_kind(spec_name(spec)) for spec in (ladder or {}).values()]
    return ladder if all(kind.can_play(env) for kind in kinds) else None
