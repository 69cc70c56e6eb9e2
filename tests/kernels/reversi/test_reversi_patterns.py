"""The learned evaluation: what the patterns see, the file of weights, and learning it."""

import random
import threading
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from rl_toolkit.algorithms.reversi import weights
from rl_toolkit.algorithms.reversi.weights import (
    WeightsError,
    load_weights,
    save_weights,
    shipped_weights,
    with_digits,
)
from rl_toolkit.cli.commands.train.evaluation import evaluation
from rl_toolkit.cli.program.group import cli
from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.bits import words_at
from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, u64, word_array
from rl_toolkit.kernels.reversi import pattern_lanes, patterns
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.estimate import begin_moves, estimate, estimate_after
from rl_toolkit.kernels.reversi.midgame import Thinker
from rl_toolkit.kernels.reversi.workspace import Workspace
from rl_toolkit.kernels.rules.reversi import flips_of, flips_plain, moves_plain
from rl_toolkit.learning.reversi import pipeline
from rl_toolkit.learning.reversi.examples import play
from rl_toolkit.learning.reversi.fitting import fit
from rl_toolkit.learning.reversi.pipeline import Plan, learn
from rl_toolkit.learning.reversi.relabelling import FURTHEST, depths, label
from rl_toolkit.players import make_engine
from rl_toolkit.utils.executors import LocalProcesses

ALL, MIDDLE = np.uint64(2**64 - 1), np.uint64(0x007E_7E7E_7E7E_7E00)  # 8 × 8, 6 × 6


@kernel(i64(u64, u64, u64, i64, number_array))
def features(mine, theirs, cells, weights, out):
    return patterns.list_features(mine, theirs, cells, weights, pointer(out))


@kernel(u64(u64, u64))
def extracted(word, squares):
    return patterns.extract(word, squares)


@kernel(u64(u64))
def turned(board):
    return patterns.half_turn(board)


@kernel(i64(u64, u64, u64, u64, i64))
def evaluated(mine, theirs, cells, rows, weights):
    return pattern_lanes.evaluate(mine, theirs, cells, words_at(rows), weights)


@kernel(i64(u64, u64, word_array))
def estimated(mine, theirs, memory):
    return estimate(mine, theirs, pointer(memory))


@kernel(i64(u64, u64, u64, word_array))
def estimated_after(square, mine, theirs, memory):
    block = pointer(memory)
    turned = flips_of(square, mine, theirs)
    begin_moves(mine, theirs, block)
    return estimate_after(square, turned, theirs ^ turned, mine ^ turned ^ square, block)


def random_weights(seed=1):
    shape = (patterns.STAGES, patterns.STAGE_WEIGHTS - patterns.DIGITS.size)
    return with_digits(np.random.default_rng(seed).integers(-99, 99, shape).astype(np.int16))


def random_position(chance):
    taken = chance.getrandbits(64)
    mine = taken & chance.getrandbits(64)
    return mine, taken ^ mine


def grid_of(word):
    return np.array([word >> i & 1 for i in range(64)]).reshape(8, 8)


def word_of(grid):
    return np.uint64(sum(int(bit) << i for i, bit in enumerate(grid.ravel())))


def slow_evaluation(mine, theirs, on_board, stage):
    """The sum of weights, square by square."""
    total, start = 0, patterns.DIGITS.size
    for name, squares in patterns.PATTERNS.items():
        cells = [i for i in range(64) if squares >> i & 1]
        for turn in range(4):
            for mirrored in (False, True)[: 1 + (name in patterns.MIRRORED)]:
                boards = [np.rot90(grid_of(side), turn) for side in (mine, theirs)]
                if mirrored:
                    boards = [board[::-1] for board in boards]
                my, their = (board.ravel() for board in boards)
                way = sum(int(my[c] + 2 * their[c]) * 3**j for j, c in enumerate(cells))
                total += int(stage[start + way])
        start += 3 ** len(cells)
    sides = (np.uint64(mine), np.uint64(theirs))
    mobility = [
        (int(moves_plain(*pair)) & int(on_board)).bit_count() for pair in (sides, sides[::-1])
    ]
    total += int(stage[patterns.MY_MOVES + mobility[0]])
    return total + int(stage[patterns.THEIR_MOVES + mobility[1]])


def test_the_evaluation_is_the_sum_of_what_is_seen():
    chance, stage = random.Random(1), random_weights()[0]
    out = np.zeros(patterns.FEATURES, np.int64)
    for number in range(40):
        cells = (ALL, MIDDLE)[number % 2]
        mine, theirs = (side & int(cells) for side in random_position(chance))
        words = np.uint64(mine), np.uint64(theirs), cells
        value = patterns.evaluate_plain(*words, stage.ctypes.data)
        assert value == slow_evaluation(mine, theirs, cells, stage)
        assert features(*words, stage.ctypes.data, out) == patterns.FEATURES
        assert stage[out].astype(int).sum() == value


