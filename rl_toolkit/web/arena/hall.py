"""`Hall`: the tournament of a server. One at a time; it and the tables before it are in memory.

Everybody may watch. Starting and stopping needs the token of the hall, which the server prints when
it starts and which no page and no answer contains. A server that only its own machine reaches needs
none.
"""

from __future__ import annotations

import hmac
import logging
import multiprocessing
import secrets
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Literal

from rl_toolkit.envs import make_game
from rl_toolkit.utils.plugins import loaded_plugins
from rl_toolkit.web.arena.plans import ArenaPlan
from rl_toolkit.web.arena.worker import play
from rl_toolkit.web.exchange.looks import look_of
from rl_toolkit.web.serving.streams import Wait, Watched

#: Finished tournaments whose tables are kept.
KEPT = 10
#: The most pages that watch at the same time.
MOST_PAGES = 12
#: Seconds between two looks at the clock while nothing is heard.
_LOOK = 0.2

Json = dict[str, Any]
Status = Literal["running", "done", "stopped", "late", "failed"]


class HallBusyError(Exception):
    """Another tournament is being played."""


@dataclass(slots=True)
class _Tournament:
    """What is known of one tournament."""

    number: int
    plan: ArenaPlan
    status: Status = "running"
    table: Json | None = None
    boards: dict[int, Json] = field(default_factory=dict)
    games: list[Json] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.0

    def summary(self) -> Json:
        """The tournament without its boards and games."""
        return {
            "number": self.number,
            "plan": self.plan.to_dict(),
            "status": self.status,
            "table": self.table,
            "played": len(self.games),
            "total": self.plan.tournament().total_games,
            "seconds": round(self.seconds, 1),
            "pages": sorted(self.pages),
        }


class Hall:
    """The tournaments of one server, started and stopped by those who know the token."""

    def __init__(self, needs_token: bool = True) -> None:
        #: Whether only those may start and stop who know the token.
        self.needs_token = needs_token
        self.token = secrets.token_urlsafe(12)
        self.watched = Watched(MOST_PAGES)
        self._count = 0
        self._now: _Tournament | None = None
        self._earlier: list[Json] = []
        self._wanted_end = threading.Event()

    def knows(self, token: str) -> bool:
        """Whether this is the token, or none is needed.

        The time it takes does not depend on how much of it is right.
        """
        if not self.needs_token:
            return True
        given = token.encode(errors="replace")  # a lone surrogate is no part of a token
        return hmac.compare_digest(given, self.token.encode())

    def start(self, plan: ArenaPlan) -> int:
        """Begin a tournament and return its number; raises `HallBusyError` while one is played."""
        with self.watched:
            if self._now is not None and self._now.status == "running":
                raise HallBusyError("a tournament is being played; stop it first, or wait")
            if self._now is not None:
                self._earlier = [self._now.summary(), *self._earlier][:KEPT]
            self._count += 1
            self._now = _Tournament(self._count, plan)
            self._wanted_end = threading.Event()
            self.watched.tell()
            threading.Thread(
                target=self._run, args=(self._now, self._wanted_end), name="arena", daemon=True
            ).start()
            return self._count

    def stop(self) -> bool:
        """End the tournament that is played; false if there is none. The table stays."""
        with self.watched:
            if self._now is None or self._now.status != "running":
                return False
            self._end(self._now, "stopped")
            return True

    def close(self) -> None:
        """End everything: the server is about to leave."""
        self.stop()

    # ------------------------------------------------------------------ what pages see

    def wait(self, seen: int, games: tuple[int, int], seconds: float) -> tuple[int, Json]:
        """The state as soon as its number is not ``seen``, or after some seconds as it is.

        ``games`` is the number of the tournament and of the games that the page has; it gets those
        after them.
        """
        with self.watched:
            return self.watched.wait_past(seen, seconds), self._state(*games)

    def visit(self) -> Wait:
        """What one page waits with: each of its states has only the games that are new to it."""
        sent = (0, 0)

        def wait(seen: int, seconds: float) -> tuple[int, Json]:
            nonlocal sent
            version, state = self.wait(seen, sent, seconds)
            if version != seen and (now := state["now"]):
                sent = (now["number"], now["since"] + len(now["games"]))
            return version, state

        return wait

    def page_of(self, number: int, player: str) -> str | None:
        """The page of a player of the tournament with that number; ``None`` if there is none."""
        with self.watched:
            now = self._now
            return now.pages.get(player) if now is not None and now.number == number else None

    def latest(self) -> Json | None:
        """The tournament that is played now, or was played last: `_Tournament.summary`."""
        with self.watched:
            return None if self._now is None else self._now.summary()

    def _state(self, number: int, games: int) -> Json:
        now = self._now
        if now is None:
            return {"now": None, "earlier": []}
        if now.status == "running":
            now.seconds = time.monotonic() - now.began
        since = games if number == now.number else 0
        return {
            "now": {
                **now.summary(),
                "look": look_of(make_game(now.plan.game), "title", "rows", "cols", "pieces"),
                "boards": [now.boards[place] for place in sorted(now.boards)],
                "since": since,
                "games": now.games[since:],
            },
            "earlier": self._earlier,
        }

    # ------------------------------------------------------------------ the thread

    def _run(self, mine: _Tournament, wanted_end: threading.Event) -> None:
        """Hear what the process says until it ends, is stopped, or the time is up."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=play, args=(theirs, mine.plan, loaded_plugins()), daemon=True
        )
        try:
            process.start()
            theirs.close()
            self._hear(mine, ours, wanted_end)
        except Exception:
            logging.getLogger(__name__).exception("the tournament failed")
            self._finish(mine, "failed")
        finally:
            ours.close()
            if process.pid is not None:
                process.terminate()
                process.join(10)

    def _hear(self, mine: _Tournament, pipe: Connection, wanted_end: threading.Event) -> None:
        late = mine.began + 60 * mine.plan.minutes
        while not wanted_end.is_set():
            if time.monotonic() > late:
                self._finish(mine, "late")
                return
            if not pipe.poll(_LOOK):
                continue
            try:
                news: Json = pipe.recv()
            except EOFError:  # it was killed
                self._finish(mine, "failed")
                return
            if "ended" in news:
                if news["ended"]:
                    logging.getLogger(__name__).error("the tournament failed: %s", news["ended"])
                self._finish(mine, "failed" if news["ended"] else "done")
                return
            self._take(mine, news)

    def _take(self, mine: _Tournament, news: Json) -> None:
        with self.watched:
            if mine.status != "running":
                return
            if "table" in news:
                mine.table = news["table"]
            elif "page" in news:
                mine.pages[news["player"]] = news["page"]
            elif "game" in news:
                mine.games.append(news["game"])
            else:
                mine.boards[news["board"]] = news
            self.watched.tell()

    def _finish(self, mine: _Tournament, status: Status) -> None:
        with self.watched:
            self._end(mine, status)

    def _end(self, mine: _Tournament, status: Status) -> None:
        """Note how it ended, once; the caller holds the lock."""
        if mine.status == "running":
            mine.status, mine.seconds = status, time.monotonic() - mine.began
            self._wanted_end.set()
            self.watched.tell()
