"""Learning from games in files: what a record teaches, on every executor, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero.weights import load_weights
from rl_toolkit.learning.training.checkpoint import (
    Checkpoint,
    CheckpointError,
    load_checkpoint,
    save_checkpoint,
)
from rl_toolkit.learning.training.log import read_log
from rl_toolkit.learning.training.presets import preset_settings
from rl_toolkit.learning.training.recorded_games import read_recorded_games
from rl_toolkit.learning.training.settings import SettingsError, Stage
from rl_toolkit.records import GameRecord, position_to_text
from rl_toolkit.utils.executors import InProcess, LocalProcesses

PLAN = SelfPlay("tictactoe", "mcts:simulations=60", games=24, seed=4)
DISCOUNT = 0.9


def read(*files, game="tictactoe", moves=9):
    return read_recorded_games(files, game, moves, DISCOUNT)


def same(one, other):
    return all(map(np.array_equal, one.samples, other.samples))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file of self-play, made in this process."""
    path = tmp_path_factory.mktemp("self-play") / "games.jsonl"
    assert len(list(self_play(PLAN, InProcess(), path))) == PLAN.games
    return path


# ------------------------------------------------------------------- what is learned


def noted(env, *candidates):
    """An analysis of ``env`` with these candidates, as a record keeps it."""
    named = [replace(each, name=env.move_name(each.move)) for each in candidates]
    return analysis_of(env, position_to_text(env), "test", named).to_dict()


def by_hand(path, moves, analyses, start=""):
    """Write a file with one game, whose analyses are lists of candidates or ``None``."""
    env, kept = make_game("tictactoe"), []
    for move, candidates in zip(moves, analyses, strict=True):
        kept.append(None if candidates is None else noted(env, *candidates))
        env.step(move)
    path.write_text(GameRecord.from_env(env, analyses=kept).to_json())
    return path


def visited(**visits):
    return [Candidate(int(name[1:]), "", visits=count) for name, count in visits.items()]


def test_a_sample_is_a_position_with_the_visits_of_its_search_and_the_result(tmp_path):
    analyses = [
        visited(m4=30, m0=10),
        None,  # teaches nothing
        [Candidate(0, "", prior=0.75), Candidate(8, "", prior=0.25)],
        [Candidate(6, "", value=0.5), Candidate(7, "", value=0.5), Candidate(2, "", value=0.1)],
        [
            Candidate(8, "", outcome="win", proven=True, distance=1, value=1.0, visits=2),
            Candidate(2, "", visits=50, value=0.3),  # gives the win away
        ],
    ]
    found = read(by_hand(tmp_path / "game.json", (4, 1, 0, 6, 8), analyses))
    assert (len(found), found.games) == (4, 1)
    planes, policy, wdl, is_last, trail, length, first_result = found.samples
    assert [np.flatnonzero(row).tolist() for row in planes] == [
        [],
        [4, 9 + 1],  # the mover's pieces, then the opponent's
        [1, 9 + 0, 9 + 4],
        [0, 4, 9 + 1, 9 + 6],
    ]
    moves = [dict(zip(np.flatnonzero(row).tolist(), row[row > 0], strict=True)) for row in policy]
    assert moves == [{0: 0.25, 4: 0.75}, {0: 0.75, 8: 0.25}, {6: 0.5, 7: 0.5}, {8: 1.0}]
    expected = [(0.9**4, 1 - 0.9**4, 0), (0.9**2, 0.19, 0), (0, 0.1, 0.9), (1, 0, 0)]
    assert np.allclose(wdl, expected)
    assert is_last.tolist() == [False, False, False, True]
    assert len(set(trail)) == 1
    assert set(length) == {5}
    assert set(first_result) == {1}


def test_a_pass_of_reversi_and_drawn_games_are_samples_too(tmp_path):
    path = tmp_path / "games.jsonl"
    plan = SelfPlay("reversi-4", "random", games=12, seed=1)
    games = list(self_play(plan, InProcess(), path))
    found = read(path, game="reversi-4", moves=17)
    assert found.samples.policy[:, 16].max() == 1  # a pass is the only move
    assert len(found) == sum(len(game.moves) for game in games)
    decided = np.array([game.result for game in games for _ in game.moves]) != 0
    assert (found.samples.wdl[:, 1] < 1).sum() == decided.sum()


