"""``rl-toolkit calibrate``: ratings of levels, and data for the package."""

import json

from rl_toolkit.players.levels.ratings import RatedLadder

#: A second: every pairing plays at least one pair.
SHORT = "0.0003"


def test_levels_are_rated_saved_and_shown_again(run, tmp_path):
    games, data = tmp_path / "games.jsonl", tmp_path / "tictactoe.json"
    first = run("calibrate", "tictactoe", "--save", games, "--hours", SHORT, "--output", data)
    assert first.code == 0
    assert "ratings are not within ±40; run the same command with more --hours" in first.out
    for words in ("level", "95 % interval", "beginner", "minimax:depth=18"):
        assert words in first.out
    ladder = RatedLadder.from_dict(json.loads(data.read_text()))
    assert ladder.games == 2 * (len(games.read_text().splitlines()) - 1)
    before = games.read_bytes()
    again = run("calibrate", "tictactoe", "--save", games, "--hours", "0", "--json")
    assert RatedLadder.from_dict(json.loads(again.out)) == ladder
    assert games.read_bytes() == before


def test_what_cannot_be_calibrated_is_refused(run, tmp_path):
    games = tmp_path / "games.jsonl"
    none = run("calibrate", "gomoku-19", "--save", games)
    assert none.code == 2
    assert "gomoku-19 has no ladder to calibrate" in none.err
    early = run("calibrate", "tictactoe", "--save", games, "--hours", "0")
    assert early.code == 1
    assert "not every level has played yet" in early.err
    other = run("calibrate", "tictactoe", "--save", games, "--hours", "0", "--seed", "5")
    assert other.code == 2
    assert "belongs to a different run (seed 0, not 5)" in other.err


def test_games_and_data_need_different_files(run, tmp_path):
    games = tmp_path / "games.jsonl"
    assert run("calibrate", "tictactoe", "--save", games, "--hours", SHORT).code == 0
    before = games.read_bytes()
    same = tmp_path / ".." / tmp_path.name / "games.jsonl"
    refused = run("calibrate", "tictactoe", "--save", games, "--hours", "0", "--output", same)
    assert refused.code == 2
    assert "--save and --output need different files" in refused.err
    assert games.read_bytes() == before
