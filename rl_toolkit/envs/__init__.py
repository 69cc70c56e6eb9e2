"""The games, one file each, and the registry that finds them by name.

`adapt_game`, `as_game`, `own_move`, `play_move`, `load_game`, `game_failure` and `naming_failures`
belong to `rl_toolkit.adapting`, the layer above, which is loaded when one of them is used first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.adapting import adapt_game, game_failure, load_game, naming_failures
    from rl_toolkit.envs.base_game import BaseGameEnv
    from rl_toolkit.envs.bases.board_game import DRAWN, RUNNING, BoardGame, Verdict
    from rl_toolkit.envs.bases.text_game import TextGame
    from rl_toolkit.envs.connect_four import ConnectFour
    from rl_toolkit.envs.errors import (
        AdaptationError,
        GameError,
        GameFailedError,
        GameOverError,
        IllegalMoveError,
        InvalidMoveError,
        InvalidPositionError,
        PositionError,
        RecordError,
        UnknownGameError,
    )
    from rl_toolkit.envs.gomoku import Gomoku
    from rl_toolkit.envs.position import Position
    from rl_toolkit.envs.registry import (
        GameFamily,
        family_of,
        game_families,
        make_game,
        register_game,
    )
    from rl_toolkit.envs.reversi import Reversi
    from rl_toolkit.envs.symmetry import Symmetry
    from rl_toolkit.envs.tictactoe import TicTacToe
    from rl_toolkit.envs.traits import FormField, GameTraits, for_game, size_text

if TYPE_CHECKING:  # older names: they still work, the door no longer offers them
    from rl_toolkit.adapting import as_game as as_game
    from rl_toolkit.adapting import own_move as own_move
    from rl_toolkit.adapting import play_move as play_move
    from rl_toolkit.envs.bases.line_game import LineGame as LineGame
    from rl_toolkit.envs.derived.core import StepResult as StepResult
    from rl_toolkit.envs.position import PositionKey as PositionKey
    from rl_toolkit.envs.position import position_key as position_key

if TYPE_CHECKING:  # a part of `GameTraits`, for which the door has no room
    from rl_toolkit.envs.traits import FamousPosition as FamousPosition

__all__ = [
    "DRAWN",  # The verdict that a game is drawn
    "RUNNING",  # The verdict that a game is not over
    "AdaptationError",  # A class that cannot be made a game
    "BaseGameEnv",  # A game in progress, changed by `step` and `undo`
    "BoardGame",  # A game whose position is a board and a side to move
    "ConnectFour",  # `win_length` in a row, with gravity
    "FormField",  # A field of the form in which people choose a variant
    "GameError",  # The base of all errors raised by games; the message is written for people
    "GameFailedError",  # The code of a game from outside raised an error
    "GameFamily",  # The games that one class makes
    "GameOverError",  # A move after the end of the game
    "GameTraits",  # What engines and front ends need to know about a game besides its rules
    "Gomoku",  # `win_length` in a row on crossings; +1 is black
    "IllegalMoveError",  # A well-formed move that is illegal in the position
    "InvalidMoveError",  # Not a move at all
    "InvalidPositionError",  # A board that cannot be set up
    "Position",  # A game after some moves; equal to another if game, start and moves are equal
    "PositionError",  # Text that is not a position of the game
    "RecordError",  # The base of all errors in text that is read
    "Reversi",  # Flip the discs you enclose; the side with more discs wins
    "Symmetry",  # A symmetry of the rules: cells and moves
    "TextGame",  # A game given by functions of a state that is never changed
    "TicTacToe",  # `win_length` in a row on a board of any size
    "UnknownGameError",  # A name that is not in the registry; the message lists those that are
    "Verdict",  # The state of a game: running, won or drawn
    "adapt_game",  # Make a game of somebody else's class or object
    "family_of",  # The family of games that a game belongs to
    "for_game",  # The entry of a table for a game's class or its nearest base class
    "game_failure",  # The mistake of a game from outside that an error shows
    "game_families",  # Every family of games, by name
    "load_game",  # Load a game from a Python file
    "make_game",  # A new game by its name
    "naming_failures",  # Raise mistakes of games inside a block as `GameFailedError`
    "register_game",  # Make a class of games available under its name
    "size_text",  # The size of a board, as it is written
]
__getattr__, __dir__ = front_door(__name__)
