"""All 5,478 positions of Tic-Tac-Toe with their values, by plain backward induction.

Values are X's: +1, 0, −1. Positions are those of games that X opens.
"""

from __future__ import annotations

from functools import lru_cache

from rl_toolkit.labs.model.positions import LabBoard

LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)

_START = (0,) * 9
_Key = tuple[tuple[int, ...], int]


def _winner(cells: tuple[int, ...]) -> int:
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return 0


def _after(cells: tuple[int, ...], move: int, mover: int) -> tuple[int, ...]:
    return (*cells[:move], mover, *cells[move + 1 :])


@lru_cache(maxsize=1)
def _table() -> dict[_Key, tuple[int, int, bool]]:
    """Board and mover → value, calls of plain minimax, whether the game is over."""
    table: dict[_Key, tuple[int, int, bool]] = {}

    def solve(cells: tuple[int, ...], mover: int) -> tuple[int, int, bool]:
        key = cells, mover
        if key not in table:
            won = _winner(cells)
            if won or 0 not in cells:
                table[key] = won, 1, True
            else:
                below = [
                    solve(_after(cells, move, mover), -mover)
                    for move in range(9)
                    if not cells[move]
                ]
                best = mover * max(mover * value for value, _, _ in below)
                table[key] = best, 1 + sum(count for _, count, _ in below), False
        return table[key]

    solve(_START, 1)
    return table


@lru_cache(maxsize=1)
def positions() -> list[LabBoard]:
    """All 5,478 positions, fewest pieces first, then by text."""
    keys = sorted(_table(), key=lambda key: (9 - key[0].count(0), [-cell for cell in key[0]]))
    return [LabBoard(cells, mover) for cells, mover in keys]


@lru_cache(maxsize=1)
def open_positions() -> list[LabBoard]:
    """The 4,520 positions in which a move can be made."""
    return [position for position in positions() if not over(position)]


@lru_cache(maxsize=1)
def ended() -> list[LabBoard]:
    """The 958 positions in which the game is over."""
    return [position for position in positions() if over(position)]


def over(position: LabBoard) -> bool:
    """Whether the game has ended; also for boards that no game reaches."""
    return bool(_winner(position.cells)) or 0 not in position.cells


def result(position: LabBoard) -> int:
    """+1 if X has three in a row, −1 if O has, else 0."""
    return _winner(position.cells)


def value(position: LabBoard) -> int:
    """The result with best play."""
    return _entry(position)[0]


def count_nodes(position: LabBoard) -> int:
    """The calls of plain minimax from here, this one included: 549,946 from the empty board."""
    return _entry(position)[1]


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


def _entry(position: LabBoard) -> tuple[int, int, bool]:
    try:
        return _table()[position.cells, position.mover]
    except KeyError:
        raise ValueError(f"{position.text} is not a position of a game that X opens") from None
