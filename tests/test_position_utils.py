"""Names of squares: the three spellings agree, and what is off the board is refused."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.utils import position_utils
from rl_toolkit.utils.position_utils import (
    algebraic_to_index,
    algebraic_to_tuple,
    board_shape,
    column_letters,
    index_to_algebraic,
    index_to_tuple,
    tuple_to_algebraic,
    tuple_to_index,
    validate_position,
)


@st.composite
def boards_with_cell(draw):
    """A board's ``(rows, cols)`` and the index of one of its cells."""
    rows, cols = draw(st.integers(1, 30)), draw(st.integers(1, 26))
    return (rows, cols), draw(st.integers(0, rows * cols - 1))


# --- the spellings agree ---------------------------------------------------------------------


@given(boards_with_cell())
def test_every_spelling_leads_back_to_the_cell(board_and_cell):
    shape, cell = board_and_cell
    pair, name = index_to_tuple(cell, shape), index_to_algebraic(cell, shape)
    assert tuple_to_index(pair, shape) == cell
    assert algebraic_to_index(name, shape) == cell
    assert algebraic_to_tuple(name, shape) == pair
    assert tuple_to_algebraic(pair, shape) == name
    assert validate_position(name, shape)


@given(boards_with_cell(), st.sampled_from(["", " ", "\t", "  \n"]))
def test_case_and_surrounding_blanks_do_not_matter(board_and_cell, blank):
    shape, cell = board_and_cell
    name = index_to_algebraic(cell, shape)
    assert algebraic_to_index(f"{blank}{name.upper()}{blank}", shape) == cell


@given(st.integers(1, 30), st.integers(1, 26))
def test_the_cells_of_a_board_have_distinct_names(rows, cols):
    names = {index_to_algebraic(cell, (rows, cols)) for cell in range(rows * cols)}
    assert len(names) == rows * cols


def test_names_count_columns_in_letters_and_rows_in_numbers():
    assert [index_to_algebraic(cell, 3) for cell in range(9)] == [
        "a1", "b1", "c1",
        "a2", "b2", "c2",
        "a3", "b3", "c3",
    ]  # fmt: skip
    assert index_to_algebraic(7, (6, 7)) == "a2"
    assert index_to_algebraic(7 * 15 + 7, 15) == "h8"
    assert algebraic_to_index("z10", (10, 26)) == 259


def test_numpy_integers_are_integers():
    assert index_to_algebraic(np.int64(4), np.int8(3)) == "b2"
    assert tuple_to_index((np.int8(1), np.uint8(2)), (np.int32(6), np.int16(7))) == 9
    pair = index_to_tuple(np.int64(5), 3)
    assert pair == (1, 2)
    assert all(type(number) is int for number in pair)
    assert type(tuple_to_index((np.int8(1), np.int8(2)), 3)) is int


def test_a_pair_may_be_a_list():
    assert tuple_to_index([1, 2], [6, 7]) == 9


# --- what is off the board is refused --------------------------------------------------------


@pytest.mark.parametrize("index", [-1, 9, 10**20, np.int8(-1)])
def test_index_off_the_board(index):
    with pytest.raises(ValueError, match=r"off the 3×3 board, whose cells are 0 to 8"):
        index_to_algebraic(index, 3)


@pytest.mark.parametrize("index", [True, np.True_, 1.0, np.float64(1), None, "1", "b2", (1,), [4]])
@pytest.mark.parametrize("function", [index_to_algebraic, index_to_tuple])
def test_index_of_the_wrong_type(function, index):
    with pytest.raises(ValueError, match="a cell index must be a whole number"):
        function(index, 3)


@pytest.mark.parametrize("pair", [(-1, 0), (0, -1), (6, 0), (0, 7)])
@pytest.mark.parametrize("function", [tuple_to_index, tuple_to_algebraic])
def test_pair_off_the_board(function, pair):
    with pytest.raises(ValueError, match=r"off the 6×7 board: rows are 0 to 5, columns 0 to 6"):
        function(pair, (6, 7))


