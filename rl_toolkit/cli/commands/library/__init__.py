"""``library``: a person's games in one file, imported, searched, explored and exported."""

from rl_toolkit.cli.commands.library.group import library

__all__ = ["library"]
