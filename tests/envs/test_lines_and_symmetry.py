"""Tables of lines and symmetries, against slow and obvious counterparts."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.envs import ConnectFour, Reversi, TicTacToe
from rl_toolkit.envs.bases import lines
from rl_toolkit.envs.symmetry import board_symmetries, column_symmetries, identity

SHAPES = [(1, 1), (1, 5), (5, 1), (3, 3), (3, 4), (6, 7), (4, 4)]


@st.composite
def boards(draw):
    """Rows, columns, and cells of −1, 0, 1."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    size = rows * cols
    cells = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=size, max_size=size))
    return rows, cols, np.array(cells, dtype=np.int8)


def slow_runs(rows, cols, cells):
    """Maximal runs of at least two, walking every direction from every possible first cell."""

    def at(row, col):
        inside = 0 <= row < rows and 0 <= col < cols
        return int(cells[row * cols + col]) if inside else 0

    found = []
    for row, col in product(range(rows), range(cols)):
        colour = at(row, col)
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if not colour or at(row - up, col - right) == colour:
                continue
            length = 1
            while at(row + length * up, col + length * right) == colour:
                length += 1
            if length >= 2:
                found.append([(row + i * up) * cols + col + i * right for i in range(length)])
    return found


@given(boards())
def test_all_runs(board):
    rows, cols, cells = board
    found = lines.all_runs(cells.tobytes(), rows, cols)
    assert sorted(found) == sorted(slow_runs(rows, cols, cells))


@given(boards(), st.data())
def test_runs_through_a_cell(board, data):
    rows, cols, cells = board
    taken = np.flatnonzero(cells).tolist()
    if not taken:
        return
    cell = data.draw(st.sampled_from(taken))
    found = [run for run in lines.runs_through(cells.tobytes(), cell, rows, cols) if len(run) > 1]
    expected = [run for run in slow_runs(rows, cols, cells) if cell in run]
    assert sorted(found) == sorted(expected)
    assert all(run == sorted(run) for run in found)


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
@pytest.mark.parametrize("length", [3, 4, 5])
def test_windows(rows, cols, length):
    found = {tuple(window) for window in lines.windows(rows, cols, length).tolist()}
    expected = set()
    for row, col in product(range(rows), range(cols)):
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            end_row, end_col = row + (length - 1) * up, col + (length - 1) * right
            if 0 <= end_row < rows and 0 <= end_col < cols:
                expected.add(tuple((row + i * up) * cols + col + i * right for i in range(length)))
    assert found == expected
    assert len(lines.windows(rows, cols, length)) == len(expected)


def test_numbers_of_windows_that_are_well_known():
    assert len(lines.windows(3, 3, 3)) == 8
    assert len(lines.windows(6, 7, 4)) == 69
    assert len(lines.windows(15, 15, 5)) == 572


# --- symmetries --------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols"), SHAPES)
def test_the_symmetries_of_a_board_form_a_group(rows, cols):
    turns = board_symmetries(rows, cols)
    assert len(turns) == (8 if rows == cols else 4)
    assert len({turn.name for turn in turns}) == len(turns)
    assert turns[0].cells.tolist() == list(range(rows * cols))
    tables = {tuple(turn.cells.tolist()) for turn in turns}
    for first, second in product(tables, tables):
        assert tuple(second[cell] for cell in first) in tables


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4), (6, 7)])
def test_a_symmetry_keeps_neighbours_neighbours(rows, cols):
    for turn in board_symmetries(rows, cols):
        for one, other in product(range(rows * cols), repeat=2):
            distances = [
                np.abs(np.subtract(divmod(int(a), cols), divmod(int(b), cols))).max()
                for a, b in ((one, other), (turn.cells[one], turn.cells[other]))
            ]
            assert distances[0] == distances[1]


def test_symmetries_by_name():
    """Where the cell a1 of a 3×3 board goes, row 1 at the top."""
    goes = {
        turn.name: TicTacToe().move_name(turn.apply_to_move(0)) for turn in board_symmetries(3, 3)
    }
    assert goes == {
        "identity": "a1",
        "left-right": "c1",
        "up-down": "a3",
        "half turn": "c3",
        "diagonal": "a1",
        "antidiagonal": "c3",
        "quarter turn left": "a3",
        "quarter turn right": "c1",
    }
    board = np.arange(9, dtype=np.int8)
    for turn in board_symmetries(3, 3):
        image = turn.apply_to_board(board)
        assert all(image[turn.cells[cell]] == board[cell] for cell in range(9))
        assert image is not board


def test_columns_are_mirrored_and_the_pass_stays():
    mirror = column_symmetries(6, 7)[1]
    assert [mirror.apply_to_move(move) for move in range(7)] == [6, 5, 4, 3, 2, 1, 0]
    assert mirror.cells[7] == 13
    assert [turn.name for turn in ConnectFour().symmetries()] == ["identity", "left-right"]
    assert {turn.apply_to_move(64) for turn in Reversi().symmetries()} == {64}
    assert identity(3, 4).moves.tolist() == [0, 1, 2, 3]
