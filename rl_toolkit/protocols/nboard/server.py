"""`NBoardServer`: an engine of ours behind the NBoard protocol."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import TextIO

from rl_toolkit.algorithms import Stopwatch
from rl_toolkit.analysis import Analysis, Engine, Limit
from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.protocols.nboard.ggf import from_ggf, move_of, square_of
from rl_toolkit.protocols.nboard.hints import discs_of, write_hint
from rl_toolkit.protocols.serving import (
    NAME,
    EngineFactory,
    LineWriter,
    answer_of,
    lines_of,
    share_of,
)
from rl_toolkit.utils import shown

#: Seconds of a hint where the engine has no limit of its own, and between two reports.
_HINT_SECONDS, _REPORT = 5.0, 0.2


class NBoardError(ValueError):
    """A command that cannot be done; the message is shown in the status line."""


class NBoardServer:
    """Answers the commands of NBoard with the engine that ``make_engine`` gives for a game.

    Searches run in a thread of their own, since every command but ``set depth`` stops them. The
    protocol has no word for errors: they are shown as ``status``.
    """

    def __init__(self, make_engine: EngineFactory) -> None:
        self._make_engine = make_engine
        self._engines: dict[str, Engine] = {}
        self._env: BaseGameEnv = Reversi()
        self._left: dict[int, float | None] = {1: None, -1: None}
        self._depth: int | None = None
        self._search: _Search | None = None
        self._writer: LineWriter | None = None
        self.has_quit = False
        self._engine_for(self._env)

    def serve(self, reader: TextIO, writer: TextIO) -> None:
        """Answer every line until ``quit`` or the end of the input.

        A search that is running at the end of the input is finished first. Raises ``OSError`` if
        answers cannot be written any more.
        """
        out = self._writer = LineWriter(writer)
        self._say(f"set myname {NAME}")
        try:
            for line in lines_of(reader):
                self.hear(line)
                out.check()
                if self.has_quit:
                    return
            if self._search is not None:
                self._search.join()
        finally:
            self._stop()
        out.check()

    def hear(self, line: str) -> None:
        """Do what a line says."""
        text = "".join(c if c.isprintable() else " " for c in line).strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        try:
            handler = _COMMANDS.get(word)
            if handler is None:
                raise NBoardError(f"there is no command {shown(word)}")
            handler(self, rest.strip())
        except Exception as error:  # an engine may raise anything, and the program must go on
            self._complain(error)

    # --------------------------------------------------------------------- the game

    def _nboard(self, rest: str) -> None:
        if rest != "2":
            raise NBoardError(f"this is version 2 of the protocol, not {shown(rest)}")

    def _set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        if what == "depth":
            self._depth = _whole(value)
        elif what == "game":
            game = from_ggf(value)
            self._engine_for(game.env)
            self._stop()
            self._env, self._left = game.env, game.seconds
        elif what == "contempt":
            if not re.fullmatch(r"[+-]?[0-9]{1,9}", value.strip()):
                raise NBoardError(f"{shown(value)} is not a whole number")
        else:
            raise NBoardError(f"{shown(what)} cannot be set")

    def _move(self, rest: str) -> None:
        name, *more = rest.split("/")
        game = self._env.copy()
        player = game.current_player
        game.step(move_of(game, name))
        self._stop()
        self._env = game
        left = self._left[player]
        if (
            left is not None
            and len(more) > 1
            and re.fullmatch(r"[0-9]{1,6}(\.[0-9]{0,9})?", more[1])
        ):
            self._left[player] = max(0.0, left - float(more[1]))

    # --------------------------------------------------------------------- thinking

    def _hint(self, rest: str) -> None:
        count = _whole(rest)
        env = self._running_game()
        shown_at = time.monotonic()

        def report(found: Analysis) -> None:
            nonlocal shown_at
            if time.monotonic() - shown_at >= _REPORT:
                shown_at = time.monotonic()
                self._show(env, found, count)

        def work(stop: threading.Event) -> None:
            limit = Limit(time=_HINT_SECONDS, depth=self._depth)
            analysis = answer_of(self._engine_for(env), env.copy(), limit, report, stop)
            self._show(env, analysis, count)
            self._say("status")

        self._think(work)

    def _go(self, rest: str) -> None:
        env = self._running_game()
        left = self._left[env.current_player]
        limit = Limit(time=None if left is None else share_of(left, env), depth=self._depth)

        def work(stop: threading.Event) -> None:
            watch = Stopwatch()
            analysis = answer_of(self._engine_for(env), env.copy(), limit, None, stop)
            if not analysis.candidates:
                raise NBoardError("the engine has no move")
            best = analysis.best
            self._show(env, analysis, 1)
            discs = discs_of(best)
            worth = "" if discs is None else f"{discs:.2f}"
            self._say(f"=== {square_of(env, best.move)}/{worth}/{watch.seconds:.2f}")

        self._think(work)

    def _think(self, work: Callable[[threading.Event], None]) -> None:
        self._stop()
        self._say(f"status {NAME} is thinking")
        self._search = _Search(work, self._complain)
        self._search.start()

    def _stop(self) -> None:
        """Stop the search and wait until it is silent."""
        if self._search is not None:
            self._search.stop.set()
            self._search.join()
            self._search = None

    def _show(self, env: BaseGameEnv, analysis: Analysis, count: int) -> None:
        """Send the best moves, and the work done."""
        known = [c for c in analysis.candidates[:count] if c.value is not None]
        for candidate in known or analysis.candidates[:1]:
            self._say(write_hint(env, candidate, analysis))
        if analysis.nodes is not None:
            self._say(f"nodestats {analysis.nodes} {analysis.elapsed:.2f}")

    def _ping(self, rest: str) -> None:
        number = _whole(rest)
        self._stop()
        self._say(f"pong {number}")

    def _learn(self, rest: str) -> None:
        self._stop()
        self._say("learned")

    def _quit(self, rest: str) -> None:
        self.has_quit = True

    # ------------------------------------------------------------------------ parts

    def _running_game(self) -> BaseGameEnv:
        if self._env.is_terminal():
            raise NBoardError("the game is over")
        return self._env

    def _engine_for(self, env: BaseGameEnv) -> Engine:
        if env.name not in self._engines:
            self._engines[env.name] = self._make_engine(env.name)
        return self._engines[env.name]

    def _complain(self, error: Exception) -> None:
        self._say(f"status Error: {' '.join((str(error) or type(error).__name__).split())}")

    def _say(self, line: str) -> None:
        if self._writer is not None:
            self._writer.say(line)


class _Search(threading.Thread):
    """One search; once it has been stopped and joined it says nothing more."""

    def __init__(
        self, work: Callable[[threading.Event], None], complain: Callable[[Exception], None]
    ) -> None:
        super().__init__(name="nboard search", daemon=True)
        self.stop = threading.Event()
        self._work, self._complain = work, complain

    def run(self) -> None:
        """Search until it is done or stopped."""
        try:
            self._work(self.stop)
        except Exception as error:  # an engine may raise anything
            self._complain(error)


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or int(text) < 1:
        raise NBoardError(f"{shown(text)} is not a whole number of at least 1")
    return int(text)


_COMMANDS: dict[str, Callable[[NBoardServer, str], None]] = {
    "nboard": NBoardServer._nboard,
    "set": NBoardServer._set,
    "move": NBoardServer._move,
    "hint": NBoardServer._hint,
    "go": NBoardServer._go,
    "ping": NBoardServer._ping,
    "learn": NBoardServer._learn,
    "quit": NBoardServer._quit,
}
