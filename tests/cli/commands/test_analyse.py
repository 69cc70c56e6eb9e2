"""`rl-toolkit analyse`: positions in every form, limits, streams, JSON."""

from __future__ import annotations

import json

import pytest

from rl_toolkit.analysis import Analysis
from rl_toolkit.records import GameRecord


def test_analyse_shows_the_winning_move_and_says_why(run):
    ran = run("analyse", "tictactoe", "xx1/oo1/3 x")
    assert ran.code == 0
    assert "c1 wins in 1 move, proven. Completes a1, b1 and c1 and wins." in ran.out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_analyse_says_a_sentence_about_every_candidate(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("analyse", "tictactoe", "b2", "--top", "5")
    assert max(map(len, ran.out.splitlines())) <= columns
    before = ran.out.partition("proven.")[0]
    assert before.count("A draw with best play.") == 4
    assert "X wins in 3 moves" in " ".join(before.split())  # after the fifth
    is_beside = [" a1 " in line for line in before.splitlines() if "A draw" in line]
    assert is_beside[0] == (columns == 120)


@pytest.mark.parametrize(
    "position", ["a1 a2 b1 b2", "xx1/oo1/3 x", "record"], ids=["moves", "rows", "record"]
)
def test_analyse_takes_a_position_in_every_form(run, position, tmp_path):
    if position == "record":
        position = str(tmp_path / "game.json")
        GameRecord("tictactoe", (0, 3, 1, 4)).save(position)
    ran = run("analyse", "tictactoe", position, "--json")
    assert Analysis.from_json(ran.out).best_move == 2


def test_analyse_takes_a_board_in_obf_though_it_looks_like_an_option(run):
    ran = run("analyse", "reversi-4", "-----OX--XO----- X;", "--depth", "2", "--json")
    assert Analysis.from_json(ran.out).game == "reversi-4"


def test_analyse_of_a_game_that_is_over_says_so(run):
    ran = run("analyse", "tictactoe", "xxx/oo1/3 x")
    assert (ran.code, "The game is over." in ran.out) == (0, True)


def test_analyse_keeps_its_limit_and_its_seed(run):
    answers = [
        Analysis.from_json(
            run(
                *("analyse", "connect-four-4x4x4", "--engine", "mcts"),
                *("--simulations", "50", "--seed", "7", "--json"),
            ).out
        )
        for _ in range(2)
    ]
    assert [answer.simulations for answer in answers] == [50, 50]
    assert answers[0].candidates == answers[1].candidates


def test_analyse_shows_the_tree_of_a_tree_search_only(run):
    asked = ("analyse", "tictactoe", "--tree", "--seed", "1")
    tree = run(*asked, "--engine", "mcts", "--simulations", "30")
    assert "root  30 visits" in tree.out
    none = run(*asked, "--engine", "greedy")
    assert (none.code, "kept no search tree" in none.err) == (0, True)
    assert "Best: b2" in none.out


@pytest.mark.parametrize(
    ("limit", "engine"), [(["--depth", "2"], "minimax"), (["--simulations", "20"], "mcts")]
)
def test_analyse_asks_an_engine_that_keeps_the_limit(run, limit, engine):
    answer = Analysis.from_json(run("analyse", "connect-four", "44", *limit, "--json").out)
    assert answer.engine == engine
    assert (answer.depth == 2) if engine == "minimax" else (answer.simulations == 20)


def test_a_stream_is_answered_line_by_line(run):
    ran = run(
        "analyse", "tictactoe", "-", "--engine", "perfect", stdin="\nzork\na1a2b1b2\n3/3/3 o\n"
    )
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert len(lines) == 4
    assert lines[0]["position"] == "3/3/3 x"
    assert lines[1]["input"] == "zork"
    assert "zork" in lines[1]["error"]
    assert Analysis.from_dict(lines[2]).best_move == 2
    assert lines[3]["player"] == -1
    assert ran.code == 1  # one line could not be read


def test_watching_in_a_pipe_writes_a_line_for_each_depth(run):
    ran = run("analyse", "connect-four-4x4x4", "--watch", "--time", "1.5", "--engine", "minimax")
    assert ran.code == 0
    assert "minimax · depth" in ran.out


def test_an_engine_that_only_plays_has_one_row(run):
    ran = run("analyse", "gomoku-9", "e5", "--engine", "first")
    assert ran.code == 0
    assert ran.out.count("Not searched.") == 2  # its row and the headline
    assert "Nothing is known about the other 79 moves." in ran.out
    assert "Nothing is known" not in run("analyse", "tictactoe", "b2").out
