"""Intervals, Elo differences, and values in messages."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.utils.messages import counted, csv_rows, did_you_mean, duration, listed, shown
from rl_toolkit.utils.statistics import elo, mean_interval, percent, wilson_interval


@given(share=st.floats(0, 1), games=st.integers(0, 10_000))
def test_an_interval_contains_the_share_and_stays_within_0_and_1(share, games):
    low, high = wilson_interval(share, games)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1
    assert games or (low, high) == (0, 1)


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])))
def test_more_of_the_same_results_narrow_the_interval_of_a_mean(points):
    low, high = mean_interval(points)
    closer_low, closer_high = mean_interval(points * 4)
    assert 0 <= low < high <= 1
    assert closer_high - closer_low <= high - low + 1e-9


@given(st.floats(0.001, 0.999))
def test_elo_is_antisymmetric(share):
    assert elo(share) == pytest.approx(-elo(1 - share), abs=1e-6)


def test_elo_at_the_ends_and_in_the_middle():
    assert (elo(0.0), elo(0.5), elo(1.0)) == (-inf, 0.0, inf)
    assert percent(0.525) == "52.5 %"


def test_values_in_messages_are_short_and_never_fail():
    class Broken:
        def __repr__(self):
            raise ValueError

    assert shown(Broken()) == "a Broken"
    assert len(shown("x" * 1000)) == 40
    assert [counted(1), counted(2, "disc")] == ["1 move", "2 discs"]
    assert [listed([]), listed(["a"]), listed("abc", "or")] == ["", "a", "a, b or c"]
    assert [duration(s) for s in (59.6, 3599, 7200)] == ["1 min 00 s", "59 min 59 s", "2 h 00 min"]
    assert did_you_mean("plya", ["play", "web"]) == "play"


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@x", " =1", "\t1", "\t=1", "\n=1", "\r=1"])
def test_cells_that_look_like_formulas_are_quoted(cell):
    assert csv_rows([[cell, -1]]).lstrip('"')[:1] == "'"
