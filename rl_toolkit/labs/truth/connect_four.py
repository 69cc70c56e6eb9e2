"""Connect Four as checks know it: who has won, where a disc lands, positions of random games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.bases import windows
from rl_toolkit.labs.model.positions import LabBoard, from_env

GAME = "connect-four"
ROWS, COLS, CELLS = 6, 7, 42
#: The 69 windows of four cells.
WINDOWS: list[list[int]] = windows(ROWS, COLS, 4).tolist()


def winner(cells: tuple[int, ...]) -> int:
    """+1 or −1 for four in a row, else 0."""
    for a, b, c, d in WINDOWS:
        if cells[a] and cells[a] == cells[b] == cells[c] == cells[d]:
            return cells[a]
    return 0


def columns(cells: tuple[int, ...]) -> list[int]:
    """The columns that are not full."""
    return [column for column in range(COLS) if not cells[CELLS - COLS + column]]


def drop(cells: tuple[int, ...], column: int, mover: int) -> tuple[int, ...]:
    """The board after a disc has fallen."""
    cell = next(cell for cell in range(column, CELLS, COLS) if not cells[cell])
    return (*cells[:cell], mover, *cells[cell + 1 :])


def board(cells: tuple[int, ...], mover: int) -> LabBoard:
    """A board with these discs."""
    return LabBoard(cells, mover, GAME, ROWS, COLS)


def random_game(rng: Random, plies: int = CELLS) -> BaseGameEnv:
    """A game of random moves, after so many of them or at its end."""
    env = make_game(GAME)
    while not env.is_terminal() and env.move_count < plies:
        env.step(rng.choice(env.get_legal_moves()))
    return env


def random_positions(rng: Random, count: int, plies: range) -> list[LabBoard]:
    """Positions of random games that are still running, after so many moves."""
    return list(islice(_running(rng, plies), count))


def _running(rng: Random, plies: range) -> Iterator[LabBoard]:
    while True:
        env = random_game(rng, rng.choice(plies))
        if not env.is_terminal():
            yield from_env(env)
