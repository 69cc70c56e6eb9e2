"""Games by name: ``tictactoe``, ``connect-four-6x8x4`` (rows × columns × length), ``reversi-6``.

The part after the family's name is its variant. ``make_game(env.name)`` makes a game like ``env``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.connect_four import ConnectFour
from rl_toolkit.envs.errors import UnknownGameError
from rl_toolkit.envs.gomoku import SIZES as GOMOKU_SIZES
from rl_toolkit.envs.gomoku import Gomoku
from rl_toolkit.envs.reversi import SIZES as REVERSI_SIZES
from rl_toolkit.envs.reversi import Reversi
from rl_toolkit.envs.tictactoe import TicTacToe
from rl_toolkit.envs.validation import shown

Maker = Callable[[str], BaseGameEnv | None]


@dataclass(frozen=True, slots=True)
class GameFamily:
    """Games that share a name.

    ``make`` takes the variant ("" for the family's own name alone) and gives the game, or ``None``
    if it cannot read the variant; ``variants`` says in words which there are.
    """

    name: str
    title: str
    make: Maker
    variants: str = ""


_FAMILIES: dict[str, GameFamily] = {}


def register_game(family: GameFamily) -> None:
    """Make a family of games known by name; a name that is taken is refused."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", family.name):
        raise ValueError(
            f"a game's name is lower-case words with hyphens, not {shown(family.name)}"
        )
    if family.name in _FAMILIES:
        raise ValueError(f"there is a game named {family.name} already")
    _FAMILIES[family.name] = family


def game_families() -> list[GameFamily]:
    """All families, in the order they were registered."""
    return list(_FAMILIES.values())


def make_game(name: str) -> BaseGameEnv:
    """A new game of that name in its starting position.

    >>> make_game("connect-four-6x8x4").cols
    8
    """
    if not isinstance(name, str):
        raise UnknownGameError(f"a game is named by text, not {shown(name)}")
    word = name.strip().lower()
    fitting = [f for f in _FAMILIES.values() if word == f.name or word.startswith(f"{f.name}-")]
    if not fitting:
        raise UnknownGameError(f"there is no game {shown(name)}; {_choices()}")
    family = max(fitting, key=lambda family: len(family.name))
    variant = word[len(family.name) + 1 :]
    try:
        game = family.make(variant) if variant or word == family.name else None
    except ValueError as error:
        raise UnknownGameError(f"{shown(name)}: {error}") from error
    if game is None:
        raise UnknownGameError(
            f"{shown(name)} is no variant of {family.name}; "
            f"there is {family.name} {family.variants}"
        )
    return game


def _choices() -> str:
    listed = [f"{family.name} ({family.variants})" for family in _FAMILIES.values()]
    return "the games are " + ", ".join(listed)


# -------------------------------------------------------------- the built-in families


def _numbers(variant: str, count: tuple[int, ...]) -> tuple[int, ...] | None:
    """``"6x8x4"`` as (6, 8, 4) if it has one of the given counts of numbers."""
    if not re.fullmatch(r"[0-9]{1,4}(x[0-9]{1,4})*", variant):
        return None
    numbers = tuple(int(part) for part in variant.split("x"))
    return numbers if len(numbers) in count else None


def _tictactoe(variant: str) -> TicTacToe | None:
    if not variant:
        return TicTacToe()
    numbers = _numbers(variant, (1, 2, 3))
    if numbers is None:
        return None
    rows, cols = (numbers * 2)[:2] if len(numbers) == 1 else numbers[:2]
    return TicTacToe((rows, cols), numbers[2] if len(numbers) == 3 else None)


def _connect_four(variant: str) -> ConnectFour | None:
    if not variant:
        return ConnectFour()
    numbers = _numbers(variant, (2, 3))
    return None if numbers is None else ConnectFour(*numbers)


def _gomoku(variant: str) -> Gomoku | None:
    if variant in ("", "freestyle", "standard"):
        variant = f"15-{variant}".rstrip("-")
    shape, dash, rule = variant.partition("-")
    numbers = _numbers(shape, (1, 3))
    if numbers is None or (dash and rule not in ("freestyle", "standard")):
        return None
    if len(numbers) == 3 and numbers[0] != numbers[1]:
        return None
    length = numbers[2] if len(numbers) == 3 else 5
    return Gomoku(numbers[0], length, "standard" if rule == "standard" else "freestyle")


def _reversi(variant: str) -> Reversi | None:
    if not variant:
        return Reversi()
    numbers = _numbers(variant, (1,))
    return None if numbers is None else Reversi(numbers[0])


def _sizes(family: str, sizes: tuple[int, ...]) -> str:
    return ", ".join(f"{family}-{size}" for size in sizes)


for _family in (
    GameFamily(
        "tictactoe", "Tic-Tac-Toe", _tictactoe, "or tictactoe-4x4x4, rows x columns x length"
    ),
    GameFamily(
        "connect-four",
        "Connect Four",
        _connect_four,
        "or connect-four-6x8x4, rows x columns x length",
    ),
    GameFamily(
        "gomoku",
        "Gomoku",
        _gomoku,
        f"or {_sizes('gomoku', GOMOKU_SIZES)}, each with -standard for exactly five",
    ),
    GameFamily("reversi", "Reversi", _reversi, f"or {_sizes('reversi', REVERSI_SIZES)}"),
):
    register_game(_family)
