"""Play, solve, learn and understand two-player board games.

>>> import rl_toolkit as rlt
>>> env = rlt.make_game("connect-four")
>>> rlt.make_engine("exact").analyse(env).best.name
'd'

The names below are imported when they are first used, so ``import rl_toolkit`` takes no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.adapting import adapt_game
    from rl_toolkit.analysis import Analysis, Candidate, Engine, Limit
    from rl_toolkit.envs import BoardGame, Position, make_game, register_game
    from rl_toolkit.envs.registry import list_games
    from rl_toolkit.explain import explain_move
    from rl_toolkit.kernels.compiling.compile_news import set_compile_news
    from rl_toolkit.library import Library
    from rl_toolkit.players import make_engine, make_player, register_engine
    from rl_toolkit.records import (
        GameRecord,
        position_to_text,
        read_games,
        read_position,
        write_games,
    )

__version__ = "0.3.0"

__all__ = [
    "Analysis",  # what an engine says of a position
    "BoardGame",  # the base of a game of your own, in a dozen lines
    "Candidate",  # one legal move and its evaluation
    "Engine",  # anything that analyses positions
    "GameRecord",  # one game, finished or not, as data
    "Library",  # your games in one file, searched by position
    "Limit",  # how long an engine may search
    "Position",  # a game, its start and its moves, as a value
    "adapt_game",  # make a game of somebody else's class or object
    "explain_move",  # the sentence about a move
    "list_games",  # the names of all games
    "make_engine",  # an engine by its name and options
    "make_game",  # a new game by its name
    "make_player",  # a level, a rating or an engine by its name
    "position_to_text",  # a position as the text that `read_position` reads
    "read_games",  # all games in a file
    "read_position",  # a game in the position that a text describes
    "register_engine",  # make a kind of engine of your own available by name
    "register_game",  # make a game of your own available by name
    "set_compile_news",  # choose who is told about compiling
    "write_games",  # write games to a file
]
__getattr__, __dir__ = front_door(__name__)
