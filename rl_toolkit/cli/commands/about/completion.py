"""``completion``: the script that lets a shell complete commands, games, levels and engines."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from rl_toolkit.cli.options import examples


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
@examples(
    'eval "$(rl-toolkit completion bash)"       in .bashrc',
    'eval "$(rl-toolkit completion zsh)"        in .zshrc',
    "rl-toolkit completion fish | source        in config.fish",
)
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    kind = get_completion_class(shell)
    assert kind is not None  # the choices are those Click knows
    root = context.find_root()
    script = kind(root.command, {}, "rl-toolkit", "_RL_TOOLKIT_COMPLETE").source()
    click.echo(script)
