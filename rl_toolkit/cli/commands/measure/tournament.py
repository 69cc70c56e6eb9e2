"""``tournament``: many engines against each other, with ratings and a crosstable."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import make_executor, refuse, report_errors
from rl_toolkit.cli.commands.measure.match import opening_plies
from rl_toolkit.cli.long_runs import ENGINE_FAILURES, changed_code_hint, if_changed_option
from rl_toolkit.cli.options import csv_option, examples, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import ENGINE, FILE, GAME, NATURAL, GameFirst
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, plain_table
from rl_toolkit.records.tables import csv_text
from rl_toolkit.utils.statistics import percent

if TYPE_CHECKING:
    from rl_toolkit.arena.engine_code import IfChanged
    from rl_toolkit.arena.tournaments.results import Standing, TournamentResult

#: The columns of ``--csv``.
CSV_COLUMNS = (
    "rank",
    "name",
    "rating",
    "low",
    "high",
    "games",
    "points",
    "score",
    "won",
    "drawn",
    "lost",
    "superiority",
    "seconds_per_move",
    "forfeits",
    "over_time",
)
#: Seconds between two looks at who leads.
_LOOK = 1.0


@click.command(cls=GameFirst)
@click.argument("game", type=GAME)
@click.argument("engines", metavar="ENGINE...", nargs=-1, type=ENGINE)
@click.option(
    "--games",
    type=click.IntRange(min=2),
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
@click.option(
    "--openings",
    default="random:4",
    help="random:K for K random moves, or start for the empty board.",
)
@seed_option
@click.option("--save", type=FILE, help="Save the games here; an interrupted run resumes.")
@if_changed_option
@worker_options
@json_option("one line of JSON, for programs")
@csv_option("one row of CSV for each player")
@examples(
    "rl-toolkit tournament connect-four easy medium hard",
    "rl-toolkit tournament reversi my_bot.py easy medium hard --schedule gauntlet --games 40",
    "rl-toolkit tournament tictactoe random greedy medium perfect --anchor random --games 100",
    "rl-toolkit tournament gomoku-9 easy medium hard expert --save games.jsonl --workers 4",
)
def tournament(
    game: str,
    engines: tuple[str, ...],
    games: int,
    schedule: Any,
    rounds: int,
    anchor: str | None,
    openings: str,
    seed: int,
    save: Path | None,
    if_changed: IfChanged,
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
    from rl_toolkit.arena.tournaments.plan import Tournament
    from rl_toolkit.arena.tournaments.playing import play_tournament

    screen, kept = Screen(), f"The games played are in {save}" if save else None
    latest: TournamentResult | None = None
    looked, leader = 0.0, ""

    def show_leader(result: TournamentResult) -> None:
        nonlocal latest, looked, leader
        latest = result
        if time.monotonic() - looked > _LOOK:
            best = max(result.standings(), key=lambda row: row.score)
            looked, leader = time.monotonic(), f"{best.name} leads with {percent(best.score)}"
        progress.update("games", result.games, result.plan.total_games, leader)

    if anchor is not None and anchor not in engines:
        raise refuse(f"--anchor {anchor} is not one of the engines")
    try:
        with changed_code_hint(), report_errors(*ENGINE_FAILURES), resumable(screen, kept):
            plies = opening_plies(openings)
            plan = Tournament(game, engines, games, schedule, plies, seed, rounds)
            with ProgressReporter(screen) as progress:
                latest = play_tournament(
                    plan,
                    executor=make_executor(**workers),
                    on_pair=show_leader,
                    on_news=screen.tell,
                    save=save,
                    if_changed=if_changed,
                )
    except (KeyboardInterrupt, click.ClickException):
        if latest is not None:
            _show(latest, anchor, screen, as_json, as_csv)
        raise
    _show(latest, anchor, screen, as_json, as_csv)


def _show(
    result: TournamentResult, anchor: str | None, screen: Screen, as_json: bool, as_csv: bool
) -> None:
    if as_json:
        screen.json(result.to_dict(anchor))
        return
    ratings = result.ratings(anchor)
    rows = result.standings(ratings)
    if as_csv:
        sys.stdout.write(csv_text(CSV_COLUMNS, map(_csv_row, range(1, len(rows) + 1), rows)))
        return
    plan = result.plan
    played = f"{result.games} games"
    if not result.complete:
        played = f"{result.games} of {plan.total_games} games"
    screen.say(f"{len(plan.players)} players on {plan.game}, {plan.schedule}, {played}", "bold")
    _show_columns(_standings_columns(rows), screen)
    screen.say()
    _show_columns(_crosstable_columns(result, rows), screen)
    screen.say()
    if not ratings.connected:
        screen.say("Not all players have met, even through others: no intervals yet.", "yellow")
    low, high = ratings.advantage_interval
    zero = "The mean of all ratings is 0" if anchor is None else f"{anchor} has rating 0"
    screen.say(
        f"{zero}. The first move is worth {ratings.advantage:+.0f} Elo ({low:+.0f} to "
        f"{high:+.0f}). Equal players draw {percent(ratings.draw_rate)}. Seed {plan.seed}.",
        "dim",
    )
    for row in rows:
        if row.forfeits:
            lost = [each for each in result.forfeits() if each.player == row.name]
            games = "1 game" if row.forfeits == 1 else f"{row.forfeits} games"
            reason, position = lost[0].forfeit.reason, lost[0].forfeit.position
            screen.say(
                f"{row.name} forfeited {games}: it {reason} (position {position}).", "yellow"
            )
        if row.over_time:
            moves = "1 move" if row.over_time == 1 else f"{row.over_time} moves"
            screen.say(f"{row.name} exceeded its limit in {moves}.", "yellow")
    if result.distinct < result.games:
        screen.say(
            f"Only {result.distinct} of the {result.games} games differ, so the intervals are "
            "too narrow; longer openings make games differ.",
            "yellow",
        )


def _standings_columns(rows: list[Standing]) -> list[Column]:
    return [
        Column("", [f"{rank}" for rank in range(1, len(rows) + 1)]),
        Column("player", [row.name for row in rows]),
        Column("rating", [f"{row.rating:+.0f}" for row in rows]),
        Column("95 % interval", [_interval_text(row.interval) for row in rows]),
        Column("score", [percent(row.score) for row in rows]),
        Column("games", [str(row.games) for row in rows], dispensable=1),
        Column("won", [str(row.won) for row in rows], dispensable=2),
        Column("drawn", [str(row.drawn) for row in rows], dispensable=2),
        Column("lost", [str(row.lost) for row in rows], dispensable=2),
        Column(
            "better than next",
            ["" if row.superiority is None else percent(row.superiority) for row in rows],
            dispensable=3,
        ),
        Column("ms/move", [f"{1000 * row.seconds_per_move:.1f}" for row in rows], dispensable=4),
    ]


def _crosstable_columns(result: TournamentResult, rows: list[Standing]) -> list[Column]:
    """Points out of games, each player against the others by rank."""
    columns = [
        Column("", [f"{rank}" for rank in range(1, len(rows) + 1)]),
        Column("points against", [row.name for row in rows]),
    ]
    for rank, opponent in enumerate(rows, 1):
        cells = []
        for row in rows:
            points, games = result.points(row.name, opponent.name)
            cells.append(f"{points:g}/{games}" if games else "·")
        columns.append(Column(str(rank), cells, dispensable=rank))
    return columns


def _show_columns(columns: list[Column], screen: Screen) -> None:
    kept = fitting(columns, screen.width, gap=1)
    table = plain_table(
        *(each.head for each in kept),
        numbers=[each.head for each in kept if each.head not in ("player", "points against")],
    )
    for cells in zip(*(each.cells for each in kept), strict=True):
        table.add_row(*cells)
    screen.say(table)


def _interval_text(interval: tuple[float, float] | None) -> str:
    return "?" if interval is None else f"{interval[0]:+.0f} to {interval[1]:+.0f}"


def _csv_row(rank: int, row: Standing) -> dict[str, Any]:
    low, high = row.interval or (None, None)
    return {**row.to_dict(), "rank": rank, "low": low, "high": high}
