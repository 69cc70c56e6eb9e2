"""Other programs as engines, and our engines as programs: GTP, Gomocup, NBoard and JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.protocols.gomocup.server import GomocupServer
    from rl_toolkit.protocols.gomocup.squares import can_play
    from rl_toolkit.protocols.gtp.server import GtpServer
    from rl_toolkit.protocols.nboard.server import NBoardServer
    from rl_toolkit.protocols.service.client import PackageEngine
    from rl_toolkit.protocols.service.server import AnalysisService

__all__ = [
    "AnalysisService",  # Answers queries as JSON lines with engines
    "GomocupServer",  # Answers the commands of Gomocup with an engine
    "GtpServer",  # Answers GTP commands with an engine
    "NBoardServer",  # Answers the commands of NBoard with an engine
    "PackageEngine",  # An engine of the package in the folder ``path``, asked through its service
    "can_play",  # Whether Gomocup can play this game
]
__getattr__, __dir__ = front_door(__name__)
