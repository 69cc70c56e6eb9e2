"""Loading games from OpenSpiel, checked before the library sees their names.

A name is OpenSpiel's own: ``hex``, ``hex(board_size=5)``, ``misere(game=tic_tac_toe())``. Names of
games, parameters and their types are compared with what the library registers, so that a wrong one
gets a sentence. Games that read files are refused.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from rl_toolkit.utils import did_you_mean, install_command, shown

_CALL = re.compile(r"(?P<name>[a-z0-9_]+)(?:\((?P<arguments>.*)\))?", re.ASCII)
_VALUES = {
    int: (r"[0-9]{1,4}", "a whole number from 0 to 1000"),
    float: (r"-?[0-9]{1,6}(\.[0-9]{1,6})?", "a number"),
    bool: (r"(?i:true|false)", "true or false"),
    str: (r"[\w.;/+-]{1,100}", "a word"),
}
_MOST_NUMBER = 1000
_MOST_MOVES = 100_000
_FILES = "filename"


class OpenSpielMissingError(ImportError, ValueError):
    """OpenSpiel is not installed; the message has the command that installs it."""


def pyspiel() -> Any:
    """The module ``pyspiel``; raises `OpenSpielMissingError` where it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError as error:
        command = install_command("openspiel")
        raise OpenSpielMissingError(f"this needs OpenSpiel: {command}") from error


def load_game(text: str) -> Any:
    """The OpenSpiel game of that name.

    Raises ``ValueError`` for a wrong name, and for a game that is not a deterministic, sequential,
    zero-sum game of two players with perfect information.
    """
    spiel = pyspiel()
    if not isinstance(text, str):
        raise ValueError(f"the name of a game is text, not {shown(text)}")
    checked = _checked(text, {kind.short_name: kind for kind in spiel.registered_games()})
    try:
        game = spiel.load_game(checked)
    except spiel.SpielError as error:
        raise ValueError(f"OpenSpiel refuses it: {_first_line(error)}") from error
    reason = _objection(spiel, game.get_type())
    if reason is None and game.num_players() != 2:
        reason = f"it has {game.num_players()} players"
    if reason is not None:
        raise ValueError(f"only two-player games without chance or hidden information: {reason}")
    if not 1 <= game.num_distinct_actions() <= _MOST_MOVES:
        raise ValueError(f"a game has 1 to {_MOST_MOVES:,} different moves")
    return game


def playable_games() -> list[str]:
    """The names of all OpenSpiel games that can be played here."""
    spiel = pyspiel()
    return [
        kind.short_name
        for kind in spiel.registered_games()
        if kind.default_loadable
        and _objection(spiel, kind) is None
        and kind.min_num_players <= 2 <= kind.max_num_players
    ]


def _objection(spiel: Any, kind: Any) -> str | None:
    """Why a kind of game cannot be a game of ours, ``None`` if it can."""
    wanted = spiel.GameType
    if kind.dynamics != wanted.Dynamics.SEQUENTIAL:
        return "its players move at the same time"
    if kind.chance_mode != wanted.ChanceMode.DETERMINISTIC:
        return "it has chance moves"
    if kind.information != wanted.Information.PERFECT_INFORMATION:
        return "it hides information"
    if kind.utility != wanted.Utility.ZERO_SUM:
        return "it is not zero-sum"
    return None


def _checked(text: str, kinds: dict[str, Any]) -> str:
    """``text`` without blanks, if all its names and values can be passed to the library."""
    match = _CALL.fullmatch("".join(text.split()))
    if match is None:
        raise ValueError("write a game of OpenSpiel, such as hex or hex(board_size=5)")
    name = match["name"]
    kind = kinds.get(name)
    if kind is None:
        meant = did_you_mean(name, kinds)
        hint = f"; did you mean {meant}?" if meant else ""
        raise ValueError(f"OpenSpiel has no game {shown(name)}{hint}")
    known = kind.parameter_specification
    if _FILES in known:
        raise ValueError(f"{name} reads a file, which is not possible here")
    written = []
    for argument in _split(match["arguments"] or ""):
        key, _, value = argument.partition("=")
        if key not in known:
            has = f"has {', '.join(known)}" if known else "has no parameters"
            raise ValueError(f"{name} has no parameter {shown(key)}; it {has}")
        written.append(f"{key}={_checked_value(key, value, known[key], kinds)}")
    return f"{name}({','.join(written)})"


def _checked_value(key: str, value: str, default: Any, kinds: dict[str, Any]) -> str:
    if isinstance(default, dict):
        return _checked(value, kinds)
    pattern, wanted = _VALUES[type(default)]
    fits = re.fullmatch(pattern, value, re.ASCII) is not None
    if not fits or (type(default) is int and int(value) > _MOST_NUMBER):
        raise ValueError(f"{key} must be {wanted}, not {shown(value)}")
    return value.capitalize() if type(default) is bool else value


def _split(arguments: str) -> list[str]:
    """The arguments of a call, separated by commas outside brackets."""
    parts, depth = [""], 0
    for sign in arguments:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts if arguments else []


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
