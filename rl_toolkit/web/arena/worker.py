"""The process that plays the tournament of a page, so that the server always answers at once.

It sends plain data through a pipe: boards, finished games, standings, and how it ended. If the pipe
closes, or the server ends it, it ends at once. The server imports this module and plays nothing:
so what playing needs is imported when the process plays.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from rl_toolkit.utils import QUIET_VARIABLE
from rl_toolkit.utils.plugins import Plugin, load_plugins
from rl_toolkit.web.arena.boards import Boards
from rl_toolkit.web.arena.plans import BOARDS, RANDOM, ArenaPlan

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments import TournamentResult

#: Seconds between two tables: the ratings are fitted anew for each.
_TABLE_EVERY = 0.5


def play(pipe: Connection, plan: ArenaPlan, plugins: tuple[Plugin, ...]) -> None:
    """Play the tournament and send what happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    os.environ[QUIET_VARIABLE] = "1"
    if hasattr(os, "nice"):
        os.nice(5)  # searches of visitors come first
    sending = threading.Lock()

    def tell(news: dict[str, Any]) -> None:
        with sending:
            pipe.send(news)

    with suppress(BrokenPipeError):
        try:
            load_plugins(plugins)
            tell({"table": _table(_play(plan, tell))})
            tell({"ended": ""})
        except Exception as error:
            tell({"ended": f"{type(error).__name__}: {error}"})


def _play(plan: ArenaPlan, tell: Any) -> TournamentResult:
    from rl_toolkit.arena.tournaments import play_tournament

    told = 0.0

    def look(result: TournamentResult) -> None:
        nonlocal told
        if time.monotonic() - told > _TABLE_EVERY:
            told = time.monotonic()
            tell({"table": _table(result)})

    boards = Boards(BOARDS, plan.pause, tell)
    return play_tournament(plan.tournament(), executor=boards, on_pair=look)


def _table(result: TournamentResult) -> dict[str, Any]:
    """Standings and crosstable; `RANDOM` has rating 0 where it takes part."""
    from rl_toolkit.arena.tournaments import TournamentReport

    anchor = RANDOM if RANDOM in result.plan.players else None
    data = TournamentReport.of(result, anchor).to_dict()
    kept = ("players", "crosstable", "anchor", "first_move")
    said = ("leader", "opening_words", "opening_remark")
    data["not_played"] = result.not_played
    return {name: data[name] for name in (*kept, *said, "not_played")}
