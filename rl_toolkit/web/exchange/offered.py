"""The engines that requests may name: those of the toolkit, and those named when the server starts.

No request can name a file, a program or an address. An engine that runs one must be named on the
command line; requests then use its name here, which is looked up and never read as a spec. The
kinds of engines are those registered at the start: what is registered later is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rl_toolkit.analysis import EngineError, games_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.registry import full_names
from rl_toolkit.players import (
    BOT,
    LEVELS,
    EngineKind,
    Player,
    Spec,
    SpecError,
    engine_kinds,
    kind_named,
    levels_for,
    make_engine,
    make_player,
    registered_kind,
)
from rl_toolkit.utils import listed, shown

#: ``Alice=alice.py:time=2``
_NAMED = re.compile(r"(?P<name>[^:=/\\]{1,40})=(?P<spec>.+)", re.DOTALL)


def _is_file(text: str) -> bool:
    """Whether the whole text is a bot in a file, whose name may have an equals sign."""
    bot = kind_named(text)
    if bot is None or bot.name != BOT:
        return False
    file = Spec.read(text)["file"]
    return isinstance(file, str) and Path(file).expanduser().is_file()


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

    specs: Mapping[str, Spec] = field(default_factory=dict)
    games: Mapping[str, frozenset[str]] = field(default_factory=dict)
    kinds: Mapping[str, EngineKind] = field(default_factory=_registered)

    @classmethod
    def named(cls, texts: Collection[str]) -> OfferedEngines:
        """The engines of ``SPEC`` or ``NAME=SPEC``; without a name it is that of the engine.

        Raises `SpecError` for a spec that cannot be used, or a name that is taken.
        """
        specs: dict[str, Spec] = {}
        games: dict[str, frozenset[str]] = {}
        kinds = _registered()
        for text in texts:
            match = None if _is_file(text) else _NAMED.fullmatch(text.strip())
            player = make_engine(match["spec"] if match else text)
            name = match["name"].strip() if match else player.name
            taken = {*specs, *LEVELS, *kinds, "human"}
            if name.lower() in taken or name in taken:
                raise SpecError(f"there is already an engine {name}; write NAME={text}")
            specs[name] = player.spec
            if own := games_of(player.engine):
                games[name] = full_names(own)
        return cls(MappingProxyType(specs), MappingProxyType(games), kinds)

    def with_engine(self, name: str, spec: Spec, game: str) -> OfferedEngines:
        """These, and one more for a game; it may be out of order now and be mended later."""
        return OfferedEngines(
            MappingProxyType({**self.specs, name: spec}),
            MappingProxyType({**self.games, name: full_names([game])}),
            _registered(),
        )

    def allows(self, kind: str) -> bool:
        """Whether requests may use a kind of engine; not if the name has another kind by now."""
        offered = self.kinds.get(kind)
        return offered is not None and not offered.outside and registered_kind(kind) is offered

    def check(self, text: str) -> None:
        """Raise `SpecError` if a request may not use this spec; nothing is loaded for it.

        A name that means nothing passes: `make_player` refuses it.
        """
        kind = kind_named(text)
        if kind is None or self.allows(kind.name):
            return
        names = [*self.specs, *(kind.name for kind in self.playing(None))]
        reason = f"the engine {shown(kind.name)} is not one of this server"
        if kind.name in self.kinds and self.kinds[kind.name].outside:
            reason = f"a request cannot name files or programs, as {shown(text)} does"
        raise SpecError(f"{reason}; the engines of this server are {listed(names)}")

    def player(self, name: str, env: BaseGameEnv, seed: int | None) -> Player:
        """The engine that was named ``name`` at the start.

        Raises `SpecError` if it does not play the game of ``env``, and `EngineError` if it cannot
        be made any more.
        """
        self.check_plays(name, env)
        try:
            return make_player(env.name, self.specs[name], seed=seed)
        except ValueError as error:
            raise EngineError(name, f"cannot be used: {error}") from error

    def levels(self, env: BaseGameEnv) -> dict[str, str]:
        """The levels of the game of ``env`` whose engines requests may use."""
        levels = levels_for(env.name)
        return {name: spec for name, spec in levels.items() if self.allows(Spec.read(spec).kind)}

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
                "analysis": name,  # what it claims about its moves, if it does
                "tree": True,  # that it has kept of its search, if it has
            }
            for name in self.specs
            if env is None or self.plays(name, env)
        ]

    def opponent(self, env: BaseGameEnv) -> str | None:
        """The first engine of ``specs`` that plays the game of ``env``, ``None`` if none does."""
        return next((name for name in self.specs if self.plays(name, env)), None)

    def check_plays(self, name: str, env: BaseGameEnv) -> None:
        """Raise `SpecError` if the engine that was named at the start does not play ``env``."""
        if not self.plays(name, env):
            raise SpecError(f"{name} does not play {env.name}")

    def plays(self, name: str, env: BaseGameEnv) -> bool:
        """Whether the engine that was named at the start plays ``env``."""
        own = self.games.get(name)
        says_so = own is None or not own.isdisjoint({env.name, env.traits.name})
        return says_so and self._kind_of(name).can_play(env)

    def _kind_of(self, name: str) -> EngineKind:
        return self.kinds[self.specs[name].kind]
