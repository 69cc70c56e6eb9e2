"""Engines graded by exact scores, and matches: counts are right, and killed runs resume."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest
from network_makers import random_tensors

from rl_toolkit.arena import labelled_samples
from rl_toolkit.arena.arbiter.worker_engines import new_engine
from rl_toolkit.arena.grading import Answer, Grade, Rate, grade, stage_of
from rl_toolkit.arena.labelled_samples import Labelled, label
from rl_toolkit.arena.matches import Match, MatchResult, PlayedGame, draw_openings, play_match
from rl_toolkit.arena.runs import playing
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.samples import Sample, canonical
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero.weights import save_weights
from rl_toolkit.utils.executors import LocalProcesses
from rl_toolkit.utils.statistics import elo, mean_interval, wilson_interval


@pytest.fixture(scope="module")
def connect_four(tmp_path_factory):
    return label(Sample("connect-four", 40), folder=tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def tictactoe(tmp_path_factory):
    return label(Sample("tictactoe", 150), folder=tmp_path_factory.mktemp("labels"))


# ------------------------------------------------------------------------------------- grading


def by_hand(*marks):
    """A grade made of (stones, scores, move)."""
    sample = [Labelled("x" * stones + " x", scores) for stones, scores, _ in marks]
    return Grade("connect-four", "nobody", sample, [Answer(move, 0.5) for _, _, move in marks])


def test_what_is_counted():
    result = by_hand(
        (1, {0: 2, 1: 1, 2: 0}, 0),  # keeps the win, and is the best
        (2, {0: 2, 1: 1, 2: 0}, 1),  # keeps the win
        (20, {0: 2, 1: 1, 2: 0}, 2),  # throws it away
        (21, {0: 0, 1: -3}, 0),  # keeps the draw
        (40, {0: -1, 1: -5}, 1),  # lost anyway, but sooner than need be
    )
    marks = result.overall
    assert (marks.keeps, marks.best) == (Rate(4, 5), Rate(2, 5))
    assert marks.matters == Rate(3, 4)
    assert marks.by_chance == pytest.approx((2 / 3 + 2 / 3 + 2 / 3 + 1 / 2 + 1) / 5)
    stages = result.by_stage
    assert list(stages) == ["opening", "middle", "late"]
    assert (stages["opening"].keeps, stages["middle"].keeps) == (Rate(2, 2), Rate(1, 2))
    assert result.by_stones[20].keeps == Rate(0, 1)
    assert [each.stones for each, move in result.mistakes()] == [20]
    assert result.seconds_per_position == 0.5


def test_a_rate_has_the_interval_of_wilson():
    assert Rate(8, 10).interval == wilson_interval(0.8, 10)
    assert Rate(0, 0).share == 0
    assert Rate(0, 0).interval == (0, 1)


def test_stages_are_thirds_of_the_board():
    assert [stage_of(stones / 42) for stones in (1, 13, 14, 27, 28, 42)] == [
        *["opening"] * 2,
        *["middle"] * 2,
        *["late"] * 2,
    ]


def test_the_exact_engine_is_always_right(connect_four):
    marks = grade("connect-four", "exact", connect_four[::4]).overall
    assert marks.keeps.share == marks.best.share == 1.0


def test_perfect_tictactoe_is_always_right_and_a_careless_player_is_not(tictactoe):
    marks = grade("tictactoe", "perfect", tictactoe).overall
    assert marks.keeps.share == marks.best.share == marks.matters.share == 1.0
    assert grade("tictactoe", "greedy:slips=1", tictactoe).overall.keeps.share < 1.0


def test_random_play_is_right_as_often_as_chance_says(tictactoe):
    marks = grade("tictactoe", "random", tictactoe, seed=3).overall
    low, high = marks.keeps.interval
    assert low < marks.by_chance < high
    assert 0.4 < marks.by_chance < 0.8


def test_the_same_seed_gives_the_same_answers(tictactoe):
    first, again, other = (
        [a.move for a in grade("tictactoe", "random", tictactoe, seed=seed).answers]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_answers_are_kept_and_a_killed_run_goes_on(tictactoe, tmp_path):
    path = tmp_path / "answers.jsonl"
    whole = grade("tictactoe", "greedy", tictactoe[:40], save=path)
    assert grade("tictactoe", "greedy", tictactoe[:40], save=path) == whole  # times, too
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    heard = []
    resumed = grade(
        "tictactoe",
        "greedy",
        tictactoe[:40],
        save=path,
        on_progress=lambda what, done, total: heard.append((done, total)),
    )
    assert [a.move for a in resumed.answers] == [a.move for a in whole.answers]
    assert heard[0][0] > 8  # some were there
    assert heard[-1] == (40, 40)
    with pytest.raises(JournalError, match=r"belongs to a different run \(engine"):
        grade("tictactoe", "random", tictactoe[:40], save=path)
    with pytest.raises(JournalError, match=r"belongs to a different run \("):
        grade("tictactoe", "greedy", tictactoe[:39], save=path)


def test_answers_of_another_network_are_set_aside(tictactoe, tmp_path):
    env, weights, path = make_game("tictactoe"), tmp_path / "n.npz", tmp_path / "answers.jsonl"
    asked, news = [], []

    def graded(seed):
        tensors = random_tensors(env, seed=seed)
        save_weights(weights, tensors, game=env.name, rows=3, cols=3)
        asked.clear()
        return grade(
            "tictactoe",
            f"alphazero:weights={weights},policy=on",
            tictactoe[:10],
            save=path,
            on_progress=lambda what, done, total: asked.append(done),
            on_news=news.append,
        )

    first = graded(seed=0)
    kept = path.read_bytes()
    assert graded(seed=0) == first
    assert (asked, news) == ([], [])
    second = graded(seed=1)
    assert asked[-1] == 10
    assert len(news) == 1
    assert "another network" in news[0]
    assert (tmp_path / "answers.jsonl.old").read_bytes() == kept
    assert second != first
    assert graded(seed=1) == second
    assert len(news) == 1
    graded(seed=2)
    assert (tmp_path / "answers.jsonl.old").read_bytes() == kept  # not overwritten
    assert "answers.jsonl.old2" in news[1]


@pytest.mark.full
def test_workers_give_the_same_answers(connect_four, tmp_path):
    alone = grade("connect-four", "mcts:simulations=100,seed=1", connect_four)
    two = LocalProcesses(2)
    shared = grade("connect-four", "mcts:simulations=100,seed=1", connect_four, executor=two)
    assert [a.move for a in shared.answers] == [a.move for a in alone.answers]
    sample = Sample("connect-four", 40)
    assert label(sample, two, folder=tmp_path) == connect_four


@pytest.mark.full
def test_grading_and_matches_through_ray(tictactoe):
    ray = pytest.importorskip("ray")
    from rl_toolkit.utils.executors import RayExecutor

    executor = RayExecutor(2)
    try:
        shared = grade("tictactoe", "greedy", tictactoe, executor=executor)
        alone = grade("tictactoe", "greedy", tictactoe)
        assert [a.move for a in shared.answers] == [a.move for a in alone.answers]
        match = Match("tictactoe", ("greedy", "random"), 6, random_plies=2)
        assert moves(play_match(match, executor=executor)) == moves(play_match(match))
        games = list(self_play(SelfPlay("tictactoe", "mcts:simulations=20", 4), executor))
        assert len(games) == 4
    finally:
        ray.shutdown()


@pytest.mark.full
def test_the_usual_sample_grades_exact_at_100_percent(tmp_path):
    sample = label(Sample("connect-four", 3000), folder=tmp_path)
    assert len(sample) == 3000
    marks = grade("connect-four", "exact", sample).overall
    assert marks.keeps == marks.best == Rate(3000, 3000)
    assert 0.6 < marks.by_chance < 0.7
    low, high = grade("connect-four", "random", sample).overall.keeps.interval
    assert low < marks.by_chance < high


# ------------------------------------------------------------------------------------- matches


def moves(result):
    return [(game.pair, game.first, game.opening, game.moves, game.result) for game in result.games]


def played(pair, first, result):
    return PlayedGame(pair, first, (), (pair, first), result, (1.0, 3.0), (2, 3))


def test_half_a_pair_has_half_the_weight_of_a_pair():
    """Otherwise the interval of a share would not have to contain it."""
    pairs = [played(pair, first, 2 * first - 1) for pair in range(50) for first in (0, 1)]
    halves = [played(pair, 0, 1) for pair in range(50, 100)]
    result = MatchResult(Match("tictactoe", ("greedy", "random"), 100), pairs + halves)
    low, high = result.interval
    assert result.share == pytest.approx(100 / 150)
    assert low < result.share < high


def test_points_are_counted_by_pairs():
    results = [(1, 1), (1, -1), (0, -1)]
    games = [played(p, f, r) for p, pair in enumerate(results) for f, r in enumerate(pair)]
    result = MatchResult(Match("tictactoe", ("greedy", "random"), 3), games)
    assert result.pair_points == [1.0, 0.5, 0.25]
    assert result.share == pytest.approx(1.75 / 3)
    assert result.interval == mean_interval([1.0, 0.5, 0.25])
    assert [result.count(end) for end in (1, 0, -1)] == [3, 1, 2]
    assert [result.count(end, 0) for end in (1, 0, -1)] == [2, 1, 0]
    assert result.seconds_per_move() == [0.5, 1.0]
    assert result.distinct == 6


def test_colours_are_swapped_and_openings_paired():
    match = Match("connect-four", ("greedy", "random"), 4, random_plies=3, seed=5)
    result = play_match(match)
    assert [(game.pair, game.first) for game in result.games] == [
        (pair, first) for pair in range(4) for first in (0, 1)
    ]
    for one, two in zip(result.games[::2], result.games[1::2], strict=True):
        assert one.opening == two.opening
        assert len(one.opening) == 3
    for game in result.games:
        record = game.record(match)
        assert record.moves == game.opening + game.moves
        assert record.players == (("greedy", "random") if game.first == 0 else ("random", "greedy"))
        assert record.result == (game.result if game.first == 0 else -game.result)
    assert result.share > 0.7
    assert moves(play_match(match)) == moves(result)
    other = Match("connect-four", ("greedy", "random"), 4, random_plies=3, seed=6)
    assert moves(play_match(other)) != moves(result)


def test_openings_differ_as_long_as_there_are_others():
    match = Match("connect-four", ("random", "random"), 25, random_plies=2)
    keys = set()
    for opening in draw_openings(match):
        env = make_game("connect-four")
        for move in opening:
            env.step(move)
        keys.add(canonical(env))
    assert len(keys) == 25  # of 28 there are up to mirror images
    assert (
        draw_openings(Match("connect-four", ("random", "random"), 9, random_plies=2))
        == (draw_openings(match)[:9])
    )
    with pytest.raises(ValueError, match="over within 9 random moves"):
        draw_openings(Match("tictactoe", ("random", "random"), 1, random_plies=9))


def test_a_match_that_was_killed_goes_on_and_can_grow(tmp_path, monkeypatch):
    path = tmp_path / "match.jsonl"
    match = Match("tictactoe", ("greedy", "random"), 6, random_plies=1)
    whole = play_match(match, save=path)
    path.write_bytes(path.read_bytes()[:-30])  # within the last pair
    pairs = []
    real = playing.play_paired_game
    monkeypatch.setattr(
        playing, "play_paired_game", lambda task: pairs.append(task[1]) or real(task)
    )
    assert moves(play_match(match, save=path)) == moves(whole)
    longer = Match("tictactoe", ("greedy", "random"), 8, random_plies=1)
    assert moves(play_match(longer, save=path))[:12] == moves(whole)
    assert pairs == [5, 5, 6, 6, 7, 7]
    with pytest.raises(JournalError, match=r"\(seed 0, not 1\)"):
        play_match(Match("tictactoe", ("greedy", "random"), 6, 1, seed=1), save=path)


def test_what_another_network_has_played_is_played_anew(tmp_path):
    env, weights = make_game("tictactoe"), tmp_path / "n.npz"
    engine = f"alphazero:weights={weights},policy=on"
    match, plan = Match("tictactoe", (engine, "greedy"), 3, 1), SelfPlay("tictactoe", engine, 3)
    kept = {"match": tmp_path / "match.jsonl", "games": tmp_path / "games.jsonl"}
    news = []

    def lines(seed):
        """How long the two files are after a run of each with the network of this seed."""
        tensors = random_tensors(env, seed=seed)
        save_weights(weights, tensors, game=env.name, rows=3, cols=3)
        result = play_match(match, save=kept["match"], on_news=news.append)
        assert moves(result) == moves(play_match(match))  # of this network, and no other
        games = list(self_play(plan, save=kept["games"]))
        assert [g.moves for g in games] == [g.moves for g in self_play(plan)]
        return [path.read_bytes().count(b"\n") - 1 for path in kept.values()]

    assert (lines(seed=0), lines(seed=0), news) == ([3, 3], [3, 3], [])
    assert lines(seed=1) == [6, 6]
    assert len(news) == 1
    assert "6 games" in news[0]
    assert (lines(seed=1), lines(seed=0)) == ([6, 6], [6, 6])  # the first ones are still there
    assert len(news) == 1


def test_what_cannot_be_played_is_refused():
    with pytest.raises(ValueError, match="pairs must be at least 1, not 0"):
        Match("tictactoe", ("greedy", "random"), 0)
    with pytest.raises(ValueError, match="neither a level nor an engine"):
        Match("tictactoe", ("greedy", "nobody"), 1)


def test_pairs_whose_games_cancel_out_make_a_narrow_interval():
    decided = mean_interval([1.0, 0.0] * 50)
    level = mean_interval([0.5] * 100)
    assert level[1] - level[0] < (decided[1] - decided[0]) / 2
    low, high = wilson_interval(0.5, 100)
    assert decided == pytest.approx((low, high), abs=0.005)
    assert elo(0.5) == 0
    assert elo(0.0) == -elo(1.0)


def test_games_of_self_play_hold_what_was_thought():
    plan = SelfPlay("tictactoe", "mcts:simulations=30", games=3, varied_plies=2, seed=4)
    games = list(self_play(plan))
    assert len(games) == 3
    for record in games:
        assert record.result is not None
        assert len(record.analyses) == len(record.moves)
        visits = [c["visits"] for c in record.analyses[0]["candidates"]]
        assert sum(visits) == 30
    assert [g.moves for g in self_play(plan)] == [g.moves for g in games]
    assert len({g.moves for g in games}) > 1


def test_games_of_self_play_are_kept(run, tmp_path):
    words = ("self-play", "mcts:simulations=20", "--game", "tictactoe", "--save")
    path = tmp_path / "games.jsonl"
    assert run(*words, str(path), "--games", "2").code == 0
    first = path.read_bytes()
    ran = run(*words, str(path), "--games", "4")
    assert "4 games, " in ran.words
    assert path.read_bytes().startswith(first)  # none was played twice
    plan = SelfPlay("tictactoe", "mcts:simulations=20", 4)
    assert [g.moves for g in self_play(plan, save=path)] == [g.moves for g in self_play(plan)]
    refused = run(*words, str(path), "--seed", "5")
    assert (refused.code, refused.out) == (2, "")
    assert "(seed 0, not 5)" in refused.err


def test_engines_for_many_questions_use_machine_code():
    assert new_engine("connect-four", "mcts:simulations=10").engine.compiled is True
    assert new_engine("connect-four", "greedy").name == "greedy"


@pytest.mark.full
def test_a_match_on_the_command_line_survives_kill_9(tmp_path):
    path = tmp_path / "match.jsonl"
    words = ["match", "mcts:simulations=300", "greedy", "--games", "20", "--save", str(path)]
    command = [sys.executable, "-m", "rl_toolkit.cli", *words, "--json"]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not path.exists() or path.read_bytes().count(b"\n") < 4:
        assert first.poll() is None
        time.sleep(0.05)
    first.kill()
    first.wait()
    kept = path.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert path.read_bytes().startswith(kept)
    whole = play_match(Match("connect-four", ("mcts:simulations=300", "greedy"), 10, 4))
    assert json.loads(again.stdout)["share"] == whole.share


# ------------------------------------------------------------------------------ on the command line


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """A cache folder of its own for labels, with the compiled code of all tests."""

    monkeypatch.setattr(labelled_samples, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "labels"


def test_grade_shows_rates_by_stage(run, cache):
    ran = run("grade", "greedy", "--game", "reversi-4", "--positions", "40", "--mistakes", "2")
    assert ran.code == 0
    assert "greedy:seed=0 on 40 positions of reversi-4" in ran.out
    assert "keeps the result" in ran.out
    assert " % (" in ran.out
    assert "A random move keeps it in" in ran.out
    assert "40 of 40" not in ran.out  # progress is no data
    assert len(list(cache.iterdir())) == 1


def test_grade_in_json_and_the_sample_as_arrays(run, cache, tmp_path):
    arrays = tmp_path / "judge.npz"
    ran = run(
        *("grade", "random", "minimax", "--game", "reversi-4", "--positions", "20"),
        *("--part", "judge", "--export", str(arrays), "--json"),
    )
    assert ran.code == 0, ran.err
    first, second = map(json.loads, ran.out.splitlines())
    assert (first["engine"], first["part"], first["positions"]) == ("random:seed=0", "judge", 20)
    assert second["overall"]["keeps"]["share"] == 1.0
    assert 0 < first["overall"]["keeps"]["low"] < first["overall"]["keeps"]["high"] < 1
    assert arrays.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["grade"], "name an engine to measure"),
        (["grade", "nobody"], "there is no game 'nobody'"),
        (["grade", "tictactoe", "nobody"], "neither a level nor an engine"),
        (["grade", "random", "--game", "gomoku"], "`rl-toolkit match` compares engines"),
        (["grade", "random", "greedy", "--save", "x.jsonl"], "one by one"),
        (["match", "random", "nobody"], "neither a level nor an engine"),
        (["match", "random", "greedy", "--games", "3"], "--games must be even"),
        (["match", "random", "greedy", "--openings", "ruy"], "or the name of a file, not 'ruy'"),
    ],
)
def test_what_cannot_be_done_gets_a_sentence(run, cache, words, complaint):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err


def test_match_shows_the_score_with_its_interval(run):
    ran = run("match", "greedy", "random", "--game", "tictactoe", "--games", "8", "--seed", "2")
    assert ran.code == 0
    assert "greedy against random on tictactoe, 8 games" in ran.out
    assert "95 % interval by pairs" in ran.out
    assert "Elo" in ran.out


def test_match_in_json_and_resumed(run, tmp_path):
    words = ("match", "greedy", "random", "--game", "tictactoe", "--games", "4", "--json")
    kept = ("--save", str(tmp_path / "match.jsonl"))
    first, again = (json.loads(run(*words, *kept).out) for _ in range(2))
    assert (first.pop("work")["tasks"], again.pop("work")["tasks"]) == (4, 0)
    assert first == again  # also the times: nothing was played twice
    assert first["won"] + first["drawn"] + first["lost"] == first["games"] == 4
    assert first["low"] <= first["share"] <= first["high"]


def test_games_that_repeat_themselves_are_told(run):
    ran = run(
        *("match", "minimax:depth=2,seed=1", "minimax:depth=1,seed=1", "--game", "tictactoe"),
        *("--games", "6", "--openings", "start"),
    )
    assert ran.code == 0
    assert "of the 6 games differ" in ran.out
