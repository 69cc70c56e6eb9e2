"""The record of what a network says while it learns: images share an entry, and a run repeats."""

from importlib.resources import files

import numpy as np
import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero import Generations, shipped_generations
from rl_toolkit.learning.alphazero.generations import asked, classes, image_of, shares
from rl_toolkit.learning.alphazero.inference import Logits
from rl_toolkit.records import position_from_text


def likes_a1(planes):
    """A network that is sure of a1, and of a win for the side to move with a stone there."""
    policy = np.full((len(planes), 9), -20.0, dtype=np.float32)
    policy[:, 0] = 20
    results = np.zeros((len(planes), 3), dtype=np.float32)
    results[:, 0] = 20 * planes[:, 0, 0, 0]
    results[:, 2] = results[:, 0] * 0
    return Logits(policy, results)


def test_images_share_the_mean_of_what_the_network_says_of_them():
    record = Generations("tictactoe", (0,), (asked(likes_a1, "tictactoe"),))
    value, priors = record.said(0, make_game("tictactoe"))
    assert value == 0
    corners = {move for move, prior in priors.items() if prior > 0.2}
    assert corners == {0, 2, 6, 8}  # a1 in all eight images is each corner twice
    # X in a corner and in the centre, O beside it: in two of eight images the corner is a1.
    for text in ("xo1/1x1/2o x", "1ox/1x1/o2 x", "o2/1x1/1ox x"):
        value, priors = record.said(0, position_from_text("tictactoe", text))
        assert value == pytest.approx(2 / 8, abs=0.01)
        assert sum(priors.values()) == pytest.approx(1)
    assert Generations.from_json(record.as_json()) == record


def test_the_classes_are_the_open_positions_up_to_images():
    listed = classes("tictactoe")
    assert len(listed) == 627
    env = position_from_text("tictactoe", "2o/1x1/3 x")
    image, symmetry = image_of(env)
    moves = dict(listed)[image]
    assert sorted(symmetry.apply_to_move(move) for move in env.get_legal_moves()) == moves


def test_shares_keep_the_order_and_forbid_nothing():
    assert shares([0.7, 0.2, 0.1, 0.0]) == [255, 73, 36, 1]


def test_the_shipped_record_is_small_and_says_how_it_was_made():
    record = shipped_generations("tictactoe")
    assert record.numbers == (0, 1, 3, 10, 30, 100)
    assert (record.settings["preset"], record.settings["iterations"]) == ("laptop", 100)
    assert len(record.log) == 100
    file = files("rl_toolkit").joinpath("data", "generations", "tictactoe.json")
    assert len(file.read_bytes()) <= 100_000


def test_a_run_that_cannot_be_recorded_is_refused(tmp_path):
    pytest.importorskip("jax", reason="JAX is not installed")
    from rl_toolkit.learning.training import preset_settings, record_generations
    from rl_toolkit.learning.training.settings import SettingsError

    settings = preset_settings("tictactoe", "tiny", iterations=2)
    for wrong, numbers in ((settings, [3]), (settings, [-1, 2]), (settings, [])):
        with pytest.raises(SettingsError):
            record_generations(wrong, numbers, tmp_path / "run")
    with pytest.raises(SettingsError, match="a length in iterations"):
        record_generations(preset_settings("tictactoe", "tiny"), [0], tmp_path / "run")
    large = preset_settings("connect-four", "tiny", iterations=2)
    with pytest.raises(ValueError, match="more than 20,000 positions"):
        record_generations(large, [0], tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.full
def test_a_recorded_run_repeats(tmp_path):
    pytest.importorskip("jax", reason="JAX is not installed")
    from rl_toolkit.learning.training import preset_settings, record_generations

    settings = preset_settings("tictactoe", "tiny", iterations=2, seed=3)
    one, other = (record_generations(settings, [0, 2], tmp_path / name) for name in "ab")
    assert one == other
    assert one.tables[0] != one.tables[1]