@pytest.mark.parametrize(
    "pair", [None, 3, "b2", "12", (1,), (1, 2, 0), (True, 1), (1, 1.0), (1, "2")]
)
@pytest.mark.parametrize("function", [tuple_to_index, tuple_to_algebraic])
def test_pair_of_the_wrong_type(function, pair):
    with pytest.raises(ValueError, match="a position must be"):
        function(pair, 3)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("d1", r"d1 is off the 3×3 board: columns are a to c"),
        ("Z9", r"z9 is off the 3×3 board: columns are a to c"),
        ("a4", r"a4 is off the 3×3 board: rows are 1 to 3"),
        ("a0", r"a0 is off the 3×3 board: rows are 1 to 3"),
        ("", "not the name of a square"),
        ("a", "not the name of a square"),
        ("1", "not the name of a square"),
        ("1a", "not the name of a square"),
        ("aa1", "not the name of a square"),
        ("a 1", "not the name of a square"),
        ("a-1", "not the name of a square"),
        ("a01", "not the name of a square"),
        ("a1.0", "not the name of a square"),
        ("a١", "not the name of a square"),  # an Arabic-Indic one
        ("a²", "not the name of a square"),
        ("ａ1", "not the name of a square"),  # a full-width a
        ("a" + "1" * 5000, "not the name of a square"),
        (None, "a square's name is text"),
        (4, "a square's name is text"),
        (4.0, "a square's name is text"),
        (True, "a square's name is text"),
        (b"a1", "a square's name is text"),
        (("a", 1), "a square's name is text"),
    ],
)
def test_names_that_name_no_square(name, sentence):
    for function in (algebraic_to_index, algebraic_to_tuple):
        with pytest.raises(ValueError, match=sentence):
            function(name, 3)
    assert validate_position(name, 3) is False


def test_the_kelvin_sign_is_not_the_letter_k():
    assert "\N{KELVIN SIGN}".lower() == "k"
    assert not validate_position("\N{KELVIN SIGN}1", 15)


@given(st.text(max_size=5))
def test_a_name_is_either_a_square_or_refused(text):
    if validate_position(text, (6, 7)):
        cell = algebraic_to_index(text, (6, 7))
        assert index_to_algebraic(cell, (6, 7)) == text.strip().lower()
    else:
        with pytest.raises(ValueError, match=r"off the 6×7 board|not the name of a square"):
            algebraic_to_index(text, (6, 7))


# --- boards ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, -3, (0, 7), (6, 0), (6, -1)])
def test_a_board_without_cells_is_refused(size):
    with pytest.raises(ValueError, match="at least one row and one column"):
        board_shape(size)


@pytest.mark.parametrize("size", [None, True, 3.0, "3", (3,), (3, 3, 3), (3, None), (False, 3)])
def test_a_board_size_of_the_wrong_type_is_refused(size):
    with pytest.raises(ValueError, match="a board size must be"):
        board_shape(size)


def test_columns_have_names_up_to_z():
    assert column_letters(26)[-1] == "z"
    assert index_to_tuple(26, (1, 27)) == (0, 26)  # a number needs no letter
    for call in (
        lambda: index_to_algebraic(0, (1, 27)),
        lambda: algebraic_to_index("a1", (1, 27)),
        lambda: column_letters(0),
    ):
        with pytest.raises(ValueError, match="columns are named a to z"):
            call()


def test_an_impossible_board_is_an_error_even_when_only_asked_whether():
    with pytest.raises(ValueError, match="at least one row"):
        validate_position("a1", 0)
    with pytest.raises(ValueError, match="columns are named a to z"):
        validate_position("a1", 27)


def test_the_examples_in_the_docstrings():
    failed, tried = doctest.testmod(position_utils)
    assert failed == 0
    assert tried > 0
