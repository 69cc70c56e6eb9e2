"""Bandits over HTTP: pulls of the real policies, hidden arms that stay hidden, bounds."""

from itertools import islice

import pytest
from web_requests import answer, post, refusal

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    RandomArm,
    Thompson,
    play_bandit,
    regret_band,
)
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.experiments.sampling.regret import moments
from rl_toolkit.records import read_position
from rl_toolkit.web import create_app

PULLS, REGRET = "/api/bandits/pulls", "/api/bandits/regret"
MEANS = [0.2, 0.5, 0.8]


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


@pytest.mark.parametrize(("name", "options", "policy"), [
    ("epsilon", {"epsilon": 0.3}, EpsilonGreedy(0.3)), ("ucb1", {"c": 0.5}, UCB1(0.5)),
    ("ucb1", {}, UCB1()), ("thompson", {}, Thompson()), ("greedy", {}, Greedy()),
    ("random", {}, RandomArm()),
])  # fmt: skip
def test_the_pulls_are_those_of_the_policy(client, name, options, policy):
    told = answer(client, PULLS, means=MEANS, seed=5, policy=name, count=40, **options)
    pulls = list(islice(play_bandit(BernoulliArms(tuple(MEANS)), policy, seed=5), 40))
    assert [pull[:2] for pull in told["pulls"]] == [[p.arm, p.reward] for p in pulls]
    assert [pull[2] for pull in told["pulls"]] == pytest.approx([p.regret for p in pulls])
    assert len(told["told"]) == 40
    assert told["arms"] == MEANS
    assert told["total"].endswith(f"regret {pulls[-1].regret:.2f}.")


def test_hidden_arms_stay_hidden_until_they_are_revealed(client):
    asked = {"hidden": 3, "seed": 7, "policy": "hand", "chosen": [0, 1, 2, 2]}
    hidden = answer(client, PULLS, **asked)
    assert set(hidden) == {"arms", "count", "pulls"}
    assert hidden["arms"] is None
    assert all(len(pull) == 2 for pull in hidden["pulls"])  # a regret would betray the means
    shown = answer(client, PULLS, **asked, reveal=True)
    arms = BernoulliArms.drawn(3, 7)
    assert shown["arms"] == list(arms.means)
    assert [pull[:2] for pull in shown["pulls"]] == hidden["pulls"]
    gaps = [arms.gap(arm) for arm in (0, 1, 2, 2)]
    assert shown["pulls"][-1][2] == pytest.approx(sum(gaps))
    assert "revealed" in refusal(post(client, PULLS, hidden=3, seed=7, policy="ucb1"))


def test_the_luck_of_a_pull_depends_on_the_seed_alone(client):
    """Whoever pulls: with the arms of the policy, a visitor is paid the same."""
    policy = answer(client, PULLS, means=MEANS, seed=3, policy="thompson", count=30)
    chosen = [pull[0] for pull in policy["pulls"]]
    hand = answer(client, PULLS, means=MEANS, seed=3, policy="hand", chosen=chosen)
    assert [pull[:3] for pull in hand["pulls"]] == [pull[:3] for pull in policy["pulls"]]
    longer = answer(client, PULLS, means=MEANS, seed=3, policy="hand", chosen=[*chosen, 0])
    assert longer["pulls"][:-1] == hand["pulls"]  # the past does not change


def test_nothing_pulled_is_an_answer_too(client):
    assert answer(client, PULLS, hidden=2, policy="hand", chosen=[])["pulls"] == []
    assert answer(client, PULLS, means=MEANS, policy="hand", chosen=[])["arms"] == MEANS


def test_curves_are_those_of_many_runs(client):
    told = answer(client, REGRET, means=MEANS, seed=1, count=100)
    band = regret_band(BernoulliArms(tuple(MEANS)), UCB1(), moments(100), runs=200, seed=1)
    row = next(row for row in told["rows"] if row[0] == "UCB1")
    assert row[1] == f"{band.mean[-1]:,.4g}"
    assert "<polygon" in told["svg"]["dark"]
    hidden = answer(client, REGRET, hidden=2, seed=1, count=100)
    shown = ", ".join(f"{mean:g}" for mean in BernoulliArms.drawn(2, 1).means)
    assert shown in hidden["title"]


@pytest.mark.parametrize(("address", "fields", "words"), [
    (PULLS, {}, "means of the arms"), (PULLS, {"means": MEANS, "hidden": 3}, "means of the arms"),
    (PULLS, {"means": [0.5]}, "from 2 to 8"), (PULLS, {"means": [0.5] * 9}, "from 2 to 8"),
    (PULLS, {"means": [0.5, 1.5]}, "from 0 to 1"), (PULLS, {"means": "a,b"}, "means"),
    (PULLS, {"hidden": 1}, "hidden"), (PULLS, {"hidden": 99}, "hidden"),
    (PULLS, {"means": MEANS, "policy": "hand", "chosen": [3]}, "from 0 to 2"),
    (PULLS, {"means": MEANS, "policy": "hand", "chosen": [-1]}, "from 0 to 2"),
    (PULLS, {"means": MEANS, "policy": "hand", "chosen": [0] * 201}, "at most 200"),
    (PULLS, {"means": MEANS, "policy": "hand"}, "chosen"),
    (PULLS, {"means": MEANS, "policy": "ucb1", "count": 501}, "count"),
    (PULLS, {"means": MEANS, "policy": "ucb1", "c": 11}, "from 0 to 10"),
    (PULLS, {"means": MEANS, "policy": "epsilon", "epsilon": -1}, "from 0 to 1"),
    (PULLS, {"means": MEANS, "policy": "best"}, "policy is hand or one of"),
    (PULLS, {"means": MEANS, "policy": "ucb1", "epsilon": 0.1}, "epsilon does not go with"),
    (REGRET, {"means": MEANS, "count": 3001}, "count"), (REGRET, {"hidden": 2, "runs": 9}, "runs"),
])  # fmt: skip
def test_bad_requests_are_sentences(client, address, fields, words):
    assert words in refusal(post(client, address, fields))


def test_the_node_on_the_page_is_a_real_one(client):
    text = client.get("/theatre/bandits").text
    env = read_position("tictactoe", "a1 c1")
    solver = MCTSSolver(60, tactics=False, compiled=False, seed=0)
    found = solver.analyse(env, Limit(simulations=60)).candidates
    assert sum(each.visits for each in found) == 60
    for each in found:
        mean = f"{each.value:.2f}".replace("-", "−")
        bonus, total = f"{each.uct - each.value:.2f}", f"{each.uct:.2f}"
        cells = "".join(f"<td>{cell}</td>" for cell in (each.visits, mean, bonus, total))
        assert cells in text
    following = max(found, key=lambda each: each.uct)
    assert f"The next simulation goes to {following.name}:" in text
    # The bonus is that of UCT: c · √(ln N / n).
    from math import log, sqrt

    assert following.uct - following.value == pytest.approx(
        1.41 * sqrt(log(60) / following.visits), rel=0.01
    )
