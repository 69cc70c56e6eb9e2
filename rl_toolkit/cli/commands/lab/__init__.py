"""``lab``: the labs of the courses, started, checked and handed in."""

from rl_toolkit.cli.commands.lab.group import lab

__all__ = ["lab"]
