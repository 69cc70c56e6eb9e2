"""Named levels, ``beginner`` to ``perfect``: for every game, each an engine spec.

``perfect`` is there only where the engine plays perfectly from every position and soon enough: an
exact solver, or on small boards a search to the end of the game, which its limit stops nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, TicTacToe, make_game
from rl_toolkit.envs.validation import shown
from rl_toolkit.players.options import SpecError, split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import engine_kind, engine_kinds, make_engine

LEVELS = ("beginner", "easy", "medium", "hard", "expert", "perfect")

_TICTACTOE = {
    "beginner": "greedy:slips=0.7",
    "easy": "greedy:slips=0.35",
    "medium": "greedy",
    "hard": "minimax:depth=4",
    "expert": "minimax:depth=6",
}
_CONNECT_FOUR = {
    "beginner": "greedy:slips=0.5",
    "easy": "minimax:depth=2",
    "medium": "minimax:depth=4",
    "hard": "minimax:depth=6",
    "expert": "mcts:simulations=50000",
}
_GOMOKU = {
    "beginner": "greedy:slips=0.6",
    "easy": "greedy:slips=0.1",
    "medium": "minimax:depth=2",
    "hard": "minimax:depth=3",
    "expert": "minimax:depth=4,time=10",
}
_REVERSI = {
    "beginner": "greedy:slips=0.9",
    "easy": "minimax:depth=1",
    "medium": "reversi:depth=1",
    "hard": "reversi:depth=4",
    "expert": "reversi:time=1",
}
#: Who is the expert where a trained network has beaten the ladder's own.
_NETWORK = "alphazero:simulations=400"
_WITH_NETWORK = ("connect-four", "gomoku-9")
#: A game of which nothing is known runs at the speed of Python, so the clock has the last word.
_ANY_GAME = {
    "beginner": "greedy:slips=0.5",
    "easy": "greedy:slips=0.1",
    "medium": "minimax:depth=2,time=5",
    "hard": "minimax:depth=4,time=5",
    "expert": "minimax:time=10",
}


def levels_for(game: str) -> dict[str, str]:
    """The levels of a game, weakest first, each with its engine spec.

    >>> levels_for("connect-four")["medium"]
    'minimax:depth=4'
    >>> levels_for("connect-four")["perfect"], "perfect" in levels_for("gomoku")
    ('exact', False)
    """
    env = make_game(game)
    levels = dict(_ladder(env))
    if env.name in _WITH_NETWORK:
        levels["expert"] = _NETWORK
    if isinstance(env, Reversi) and env.rows == 6:
        levels["perfect"] = "exact:every=off"  # what the other moves score takes longer
    elif _solved_exactly(env):
        levels["perfect"] = "exact"
    elif _solved_outright(env):
        # Passes are plies too, so a game may last longer than the board has cells.
        levels["perfect"] = f"minimax:depth={2 * env.rows * env.cols}"
    return levels


def make_level(game: str, level: str, *, seed: int | None = None) -> Player:
    """The player of that level; with a ``seed``, one who chooses among equals by it.

    `SpecError` lists the levels that the game has.
    """
    levels = levels_for(game)
    spec = levels.get(level.strip().lower()) if isinstance(level, str) else None
    if spec is None:
        raise SpecError(
            f"{make_game(game).name} has no level {shown(level)}; its levels are "
            f"{', '.join(levels)}"
        )
    return _seeded(make_engine(spec), seed)


def make_player(game: str, text: str, *, seed: int | None = None) -> Player:
    """The player that ``text`` names: a level of the game, or an engine spec.

    A ``seed`` is for engines that take one and whose spec does not name it. `SpecError` for an
    engine that does not play the game.

    >>> make_player("connect-four", "hard").spec, make_player("connect-four", "random").spec
    ('minimax:depth=6', 'random')
    """
    word = text.strip().lower() if isinstance(text, str) else ""
    if word in LEVELS:
        return make_level(game, word, seed=seed)
    name = word.partition(":")[0].strip()
    if name not in {kind.name for kind in engine_kinds()}:
        engines = ", ".join(kind.name for kind in engine_kinds(make_game(game)))
        raise SpecError(
            f"{shown(text)} is neither a level nor an engine; the levels of "
            f"{make_game(game).name} are {', '.join(levels_for(game))}, the engines {engines}"
        )
    engine_kind(name).check_plays(make_game(game), split_spec(text)[1])
    return _seeded(make_engine(text), seed)


def _seeded(player: Player, seed: int | None) -> Player:
    """``player`` with the seed, if its engine takes one and its spec says none."""
    name, colon, options = player.spec.partition(":")
    takes_seed = any(option.name == "seed" for option in engine_kind(name).options)
    if seed is None or not takes_seed or "seed=" in options:
        return player
    return make_engine(f"{player.spec}{',' if colon else ':'}seed={seed}")


def _ladder(env: BaseGameEnv) -> Mapping[str, str]:
    match env:
        case TicTacToe():
            return _TICTACTOE
        case ConnectFour():
            return _CONNECT_FOUR
        case Gomoku():
            return _GOMOKU
        case Reversi():
            return _REVERSI
        case _:
            return _ANY_GAME


def _solved_exactly(env: BaseGameEnv) -> bool:
    """Whether `exact` knows every move of every position in a few seconds at most.

    On Connect Four 6 × 7 its opening book answers where search would take longer. Other boards have
    no book: up to 36 cells the empty board took two seconds, but many columns make it much slower.
    """
    if isinstance(env, Reversi):
        return env.rows == 4
    if not isinstance(env, ConnectFour) or env.win_length != 4:
        return False
    small = env.rows >= 4 and env.cols <= 8 and env.rows * env.cols <= 36
    return small or (env.rows, env.cols) == (6, 7)


def _solved_outright(env: BaseGameEnv) -> bool:
    """Whether `minimax` solves every position of the game in a few seconds at most.

    Measured on every shape of board of so many cells; the figures are in docs/players.md. On one
    or two rows Connect Four has so many columns that it takes longer.
    """
    cells = env.rows * env.cols
    match env:
        case TicTacToe():
            return cells <= 16
        case ConnectFour():
            return cells <= (20 if env.rows > 2 else 16)
        case _:
            return False
