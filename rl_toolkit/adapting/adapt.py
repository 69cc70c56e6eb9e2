"""`adapt_game`: a game of the toolkit from a plain class or from one of its objects.

>>> class Strip:
...     '''Three in a row on a strip of five cells.'''
...     def __init__(self):
...         self.board, self.turn, self.winner = [" "] * 5, "X", None
...     def legal_moves(self):
...         return [k for k in range(5) if self.board[k] == " "]
...     def play(self, cell):
...         self.board[cell] = self.turn
...         if self.turn * 3 in "".join(self.board):
...             self.winner = self.turn
...         self.turn = "O" if self.turn == "X" else "X"
>>> env = adapt_game(Strip)()
>>> env.step("c1")[0].tolist(), env.current_player, env.undo()
([0, 0, 1, 0, 0], -1, 2)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast
from weakref import WeakKeyDictionary

from rl_toolkit.adapting import spellings
from rl_toolkit.adapting.game import AdaptedGame, OneOpener
from rl_toolkit.adapting.learning import learn
from rl_toolkit.adapting.objects import Reading, plain_move
from rl_toolkit.adapting.on_base import keeps_own_form
from rl_toolkit.adapting.spellings import first_name
from rl_toolkit.adapting.starts import shape_of, start_of
from rl_toolkit.adapting.usual import UsualForm, usual_class
from rl_toolkit.envs import BaseGameEnv, GameError, GameTraits
from rl_toolkit.envs.registry import free_name
from rl_toolkit.utils import shown

#: A plain class → the game class around it.
_ADAPTED: WeakKeyDictionary[type, type[AdaptedGame | UsualForm]] = WeakKeyDictionary()
_BEING_LEARNED: set[type] = set()


def adapt_game(game: Any) -> Any:
    """A game class from a plain class, or a game in progress from one of its objects.

    Boards, players, moves and results are found by their usual names and by playing a few games;
    what is missing (``copy``, ``reset``, ``undo``, names of moves, …) is derived. Classes and
    objects of the toolkit are returned as they are, except those that keep their own form (see
    `envs.derived.own_form`).

    Raises `AdaptationError`, with a sentence for each thing that could not be derived.
    """
    if isinstance(game, type):
        if issubclass(game, BaseGameEnv) and not keeps_own_form(game):
            return game
        return _adapted(game, None)
    if isinstance(game, BaseGameEnv) and not keeps_own_form(type(game), game):
        return game
    kind, start = _adapted(type(game), game), start_of(type(game), game)
    return kind.of_object(game, start)


def as_game(game: Any) -> BaseGameEnv:
    """``game`` itself if it is a game of the toolkit, else what `adapt_game` makes from it.

    Raises ``TypeError`` for a class or a text instead of a game in progress, and
    `AdaptationError` for an object from which no game can be made.
    """
    if isinstance(game, type):
        raise TypeError(f"this needs a game in progress: {game.__name__}(), with parentheses")
    if isinstance(game, str):
        raise TypeError(
            f"this needs a game, not text; rl_toolkit.read_position(name, {shown(game)}) reads it, "
            'where name is a game such as "connect-four"'
        )
    return cast("BaseGameEnv", adapt_game(game))


def as_answering_game(thing: Any, name: str) -> BaseGameEnv:
    """The game that answers for an object in its own form, whose method ``name`` was called.

    Raises `GameError` if the methods of the object call ``name`` while its form is being found.
    """
    if type(thing) in _BEING_LEARNED:  # its own methods ask
        raise GameError(f"its methods call {name}, which it does not define")
    return as_game(thing)


def looks_playable(cls: type) -> bool:
    """Whether ``cls`` has a method that plays a move, by its name: ``step``, ``make_move``, ….

    It may still be a class from which `adapt_game` cannot make a game.
    """
    return first_name(cls, spellings.STEP) is not None


def own_move(env: BaseGameEnv, move: int) -> Any:
    """The move as the game's own step takes it: the number, unless the game was adapted."""
    return env.own_move(move) if isinstance(env, AdaptedGame) else move


def number_of_move(env: BaseGameEnv, own: Any) -> Any:
    """The legal move that the class writes as ``own``; anything else is returned as it is."""
    if not isinstance(env, AdaptedGame):
        return own
    written = plain_move(own)
    moves = env.get_legal_moves()
    return next((move for move in moves if _is_same(written, env.own_move(move))), own)


