"""Lines on boards of any size, boards that tempt wrong rules, and boards as text."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from rl_toolkit.envs import TicTacToe
from rl_toolkit.labs.checking import Picture, side
from rl_toolkit.utils.board_viz import render_board_ascii, render_board_svg

Size = int | tuple[int, int]


def lines_of(cells: list[int], rows: int, cols: int, length: int, player: int) -> list[list[int]]:
    """Every line of a player."""
    lines = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + down * i, col + right * i) for i in range(length)]
                if all(r < rows and 0 <= c < cols for r, c in places):
                    line = [r * cols + c for r, c in places]
                    if all(cells[cell] == player for cell in line):
                        lines.append(line)
    return lines


def is_line(line: Any, lines: list[list[int]]) -> bool:
    """Whether an answer is a line, or a longer one that is made of lines."""
    if not isinstance(line, list) or not all(isinstance(cell, int) for cell in line) or not lines:
        return False
    given = set(line)
    return any(set(cells) <= given for cells in lines) and given <= {
        c for cells in lines for c in cells
    }


def why_no_line(line: Any, cells: list[int], game: TicTacToe, player: int, length: int) -> str:
    """What is wrong with an answer that is not a line."""
    if not isinstance(line, list) or not all(isinstance(cell, int) for cell in line):
        return "find_line must return a list of cells, or None."
    off = [cell for cell in line if not 0 <= cell < len(cells)]
    if off:
        return f"There is no cell {off[0]} on this board."
    empty = [cell for cell in line if cells[cell] != player]
    if empty:
        own = side(player)
        return f"{game.move_name(empty[0])} is not {own}'s, so this is not a line of {own}."
    if len(line) < length:
        return f"{length} in a row are needed here, not {len(line)}."
    return f"{cell_names(line, game)} are not in a straight line: the edge lies between them."


def tempting_boards(
    rng: random.Random, size: Size, length: int, number: int
) -> Iterator[list[int]]:
    """Boards with a line, with almost a line, and with lines that run round an edge."""
    game = TicTacToe(size, length)
    rows, cols = game.rows, game.cols
    total = rows * cols
    for turn in range(number):
        cells = [rng.choice([0, 0, 1, -1]) for _ in range(total)]
        player = rng.choice([1, -1])
        if turn % 3 == 0:
            step = rng.choice([1, cols, cols + 1, cols - 1])
            first = rng.randrange(total - (length - 1) * step) if (length - 1) * step < total else 0
            for i in range(length):
                if first + i * step < total:
                    cells[first + i * step] = player
        elif turn % 3 == 1:
            cells = [player * (cell != 0) for cell in cells]
        yield cells


def cell_names(line: list[int], game: TicTacToe) -> str:
    """The names of cells: ``a1, b2, c3``."""
    return ", ".join(game.move_name(cell) for cell in line)


def board_picture(cells: Sequence[int], cols: int) -> Picture:
    """A board of any size."""
    rows = _rows(cells, cols)
    return Picture(render_board_ascii(rows), render_board_svg(rows, size=280))


def two_boards(yours: Sequence[int], right: Sequence[int], cols: int) -> Picture:
    """The student's board and the right one; one board if they are equal."""
    if list(yours) == list(right):
        return board_picture(yours, cols)
    first, second = (board_picture(cells, cols) for cells in (yours, right))
    return Picture(f"yours:\n{first.text}\n\nright:\n{second.text}", first.svg)


def _rows(cells: Sequence[int], cols: int) -> list[list[int]]:
    clean = [cell if cell in (-1, 0, 1) else 0 for cell in cells]
    return [clean[i : i + cols] for i in range(0, len(clean), cols)]


def state_of(game: TicTacToe) -> dict[str, Any]:
    """What probe.seen tells of a game."""
    return {
        "board": [int(cell) for cell in game.board],
        "mover": game.current_player,
        "winner": game.winner,
        "done": game.done,
        "line": game.winning_line,
        "count": game.move_count,
        "last": game.last_move,
    }