@pytest.mark.parametrize("cells", [ALL, MIDDLE])
def test_the_vector_evaluation_gives_the_same_sums(cells):
    chance, stages, rows = random.Random(4), random_weights(), pattern_lanes.row_lines()
    extremes = [(0, 0), (int(cells), 0), (0, int(cells))]
    for number in range(400):
        sides = extremes[number] if number < 3 else random_position(chance)
        mine, theirs = (np.uint64(side & int(cells)) for side in sides)
        at = stages[number % patterns.STAGES].ctypes.data
        fast = evaluated(mine, theirs, cells, np.uint64(rows.ctypes.data), at)
        assert fast == patterns.evaluate_plain(mine, theirs, cells, at)


@pytest.mark.parametrize(("size", "cells"), [(8, ALL), (6, MIDDLE)])
@pytest.mark.parametrize("learned", [True, False])
def test_a_move_is_evaluated_from_the_position_before_it(size, cells, learned):
    """Also where it changes the stage, and where it flips nothing."""
    chance = random.Random(5)
    space = Workspace(size, 1, random_weights() if learned else None)
    for number in range(400):
        full = chance.getrandbits(64) | (chance.getrandbits(64) if number % 2 else 0)
        mine = full & chance.getrandbits(64) & int(cells)
        theirs = full & int(cells) & ~mine
        empty = int(cells) & ~(mine | theirs)
        for index in [i for i in range(64) if empty >> i & 1][:4]:
            square, before = np.uint64(1 << index), (np.uint64(mine), np.uint64(theirs))
            turned = flips_plain(square, *before)
            after = before[1] ^ turned, before[0] ^ turned ^ square
            expected = estimated(*after, space.block)
            assert estimated_after(square, *before, space.block) == expected
            if learned:
                at = space._weights[patterns.stage_of(after[0] | after[1] | ~cells)].ctypes.data
                assert expected == patterns.evaluate_plain(*after, cells, at)


def test_all_four_sides_look_alike():
    chance, stage = random.Random(2), random_weights()[0]
    for _ in range(20):
        mine, theirs = random_position(chance)
        values = {
            patterns.evaluate_plain(
                word_of(np.rot90(grid_of(mine), turn)),
                word_of(np.rot90(grid_of(theirs), turn)),
                ALL,
                stage.ctypes.data,
            )
            for turn in range(4)
        }
        assert len(values) == 1


def test_boards_are_turned_and_bits_moved_together():
    chance = random.Random(3)
    for _ in range(50):
        word, squares = np.uint64(chance.getrandbits(64)), np.uint64(chance.getrandbits(64))
        assert (grid_of(int(patterns.transposed(word))) == grid_of(int(word)).T).all()
        assert (grid_of(int(turned(word))) == np.rot90(grid_of(int(word)), 2)).all()
        bits = [int(word) >> i & 1 for i in range(64) if int(squares) >> i & 1]
        together = sum(bit << j for j, bit in enumerate(bits))
        assert int(extracted(word, squares)) == together
        assert int(patterns.extract_portable(word, squares)) == together


def test_stages_follow_the_number_of_empty_squares():
    stages = [patterns.stage_of(np.uint64(2**64 - (1 << n))) for n in range(61)]
    assert stages == sorted(stages)
    assert (stages[0], stages[11], stages[12], stages[60]) == (0, 0, 1, patterns.STAGES - 1)
    for empties, stage in enumerate(stages):
        first, last = patterns.empties_of_stage(stage)
        assert first <= empties <= last


# ------------------------------------------------------------------------------------- file


def test_weights_survive_the_file(tmp_path):
    weights = random_weights()
    save_weights(tmp_path / "w", weights)
    assert (load_weights(tmp_path / "w") == weights).all()


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda data: data[:20], "not a file of Reversi weights"),
        (lambda data: b"X" + data[1:], "not a file of Reversi weights"),
        (lambda data: data[:8] + b"\x09" + data[9:], "version 9"),
        (lambda data: data[:-1], "checksum"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
    ],
)
def test_a_damaged_file_is_refused_with_a_sentence(tmp_path, damage, sentence):
    path = tmp_path / "w"
    save_weights(path, random_weights())
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(WeightsError, match=sentence):
        load_weights(path)


def test_a_missing_file_and_a_wrong_shape_are_refused(tmp_path):
    with pytest.raises(WeightsError, match="cannot be read"):
        load_weights(tmp_path / "nothing")
    with pytest.raises(WeightsError, match="must have shape"):
        with_digits(np.zeros((2, 2), np.int16))


