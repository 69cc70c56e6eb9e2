"""Limits of a move: which an engine can keep, what it reports beyond them, and what that costs it.

A limit in the spec of an engine is its own affair: work beyond it is counted. A limit of the match
is enforced: an engine that knows it and reports more work loses the game. Nobody can see the work
of an engine that reports none, or that has no such limit: its moves are counted as unchecked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Self

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.arena.arbiter.rules import Rules
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import (
    EngineKind,
    Mix,
    Player,
    Spec,
    SpecError,
    engine_kind,
    is_level,
    is_rating,
    levels_for,
    spec_of_rating,
)
from rl_toolkit.utils import listed

#: The parts of a limit that are counted as work.
WORK = ("nodes", "simulations", "depth")
#: Work beyond a limit that is not counted: a search looks at its limit now and then.
_SHARE, _COUNT = 0.01, 10


def kept_limits(player: Player, env: BaseGameEnv) -> set[str]:
    """The parts of a `Limit` that the engine of a player declares to keep in the game of ``env``.

    A mix keeps those that each of its engines keeps, except for engines that do not search. Of an
    engine that only another version of the package knows, none is known.
    """
    kept = []
    for kind in _kinds(player.spec, env):
        known = set() if kind is None else _limits_of(kind)
        if kind is None or known:
            kept.append(known)
    return set.intersection(*kept) if kept else set()


def warnings(
    names: Iterable[str], players: Iterable[Player], rules: Rules, env: BaseGameEnv
) -> list[str]:
    """A sentence for each engine that does not know a limit which the rules give it.

    And one for each engine that looks at its limit on nodes so seldom that it may go beyond it.
    """
    asked = [part.name for part in fields(Limit) if getattr(rules.limit, part.name) is not None]
    if rules.clock is not None:
        asked.append("time")
    sentences = []
    for name, player in zip(names, players, strict=True):
        if unknown := [part for part in asked if part not in kept_limits(player, env)]:
            late = "; it loses if it is too slow" if "time" in unknown else ""
            if None in _kinds(player.spec, env):
                sentences.append(
                    f"It is not known whether {name} keeps a limit on {listed(unknown)}{late}."
                )
            else:
                sentences.append(
                    f"{name} has no limit on {listed(unknown)} and cannot keep it{late}."
                )
        elif "nodes" in asked and (step := _node_step(player, env)):
            sentences.append(
                f"{name} searches up to {step:,} nodes between two looks at its limit; it may "
                "report that many more."
            )
    return sentences


# ------------------------------------------------------------------------- checks


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that an engine may report of one kind of work.

    Attributes:
        part: ``nodes``, ``simulations`` or ``depth``.
        most: the limit.
        spare: the work beyond it that is not counted: 1 % and 10, since a search looks at its limit
            now and then, and for nodes the step in which the engine cannot be stopped; for depth 0.
    """

    part: str
    most: int
    spare: float

    def excess(self, analysis: Analysis) -> str:
        """What an engine reports beyond it: ``1,200 nodes, limit 1,000``; empty if nothing."""
        done = getattr(analysis, self.part)
        if done is None or done <= self.most + self.spare:
            return ""
        return f"{done:,} {self.part}, limit {self.most:,}"


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """The bounds of one engine in a game.

    Attributes:
        kept: those that it has, by its spec or by the rules, and knows. The depth of a tree search
            is not a limit, for example.
        enforced: those of the rules that it knows.
        unknown: whether the rules have a limit that it does not know.
    """

    kept: tuple[Bound, ...] = ()
    enforced: tuple[Bound, ...] = ()
    unknown: bool = False

    @classmethod
    def of(cls, player: Player, rules: Rules, env: BaseGameEnv) -> Self:
        """The bounds of a player in a game; the rules have already tightened its own limit."""
        known = kept_limits(player, env)
        given = {part for part in WORK if getattr(rules.limit, part) is not None}
        step = _node_step(player, env)
        return cls(
            tuple(_bounds(player.limit, known, step)),
            tuple(_bounds(rules.limit, known, step)),
            not given <= known,
        )

    def excess(self, analysis: Analysis) -> str:
        """What it reports beyond a limit that it has, in words; empty if nothing."""
        return _first(self.kept, analysis)

    def breach(self, analysis: Analysis) -> str:
        """Why it loses the game: ``reported 1,200 nodes, limit 1,000``; empty if it does not."""
        excess = _first(self.enforced, analysis)
        return excess and f"reported {excess}"

    def is_unchecked(self, analysis: Analysis) -> bool:
        """Whether a limit of the rules could not be checked, for lack of a report."""
        if not self.enforced:
            return self.unknown
        return self.unknown or any(getattr(analysis, b.part) is None for b in self.enforced)


def _first(bounds: Iterable[Bound], analysis: Analysis) -> str:
    for bound in bounds:
        if excess := bound.excess(analysis):
            return excess
    return ""


def _bounds(limit: Limit, known: set[str], node_step: int) -> Iterator[Bound]:
    for part in WORK:
        most = getattr(limit, part)
        if most is not None and part in known:
            step = node_step if part == "nodes" else 0
            yield Bound(part, most, 0 if part == "depth" else max(most * _SHARE + _COUNT, step))


# -------------------------------------------------------------------------- kinds


def _kinds(spec: Spec, env: BaseGameEnv) -> Iterator[EngineKind | None]:
    """The kinds that answer for a spec: the parts of a mix, the engine that a package is asked for.

    ``None`` stands for an engine that only the package knows. Its levels are taken for those of the
    same name, or rating, here.
    """
    if (mix := Mix.of(spec)) is not None:
        for part in (mix.strong, mix.weak):
            yield from _kinds(part, env)
    elif spec.kind == "package":
        try:
            yield from list(_kinds(_spec_here(str(spec["engine"]), env), env))
        except SpecError:
            yield None
    else:
        yield engine_kind(spec.kind)


def _spec_here(asked: str, env: BaseGameEnv) -> Spec:
    """The spec, in this version, of an engine or level of another; `SpecError` if it has none."""
    if is_rating(asked):
        return spec_of_rating(env.name, float(asked))
    levels = levels_for(env.name) if is_level(asked) else {}
    return Spec.read(levels.get(asked.strip().lower(), asked))


def _limits_of(kind: EngineKind) -> set[str]:
    return {option.name for option in kind.options if option.is_limit}


def _node_step(player: Player, env: BaseGameEnv) -> int:
    kinds = _kinds(player.spec, env)
    return max((kind.node_step(env) for kind in kinds if kind is not None), default=0)
