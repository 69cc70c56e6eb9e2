"""Whether a bot gets a game of the toolkit, or an object of the class that it was written for.

A game from a plain class is translated for engines and pages; code that was written for the class
itself needs no translation, and is faster without. The first of these rules that says something
decides:

1. ``own = True`` or ``own = False`` in the file of the bot;
2. the annotation of its parameter, if it has one: the class of the game, or another;
3. the class of the game is written in the file of the bot, or in a module that the file imports.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from rl_toolkit.adapting import files_of, plain_class
from rl_toolkit.envs import BaseGameEnv


def wants_own_object(ask: Callable[..., object], module: ModuleType, env: BaseGameEnv) -> bool:
    """Whether the bot that is called by ``ask`` gets an object of the class behind ``env``."""
    plain = plain_class(env)
    if plain is None:
        return False
    if isinstance(own := vars(module).get("own"), bool):
        return own
    named = _annotation(ask)
    if named:
        return plain.__name__ in named
    files = {Path(file).resolve() for file in files_of(plain)}
    return not files.isdisjoint(_files_behind(module))


def _annotation(ask: Callable[..., object]) -> list[str]:
    """The names in the annotation of the first parameter, such as those of ``Game | None``."""
    try:
        first = next(iter(inspect.signature(ask).parameters.values()), None)
    except (TypeError, ValueError):
        return []
    if first is None or first.annotation is first.empty:
        return []
    annotation = first.annotation
    text = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
    return re.findall(r"\w+", text)


def _files_behind(module: ModuleType) -> set[Path]:
    """The file of a module, and the files of the modules from which it imports something."""
    files = {getattr(module, "__file__", None)}
    for value in vars(module).values():
        home = value if isinstance(value, ModuleType) else None
        if home is None and isinstance(name := getattr(value, "__module__", None), str):
            home = sys.modules.get(name)
        files.add(getattr(home, "__file__", None))
    return {Path(file).resolve() for file in files if file is not None}