# ------------------------------------------------------------------- the same everywhere


def test_the_samples_are_the_same_with_two_processes(tmp_path):
    plan = SelfPlay("tictactoe", "greedy", games=6, seed=4)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    list(self_play(plan, InProcess(), one))
    list(self_play(plan, LocalProcesses(2), two))
    assert same(read(one), read(two))
    assert len(set(read(one).samples.trail)) > 1  # games that are all equal would show nothing


def test_the_samples_do_not_depend_on_the_order_of_games_and_files(played, tmp_path):
    head, *lines = played.read_text().splitlines(keepends=True)
    turned, first, rest = (tmp_path / f"{name}.jsonl" for name in ("turned", "first", "rest"))
    turned.write_text("".join([head, *lines[::-1]]))
    first.write_text("".join([head, *lines[:7]]))
    rest.write_text("".join([head, *lines[7:], lines[-1][:50]]))  # cut off by a crash
    assert same(read(turned), read(played))
    assert same(read(rest, first), read(played))


def test_a_game_that_was_played_again_counts_once(played, tmp_path):
    head, *lines = played.read_text().splitlines(keepends=True)
    older = json.loads(lines[0]) | {"record": json.loads(lines[1])["record"]}
    again = tmp_path / "again.jsonl"
    again.write_text("".join([head, json.dumps(older) + "\n", *lines]))
    assert same(read(again), read(played))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # by Ray
def test_ray_makes_the_same_samples(played, tmp_path):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from rl_toolkit.utils.executors import RayExecutor

    path = tmp_path / "ray.jsonl"
    try:
        list(self_play(PLAN, RayExecutor(), path))
    finally:
        ray.shutdown()
    assert same(read(path), read(played))


