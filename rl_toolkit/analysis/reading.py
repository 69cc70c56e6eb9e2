"""Read the fields of an analysis from JSON, each checked for its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

Outcome = Literal["win", "draw", "loss"]
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "loss")

ScoreBound = Literal["exact", "lower", "upper"]
SCORE_BOUNDS: tuple[ScoreBound, ...] = ("exact", "lower", "upper")

#: What the fields of the JSON form hold; ``None`` marks those that may be null.
_KINDS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("game", "position", "engine", "name"), (str,)),
    **dict.fromkeys(("distance", "nodes", "depth", "simulations", "seed", "visits"), (int, None)),
    **dict.fromkeys(("value", "score", "prior", "uct"), (float, None)),
    **{
        "elapsed": (float,),
        "move": (int,),
        "threads": (int,),
        "proven": (bool,),
        "note": (str, None),
        "claim": (str, None),
    },
}
_CHOICES = {"player": (1, -1), "outcome": (None, *OUTCOMES), "score_bound": SCORE_BOUNDS}
_LISTS = {"line": int, "threat": int, "notes": str}
#: The values of fields that older analyses lack.
_DEFAULTS: dict[str, Any] = {
    **{"outcome": None, "score_bound": "exact", "notes": [], "threat": [], "claim": None},
    "threads": 1,
}


def read_fields(data: Any, keys: Sequence[str], where: str) -> dict[str, Any]:
    """The fields of a JSON object, each of its kind; raises ``ValueError`` that names the field."""
    if not isinstance(data, dict):
        raise ValueError(f"{where.rstrip('.')} must be a JSON object")
    found = {}
    for key in keys:
        value = data.get(key, _DEFAULTS.get(key, _MISSING))
        if value is _MISSING:
            raise ValueError(f"{where}{key} is missing")
        if key in _CHOICES:
            if value not in _CHOICES[key]:
                raise ValueError(f"{where}{key} is {value!r}, not one of {_CHOICES[key]}")
        elif key in _LISTS:
            if not (isinstance(value, list) and all(_is(part, _LISTS[key]) for part in value)):
                raise ValueError(f"{where}{key} must be a list of {_LISTS[key].__name__} values")
            value = tuple(value)
        elif not any(_is(value, kind) for kind in _KINDS[key]):
            raise ValueError(f"{where}{key} is {value!r}, which has the wrong type")
        found[key] = value
    return found


_MISSING = object()


def _is(value: Any, kind: Any) -> bool:
    """Whether JSON's ``value`` is of this kind; whole numbers are numbers, truth values are not."""
    if kind is None or isinstance(value, bool):
        return value is None if kind is None else kind is bool
    return isinstance(value, (int, float) if kind is float else kind)
