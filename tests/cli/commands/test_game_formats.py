"""`rl-toolkit game` with files of every format, and of many games."""

from __future__ import annotations

import csv
import io
import json

import pytest

from rl_toolkit.records import GameRecord, Variation, from_transcript, read_games, write_games

GAMES = [
    GameRecord.from_env(from_transcript("gomoku-9", "e5e4d5"), players=("Ada", "Max")),
    GameRecord.from_env(
        from_transcript("gomoku-9", "a1b1a2b2a3b3a4b4a5"),
        players=("Max", "Ada"),
        comments={0: "a short game", 2: "a\nbreak"},
        variations=[Variation(1, (2, 3), {1: "far"}, [Variation(1, (4,))])],
        headers={"event": "final"},
    ),
]


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "games.sgf"
    write_games(path, GAMES)
    return str(path)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_many_games_are_listed_and_one_is_shown(run, saved):
    listed = run("game", "show", saved).out.splitlines()
    assert listed[0].split() == ["game", "X", "O", "result", "moves"]
    assert listed[2].split() == ["2", "gomoku-9", "Max", "Ada", "X", "won", "9"]
    one = run("game", "show", saved, "--number", "2").out
    assert "At the start: a short game" in one
    assert "  instead of b1: c1 d1 (c1: far)" in one
    assert "    instead of d1: e1" in one
    assert run("game", "show", saved, "--number", "3").code == 2
    lines = run("game", "show", saved, "--json").out.splitlines()
    assert [GameRecord.from_json(line) for line in lines] == GAMES


def test_games_and_moves_as_rows(run, saved):
    games = rows_of(run("game", "show", saved, "--csv").out)
    assert [row["moves"] for row in games] == ["3", "9"]
    assert (games[1]["x"], games[1]["result"], games[1]["event"]) == ("Max", "x", "final")
    moves = rows_of(run("game", "show", saved, "--number", "2", "--csv").out)
    assert [row["move"] for row in moves][:2] == ["a1", "b1"]
    assert moves[1]["comment"] == "a\nbreak"
    assert moves[1]["position"] == "9/9/9/9/9/9/9/9/x8 o"
    both = rows_of(run("game", "convert", saved, "--to", "csv-moves").out)
    assert [row["number"] for row in both] == ["1"] * 3 + ["2"] * 9


def test_the_suffix_decides_the_form_and_what_is_lost_is_said(run, saved, tmp_path):
    lines, alone = tmp_path / "games.jsonl", tmp_path / "one.psq"
    assert run("game", "convert", saved, "-o", str(lines)).code == 0
    assert read_games(lines) == GAMES
    ran = run("game", "convert", str(lines), "--number", "2", "-o", str(alone))
    assert ran.code == 0
    said = " ".join(ran.err.split())  # a long line is wrapped
    assert "psq does not hold it: comments, variations, the header 'event'" in said
    assert read_games(alone)[0].moves == GAMES[1].moves
    refused = run("game", "convert", str(lines), "-o", str(tmp_path / "both.psq"))
    assert (refused.code, "holds one game, not 2" in refused.err) == (1, True)
    assert not (tmp_path / "both.psq").exists()
    assert run("game", "convert", saved, "--to", "transcript").out.splitlines()[0] == "e5e4d5"
    assert run("game", "convert", saved, "--to", "svg").code == 2
    assert run("game", "convert", saved).out.count("\n") == 2
    table = tmp_path / "games.csv"
    assert run("game", "convert", saved, "-o", str(table)).code == 0
    assert table.read_text(encoding="utf-8").startswith("number,game,x,o,result")


def test_a_database_is_written_to_a_file_only(run, tmp_path):
    asked = ("game", "convert", "-", "--to", "wthor")
    record = GameRecord("reversi", (19,), result=1, ended_by="time").to_json()
    refused = run(*asked, stdin=record)
    assert (refused.code, "not text" in refused.err) == (2, True)
    path = tmp_path / "g.wtb"
    ran = run(*asked, "-o", str(path), stdin=record)
    assert (ran.code, "that a game ended by time" in ran.err) == (0, True)
    assert run("game", "convert", str(path), "--to", "transcript").out == "d3\n"


