"""Analyses in the terminal: tables, bars, trees."""

from __future__ import annotations

import pytest
from recorded import Recorded

from rl_toolkit.analysis import Analysis, Candidate, TreeView, words_for
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    headline,
    sorted_candidates,
    thinking_picture,
    work_text,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search_tree import tree_lines
from rl_toolkit.envs import ConnectFour, TicTacToe, make_game


def analysis_with(*candidates: Candidate) -> Analysis:
    return Analysis("tictactoe", "3/3/3 x", 1, "test", candidates)


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_a_table_keeps_to_the_width_and_its_first_columns(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    candidate = Candidate(
        4, "b2", 1.0, "win", True, 5, visits=1000, line=(4, 0, 1, 2), note="A sentence. " * 5
    )
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis_with(candidate), screen))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].split()[:3] == ["move", "for", "X"]
    assert " ".join(lines[1].split()[1:6]) == "b2 wins in 3 moves"


@pytest.mark.parametrize("width", [30, 60, 100])
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
        assert "37.5 %   1,000" in table
        assert "1,000 prior 37.5 %" in table


def table_of(analysis: Analysis, env=None, **options) -> list[str]:
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(env or TicTacToe(), analysis, screen, **options))
    return out.getvalue().splitlines()


@pytest.fixture
def _wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.usefixtures("_wide")
def test_values_are_in_words_for_the_side_in_the_heading():
    analysis = Analysis(
        "connect-four",
        "",
        -1,
        "test",
        (
            Candidate(3, "d", 1.0, "win", True, 5),
            Candidate(2, "c", -0.08, visits=100),
            Candidate(1, "b", -1.0, "loss", True, 4),
            Candidate(0, "a"),
        ),
    )
    head, *rows = table_of(analysis, ConnectFour())
    assert head.split()[:4] == ["move", "for", "Yellow", "(O)"]
    said = [row.replace("⭐", "").replace("100", "").split(maxsplit=1) for row in rows]
    assert [(move, words.strip()) for move, words in said] == [
        ("d", "wins in 3 moves"),
        ("c", "≈ 46 ± 10 %"),
        ("b", "loses in 2 moves"),
        ("a", "?"),
    ]


@pytest.mark.usefixtures("_wide")
def test_a_star_marks_every_equally_good_move_and_never_an_unknown_one():
    draws = [Candidate(n, name, 0.0, "draw", True) for n, name in ((0, "a1"), (4, "b2"))]
    lost = Candidate(8, "c3", -1.0, "loss", True, 2)
    _, *rows = table_of(analysis_with(*draws, lost, Candidate(7, "b3")))
    assert [row.startswith("⭐") for row in rows] == [True, True, False, False]


def test_rows_are_sorted_as_asked_for():
    analysis = analysis_with(
        Candidate(4, "b2", 0.1, visits=90),
        Candidate(0, "a1", 0.4, visits=5),
        Candidate(8, "c3", 1.0, "win", True, 5, visits=1),
        Candidate(6, "a3", 1.0, "win", True, 3, visits=1),
        Candidate(2, "c1"),
    )

    def order(sort: str) -> list[str]:
        return [candidate.name for candidate in sorted_candidates(analysis, sort)]

    assert order("best") == ["b2", "a1", "c3", "a3", "c1"]
    assert order("value") == ["a3", "c3", "a1", "b2", "c1"]
    assert order("visits") == ["b2", "a1", "c3", "a3", "c1"]
    assert order("move") == ["a1", "c1", "b2", "a3", "c3"]


@pytest.mark.usefixtures("_wide")
def test_pieces_are_counted_and_bounds_are_bounds():
    candidates = (
        Candidate(19, "d3", 1.0, "win", True, score=12.0),
        Candidate(26, "c4", 1.0, "win", True, score=2.0, score_bound="lower"),
        Candidate(37, "f5", -0.1, score=-3.2),
    )
    analysis = Analysis("reversi-8", "", 1, "test", candidates)
    text = "\n".join(table_of(analysis, make_game("reversi")))
    said = ("for Black (X)", "wins by 12 discs", "wins by at least 2 discs", "≈ 3 discs behind")
    assert all(words in text for words in said)


def test_the_tree_names_sides_and_calls_proven_moves_solved():
    reply = TreeView(0, "a1", 1, -0.5, None, -0.5, 0.75)
    child = TreeView(4, "b2", 9, 0.5, None, 0.5, 0.25, (reply,), prior=0.375)
    won = TreeView(8, "c3", 2, 1.0, "win", 1.0, 0.0, distance=3)
    root = TreeView(None, "", 11, 0.0, None, 0.0, 0.0, (child, won))
    assert list(tree_lines(root, words_for(ConnectFour()), 1)) == [
        "root  11 visits",
        "├─ b2  prior 37.5 %  9 visits  Red ≈ 43 to 92 %  UCT 0.50 + 0.25",
        "│  └─ a1  1 visit  UCT −0.50 + 0.75",
        "└─ c3  2 visits  Red wins in 2 moves  solved",
    ]


@pytest.mark.parametrize(
    ("candidate", "said"),
    [
        (
            Candidate(2, "c1", 1.0, "win", True, 1, note="Completes a row and wins."),
            "c1 wins in 1 move, proven. Completes a row and wins.",
        ),
        (
            Candidate(2, "c1", 1.0, "win", True, 39, note="X wins in 20 moves (c1 a1 …)."),
            "c1 wins in 20 moves, proven.",
        ),
        (
            Candidate(2, "c1", 0.0, "draw", True, note="Blocks a1; a draw with best play."),
            "c1 draws, proven. Blocks a1.",
        ),
        (Candidate(2, "c1", -1.0, "loss", True, 4), "c1 loses in 2 moves, proven."),
        (
            Candidate(2, "c1", 0.25, note="Blocks a1; slightly better (X ≈ 63 %)."),
            "Best: c1, ≈ 63 % for X. Blocks a1.",
        ),
        (Candidate(2, "c1", 0.25, "win"), "Best: c1, ≈ 63 % for X."),
        (Candidate(2, "c1"), "test plays c1; its value is unknown."),
    ],
)
def test_the_headline_gives_a_result_once(candidate, said):
    assert headline(TicTacToe(), analysis_with(candidate)) == said


def test_the_headline_names_equally_good_moves():
    draws = [Candidate(n, f"m{n}", 0.0, "draw", True) for n in range(4)]
    lost = Candidate(8, "c3", -1.0, "loss", True, 2)
    some, every = analysis_with(*draws, lost), analysis_with(*draws)
    assert headline(TicTacToe(), some) == "m0 draws, proven. Equally good: m1, m2 and m3."
    assert headline(TicTacToe(), every) == "m0 draws, proven. All moves are equally good."


def test_effort_is_counted_in_what_the_engine_counts():
    analysis = Analysis("g", "", 1, "mcts", nodes=5, simulations=1, elapsed=0.0)
    assert work_text(analysis) == "mcts · 1 simulation · 0.00 s"
