"""MCTS against the truth, and the regret of many runs against runs one by one."""

from math import sqrt
from statistics import mean, pstdev
from threading import Event

import pytest
from brute_force import BruteForce

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    RandomArm,
    Thompson,
    Told,
    regret_band,
    regrets,
)
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.running import run_experiment
from rl_toolkit.experiments.sampling.mcts_values import true_values
from rl_toolkit.experiments.sampling.regret import moments
from rl_toolkit.experiments.settings import read_settings
from rl_toolkit.records import read_position

ARMS = BernoulliArms((0.2, 0.5, 0.8))
POLICIES = [RandomArm(), Greedy(), EpsilonGreedy(0.1), UCB1(), Thompson()]


def result_of(name, **given):
    experiment = EXPERIMENTS[name]
    return run_experiment(experiment, read_settings(experiment.settings, given))


def test_the_truth_is_that_of_brute_force():
    env = read_position("tictactoe", "a1 c1")
    brute = BruteForce()
    assert true_values(env) == {move: brute.after(env, move)[0] for move in env.get_legal_moves()}


def test_errors_are_distances_from_the_truth():
    result = result_of("mcts-values", simulations="20,80", runs=2, seed=3)
    env = read_position("tictactoe", "a1 c1")
    truth = true_values(env)
    for count in (20, 80):
        chosen, every, right = [], [], []
        for run in range(2):
            solver = MCTSSolver(count, c=1.41, tactics=False, proofs=False, seed=3 * 2 + run)
            analysis = solver.analyse(env, Limit(simulations=count))
            errors = {c.move: abs(c.value - truth[c.move]) for c in analysis.candidates if c.visits}
            chosen.append(errors[analysis.best_move])
            every.append(mean(errors.values()))
            right.append(truth[analysis.best_move] == max(truth.values()))
        assert result.data["error"][str(count)] == pytest.approx(mean(chosen))
        assert result.data["error_of_all"][str(count)] == pytest.approx(mean(every))
        assert result.data["right"][str(count)] == mean(right)


def test_every_simulation_runs_and_values_are_plain_means():
    """With proofs the search of this position would end after some 200 simulations."""
    result = result_of("mcts-values", position="x1o/3/3 x", simulations="1000", runs=2)
    assert result.data["ran"] == {"1000": 1000}
    assert 0.15 < result.data["error"]["1000"] < 0.3
    env = read_position("tictactoe", "x1o/3/3 x")
    proving = MCTSSolver(1000, tactics=False, seed=0).analyse(env, Limit(simulations=1000))
    assert proving.simulations < 500


def test_plain_uct_calls_nothing_proven():
    env = read_position("tictactoe", "x1o/3/3 x")
    found = MCTSSolver(400, c=1.41, tactics=False, proofs=False, seed=2).analyse(
        env, Limit(simulations=400)
    )
    assert found.simulations == sum(each.visits for each in found.candidates) == 400
    assert not any(each.proven for each in found.candidates)


def test_a_finished_game_is_refused():
    with pytest.raises(ValueError, match="the game is over"):
        result_of("mcts-values", position="a1 a2 b1 b2 c1")


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
def test_many_runs_have_the_regret_of_single_runs(policy):
    at, runs = (20, 60), 120
    band = regret_band(ARMS, policy, at, runs=runs, seed=5)
    single = list(zip(*(regrets(ARMS, policy, at, seed=seed) for seed in range(runs)), strict=True))
    for place, values in enumerate(single):
        error = sqrt((pstdev(values) ** 2 + band.spread[place] ** 2) / runs)
        assert abs(band.mean[place] - mean(values)) <= 4 * error + 1e-9
        # One run in ten is below the band and one above, as far as so few runs can tell.
        assert sum(value < band.low[place] - 1e-9 for value in values) / runs < 0.1 + 4 * sqrt(
            0.09 / runs
        )
        assert sum(value > band.high[place] + 1e-9 for value in values) / runs < 0.1 + 4 * sqrt(
            0.09 / runs
        )
        assert band.low[place] <= band.high[place]


@pytest.mark.parametrize("policy", [Greedy(), UCB1(), UCB1(0.3)], ids=repr)
@pytest.mark.parametrize("means", [(0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 1.0)])
def test_without_luck_many_runs_are_the_same_run(policy, means):
    arms, at = BernoulliArms(means), list(range(1, 150))
    band = regret_band(arms, policy, at, runs=3)
    assert band.mean == band.low == band.high == pytest.approx(regrets(arms, policy, at))


def test_a_stop_keeps_the_pulls_before_it():
    stop = Event()
    stop.set()
    band = regret_band(ARMS, UCB1(), [10, 500], runs=5, stop=stop)
    assert band.at == [10]
    assert len(band.mean) == 1


def test_what_cannot_be_run_many_times_is_refused():
    with pytest.raises(TypeError, match="Told"):
        regret_band(ARMS, Told((0, 1)), [2], runs=2)
    with pytest.raises(ValueError, match="must increase"):
        regret_band(ARMS, UCB1(), [2, 2], runs=2)


def test_drawn_arms_are_different_and_the_same_for_a_seed():
    for seed in range(20):
        means = BernoulliArms.drawn(8, seed).means
        assert len(set(means)) == 8
        assert min(means) >= 0.05
        assert max(means) <= 0.95
    assert BernoulliArms.drawn(4, 1) != BernoulliArms.drawn(4, 2)
    with pytest.raises(ValueError, match="from 1 to 19"):
        BernoulliArms.drawn(20, 0)


def test_the_table_of_regret_is_that_of_the_runs():
    result = result_of("regret", means="0.3,0.7", pulls=60, runs=20, seed=2)
    band = regret_band(BernoulliArms((0.3, 0.7)), UCB1(), moments(60), runs=20, seed=2)
    row = next(row for row in result.cells if row[0] == "UCB1")
    assert row[1:] == [band.mean[-1], band.low[-1], band.high[-1], band.spread[-1]]
    assert moments(1000)[-1] == 1000
    assert moments(3) == [1, 2, 3]
