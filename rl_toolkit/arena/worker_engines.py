"""Engines that answer many questions: made once in each process, as machine code where they can."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol, runtime_checkable

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Player, make_player


@runtime_checkable
class _HasNetwork(Protocol):
    """An engine that plays with trained weights."""

    def checksum(self, env: BaseGameEnv) -> str: ...


def network_of(game: str, player: Player) -> str | None:
    """The checksum of the network that ``player`` has for a game; ``None`` if it needs none."""
    engine = player.engine
    return engine.checksum(make_game(game)) if isinstance(engine, _HasNetwork) else None


def new_engine(game: str, spec: str, seed: int | None = None) -> Player:
    """The player that ``spec`` names, set up for thousands of questions.

    Engines with a compiled twin use the readable one for small searches, since a single question is
    answered before the machine code is loaded. Thousands are not.
    """
    player = make_player(game, spec, seed=seed)
    if getattr(player.engine, "compiled", False) is None:
        vars(player.engine)["compiled"] = True
    return player


@lru_cache(maxsize=4)
def cached_engine(game: str, spec: str) -> Player:
    """The same, once for each process, with the tables it has filled by then."""
    return new_engine(game, spec)
