"""Limits of a move: which an engine can keep, and what it reports beyond them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.players import Player
from rl_toolkit.players.options import spec_name
from rl_toolkit.players.registry import engine_kind
from rl_toolkit.utils.messages import listed

#: Work beyond a limit that is not counted: a search looks at its limit now and then.
_SHARE, _COUNT = 0.01, 10


def kept_limits(player: Player) -> set[str]:
    """The parts of a `Limit` that the engine of a player declares to keep."""
    options = engine_kind(spec_name(player.spec)).options
    return {option.name for option in options if option.is_limit}


def warnings(names: Iterable[str], players: Iterable[Player], rules: Rules) -> list[str]:
    """A sentence for each engine that does not know a limit which the rules give it."""
    asked = [part.name for part in fields(Limit) if getattr(rules.limit, part.name) is not None]
    if rules.clock is not None:
        asked.append("time")
    said = []
    for name, player in zip(names, players, strict=True):
        if unknown := [part for part in asked if part not in kept_limits(player)]:
            late = "; it loses if it is too slow" if "time" in unknown else ""
            said.append(f"{name} has no limit on {listed(unknown)} and cannot keep it{late}.")
    return said


def bounds(player: Player) -> list[tuple[str, int]]:
    """The limits on work that a player has and that its engine knows, with their amounts.

    The depth of a tree search is not a limit, for example.
    """
    known = kept_limits(player)
    parts = ((part, getattr(player.limit, part)) for part in ("nodes", "simulations", "depth"))
    return [(part, most) for part, most in parts if most is not None and part in known]


def excess(bounds: Iterable[tuple[str, int]], analysis: Analysis) -> str:
    """What an engine reports beyond its bounds: ``1,200 nodes, limit 1,000``; empty if nothing."""
    for part, most in bounds:
        done = getattr(analysis, part)
        spare = 0 if part == "depth" else most * _SHARE + _COUNT
        if done is not None and done > most + spare:
            return f"{done:,} {part}, limit {most:,}"
    return ""
