"""`Engine`: anything that analyses positions; its optional parts; `EngineError`: why one could not.

An engine needs a name and `Engine.analyse`. Each part below is optional: an engine has it if it has
the method or attribute, and nothing has to be declared. Callers ask with ``isinstance``, or through
the functions at the end, which do nothing for an engine without the part.

==================  ==========================  ===============================================
part                member                      when it is used
==================  ==========================  ===============================================
`Prepares`          ``prepare(game)``           before the first move of a game, off the clock
`Closes`            ``close()``                 to end its process before it is forgotten
`Reseeds`           ``reseeded(seed)``          before every game of a match: no new engine
`UsesMachineCode`   ``compiled``                before thousands of searches
`HasNetwork`        ``checksum(env)``           saved games name the network that played them
`HasFiles`          ``files``                   a changed file makes saved games older
`ChecksFiles`       ``check_files(env)``        when it is chosen for a game
`NamesGames`        ``games``                   where engines are offered for a game
`HasVersion`        ``version``                 an engine of another version of the package
`HasOwnLimit`       ``within(limit)``           where a clock must not make it stronger
`EndsIfLate`        ``spare``                   a clock lets it take longer than its limit
`Pauses`            ``paused``                  its waits are on neither player's clock
`HasEvaluation`     ``evaluate``                a caller's own function stays in its process
`ScoresMoves`       ``score_moves(env)``        exact scores, without lines
`Traces`            ``trace(env, …)``           the theatre and ``rl-toolkit trace``
`MakesClaims`       ``with_claims(env, …)``     where somebody looks, off every clock
==================  ==========================  ===============================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from rl_toolkit.analysis.results import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv

ProgressCallback = Callable[[Analysis], object]


class StopSignal(Protocol):
    """Anything that can ask a search to stop, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Whether the search should end now."""


class EngineError(ValueError):
    """An engine from outside, a bot in a file or a program, could not answer.

    Attributes:
        engine: its name.
        reason: what happened, without the name: ``did not answer within 2 s``.
        position: the position that it was asked about, as text; empty if there was none.
        by: ``forfeit`` if the engine loses a game by this; ``not played`` if the cause is outside
            it: a misunderstanding between two programs, a busy machine; ``killed`` if its process
            was killed or stopped by a signal, which is its own fault if that happens again.
    """

    #: ``by`` for the cause of an `IsolationError`.
    BY: ClassVar[Mapping[str, str]] = {"": "forfeit", "signal": "killed", "machine": "not played"}

    def __init__(self, engine: str, reason: str, position: str = "", by: str = "forfeit") -> None:
        super().__init__(engine, reason, position, by)  # so that it can be pickled
        self.engine, self.reason, self.position, self.by = engine, reason, position, by

    def __str__(self) -> str:
        where = f" (position {self.position})" if self.position else ""
        return f"{self.engine} {self.reason}{where}"


@runtime_checkable
class Engine(Protocol):
    """Anything that analyses positions.

    ``analyse`` does not change ``env`` and returns an `Analysis` of its position. ``on_progress``
    receives partial analyses; exceptions it raises are ignored. ``stop`` ends the search within
    milliseconds with the best answer so far.
    """

    @property
    def name(self) -> str:
        """The engine's name in the registry of engines."""

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Analyse ``env``'s position within ``limit``."""