def test_without_shipped_weights_the_log_says_so(monkeypatch, caplog):
    monkeypatch.setattr(weights, "SHIPPED", {8: "not there"})
    assert shipped_weights.__wrapped__() is None
    assert "without its learned evaluation" in caplog.text


def test_weights_of_another_board_are_refused(tmp_path):
    save_weights(tmp_path / "w", random_weights(), size=6)
    with pytest.raises(WeightsError, match="for 6×6, not 8×8"):
        load_weights(tmp_path / "w")
    assert (load_weights(tmp_path / "w", size=6) == random_weights()).all()
    assert shipped_weights(4) is None


def test_the_engine_plays_with_weights_of_your_own(tmp_path):
    path = tmp_path / "own.weights"
    save_weights(path, random_weights())
    own, shipped = (
        make_engine(spec).analyse(Reversi())
        for spec in (f"reversi:depth=2,weights={path}", "reversi:depth=2")
    )
    assert [c.score for c in own.candidates] != [c.score for c in shipped.candidates]
    with pytest.raises(WeightsError, match="for 8×8, not 6×6"):
        make_engine(f"reversi:weights={path}").analyse(Reversi(6))
    with pytest.raises(WeightsError, match="cannot be read"):
        make_engine(f"reversi:weights={tmp_path / 'nothing'}")


def test_spoilt_weights_are_refused_before_the_game(tmp_path, run):
    path = tmp_path / "own.weights"
    path.write_bytes(b"weights")
    refused = run("play", "reversi", "--o", f"reversi:weights={path}", stdin="f5\nquit\n")
    assert refused.code == 2
    assert "this is not a file of Reversi weights" in " ".join(refused.err.split())
    assert "Traceback" not in refused.err
    assert "f5" not in refused.out


@pytest.mark.parametrize("size", [6, 8])
def test_the_shipped_weights_know_something(size):
    """On games they have not seen, they are nearer to the truth than the evaluation by hand."""
    weights = shipped_weights(size)
    assert weights is not None
    examples = play(None, 1000, seed=987_654, size=size)
    learned, by_hand = Solver(size, 1, weights), Solver(size, 1)
    errors = {}
    for name, solver in (("learned", learned), ("by hand", by_hand)):
        seems = [
            solver.estimate(int(m), int(t), 0)
            for m, t in zip(examples.mine, examples.theirs, strict=True)
        ]
        errors[name] = float(np.sqrt(np.mean((np.array(seems) - examples.scores) ** 2)))
    assert errors["learned"] < 0.95 * errors["by hand"]
    assert errors["learned"] < 0.85 * float(np.std(examples.scores))


# --------------------------------------------------------------------------------- learning


@pytest.mark.parametrize(("size", "cells"), [(6, MIDDLE), (8, ALL)])
def test_positions_near_the_end_are_labelled_exactly(size, cells):
    examples = play(None, 1000, seed=5, size=size)
    solver = Solver(size, 4)
    checked = 0
    for mine, theirs, score in zip(examples.mine, examples.theirs, examples.scores, strict=True):
        empties = size * size - (int(mine) | int(theirs)).bit_count()
        assert int(mine) & int(theirs) == 0
        assert (int(mine) | int(theirs)) & ~int(cells) == 0
        assert score % 2 == 0
        if empties <= 14:
            assert solver.solve(int(mine), int(theirs)) == score
            checked += 1
    assert checked > 100


def test_the_same_seed_plays_the_same_games():
    first, second, other = (play(None, 500, seed=seed) for seed in (1, 1, 2))
    assert (first.mine == second.mine).all()
    assert (first.scores == second.scores).all()
    assert first.mine.tolist() != other.mine.tolist()


def test_fitting_lowers_the_error():
    told = []
    weights = fit(play(None, 8000, seed=3), passes=3, on_progress=told.append)
    assert weights is not None
    errors = [progress.error for progress in told]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.9 * errors[0]
    assert told[-1].held_back_error is not None


def test_threads_fit_the_same_weights():
    examples = play(None, 3000, seed=8)
    one, three = (fit(examples, passes=2, threads=threads) for threads in (1, 3))
    assert one.any()
    assert (one == three).all()


def test_examples_of_one_stage_change_that_stage_alone():
    start = random_weights()
    examples = play(None, 2000, seed=3)
    some = examples.only((examples.empties(8) >= 24) & (examples.empties(8) <= 29))
    weights = fit(some, passes=1, start=start)
    changed = [stage for stage in range(patterns.STAGES) if (weights[stage] != start[stage]).any()]
    assert changed == [3]


