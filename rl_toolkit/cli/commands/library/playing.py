"""``library review | insight``: games judged by an engine, and how somebody plays."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import failure, refuse
from rl_toolkit.cli.library_options import (
    filter_of,
    filter_options,
    game_option,
    library_option,
    opened,
)
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, ENGINE, FILE, SECONDS
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.utils import as_typed, counted, percent

if TYPE_CHECKING:
    from rl_toolkit.library import Filter, Insight, Results

_BAR = 20
_NUMBERS = ("games", "won", "drawn", "lost", "points", "95 %")
_PLURALS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}


@click.command(short_help="Let an engine judge games; the library keeps what it says.")
@click.argument("numbers", nargs=-1, type=COUNT)
@game_option
@filter_options
@click.option(
    "--reviewer", type=ENGINE, help="Engine or level that judges. Default: the best for the game."
)
@click.option("--time", type=SECONDS, help="Seconds for each move.")
@click.option("--again", is_flag=True, help="Also games that were reviewed before.")
@library_option
@examples("rl-toolkit library review --mine", "rl-toolkit library review 12 15 --time 0.1")
def review(
    numbers: tuple[int, ...],
    reviewer: str | None,
    time: float | None,
    again: bool,
    library: Path | None,
    **given: Any,
) -> None:
    """Review games NUMBERS, or all games that fit: accuracy and mistakes are saved with them.

    Your own mistakes become puzzles where that is proven: `puzzle mine` asks them.

    After Ctrl-C the games reviewed by then are saved; the same command continues.
    """
    from rl_toolkit.analysis import Limit
    from rl_toolkit.cli.commands.game.review import annotated, reviewer_of
    from rl_toolkit.cli.play.game_review import review_with
    from rl_toolkit.cli.ui.search import Interrupts
    from rl_toolkit.library import Filter
    from rl_toolkit.players.advisers import REVIEW_SECONDS, usual_limit
    from rl_toolkit.puzzles import LOOKED_AT, MistakesOf, PuzzleStore

    screen, where, done, known = Screen(), filter_of(given), 0, 0
    with opened(library) as found, PuzzleStore(found.path) as store:
        if found.read_only:
            raise refuse(f"{found.path} is read-only, so no review can be saved there")
        look, mine = MistakesOf(found, store), set(found.ids(Filter(mine=True)))
        mine -= set(found.ids(Filter(tag=LOOKED_AT)))
        for number in list(numbers) or found.ids(where):
            if not again and any(each is not None for each in found.head(number).accuracy):
                known += 1
                continue
            record = found.record(number)
            if len(record.moves) <= record.opening:
                continue
            env = record.replay()
            player = reviewer_of(env, reviewer)
            limit = Limit(time=time).or_else(usual_limit(player, REVIEW_SECONDS))
            reviewed = review_with(env, player, screen, Interrupts(), limit, record.opening)
            if len(reviewed.moves) < len(record.moves) - record.opening:
                break  # Ctrl-C
            judged = annotated(record, player, reviewed, env.traits, comments=False)
            accuracy = reviewed.accuracy(1), reviewed.accuracy(-1)
            found.annotate(number, judged, accuracy=accuracy)
            done += 1
            sides = " · ".join(
                f"{name} {'–' if share is None else percent(share)}"
                for name, share in zip(env.traits.pieces, accuracy, strict=True)
            )
            screen.tell(f"Game {number}: accuracy {sides}")
            if number in mine:
                look.at(number, datetime.now().timestamp())
    screen.say(f"{counted(done, 'game')} reviewed.")
    if known and not done:
        verb = "was" if known == 1 else "were"
        screen.say(f"{counted(known, 'game')} {verb} reviewed before; --again reviews once more.")
    if look.added:
        screen.say(f"{counted(look.added, 'new puzzle')} from your mistakes: puzzle mine.")
    for sentence in look.found.sentences:
        screen.tell(sentence, "dim")


@click.command(short_help="How you play: results, accuracy over time, kinds of mistakes.")
@game_option
@filter_options
@click.option("--plots", type=FILE, metavar="FOLDER", help="Write pictures (SVG) to this folder.")
@library_option
@json_option()
@examples(
    "rl-toolkit library insight",
    "rl-toolkit library insight --game reversi --since 2026",
    "rl-toolkit library insight --player Ada --plots pictures",
)
def insight(plots: Path | None, library: Path | None, as_json: bool, **given: Any) -> None:
    """Show results by opponent, side, opening and length, accuracy over time, kinds of mistakes.

    The games are those that you played against engines on the pages and in the terminal, or those
    of --player. Accuracy and mistakes are known for games that were reviewed: on the page, or by
    `library review`. Intervals are 95 % intervals.
    """
    screen, where = Screen(), filter_of(given)
    with opened(library) as found:
        seen = found.insight(where)
    pictures = {} if plots is None else seen.plots()
    if plots is not None:
        try:
            plots.mkdir(parents=True, exist_ok=True)
            for name, plot in pictures.items():
                (plots / f"{name}.svg").write_text(plot.to_svg(), "utf-8")
        except OSError as error:
            raise failure(f"{plots} cannot be written: {error.strerror}") from error
        screen.tell(f"{counted(len(pictures), 'picture')} written to {plots}.")
    if as_json:
        screen.json(seen.to_dict())
    else:
        _show(seen, where, screen)


def _show(seen: Insight, where: Filter, screen: Screen) -> None:
    if not seen.games:
        screen.say("The library has no such game of yours.")
        return
    whole = "" if seen.total is None else f", {percent(seen.total.score)} of the points"
    screen.say(f"{counted(seen.games, 'game')}{whole}, {seen.reviewed:,} reviewed.", "bold")
    for name, rows in seen.tables.items():
        if rows:
            table = plain_table(name, *_NUMBERS, "", numbers=_NUMBERS)
            for row in rows:
                table.add_row(*_cells(row))
            screen.say(table)
    if seen.accuracy:
        numbers = ("games", "mean", "95 %")
        table = plain_table("accuracy", *numbers, "", numbers=numbers)
        for point in seen.accuracy:
            first, last = point.first or "?", point.last or "?"
            days = first if first == last else f"{first} to {last}"
            shown = (percent(point.mean), _range(point.interval), _bar(point.mean))
            table.add_row(days, str(point.games), *shown)
        screen.say(table)
    if seen.mistakes:
        table = plain_table("kind of mistake", "times", numbers=("times",))
        for lesson, times in seen.mistakes:
            table.add_row(lesson, str(times))
        screen.say(table)
    counts = [
        f"{number} {mark if number == 1 else _PLURALS[mark]}"
        for mark, number in seen.marks.items()
        if number
    ]
    if counts:
        screen.say(f"In all: {', '.join(counts)}.", "dim")
    if not seen.reviewed:
        games = f"--player {as_typed(where.player)}" if where.player else "--mine"
        screen.say(f"`rl-toolkit library review {games}` finds accuracy and mistakes.", "dim")


def _cells(row: Results) -> list[str]:
    counts = (row.games, row.won, row.drawn, row.lost)
    return [row.name, *map(str, counts), percent(row.score), _range(row.interval), _bar(row.score)]


def _range(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.0f}–{100 * high:.0f} %"


def _bar(share: float) -> str:
    return "█" * round(_BAR * share)
