"""``class``: a class from the roster to the grades."""

from rl_toolkit.cli.commands.classroom.group import class_

__all__ = ["class_"]
