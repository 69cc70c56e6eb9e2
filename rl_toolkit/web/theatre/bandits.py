"""Bandits: arms, policies and regret.

``POST /api/bandits/pulls`` gives pulls as data, by hand or by a policy. Arms are ``means``, or
``hidden``: that many, drawn from the ``seed`` by the server. Hidden arms stay hidden, with all that
would betray them, until ``reveal`` is asked for. The luck depends on the seed alone: the n-th pull
of a visitor and that of a policy are equally lucky. ``POST /api/bandits/regret`` runs all policies
many times and gives the regret as a table and as pictures.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from rl_toolkit.algorithms.bandits import (
    UCB1,
    BernoulliArms,
    EpsilonGreedy,
    Greedy,
    Policy,
    RandomArm,
    Thompson,
    Told,
)
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.traces import Trace, trace_bandit
from rl_toolkit.analysis import Candidate, Limit, StopSignal
from rl_toolkit.experiments import REGRET, NothingMeasuredError, Result, Setting, run_experiment
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position
from rl_toolkit.web.api import body_fields
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.learn.theory import theory
from rl_toolkit.web.theatre.experiments import answer_of
from rl_toolkit.web.theatre.turns import in_turn

routes = Blueprint("bandits", __name__)

MOST_ARMS, MOST_PULLS, MOST_BY_HAND = 8, 500, 200
#: Pulls and runs of the curves.
_PULLS, _RUNS = (100, 300, 1000, 3000), 200
_SEEDS = 2**31
_MEANS = Setting("means", "numbers", None, "", least=0, most=1)
_EPSILON = Setting("epsilon", "number", 0.1, "", least=0, most=1)
_C = Setting("c", "number", 2**0.5, "", least=0, most=10)

#: The policies of the page, by what requests call them.
POLICIES = {
    "epsilon": "ε-greedy",
    "ucb1": "UCB1",
    "thompson": "Thompson sampling",
    "greedy": "greedy",
    "random": "random",
}

#: A node of a tree to look at as a bandit: X's corner, O's corner, 60 simulations.
_GAME, _MOVES, _SIMULATIONS = "tictactoe", "a1 c1", 60


@routes.get("/theatre/bandits")
def page() -> str:
    """The page."""
    return render_template(
        "theatre/bandits.html",
        policies=POLICIES,
        most_arms=MOST_ARMS,
        pulls=_PULLS,
        node=node_as_bandit(),
        game=_GAME,
        moves=_MOVES,
        simulations=_SIMULATIONS,
        has_theory=theory().page("bandits") is not None,
    )


@cache
def node_as_bandit() -> tuple[Candidate, ...]:
    """The moves of a node after some simulations, the one that comes next first."""
    env = read_position(_GAME, _MOVES)
    solver = MCTSSolver(_SIMULATIONS, tactics=False, compiled=False, seed=0)
    found = solver.analyse(env, Limit(simulations=_SIMULATIONS)).candidates
    return tuple(sorted(found, key=lambda each: -(each.uct or 0)))


@routes.post("/api/bandits/pulls")
def pulls() -> Response:
    """Pulls of the arms, one after the other."""
    fields = body_fields()
    arms, seed = _arms(fields)
    is_hidden, reveal = fields.has("hidden"), fields.switch("reveal")
    name = fields.text("policy", "hand", longest=20)
    policy, count = _policy(fields, name, len(arms))
    fields.finish()
    if is_hidden and not reveal and name != "hand":
        raise BadRequestError("a policy can be watched once the arms are revealed")
    if not count:
        return jsonify(_answer(None, arms, is_hidden and not reveal))
    return jsonify(
        _answer(trace_bandit(arms, policy, count, seed=seed), arms, not reveal and is_hidden)
    )


def _answer(trace: Trace | None, arms: BernoulliArms, is_hidden: bool) -> dict[str, Any]:
    """The pulls as the page needs them; of hidden arms only what the visitor has seen."""
    data: dict[str, Any] = {"pulls": [], "explored": []} if trace is None else trace.data
    made = data["pulls"]
    if is_hidden:
        return {"arms": None, "count": len(arms), "pulls": [pull[:2] for pull in made]}
    lines = [] if trace is None else list(tell(trace))
    return {
        "arms": list(arms.means),
        "count": len(arms),
        "pulls": made,
        "explored": data["explored"],
        "told": [line.text for line in lines if line.event >= 0],
        "total": lines[-1].text if lines else "",
    }


def _arms(fields: Fields) -> tuple[BernoulliArms, int]:
    fields.declare("means", "hidden")
    if fields.has("means") == fields.has("hidden"):
        raise BadRequestError("give the means of the arms, or how many are hidden")
    seed = fields.whole("seed", 0, _SEEDS) or 0
    hidden = fields.whole("hidden", 2, MOST_ARMS)
    if hidden is not None:
        return BernoulliArms.drawn(hidden, seed), seed
    means = _read(_MEANS, fields)
    if not 2 <= len(means) <= MOST_ARMS:
        raise BadRequestError(f"means has from 2 to {MOST_ARMS} numbers, not {len(means)}")
    return BernoulliArms(tuple(means)), seed


def _read(setting: Setting, fields: Fields) -> Any:
    try:
        return setting.read(fields.raw(setting.name))
    except ValueError as error:
        raise BadRequestError(str(error)) from error


def _policy(fields: Fields, name: str, arms: int) -> tuple[Policy, int]:
    """The policy, and how many pulls it makes."""
    fields.declare("epsilon", "c", "count", "chosen")
    if name == "hand":
        chosen = fields.wholes("chosen", MOST_BY_HAND)
        if not all(0 <= arm < arms for arm in chosen):
            raise BadRequestError(f"chosen has numbers of arms, from 0 to {arms - 1}")
        return Told(tuple(chosen)), len(chosen)
    count = fields.whole("count", 1, MOST_PULLS) or 100
    if name == "epsilon":
        return EpsilonGreedy(_read(_EPSILON, fields)), count
    if name == "ucb1":
        return UCB1(_read(_C, fields)), count
    plain: dict[str, Policy] = {
        "thompson": Thompson(),
        "greedy": Greedy(),
        "random": RandomArm(),
    }
    if name not in plain:
        raise BadRequestError(f"policy is hand or one of {', '.join(POLICIES)}")
    return plain[name], count


@routes.post("/api/bandits/regret")
def regret() -> Response:
    """The regret of all policies on these arms, over many runs: a table and pictures."""
    fields = body_fields()
    arms, seed = _arms(fields)
    count = fields.whole("count", 10, max(_PULLS)) or 1000
    fields.finish()
    settings = {"means": list(arms.means), "pulls": count, "runs": _RUNS, "seed": seed}

    def work(stop: StopSignal) -> Result:
        return run_experiment(REGRET, settings, stop=stop)

    try:
        found = in_turn(work)
    except NothingMeasuredError as error:
        raise BadRequestError(str(error), 409) from error
    return jsonify(answer_of(found, REGRET, settings))
