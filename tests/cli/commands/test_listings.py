"""`rl-toolkit games`, `engines` and `levels`."""

from __future__ import annotations

import json

import pytest

from rl_toolkit.envs import game_families
from rl_toolkit.players import engine_kinds, levels_for
from rl_toolkit.players.levels.describe import distinct_levels


def test_games_engines_and_levels_list_all_there_are(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")  # so that no spec goes on in the next line
    games, engines, levels = run("games").out, run("engines").out, run("levels").out
    for family in game_families():
        assert family.name in games
        assert family.title in games
        for level, others in distinct_levels(family.name).items():
            parts = [*levels_for(family.name)[level].split(","), *others]  # options have spaces
            lines = [line for line in levels.splitlines() if line.split()[:1] == [level]]
            assert any(all(part in line for part in parts) for line in lines)
    for kind in engine_kinds():
        assert kind.name in engines
        one = run("engines", kind.name).out
        assert all(option.name in one for option in kind.options)


def test_levels_with_the_same_engine_are_one_row_and_ratings_have_a_unit(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    head, *rows = run("levels", "tictactoe").out.splitlines()[1:]
    assert "Elo above random" in head
    assert [row.split("  ")[0] for row in rows] == [
        "beginner",
        "easy",
        "medium",
        "perfect (or hard or expert)",
    ]
    told = json.loads(run("levels", "tictactoe", "--json").out)["tictactoe"]
    assert {level: each["same_as"] for level, each in told.items() if each["same_as"]} == {
        "hard": "perfect",
        "expert": "perfect",
    }
    assert {each["unit"] for each in told.values()} == {"Elo above random"}


def test_the_lists_as_json(run):
    assert [row["name"] for row in json.loads(run("games", "--json").out)] == [
        family.name for family in game_families()
    ]
    told = json.loads(run("levels", "reversi", "--json").out)["reversi-8"]
    assert {level: entry["engine"] for level, entry in told.items()} == levels_for("reversi")
    assert all(entry["description"] for entry in told.values())
    described = {kind["name"]: kind for kind in json.loads(run("engines", "--json").out)}
    assert {option["name"] for option in described["random"]["options"]} == {"seed"}
    assert described["exact"]["games"] == ["connect-four", "reversi"]
    for_gomoku = {
        kind["name"] for kind in json.loads(run("engines", "--game=gomoku", "--json").out)
    }
    assert set(described) - for_gomoku >= {"exact", "reversi"}


def test_forty_columns_break_no_word(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    for asked in (["engines"], ["engines", "mcts"], ["levels", "connect-four"], ["games"]):
        words = {word for line in run(*asked).out.splitlines() for word in line.split()}
        monkeypatch.setenv("COLUMNS", "400")
        wide = {word for line in run(*asked).out.splitlines() for word in line.split()}
        monkeypatch.setenv("COLUMNS", "40")
        broken = {word.strip(",;:()") for word in words} - {word.strip(",;:()") for word in wide}
        assert broken == set(), asked


def test_engines_of_a_game_are_asked_for_by_its_name(run):
    told = json.loads(run("engines", "tictactoe", "--json").out)
    assert "exact" not in {kind["name"] for kind in told}
    assert told == json.loads(run("engines", "--game", "tictactoe", "--json").out)


@pytest.mark.parametrize("asked", [["games"], ["engines"], ["levels"], ["engines", "mcts"]])
def test_every_listing_is_json_too(run, asked):
    assert json.loads(run(*asked, "--json").out)
