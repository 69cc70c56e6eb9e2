"""The judge of a training reads the samples of the arena the right way up."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mctx", reason="needs the extra train")

from rl_toolkit.arena.exact_scores import keeping
from rl_toolkit.arena.labelled_samples import label, save_arrays
from rl_toolkit.arena.samples import Sample
from rl_toolkit.learning.training.games import batch_game
from rl_toolkit.learning.training.games.base import planes_of
from rl_toolkit.learning.training.loop.solved_positions import load_judge
from rl_toolkit.records import position_from_text


@pytest.mark.parametrize("game", ["connect-four-4x4x4", "reversi-4"])
def test_positions_and_their_good_moves_are_those_of_the_sample(game, tmp_path):
    sample = label(Sample(game, 16), folder=tmp_path)
    save_arrays(tmp_path / "judge.npz", game, sample)
    judge = load_judge(tmp_path / "judge.npz", batch_game(game))
    for each, planes, keeps in zip(sample, judge.planes, judge.keeps, strict=True):
        assert np.array_equal(planes, planes_of(position_from_text(game, each.position)))
        assert set(np.flatnonzero(keeps).tolist()) == keeping(each.scores)
