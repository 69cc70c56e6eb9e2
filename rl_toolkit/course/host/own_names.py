"""Names in a program of one's own: which files and functions belong to which game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import FunctionType, ModuleType

from rl_toolkit.utils import JsonObject

#: Words in names of files and functions that say which of the two games they belong to.
_GAMES = {
    "tictactoe": r"tic_?tac_?toe|tictactoe|ttt|morpion",
    "connect-four": r"connect_?(4|four)|c4|puissance_?4|p4|four",
}


def table(names: JsonObject, key: str) -> JsonObject:
    """A table of names.toml, empty if there is none."""
    found = names.get(key)
    return found if isinstance(found, dict) else {}


def of_game(modules: Mapping[str, ModuleType], game: str) -> list[ModuleType]:
    """The modules that may belong to a game: those that name it first, none of the other one."""
    scores: list[tuple[int, ModuleType]] = []
    for file, module in modules.items():
        named = [each for each, words in _GAMES.items() if re.search(words, file.lower())]
        if named and game not in named:
            continue
        scores.append((0 if named else 1, module))
    return [module for _, module in sorted(scores, key=lambda pair: pair[0])]


def is_own(function: FunctionType) -> bool:
    """Whether a function is the student's, and not of a library."""
    return "site-packages" not in function.__code__.co_filename and not (
        function.__module__ or ""
    ).startswith("rl_toolkit")


def plain_name(name: str, game: str) -> str | None:
    """A name in lower case without the words for its game; ``None`` if it names the other game."""
    word = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    for other, words in _GAMES.items():
        stripped = re.sub(rf"(^|_)({words})(?=_|$)", "", word).strip("_")
        if stripped != word and other != game:
            return None
        word = stripped
    return word
