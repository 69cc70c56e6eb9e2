"""All 5,478 positions of Tic-Tac-Toe with their values, by plain backward induction.

Values are X's: +1, 0, −1. The positions are those of games that X opens; values are also known of
others, such as boards of games that O opened.
"""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random

from rl_toolkit.labs.model.positions import LabBoard

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)

_TURN, _MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
_START = LabBoard((0,) * 9, 1)
Cells = tuple[int, ...]


@cache
def _winner(cells: Cells) -> int:
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return 0


def _after(cells: Cells, move: int, mover: int) -> Cells:
    return (*cells[:move], mover, *cells[move + 1 :])


@cache
def _solved(cells: Cells, mover: int) -> tuple[int, int]:
    """The value, and the calls of plain minimax."""
    if _winner(cells) or 0 not in cells:
        return _winner(cells), 1
    below = [_solved(_after(cells, move, mover), -mover) for move in range(9) if not cells[move]]
    return mover * max(mover * value for value, _ in below), 1 + sum(count for _, count in below)


def reached(start: LabBoard) -> list[LabBoard]:
    """Every position that can be reached, the start first, each once."""
    waiting = {(start.cells, start.mover): LabBoard(start.cells, start.mover)}
    for cells, mover in (boards := list(waiting)):
        for move in moves(waiting[cells, mover]):
            key = _after(cells, move, mover), -mover
            if key not in waiting:
                waiting[key] = LabBoard(*key)
                boards.append(key)
    return list(waiting.values())


@lru_cache(maxsize=1)
def positions() -> list[LabBoard]:
    """All 5,478 positions, fewest pieces first, then by text."""
    return sorted(
        reached(_START),
        key=lambda board: (9 - board.cells.count(0), [-cell for cell in board.cells]),
    )


@lru_cache(maxsize=1)
def open_positions() -> list[LabBoard]:
    """The 4,520 positions in which a move can be made."""
    return [position for position in positions() if not over(position)]


@lru_cache(maxsize=1)
def ended() -> list[LabBoard]:
    """The 958 positions in which the game is over."""
    return [position for position in positions() if over(position)]


def drawn(rng: Random, count: int, free: range = range(1, 10)) -> list[LabBoard]:
    """Different positions in which a move can be made, with so many free cells."""
    return rng.sample([board for board in open_positions() if board.cells.count(0) in free], count)


def over(position: LabBoard) -> bool:
    """Whether the game has ended; also for boards that no game reaches."""
    return bool(_winner(position.cells)) or 0 not in position.cells


def result(position: LabBoard) -> int:
    """+1 if X has three in a row, −1 if O has, else 0."""
    return _winner(position.cells)


def value(position: LabBoard) -> int:
    """The result with best play."""
    return _solved(position.cells, position.mover)[0]


def count_nodes(position: LabBoard) -> int:
    """The calls of plain minimax from here, this one included: 549,946 from the empty board."""
    return _solved(position.cells, position.mover)[1]


def moves(position: LabBoard) -> list[int]:
    """The free cells while the game runs."""
    return [] if over(position) else [move for move in range(9) if not position.cells[move]]


def play(position: LabBoard, move: int) -> LabBoard:
    """The position after a move."""
    mover = position.mover
    return LabBoard(_after(position.cells, move, mover), -mover, last=move)


def after_values(position: LabBoard) -> dict[int, int]:
    """The value after each move."""
    return {move: value(play(position, move)) for move in moves(position)}


def best_moves(position: LabBoard) -> list[int]:
    """The moves that keep the value."""
    best = value(position)
    return [move for move, reached in after_values(position).items() if reached == best]


def winning_moves(position: LabBoard) -> list[int]:
    """The moves that win at once."""
    return [move for move in moves(position) if _winner(play(position, move).cells)]


def swapped(position: LabBoard) -> LabBoard:
    """The same position with X and O exchanged."""
    return LabBoard(tuple(-cell for cell in position.cells), -position.mover)


def images(cells: Cells) -> list[Cells]:
    """The eight boards that turning and mirroring make of a board, the board itself first."""
    images: list[Cells] = []
    for image in (cells, tuple(cells[cell] for cell in _MIRROR)):
        for _ in range(4):
            images.append(image)
            image = tuple(image[cell] for cell in _TURN)
    return images
