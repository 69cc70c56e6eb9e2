"""``puzzle progress``: ratings, themes and what is due; exported, read and erased."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from rl_toolkit.cli.arguments import confirm, report_errors
from rl_toolkit.cli.commands.puzzle.solving import CLOCK
from rl_toolkit.cli.commands.puzzle.training import stored
from rl_toolkit.cli.library_options import library_option
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import EXISTING, FILE
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.puzzles import Attempt, Review
from rl_toolkit.utils import counted, percent, write_text_atomically

#: The heights of a plot in one line.
_HEIGHTS = "▁▂▃▄▅▆▇█"
_POINTS = 40


@click.command(short_help="Your ratings, themes, what is due; export or erase it all.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write everything to a file.")
@click.option(
    "--read",
    type=EXISTING,
    metavar="FILE",
    help="Add what such a file holds, from here or from the page.",
)
@click.option("--erase", is_flag=True, help="Erase all attempts and puzzles of yours.")
@click.option("--yes", is_flag=True, help="With --erase: do not ask.")
@library_option
@json_option("everything as JSON, as in the file")
@examples(
    "rl-toolkit puzzle progress",
    "rl-toolkit puzzle progress -o progress.json",
    "rl-toolkit puzzle progress --read progress.json     from the page, or another machine",
    "rl-toolkit puzzle progress --erase",
)
def progress(
    output: Path | None,
    read: Path | None,
    erase: bool,
    yes: bool,
    library: Path | None,
    as_json: bool,
) -> None:
    """Show how you do: a rating for each game, how many of each theme you solve, what is due."""
    screen = Screen()
    with stored(library) as store:
        if read is not None:
            with report_errors():
                attempts, puzzles = store.read(read.read_text("utf-8"))
            screen.say(f"{counted(attempts, 'attempt')} and {counted(puzzles, 'puzzle')} were new.")
        elif erase:
            if not yes:
                confirm("Erase all your attempts and puzzles?", "Nothing was erased.")
            screen.say(f"{counted(store.erase(), 'attempt')} erased.")
        elif output is not None:
            with report_errors():
                write_text_atomically(output, store.to_json())
            screen.tell(f"Written: {output}", "dim")
        elif as_json:
            screen.line(store.to_json().rstrip())
        else:
            _show(store.attempts(), store.reviews(), screen)


def _show(attempts: list[Attempt], reviews: list[Review], screen: Screen) -> None:
    from rl_toolkit.puzzles import KINDS, days_in_a_row, standings

    if not attempts and not reviews:
        screen.say("You have not tried a puzzle yet: `rl-toolkit puzzle next` shows one.")
        return
    now = CLOCK.now()
    found = standings(attempts, reviews)
    heads = ("rating", "tried", "solved", "due")
    table = plain_table("", *heads, "", numbers=heads)
    for game, standing in sorted(found.items()):
        tried, solved = sum(standing.tried.values()), sum(standing.solved.values())
        due = len(standing.due(now))
        if tried or due:
            rating = f"{standing.glicko.rating:.0f} ± {standing.glicko.deviation:.0f}"
            table.add_row(
                game,
                rating if standing.rated else "–",
                str(tried),
                percent(solved / tried) if tried else "–",
                str(due),
                _plot([rating for _, rating in standing.history]),
            )
    screen.say(table)
    if not attempts:
        return
    table = plain_table("theme", "tried", "solved", numbers=("tried", "solved"))
    for kind, (theme, _) in KINDS.items():
        tried = sum(each.tried.get(kind, 0) for each in found.values())
        if tried:
            solved = sum(each.solved.get(kind, 0) for each in found.values())
            table.add_row(theme, str(tried), percent(solved / tried))
    screen.say(table)
    days = days_in_a_row(attempts, datetime.fromtimestamp(now).date())
    if days:
        screen.say(f"{counted(days, 'day')} in a row with a puzzle solved.")


def _plot(values: list[float]) -> str:
    """A line of bars, at most `_POINTS` of them."""
    if len(values) < 2:
        return ""
    some = [
        values[k * len(values) // min(_POINTS, len(values))]
        for k in range(min(_POINTS, len(values)))
    ] + [values[-1]]
    low, high = min(some), max(some)
    span = (high - low) or 1.0
    return "".join(_HEIGHTS[int((value - low) / span * (len(_HEIGHTS) - 1))] for value in some)
