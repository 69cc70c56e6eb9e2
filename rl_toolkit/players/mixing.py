"""``mix``: two engines, and a lot for every move that decides which of them plays it.

A strong engine that leaves a share of its moves to a weak one is as strong as anything between the
two. Ladders use it for the steps between engines, and for ratings between two steps::

    mix:strong=minimax:depth=4,weak=minimax:depth=2,slips=0.3     3 of 10 moves by depth 2
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import NamedTuple

from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.options import Option, SpecError, spec_name, split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.quoting import quoted
from rl_toolkit.players.registry import SEED, EngineKind, engine_kind, make_engine, register_engine
from rl_toolkit.records import position_to_text

MIX = "mix"
#: Mixes of mixes are read to this depth; ladders need two.
_DEEPEST = 4


class MixedEngine:
    """Plays as ``strong``, except that with the probability ``slips`` it plays as ``weak``.

    The lot depends on the seed and the position only; without a seed every call draws a new one.
    Each of the two keeps its own limit, or a tighter one that `analyse` is given.
    """

    name = MIX

    def __init__(self, strong: Player, weak: Player, slips: float, seed: int | None = None) -> None:
        if not 0 <= slips <= 1:
            raise ValueError(f"slips must be a probability from 0 to 1, not {slips!r}")
        self.strong, self.weak, self.slips, self.seed = strong, weak, slips, seed
        #: As in other engines: ``True`` if machine code pays even for small searches.
        self.compiled: bool | None = None

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The analysis of the engine that the lot chooses; a note says if it was the weak one."""
        is_slip = self._lot(env) < self.slips
        player = self.weak if is_slip else self.strong
        if self.compiled is not None and getattr(player.engine, "compiled", False) is None:
            vars(player.engine)["compiled"] = self.compiled
        limited = player if limit is None else player.within(limit)
        analysis = limited.analyse(env, None, on_progress, stop)
        notes = (f"Left to {player.name}, the weaker of two engines",) if is_slip else ()
        return replace(analysis, engine=self.name, notes=(*analysis.notes, *notes))

    def _lot(self, env: BaseGameEnv) -> float:
        if self.seed is None:
            return random.SystemRandom().random()
        return random.Random(f"mix {self.seed} {env.name} {position_to_text(env)}").random()

    # ------------------------------------------------------------- what its parts need

    def prepare(self, game: str) -> None:
        """Let both engines load or start what they need."""
        for player in (self.strong, self.weak):
            ready = getattr(player.engine, "prepare", None)
            if ready is not None:
                ready(game)

    def checksum(self, env: BaseGameEnv) -> str:
        """The checksums of the networks of both engines; empty without networks."""
        found = (getattr(each.engine, "checksum", None) for each in (self.strong, self.weak))
        return "+".join(filter(None, (own(env) for own in found if own is not None)))


def seeded(player: Player, seed: int | None) -> Player:
    """``player`` with the seed, if its engine takes one and its spec does not set it."""
    takes_seed = any(
        option.name == "seed" for option in engine_kind(spec_name(player.spec)).options
    )
    if seed is None or not takes_seed or "seed" in split_spec(player.spec)[1]:
        return player
    return make_engine(f"{player.spec}{',' if ':' in player.spec else ':'}seed={seed}")


def mix_spec(strong: str, weak: str, slips: float) -> str:
    """The spec of a mix.

    >>> mix_spec("minimax:depth=4", "greedy", 0.25)
    'mix:strong=minimax:depth=4,weak=greedy,slips=0.25'
    """
    return f"{MIX}:strong={quoted(strong)},weak={quoted(weak)},slips={slips:g}"


class Mix(NamedTuple):
    """The parts of the spec of a mix."""

    strong: str
    weak: str
    slips: float

    @classmethod
    def of(cls, spec: str) -> Mix | None:
        """The parts of a spec, ``None`` if it is not a mix; raises `SpecError` for bad options.

        >>> Mix.of("mix:strong=exact"), Mix.of("exact")
        (Mix(strong='exact', weak='first', slips=0.25), None)
        """
        name, chosen = split_spec(spec)
        if name != MIX:
            return None
        kind = engine_kind(MIX)
        found = {option.name: option.default for option in kind.options}
        found |= {option: kind.option(option).read(text) for option, text in chosen.items()}
        return cls(str(found["strong"]), str(found["weak"]), float(found["slips"] or 0))


def _make(strong: str, weak: str, slips: float, seed: int | None) -> Engine:
    for part in (strong, weak):
        if part.count(f"{MIX}:") >= _DEEPEST:
            raise SpecError("mix: a mix of mixes is too deep")
    # A mix in a mix draws lots of its own: the same lot would decide both.
    inner = None if seed is None else seed + 1
    first, second = (
        seeded(make_engine(part), inner if spec_name(part) == MIX else seed)
        for part in (strong, weak)
    )
    return MixedEngine(first, second, slips, seed)


register_engine(
    EngineKind(
        MIX,
        "draws a lot for every move and plays it as one of two engines",
        _make,
        (
            Option("strong", "text", "random", "the engine that plays most moves"),
            Option("weak", "text", "first", "the engine that plays the others"),
            Option("slips", "number", 0.25, "share of moves that the weak engine plays", 0, 1),
            SEED,
        ),
    )
)
