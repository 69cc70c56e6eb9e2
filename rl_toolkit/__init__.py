"""Play, solve, learn and understand two-player board games.

>>> import rl_toolkit as rlt
>>> env = rlt.make_game("connect-four")
>>> rlt.make_engine("exact").analyse(env).best.name
'd'

The names below are imported when they are first used, so ``import rl_toolkit`` takes no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_toolkit.analysis import Analysis, Candidate, Engine, Limit
    from rl_toolkit.envs import BoardGame, adapt_game, make_game, register_game
    from rl_toolkit.explain import explain_move
    from rl_toolkit.kernels.compile_news import set_compile_news
    from rl_toolkit.players import make_engine, make_player, register_engine
    from rl_toolkit.records import GameRecord, read_games, read_position, write_games

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "BoardGame",
    "Candidate",
    "Engine",
    "GameRecord",
    "Limit",
    "adapt_game",
    "explain_move",
    "make_engine",
    "make_game",
    "make_player",
    "read_games",
    "read_position",
    "register_engine",
    "register_game",
    "set_compile_news",
    "write_games",
]

_HOMES = {
    "analysis": ("Analysis", "Candidate", "Engine", "Limit"),
    "envs": ("BoardGame", "adapt_game", "make_game", "register_game"),
    "explain": ("explain_move",),
    "kernels.compile_news": ("set_compile_news",),
    "players": ("make_engine", "make_player", "register_engine"),
    "records": ("GameRecord", "read_games", "read_position", "write_games"),
}


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
