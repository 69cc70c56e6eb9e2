"""``course``: companions to the handouts, started and checked."""

from rl_toolkit.cli.commands.course.group import course

__all__ = ["course"]
