"""`rl-toolkit solve`: an exact answer for every position, or a sentence that says why not."""

import csv
import json
import random

import numpy as np
import pytest
from connect_four_positions import random_game
from connect_four_reference import reference_scores as connect_four_scores
from recorded import Recorded

from rl_toolkit.algorithms.connect_four import book
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.reversi.reference import final_margin, reference_scores
from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.cli.commands.solve import solved_of
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import think
from rl_toolkit.envs import TicTacToe, make_game
from rl_toolkit.records import (
    from_transcript,
    position_from_text,
    position_to_text,
    to_obf,
    to_transcript,
)

KEYS = ["position", "score", "best", "scores", "nodes", "seconds", "text", "side", "units", "line"]


def answers(ran):
    return [json.loads(line) for line in ran.out.splitlines()]


def late_game(size, empties, seed, *, to_pass=False):
    """A game played at random with at most ``empties`` empty squares, then to a pass if asked."""
    chance = random.Random(seed)
    while True:
        env = make_game(f"reversi-{size}")
        while not env.is_terminal():
            found = not to_pass or env.get_legal_moves() == [env.pass_move]
            if found and (env.board == 0).sum() <= empties:
                return env
            env.step(chance.choice(env.get_legal_moves()))
        if not (empties or to_pass):
            return env


def test_positions_are_solved_a_line_each(run):
    ran = run("solve", "tictactoe", "-", stdin="\na1 a2 b1 b2\nzork\nb2 b1\n")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert [row[:2] for row in rows] == [
        ["", "draw"],
        ["a1 a2 b1 b2", "win"],
        ["zork", "error"],
        ["b2 b1", "win"],
    ]
    assert rows[1][2] == "c1"
    assert int(rows[0][3]) > 0
    assert ran.code == 1


@pytest.mark.parametrize(
    ("game", "position", "text", "side", "unit"),
    [
        ("tictactoe", "b2 b1", "X wins in 3 moves", "X", "win, draw or loss"),
        ("connect-four", "1212123", "Yellow wins in 1 move", "Yellow", "Connect Four score"),
        ("reversi-4", "b1c1", "Black wins by 14 discs", "Black", "discs"),
    ],
)
def test_json_says_what_the_score_means(run, game, position, text, side, unit):
    (answer,) = answers(run("solve", game, position, "--json"))
    assert (answer["text"], answer["side"]) == (text, side)
    assert answer["units"]["score"] == unit


def test_a_game_without_an_exact_engine_is_solved_where_minimax_proves_it(run):
    (answer,) = answers(run("solve", "tictactoe-5x5x4", "a1a2b1b2c1c2", "--json"))
    assert (answer["score"], answer["best"]) == ("win", ["d1"])
    ran = run("solve", "gomoku", "--time", "0.05")
    assert (ran.code, "gomoku could not prove who wins" in ran.out) == (1, True)


def test_gomoku_is_solved_by_threats_with_the_line_of_the_proof(run):
    won = "e5e6d5d6f5f6"
    ran = run("solve", "gomoku-9", won)
    assert ran.out.split("\t")[1] == "win"
    said = " ".join(ran.err.split())  # lines are wrapped
    assert "a proven win in 2 moves by continuous fours: " in said
    (answer,) = answers(run("solve", "gomoku-9", won, "--json"))
    assert (answer["score"], answer["text"]) == ("win", "Black wins in 2 moves")
    assert answer["line"][0] in answer["best"]
    assert len(answer["line"]) == 3
    (lost,) = answers(run("solve", "gomoku-9", "e5a1d5i9f5i1g5", "--json"))
    assert (lost["score"], lost["side"]) == ("loss", "White")


