"""The first three stones of a game: moves that are about as good as the best, to choose among.

The first stone goes to the centre or beside it, the second beside the first. For the third stone
the shapes are written down: those that a search of six plies puts within 80 points of the best::

    second stone beside the first          second stone across from it
        x . x                                  . x x .
        x 2 x                                  . . 2 x
        . 1 .                                  x 1 . x
        x . x                                  . x . .
"""

from __future__ import annotations

from collections.abc import Sequence

#: What these moves are, in one line.
ABOUT = "first stones that a search of six plies found about as good as the best"

#: Where the third stone goes, as steps right and up from the first, by where the second is.
_THIRD = {
    (0, 1): ((-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 2), (1, 2)),
    (1, 1): ((2, 0), (0, 2), (1, 2), (2, 1), (0, -1), (-1, 0)),
}
#: Rows between an opening and the edge of the board.
_ROOM = 1


def opening_moves(size: int, board: Sequence[int]) -> list[int]:
    """Good moves in the opening; empty if the position is not in the book.

    ``board`` has 0 for an empty cell; the first stone is positive and the second negative.
    """
    stones = [cell for cell, stone in enumerate(board) if stone]
    if not stones:
        return sorted(central_ranks(size))
    firsts = [cell for cell in stones if board[cell] > 0]
    if len(firsts) != 1 or len(stones) > 2:
        return []
    row, col = divmod(firsts[0], size)
    if len(stones) == 1:
        steps = {(r, u) for r in (-1, 0, 1) for u in (-1, 0, 1)} - {(0, 0)}
    else:
        second_row, second_col = divmod(sum(stones) - firsts[0], size)
        steps = _third((second_col - col, second_row - row))
    return _with_room([(row + up, col + right) for right, up in steps], size)


def central_ranks(size: int) -> dict[int, int]:
    """The cells around the centre of an empty board, the centre with the highest rank."""
    middle, steps = size // 2, (-1, 0, 1)
    return {
        (middle + down) * size + middle + right: -abs(down) - abs(right)
        for down in steps
        for right in steps
    }


def _third(second: tuple[int, int]) -> set[tuple[int, int]]:
    """The steps to the third stone: the shapes turned and mirrored to where the second is."""
    squares = set[tuple[int, int]]()
    for shape, thirds in _THIRD.items():
        for turned, *others in zip(*map(_images, (shape, *thirds)), strict=True):
            if turned == second:
                squares.update(others)
    return squares


def _images(step: tuple[int, int]) -> list[tuple[int, int]]:
    """A step turned and mirrored in all eight ways."""
    right, up = step
    signs = [(a, b) for a in (1, -1) for b in (1, -1)]
    return [(a * right, b * up) for a, b in signs] + [(a * up, b * right) for a, b in signs]


def _with_room(places: Sequence[tuple[int, int]], size: int) -> list[int]:
    """The cells if all of them are far enough from the edge, else none."""
    inside = range(_ROOM, size - _ROOM)
    if not all(row in inside and col in inside for row, col in places):
        return []
    return sorted(row * size + col for row, col in places)
