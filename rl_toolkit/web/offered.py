"""The engines that requests may name: those of the toolkit, and those named when the server starts.

No request can name a file, a program or an address. An engine that runs one must be named on the
command line; requests then use its name here, which is looked up and never read as a spec.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.validation import shown
from rl_toolkit.players import LEVELS, SpecError, engine_kind, engine_kinds, make_engine
from rl_toolkit.players.options import spec_name
from rl_toolkit.utils.messages import listed

#: ``Alice=alice.py:time=2``
_NAMED = re.compile(r"(?P<name>[^:=/\\]{1,40})=(?P<spec>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OfferedEngines:
    """The engines from outside that a server offers, by name; ``specs`` never changes."""

    specs: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def named(cls, texts: Collection[str]) -> OfferedEngines:
        """The engines of ``SPEC`` or ``NAME=SPEC``; without a name it is that of the engine.

        Raises `SpecError` for a spec that cannot be used, or a name that is taken.
        """
        specs: dict[str, str] = {}
        for text in texts:
            found = _NAMED.fullmatch(text.strip())
            player = make_engine(found["spec"] if found else text)
            name = found["name"].strip() if found else player.name
            taken = {*specs, *LEVELS, *(kind.name for kind in engine_kinds(outside=True)), "human"}
            if name.lower() in taken or name in taken:
                raise SpecError(f"there is already an engine {name}; write NAME={text}")
            specs[name] = player.spec
        return cls(specs)

    def check(self, spec: str) -> None:
        """Raise `SpecError` if a request may not use this spec; nothing is loaded for it."""
        kinds = {kind.name: kind for kind in engine_kinds(outside=True)}
        kind = kinds.get(spec_name(spec))
        if kind is not None and kind.outside:
            names = [*self.specs, *(kind.name for kind in engine_kinds())]
            raise SpecError(
                f"a request cannot name files or programs, as {shown(spec)} does; the engines of "
                f"this server are {listed(names)}"
            )

    def describe(self, env: BaseGameEnv | None) -> list[dict[str, Any]]:
        """The engines that play the game of ``env``, or all, as ``/api/engines`` lists them."""
        kinds = {name: engine_kind(spec_name(spec)) for name, spec in self.specs.items()}
        return [
            {
                "name": name,
                "help": f"{name}, which this server was started with",
                "games": kind.games,
                "options": [],
                "analysis": None,
            }
            for name, kind in kinds.items()
            if env is None or kind.can_play(env)
        ]
