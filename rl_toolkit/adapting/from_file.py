"""Games in files: ``my_game.py``, or ``my_game.py:ConnectFour`` where there are several.

The file is run in this process, so it must be one that the user trusts and has named. The registry
never loads one: `make_game` knows its games afterwards by their names.
"""

from __future__ import annotations

import re
from dataclasses import replace
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any

from rl_toolkit.adapting import spellings
from rl_toolkit.adapting.adapt import adapt_game
from rl_toolkit.envs import BaseGameEnv, UnknownGameError
from rl_toolkit.envs.registry import GameFamily, family_of, free_name, game_families, register_game
from rl_toolkit.utils import did_you_mean, listed
from rl_toolkit.utils.plugins import load_file, remember_plugin

#: ``my_game.py``, ``games/my_game.py:ConnectFour``, ``C:\\games\\my_game.py:Hex-5``
_GAME_FILE = re.compile(
    r"(?P<file>.+\.py)(?::(?P<name>[A-Za-z_]\w*)(?:-(?P<variant>[\w-]+))?)?", re.DOTALL
)


#: The name of a family → its file, its class, and whether the class was named.
_TYPED: dict[str, tuple[str, str, bool]] = {}


def is_game_file(text: str) -> bool:
    """Whether ``text`` names a file, and not a game of the registry.

    >>> is_game_file("my_game.py:ConnectFour"), is_game_file("connect-four")
    (True, False)
    """
    return isinstance(text, str) and _GAME_FILE.fullmatch(text.strip()) is not None


def load_game(text: str) -> str:
    """Load and register the game that ``text`` names; returns its name for `make_game`.

    Raises `PluginError` for a file that cannot be loaded, `UnknownGameError` if there is no such
    game in it, `AdaptationError` if a class without a base class lacks something.
    """
    parts = _GAME_FILE.fullmatch(text.strip())
    if parts is None:
        raise UnknownGameError(f"a game in a file is written my_game.py:MyGame, not {text}")
    module = load_file(parts["file"])
    file = Path(parts["file"]).name
    cls = _only_game(module, file) if parts["name"] is None else _named(module, file, parts["name"])
    family = register_from_file(cls)
    _TYPED[family.name] = (parts["file"], cls.__name__, parts["name"] is not None)
    return f"{family.name}-{parts['variant']}" if parts["variant"] else family.name


def typed_name(env: BaseGameEnv) -> str:
    """What to type to name the game of ``env``: its name, or its file if it came from one."""
    known = env.traits.name
    if known not in _TYPED:
        return env.name
    file, cls, named = _TYPED[known]
    variant = env.name[len(known) :]
    return f"{file}:{cls}{variant}" if named or variant else file


def register_from_file(cls: Any) -> GameFamily:
    """Register a class of a file; if its name is taken, under one that begins with "my"."""
    game = adapt_game(cls)
    for family in game_families():
        if family.game is game:
            return family
    if family_of(game.traits.name) is not None:
        name, title = free_name(game.__name__)
        game.traits = replace(game.traits, name=name, title=title, aliases=())
    family = register_game(game)
    remember_plugin(game.__module__, game.__qualname__, register_from_file)
    return family


def _named(module: ModuleType, file: str, name: str) -> type:
    named = getattr(module, name, None)
    if isinstance(named, type):
        return named
    names = [cls.__name__ for cls in _games(module)]
    meant = did_you_mean(name, names)
    hint = f"its games are {listed(names)}" if names else "it has no games"
    if meant is not None:
        hint = f"did you mean {meant}?"
    raise UnknownGameError(f"{file} has no class {name}; {hint}")


def _only_game(module: ModuleType, file: str) -> type:
    games = _games(module)
    if len(games) == 1:
        return games[0]
    if not games:
        raise UnknownGameError(
            f"{file} has no game: write a class on BoardGame, or one with board, get_legal_moves "
            "and step"
        )
    names = [cls.__name__ for cls in games]
    raise UnknownGameError(f"{file} has several games: {listed(names)}; write {file}:{names[0]}")


def _games(module: ModuleType) -> list[type]:
    """The game classes of a module, without those that others are derived from."""
    own = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and thing.__module__ == module.__name__
    ]
    on_base = [cls for cls in own if issubclass(cls, BaseGameEnv) and not isabstract(cls)]
    games = on_base or [cls for cls in own if _looks_like_a_game(cls)]
    return [cls for cls in games if not any(cls in other.__mro__[1:] for other in games)]


def _looks_like_a_game(cls: type) -> bool:
    lists_moves = spellings.first_name(cls, spellings.LEGAL) or spellings.first_name(
        cls, spellings.IS_LEGAL
    )
    return lists_moves is not None and spellings.first_name(cls, spellings.STEP) is not None