def test_chunks_show_every_sample_once_before_any_again(played):
    found = read(played)
    size = 64
    turns = 3 * len(found) // size
    rows = np.concatenate([found.chunk(n, size, seed=5).policy for n in range(turns)])
    whole = len(rows) // len(found) * len(found)
    for turn in np.split(rows[:whole], whole // len(found)):
        assert np.array_equal(np.sort(turn, axis=0), np.sort(found.samples.policy, axis=0))
    assert not np.array_equal(rows[: len(found)], rows[len(found) : 2 * len(found)])  # shuffled
    assert all(map(np.array_equal, found.chunk(3, size, 5), found.chunk(3, size, 5)))
    assert not np.array_equal(found.chunk(3, size, 5).planes, found.chunk(3, size, 6).planes)


# ------------------------------------------------------------------------- refusals


def test_damaged_numbers_are_refused(tmp_path):
    for visits in (visited(m4=5, m0=-5), visited(m4=3, m0=-1)):
        path = by_hand(tmp_path / "game.json", (4, 1, 0, 6, 8), [visits, None, None, None, None])
        with pytest.raises(SettingsError, match="visits or priors below 0, or without a sum"):
            read(path)


def test_a_line_that_is_no_game_is_refused(played, tmp_path):
    head, first, *_ = played.read_text().splitlines(keepends=True)
    line = json.loads(first)
    for bad in (json.dumps({**line, "game_number": float("inf")}), "[" * 100_000):
        path = tmp_path / "damaged.jsonl"
        path.write_text(head + bad + "\n")
        with pytest.raises(SettingsError, match="line 2 is not a game"):
            read(path)


def test_games_without_a_result_are_counted(played, tmp_path):
    head, first, second, *_ = played.read_text().splitlines(keepends=True)
    env = make_game("tictactoe")
    env.step(4)
    unfinished = json.loads(second) | {"record": GameRecord.from_env(env).to_json()}
    path = tmp_path / "some.jsonl"
    path.write_text(head + first + json.dumps(unfinished) + "\n")
    found = read(path)
    assert (found.games, found.unused) == (1, 1)


def test_files_that_teach_nothing_are_refused(played, tmp_path):
    moves_only = by_hand(tmp_path / "moves.json", (4, 1, 0, 6, 8), [None] * 5)
    unfinished = by_hand(tmp_path / "open.json", (4,), [visited(m4=3)])
    for path in (moves_only, unfinished):
        with pytest.raises(SettingsError, match=f"nothing to learn in {path}: games need a result"):
            read(path)
    with pytest.raises(SettingsError, match="has a game of tictactoe, not of connect-four"):
        read(played, game="connect-four", moves=7)
    with pytest.raises(SettingsError, match="cannot read"):
        read(tmp_path / "none.jsonl")
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(played.read_text().splitlines(keepends=True)[0] + '{"game_number": 0}\n')
    with pytest.raises(SettingsError, match="cannot be learned from: line 2 is not a game"):
        read(damaged)
    (text := tmp_path / "text.txt").write_text("hello")
    with pytest.raises(SettingsError, match="cannot be learned from"):
        read(text)


# ------------------------------------------------------------------------- training

jax = pytest.importorskip("jax")
jax.config.update("jax_disable_most_optimizations", True)  # compiling takes longer than running

from rl_toolkit.learning.training.trainer import Trainer  # noqa: E402


def learner(games=4):
    """Settings of a small run that learns quickly."""
    tiny = preset_settings("tictactoe", "tiny", iterations=40)
    return replace(tiny, warm_up=1, average=0.9, stages=(Stage(0, 4, games),))


@pytest.mark.full  # reading is tested above, training in test_training; compiling is slow
def test_training_on_recorded_games_lowers_the_losses(played, tmp_path):
    Trainer(learner(), tmp_path, games=[played]).run()
    log = [entry for entry in read_log(tmp_path) if entry["kind"] == "iteration"]
    for loss in ("policy_loss", "value_loss"):
        early, late = (np.mean([entry[loss] for entry in part]) for part in (log[:5], log[-5:]))
        assert late < 0.95 * early, loss
    assert log[-1]["positions"] == 40 * 64
    assert log[-1]["total_simulations"] == 0
    assert 0 < log[-1]["distinct_share"] <= 1
    assert 0 < log[-1]["prior_entropy"] < np.log(9)
    assert load_weights(tmp_path / "network.npz").card["trained"]["how"] == (
        "games with analyses, from files"
    )


def test_a_run_keeps_the_source_of_its_games(played, tmp_path):
    own, fed = learner(), learner().fed_with_games()
    for settings, games, message in (
        (own, [played], "plays its own games: omit --from-games"),
        (fed, [], "learns from games in files: name them with --from-games"),
    ):
        save_checkpoint(tmp_path, Checkpoint(0, {"settings": settings.as_json()}, {}))
        with pytest.raises(CheckpointError, match=message):
            Trainer(own, tmp_path, games=games, resume=True)
    empty = by_hand(tmp_path / "moves.json", (4, 1, 0, 6, 8), [None] * 5)
    with pytest.raises(SettingsError, match="nothing to learn"):
        Trainer(own, tmp_path / "new", games=[empty])
    assert not (tmp_path / "new").exists()


@pytest.mark.full
def test_an_interrupted_run_ends_with_the_same_weights(played, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    Trainer(learner(), one, games=[played]).run()
    seen = []
    Trainer(
        learner(),
        two,
        games=[played],
        on_event=lambda entry, share: seen.append(entry["kind"]),
        should_stop=lambda: seen.count("iteration") == 7,
    ).run()
    head, *lines = played.read_text().splitlines(keepends=True)
    turned = tmp_path / "turned.jsonl"
    turned.write_text("".join([head, *lines[::-1]]))
    half = load_checkpoint(two).pieces["average"]
    Trainer(learner(), two, games=[turned], resume=True).run()
    first, second = (load_checkpoint(folder).pieces["average"] for folder in (one, two))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert not all(np.array_equal(first[name], half[name]) for name in first)
