"""A search that a person can watch and cut short.

The search runs in a thread of its own. Ctrl-C sets its stop signal, so the engine answers at once
and the game continues; a second Ctrl-C soon after the first leaves.
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
from rl_toolkit.envs import BaseGameEnv, game_failure
from rl_toolkit.kernels.compiling.compile_news import CompileProgress
from rl_toolkit.players.claims import with_claims
from rl_toolkit.utils.executors import BackgroundTask

#: Seconds within which a second Ctrl-C means "leave".
TWICE = 1.0
#: Seconds between two pictures, and between two lines where nothing can be redrawn.
_REDRAW, _REPEAT = 0.1, 3.0
#: Searches shorter than this are not shown.
_PATIENCE = 0.25
#: Seconds after which a line says who is thinking, where there is no picture.
_SILENCE = 1.0

Picture = Callable[[Analysis], RenderableType]
Search = BackgroundTask[Analysis, Analysis]


class Interrupts:
    """Ctrl-C during a search: once stops the search, twice leaves.

    ``heard`` counts the searches that were stopped.
    """

    def __init__(self) -> None:
        self.heard = 0
        self._last = float("-inf")

    @contextmanager
    def stopping(self, search: Search) -> Iterator[None]:
        """Let Ctrl-C stop ``search`` inside the block."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            now = time.monotonic()
            if now - self._last < TWICE:
                raise KeyboardInterrupt
            self._last = now
            self.heard += 1
            search.stop.set()

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, on_signal)
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
    claims: bool = False,
) -> Analysis:
    """The engine's answer; with ``claims`` also what a bot says about every move.

    On a terminal ``picture`` draws what was found so far. Elsewhere ``report`` is called with it
    whenever it has changed; a long search without one says once ``who`` is thinking. Without
    ``interrupts`` Ctrl-C leaves. An engine that refuses the position is a failure of the command.
    """
    watched = report is not None or (screen.live and picture is not None)
    position = env.copy()

    def work(task: Search) -> Analysis:
        found = engine.analyse(position, limit, task.report if watched else None, task.stop)
        return with_claims(engine, position, found, task.stop) if claims else found

    search = Search(work).start("search")
    stopping = interrupts.stopping(search) if interrupts is not None else nullcontext()
    try:
        with stopping, CompileProgress() as news:
            if not search.wait(_PATIENCE):
                if screen.live and picture is not None:
                    _watch(search, screen, news, picture, can_stop=interrupts is not None)
                else:
                    stop = " (Ctrl-C: answer now)" if interrupts is not None else ""
                    _wait(search, screen, news, report, who and f"{who} is thinking …{stop}")
    finally:
        search.stop.set()
    try:
        return search.result()
    except ValueError as error:  # this engine does not play this game, or the game has a mistake
        raise failure(game_failure(error, refusals=True) or error) from error


def _watch(
    search: Search, screen: Screen, news: CompileProgress, picture: Picture, *, can_stop: bool
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
    news: CompileProgress,
    report: Callable[[Analysis], None] | None,
    thinking: str,
) -> None:
    """Report what is found and what is being compiled until the search ends.

    ``thinking`` is said once, if nothing else is.
    """
    said, compiled, reported = float("-inf"), 0, None
    while not search.wait(_REDRAW):
        latest = search.latest
        if latest is not None and latest is not reported and report is not None:
            report(latest)
            reported = latest
        made = news.latest()[0] if latest is None else compiled
        if made > compiled and search.elapsed - said > _REPEAT:
            said, compiled = search.elapsed, made
            screen.tell(news.sentence(), "yellow")
        if thinking and not made and reported is None and search.elapsed > _SILENCE:
            screen.tell(thinking, "dim")
            thinking = ""
