"""``book build | show``."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import GAME, examples


@click.group()
@examples(
    "rl-toolkit book build connect-four --plies 8", "rl-toolkit book show connect-four-8.book"
)
def book() -> None:
    """Build an opening book, or look at one."""


@book.command(short_help="Solve every opening and write them down.")
@click.argument("game", type=GAME)
@click.option("--plies", type=click.IntRange(min=0), required=True, help="How many moves deep.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option(
    "--looks",
    type=click.IntRange(min=1),
    default=300,
    show_default=True,
    help="Reversi 8×8: how many positions to look into.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=11,
    show_default=True,
    help="Reversi 8×8: how many plies deep.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Default: GAME-PLIES.book.")
@examples(
    "rl-toolkit book build connect-four --plies 8 --workers 4",
    "rl-toolkit book build reversi-6 --plies 5 --workers 2",
    "rl-toolkit book build reversi --plies 20 --looks 500 --depth 12",
)
def build(game: str, plies: int, workers: int, looks: int, depth: int, output: Path | None) -> None:
    """Solve every position of GAME with PLIES moves and write them down as a book.

    Reversi on 8×8 cannot be solved: its book holds the likeliest positions instead, each looked
    into DEPTH plies deep by one worker.

    What is solved is kept every few seconds: after Ctrl-C, or a crash, the same command goes on
    where it was.
    """
    from rl_toolkit.cli.commands._book_building import Plan
    from rl_toolkit.cli.commands._book_building import build as run

    run(game, Plan(plies, workers, looks, depth), output or Path(f"{game}-{plies}.book"))


@book.command(short_help="Say which positions a book holds.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@examples("rl-toolkit book show connect-four-8.book")
def show(file: Path) -> None:
    """Say which positions a book holds; a damaged book is refused."""
    from rl_toolkit.cli.commands._book_building import show as run

    run(file)