def test_statistics_of_files(run, saved, tmp_path):
    ran = run("game", "stats", saved, "--plies", "1")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0] == "gomoku-9: 2 games; X won 1, 0 drawn, O won 0, 1 unfinished"
    assert lines[1] == "Moves: 6.0 on average, 3 to 9."
    assert lines[3:5] == ["Max 2 1 0 0 100.0 %", "Ada 2 0 0 1 0.0 %"]
    assert any(line.startswith("a1 1 1 0 0") for line in lines)
    told = json.loads(run("game", "stats", saved, "--json").out)
    assert (told["games"], told["x_won"], told["moves"]["most"]) == (2, 1, 9)
    assert told["openings"][0]["moves"] == "a1 b1"
    rows = rows_of(run("game", "stats", saved, saved, "--csv").out)
    assert [(row["player"], row["games"], row["points"]) for row in rows] == [
        ("Max", "4", "1.0"),
        ("Ada", "4", "0.0"),
    ]


def test_a_saved_match_and_self_play_are_read(run, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")  # whatever the length of the path
    match, play = str(tmp_path / "m.jsonl"), str(tmp_path / "s.jsonl")
    asked = ("match", "tictactoe", "greedy", "random", "--games", "4", "--save", match)
    written = rows_of(run(*asked, "--csv").out)
    assert [row["transcript"] for row in written] == [
        row["transcript"] for row in rows_of(run("game", "show", match, "--csv").out)
    ]
    assert "4 games" in run("game", "stats", match).out
    assert len(rows_of(run("game", "show", match, "--csv").out)) == 4
    assert run("game", "check", match).out.startswith(f"{match}: 4 games")
    engine = "mcts:simulations=20"
    asked = ("self-play", "tictactoe", engine, "--games", "2", "--save", play)
    assert len(rows_of(run(*asked, "--csv").out)) == 2
    moves = rows_of(run("game", "convert", play, "--to", "csv-moves").out)
    assert all(row["value"] and row["best"] for row in moves)
    reviewed = rows_of(run("game", "review", play, "--number", "1", "--csv").out)
    assert len(reviewed) == len(read_games(play)[0].moves)
    refused = run("game", "review", play)
    assert (refused.code, "choose one with --number" in refused.err) == (2, True)


@pytest.mark.parametrize("name", ["g.sgf", "g.ggf", "g.psq", "g.wtb", "g.jsonl", "g.json", "g"])
def test_a_broken_file_gets_a_sentence_that_names_it(run, tmp_path, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    path = tmp_path / name
    path.write_bytes(b"\x00\xff broken")
    for command in ("show", "review", "convert", "stats"):
        ran = run("game", command, str(path))
        assert ran.code == 1
        assert ran.err.count(f"{path}: ") == 1
        assert "Traceback" not in ran.err


def test_a_second_file_is_meant_as_the_output(run, tmp_path):
    source, target = str(tmp_path / "a.json"), str(tmp_path / "b.sgf")
    write_games(source, [GameRecord("gomoku-9", (40,))])
    ran = run("game", "convert", source, target)
    assert ran.code == 2
    assert f"Error: one file is read, not 2; write -o {target}." in ran.err
    assert not (tmp_path / "b.sgf").exists()
    assert run("game", "convert", source, "-o", target).code == 0
    assert read_games(target)[0].moves == (40,)


def test_a_file_that_names_no_game_needs_one(run, tmp_path):
    path = tmp_path / "g.sgf"
    path.write_text("(;FF[4]SZ[19];B[jj])")
    refused = run("game", "show", str(path))
    assert (refused.code, "say which game it is" in refused.err) == (1, True)
    assert "gomoku-19" in run("game", "show", str(path), "--game", "gomoku-19").out
