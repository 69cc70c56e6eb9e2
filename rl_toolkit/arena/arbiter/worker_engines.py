"""Engines for workers: made as seldom as possible, and compiled where possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import cast

from rl_toolkit.analysis import (
    Analysis,
    ChecksFiles,
    EngineError,
    HasNetwork,
    HasVersion,
    Limit,
    ProgressCallback,
    Reseeds,
    StopSignal,
    use_machine_code,
)
from rl_toolkit.analysis import prepare as prepare_engine
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import EngineKind, Player, Spec, engine_kind, make_engine, resolve

#: Engines that keep nothing from one search to the next: one of each serves all games.
_reusable: dict[tuple[EngineKind, str, Spec], Reseeds] = {}
_MOST_REUSABLE = 64


def network_of(game: str, player: Player) -> str | None:
    """The checksum of the network that ``player`` uses for a game; ``None`` if it has none."""
    engine = player.engine
    return engine.checksum(make_game(game)) if isinstance(engine, HasNetwork) else None


def prepare(game: str, player: Player) -> None:
    """Load the network of a player, or start its process, so that its first move takes no longer.

    Raises ``ValueError`` if that is not possible.
    """
    network_of(game, player)
    prepare_engine(player.engine, game)


def check_versions(game: str, players: Iterable[Player]) -> None:
    """Start the other versions of the package that play, once, before hours are spent.

    Raises `EngineError` if one cannot be started, or does not have its engine.
    """
    for player in players:
        if isinstance(player.engine, HasVersion):
            player.engine.prepare(game)


class UnpreparedEngine:
    """Stands in for an engine that could not be prepared: every question fails at once."""

    def __init__(self, name: str, reason: str, by: str = "forfeit") -> None:
        self.name, self.reason, self.by, self.limit = name, reason, by, Limit()

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Raises the error of the preparation."""
        raise EngineError(self.name, self.reason, by=self.by)


def prepared(game: str, player: Player) -> Player | UnpreparedEngine:
    """The player after `prepare`, or a stand-in that says what went wrong."""
    try:
        prepare(game, player)
    except EngineError as error:
        return UnpreparedEngine(player.name, error.reason, error.by)
    return player


def new_engine(game: str, text: str | Spec, seed: int | None = None) -> Player:
    """The player that ``text`` names, as if it were new, set up for thousands of searches.

    Engines with compiled code use Python for a single small search, which ends before the machine
    code would be loaded. For thousands of them machine code is faster.
    """
    spec = resolve(game, text)
    called = text if isinstance(text, str) else ""
    key, seeded = (engine_kind(spec.kind), game, spec), spec.seeded(seed)
    if (engine := _reusable.get(key)) is not None:
        own_seed = cast("int | None", seeded["seed"])
        return Player(engine.reseeded(own_seed), seeded.limit, seeded, called)
    player = make_engine(seeded)
    if isinstance(player.engine, ChecksFiles):
        player.engine.check_files(make_game(game))
    use_machine_code(player.engine)
    if isinstance(player.engine, Reseeds) and seeded.takes("seed"):
        if len(_reusable) >= _MOST_REUSABLE:
            _reusable.clear()
        _reusable[key] = player.engine
    return replace(player, called=called)


@lru_cache(maxsize=4)
def cached_engine(game: str, spec: str | Spec) -> Player:
    """The player of ``spec``, created once per process; it keeps its tables."""
    return new_engine(game, spec)
