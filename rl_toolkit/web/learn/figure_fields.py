"""The fields of a figure as its script declares them, and whether a value is one of them.

A script writes what can be changed in three lines, which Python reads, too: ``start``, the fields
and their values at the start; ``CHOICES``, the words that a text may be, each with its button; and
``positions``, the game of its positions, with a ``*`` for the number of rows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from importlib.resources import files

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.hand_trees import TreeNotationError, read_tree
from rl_toolkit.records import position_from_text

_START = re.compile(r"^  start: \{ (.*) \},$", re.MULTILINE)
_FIELD = re.compile(r'(\w+): ("[^"]*"|true|false|-?[\d.]+)')
_CHOICES = re.compile(r"^const CHOICES = \{ (.*) \};$", re.MULTILINE)
_CHOICE = re.compile(r"(\w+): \{ (.*?) \}")
_POSITIONS = re.compile(r'^  positions: "(.*)",$', re.MULTILINE)
_MAP = re.compile(r"^export const MAP = (\[.*\]);$", re.MULTILINE)
_WORD = re.compile(r'"?([\w-]+)"?: "')
_MOST_GAIN, _MOST_NODES = 3, 700  # of `mixture`, of `graph`
_NUMBER, _CUT = re.compile(r"[0-9]+"), re.compile(r"cut([1-9][0-9]*)?")

Value = str | float | bool


class FigureError(ValueError):
    """A figure that cannot be made: a kind, field or value that there is not, or no browser."""


def script_text(path: str) -> str:
    """The text of a script or style sheet of the pages."""
    return files("rl_toolkit.web").joinpath("static", *path.split("/")).read_text("utf-8")


def _script(kind: str) -> str:
    return script_text(f"figures/kinds/{kind}.js")


def figure_fields(kind: str) -> dict[str, Value]:
    """The fields of a kind and their values at the start, read from its script."""
    written = _START.search(_script(kind))
    assert written is not None, kind
    return {name: json.loads(value) for name, value in _FIELD.findall(written[1])}


def figure_choices(kind: str) -> dict[str, list[str]]:
    """The fields of a kind that are one of a few words, and these words, read from its script."""
    written = _CHOICES.search(_script(kind))
    if written is None:
        return {}
    return {name: _WORD.findall(words) for name, words in _CHOICE.findall(written[1])}


def text_of(value: Value) -> str:
    """A value as an address writes it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def check_state(kind: str, state: Mapping[str, Value]) -> None:
    """Raise `FigureError` unless every name and value is one that the kind has."""
    known, choices = figure_fields(kind), figure_choices(kind)
    for name, value in state.items():
        if name not in known:
            raise FigureError(f"{kind} has no field {name!r}: {', '.join(known)}")
        _check_type(name, text_of(value), known[name], choices.get(name))
    shown = {name: text_of(value) for name, value in {**known, **state}.items()}
    if "tree" in known:
        _check_tree(kind, shown)
    elif "at" in known:
        _check_step(shown["at"])
    if "position" in known:
        _check_position(kind, shown)
    if "arms" in known:
        arms = _numbers(shown["arms"])
        if not 2 <= len(arms) <= 5 or not all(0 <= arm <= 1 for arm in arms):
            raise FigureError("arms are two to five numbers from 0 to 1")
    if kind == "mixture":
        _check_gains(shown["game"])
    if kind == "gridworld":
        _check_cell(shown["look"])


def _check_type(name: str, text: str, usual: Value, words: list[str] | None) -> None:
    if isinstance(usual, bool):
        words = ["on", "off"]
    elif isinstance(usual, float | int) and not math.isfinite(_number(text)):
        raise FigureError(f"{name} is a number, not {text!r}")
    if words is not None and text not in words:
        raise FigureError(f"{name} is {', '.join(words[:-1])} or {words[-1]}, not {text!r}")


def _number(text: str) -> float:
    """The number that a text is; NaN if it is none."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan


def _numbers(text: str) -> list[float]:
    return [_number(word) for word in text.split()]


def _check_tree(kind: str, shown: Mapping[str, str]) -> None:
    try:
        tree = read_tree(shown["tree"])
    except TreeNotationError as error:
        raise FigureError(f"tree: {error}") from error
    if any(node.named for node in tree.nodes):
        raise FigureError("tree: a figure names the nodes itself, so leave out the names")
    at = shown["at"]
    if kind != "tree":
        _check_step(at)
    elif not (_is_step(at) or _CUT.fullmatch(at) or at in {node.name for node in tree.nodes[1:]}):
        raise FigureError(
            f"at is the number of a step, end, cut, cut2 and so on, or a node such as "
            f"{tree.root.children[0].name}, not {at!r}"
        )


def _is_step(at: str) -> bool:
    return at == "end" or _NUMBER.fullmatch(at) is not None


def _check_step(at: str) -> None:
    if not _is_step(at):
        raise FigureError(f"at is the number of a step or end, not {at!r}")


def _check_position(kind: str, shown: Mapping[str, str]) -> None:
    text = shown["position"]
    if kind == "graph" and not text:
        return  # its usual one
    written = _POSITIONS.search(_script(kind))
    game = written[1].replace("*", str(text.count("/") + 1)) if written else shown["game"]
    try:
        env = position_from_text(game, text)
    except ValueError as error:
        raise FigureError(f"position: {error}") from error
    if (env.current_player == 1) != (np.count_nonzero(env.board) % 2 == 0):
        raise FigureError("position: X and O take turns, and X begins")
    if env.is_terminal():
        raise FigureError("position: the game is over in this position")
    if kind == "graph" and _nodes(env, _MOST_NODES) > _MOST_NODES:
        raise FigureError(f"position: from here the tree has more than {_MOST_NODES} nodes to draw")
    if "priors" in shown:
        free, priors = len(env.get_legal_moves()), _numbers(shown["priors"])
        if priors and (len(priors) != free or not all(0 < each < math.inf for each in priors)):
            raise FigureError(f"priors are {free} positive numbers, one for each free cell")


def _nodes(env: BaseGameEnv, most: int) -> int:
    """How many nodes the tree below a position has; counting ends soon after ``most``."""
    count = 1
    for move in [] if env.is_terminal() else env.get_legal_moves():
        if count > most:
            break
        env.step(move)
        count += _nodes(env, most - count)
        env.undo()
    return count


def _check_gains(game: str) -> None:
    rows = [_numbers(row) for row in game.split("/")]
    gains = [gain for row in rows for gain in row]
    if [len(row) for row in rows] != [2, 2] or not all(abs(gain) <= _MOST_GAIN for gain in gains):
        raise FigureError(
            f"game is two rows of two gains from -{_MOST_GAIN} to {_MOST_GAIN}, such as 1 -1 / -1 1"
        )


def _check_cell(look: str) -> None:
    written = _MAP.search(script_text("figures/think/gridworld.js"))
    assert written is not None
    rows = json.loads(written[1])[::-1]
    free = {
        f"{'abcdefgh'[column]}{row}"
        for row, letters in enumerate(rows, 1)
        for column, letter in enumerate(letters)
        if letter in "S."
    }
    if look not in free:
        raise FigureError(f"look is a cell that is no wall and no end, such as a1, not {look!r}")
