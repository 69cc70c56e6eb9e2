"""``gtp``, ``gomocup``, ``nboard`` and ``service``: our engines for other programs.

These are the only places that bind the servers of `rl_toolkit.protocols` to stdin and stdout.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from rl_toolkit import __version__
from rl_toolkit.analysis import Analysis, Engine, Limit, ProgressCallback, StopSignal
from rl_toolkit.cli.arguments import report_errors
from rl_toolkit.cli.options import examples, options
from rl_toolkit.cli.param_types import COUNT, ENGINE, GAME, SECONDS
from rl_toolkit.envs import BaseGameEnv, Gomoku, make_game
from rl_toolkit.players import (
    BOT,
    Player,
    Spec,
    SpecError,
    engine_kinds,
    is_level,
    kind_named,
    make_player,
    reaches_outside,
    usual_level,
)
from rl_toolkit.players.advisers import adviser, analyst, usual_limit

Server = Callable[[TextIO, TextIO], None]

#: The options of every server that plays.
_engine_options = options(
    click.option(
        "--engine", type=ENGINE, help="Engine or level. Default: the one that `play` begins with."
    ),
    click.option("--time", type=SECONDS, help="Seconds for a move, at most."),
)


@click.command()
@click.argument("game", type=GAME)
@_engine_options
@examples(
    "rl-toolkit gtp reversi --engine expert",
    "rl-toolkit match reversi hard 'gtp:cmd=gtp-rhino --level=3'",
)
def gtp(game: str, engine: str | None, time: float | None) -> None:
    """Play GAME through GTP 2 on stdin and stdout, for programs that show or referee games.

    It answers the commands of the protocol, and set_game, list_games and rl_toolkit-position.
    """
    from rl_toolkit.protocols import GtpServer

    with report_errors():
        server = GtpServer(game, _maker(engine, time), __version__, _bot_name(engine))
    _serve(server.serve)


@click.command()
@_engine_options
@examples("rl-toolkit gomocup --engine expert", "rl-toolkit gomocup --engine mcts --time 5")
def gomocup(engine: str | None, time: float | None) -> None:
    """Play Gomoku through the protocol of Gomocup and Piskvork on stdin and stdout."""
    from rl_toolkit.protocols import GomocupServer

    make = _maker(engine, time)
    with report_errors():
        make(make_game(Gomoku.traits.name).name)
    _serve(GomocupServer(make, __version__).serve)


@click.command()
@_engine_options
@examples("rl-toolkit nboard --engine expert", "rl-toolkit nboard --engine reversi --time 2")
def nboard(engine: str | None, time: float | None) -> None:
    """Play Reversi as an engine of the program NBoard, through NBoard 2 on stdin and stdout."""
    from rl_toolkit.protocols import NBoardServer

    with report_errors():
        server = NBoardServer(_maker(engine, time))
    _serve(server.serve)


@click.command()
@click.option("--engine", type=ENGINE, help="Engine or level. Default: the best for the game.")
@click.option("--workers", type=COUNT, default=1, help="Positions to analyse at once.")
@examples(
    "rl-toolkit service",
    "rl-toolkit service --workers 4 --engine mcts",
    """echo '{"id": "a", "game": "tictactoe", "moves": ["b2"]}' | rl-toolkit service""",
)
def service(engine: str | None, workers: int) -> None:
    """Answer queries about positions: JSON lines on stdin, JSON lines on stdout.

    A query has an id, a game, a position or moves, and may name an engine and limits. The service
    writes each answer when it has it, in any order.
    """
    from rl_toolkit.protocols import AnalysisService

    def make(game: str, spec: str | None) -> Engine:
        if spec is not None and reaches_outside(spec):  # queries may come from anywhere
            raise SpecError("a query cannot name files or programs; use --engine")
        chosen = spec or engine
        if chosen is None:
            return _Analyst(adviser(make_game(game)))
        return _Analyst(analyst(game, chosen))

    with report_errors():
        engine_kinds()  # those of other packages, too, so that all are known
        if engine is not None and not is_level(engine):
            Spec.read(engine)
    _serve(AnalysisService(make, workers, __version__).serve)


# ------------------------------------------------------------------------- engines


def _maker(engine: str | None, time: float | None) -> Callable[[str], Player]:
    """A function that makes the player for a game."""

    def make(game: str) -> Player:
        player = make_player(game, engine or usual_level(game))
        return player.within(usual_limit(player) if time is None else Limit(time=time))

    return make


def _bot_name(engine: str | None) -> str:
    """The name of the file of a bot, empty for the engines of the toolkit."""
    kind = None if engine is None else kind_named(engine)
    if engine is None or kind is None or kind.name != BOT:
        return ""
    return Path(str(Spec.read(engine)["file"])).name


@dataclass(frozen=True, slots=True)
class _Analyst:
    """A player that a query may give any limit, and that has a usual one otherwise."""

    player: Player

    @property
    def name(self) -> str:
        return self.player.name

    def within(self, limit: Limit) -> Engine:
        return self.player.within(limit)

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        usual = usual_limit(self.player)
        return self.player.analyse(env, limit or usual, on_progress, stop)


# ------------------------------------------------------------------------- streams


def _serve(serve: Server) -> None:
    """Serve stdin and stdout; whatever bytes arrive are text."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    with suppress(BrokenPipeError):  # the other program has gone
        serve(sys.stdin, sys.stdout)
