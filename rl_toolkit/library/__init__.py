"""Games in a database: saved, imported, searched by position or pattern, and counted move by move.

The layer does not search moves: what a move is worth is asked at a front end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.library.database import Database, library_file
    from rl_toolkit.library.errors import (
        DamagedLibraryError,
        LibraryError,
        NewerLibraryError,
        NoSuchGameError,
        ReadOnlyLibraryError,
    )
    from rl_toolkit.library.filters import Filter, GameHead, KindStats, Page
    from rl_toolkit.library.importing import ImportReport, Refused, files_in
    from rl_toolkit.library.insight import Insight, Results
    from rl_toolkit.library.library import Library
    from rl_toolkit.library.maintenance import CheckReport, Rescue, rescue
    from rl_toolkit.library.positions.explorer import Explored, MoveCount
    from rl_toolkit.library.positions.targets import Pattern

__all__ = [
    "CheckReport",  # What `Library.check` found
    "DamagedLibraryError",  # The file is damaged; `rescue` saves what can be read
    "Database",  # The SQLite file of a library
    "Explored",  # A position as the games of a library know it
    "Filter",  # Which games are asked for
    "GameHead",  # What a list shows of a saved game
    "ImportReport",  # What an import did
    "Insight",  # How somebody plays: results, accuracy, mistakes
    "KindStats",  # How many games of one name there are, and how they ended
    "Library",  # The games of a person in one file
    "LibraryError",  # A library that cannot be opened, read or written
    "MoveCount",  # A move that was played in a position, with its games
    "NewerLibraryError",  # A newer version of the toolkit has written the file
    "NoSuchGameError",  # The library has no game of that number
    "Page",  # Games that were found
    "Pattern",  # Some cells of a board, to be searched for
    "ReadOnlyLibraryError",  # The file may be read, not changed
    "Refused",  # A game that an import set aside, and why
    "Rescue",  # What became of a damaged file
    "Results",  # Games of one sort, as their player sees them
    "files_in",  # The files of games among some paths and in folders
    "library_file",  # The file of the user's library
    "rescue",  # Set a damaged library aside, and save what can be read
]
__getattr__, __dir__ = front_door(__name__)
