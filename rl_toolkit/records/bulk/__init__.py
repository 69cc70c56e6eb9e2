"""Games of a file before their moves are checked: for programs that read thousands of them.

`raw_games` does not replay anything, so it is a hundred times faster than `iter_games`. The caller
checks the moves of many games at once, and asks a `RawGame` for its record where they are wrong:
that reads the game in the usual way, and says what is wrong with it.
"""

from rl_toolkit.records.bulk.raw_game import RawGame
from rl_toolkit.records.bulk.reading import GameFile, raw_games

__all__ = [
    "GameFile",  # a file of games, read into memory
    "RawGame",  # a game of a file, not checked
    "raw_games",  # the games of a file, one after the other
]
