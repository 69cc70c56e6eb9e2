"""`Prover`: what makes and judges puzzles asks of a game, and the table of those that answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from rl_toolkit.envs import (
    BaseGameEnv,
    ConnectFour,
    GameError,
    Gomoku,
    Reversi,
    TicTacToe,
    for_game,
    make_game,
)

#: Provers keep tables: whoever asks one in a program with threads holds this lock.
ASKING = threading.RLock()

#: Why a move is not even known to be a mistake.
TOO_EARLY = "too much of the game was left for a proof"


class NoPuzzlesError(GameError):
    """Puzzles were asked of a game whose moves no engine proves."""


@dataclass(frozen=True, slots=True)
class Find:
    """A puzzle in a position: its kind, and the line of own moves and replies."""

    kind: str
    line: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of a move.

    Attributes:
        right: whether it does what the puzzle asks for.
        result: 1, 0 or −1, the proven result for its player; ``None`` if it is not proven.
        distance: plies to the end of the game, this move not counted, if known.
        discs, best: the final difference of pieces after this move and after the best one, where
            these are counted.
        line: best play after the move, the reply first.
    """

    right: bool
    result: int | None
    distance: int | None = None
    discs: int | None = None
    best: int | None = None
    line: tuple[int, ...] = ()


class Prover(Protocol):
    """Proves which moves of a position are right. Not thread-safe."""

    @property
    def players(self) -> tuple[str, ...]:
        """Specs of the weak players whose games are looked at."""

    @property
    def glance(self) -> str:
        """The spec of a short search; what it likes is tempting."""

    @property
    def opening(self) -> int:
        """Random moves at the beginning of a game."""

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""

    def solves(self, env: BaseGameEnv) -> bool:
        """Whether answers about a position come soon."""

    def find(self, env: BaseGameEnv) -> Find | str:
        """The puzzle in a position, or why there is none."""

    def judge(self, env: BaseGameEnv, kind: str, move: int) -> Judged:
        """What a legal move is worth, for a puzzle of that kind."""

    def mistake(self, env: BaseGameEnv, move: int) -> Find | str:
        """What was right where ``move`` gives the result away, the only right move or not.

        Else why that is no puzzle: `TOO_EARLY`, another reason, or "" if nothing was given away.
        """

    def motif(self, env: BaseGameEnv, find: Find) -> Hashable:
        """What two puzzles must not share too often."""


def prover_of(game: str) -> Prover:
    """The prover of a game, by its name; raises `NoPuzzlesError` if there is none."""
    return _prover(make_game(game).name)


@lru_cache(maxsize=8)
def _prover(game: str) -> Prover:
    env = make_game(game)
    make = for_game(_MAKERS, env)
    found = None if make is None else make(env)
    if found is None:
        raise NoPuzzlesError(f"{game} has no puzzles: no engine proves its moves")
    return found


def _connect_four(env: BaseGameEnv) -> Prover | None:
    from rl_toolkit.algorithms import solver_of
    from rl_toolkit.puzzles.provers.connect_four import ConnectFourProver

    solver = solver_of(env)
    return ConnectFourProver(env) if solver is not None and solver.soon(env) else None


def _reversi(env: BaseGameEnv) -> Prover | None:
    from rl_toolkit.puzzles.provers.reversi import ReversiProver

    return ReversiProver(env)


def _gomoku(env: BaseGameEnv) -> Prover | None:
    from rl_toolkit.puzzles.provers.gomoku import GomokuProver, plays

    return GomokuProver(env) if plays(env) else None


def _lines(env: BaseGameEnv) -> Prover | None:
    from rl_toolkit.puzzles.provers.lines import LinesProver, plays

    return LinesProver(env) if plays(env) else None


_MAKERS: dict[type[BaseGameEnv], Callable[[BaseGameEnv], Prover | None]] = {
    ConnectFour: _connect_four,
    Reversi: _reversi,
    Gomoku: _gomoku,
    TicTacToe: _lines,
}
