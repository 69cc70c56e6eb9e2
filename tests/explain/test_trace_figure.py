"""A trace in a notebook: one piece of HTML, bounded, with its sentences as text."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from rl_toolkit.algorithms.bandits import UCB1, BernoulliArms
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import (
    Trace,
    trace_bandit,
    trace_search,
    trace_value_iteration,
)
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.explain.traces import figure, tell
from rl_toolkit.records import read_position


def traced(text: str = "(3 12 8) (2 4 6) (14 5 2)") -> Trace:
    return trace_search(HandTreeGame(text), MinimaxSolver(use_memoization=False))


def data_of(page: str) -> Any:
    """What the script of the figure is given."""
    written = re.search(r'show\(document\.getElementById\("[\w-]+"\), (\{.*\})\);\}\)\(\);', page)
    assert written
    return json.loads(written[1])


def test_the_sentences_are_there_as_text_without_the_script() -> None:
    trace = traced()
    page = trace._repr_html_()
    without = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    text = html.unescape(without)
    for line in tell(trace):
        assert line.text in text
    assert "http" not in page
    assert "src=" not in page


def test_what_is_drawn_is_what_was_searched() -> None:
    trace = traced()
    data = data_of(trace._repr_html_())
    assert data["lines"][:-1] == [line.text for line in tell(trace) if line.event >= 0][:-1]
    assert data["lines"][-1].endswith("11 positions visited, 13 by plain minimax.")
    assert data["name"] == ["root", "A", "A1", "A2", "A3", "B", "B1", "C", "C1", "C2", "C3"]
    assert data["badge"] == ["3", "3", "3", "12", "8", "≤ 2", "2", "2", "14", "5", "2"]
    assert data["up"] == [-1, 0, 1, 1, 1, 0, 5, 0, 7, 7, 7]
    (cut,) = data["cuts"].items()
    assert cut == ("5", [17, ["B2", "B3"]])
    assert [data["texts"][data[name][17]] for name in ("alpha", "beta")] == ["3", "2"]


@pytest.mark.parametrize("distance", [False, True])
def test_a_bound_that_says_nothing_is_a_question_mark(distance: bool) -> None:
    env = read_position("tictactoe", "x1o/3/3 x")
    solver = MinimaxSolver(use_distance=distance)
    badges = set(data_of(trace_search(env, solver)._repr_html_())["badge"])
    assert "?" in badges
    assert not badges & {"≥ −1", "≤ 1", "≥ -1"}
    assert any(badge.startswith(("≤", "≥")) for badge in badges)  # others do say something


def test_a_board_is_drawn_the_way_the_game_is() -> None:
    env = read_position("connect-four", "4453")
    data = data_of(trace_search(env, MinimaxSolver(1))._repr_html_())
    assert (data["rows"], data["cols"], data["flip"]) == (6, 7, True)
    assert data["board"] == env.board.tolist()
    assert "board" not in data_of(figure.figure_html(trace_value_iteration(last_move())))


def last_move() -> Any:
    return read_position("tictactoe", "xox/oxo/ox1 x")


@pytest.mark.parametrize(
    "trace",
    [
        trace_search(read_position("tictactoe", "xox/1x1/o1o x"), MCTSSolver(4, seed=1)),
        trace_value_iteration(last_move()),
        trace_bandit(BernoulliArms((0.2, 0.8)), UCB1(), 5),
    ],
    ids=lambda trace: trace.kind,
)
def test_other_traces_are_steps_of_sentences(trace: Trace) -> None:
    data = data_of(trace._repr_html_())
    assert data["lines"] == [line.text for line in tell(trace)]


def test_a_long_trace_is_bounded_and_says_what_is_missing(monkeypatch: Any) -> None:
    trace = trace_search(read_position("tictactoe", "x2/1o1/3 x"), MinimaxSolver())
    events = len(trace.data["events"]["kind"])
    page = figure.figure_html(trace)
    assert len(page.encode()) <= figure.MOST_BYTES
    assert f"… and {len(list(tell(trace))) - figure.MOST_SENTENCES:,} more steps" in page
    monkeypatch.setattr(figure, "MOST_BYTES", 60_000)
    page = figure.figure_html(trace)
    data = data_of(page)
    assert len(page.encode()) <= 60_000
    left = events - len(data["lines"])
    assert data["note"] == f"{left:,} further steps are not in this figure"
    assert all(closed < len(data["lines"]) for closed in data["closed"])


def test_names_cannot_leave_the_script_or_the_text() -> None:
    trace = traced()
    evil = "</script><img src=x onerror=alert(1)>"
    trace.data["names"]["5"] = evil
    page = trace._repr_html_()
    assert "<img" not in page
    assert page.count("</script>") == 1
    assert data_of(page)["name"][5] == evil


def test_two_figures_have_different_names() -> None:
    trace = traced("3 5")
    names = {re.search(r'id="([\w-]+)"', trace._repr_html_())[1] for _ in range(2)}  # type: ignore[index]
    assert len(names) == 2