class AmericanSpelling:
    """``analyze`` is another name of ``analyse``, also where a subclass has its own."""

    __slots__ = ()

    def analyze(
        self: Engine,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """The same as ``analyse``."""
        return self.analyse(env, limit, on_progress, stop)


# --------------------------------------------------------------------------- life of an engine


@runtime_checkable
class Prepares(Protocol):
    """Has a process to start, or something to load."""

    def prepare(self, game: str) -> None:
        """Do so for a game, by its name; raises `EngineError` if that is not possible.

        It is called before a clock runs, and may be called again.
        """


@runtime_checkable
class Closes(Protocol):
    """Has a process of its own, which ends with the engine at the latest."""

    def close(self) -> None:
        """End the process now; the next question starts another one. May be called again."""


@runtime_checkable
class Reseeds(Engine, Protocol):
    """Keeps nothing from one search to the next, so that one engine can play every game."""

    def reseeded(self, seed: int | None) -> Self:
        """Another engine that answers as a new one with this seed would; this one stays."""


@runtime_checkable
class UsesMachineCode(Protocol):
    """Has compiled code, which takes longer to load than a small search takes."""

    #: Whether it uses the compiled code; ``None``: if a search is large enough for that.
    compiled: bool | None


# -------------------------------------------------------------------------- what it plays with


@runtime_checkable
class HasNetwork(Protocol):
    """Plays with trained weights; ``checksum`` tells whether they changed."""

    def checksum(self, env: BaseGameEnv) -> str:
        """A text that changes with the weights for the game of ``env``; empty without weights."""


@runtime_checkable
class HasFiles(Protocol):
    """Is made of files outside the package, such as a program; ``files`` names them."""

    @property
    def files(self) -> Sequence[Path]:
        """The files that decide how it plays."""


@runtime_checkable
class ChecksFiles(Protocol):
    """Has files of its own that may be for another game or rule."""

    def check_files(self, env: BaseGameEnv) -> None:
        """Raise ``ValueError`` if they are not for the game of ``env``."""


# ------------------------------------------------------------------------- what it says of itself


@runtime_checkable
class NamesGames(Protocol):
    """Says itself which games it plays, such as a bot in a file."""

    @property
    def games(self) -> Sequence[str]:
        """The names of games or families of games; empty for every game."""


@runtime_checkable
class HasVersion(Prepares, Protocol):
    """Belongs to another version of the package; ``version`` is what that version calls itself."""

    @property
    def version(self) -> str:
        """What that version calls itself; empty before it was prepared."""


@runtime_checkable
class HasOwnLimit(Protocol):
    """Has a limit of its own, which a clock may only tighten, as a `Player` has."""

    def within(self, limit: Limit) -> Engine:
        """The same engine with the tighter of its own limit and ``limit``, for each part."""


@runtime_checkable
class EndsIfLate(Protocol):
    """Runs in a process that is ended if a move takes ``spare`` seconds more than its limit."""

    spare: float


@runtime_checkable
class HasEvaluation(Protocol):
    """Can be given a function of the caller's that evaluates positions."""

    evaluate: Callable[[Any, int], float] | None


@runtime_checkable
class Pauses(Protocol):
    """Waits now and then before it asks somebody else, which must not count as thinking."""

    @property
    def paused(self) -> float:
        """The seconds of all waits so far."""


# ----------------------------------------------------------------------------------- answers


@runtime_checkable
class ScoresMoves(Protocol):
    """Solves positions, and can give the scores of all moves without their lines.

    `score_moves` takes less time than an analysis, which also finds the lines.
    """

    def score_moves(self, env: BaseGameEnv) -> dict[int, int]:
        """The exact score of every legal move, for the side to move."""


@runtime_checkable
class Traces(Protocol):
    """Can record its search event by event; see `algorithms.traces`."""

    def trace(
        self, env: BaseGameEnv, limit: Limit | None, bounds: Any, stop: StopSignal | None
    ) -> Any:
        """The `Trace` of a search within ``limit``, no larger than the `TraceBounds` allow."""


@runtime_checkable
class MakesClaims(Protocol):
    """May say more about a position than which move it plays; see `analysis.claims`.

    It is asked only where somebody looks at the answer: never in a game that counts, and on no
    player's clock.
    """

    def with_claims(
        self,
        env: BaseGameEnv,
        analysis: Analysis,
        stop: StopSignal | None = None,
        seconds: float | None = None,
    ) -> Analysis:
        """Its ``analysis`` of ``env`` with what it claims; unchanged if it claims nothing.

        ``seconds`` is the most that this may take, besides the engine's own bound.
        """


# ------------------------------------------------------- questions to any engine


def prepare(engine: object, game: str) -> None:
    """Let an engine prepare for the game of that name; nothing is done for one that need not.

    Raises `EngineError` if its process does not start, or what it needs for the game is missing.
    """
    if isinstance(engine, Prepares):
        engine.prepare(game)


def use_machine_code(engine: object, *, use: bool = True) -> bool:
    """Let an engine use its compiled code for every search, or for none, unless it was told.

    Returns whether it does so now; an engine that has no such choice does not.
    """
    if not isinstance(engine, UsesMachineCode):
        return False
    if engine.compiled is None:
        engine.compiled = use
    return engine.compiled is use


def paused_seconds(engine: object) -> float:
    """The seconds that an engine has paused so far; 0 for those that never do."""
    return engine.paused if isinstance(engine, Pauses) else 0.0


def evaluated_by(engine: object) -> str:
    """The name of the caller's function that evaluates positions; empty if there is none."""
    function = engine.evaluate if isinstance(engine, HasEvaluation) else None
    return "" if function is None else str(getattr(function, "__name__", function))


def games_of(engine: object) -> Sequence[str]:
    """The games that an engine says it plays; empty if it plays every game or does not say."""
    return engine.games if isinstance(engine, NamesGames) else ()
