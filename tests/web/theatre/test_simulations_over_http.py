"""POST /api/simulations: the search that ran, in windows; bounds, and what is refused."""

import pytest
from stopping import PATIENCE
from web_requests import answer, post, refusal

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.traces import trace_search
from rl_toolkit.algorithms.traces.mcts import Simulation, tallies
from rl_toolkit.explain.traces.trees import tell_ends, tell_steps
from rl_toolkit.learning.alphazero import AlphaZeroEngine
from rl_toolkit.records import read_position
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.app import create_app
from rl_toolkit.web.theatre.mcts import MOST_IN_WINDOW, PLAYOUTS

ADDRESS = "/api/simulations"
WHERE = {"game": "tictactoe", "position": "b2a2"}


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(time=PATIENCE, trace_time=PATIENCE)).test_client()


def simulations_of(found):
    return [Simulation(*fields) for fields in found["simulations"]]


def test_the_answer_is_the_search_without_a_trace_folded_with_one_window_in_full(client):
    got = answer(client, ADDRESS, **WHERE, simulations=150, c=0.8, seed=3, first=40, count=25)
    env = read_position(*WHERE.values())
    solver = MCTSSolver(150, 0.8, tactics=False, seed=3, proofs=False)
    whole = trace_search(env, solver)
    analysis = solver.analyse(env)
    tree, window = got["tree"], got["window"]
    assert tree["answer"] == whole.answer
    assert tree["answer"]["move"] == analysis.best_move
    found = tallies(tree)
    for candidate in analysis.candidates:
        node = next(
            n
            for n, (parent, move) in enumerate(
                zip(tree["nodes"]["parent"], tree["nodes"]["move"], strict=True)
            )
            if parent == 0 and move == candidate.move
        )
        assert found[node].visits == candidate.visits
    assert tree["nodes"] == whole.data["nodes"]
    assert all(one.terms is None for one in simulations_of(tree))
    plies = [len(one.moves) for one in simulations_of(whole.data)]
    assert [one.playout for one in simulations_of(tree)] == plies
    assert window["first"] == 40
    assert window["simulations"] == whole.data["simulations"][40:65]
    assert window["sentences"] == tell_steps(whole, 40, 25)
    assert (got["told"]["start"], got["told"]["end"]) == tell_ends(whole)
    assert got["look"]["style"] == "marks"


def test_windows_of_one_search_fit_together_and_run_no_more_than_they_need(client):
    asked = {**WHERE, "simulations": 90, "seed": 1}
    whole = trace_search(
        read_position(*WHERE.values()), MCTSSolver(90, tactics=False, seed=1, proofs=False)
    )
    for first in (0, 50, 80):
        got = answer(client, ADDRESS, **asked, first=first, count=30, tree=False)
        assert got["tree"] is None
        assert got["window"]["simulations"] == whole.data["simulations"][first : first + 30]
        assert got["window"]["sentences"] == tell_steps(whole, first, 30)


def test_the_network_takes_the_place_of_the_playout(client):
    got = answer(client, ADDRESS, **WHERE, engine="alphazero", simulations=20, c=2)
    engine = AlphaZeroEngine(
        num_simulations=20,
        cpuct=2,
        batch=1,
        tactics=False,
        root_prior_power=1,
        seed=0,
        compiled=False,
    )
    env = read_position(*WHERE.values())
    tree, analysis = got["tree"], engine.analyse(env)
    assert tree["answer"]["visits"] == {str(c.move): c.visits for c in analysis.candidates}
    nodes = tree["nodes"]
    priors = {
        nodes["move"][n]: nodes["prior"][n]
        for n, parent in enumerate(nodes["parent"])
        if parent == 0
    }
    assert priors == {c.move: pytest.approx(c.prior, abs=1e-4) for c in analysis.candidates}
    for one, told in zip(simulations_of(got["window"]), got["window"]["sentences"], strict=True):
        assert one.moves == []
        assert any("network" in text for text in told)


@pytest.mark.parametrize("playout", PLAYOUTS)
def test_every_playout_of_the_page_runs(client, playout):
    got = answer(client, ADDRESS, game="connect-four", simulations=9, playout=playout)
    options = got["tree"]["engine"]["options"]
    assert options["tactics"] == (playout == "tactics")
    assert options["max_depth"] == {"short": 4, "none": 0}.get(playout)
    longest = max(one.playout for one in simulations_of(got["tree"]))
    assert longest > 4 if playout in ("random", "tactics") else longest == options["max_depth"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"engine": "minimax"}, "engine is mcts or alphazero, not 'minimax'"),
        ({"engine": "../x.py"}, "engine is mcts or alphazero"),
        ({"c": -0.1}, "c is a number from 0 to 10, not -0.1"),
        ({"c": "1"}, "c is a number"),
        ({"c": True}, "c is a number"),
        ({"playout": "clever"}, "playout is one of random, tactics, short and none"),
        ({"engine": "alphazero", "playout": "random"}, "playout does not go with the other fields"),
        ({"simulations": 3001}, "simulations is a whole number from 1 to 3000"),
        ({"count": 61}, "count is a whole number from 1 to 60"),
        ({"first": -1}, "first is a whole number"),
        ({"seed": -1}, "seed is a whole number"),
        ({"weights": "/etc/passwd"}, "there is no field 'weights'"),
        ({"game": "tictactoe-4x4", "engine": "alphazero"}, "there are networks for connect-four"),
        ({"position": "a1b1a2b2a3"}, "the game is over"),
        ({"position": "zz"}, ""),
    ],
)
def test_refusals_are_sentences(client, fields, words):
    assert words in refusal(post(client, ADDRESS, **{"game": "tictactoe"} | fields))


def test_an_answer_is_bounded_in_bytes_events_and_time():
    small = create_app(ServerLimits(trace_bytes=3000)).test_client()
    assert "run fewer simulations" in refusal(post(small, ADDRESS, **WHERE, simulations=200))
    few = create_app(ServerLimits(trace_events=100)).test_client()
    got = answer(few, ADDRESS, game="connect-four", simulations=40)
    assert 1 <= len(got["window"]["simulations"]) < 20
    assert len(got["tree"]["simulations"]) == 40
    short = create_app(ServerLimits(trace_time=0.02)).test_client()
    got = answer(short, ADDRESS, game="gomoku", simulations=3000)
    assert len(got["tree"]["simulations"]) < 3000
    assert len(got["window"]["simulations"]) <= MOST_IN_WINDOW
