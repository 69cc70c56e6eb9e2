"""What `rl-toolkit analyse` says about Gomoku: threats, shapes, wins by continuous fours."""

import json

ASK = ("--engine", "gomoku:every=on", "--nodes", "1500")


def test_a_threat_is_shown_and_is_data(run):
    ran = run("analyse", "gomoku-9", "e5e6d5d6a1f6", *ASK)
    assert "White threatens to win from " in ran.err
    told = json.loads(run("analyse", "gomoku-9", "e5e6d5d6a1f6", *ASK, "--json").out)
    assert len(told["threat"]) == 3
    assert told["notes"][-1].startswith("White threatens to win from ")
    quiet = json.loads(run("analyse", "gomoku-9", "e5", *ASK, "--json").out)
    assert (quiet["threat"], quiet["notes"]) == ([], [])


def test_a_win_is_told_as_players_do(run):
    ran = run("analyse", "gomoku-9", "e5e6d5d6f5a1", *ASK)
    said = " ".join(ran.out.split())
    assert "Makes an open four, which White cannot stop" in said
    assert "a proven win in 2 moves by continuous fours: " in said
