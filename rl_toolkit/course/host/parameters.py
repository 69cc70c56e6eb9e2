"""What the parameters of somebody else's function mean: by their names, then by their places."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: Kinds of parameters that the sheet of a handout has, or that a program may have besides.
#: Each with the names by which it is known; the first kind that fits is taken.
_NAMES: dict[str, str] = {
    "alpha": r"alpha|alfa|a",
    "beta": r"beta|b",
    "depth": r"depth|profondeur|prof|plies|max_depth|d",
    "maximizing": r".*maxi.*|(is|au|tour(_de)?)_?max|max(_player|_turn|_joue)?|is_x(_turn)?|x_turn|"
    r"(x_to_move|x_joue|tour_(de_)?x)|(is_)?ai_turn|is_ai|tour_ia",
    "me": r"ai|me|moi|ia|ordi|computer|bot|ai_player|ai_mark|my_mark",
    "other": r"human|humain|opponent|opp|adversaire|enemy|other|autre|ennemi",
    "row": r"row|r|ligne|lig|i",
    "column": r"col|column|c|colonne|j",
    "player": r"player|joueur|mark|symbol|symbole|piece|turn|who|token|pion|jeton|sign|tour|"
    r"player_to_move|current_player|to_move|current|marque|p",
    "window": r"window|fenetre|line|ligne_de_4|w",
    "board": r"board|state|grid|grille|plateau|etat|game|cells|tab|jeu|table|matrix|g|s|"
    r"current_board|new_board|position",
    "cell": r"move|cell|case|pos|position|index|coup|idx|square|spot|choice|cellule|m",
}
#: How a kind of parameter is called for beginners.
WORDS = {
    "alpha": "what X is sure of (alpha)",
    "beta": "what O is sure of (beta)",
    "depth": "the depth",
    "maximizing": "is X to move",
    "me": "the player whose result counts",
    "other": "the other player",
    "row": "the row",
    "column": "the column",
    "player": "the player",
    "window": "the four cells",
    "board": "the board",
    "cell": "the cell",
}
#: The annotation of a parameter that was added to a method.
ADDED = "added"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a function, in order: name and kind of each.

    Attributes:
        guessed: those whose names say nothing.
        added: those that the student's method does not have: its object stands for them.
    """

    function: str
    given: tuple[tuple[str, str], ...]
    guessed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds, in order."""
        return tuple(kind for _, kind in self.given)

    def sentence(self, sheet: Sequence[str]) -> str:
        """How they were understood, for a beginner; "" if there is nothing to say."""
        unclear = [name for name, kind in self.given if name in self.guessed and kind != "board"]
        if self.kinds == tuple(sheet) and not unclear:
            return ""
        own = [(name, kind) for name, kind in self.given if name not in self.added]
        if not own:
            return "" if self.added else f"your `{self.function}` has no parameters"
        count = _COUNTS[len(own)] if len(own) < len(_COUNTS) else len(own)
        noun = "parameter" if len(own) == 1 else "parameters"
        taken = [f"`{name}` as *{WORDS.get(kind, kind)}*" for name, kind in own if kind != "board"]
        if not taken:
            return f"your `{self.function}` has one parameter, the board"
        listed = ", ".join(taken[:-1]) + (" and " if len(taken) > 1 else "") + taken[-1]
        return f"your `{self.function}` has {count} {noun}; I take {listed}"


def parameters_of(
    function: Callable[..., Any], name: str, sheet: Sequence[str], named: Sequence[str] = ()
) -> Parameters:
    """What the parameters of a function mean; ``named`` are the kinds that names.toml gives.

    Parameters with a default value are left alone unless the sheet has their kind.
    """
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return Parameters(name, tuple(zip(sheet, sheet, strict=True)))
    plain = [
        each for each in found if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    if named:
        pairs = zip((each.name for each in plain), named, strict=False)
        return Parameters(name, tuple(pairs))
    waiting = list(sheet)
    taken: list[tuple[str, str | None]] = []
    for parameter in plain:
        before = [kind for _, kind in taken if kind is not None]
        kind = _kind(parameter.name, waiting, sheet, before)
        if parameter.default is not parameter.empty and (kind is None or kind not in sheet):
            break  # what follows has defaults, too
        if kind in waiting:
            waiting.remove(kind)
        taken.append((parameter.name, kind))
    guessed = tuple(own for own, kind in taken if kind is None)
    left = iter(waiting)  # names that say nothing have the places that the others leave
    given = [(own, kind or next(left, "plain")) for own, kind in taken]
    kinds = [kind for _, kind in given]
    if "cell" in waiting and "row" in kinds and "column" not in kinds:  # a cell called i or r
        given = [(own, "cell" if kind == "row" else kind) for own, kind in given]
    added = tuple(each.name for each in plain if each.annotation == ADDED)
    return Parameters(name, tuple(given), guessed, added)


def _kind(
    name: str, waiting: Sequence[str], sheet: Sequence[str], before: Sequence[str]
) -> str | None:
    """The kind of a parameter by its name; kinds of the sheet come first."""
    word = name.lower().strip("_")
    fits = [kind for kind, names in _NAMES.items() if re.fullmatch(names, word)]
    if "beta" in fits and "alpha" not in before:  # a board is often called b
        fits.remove("beta")
    if "alpha" in fits and word == "a" and "board" not in before:
        fits.remove("alpha")
    preferred = [kind for kind in fits if kind in waiting]
    if preferred:
        return preferred[0]
    if "row" in fits and "cell" in sheet:
        return "row"
    if "column" in fits and "cell" in sheet:
        return "column"
    return next((kind for kind in fits if kind not in before), None)


def kind_by_name(name: str) -> str | None:
    """The kind of a parameter by its name alone, ``None`` if it says nothing."""
    word = name.lower().strip("_")
    fits = [kind for kind, names in _NAMES.items() if re.fullmatch(names, word)]
    if word in ("b", "a"):
        return "board" if word == "b" else None
    return fits[0] if fits else None


def own_arguments(kinds: Sequence[str], values: Mapping[str, Any]) -> list[Any]:
    """The arguments of a call, from the values of all kinds that are known."""
    return [values.get(kind) for kind in kinds]
