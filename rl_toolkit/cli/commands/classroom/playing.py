"""``class tournament``."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import check_isolation, failure, make_executor, report_errors
from rl_toolkit.cli.commands.classroom.table import tell_remarks, tell_unchecked
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import COUNT, ENGINE, GAME, NATURAL, WholeNumber
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.web import PORT

if TYPE_CHECKING:
    from rl_toolkit.arena.tournaments import TournamentReport, TournamentResult
    from rl_toolkit.classroom import ClassFolder, ClassTournament, Gradebook

CLASS = click.argument("folder", metavar="CLASS", type=click.Path(path_type=Path))
#: Seconds between two tables for the projector.
_BOARD_EVERY = 2.0


@click.command(short_help="Let the bots of a class play each other.")
@CLASS
@click.option("--game", type=GAME, help="The game, if the labs of the class do not say it.")
@click.option(
    "--games", type=WholeNumber(2), default=4, help="Games of each pairing, an even number."
)
@click.option(
    "--schedule",
    type=click.Choice(["round-robin", "swiss"]),
    help="Everyone against everyone, or rounds by points.  [default: by the number of bots]",
)
@click.option("--rounds", type=NATURAL, default=0, help="Rounds of --schedule swiss; 0: as usual.")
@click.option(
    "--with",
    "others",
    type=ENGINE,
    metavar="ENGINE",
    multiple=True,
    help="A level or an engine that plays along; may be repeated.  "
    "[default: random, and minimax:depth=2]",
)
@click.option("--page", is_flag=True, help="Serve the page /arena with the bots, and play there.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=PORT,
    help="Port of --page; 0 takes any free port.",
)
@click.option("--open", "open_board", is_flag=True, help="Open the table, or the page.")
@click.option("--workers", type=COUNT, help="Number of processes.  [default: one for each core]")
@examples(
    "rl-toolkit class tournament cs101 --open",
    "rl-toolkit class tournament cs101 --page --open",
    "rl-toolkit class tournament cs101 --game connect-four --games 4",
    "rl-toolkit class tournament cs101 --with easy --with mcts:simulations=400",
)
def tournament(
    folder: Path,
    game: str | None,
    games: int,
    schedule: str | None,
    rounds: int,
    others: tuple[str, ...],
    page: bool,
    port: int,
    open_board: bool,
    workers: int | None,
) -> None:
    """Let the bots of a class play each other, each confined in a process of its own.

    Bots are the hand-ins of labs that ask for a player, and the files in CLASS/bots, each named
    after its student: an id, a name or a user name. Games are kept: run the same command to resume,
    or after new bots have come. reports/tournament has the table for a projector, and a page for
    each player that says who beat it, and with which move it lost. With --page you start games on
    the page, and the room watches the boards; these games are not kept.
    """
    check_isolation()
    from rl_toolkit.classroom import (
        ClassError,
        ClassFolder,
        plan_tournament,
        read_book,
        tournament_board,
    )
    from rl_toolkit.cli.long_runs import measuring
    from rl_toolkit.labs.grading import ResultsError
    from rl_toolkit.utils.isolation import in_force

    screen = Screen()
    with report_errors(ClassError, ResultsError):
        the_class = ClassFolder(folder)
        tell_remarks(screen, the_class)
        book: Gradebook | None = None
        if (the_class.kept / "results.db").exists():
            try:
                book = read_book(the_class)
                tell_unchecked(screen, book)
            except ClassError:  # nothing was graded: there may be files of bots
                book = None
        plan = plan_tournament(
            the_class,
            book,
            game=game,
            games=games,
            schedule=schedule,
            rounds=rounds,
            others=others or None,
        )
        screen.tell(in_force().sentence, "dim")
        for name, why in plan.absent.items():
            screen.tell(f"{name} does not play: {why}.", "yellow")
        if page:
            _serve(plan, port, open_board)
            return
        executor = make_executor(workers or os.cpu_count() or 1, ray=False)
        board = _Board(the_class, plan)
        if open_board:
            board.begin()
            _open(tournament_board(the_class))
        with measuring(screen, f"Games are in {folder}"):
            report, index = _play(screen, the_class, plan, board, executor)
    from rl_toolkit.cli.commands.measure.standings import show_report

    show_report(report, screen)
    screen.say(f"{index} has it all; {index.with_name('board.html')} is for the projector.")


def _serve(plan: ClassTournament, port: int, open_page: bool) -> None:
    from rl_toolkit.web import serve

    where = f"arena?game={plan.plan.game}"
    try:
        serve(port=port, engines=plan.engines(), page=where, open_browser=open_page)
    except OSError as error:
        reason = error.strerror or error
        raise failure(
            f"cannot listen on port {port}: {reason}; --port 0 takes a free one"
        ) from error


def _play(
    screen: Screen, the_class: ClassFolder, plan: ClassTournament, board: _Board, executor: Any
) -> tuple[TournamentReport, Path]:
    from rl_toolkit.arena.tournaments import TournamentReport, judge_moves, lost_games
    from rl_toolkit.classroom import write_tournament_reports
    from rl_toolkit.cli.commands.measure.standings import LiveStandings
    from rl_toolkit.cli.ui.progress import ProgressReporter
    from rl_toolkit.utils.executors import keeping_workers

    live = LiveStandings(screen, None, plan.names)

    def look(result: TournamentResult) -> None:
        live.look(result)
        board.look(result)
        total = result.tried + max(0, result.to_come)
        progress.update("games", result.tried, total, "" if progress.live else live.leader)

    with keeping_workers(executor):
        with ProgressReporter(screen, above=live.lines) as progress:
            result = plan.play(executor, look, screen.tell)
        with ProgressReporter(screen) as progress:
            accuracy = judge_moves(result, executor=executor, on_progress=progress.update)
            lost = lost_games(result, executor=executor, on_progress=progress.update)
    report = TournamentReport.of(result, None, accuracy, plan.names)
    return report, write_tournament_reports(the_class, report, lost, plan.others)


class _Board:
    """The table for the projector, written anew while games are played."""

    def __init__(self, the_class: ClassFolder, plan: ClassTournament) -> None:
        self._class, self._plan, self._next = the_class, plan, 0.0

    def begin(self) -> None:
        """Write it before the first game."""
        from rl_toolkit.arena.tournaments import TournamentResult

        self.look(TournamentResult(self._plan.plan, []))

    def look(self, result: TournamentResult) -> None:
        """Write it, unless it is young."""
        from rl_toolkit.arena.tournaments import TournamentReport
        from rl_toolkit.classroom import write_tournament_board

        if time.monotonic() < self._next:
            return
        report = TournamentReport.of(result, names=self._plan.names)
        write_tournament_board(self._class, report, others=self._plan.others, is_over=False)
        self._next = time.monotonic() + _BOARD_EVERY


def _open(path: Path) -> None:
    import webbrowser

    webbrowser.open(path.resolve().as_uri())
