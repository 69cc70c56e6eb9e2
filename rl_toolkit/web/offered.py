"""The engines that requests may name: those of the toolkit, and those named when the server starts.

No request can name a file, a program or an address. An engine that runs one must be named on the
command line; requests then use its name here, which is looked up and never read as a spec. The
kinds of engines are those registered at the start: what is registered later is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rl_toolkit.analysis import EngineError
from rl_toolkit.envs import BaseGameEnv, UnknownGameError, make_game
from rl_toolkit.envs.validation import shown
from rl_toolkit.players import (
    LEVELS,
    EngineKind,
    Player,
    SpecError,
    engine_kind,
    engine_kinds,
    levels_for,
    make_engine,
    make_player,
)
from rl_toolkit.players.options import spec_name
from rl_toolkit.utils.messages import listed

#: ``Alice=alice.py:time=2``
_NAMED = re.compile(r"(?P<name>[^:=/\\]{1,40})=(?P<spec>.+)", re.DOTALL)


def _registered() -> Mapping[str, EngineKind]:
    return MappingProxyType({kind.name: kind for kind in engine_kinds(outside=True)})


@dataclass(frozen=True, slots=True)
class OfferedEngines:
    """The engines that a server offers; nothing here changes while it runs.

    Attributes:
        specs: the engines from outside, by the name that requests use.
        games: the games that such an engine says it plays; one that says nothing plays all.
        kinds: the kinds of engines by name, also those that a request may not name.
    """

    specs: Mapping[str, str] = field(default_factory=dict)
    games: Mapping[str, frozenset[str]] = field(default_factory=dict)
    kinds: Mapping[str, EngineKind] = field(default_factory=_registered)

    @classmethod
    def named(cls, texts: Collection[str]) -> OfferedEngines:
        """The engines of ``SPEC`` or ``NAME=SPEC``; without a name it is that of the engine.

        Raises `SpecError` for a spec that cannot be used, or a name that is taken.
        """
        specs: dict[str, str] = {}
        games: dict[str, frozenset[str]] = {}
        kinds = _registered()
        for text in texts:
            found = _NAMED.fullmatch(text.strip())
            player = make_engine(found["spec"] if found else text)
            name = found["name"].strip() if found else player.name
            taken = {*specs, *LEVELS, *kinds, "human"}
            if name.lower() in taken or name in taken:
                raise SpecError(f"there is already an engine {name}; write NAME={text}")
            specs[name] = player.spec
            if own := getattr(player.engine, "games", ()):
                games[name] = frozenset(map(_full_name, own))
        return cls(MappingProxyType(specs), MappingProxyType(games), kinds)

    def with_engine(self, name: str, spec: str, game: str) -> OfferedEngines:
        """These, and one more for a game; it may be out of order now and be mended later."""
        return OfferedEngines(
            MappingProxyType({**self.specs, name: spec}),
            MappingProxyType({**self.games, name: frozenset({_full_name(game)})}),
            _registered(),
        )

    def allows(self, spec: str) -> bool:
        """Whether requests may use the kind of engine that a spec names."""
        kind = self.kinds.get(spec_name(spec))
        return kind is not None and not kind.outside and self._is_current(kind)

    def check(self, spec: str) -> None:
        """Raise `SpecError` if a request may not use this spec; nothing is loaded for it.

        A name that means nothing passes: `make_player` refuses it.
        """
        name = spec_name(spec)
        if self.allows(spec) or name not in {kind.name for kind in engine_kinds(outside=True)}:
            return
        names = [*self.specs, *(kind.name for kind in self.playing(None))]
        reason = f"the engine {shown(name)} is not one of this server"
        if name in self.kinds and self.kinds[name].outside:
            reason = f"a request cannot name files or programs, as {shown(spec)} does"
        raise SpecError(f"{reason}; the engines of this server are {listed(names)}")

    def player(self, name: str, env: BaseGameEnv, seed: int | None) -> Player:
        """The engine that was named ``name`` at the start.

        Raises `SpecError` if it does not play the game of ``env``, and `EngineError` if it cannot
        be made any more.
        """
        if not self._plays(name, env):
            raise SpecError(f"{name} does not play {env.name}")
        try:
            return make_player(env.name, self.specs[name], seed=seed)
        except ValueError as error:
            raise EngineError(name, f"cannot be used: {error}") from error

    def levels(self, env: BaseGameEnv) -> dict[str, str]:
        """The levels of the game of ``env`` whose engines requests may use."""
        return {name: spec for name, spec in levels_for(env.name).items() if self.allows(spec)}

    def playing(self, env: BaseGameEnv | None) -> list[EngineKind]:
        """The kinds that a request may name and that play the game of ``env``, or all."""
        return [
            kind
            for kind in self.kinds.values()
            if self.allows(kind.name) and (env is None or kind.can_play(env))
        ]

    def describe(self, env: BaseGameEnv | None) -> list[dict[str, Any]]:
        """The engines of ``specs`` that play ``env``, or all, as ``/api/engines`` lists them."""
        return [
            {
                "name": name,
                "help": f"{name}, which this server was started with",
                "games": sorted(self.games.get(name, ())) or self._kind_of(name).games,
                "options": [],
                "analysis": None,
            }
            for name in self.specs
            if env is None or self._plays(name, env)
        ]

    def _plays(self, name: str, env: BaseGameEnv) -> bool:
        own = self.games.get(name)
        says_so = own is None or not own.isdisjoint({env.name, env.traits.name})
        return says_so and self._kind_of(name).can_play(env)

    def _kind_of(self, name: str) -> EngineKind:
        return self.kinds[spec_name(self.specs[name])]

    def _is_current(self, kind: EngineKind) -> bool:
        """Whether the registry still has this kind under its name."""
        try:
            return engine_kind(kind.name) is kind
        except SpecError:
            return False


def _full_name(game: str) -> str:
    """The name of a game as the registry writes it; a family stays a family."""
    try:
        env = make_game(game)
    except UnknownGameError:
        return game
    return game if game == env.traits.name else env.name
