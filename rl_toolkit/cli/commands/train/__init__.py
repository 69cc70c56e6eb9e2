"""``train``: networks and evaluations that learn by self-play."""

from rl_toolkit.cli.commands.train.group import train

__all__ = ["train"]
