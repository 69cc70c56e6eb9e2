"""Engines for workers: created once per process, and compiled where possible."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, runtime_checkable

from rl_toolkit.analysis import Analysis, EngineError, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import Player, make_player


@runtime_checkable
class _HasNetwork(Protocol):
    """An engine that plays with trained weights."""

    def checksum(self, env: BaseGameEnv) -> str: ...


def network_of(game: str, player: Player) -> str | None:
    """The checksum of the network that ``player`` uses for a game; ``None`` if it has none."""
    engine = player.engine
    return engine.checksum(make_game(game)) if isinstance(engine, _HasNetwork) else None


@runtime_checkable
class _Prepares(Protocol):
    """An engine that has a process to start, or something to load."""

    def prepare(self, game: str) -> None: ...


def prepare(game: str, player: Player) -> None:
    """Load the network of a player, or start its process, so that its first move takes no longer.

    Raises ``ValueError`` if that is not possible.
    """
    network_of(game, player)
    if isinstance(player.engine, _Prepares):
        player.engine.prepare(game)


@runtime_checkable
class _OtherVersion(_Prepares, Protocol):
    """An engine of another version of the package, which says which one it is."""

    @property
    def version(self) -> str: ...


def check_versions(game: str, players: Iterable[Player]) -> None:
    """Start the other versions of the package that play, once, before hours are spent.

    Raises `EngineError` if one cannot be started, or does not have its engine.
    """
    for player in players:
        if isinstance(player.engine, _OtherVersion):
            player.engine.prepare(game)


class UnpreparedEngine:
    """Stands in for an engine that could not be prepared: every question fails at once."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason, self.limit = name, reason, Limit()

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Raises the error of the preparation."""
        raise EngineError(self.name, self.reason)


def prepared(game: str, player: Player) -> Player | UnpreparedEngine:
    """The player after `prepare`, or a stand-in that says what went wrong."""
    try:
        prepare(game, player)
    except EngineError as error:
        return UnpreparedEngine(player.name, error.reason)
    return player


def new_engine(game: str, spec: str, seed: int | None = None) -> Player:
    """The player of ``spec``, set up for thousands of searches.

    Engines with compiled code use Python for a single small search, which ends before the machine
    code would be loaded. For thousands of them machine code is faster.
    """
    player = make_player(game, spec, seed=seed)
    if getattr(player.engine, "compiled", False) is None:
        vars(player.engine)["compiled"] = True
    return player


@lru_cache(maxsize=4)
def cached_engine(game: str, spec: str) -> Player:
    """The player of ``spec``, created once per process; it keeps its tables."""
    return new_engine(game, spec)
