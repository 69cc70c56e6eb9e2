"""``puzzle``: positions with one right move, to be solved, made and listed."""

from rl_toolkit.cli.commands.puzzle.group import puzzle

__all__ = ["puzzle"]
