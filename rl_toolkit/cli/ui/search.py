"""Letting an engine think while a person watches and may cut it short.

The search runs in a thread of its own. Ctrl-C sets its stop signal, so the thinking ends and not
the game; a second Ctrl-C soon after the first leaves.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType

from rich.console import Group, RenderableType
from rich.live import Live
from rich.text import Text

from rl_toolkit.analysis import Analysis, Engine, Limit
from rl_toolkit.cli.arguments import failure
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.compile_progress import CompileNews

#: Seconds within which a second Ctrl-C means "leave".
TWICE = 1.0
#: Seconds between two pictures; between two lines where nothing can be redrawn.
_REDRAW, _REPEAT = 0.1, 3.0
#: Thinking shorter than this is not worth a picture.
_PATIENCE = 0.25
#: Seconds after which silence looks like a fault, where there is no picture.
_SILENCE = 1.0

Picture = Callable[[Analysis], RenderableType]


class Search:
    """An engine at work on a copy of a position."""

    def __init__(self, engine: Engine, env: BaseGameEnv, limit: Limit | None = None) -> None:
        self.latest: Analysis | None = None
        self.stop = threading.Event()
        self.started = time.perf_counter()
        self._answer: Analysis | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(
            target=self._run, args=(engine, env.copy(), limit), name="search", daemon=True
        )
        self._thread.start()

    def _run(self, engine: Engine, env: BaseGameEnv, limit: Limit | None) -> None:
        try:
            self._answer = engine.analyse(env, limit, self._hear, self.stop)
        except BaseException as error:  # told to whoever waits
            self._error = error

    def _hear(self, analysis: Analysis) -> None:
        self.latest = analysis

    @property
    def elapsed(self) -> float:
        """Seconds since the search was asked for, compilation included."""
        return time.perf_counter() - self.started

    def wait(self, seconds: float) -> bool:
        """Wait up to so long; whether the search has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def answer(self) -> Analysis:
        """What the search found, or what it raised."""
        if self._error is not None:
            raise self._error
        assert self._answer is not None
        return self._answer


class Interrupts:
    """Ctrl-C while engines think: once stops the thinking, twice leaves.

    ``heard`` counts how often it stopped one.
    """

    def __init__(self) -> None:
        self.heard = 0
        self._last = float("-inf")

    @contextmanager
    def stopping(self, search: Search) -> Iterator[None]:
        """Let Ctrl-C stop ``search`` inside the block."""

        def hear(number: int, frame: FrameType | None) -> None:
            now = time.monotonic()
            if now - self._last < TWICE:
                raise KeyboardInterrupt
            self._last = now
            self.heard += 1
            search.stop.set()

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, hear)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def think(
    engine: Engine,
    env: BaseGameEnv,
    screen: Screen,
    *,
    limit: Limit | None = None,
    picture: Picture | None = None,
    report: Callable[[Analysis], None] | None = None,
    interrupts: Interrupts | None = None,
    who: str = "",
) -> Analysis:
    """The engine's answer.

    Meanwhile ``picture`` draws what it has found so far, where a picture can be redrawn; elsewhere
    ``report`` is called with it whenever it has changed, and once, if it takes long, people are
    told ``who`` is thinking. Without ``interrupts`` Ctrl-C leaves. An engine that refuses the
    position is a failure of the command.
    """
    search = Search(engine, env, limit)
    stopping = interrupts.stopping(search) if interrupts is not None else nullcontext()
    try:
        with stopping, CompileNews() as news:
            if not search.wait(_PATIENCE):
                if screen.live and picture is not None:
                    _watch(search, screen, news, picture, can_stop=interrupts is not None)
                else:
                    stop = " (Ctrl-C: answer now)" if interrupts is not None else ""
                    _wait(search, screen, news, report, who and f"{who} is thinking …{stop}")
    finally:
        search.stop.set()
    try:
        return search.answer()
    except ValueError as error:  # a game that this engine does not play
        raise failure(error) from error


def _watch(
    search: Search, screen: Screen, news: CompileNews, picture: Picture, *, can_stop: bool
) -> None:
    """Redraw the state of the search in place until it ends, then clear it."""
    with Live(console=screen.out, auto_refresh=False, transient=True) as live:
        while not search.wait(_REDRAW):
            parts: list[RenderableType] = []
            if search.latest is not None:
                news.search_has_begun()
                parts.append(picture(search.latest))
            elif sentence := news.sentence():
                parts.append(Text(screen.fit(sentence), "yellow"))
            else:
                parts.append(Text(screen.fit(f"Thinking … {search.elapsed:.0f} s"), "dim"))
            if can_stop:
                stopping = "Stopping; Ctrl-C again leaves"
                words = stopping if search.stop.is_set() else "Ctrl-C: answer now"
                parts.append(Text(words, "dim"))
            live.update(Group(*parts), refresh=True)


def _wait(
    search: Search,
    screen: Screen,
    news: CompileNews,
    report: Callable[[Analysis], None] | None,
    thinking: str,
) -> None:
    """Report what is found, and say now and then what is being compiled, until the search ends.

    ``thinking`` is said once, if nothing else is.
    """
    said, reported = float("-inf"), None
    while not search.wait(_REDRAW):
        latest = search.latest
        if latest is not None and latest is not reported and report is not None:
            report(latest)
            reported = latest
        sentence = news.sentence() if latest is None else ""
        if sentence and search.elapsed - said > _REPEAT:
            said = search.elapsed
            screen.tell(sentence, "yellow")
        if thinking and not sentence and reported is None and search.elapsed > _SILENCE:
            screen.tell(thinking, "dim")
            thinking = ""