@pytest.mark.parametrize("stage", range(1, patterns.STAGES))
def test_labels_look_into_a_later_stage(stage):
    first, last = patterns.empties_of_stage(stage)
    plies = depths(stage, 3)
    assert plies.min() == 3
    assert plies.max() == FURTHEST
    for empties in range(first, min(last, first + FURTHEST - 1) + 1):
        assert empties - plies[empties] < first


def test_labels_are_what_a_search_finds():
    examples, weights = play(None, 200, seed=6), shipped_weights()
    plies = depths(3, 3)
    labelled, thinker = label(examples, weights, plies), Thinker(8, 1, weights)
    assert labelled.mine.tolist() == examples.mine.tolist()
    assert labelled.theirs.tolist() == examples.theirs.tolist()
    for i, empties in enumerate(examples.empties(8)):
        seems = thinker.think(
            int(examples.mine[i]), int(examples.theirs[i]), int(plies[empties]), 1000.0
        )
        assert labelled.scores[i] == min(max(seems, -64), 64)


@pytest.fixture
def small_plan():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "PIECE", 1000)
        yield Plan(positions=2000, rounds=2, passes=1, seed=4, size=6, look_ahead=1)


def test_learning_goes_on_where_it_was_stopped(tmp_path, small_plan):
    """Stopped again and again, and with what it was at spoilt, it comes to the same weights."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    at_once = learn(whole, small_plan)
    for part, step, spoilt in (
        ("round 1", "play", "round-0-games-001.npz"),
        ("18 – 23 empty squares", "label", "round-1-stage-2-labels-000.npz"),
        ("24 – 29 empty squares", "label", "round-1-stage-2.weights"),
    ):
        stop, told = threading.Event(), []

        def stop_there(progress, wanted=(part, step), stop=stop, told=told):
            told.append((progress.part, progress.step))
            if told[-1] == wanted:
                stop.set()

        assert learn(parts, small_plan, stop_there, stop) is None
        assert told[-1] == (part, step)
        (parts / spoilt).write_bytes(b"spoilt")
    assert (learn(parts, small_plan) == at_once).all()
    assert (load_weights(parts / "reversi-6.weights", size=6) == at_once).all()
    assert {path.name for path in parts.iterdir()} == {path.name for path in whole.iterdir()}


@pytest.mark.full
def test_workers_learn_the_same_weights(tmp_path, small_plan):
    alone = learn(tmp_path / "alone", small_plan)
    together = learn(tmp_path / "together", small_plan, executor=LocalProcesses(2))
    assert (alone == together).all()


def test_a_folder_is_for_one_plan(tmp_path, monkeypatch):
    """Games of another board or another seed are never learned from by mistake."""
    monkeypatch.setattr(pipeline, "PIECE", 1000)
    plan = Plan(positions=1000, rounds=1, passes=1, size=6, look_ahead=1)
    learn(tmp_path, plan)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for other in ({"size": 8}, {"seed": 1}, {"positions": 2000}, {"passes": 2}, {"look_ahead": 0}):
        with pytest.raises(ValueError, match="started with another plan"):
            learn(tmp_path, replace(plan, **other))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert learn(tmp_path, replace(plan, rounds=2)) is not None
    (tmp_path / "plan.json").write_text("{", "utf-8")
    with pytest.raises(ValueError, match="cannot be read"):
        learn(tmp_path, plan)


def test_a_plan_must_make_sense():
    with pytest.raises(ValueError, match="at least"):
        Plan(positions=1)
    with pytest.raises(ValueError, match="must be 6 or 8"):
        Plan(size=4)
    with pytest.raises(ValueError, match="from 0 to 8"):
        Plan(look_ahead=9)


def test_the_command_learns_and_says_how_well(tmp_path):
    runner = CliRunner()
    asked = ["learn-evaluation", "reversi", "--folder", str(tmp_path / "e"), "--rounds", "1"]
    quick = ["--positions", "25000", "--passes", "2", "--look-ahead", "0"]
    done = runner.invoke(cli, [*asked, *quick])
    assert done.exit_code == 0
    assert "round 1: held back positions are off by" in " ".join(done.stdout.split())
    assert "2 of 2 round 1: fit" in done.stderr
    assert load_weights(tmp_path / "e" / "reversi.weights").shape[0] == patterns.STAGES
    assert runner.invoke(cli, [*asked, "--positions", "1"]).exit_code == 2
    assert runner.invoke(cli, ["learn-evaluation", "connect-four"]).exit_code == 2


def test_the_command_asks_for_what_a_plan_allows():
    types = {param.name: param.type for param in evaluation.params}
    assert types["positions"].least <= pipeline.PIECE
    assert types["look_ahead"].most == pipeline.MOST_LOOK
