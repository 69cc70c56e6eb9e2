"""``rl-toolkit``: the command line, as a table of contents.

Every command has a file in `rl_toolkit.cli.commands`, which is imported when the command is called:
``--help`` and ``--version`` need nothing but Click.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import NoReturn

import click

from rl_toolkit import __version__
from rl_toolkit.cli.exit_codes import run_command
from rl_toolkit.cli.options import HELP_SETTINGS, examples
from rl_toolkit.utils.messages import did_you_mean

#: Command → its module and its line in the overview.
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("play", "Play a game against the computer or a friend, or watch two engines."),
    "web": ("web", "Serve web pages to play, analyse and watch engines think."),
    "analyse": ("analyse", "Ask an engine about a position."),
    "solve": ("solve", "Solve positions exactly: score and best moves, one line each."),
    "compare": ("compare", "Compare the answers of several engines for one position."),
    "trace": ("measure.trace", "Tell step by step what a search does, and why it cuts."),
    "experiment": (
        "measure.experiment",
        "Repeat an experiment of the courses, with a table and a plot.",
    ),
    "accuracy": (
        "measure.accuracy",
        "Measure how often an engine is right, against the exact solver.",
    ),
    "match": ("measure.match", "Let two engines play each other, colours and openings paired."),
    "tournament": (
        "measure.tournament",
        "Let many engines play each other, and rate them together.",
    ),
    "calibrate": ("measure.calibrate", "Rate the levels of a game in Elo, until exact enough."),
    "openings": ("measure.openings", "Draw balanced openings for matches, or show some."),
    "scorecard": (
        "measure.scorecard",
        "Show on one card what an engine, bot or network can do, in all games it plays.",
    ),
    "self-play": ("measure.self_play", "Let an engine play against itself and save its analyses."),
    "gtp": ("protocols", "Play through GTP, for programs that show or referee games."),
    "gomocup": ("protocols", "Play Gomoku through the protocol of Gomocup and Piskvork."),
    "nboard": ("protocols", "Play Reversi as an engine of the program NBoard."),
    "service": ("protocols", "Analyse positions: queries and answers as JSON lines."),
    "lab": ("lab", "Do the labs of the courses, guided and checked."),
    "games": ("about.listings", "List the games and their variants."),
    "engines": ("about.listings", "List the engines and their options."),
    "engine": ("engine", "Write a bot of your own, and check it."),
    "levels": ("about.listings", "List the levels of a game."),
    "game": ("game", "Show, review, convert, count or check saved games."),
    "book": ("book", "Build an opening book, or show what one holds."),
    "train": ("train", "Train a network, or an evaluation for Reversi or Gomoku, by self-play."),
    "warmup": ("warmup", "Compile everything now, so that no game has to wait for it."),
    "help": ("about.help", "Explain a command, a game, an engine, or the words for values."),
    "completion": ("about.completion", "Print the completion script for your shell."),
}

#: Other spellings and former names, which work and are not listed.
ALIASES: dict[str, tuple[str, ...]] = {
    "analyze": ("analyse",),
    "grade": ("accuracy",),
    "learn-evaluation": ("train", "evaluation"),
    "record": ("game",),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called, not when they are listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command; ``None`` if there is none of that name."""
        name, *rest = ALIASES.get(cmd_name, (cmd_name,))
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"rl_toolkit.cli.commands.{COMMANDS[name][0]}")
        command = getattr(module, name.replace("-", "_"))
        for part in rest:
            command = command.commands[part]
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a usage error that suggests one if there is none of that name."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            meant = did_you_mean(name, [*COMMANDS, *ALIASES])
            hint = "`rl-toolkit --help` lists them"
            if name.lower() == "legend":
                hint = "did you mean help legend?"
            elif meant is not None:
                hint = f"did you mean {' '.join(ALIASES.get(meant, (meant,)))}?"
            raise click.UsageError(f"there is no command {name!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

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
@click.option(
    "--plugin",
    "plugins",
    multiple=True,
    metavar="FILE",
    help="Load a file of yours that registers games or engines; may be repeated.",
)
@examples(
    "rl-toolkit play tictactoe",
    "rl-toolkit play connect-four --o hard --first random",
    "rl-toolkit analyse connect-four 4453",
    "rl-toolkit experiment node-counts",
)
def cli(plugins: tuple[str, ...]) -> None:
    """Play, solve and understand Tic-Tac-Toe, Connect Four, Gomoku and Reversi."""
    if plugins or "RL_TOOLKIT_PLUGINS" in os.environ:
        from rl_toolkit.utils.plugins import PluginError, load_plugin, load_variable

        try:
            load_variable()
            for file in plugins:
                load_plugin(file)
        except PluginError as error:
            raise click.UsageError(str(error)) from error


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with the right code."""
    run_command(cli, arguments, prog_name="rl-toolkit")


if __name__ == "__main__":
    main()
