"""`Player`: an engine with its limit, which is an engine itself; `make_engine` makes one."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from rl_toolkit.adapting import as_game, play_move
from rl_toolkit.analysis import (
    AmericanSpelling,
    Analysis,
    Engine,
    Limit,
    ProgressCallback,
    StopSignal,
    evaluated_by,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.threads.crew import cores
from rl_toolkit.players.options import SpecError
from rl_toolkit.players.registry import engine_kind, engine_kinds
from rl_toolkit.players.spec import Spec
from rl_toolkit.utils import listed

if TYPE_CHECKING:
    from rl_toolkit.algorithms.minimax import Evaluation


@dataclass(frozen=True, slots=True)
class Player(AmericanSpelling):
    """An engine and its default limit.

    Attributes:
        engine: the engine that searches.
        limit: the limit that `analyse` uses if it is given none.
        spec: the spec from which the same player can be made.
        called: what it was called: a level, a rating, or the text of its spec as it was typed.
    """

    engine: Engine
    limit: Limit
    spec: Spec
    called: str = ""

    @property
    def text(self) -> str:
        """What it was called, else the text of its spec."""
        return self.called or str(self.spec)

    def __repr__(self) -> str:
        named = f"{self.called}: " if self.called not in ("", str(self.spec)) else ""
        own = evaluated_by(self.engine)
        return f"<Player {named}{self.spec}{f', evaluate={own}' if own else ''}>"

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self.engine.name

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The analysis within ``limit``, or within the player's own limit if none is given.

        ``limit`` replaces the player's own; see `within` for keeping both. ``env`` may be an object
        of a plain class (see `envs.adapt_game`).
        """
        env = as_game(env)
        if not (limit is None or isinstance(limit, Limit)):
            raise TypeError(f"a limit is written Limit(time=2) or Limit(depth=4), not {limit!r}")
        chosen = (limit or Limit()).or_else(self.limit)
        # Engines have their own defaults for "no limit".
        return self.engine.analyse(env, None if chosen == Limit() else chosen, on_progress, stop)

    def play(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Search ``env`` and make the best move in it; returns the analysis, which says why.

        Raises ``ValueError`` if the game is over.
        """
        game = as_game(env)
        if game.is_terminal():
            raise ValueError("the game is over; no more moves can be played")
        analysis = self.analyse(game, limit, on_progress, stop)
        if analysis.best_move is None:
            raise ValueError(f"{self.name} found no move")
        play_move(env, analysis.best_move)
        return analysis

    def __reduce__(self) -> tuple[Any, ...]:
        if own := evaluated_by(self.engine):
            raise TypeError(
                f"a player with evaluate={own} cannot be sent to another process, where "
                "workers play; let it play in this one"
            )
        # Engines hold tables, trees and locks; the spec makes the same player without them.
        engine = None if _can_be_made(self) else self.engine
        return _remade, (self.spec, self.limit, self.called, engine)

    def on_all_cores(self, limit: Limit | None = None) -> Player:
        """The same player for single questions, with as many threads as there are cores.

        It stays as it is if its spec sets ``threads``, or if nodes, depth or simulations limit its
        search, or that within ``limit``: such a search is to be repeatable. The ``spec`` stays the
        same, so where games are counted its engine has one thread.
        """
        chosen = (limit or Limit()).or_else(self.limit)
        counted = replace(chosen, time=None) != Limit()
        own = "threads" in self.spec or evaluated_by(self.engine)
        if counted or own or not self.spec.takes("threads") or cores() == 1:
            return self
        arguments = self.spec.arguments | {"threads": cores()}
        return replace(self, engine=engine_kind(self.spec.kind).make(**arguments))

    def within(self, limit: Limit) -> Player:
        """The same player with the tighter of its own limit and ``limit``, for each part.

        Front ends use this to add a clock to a level without making it stronger. The ``spec`` stays
        the same.
        """
        tighter = {}
        for part in fields(Limit):
            bounds = (getattr(self.limit, part.name), getattr(limit, part.name))
            tighter[part.name] = min((b for b in bounds if b is not None), default=None)
        return replace(self, limit=Limit(**tighter))


def make_engine(spec: str | Spec, *, evaluate: Evaluation | None = None) -> Player:
    """The player for a spec: the engine with the limit in the spec.

    ``evaluate(env, player)`` says what a position is worth to ``player``, from −1 to 1, in place of
    the game's heuristic; only ``minimax`` takes it. Such a player cannot be sent to another
    process.

    Raises `SpecError` if there is no such engine or option.

    >>> print(make_engine("Greedy: seed=07").spec)
    greedy:seed=7
    """
    expected = Spec.read(spec)
    called = spec if isinstance(spec, str) else ""
    if evaluate is None:
        return Player(_made(expected), expected.limit, expected, called)
    kind = engine_kind(expected.kind)
    if not kind.takes_evaluate:
        able = listed((each.name for each in engine_kinds() if each.takes_evaluate), "or")
        raise SpecError(f"{expected.kind} takes no evaluate; use {able}")
    engine = kind.make(**expected.arguments, evaluate=evaluate)
    return Player(engine, expected.limit, expected, called)


def _made(spec: Spec) -> Engine:
    return engine_kind(spec.kind).make(**spec.arguments)


def _can_be_made(player: Player) -> bool:
    """Whether the spec makes an engine of the same class."""
    try:
        return type(_made(player.spec)) is type(player.engine)
    except ValueError:
        return False


def _remade(spec: Spec, limit: Limit, called: str, engine: Engine | None) -> Player:
    return Player(_made(spec) if engine is None else engine, limit, spec, called)
