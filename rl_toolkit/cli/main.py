"""``rl-toolkit``: the command line, as a table of contents.

Every command is declared in `rl_toolkit.cli.commands` and imported when it is called, so that
``--help`` and ``--version`` need nothing but Click.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import NoReturn

import click

from rl_toolkit import __version__
from rl_toolkit.cli.arguments import HELP_SETTINGS, examples
from rl_toolkit.cli.exit_codes import run_command

#: Command → where it lives and its line in the overview.
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("play", "Play a game: against the computer, a friend, or watch two engines."),
    "web": ("web", "Serve pages to play, analyse and watch engines think on."),
    "analyse": ("analyse", "Ask an engine about a position."),
    "solve": ("solve", "Solve positions exactly: score and best moves, a line each."),
    "compare": ("compare", "Put one position to several engines, side by side."),
    "experiment": ("experiment", "Repeat an experiment of the courses, with a table and a plot."),
    "grade": ("grade", "Measure how often an engine is right, against the exact solver."),
    "match": ("match", "Let two engines play each other, colours and openings paired."),
    "self-play": ("self_play", "Let an engine play against itself and keep its thoughts."),
    "games": ("listings", "List the games and their variants."),
    "engines": ("listings", "List the engines and their options."),
    "levels": ("listings", "List the levels of a game."),
    "record": ("record", "Show, review, convert or check saved games."),
    "book": ("book", "Build an opening book, or look at one."),
    "train": ("train", "Train a network for a game by self-play, from nothing."),
    "learn-evaluation": (
        "learn_evaluation",
        "Train a Reversi evaluation by self-play.",
    ),
    "warmup": ("warmup", "Compile everything now, so that no game waits for it."),
    "completion": ("completion", "Print the completion script for your shell."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of `COMMANDS`: the ones people look for first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; ``None`` if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        place = COMMANDS[cmd_name][0]
        module = importlib.import_module(f"rl_toolkit.cli.commands.{place}")
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview from the table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings=HELP_SETTINGS,
    epilog="`rl-toolkit COMMAND --help` has examples. Data goes to stdout, the rest to stderr.",
)
@click.version_option(__version__, "--version", message="rl-toolkit %(version)s")
@examples(
    "rl-toolkit play tictactoe",
    "rl-toolkit play connect-four --o hard --first random",
    "rl-toolkit analyse connect-four 4453",
    "rl-toolkit experiment node-counts",
)
def cli() -> None:
    """Play, solve and understand Tic-Tac-Toe, Connect Four, Gomoku and Reversi."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave with the right exit code."""
    run_command(cli, arguments, prog_name="rl-toolkit")


if __name__ == "__main__":
    main()
