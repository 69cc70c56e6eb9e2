"""The group of all commands: a command's module is imported when the command is called."""

from __future__ import annotations

import importlib
import os
from keyword import iskeyword

import click

from rl_toolkit import __version__
from rl_toolkit.cli.options import HELP_SETTINGS, examples
from rl_toolkit.cli.program.overview import (
    COMMANDS,
    EPILOG,
    EXAMPLES,
    PAGES,
    PLUGIN,
    VERSION,
    overview,
)
from rl_toolkit.utils import did_you_mean

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
        attribute = name.replace("-", "_")
        command = getattr(module, f"{attribute}_" if iskeyword(attribute) else attribute)
        for part in rest:
            command = command.commands[part]
        assert isinstance(command, click.Command)
        if not rest and name in PAGES and not command.epilog:
            command.epilog = f"More: rl-toolkit help page {PAGES[name]}"
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

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview, without importing the commands."""
        formatter.write(overview(formatter.width))


@click.group(cls=LazyGroup, context_settings=HELP_SETTINGS, epilog=EPILOG)
@click.version_option(__version__, "--version", message="rl-toolkit %(version)s", help=VERSION)
@click.option("--plugin", "plugins", multiple=True, metavar="FILE", help=PLUGIN)
@examples(*EXAMPLES)
def cli(plugins: tuple[str, ...]) -> None:
    """Play, solve and understand Tic-Tac-Toe, Connect Four, Gomoku and Reversi."""
    if plugins or "RL_TOOLKIT_PLUGINS" in os.environ:
        from rl_toolkit.utils.plugins import PluginError, load_variable

        try:
            load_variable()
            for file in plugins:
                _load(file)
        except PluginError as error:
            raise click.UsageError(str(error)) from error


def _load(file: str) -> None:
    """Load a file that registers games or engines, or has one game that nothing registers."""
    from rl_toolkit.utils.plugins import PluginError, load_plugin

    try:
        load_plugin(file)
    except PluginError as error:
        from rl_toolkit.adapting import load_game

        try:
            load_game(file)
        except (ValueError, TypeError):
            raise error from None
