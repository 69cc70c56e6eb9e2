"""Engines that answer many questions: made once in each process, as machine code where they can."""

from __future__ import annotations

from functools import lru_cache

from rl_toolkit.players import Player, make_player


def fresh_engine(game: str, spec: str, seed: int | None = None) -> Player:
    """The player that ``spec`` names, set up for thousands of questions.

    Engines with a compiled twin use the readable one for small searches, since a single question is
    answered before the machine code is loaded. Thousands are not.
    """
    player = make_player(game, spec, seed=seed)
    if getattr(player.engine, "compiled", False) is None:
        vars(player.engine)["compiled"] = True
    return player


@lru_cache(maxsize=4)
def kept_engine(game: str, spec: str) -> Player:
    """The same, once for each process, with the tables it has filled by then."""
    return fresh_engine(game, spec)
