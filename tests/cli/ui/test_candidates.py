"""Analyses in the terminal: tables, bars, trees."""

from __future__ import annotations

import pytest
from recorded import Recorded

from rl_toolkit.analysis import Analysis, Candidate, TreeView
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    headline,
    signed,
    thinking_picture,
    tree_lines,
    work_text,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import TicTacToe


def analysis_with(*candidates: Candidate) -> Analysis:
    return Analysis("tictactoe", "3/3/3 x", 1, "test", candidates)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_a_table_keeps_to_the_width_and_its_first_columns(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    candidate = Candidate(
        4, "b2", 0.5, "win", True, 5, visits=1000, line=(4, 0, 1, 2), note="A sentence. " * 5
    )
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis_with(candidate), screen))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].split()[:2] == ["move", "value"]
    assert lines[1].split()[:2] == ["b2", "+0.50"]


@pytest.mark.parametrize("width", [20, 60, 100])
def test_a_networks_prior_stands_beside_the_visits(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    analysis = analysis_with(Candidate(4, "b2", 0.5, visits=1000, prior=0.375, line=(4, 0)))
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis, screen))
    screen.say(thinking_picture(TicTacToe(), screen, analysis))
    table = out.getvalue()
    assert max(map(len, table.splitlines())) <= width
    if width >= 60:
        assert "37.5%   1,000" in table
        assert "1,000 prior 38%" in table


def test_a_bound_is_not_shown_as_a_score(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    analysis = analysis_with(
        Candidate(4, "b2", 0.5, score=3.0),
        Candidate(0, "a1", 1.0, "win", True, score=2.0, score_bound="lower"),
        Candidate(1, "b1", 0.1, score=0.3, score_bound="upper"),
    )
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis, screen))
    scores = [line.rstrip() for line in out.getvalue().splitlines()[1:]]
    assert [line.rpartition("  ")[2] for line in scores] == ["+3.0", "≥ +2", "≤ +0.3"]


def test_a_networks_prior_stands_in_the_tree():
    child = TreeView(4, "b2", 9, 0.5, None, 0.5, 0.25, prior=0.375)
    root = TreeView(None, "", 10, 0.0, None, 0.0, 0.0, (child,))
    assert list(tree_lines(root))[1] == (
        "└─ b2  prior 37.5%  9 visits  value +0.50  UCT +0.50 + 0.25"
    )


def test_small_numbers_have_no_sign_of_their_own():
    assert [signed(v) for v in (-0.001, 0.0, -0.5)] == ["+0.00", "+0.00", "-0.50"]


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (
            Candidate(2, "c1", 1.0, "win", True, 1, note="Completes a row."),
            " wins in 1 move, proven. C",
        ),
        (
            Candidate(2, "c1", 1.0, "win", True, 5, note="Wins in 3 moves."),
            ", proven. Wins in 3 moves.",
        ),
        (Candidate(2, "c1", -1.0, "loss", True, 4), " loses in 2 moves, proven."),
        (Candidate(2, "c1", 0.0, "draw", True, 4), " draws, proven."),
        (Candidate(2, "c1", 0.25), ", value +0.25."),
        (Candidate(2, "c1", 0.25, "win"), ", value +0.25."),
    ],
)
def test_the_headline_gives_a_result_once(candidate, said):
    assert headline(TicTacToe(), analysis_with(candidate)).startswith(f"Best: c1{said}")


def test_effort_is_counted_in_what_the_engine_counts():
    analysis = Analysis("g", "", 1, "mcts", nodes=5, simulations=1, elapsed=0.0)
    assert work_text(analysis) == "mcts · 1 simulation · 0.00 s"
