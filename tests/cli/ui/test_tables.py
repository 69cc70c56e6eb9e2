"""Columns that are left out where there is no room for them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, Group

from rl_toolkit.cli.ui.tables import Column, Prose, fitting, listing, needed_width, plain_table

COLUMNS = [
    Column("name", ["a", "b"]),
    Column("number", ["1,000", "2"], dispensable=1),
    Column("sentence", ["words " * 5, ""], dispensable=2, narrowest=10),
]


@pytest.mark.parametrize(
    ("width", "heads"),
    [
        (60, ["name", "number", "sentence"]),
        (24, ["name", "number", "sentence"]),  # 4 + 2 + 6 + 2 + 10
        (23, ["name", "number"]),
        (11, ["name"]),
        (1, ["name"]),
    ],
)
def test_the_most_dispensable_column_goes_first(width, heads):
    assert [column.head for column in fitting(COLUMNS, width)] == heads


@given(st.integers(4, 60), st.integers(1, 4))
def test_what_is_kept_fits_and_keeps_its_order(width, gap):
    kept = fitting(COLUMNS, width, gap)
    assert needed_width(kept, gap) <= width
    assert kept == [column for column in COLUMNS if column in kept]


def test_a_width_is_that_of_the_longest_line_as_it_is_shown():
    assert Column("two\nlines", ["漢字", "⭐"]).width == 5
    assert Column("", ["漢字"]).width == 4


def test_numbers_are_aligned_to_the_right():
    table = plain_table("name", "count", numbers=("count",))
    assert [column.justify for column in table.columns] == ["left", "right"]


def test_a_narrow_listing_names_every_cell():
    screen = Console(file=io.StringIO(), width=40)
    heads = ("level", "rating", "what it does")
    rows = [("easy", "10", "words " * 12), ("hard", "", "x")]
    screen.print(listing(heads, rows, screen.width))
    lines = [line.rstrip() for line in screen.file.getvalue().splitlines()]
    assert lines[:3] == ["easy", "  rating: 10", "  what it does: words words words words"]
    assert all(line.startswith("  ") for line in lines if line not in ("easy", "hard"))
    assert lines[-2:] == ["hard", "  what it does: x"]


def test_a_short_cell_is_never_broken_beside_a_long_sentence():
    rows = [("beginner", "40 %", "words that need far more room than is left " * 3)]
    out = io.StringIO()
    Console(file=out, width=80).print(listing(("level", "right", "what it does"), rows, 80))
    assert "40 %" in out.getvalue()


def test_a_line_never_ends_between_a_number_and_its_percent_sign():
    text = "overlooks threats in 85 % of its moves, scores 90.8 % (95 % interval)"
    for width in range(20, 60):
        console = Console(file=io.StringIO(), width=width)
        console.print(Group(Prose(text, "bold")))
        lines = console.file.getvalue().splitlines()
        assert " ".join(line.strip() for line in lines) == text
        assert not any(line.startswith("%") for line in lines)
