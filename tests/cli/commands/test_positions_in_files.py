"""Positions and games from files of every format: `analyse`, `compare`, `solve` and `play`."""

from __future__ import annotations

import json

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.records import GameRecord, read_games, write_games

REVERSI = "f5d6c3d3c4f4"
SUFFIXES = ["json", "jsonl", "sgf", "ggf", "wtb"]


def reversi(transcript, players=("Ada", "Max")):
    env = make_game("reversi")
    for move in (transcript[k : k + 2] for k in range(0, len(transcript), 2)):
        env.step(env.parse_move(move))
    return GameRecord.from_env(env, players=players, result=1, ended_by="adjudication")


@pytest.fixture
def many(tmp_path):
    """A file with two games."""
    path = tmp_path / "many.sgf"
    write_games(path, [reversi("f5d6"), reversi(REVERSI)])
    return str(path)


def analysed(run, *arguments):
    ran = run("analyse", *arguments, "--engine", "greedy", "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["position"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_position_is_read_from_a_file_of_every_format(run, tmp_path, suffix):
    path = str(tmp_path / f"game.{suffix}")
    write_games(path, [reversi(REVERSI)])
    assert analysed(run, "reversi", path) == analysed(run, "reversi", REVERSI)
    assert analysed(run, "reversi", path, "--ply", "2") == analysed(run, "reversi", "f5d6")


def test_moves_alone_and_psq_are_read(run, tmp_path):
    (tmp_path / "moves.txt").write_text("b2 a1\n")
    moves = str(tmp_path / "moves.txt")
    assert analysed(run, "tictactoe", moves) == analysed(run, "tictactoe", "b2a1")
    assert run("solve", "tictactoe", moves).out.split("\t")[1] == "draw"
    record = GameRecord("gomoku-15", (112, 113))
    write_games(tmp_path / "game.psq", [record])
    ran = run("compare", "gomoku", str(tmp_path / "game.psq"), "--engines", "greedy", "--json")
    assert json.loads(ran.out)["greedy"]["position"].count("x1") == 0
    assert len(json.loads(ran.out)["greedy"]["candidates"]) == 15 * 15 - 2


def test_a_game_of_many_is_chosen_by_its_number(run, many):
    assert analysed(run, "reversi", many, "--number", "1") == analysed(run, "reversi", "f5d6")
    for arguments, said in (
        ((many,), "has 2 games; choose one with --number 1 to 2"),
        ((many, "--number", "3"), "has 2 games, so there is no game 3"),
        ((many, "--number", "1", "--ply", "3"), "the game has 2 moves, so there is no ply 3"),
        (("f5", "--number", "1"), "--number and --ply choose from a file of games"),
        (("f5", "--ply", "0"), "--number and --ply choose from a file of games"),
    ):
        ran = run("analyse", "reversi", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


def test_a_file_of_another_game_is_refused(run, many):
    for game, said in (("reversi-6", "the board has 8 rows"), ("tictactoe", "SGF has no form")):
        ran = run("analyse", game, many, "--number", "1")
        assert ran.code == 2
        assert f"Error: {many}: game 1: " in ran.err
        assert said in ran.err
    damaged = many.replace("many", "damaged")
    with open(damaged, "w", encoding="utf-8") as file:
        file.write("(;GM[2]SZ[8];B[aa])")
    assert run("analyse", "reversi", damaged).code == 1


# ------------------------------------------------------------------------------- play


def test_play_continues_a_game_of_any_file(run, many, tmp_path):
    saved = tmp_path / "on.ggf"
    lines = f"c3\nsave {saved}\nquit\n"
    ran = run("play", "--load", many, "--number", "1", "--o", "human", stdin=lines)
    assert ran.code == 0, ran.err
    # Ada and Max are not at this table.
    assert "Black (X): human · White (O): human" in ran.out
    (record,), first = read_games(saved), read_games(many)[0]
    assert (record.moves[:-1], len(record.moves)) == (first.moves, 3)
    assert record.result is None  # the decision of the file was about an earlier position
    for arguments in (["--load", many], ["--load", many, "--number", "9"], ["--number", "1"]):
        assert run("play", *arguments).code == 2


def test_a_game_is_loaded_at_the_prompt(run, many, tmp_path):
    spaced = tmp_path / "my game 2"
    write_games(spaced, [reversi("f5d6c3")], "sgf")
    lines = f"load {many}\nload {many} 3\nload {many} 2\nhistory\nload {spaced}\nhistory\nquit\n"
    ran = run("play", "reversi", "--x", "human", "--o", "human", stdin=lines)
    said = "".join(ran.out.split())  # lines are wrapped anywhere
    assert said.count("".join(f"{many} has 2 games; type load {many} NUMBER.".split())) == 2
    assert "1. f5 d6 2. c3 d3 3. c4 f4" in ran.out
    assert "1. f5 d6 2. c3   (f5d6c3)" in ran.out


def test_saving_does_not_replace_a_file_of_many_games(run, many, tmp_path):
    with open(many, "rb") as file:
        before = file.read()
    lines = f"load {many} 1\nsave {many}\nquit\n"
    ran = run("play", "reversi", "--x", "human", "--o", "human", stdin=lines)
    assert "".join(f"{many} already exists".split()) in "".join(ran.out.split())
    with open(many, "rb") as file:
        assert file.read() == before
