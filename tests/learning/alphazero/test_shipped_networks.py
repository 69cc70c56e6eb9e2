"""What the shipped networks can do: the promises of `docs/explanation/alphazero.md`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_toolkit.arena.grading import grade
from rl_toolkit.arena.labelled_samples import label
from rl_toolkit.arena.samples import Sample
from rl_toolkit.experiments.playing.never_loses import NEVER_LOSES
from rl_toolkit.experiments.running import run_experiment


def test_fifty_simulations_of_tictactoe_never_lose() -> None:
    asked = {"game": "tictactoe", "engine": "alphazero:simulations=50", "ties": "engine"}
    result = run_experiment(NEVER_LOSES, asked)
    assert [result.data[order]["lost"] for order in ("first", "second")] == [0, 0]


@pytest.mark.full
def test_the_policy_of_tictactoe_is_right_in_every_position(tmp_path: Path) -> None:
    sample = label(Sample("tictactoe"), folder=tmp_path)
    keeps = grade("tictactoe", "alphazero:policy=on", sample).overall.keeps
    assert (keeps.right, keeps.of) == (4520, 4520)


@pytest.mark.full
def test_the_network_of_connect_four_keeps_the_result(tmp_path: Path) -> None:
    sample = label(Sample("connect-four", 3000), folder=tmp_path)
    policy = grade("connect-four", "alphazero:policy=on", sample).overall.keeps
    assert policy.share >= 0.975
    searched = grade("connect-four", "alphazero:simulations=64", sample).overall.keeps
    assert searched.share >= 0.99
    assert searched.share > policy.share
