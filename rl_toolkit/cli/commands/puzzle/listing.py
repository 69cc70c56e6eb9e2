"""``puzzle list | show``: which puzzles there are; and sets for a class."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.commands.puzzle.training import (
    checked_theme,
    full_name,
    puzzles_for,
    stored,
    theme_option,
)
from rl_toolkit.cli.library_options import library_option
from rl_toolkit.cli.long_runs import check_writable
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, FILE, GAME, NATURAL
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.puzzles import Puzzle

#: The address of a server on this machine, for links.
_SERVER = "http://localhost:5001"
#: Puzzles that a link may name: longer addresses do not work everywhere.
_MOST_LINKED = 60


@click.command("list", short_help="List puzzles, or write some as a set for a class.")
@click.argument("game", type=GAME, required=False)
@theme_option
@click.option("--from", "low", type=NATURAL, default=0, help="Difficulty at least.")
@click.option("--to", "high", type=NATURAL, default=9999, help="Difficulty at most.")
@click.option("--count", type=COUNT, help="So many, spread over the difficulties.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write them as a set.")
@click.option("--title", default="", show_default=False, help="With -o: what the set is called.")
@click.option(
    "--link",
    is_flag=False,
    flag_value=_SERVER,
    default="",
    show_default=False,
    metavar="SERVER",
    help=f"Print a link to the set on a server. Without SERVER: {_SERVER}.",
)
@json_option("one line of JSON for each puzzle, without its solution")
@examples(
    "rl-toolkit puzzle list",
    "rl-toolkit puzzle list connect-four --theme hold --from 600 --to 900",
    "rl-toolkit puzzle list gomoku --theme defend --count 10 --title 'Week 3' -o week3.txt",
    "rl-toolkit puzzle list reversi --count 8 --link",
)
def list_(
    game: str | None,
    theme: str,
    low: int,
    high: int,
    count: int | None,
    output: Path | None,
    title: str,
    link: str,
    as_json: bool,
) -> None:
    """List the puzzles of GAME; without GAME, how many there are of each kind.

    A set is a file or a link that anybody can open: `puzzle next --set FILE`, or the page /puzzles.
    """
    from rl_toolkit.puzzles import PuzzleSet

    screen, theme = Screen(), checked_theme(theme)
    check_writable("-o", output)
    if game is None:
        if output is not None or link:
            raise refuse("a set needs GAME, the name of one game")
        _overview(screen)
        return
    fitting = [
        each
        for each in puzzles_for(full_name(game))
        if low <= each.rating <= high and (not theme or each.kind == theme)
    ]
    chosen = spread(fitting, count)
    if not chosen:
        screen.say("There is no such puzzle.")
        return
    if output is not None:
        with report_errors():
            PuzzleSet(chosen[0].game, chosen, title=title).save(output)
        screen.tell(f"Written: {output}, {counted(len(chosen), 'puzzle')}", "dim")
    if link:
        if len(chosen) > _MOST_LINKED:
            raise refuse(f"a link names at most {_MOST_LINKED} puzzles; add --count")
        screen.line(f"{link.rstrip('/')}/puzzles?set={set_names(chosen)}")
    if output is not None or link:
        return
    if as_json:
        for each in chosen:
            screen.json(each.to_dict())
        return
    table = plain_table("puzzle", "kind", "rating", "own moves", numbers=("rating", "own moves"))
    for each in chosen:
        table.add_row(each.name, each.kind, str(each.rating), str(each.steps))
    screen.say(table)


def set_names(puzzles: list[Puzzle]) -> str:
    """Puzzles of one game in a link: ``connect-four:11366b36,0b…``."""
    return f"{puzzles[0].game}:{','.join(each.number for each in puzzles)}"


def spread(puzzles: list[Puzzle], count: int | None) -> list[Puzzle]:
    """Some puzzles, from easy to hard, evenly over the list."""
    ranked = sorted(puzzles, key=lambda each: (each.rating, each.number))
    if count is None or count >= len(ranked):
        return ranked
    return [ranked[(2 * k + 1) * len(ranked) // (2 * count)] for k in range(count)]


def _overview(screen: Screen) -> None:
    """How many puzzles of each kind a game has: a row for each, as games may have long names."""
    from rl_toolkit.puzzles import KINDS, shipped, shipped_games

    table = plain_table("game", "kind", "theme", "puzzles", numbers=("puzzles",))
    for game in shipped_games():
        counts = Counter(each.kind for each in shipped(game))
        named = game
        for kind, (theme, _) in KINDS.items():
            if counts[kind]:
                table.add_row(named, kind, theme, str(counts[kind]))
                named = ""
        table.add_row(named, "all", "", str(counts.total()))
    screen.say(table)


@click.command(short_help="Show a puzzle, and its solution with --solution.")
@click.argument("name")
@click.option("--solution", is_flag=True, help="Show the solution, too.")
@library_option
@examples("rl-toolkit puzzle show connect-four/11366b36 --solution")
def show(name: str, solution: bool, library: Path | None) -> None:
    """Show the puzzle NAME, which `puzzle list` and the page say."""
    from rl_toolkit.puzzles import KINDS, shipped_puzzle, story, task

    screen = Screen()
    with stored(library) as store:
        own = store.puzzles().get(name.strip().lower())
    with report_errors():
        puzzle = own[0] if own else shipped_puzzle(name)
        env = puzzle.env()
    screen.say(draw_board(env, screen.width))
    screen.say(f"{task(puzzle, letters=True)} {story(puzzle)}".strip(), "bold")
    screen.say(
        f"{puzzle.name} · {KINDS[puzzle.kind][0]} · {puzzle.rating} · "
        f"{counted(puzzle.steps, 'own move')}",
        "dim",
    )
    if puzzle.moves:
        screen.say(f"The last move was {env.line_names(puzzle.moves)[-1]}.", "dim")
    if solution:
        screen.say(f"Solution: {' '.join(env.line_names(puzzle.line))}")
        if puzzle.tempting:
            screen.say(f"Tempting: {' '.join(env.move_name(each) for each in puzzle.tempting)}")
