"""``tournament``: many engines against each other, with ratings and a crosstable."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import make_executor, refuse, report_errors
from rl_toolkit.cli.commands.measure.arbiter_options import arbiter_options, arbitration
from rl_toolkit.cli.commands.measure.standings import LiveStandings, show_report
from rl_toolkit.cli.library_options import Keeper, keep_options
from rl_toolkit.cli.long_runs import (
    check_different,
    check_writable,
    if_changed_option,
    measuring,
    tell_sandbox,
    tell_work,
)
from rl_toolkit.cli.options import csv_option, examples, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import ENGINE, FILE, GAME, NATURAL, GameFirst, WholeNumber
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import make_game
from rl_toolkit.records import FORMATS, GameRecord, RecordError, csv_text, format_of, write_games
from rl_toolkit.utils import counted, listed, write_text_atomically
from rl_toolkit.utils.executors import WorkAccount

if TYPE_CHECKING:
    from rl_toolkit.arena import Marks
    from rl_toolkit.arena.runs import IfChanged
    from rl_toolkit.arena.tournaments import TournamentResult
    from rl_toolkit.utils.executors import AccountingExecutor, Executor

#: Moves of each player that are compared with exact play, unless --accuracy says otherwise.
_JUDGED = 200


@click.command(cls=GameFirst)
@click.argument("game", type=GAME)
@click.argument("engines", metavar="ENGINE...", nargs=-1, type=ENGINE)
@click.option(
    "--games",
    type=WholeNumber(2),
    default=20,
    help="Games of each pairing, an even number: each opening is played twice.",
)
@click.option(
    "--schedule",
    type=click.Choice(["round-robin", "gauntlet", "swiss"]),
    default="round-robin",
    help="Everyone against everyone, the first against the others, or rounds by points.",
)
@click.option("--rounds", type=NATURAL, default=0, help="Rounds of --schedule swiss; 0: as usual.")
@click.option(
    "--anchor", metavar="ENGINE", help="The player with rating 0. Default: the mean is 0."
)
@arbiter_options
@seed_option
@click.option("--save", type=FILE, help="Save the games here; an interrupted run resumes.")
@if_changed_option
@click.option(
    "--accuracy",
    "judged",
    type=NATURAL,
    metavar="N",
    default=_JUDGED,
    help="Compare N moves of each player with exact play, where it is known; 0: none.",
)
@click.option("--html", type=FILE, help="Write a report with charts here, as one HTML file.")
@click.option(
    "--records", type=FILE, help="Write all games here at the end: .jsonl, .sgf, .ggf, .psq, ..."
)
@keep_options
@worker_options
@json_option("one line of JSON, for programs")
@csv_option("one row of CSV for each player")
@examples(
    "rl-toolkit tournament connect-four easy medium hard",
    "rl-toolkit tournament reversi my_bot.py easy medium hard --schedule gauntlet --games 40",
    "rl-toolkit tournament tictactoe random greedy medium perfect --anchor random --games 100",
    "rl-toolkit tournament gomoku-9 easy medium hard expert --save games.jsonl --workers 4",
    "rl-toolkit tournament connect-four easy medium hard --html report.html --records games.jsonl",
)
def tournament(
    game: str,
    engines: tuple[str, ...],
    games: int,
    schedule: Any,
    rounds: int,
    anchor: str | None,
    openings: str,
    opening_plies: int | None,
    clock: str | None,
    limit: str | None,
    adjudicate: int,
    seed: int,
    save: Path | None,
    if_changed: IfChanged,
    judged: int,
    html: Path | None,
    records: Path | None,
    keep: bool,
    library: Path | None,
    as_json: bool,
    as_csv: bool,
    **workers: Any,
) -> None:
    """Let many engines play GAME against each other, and rate them together.

    Each opening is played twice, with either engine moving first, and all pairings play the same
    openings. Ratings are in Elo, with 95 % intervals that count pairs of games. With --save the
    games are saved as they are played: after Ctrl-C or a crash, run the same command to resume;
    with more games or more engines the tournament grows. An engine that raises an error or plays
    an illegal move loses that game.
    """
    from rl_toolkit.arena.tournaments import Tournament, play_tournament

    screen, kept = Screen(), f"The games played are in {save}" if save else None
    keeper = Keeper(keep, library, screen)
    latest: TournamentResult | None = None
    executor: AccountingExecutor | None = None
    live = LiveStandings(screen, anchor)

    def look(result: TournamentResult) -> None:
        nonlocal latest
        latest = result
        live.look(result)
        progress.update(
            "games", result.games, result.plan.total_games, "" if progress.live else live.leader
        )

    if anchor is not None and anchor not in engines:
        raise refuse(f"--anchor {anchor} is not one of the engines")
    _check_files(html, records, save)
    out = _Output(screen, anchor, html, records, as_json, as_csv)
    accuracy: Mapping[str, Marks] = {}

    def show() -> None:
        if latest is not None and executor is not None:
            out.write(latest, accuracy, executor.account)
            event = f"tournament of {listed(latest.plan.players, 'and')}, seed {seed}"
            keeper.run(latest.records, event, "tournament")

    with measuring(screen, kept, on_stop=show):
        terms = arbitration(game, openings, opening_plies, clock, limit, adjudicate)
        plan = Tournament(game, engines, games, schedule, seed=seed, rounds=rounds, **terms)
        if records is not None:
            _try_format(records, game)
        executor = make_executor(**workers)
        tell_sandbox(screen, engines)
        with ProgressReporter(screen, above=live.lines) as progress:
            latest = play_tournament(
                plan,
                executor=executor,
                on_pair=look,
                on_news=screen.tell,
                save=save,
                if_changed=if_changed,
            )
        accuracy = _judged(latest, judged, executor, screen)
    show()


def _check_files(html: Path | None, records: Path | None, save: Path | None) -> None:
    """Refuse files that cannot be written, before hours are spent."""
    if records is not None and format_of(records.suffix) is None:
        raise refuse(f"--records {records}: the name must end in {listed(_suffixes(), 'or')}")
    check_different(html=html, records=records, save=save)
    check_writable("--html", html)
    check_writable("--records", records)


def _try_format(path: Path, game: str) -> None:
    """Refuse a file whose format cannot hold games of ``game``."""
    form = format_of(path.suffix)
    assert form is not None
    try:
        form.write([GameRecord.from_env(make_game(game), players=("a", "b"))])
    except RecordError as error:
        raise refuse(f"--records {path}: {error}") from error


def _suffixes() -> list[str]:
    return [form.suffixes[0] for form in FORMATS.values()]


def _judged(
    result: TournamentResult, most: int, executor: Executor, screen: Screen
) -> Mapping[str, Marks]:
    """The accuracy of the moves played; empty if it is not wanted or there is no exact solver."""
    from rl_toolkit.arena.tournaments import judge_moves

    if not most:
        return {}
    with ProgressReporter(screen) as progress:
        return judge_moves(result, most, executor, progress.update)


@dataclass(frozen=True, slots=True)
class _Output:
    """Where the result goes, and in which form."""

    screen: Screen
    anchor: str | None
    html: Path | None
    records: Path | None
    as_json: bool
    as_csv: bool

    def write(
        self, result: TournamentResult, accuracy: Mapping[str, Marks], work: WorkAccount
    ) -> None:
        """Write the report and the games, and say who did the work."""
        from rl_toolkit.arena.tournaments import CSV_COLUMNS, TournamentReport
        from rl_toolkit.arena.tournaments.report_html import report_html

        report = TournamentReport.of(result, self.anchor, accuracy)
        if self.as_json:
            self.screen.json({**report.to_dict(), "work": work.to_dict()})
        elif self.as_csv:
            sys.stdout.write(csv_text(CSV_COLUMNS, report.csv_rows()))
        else:
            show_report(report, self.screen)
        if not self.as_json:
            tell_work(self.screen, work)
        # Records come after the report even if that cannot be written, and then the error.
        with ExitStack() as last:
            if self.records is not None:
                last.callback(self._write_records, self.records, result)
            if self.html is not None:
                with report_errors():
                    write_text_atomically(self.html, report_html(report))
                self.screen.tell(f"The report is in {self.html}.")

    def _write_records(self, path: Path, result: TournamentResult) -> None:
        with report_errors(RecordError):
            write_games(path, result.records())
        self.screen.tell(f"{counted(result.games, 'game')} written to {path}.")
