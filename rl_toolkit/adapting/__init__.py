"""Games from classes that students write: without a base class, or in a form of their own.

Such a class keeps its board in any way: a list of nine, a list of rows, a NumPy array, a
dictionary; its players are ``'X'`` and ``'O'``, 1 and 2, ±1; ``step`` returns what it likes.

* `spellings`: the names under which boards, players, moves and results are found
* `boards`: read and write such a board
* `form`: `Form`, how board, moves and players are written; guessed here, stated by labs
* `objects`: read and play one object of the class
* `learning`: find out by play how the class writes its moves, pieces and winners
* `set_up`: bring an object to a position
* `game`: the game around the objects of a class
* `usual`: classes that need no translation, only the base class
* `on_base`: classes on `BaseGameEnv` that keep their own form
* `adapt`: `adapt_game`, which makes a game of the toolkit from all that
* `from_file`: games in files
* `failures`: errors in such code, as a sentence with its file and line
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.adapting.adapt import (
        adapt_game,
        as_answering_game,
        as_game,
        looks_playable,
        number_of_move,
        own_move,
        own_object,
        plain_class,
        play_move,
    )
    from rl_toolkit.adapting.boards import BoardFormatError
    from rl_toolkit.adapting.failures import (
        error_text,
        files_of,
        game_failure,
        is_from_outside,
        naming_failures,
    )
    from rl_toolkit.adapting.form import Form, MoveKind, whole
    from rl_toolkit.adapting.from_file import is_game_file, load_game, typed_name
    from rl_toolkit.adapting.game import AdaptedGame

__all__ = [
    "AdaptedGame",  # A game of the toolkit that asks somebody else's object
    "BoardFormatError",  # A board that a `Form` cannot read
    "Form",  # The student's own board, moves and players
    "MoveKind",  # How a class writes moves: numbers, pairs, letters, names or objects
    "adapt_game",  # Make a game of somebody else's class or object
    "as_answering_game",  # The game that answers for an object in its own form
    "as_game",  # A game of the toolkit as it is, anything else through `adapt_game`
    "error_text",  # An error of somebody else's code, with its file and line
    "files_of",  # The files outside the toolkit in which a class is written
    "game_failure",  # The mistake of a game from outside that an error shows
    "is_from_outside",  # Whether something is a game of a class that is not the toolkit's
    "is_game_file",  # Whether a text names a file, and not a game of the registry
    "load_game",  # Load a game from a Python file
    "looks_playable",  # Whether a class or object has what a game needs
    "naming_failures",  # Raise mistakes of games inside a block as `GameFailedError`
    "number_of_move",  # The number of a move that a class writes in its own way
    "own_move",  # A move as the class of an adapted game writes it
    "own_object",  # The position as an object of the class that was adapted; other games are copied
    "plain_class",  # The class that was adapted, ``None`` for a game on the base in the usual form
    "play_move",  # Play a move on a game of any class
    "typed_name",  # What to type to name a game
    "whole",  # A whole number; digits are one too, truth values are not
]
__getattr__, __dir__ = front_door(__name__)
