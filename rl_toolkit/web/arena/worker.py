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
from collections.abc import Iterator
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
#: Lost games of each player that are judged for its page.
_JUDGED = 10


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
            import rl_toolkit.labs.engine  # noqa: F401 - registers the engine `lab`

            result = _play(plan, tell)
            tell({"table": _table(plan, result)})
            for name, page in _pages(plan, result):
                tell({"player": name, "page": page})
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
            tell({"table": _table(plan, result)})

    boards = Boards(BOARDS, plan.pause, tell, plan.names)
    return play_tournament(plan.tournament(), executor=boards, on_pair=look)


def _pages(plan: ArenaPlan, result: TournamentResult) -> Iterator[tuple[str, str]]:
    """The name of each player with its page: who beat it, and how, by exact play."""
    from rl_toolkit.arena.tournaments import TournamentReport, lost_games
    from rl_toolkit.arena.tournaments.report_html import player_html

    report = TournamentReport.of(result, names=plan.names)
    lost = lost_games(result, _JUDGED)
    for player in result.plan.players:
        yield plan.names[player], player_html(report, player, lost[player], "/arena")


def _table(plan: ArenaPlan, result: TournamentResult) -> dict[str, Any]:
    """Standings and crosstable; `RANDOM` has rating 0 where it takes part."""
    from rl_toolkit.arena.tournaments import TournamentReport

    anchor = RANDOM if RANDOM in result.plan.players else None
    data = TournamentReport.of(result, anchor).to_dict()
    kept = ("players", "crosstable", "anchor", "first_move")
    said = ("leader", "opening_words", "opening_remark")
    data["not_played"] = result.not_played
    called = plan.names
    data["leader"] = called.get(data["leader"])
    for row in data["players"]:
        row["name"] = called[row["name"]]
    for pairing in data["crosstable"]:
        pairing["players"] = [called[player] for player in pairing["players"]]
    return {name: data[name] for name in (*kept, *said, "not_played")}
