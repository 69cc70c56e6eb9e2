"""The settings of an experiment: what they are called, what they may be, and how text is read.

A setting knows two bounds: what makes sense at all, for the terminal, and what a page may ask a
server for. On a page a game or a player is one of a few names: no request can name anything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, TypeAlias

from rl_toolkit.utils import shown

Kind: TypeAlias = Literal[
    "game", "player", "choice", "whole", "wholes", "number", "numbers", "text"
]
Settings: TypeAlias = Mapping[str, Any]

#: Entries of a list, and characters of a text.
_MOST_ENTRIES, _MOST_CHARACTERS = 12, 200


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        default: its value where none is given; ``None`` leaves the choice to the experiment.
        least, most: the bounds of a number, or of every number in a list.
        page_most: the same for pages, where it is lower.
        page_choices: what pages offer of games and players; all that there is of a choice.
    """

    name: str
    kind: Kind
    default: Any
    about: str
    least: float = 1
    most: float = 1_000_000
    page_most: float | None = None
    page_choices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The name in words: ``random moves``."""
        return self.name.replace("_", " ")

    def written(self, value: Any) -> str:
        """The value as it is typed: a list with commas, nothing for ``None``.

        >>> Setting("depths", "wholes", [2, 4], "").written([2, 4])
        '2,4'
        """
        if isinstance(value, list | tuple):
            return ",".join(f"{item:g}" for item in value)
        if value is None:
            return ""
        return f"{value:g}" if isinstance(value, float) else str(value)

    def read(self, value: Any, *, on_page: bool = False) -> Any:
        """The value that text or JSON stands for; ``ValueError`` with a sentence if there is none.

        >>> Setting("depths", "wholes", (2,), "", most=9).read("2, 4")
        [2, 4]
        """
        if value is None or value == "":
            return self.default
        if self.kind in ("game", "player", "choice", "text"):
            return self._name(value, on_page)
        most = self.page_most if on_page and self.page_most is not None else self.most
        entries = self._entries(value)
        if self.kind in ("whole", "number") and len(entries) != 1:
            raise ValueError(f"{self.words} is one number, not {shown(value)}")
        if len(entries) > _MOST_ENTRIES:
            raise ValueError(f"{self.words} has at most {_MOST_ENTRIES} entries")
        numbers = [self._number(entry, value, most) for entry in entries]
        return numbers if self.kind in ("wholes", "numbers") else numbers[0]

    def _name(self, value: Any, on_page: bool) -> str:
        if not isinstance(value, str) or len(value) > _MOST_CHARACTERS:
            raise ValueError(f"{self.words} is a text, not {shown(value)}")
        if self.kind == "choice" and value not in self.page_choices:
            raise ValueError(
                f"{self.words} is {' or '.join(self.page_choices)}, not {shown(value)}"
            )
        if on_page and self.kind != "text" and value not in self.page_choices:
            raise ValueError(f"{self.words} is one of {', '.join(self.page_choices)} here")
        return value

    def _entries(self, value: Any) -> Sequence[Any]:
        if isinstance(value, str):
            return [part.strip() for part in value.split(",")]
        return value if isinstance(value, list | tuple) else [value]

    def _number(self, entry: Any, whole: Any, most: float) -> float:
        is_whole = self.kind in ("whole", "wholes")
        noun = "whole number" if is_whole else "number"
        many = self.kind in ("wholes", "numbers")
        try:
            if isinstance(entry, bool) or not isinstance(entry, str | int | float):
                raise ValueError
            number = float(entry)
            if not isfinite(number) or not self.least <= number <= most:
                raise ValueError
            if is_whole and number != int(number):
                raise ValueError
        except ValueError as error:
            what = f"{noun}s separated by commas" if many else f"a {noun}"
            ends = f"from {_plain(self.least)} to {_plain(most)}"
            raise ValueError(f"{self.words} takes {what}, {ends}, not {shown(whole)}") from error
        return int(number) if is_whole else number


def _plain(number: float) -> str:
    """A number without an exponent: ``1,000,000``, ``0.5``."""
    return f"{number:,.0f}" if number == int(number) else f"{number:g}"


def read_settings(
    settings: Sequence[Setting], given: Mapping[str, Any], *, on_page: bool = False
) -> dict[str, Any]:
    """Every setting, given or by default; ``ValueError`` for one that there is not."""
    names = [setting.name for setting in settings]
    for name in given:
        if name not in names:
            raise ValueError(f"there is no setting {shown(name)}; there are {', '.join(names)}")
    return {
        setting.name: setting.read(given.get(setting.name), on_page=on_page) for setting in settings
    }


# ------------------------------------------------------------------- settings that many share


def game(default: str, *page: str) -> Setting:
    """The game; pages offer the default and ``page``."""
    return Setting("game", "game", default, "the game", page_choices=(default, *page))


def player(name: str, default: str, about: str) -> Setting:
    """A level or an engine; pages offer levels that answer quickly."""
    levels = ("random", "easy", "medium", "hard", "perfect")
    return Setting(name, "player", default, about, page_choices=levels)


def seed() -> Setting:
    """The seed of all random numbers."""
    return Setting(
        "seed",
        "whole",
        0,
        "the seed of the random numbers: the same seed gives the same result",
        least=0,
        most=2**53,
    )


def games(default: int, page_most: int = 200, about: str = "games to play") -> Setting:
    """How many games are played."""
    return Setting("games", "whole", default, about, page_most=page_most)


def depth(page_most: int, default: int | None = None, unset: str = "") -> Setting:
    """Plies to look ahead; ``unset`` says how many these are where none is asked for."""
    about = "plies to look ahead" + (f" (without a number: {unset})" if unset else "")
    return Setting("depth", "whole", default, about, most=1000, page_most=page_most)