@pytest.mark.parametrize("size", [4, 6, 8])
def test_reversi_in_discs_from_every_form_of_a_position(run, size):
    games = [late_game(size, 6, seed) for seed in range(6)]
    games += [late_game(size, 6, 1, to_pass=True), late_game(size, 0, 1)]
    lines = [form(env) for env in games for form in (to_transcript, position_to_text, to_obf)]
    ran = run("solve", f"reversi-{size}", "-", "--json", stdin="\n".join(lines) + "\n")
    assert ran.code == 0
    told = answers(ran)
    assert [answer["position"] for answer in told] == lines
    for number, answer in enumerate(told):
        env = games[number // 3]
        assert list(answer) == KEYS
        if env.is_terminal():
            assert (answer["score"], answer["best"]) == (final_margin(env), [])
            assert answer["scores"] == {}
            continue
        scores = {env.move_name(move): s for move, s in reference_scores(env).items()}
        assert answer["scores"] == scores
        assert answer["score"] == max(scores.values())
        assert set(answer["best"]) == {m for m, s in scores.items() if s == answer["score"]}
    assert told[-4]["best"] == ["pass"]
    assert told[-1]["best"] == []


def test_connect_four_has_the_same_keys_and_the_scores_of_all_moves(run):
    env = make_game("connect-four-4x4x4")
    for move in (0, 0, 1, 3, 2, 2, 2):
        env.step(move)
    text = to_transcript(env)
    (answer,) = answers(run("solve", env.name, text, "--json"))
    assert list(answer) == KEYS
    scores = connect_four_scores(env).items()
    assert answer["scores"] == {env.move_name(move): score for move, score in scores}
    assert answer["score"] == answer["scores"][answer["best"][0]]


def test_several_positions_on_the_command_line(run):
    ran = run("solve", "reversi-4", "-----OX--XO----- X;", "b1", "", "--json")
    assert [answer["score"] for answer in answers(ran)] == [-10, 10, -10]
    refused = run("solve", "reversi-4", "b1", "zork")
    assert (refused.code, refused.out) == (2, "")  # nothing is begun


@pytest.mark.parametrize("limit", [[], ["--time", "0.05"]])
def test_what_takes_too_long_is_answered_by_a_sentence(run, limit):
    solvable = to_obf(late_game(8, 5, 1))
    ran = run("solve", "reversi", "-", "--json", *limit, stdin=f"\n{solvable}\n")
    refused, solved = answers(ran)
    assert ran.code == 1
    assert "60 empty squares are too many" in refused["error"]
    assert refused["input"] == ""
    assert solved["position"] == solvable
    row = run("solve", "reversi", "f5", *limit).out.split("\t")
    assert row[:2] == ["f5", "error"]
    assert "59 empty squares are too many" in row[2]


@pytest.mark.parametrize(("rows", "cols"), [(8, 7), (5, 7), (7, 7)])
def test_connect_four_on_other_boards_is_solved_near_the_end(run, rows, cols):
    env = random_game(random.Random(rows * cols), rows * cols - 8, rows, cols)
    (answer,) = answers(run("solve", env.name, position_to_text(env), "--json"))
    scores = connect_four_scores(env).items()
    assert answer["scores"] == {env.move_name(move): score for move, score in scores}


def test_a_board_too_large_to_be_solved_from_its_start_is_not_begun_without_a_clock(run):
    ran = run("solve", "connect-four-8x7x4")
    assert (ran.code, "56 empty squares are too many" in ran.out) == (1, True)
    ran = run("solve", "connect-four-8x7x4", "--time", "0.05")
    assert (ran.code, "could not prove who wins" in ran.out) == (1, True)


def test_an_engine_may_be_asked_for_no_more_than_who_wins(run):
    (strong,) = answers(run("solve", "connect-four", "4455", "--json"))
    (weak,) = answers(run("solve", "connect-four", "4455", "--engine", "exact:weak=on", "--json"))
    words = {move: ("draw", "win", "loss")[int(np.sign(s))] for move, s in strong["scores"].items()}
    assert weak["scores"] == words
    assert weak["best"] == [move for move, word in words.items() if word == "win"]


def test_what_the_engine_says_of_its_search_is_told_once_beside_the_answers(run, monkeypatch):
    monkeypatch.setattr(book, "SHIPPED", "no such file")
    book.shipped_book.cache_clear()
    try:
        ran = run("solve", "connect-four", "4455", "44556", "--json")
        told = run("analyse", "connect-four", "4455", "--engine", "exact", "--depth", "3", "--json")
    finally:
        book.shipped_book.cache_clear()
    assert [answer["score"] for answer in answers(ran)] == [18, -18]
    assert ran.err.count("without an opening book") == 1
    assert "without an opening book" in told.err
    assert "only time and nodes limit it" in told.err


def test_a_solved_position_names_all_moves_that_are_best():
    env = position_from_text("tictactoe", "xx1/oo1/3 x")
    analysis = analysis_of(
        env,
        "",
        "test",
        [
            Candidate(2, "c1", 1.0, "win", True, 1, score=7.0),
            Candidate(5, "c2", 1.0, "win", True, 1, score=7.0),
            Candidate(6, "a3", 1.0, "win", True, 3, score=6.0),
        ],
        nodes=12,
        elapsed=0.5,
    )
    assert solved_of("p", env, analysis).row() == ["p", "7", "c1,c2", "12", "0.5000"]


def test_what_is_not_proven_is_not_solved():
    env = TicTacToe()
    with pytest.raises(ValueError, match="could not prove"):
        solved_of("", env, analysis_of(env, "", "test", [Candidate(4, "b2", 0.9)]))


def test_connect_four_is_scored_in_columns_counted_from_one():
    screen = Screen(Recorded(), Recorded())
    for position, score, best in (("4455", 18, ["c", "f"]), ("44455554221", -15, list("abcdefg"))):
        env = from_transcript("connect-four", position)
        solved = solved_of(position, env, think(ConnectFourSolver(), env, screen))
        assert (solved.score, solved.best) == (score, best)


def test_answers_as_csv_with_errors_among_them(run):
    done = run("solve", "connect-four", "-", "--csv", stdin="4455\n4x\n")
    head, first, second = csv.reader(done.out.splitlines())
    assert (done.code, head) == (1, ["position", "score", "best moves", "nodes", "seconds"])
    assert first[:3] == ["4455", "18", "c,f"]
    assert second[:2] == ["4x", "error"]
    assert run("solve", "connect-four", "--csv", "--json").code == 2
