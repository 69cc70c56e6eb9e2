"""``book build | show``: opening books, built in steps that can be interrupted."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.algorithms import BookPlan, BuildProgress, build_book, load_book, whole_book
from rl_toolkit.cli.arguments import make_executor, report_errors
from rl_toolkit.cli.options import examples, json_option, ray_option
from rl_toolkit.cli.param_types import COUNT, EXISTING, FILE, GAME, NATURAL
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import make_game
from rl_toolkit.utils import BookError


@click.group()
@examples(
    "rl-toolkit book build connect-four --plies 8", "rl-toolkit book show connect-four-8.book"
)
def book() -> None:
    """Build an opening book, or show what a book holds."""


@book.command(short_help="Solve every opening and save them as a book.")
@click.argument("game", type=GAME)
@click.option(
    "--plies",
    type=NATURAL,
    help="Number of moves of the openings. Default: the whole game, if it is small.",
)
@click.option(
    "--workers",
    type=COUNT,
    help="Number of threads. Default: 1; with --ray all processors that the cluster has.",
)
@ray_option
@click.option(
    "--looks", type=COUNT, default=300, help="Reversi 8x8: number of positions to expand."
)
@click.option("--depth", type=COUNT, default=11, help="Reversi 8x8: plies to search each position.")
@click.option("--output", "-o", type=FILE, help="The book to write. Default: GAME-PLIES.book.")
@examples(
    "rl-toolkit book build tictactoe",
    "rl-toolkit book build connect-four --plies 8 --workers 4",
    "rl-toolkit book build reversi-6 --plies 5 --workers 2",
    "rl-toolkit book build connect-four --plies 12 --ray",
    "rl-toolkit book build reversi --plies 20 --looks 500 --depth 12 --workers 2",
)
def build(
    game: str,
    plies: int | None,
    workers: int | None,
    ray: bool,
    looks: int,
    depth: int,
    output: Path | None,
) -> None:
    """Solve every position of GAME after PLIES moves and save them as a book.

    The book of Tic-Tac-Toe is text that people can read. Reversi on 8x8 cannot be solved: its book
    holds the likeliest positions instead, each searched DEPTH plies deep.

    The command saves its work every few seconds: after Ctrl-C or a crash, run the same command to
    resume.
    """
    env = make_game(game)
    plies = whole_book(env) if plies is None else plies
    if plies is None:
        raise click.UsageError(f"--plies is missing: {env.name} is too large for a whole book")
    screen, path = Screen(), output or Path(f"{game}-{plies}.book")
    # Without Ray threads of this process: they share one table, or start at once.
    executor = make_executor(workers, ray) if ray else None
    with (
        report_errors(BookError),
        resumable(screen, f"What is solved is saved beside {path}"),
        ProgressReporter(screen) as progress,
    ):

        def listen(built: BuildProgress) -> None:
            left = built.seconds_left
            progress.update("positions", built.solved, built.positions, seconds_left=left)

        plan = BookPlan(plies, workers or 1, looks, depth, executor)
        made = build_book(env, plan, path, listen)
    assert made is not None  # no stop signal was given
    screen.say(f"{path}: {made.describe()}, {path.stat().st_size:,} bytes")
    if executor is not None:
        from rl_toolkit.cli.long_runs import tell_work

        tell_work(screen, executor.account)


@book.command(short_help="Say which positions a book holds.")
@click.argument("file", type=EXISTING)
@json_option()
@examples("rl-toolkit book show connect-four-8.book")
def show(file: Path, as_json: bool) -> None:
    """Say which positions a book holds, or that the book is damaged."""
    with report_errors(BookError):
        loaded = load_book(file)
    if as_json:
        size = file.stat().st_size
        Screen().json({"file": str(file), "bytes": size, "holds": loaded.describe()})
    else:
        Screen().say(f"{file}: {loaded.describe()}")
