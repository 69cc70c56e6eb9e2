"""The training doctor beside real, small trainings whose settings are spoilt on purpose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rl_toolkit.learning.doctor import examine
from rl_toolkit.learning.training.log import read_log
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.settings import Stage, StartMix

pytest.importorskip("mctx", reason="needs the extra train")
pytestmark = pytest.mark.full

ALWAYS_THE_START = StartMix(empty=1.0, early=0.0, early_plies=1, late_plies=(1, 1), noise=0.0)


def trained(folder, game, iterations, **spoilt):
    """What the doctor finds after a small training with these settings."""
    from rl_toolkit.learning.training.trainer import Trainer

    settings = preset_settings(game, "tiny", iterations=iterations)
    Trainer(replace(settings, **spoilt), folder).run()
    entries = read_log(folder)
    assert sum(entry["kind"] == "iteration" for entry in entries) == iterations
    return {finding.kind: finding for finding in examine(entries)}


def test_settings_that_are_not_spoilt_give_no_alarm(tmp_path):
    assert trained(tmp_path, "connect-four-4x4x4", 12) == {}


def test_games_without_noise_from_one_start_are_one_game(tmp_path):
    found = trained(tmp_path, "connect-four-4x4x4", 24, gumbel_scale=0.0, starts=ALWAYS_THE_START)
    assert {"no exploration noise", "duplicate games"} <= found.keys()
    assert found["duplicate games"].evidence["distinct_share"] < 0.3


def test_steps_that_are_far_too_large(tmp_path):
    found = trained(tmp_path, "tictactoe", 60, learning_rate=30.0, final_rate=30.0)
    assert "learning rate too high" in found


def test_a_network_that_cannot_learn_says_the_same_of_everything(tmp_path):
    found = trained(
        tmp_path,
        "tictactoe",
        45,
        games=64,
        plies=8,
        learning_rate=1e-9,
        final_rate=1e-9,
        stages=(Stage(0, 4, 1),),
    )
    assert "value head stuck" in found


def test_a_game_that_nobody_wins_and_positions_learned_by_heart(tmp_path):
    # Nine in a row on 3 × 9: only three lines win, and not even random play fills one.
    found = trained(tmp_path, "tictactoe-3x9x9", 30, stages=(Stage(0, 4, 32),))
    assert {"all games drawn", "buffer stale"} <= found.keys()
    assert found["all games drawn"].evidence["draw_rate"] > 0.95
    assert found["buffer stale"].evidence["reuse"] == 32
