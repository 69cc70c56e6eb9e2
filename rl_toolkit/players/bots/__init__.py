"""Bots in files: found by `finding`, run in a process of their own, asked by `BotEngine`.

The process is a worker (see `utils.isolation`): limits, an empty folder, no stdin, its prints
captured, ended with all that it has started. No code of a bot runs in this process, and nothing
that a bot sends is unpickled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.players.bots.finding import CHOOSING

__all__ = [
    "CHOOSING",  # The methods with which a class chooses a move, the first of which is called
]
__getattr__, __dir__ = front_door(__name__)
