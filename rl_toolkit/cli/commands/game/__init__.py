"""``game``: saved games, shown, reviewed, converted and counted."""

from rl_toolkit.cli.commands.game.group import game

__all__ = ["game"]
