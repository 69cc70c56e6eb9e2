"""The words that can be typed at the prompt."""

from __future__ import annotations

import re

from rl_toolkit.cli.play import view
from rl_toolkit.cli.play.loop import PlayLoop
from rl_toolkit.cli.play.prompt import WORDS, meant_word, split_word
from rl_toolkit.players import make_engine


def test_words_are_read_in_any_case_and_moves_are_none():
    assert split_word(" UNDO ") == ("undo", "")
    assert split_word("?") == ("help", "")
    assert split_word("save a b.json") == ("save", "a b.json")
    assert split_word("b2") is None
    assert split_word("") is None


def test_every_word_is_answered():
    assert all(callable(getattr(PlayLoop, f"_do_{word}", None)) for word in WORDS)


def test_a_word_with_a_slip_is_understood_but_moves_are_not_words():
    assert meant_word("undoo") == "undo"
    assert meant_word("legned") == "legend"
    for move in ("b2", "d", "2 2", "pass", "", "x9"):
        assert meant_word(move) is None


def test_a_game_that_cannot_be_saved_says_so_when_it_is_left(run, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RL_TOOLKIT_STATE_DIR", str(tmp_path / "file"))
    asked = ("play", "tictactoe", "--x", "human", "--o", "human")
    out = " ".join(run(*asked, stdin="b2\na1\nquit\n").out.split())
    assert out.count("The game cannot be saved: ") == 1
    assert out.endswith("The game is not saved. Its moves were b2a1")
    assert "--resume" not in out


def test_why_asks_a_stronger_engine_where_the_position_can_be_solved(run):
    typed = "b2\nwhy\nquit\n"
    out = run("play", "tictactoe", "--o", "random:seed=1", stdin=typed).out
    said = out.partition("O played ")[2].partition("\n")[0]
    assert ". A draw with best play." in said or ". X wins in " in said
    assert "nothing" not in said


def test_why_asks_the_adviser_where_the_engine_proved_nothing(run, monkeypatch):
    asked = []

    def adviser(env):
        asked.append(env.history)
        return make_engine("greedy")

    monkeypatch.setattr(view, "adviser", adviser)
    typed = "e5\nwhy\nquit\n"
    out = run("play", "gomoku-9", "--o", "minimax:depth=1", stdin=typed).out
    assert len(asked) == 1
    said = out.partition("O) played ")[2].partition("\n")[0]
    assert re.search(r"\. (Unknown|White ≈ )", said)


def test_the_words_for_help_answer_in_the_game(run):
    typed = "rules\nlevels\nlegend\ncells\ncells numpad\n5\nquit\n"
    out = run("play", "tictactoe", "--x", "human", "--o", "human", stdin=typed).out
    for said in ("take turns", "never gives away", "W3", "1  7  8  9", "X (human) plays b2"):
        assert said in out
    assert "X to move (a1-c3 or 0-8)" in out
    assert "O to move (a1-c3 or numpad)" in out


def test_cells_are_counted_from_one_where_that_was_asked_for(run):
    asked = ("play", "tictactoe", "--x", "human", "--o", "human", "--cells", "1-9")
    out = run(*asked, stdin="5\n9\nquit\n").out
    assert "X (human) plays b2" in out
    assert "O (human) plays c3" in out
    refused = run("play", "connect-four", "--cells", "1-9")
    assert (refused.code, "columns, a-g or 1-7" in refused.err) == (2, True)
