"""Learning the Gomoku evaluation: games, examples, fits, and the folder that resumes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from rl_toolkit.algorithms.gomoku.weights import load_weights
from rl_toolkit.cli.program.group import cli
from rl_toolkit.kernels.gomoku.cell_tables import KINDS, kind_index, pair_index
from rl_toolkit.kernels.gomoku.pvs import WIN
from rl_toolkit.kernels.gomoku.state import Evaluation
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD
from rl_toolkit.learning.gomoku import pipeline
from rl_toolkit.learning.gomoku.examples import (
    Choices,
    Examples,
    choices_of,
    examples_of,
    joined_choices,
    joined_examples,
)
from rl_toolkit.learning.gomoku.fitting import fit_ranks, fit_values
from rl_toolkit.learning.gomoku.games import (
    CHOSEN,
    DECIDED,
    NO_MOVE,
    OPENING,
    SLIP,
    Games,
    GamesError,
    load_games,
    save_games,
)
from rl_toolkit.learning.gomoku.minimise import minimise
from rl_toolkit.learning.gomoku.pipeline import Plan, learn
from rl_toolkit.learning.gomoku.selfplay import play

SIZE = 9


@pytest.fixture(scope="module")
def games() -> Games:
    return play(SIZE, FREESTYLE, None, 400, 150, seed=5)


@pytest.fixture
def small(monkeypatch) -> Plan:
    monkeypatch.setattr(pipeline, "PIECE", 120)
    return Plan(positions=360, rounds=2, nodes=100, size=SIZE, from_nothing=True)


# --------------------------------------------------------------------------------- games


def test_games_are_legal_and_end_with_their_result(games):
    assert games.positions >= 400
    kinds = {kind for game in games for kind in game.kinds}
    assert kinds == {OPENING, CHOSEN, SLIP, DECIDED}
    for game in games:
        stones = [move for move in game.moves if move != NO_MOVE]
        assert len(set(stones)) == len(stones)
        assert (NO_MOVE in game.moves) == (game.kinds[-1] == DECIDED) == (game.result != 0)
        assert list(game.kinds) == sorted(game.kinds, key=lambda kind: kind != OPENING)[
            : game.kinds.count(OPENING)
        ] + list(game.kinds[game.kinds.count(OPENING) :])
        if game.result:
            black_moves = (len(game.moves) - 1) % 2 == 0
            assert (game.scores[-1] > 0) == (game.result == (1 if black_moves else -1))


def test_decided_games_are_won_by_threats_or_a_deeper_search(games):
    space = Workspace(SIZE)
    for game in list(games)[:8]:
        if game.result == 0:
            continue
        space.forget()
        space.set_up([(move, ply % 2) for ply, move in enumerate(game.moves[:-1])])
        side = (len(game.moves) - 1) % 2
        winner = 0 if game.result == 1 else 1
        with space.allowing(400_000):
            if winner == side:
                deeper = space.prove(side) or space.think(side, -WIN, WIN, 6, 0)
                assert deeper is True or deeper > 0
            else:  # whatever is played there, the other side wins
                assert (space.think(side, -WIN, WIN, 6, 0) or -1) < 0


def test_the_same_seed_plays_the_same_games(games):
    again = play(SIZE, FREESTYLE, None, 400, 150, seed=5)
    other = play(SIZE, FREESTYLE, None, 400, 150, seed=6)
    assert np.array_equal(again.moves, games.moves)
    assert np.array_equal(again.scores, games.scores)
    assert not np.array_equal(other.moves[:40], games.moves[:40])


def test_games_are_kept_and_damaged_ones_refused(games, tmp_path):
    path = tmp_path / "some.games"
    save_games(path, games, SIZE, FREESTYLE)
    found = load_games(path, SIZE, FREESTYLE)
    for name in ("lengths", "results", "moves", "scores", "kinds"):
        assert np.array_equal(getattr(found, name), getattr(games, name))
    for size, rule in ((SIZE, STANDARD), (SIZE + 1, FREESTYLE)):
        with pytest.raises(GamesError, match="another board or rule"):
            load_games(path, size, rule)
    data = path.read_bytes()
    for spoilt in (data[:-2], data[:-3] + b"abc", data[:30], b"", b"nothing at all"):
        path.write_bytes(spoilt)
        with pytest.raises(GamesError, match=r"some\.games: "):
            load_games(path, SIZE, FREESTYLE)
    moves = games.moves.copy()
    moves[3] = SIZE * SIZE
    save_games(path, replace(games, moves=moves), SIZE, FREESTYLE)
    with pytest.raises(GamesError, match="do not agree"):
        load_games(path, SIZE, FREESTYLE)


# ------------------------------------------------------------------------------ examples


@pytest.mark.parametrize("rule", [FREESTYLE, STANDARD])
def test_examples_are_what_the_search_evaluates(rule):
    """A search of no plies gives the value that the kinds of an example sum up to."""
    chance = np.random.default_rng(1)
    own, other = chance.integers(-20, 20, (2, KINDS)).astype(float)
    nothing = np.zeros(KINDS)
    evaluation = Evaluation(own, other, nothing, nothing, tempo=33)
    games = play(SIZE, rule, evaluation, 150, 100, seed=2)
    found = examples_of(games, SIZE, rule)
    space, number = Workspace(SIZE, rule, evaluation), 0
    table = np.concatenate([own, -other])
    for game in games:
        space.set_up([])
        for ply, (move, kind) in enumerate(zip(game.moves, game.kinds, strict=True)):
            if number < len(found) and kind != OPENING:
                part = found.part(number, number + 1)
                cells = part.counts[part.kinds < KINDS].sum()
                value = int(table[part.kinds] @ part.counts) + 33
                score = space.think(ply % 2, -WIN, WIN, 0, 0)
                if score == value and cells == SIZE * SIZE - len(space.moves):
                    assert part.results[0] == (1 + game.result * (1 - 2 * (ply % 2))) / 2
                    number += 1
            if move != NO_MOVE:
                space.place(move, ply % 2)
    assert number == len(found) > 50


def test_choices_name_the_move_that_was_chosen(games):
    found = choices_of(games, SIZE, FREESTYLE)
    begins = np.concatenate([[0], found.ends[:-1]])
    assert ((begins <= found.chosen) & (found.chosen < found.ends)).all()
    assert found.ends[-1] == len(found.own) == len(found.other)
    some = choices_of(games, SIZE, FREESTYLE, every=3)
    assert len(found) // 3 - 1 <= len(some) <= len(found) // 3


def test_joined_pieces_are_the_whole(games):
    halves = [Games.of(list(games)[:9]), Games.of(list(games)[9:])]
    whole = examples_of(games, SIZE, FREESTYLE)
    parts = joined_examples(examples_of(half, SIZE, FREESTYLE) for half in halves)
    for name in ("ends", "kinds", "counts", "results", "weights"):
        assert np.array_equal(getattr(parts, name), getattr(whole, name))
    whole_choices = choices_of(games, SIZE, FREESTYLE)
    choices = joined_choices(choices_of(half, SIZE, FREESTYLE) for half in halves)
    for name in ("ends", "own", "other", "chosen"):
        assert np.array_equal(getattr(choices, name), getattr(whole_choices, name))


# --------------------------------------------------------------------------------- fits


def test_a_minimum_is_found():
    chance = np.random.default_rng(0)
    root = chance.normal(size=(30, 30))
    matrix, goal = root @ root.T + np.eye(30), chance.normal(size=30)

    def loss(point):
        return float(point @ matrix @ point / 2 - goal @ point), matrix @ point - goal

    found = minimise(loss, np.zeros(30), 500, 1e-14)
    assert np.allclose(found, np.linalg.solve(matrix, goal), atol=1e-4)
    assert not np.allclose(minimise(loss, np.zeros(30), 2), found, atol=1e-2)


def planted(count: int, chance: np.random.Generator) -> tuple[Examples, np.ndarray]:
    """Positions whose results follow from values of six kinds and a tempo of 60 points."""
    kinds = np.array([kind_index()[half] for half in (0x2222, 0x3222, 0x4422, 0x6222, 0x7722)])
    values = np.array([0.0, 0.1, 0.3, -0.4, 0.6])
    counts = chance.integers(1, 5, (count, 2, len(kinds)))
    logit = (counts[:, 0] - 0.5 * counts[:, 1]) @ values + 0.4
    results = (chance.random(count) < 1 / (1 + np.exp(-logit))).astype(float)
    listed = np.concatenate([kinds, kinds + KINDS])
    examples = Examples(
        np.arange(1, count + 1) * len(listed),
        np.tile(listed, count).astype(np.int16),
        counts.reshape(count, -1).ravel().astype(np.int16),
        results,
        np.ones(count),
    )
    return examples, values


def test_values_that_made_the_results_are_found_again():
    examples, values = planted(30_000, np.random.default_rng(3))
    found = fit_values(examples)
    assert found is not None
    kinds = [kind_index()[half] for half in (0x2222, 0x3222, 0x4422, 0x6222, 0x7722)]
    assert np.allclose(found.own[kinds] / 150, values, atol=0.05)
    assert np.allclose(found.other[kinds] / 150, 0.5 * values, atol=0.05)
    assert abs(found.tempo - 60) < 25
    assert found.right > 0.6
    # A kind that never occurs has the value of its pair; a pair that never occurs has none.
    alike = kind_index()[0x7711]
    assert pair_index()[0x7711] == pair_index()[0x7722]
    assert abs(found.own[alike] - found.own[kinds[4]]) < 15
    assert found.own[kind_index()[0x9999]] == 0


def test_ranks_that_made_the_choices_are_found_again():
    chance, count, moves = np.random.default_rng(4), 8000, 6
    kinds = np.array([kind_index()[half] for half in (0x1111, 0x3322, 0x5533)])
    ranks = np.array([0.0, 1.0, 2.5])
    own, other = chance.integers(0, 3, (2, count, moves))
    noise = chance.gumbel(size=(count, moves))
    best = (ranks[own] + 0.5 * ranks[other] + noise).argmax(axis=1)
    found = fit_ranks(
        Choices(
            np.arange(1, count + 1) * moves,
            kinds[own].ravel().astype(np.int16),
            kinds[other].ravel().astype(np.int16),
            np.arange(count) * moves + best,
        )
    )
    assert found is not None
    steps = np.diff(found.own[kinds]) / 40, np.diff(found.other[kinds]) / 40
    assert np.allclose(steps[0], [1.0, 1.5], atol=0.15)
    assert np.allclose(steps[1], [0.5, 0.75], atol=0.15)
    assert found.first > 0.4
    assert found.five > 0.9


def test_a_fit_that_is_stopped_gives_nothing():
    stop = threading.Event()
    stop.set()
    assert fit_values(planted(300, np.random.default_rng(0))[0], stop=stop) is None


# --------------------------------------------------------------------------- the folder


def test_learning_resumes_to_the_same_weights(tmp_path, small):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    at_once = learn(whole, small)
    assert at_once is not None
    for part, step in (("round 1", "play"), ("values", "fit"), ("round 2", "play")):
        stop, told = threading.Event(), []

        def stop_there(progress, wanted=(part, step), stop=stop, told=told):
            told.append((progress.part, progress.step))
            if told[-1] == wanted and progress.done:
                stop.set()

        assert learn(parts, small, stop_there, stop) is None
        assert told[-1] == (part, step)
        assert not (parts / "gomoku.weights").exists()
    assert learn(parts, small) is not None
    assert {path.name: path.read_bytes() for path in parts.iterdir()} == {
        path.name: path.read_bytes() for path in whole.iterdir()
    }
    assert load_weights(whole / "gomoku.weights", FREESTYLE).values.any()
    assert (whole / "gomoku.weights").read_bytes() == (whole / "round-1.weights").read_bytes()


def test_damaged_files_are_refused_and_nothing_changes(tmp_path, small):
    learn(tmp_path, small)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for name, problem in (
        ("round-1-games-0001.games", r"round-1-games-0001\.games: .*damaged"),
        ("round-0.weights", r"round-0\.weights: .*damaged"),
        ("plan.json", "cannot be read"),
    ):
        path = tmp_path / name
        path.write_bytes(path.read_bytes()[:-5])
        spoilt = {each: each.read_bytes() for each in tmp_path.iterdir()}
        with pytest.raises(ValueError, match=problem):
            learn(tmp_path, small)
        assert {each: each.read_bytes() for each in tmp_path.iterdir()} == spoilt
        path.write_bytes(before[path])


def test_a_folder_is_for_one_plan(tmp_path, small):
    plan = replace(small, positions=120, rounds=1)
    learn(tmp_path, plan)
    for other in ({"seed": 1}, {"size": 10}, {"rule": STANDARD}, {"nodes": 101}):
        with pytest.raises(ValueError, match="started with another plan"):
            learn(tmp_path, replace(plan, **other))
    first = (tmp_path / "round-0-games-0000.games").read_bytes()
    assert learn(tmp_path, replace(plan, positions=240)) is not None
    assert (tmp_path / "round-0-games-0000.games").read_bytes() == first
    assert (tmp_path / "round-0-games-0001.games").exists()


def test_after_its_time_it_fits_what_was_played(tmp_path, small):
    learned = learn(tmp_path, small, seconds=1e-9)
    assert learned is not None
    assert sorted(path.name for path in tmp_path.glob("*.games")) == ["round-0-games-0000.games"]
    assert load_weights(learned.path, FREESTYLE)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"positions": 1}, "5000 to"),
        ({"rounds": 0}, "1 round or more"),
        ({"nodes": 10}, "at least 100 nodes"),
        ({"size": 7}, "on 9 to 20 rows, not on 7"),
    ],
)
def test_a_plan_must_be_possible(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        Plan(**wrong)


# -------------------------------------------------------------------------- the command


def test_the_command_learns_and_says_how_well(tmp_path, small):
    asked = ["train", "evaluation", "gomoku-9-standard", "--folder", str(tmp_path / "e")]
    pipeline.PIECE = 600  # the fixture restores it
    done = CliRunner().invoke(cli, [*asked, "--hours", "0.0001", "--nodes", "100"])
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "gomoku-standard.weights:" in "".join(done.stdout.split())  # a long path is wrapped
    assert "of the results are predicted" in said
    assert "of the moves are ranked first" in said
    assert load_weights(tmp_path / "e" / "gomoku-standard.weights", STANDARD)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["gomoku", "--passes", "3"], "--passes is not an option for gomoku-15"),
        (["reversi", "--from-nothing"], "--from-nothing is not an option for reversi-8"),
        (["connect-four"], "for Reversi or Gomoku, not for connect-four"),
        (["gomoku-7"], "on 9 to 20 rows, not on 7"),
    ],
)
def test_what_does_not_fit_the_game_is_refused(tmp_path, asked, sentence):
    folder = tmp_path / "e"
    done = CliRunner().invoke(cli, ["train", "evaluation", *asked, "--folder", str(folder)])
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())
    assert not folder.exists()


@pytest.mark.full
def test_a_killed_run_resumes(tmp_path):
    """Killed in the middle of play with two workers, it comes to the weights of a whole run."""
    command = [sys.executable, "-m", "rl_toolkit", "train", "evaluation", "gomoku-9"]
    command += ["--positions", "30000", "--nodes", "100", "--workers", "2", "--folder"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    subprocess.run([*command, str(whole)], check=True, capture_output=True)
    for least in (1, 3):
        run = subprocess.Popen([*command, str(parts)], stderr=subprocess.DEVNULL)
        while len(list(parts.glob("*.games"))) < least and run.poll() is None:
            time.sleep(0.05)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        assert not (parts / "gomoku.weights").exists()
    subprocess.run([*command, str(parts)], check=True, capture_output=True)
    assert (parts / "gomoku.weights").read_bytes() == (whole / "gomoku.weights").read_bytes()
