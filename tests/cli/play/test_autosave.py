"""Autosaved games: which are resumed, which are removed."""

from __future__ import annotations

import time

import pytest

from rl_toolkit.cli.play.autosave import KEEP, Autosave, latest_unfinished
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.installation import STATE_VARIABLE


@pytest.fixture
def state(monkeypatch, tmp_path):
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path))
    return tmp_path / "games"


def test_only_unfinished_games_are_resumed_and_nonsense_is_passed_over(state):
    assert latest_unfinished() is None
    Autosave().save(GameRecord("tictactoe", (4,)))
    time.sleep(0.01)
    Autosave().save(GameRecord("tictactoe", (0, 3, 1, 4, 2), result=1))
    (state / "nonsense.json").write_text("{")
    found = latest_unfinished()
    assert found is not None
    assert found[0].moves == (4,)
    assert latest_unfinished("connect-four") is None


def test_old_games_are_removed(state):
    for _ in range(KEEP + 5):
        Autosave().save(GameRecord("tictactoe", (4,)))
    assert len(list(state.glob("*.json"))) == KEEP


def test_a_folder_that_cannot_be_written_is_a_problem_and_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "file"))
    autosave = Autosave()
    autosave.save(GameRecord("tictactoe", (4,)))
    assert autosave.problem is not None
    (tmp_path / "file").unlink()  # the next move tries again
    autosave.save(GameRecord("tictactoe", (4, 0)))
    assert autosave.problem is None
    found = latest_unfinished()
    assert found is not None
    assert found[0].moves == (4, 0)
