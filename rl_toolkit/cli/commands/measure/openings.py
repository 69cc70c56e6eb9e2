"""``openings make | show``: balanced openings for matches, drawn with the exact engines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.long_runs import check_writable
from rl_toolkit.cli.options import examples, json_option, seed_option
from rl_toolkit.cli.param_types import COUNT, FILE, GAME, NATURAL
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.arena.runs.openings import Balance


@click.group()
@examples(
    "rl-toolkit openings show connect-four",
    "rl-toolkit openings make connect-four --plies 8 --count 50 --save openings.txt",
)
def openings() -> None:
    """Draw balanced openings for matches, or show those of a file."""


@openings.command(short_help="Draw balanced openings and write them to a file.")
@click.argument("game", type=GAME)
@click.option("--plies", type=COUNT, default=6, help="Number of moves of an opening.")
@click.option("--count", type=COUNT, default=50, help="Number of openings to find.")
@seed_option
@click.option("--save", type=FILE, help="Write the openings to this file. Default: stdout.")
@examples(
    "rl-toolkit openings make connect-four --plies 8 --count 50 --save openings.txt",
    "rl-toolkit openings make reversi --plies 8 --count 20",
)
def make(game: str, plies: int, count: int, seed: int, save: Path | None) -> None:
    """Draw balanced openings of GAME: random moves after which the result is open.

    Where an engine proves every move, the result with best play is a draw; elsewhere the best
    engine of the game values the position near 0. At least two moves keep that, and no opening is a
    mirror image of another one. The same seed gives the same openings.
    """
    from rl_toolkit.arena.runs.openings import NODES, balance, draw_balanced, openings_text
    from rl_toolkit.utils import write_text_atomically

    check_writable("--save", save)
    screen = Screen()
    with report_errors(), ProgressReporter(screen) as progress:
        drawn = draw_balanced(
            game, plies, count, seed, lambda n: progress.update("openings", n, count)
        )
    if not drawn:
        raise refuse(f"no balanced opening of {counted(plies, 'move')} of {game} was found")
    judged = balance(drawn[0].position(game))
    how = "proven draws" if judged.proven else f"even at {NODES:,} nodes"
    number, length = counted(len(drawn), "balanced opening"), counted(plies, "move")
    about = f"{number} of {length}, {how} by {judged.by}, seed {seed}"
    text = openings_text(game, drawn, about)
    if save is None:
        sys.stdout.write(text)
    else:
        with report_errors():
            write_text_atomically(save, text)
    if len(drawn) < count:
        screen.tell(f"There are no more than {len(drawn)} that are not mirror images.")
    if save is not None:
        screen.tell(f"{save}: {about}")


@openings.command(short_help="Show openings, and whether they are balanced.")
@click.argument("game", type=GAME)
@click.argument("file", required=False)
@click.option(
    "--opening-plies", type=NATURAL, metavar="K", help="Take the first K moves of each game."
)
@click.option(
    "--check", is_flag=True, help="Ask the exact engines whether the openings are balanced."
)
@click.option("--boards", is_flag=True, help="Draw the position after each opening.")
@json_option()
@examples(
    "rl-toolkit openings show connect-four --check",
    "rl-toolkit openings show reversi games.sgf --opening-plies 8 --boards",
)
def show(
    game: str,
    file: str | None,
    opening_plies: int | None,
    check: bool,
    boards: bool,
    as_json: bool,
) -> None:
    """Show the openings of a FILE, or those that come with the package for GAME.

    A file is what --openings of a match takes: moves or positions, one on each line, or games in
    any format that can be read. The command leaves out mirror images.
    """
    from rl_toolkit.arena.runs.openings import balance, chosen_openings, opening_text

    screen = Screen()
    with report_errors():
        listed = chosen_openings(file or "balanced", game, opening_plies).listed
        if listed is None:
            raise ValueError(f"{file!r} is not a file of openings")
    texts = [opening_text(game, each) for each in listed.openings]
    positions = [each.position(game) for each in listed.openings]
    judged: list[Balance | None] = [None] * len(texts)
    if check:
        with report_errors(), ProgressReporter(screen) as progress:
            for number, env in enumerate(positions):
                judged[number] = balance(env)
                progress.update("openings", number + 1, len(texts))
    if as_json:
        screen.json(
            {
                "game": game,
                **listed.to_dict(),
                "openings": [
                    {"opening": text, "plies": len(opening.moves), **_told(each)}
                    for text, opening, each in zip(texts, listed.openings, judged, strict=True)
                ],
            }
        )
        return
    screen.say(f"{listed.name}: {len(texts)} openings of {game}", "bold")
    heads = ["", "opening", *(["value for X", "moves that keep it", "balanced"] if check else [])]
    table = plain_table(*heads, numbers=["", "value for X", "moves that keep it"])
    for number, (text, env, each) in enumerate(zip(texts, positions, judged, strict=True), 1):
        row = [str(number), text, *([] if each is None else _cells(each))]
        if boards:
            screen.say(f"{number}  {'  '.join(row[1:])}", "bold")
            screen.say(env.render(mode="ansi") or "")
        else:
            table.add_row(*row)
    if not boards:
        screen.say(table)
    if check:
        unbalanced = sum(each is not None and not each.balanced for each in judged)
        proof = (
            "proven" if all(each is not None and each.proven for each in judged) else "estimated"
        )
        screen.say(f"{len(texts) - unbalanced} of {len(texts)} are balanced ({proof}).")


def _cells(judged: Balance) -> list[str]:
    value = "?" if judged.value is None else f"{judged.value:+.2f}"
    return [value, str(judged.moves), "yes" if judged.balanced else "no"]


def _told(judged: Balance | None) -> dict[str, object]:
    if judged is None:
        return {}
    return {
        "balanced": judged.balanced,
        "proven": judged.proven,
        "by": judged.by,
        "value": judged.value,
        "moves": judged.moves,
    }
