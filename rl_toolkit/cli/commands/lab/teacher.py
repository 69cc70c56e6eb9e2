"""``lab new`` and ``lab verify``: labs of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from rl_toolkit.cli.arguments import check_isolation, report_errors
from rl_toolkit.cli.options import examples
from rl_toolkit.cli.param_types import FILE, WholeNumber
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.utils import as_typed


@click.command()
@click.argument("folder", type=FILE)
@examples("rl-toolkit lab new my_lab")
def new_command(folder: Path) -> None:
    """Write a small complete lab into FOLDER, for you to change."""
    from rl_toolkit.labs.folder import write_template

    with report_errors():
        files = write_template(folder)
    screen, quoted = Screen(), as_typed(str(folder))
    screen.say(f"{folder} is a lab with {len(files)} files. Change it, then:")
    screen.say(f"  rl-toolkit lab verify {quoted}   proves it sound")
    screen.say(f"  rl-toolkit lab start {quoted}    begins it as a student")


@click.command()
@click.argument("labs", metavar="[ID|FOLDER]...", nargs=-1)
@click.option("--update", is_flag=True, help="Store the answers of the typical mistakes again.")
@click.option(
    "--seeds",
    type=WholeNumber(1, 1000),
    default=1,
    show_default=True,
    help="Draw positions with this many seeds; the verdict must be the same with each.",
)
@examples("rl-toolkit lab verify my_lab --update", "rl-toolkit lab verify L05 --seeds 20")
def verify_command(labs: tuple[str, ...], update: bool, seeds: int) -> None:
    """Prove that labs are sound; without a name, those of the catalogue.

    The solution must get all points, the skeleton none and kind words, and every typical mistake
    must be named. The solutions of the catalogue are in the repository, not in the package.
    """
    check_isolation()
    from rl_toolkit.labs import find_lab
    from rl_toolkit.labs import labs as catalogue
    from rl_toolkit.labs.checking import verify_lab

    screen = Screen()
    failed = False
    with report_errors():
        for lab in [find_lab(name) for name in labs] if labs else catalogue():
            verdict = verify_lab(lab, update=update, seeds=seeds)
            failed |= not verdict.is_sound
            for problem in verdict.problems:
                screen.say(f"{lab.id}: {problem}", "red")
            for note in verdict.notes:
                screen.say(f"{lab.id}: {note}", "dim")
            if verdict.is_sound:
                named = f"{len(verdict.named)} of {len(lab.mistakes)} mistakes named"
                screen.say(f"{lab.id} {lab.title} is sound: {named}.", "green")
    if failed:
        raise click.exceptions.Exit(1)
