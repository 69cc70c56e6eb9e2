"""Games by name: ``tictactoe``, ``connect-four-6x8x4`` (rows × columns × length), ``reversi-6``.

The part after the family's name is the variant, which the class of the game parses
(`BaseGameEnv.from_variant`). ``make_game(env.name)`` makes a game like ``env``.
"""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.connect_four import ConnectFour
from rl_toolkit.envs.errors import UnknownGameError
from rl_toolkit.envs.gomoku import Gomoku
from rl_toolkit.envs.reversi import Reversi
from rl_toolkit.envs.tictactoe import TicTacToe
from rl_toolkit.envs.traits import GameTraits, check_traits
from rl_toolkit.envs.validation import shown
from rl_toolkit.utils.plugins import remember_plugin


@dataclass(frozen=True, slots=True)
class GameFamily:
    """The games that one class makes; name, title and variants are those of its traits."""

    game: type[BaseGameEnv]
    traits: GameTraits
    name: str
    title: str
    variants: str

    def make(self, variant: str = "") -> BaseGameEnv | None:
        """The game of that variant, ``None`` if the class does not know it."""
        return self.game.from_variant(variant)


_FAMILIES: dict[str, GameFamily] = {}


def register_game(game: type[BaseGameEnv]) -> GameFamily:
    """Register a game class under the name in its traits.

    Raises ``ValueError`` if the name is taken or the traits contradict the class. Worker processes
    load a game from outside the toolkit by themselves.
    """
    if not (isinstance(game, type) and issubclass(game, BaseGameEnv)):
        raise TypeError(f"register_game takes a subclass of BaseGameEnv, not {shown(game)}")
    check_traits(game)
    traits = game.traits
    family = GameFamily(game, traits, traits.name, traits.title, traits.variants)
    if family.name in _FAMILIES:
        raise ValueError(
            f"there is already a game named {family.name}; give {game.__name__} traits of its own"
        )
    _FAMILIES[family.name] = family
    remember_plugin(game.__module__, game.__qualname__, register_game)
    return family


def game_families() -> list[GameFamily]:
    """All families in the order of their registration."""
    return list(_FAMILIES.values())


def make_game(name: str) -> BaseGameEnv:
    """A new game of that name, in its starting position.

    Raises `UnknownGameError` if there is no such game.

    >>> make_game("connect-four-6x8x4").cols
    8
    """
    if not isinstance(name, str):
        raise UnknownGameError(f"the name of a game is text, not {shown(name)}")
    word = name.strip().lower()
    family = family_of(word)
    if family is None:
        raise UnknownGameError(f"there is no game {shown(name)}; {_choices()}")
    variant = word[len(family.name) + 1 :]
    try:
        game = family.make(variant) if variant or word == family.name else None
    except ValueError as error:
        raise UnknownGameError(f"{shown(name)}: {error}") from error
    if game is None:
        offered = f"; there is {family.name} {family.variants}" if family.variants else ""
        raise UnknownGameError(f"{shown(name)} is not a variant of {family.name}{offered}")
    return game


def family_of(name: str) -> GameFamily | None:
    """The family that a game's name belongs to, ``None`` if there is none."""
    fitting = [f for f in _FAMILIES.values() if name == f.name or name.startswith(f"{f.name}-")]
    return max(fitting, key=lambda family: len(family.name), default=None)


def _choices() -> str:
    listed = [f"{f.name} ({f.variants})" if f.variants else f.name for f in game_families()]
    return "the games are " + ", ".join(listed)


for _game in (TicTacToe, ConnectFour, Gomoku, Reversi):
    register_game(_game)
