"""The scenes in which laws are checked, and the functions that check them.

A law is a function of a `Scene`: a game in some position, with the moves that led there. It does
not change the scene's game, and calls `require` or `require_equal` for what must hold.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.validation import Board

MakeGame = Callable[[], BaseGameEnv]

_LONGEST_SHOWN = 300


class ConformanceError(AssertionError):
    """A game breaks one of its laws.

    Attributes:
        law: the short name of the law, a key of `rl_toolkit.testing.LAWS`.
        moves: the moves that lead to the position from the start.
    """

    def __init__(self, law: str, moves: list[int], message: str) -> None:
        super().__init__(message)
        self.law = law
        self.moves = moves


class BrokenLawError(Exception):
    """Raised inside a law; `check_game` turns it into a `ConformanceError` with the position."""


def require(holds: bool, sentence: str) -> None:
    """Raise `BrokenLawError` with ``sentence`` unless ``holds``."""
    if not holds:
        raise BrokenLawError(sentence)


def require_equal(what: str, expected: object, actual: object) -> None:
    """Raise `BrokenLawError` unless the two are equal."""
    if actual != expected:
        raise BrokenLawError(f"{what}\nexpected: {_short(expected)}\nfound:    {_short(actual)}")


def require_refused(what: str, call: Callable[[], object]) -> None:
    """Raise `BrokenLawError` unless ``call`` raises a ``ValueError``."""
    try:
        answer = call()
    except ValueError:
        return
    except Exception as error:
        name = type(error).__name__
        raise BrokenLawError(
            f"{what}\nexpected: a ValueError\nfound:    {name}: {error}"
        ) from error
    raise BrokenLawError(f"{what}\nexpected: a ValueError\nfound:    the answer {_short(answer)}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


class View(NamedTuple):
    """The complete visible state of a game."""

    board: tuple[int, ...]
    current_player: int
    winner: int | None
    done: bool
    move_count: int
    last_move: int | None
    winning_line: tuple[int, ...] | None
    history: tuple[int, ...]
    legal_moves: tuple[int, ...]
    is_terminal: bool
    state_hash: Hashable


def view(env: BaseGameEnv) -> View:
    """The visible state of ``env`` now."""
    return View(
        board=cells_of(env.board),
        current_player=env.current_player,
        winner=env.winner,
        done=env.done,
        move_count=env.move_count,
        last_move=env.last_move,
        winning_line=None if env.winning_line is None else tuple(env.winning_line),
        history=tuple(env.history),
        legal_moves=tuple(env.get_legal_moves()),
        is_terminal=env.is_terminal(),
        state_hash=env.get_state_hash(),
    )


def cells_of(board: Board) -> tuple[int, ...]:
    """A board as plain ints."""
    return tuple(np.asarray(board).reshape(-1).tolist())


def require_same_view(when: str, expected: View, actual: View) -> None:
    """Raise `BrokenLawError`, naming the first difference, unless the views are equal."""
    for part, wanted, seen in zip(View._fields, expected, actual, strict=True):
        require_equal(f"{part} {when}", wanted, seen)


@dataclass(frozen=True)
class Scene:
    """A position in a random game.

    ``trail`` holds the views from the start to this position; ``positions`` and ``hashes`` hold
    every position of every game of this check, ``checked`` how often the laws were checked there.
    """

    make: MakeGame
    env: BaseGameEnv
    first_player: int
    moves: list[int]
    trail: list[View]
    rng: random.Random
    positions: dict[Hashable, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    hashes: dict[tuple[tuple[int, ...], int], Hashable] = field(default_factory=dict)
    checked: Counter[Hashable] = field(default_factory=Counter)

    @property
    def here(self) -> View:
        """The view of this position when it was reached."""
        return self.trail[-1]

    def some(self, moves: list[int], most: int = 12) -> list[int]:
        """``moves``, or a random choice of ``most`` of them."""
        return moves if len(moves) <= most else sorted(self.rng.sample(moves, most))

    def start(self) -> BaseGameEnv:
        """A new game in the starting position of this one."""
        game = self.make()
        begin(game, self.first_player)
        return game

    def play_out(self, game: BaseGameEnv, most: int = 8) -> None:
        """Play up to ``most`` random moves in ``game``; stop at a move that it refuses."""
        for _ in range(most):
            legal = game.get_legal_moves()
            if not legal:
                return
            try:
                game.step(self.rng.choice(legal))
            except ValueError:  # the law "legal moves" reports this
                return


def begin(env: BaseGameEnv, first_player: int) -> Any:
    """``reset`` for ``first_player``, without the argument for +1, as games may not have it."""
    return env.reset() if first_player == 1 else env.reset(first_player=first_player)