def _is_same(written: Any, move: Any) -> bool:
    """Whether the two are the same move; neither True nor 1.0 is the move 1."""
    if isinstance(written, tuple) and isinstance(move, tuple):
        return len(written) == len(move) and all(map(_is_same, written, move))
    if isinstance(written, (bool, float)) and type(written) is not type(move):
        return False
    return bool(written == move)


def plain_class(env: BaseGameEnv) -> type | None:
    """The class that was adapted, ``None`` for a game on the base in the usual form."""
    return env.plain if isinstance(env, (AdaptedGame, UsualForm)) else None


def own_object(env: BaseGameEnv) -> Any:
    """The position as an object of the class that was adapted; other games are copied."""
    return env.own_object() if isinstance(env, (AdaptedGame, UsualForm)) else env.copy()


def play_move(game: Any, move: int) -> None:
    """Play ``move`` in ``game`` itself, which may be a plain object.

    Raises `GameError` for a plain class whose method makes a new object for each move, and what the
    game itself raises, such as `IllegalMoveError`.
    """
    env = as_game(game)
    if not isinstance(env, AdaptedGame):  # a game of the toolkit, or a class in the usual form
        game.step(move)
        return
    reading = env._reading
    with reading.asked(reading.step):
        answer = reading.play_in(game, env.own_move(move), env.current_player)
    if isinstance(answer, type(game)):
        raise GameError(f"{reading.title}.{reading.step} makes a new object for each move")


def _adapted(plain: type, example: Any) -> type[AdaptedGame | UsualForm]:
    """The game class around ``plain``, the same one every time."""
    if plain not in _ADAPTED:
        start = start_of(plain, example)
        _BEING_LEARNED.add(plain)
        try:
            reading = learn(plain.__name__, start)
        finally:
            _BEING_LEARNED.discard(plain)
        base = AdaptedGame if reading.can_choose_opener else OneOpener
        contents: dict[str, Any] = {
            "__doc__": plain.__doc__ or f"{plain.__name__}, adapted.",
            "__module__": plain.__module__,
            "__qualname__": plain.__qualname__,
            "plain": plain,
            "traits": _traits(plain, reading),
        }
        own = {"_readings": {shape_of(start): reading}, "_revive": staticmethod(_revived)}
        adapted: type[AdaptedGame] = type(plain.__name__, (base,), contents | own)
        _ADAPTED[plain] = usual_class(adapted, reading, contents) or adapted
    return _ADAPTED[plain]


def _traits(plain: type, reading: Reading) -> GameTraits:
    """The traits that play has shown, or those that the class declares."""
    by_column = reading.form.moves in ("column", "letter")
    name, title = free_name(plain.__name__)
    shown_by_play = GameTraits(
        name=name,
        title=title,
        pieces=_piece_names(reading),
        style="discs" if by_column else "marks",
        row_one_at="bottom" if by_column and reading.falls_to_row_one else "top",
        move_by="column" if by_column else "cell",
        passes=reading.passes,
        has_heuristic=reading.heuristic is not None,
    )
    # The traits of a class on the base are complete, so that they do not show what it declares.
    name = "_declared_traits" if issubclass(plain, BaseGameEnv) else "traits"
    declared = getattr(plain, name, None)
    if not isinstance(declared, GameTraits):
        return shown_by_play
    return replace(declared, move_by=shown_by_play.move_by, passes=shown_by_play.passes)


def _piece_names(reading: Reading) -> tuple[str, str]:
    """The names of the pieces, if the class has names and not numbers."""
    for table in (reading.form.symbols, reading.form.marks):
        names = {side: name for name, side in table.items()}
        pair = (names[1], names[-1])
        if all(isinstance(name, str) and 0 < len(name.strip()) <= 12 for name in pair):
            first, second = (str(name).strip() for name in pair)
            if first.isprintable() and second.isprintable() and first != second:
                return first[0].upper() + first[1:], second[0].upper() + second[1:]
    return "X", "O"


def _revived(plain: type, state: dict[str, Any]) -> AdaptedGame | UsualForm:
    """A game that was pickled: its class is made again from ``plain``."""
    kind = _adapted(plain, None if "_positions" not in state else state["_positions"][-1].game)
    env = kind.__new__(kind)
    vars(env).update(state)
    return env
