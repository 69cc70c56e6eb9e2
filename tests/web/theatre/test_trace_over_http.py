"""POST /api/trace: what it answers, how it is bounded, and what it refuses."""

import http.client
import json
import threading
import time

import pytest
from stopping import PATIENCE
from web_requests import answer, post, refusal
from web_running import running_server

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import Trace, trace_search
from rl_toolkit.algorithms.traces.blind_games import without_heuristic
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.api import all_searches
from rl_toolkit.web.app import create_app
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import ClientGoneError
from rl_toolkit.web.theatre.traces import FITTING
from rl_toolkit.web.theatre.turns import Turns

POSITION = "x1o/1x1/2o x"


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(time=PATIENCE, trace_time=PATIENCE)).test_client()


def small(**limits):
    return create_app(ServerLimits(**limits)).test_client()


def test_the_answer_is_the_trace_of_the_engine_and_its_sentences(client):
    got = answer(client, "/api/trace", game="tictactoe", position=POSITION, engine="minimax")
    env = read_position("tictactoe", POSITION)
    expected = trace_search(env, MinimaxSolver())
    told = got["told"]
    assert Trace(got["trace"]).to_json() == expected.to_json()
    lines = [
        (told["texts"][text], depth, event)
        for text, depth, event in zip(told["text"], told["depth"], told["event"], strict=True)
    ]
    assert lines == [(line.text, line.depth, line.event) for line in tell(expected)]
    assert got["look"]["style"] == "marks"
    assert got["look"]["row_one_at"] == "top"


def test_sentences_can_be_left_out(client):
    body = {"game": "tictactoe", "position": POSITION}
    assert answer(client, "/api/trace", **body, sentences=False)["told"] is None


def test_a_search_of_too_many_positions_is_refused_and_a_long_trace_is_folded():
    client = small(trace_nodes=300, trace_events=400)
    told = refusal(post(client, "/api/trace", game="tictactoe", engine="minimax:pruning=off"))
    assert told.startswith("this search visits more than 300 positions")
    got = answer(client, "/api/trace", game="tictactoe", position=POSITION, engine="minimax")
    assert got["trace"]["notes"] == []
    plain = "minimax:pruning=off,memoization=off"
    got = answer(client, "/api/trace", game="tictactoe", position=POSITION, engine=plain)
    assert len(got["trace"]["events"]["kind"]) <= 400
    assert got["trace"]["answer"]["nodes"] == 186
    assert "folded" in got["trace"]["notes"][0]
    assert got["told"]["texts"][-1].startswith("The search visited 186 positions")


def test_a_trace_is_bounded_in_bytes():
    body = {"game": "tictactoe", "position": POSITION, "engine": "minimax:pruning=off"}
    whole = Trace(answer(create_app().test_client(), "/api/trace", **body)["trace"])
    got = answer(small(trace_bytes=2000), "/api/trace", **body)["trace"]
    assert len(whole.to_json()) > 2000 >= len(Trace(got).to_json())
    assert got["answer"]["nodes"] == whole.answer["nodes"]
    refusal(post(small(trace_bytes=200), "/api/trace", **body))


def test_a_trace_is_bounded_in_time():
    for engine in ("minimax", "minimax:time=30"):
        body = {"game": "gomoku", "engine": engine, "depth": 30}
        told = refusal(post(small(trace_time=0.01), "/api/trace", **body))
        assert "takes more than 0.01 seconds" in told


def test_the_depth_that_fits(client):
    got = answer(client, "/api/trace", game="tictactoe", fit=True, engine="minimax")["trace"]
    depth = got["engine"]["options"]["depth"]
    assert 2 <= depth <= 8
    assert len(got["events"]["kind"]) <= FITTING
    assert not got["folded"]
    env, solver = make_game("tictactoe"), MinimaxSolver()
    assert Trace(got).to_json() == trace_search(env, solver, Limit(depth=depth)).to_json()
    got = answer(client, "/api/trace", game="tictactoe", position=POSITION, fit=True)["trace"]
    assert got["engine"]["options"]["depth"] is None  # the whole tree fits
    refusal(post(client, "/api/trace", game="tictactoe", fit=True, depth=3))


def test_without_a_heuristic_the_horizon_counts_0(client):
    body = {"game": "connect-four", "position": "4453", "depth": 2}
    got = answer(client, "/api/trace", **body, heuristic=False)
    env = without_heuristic(read_position("connect-four", "4453"))
    expected = trace_search(env, MinimaxSolver(), Limit(depth=2))
    assert Trace(got["trace"]).to_json() == expected.to_json()
    assert got["trace"]["answer"]["score"] == 0
    assert got["trace"]["position"] == answer(client, "/api/trace", **body)["trace"]["position"]
    assert "every position there counts 0" in got["told"]["texts"][1]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"position": "xxx/oo1/3 o"}, "over"),
        ({"position": "xo"}, "cannot be read"),
        ({"engine": "random"}, "no search that can be traced"),
        ({"engine": "minimax:pruning=perhaps"}, "pruning"),
        ({"engine": "/etc/passwd"}, "passwd"),
        ({"depth": 0}, "depth"),
        ({"depht": 2}, "did you mean depth"),
        ({"engine": "mcts", "fit": True}, "goes with minimax"),
        ({"heuristic": "no"}, "heuristic is true or false"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_bad_input_gets_a_sentence(client, body, words):
    assert words in refusal(post(client, "/api/trace", {"game": "tictactoe", **body}))


def test_a_newer_request_of_a_client_takes_the_place_of_the_older():
    searches, turns = Searches(ServerLimits()), Turns()
    mine, other = Client("1.2.3.4", "page"), Client("1.2.3.4", "another page")
    begun, ended = threading.Semaphore(0), []

    def wait(stop):
        begun.release()
        stop.wait(60)
        raise ValueError("stopped")

    def ask(client):
        try:
            ended.append(turns.run(searches, client, wait, lambda: False))
        except (BadRequestError, ValueError) as error:
            ended.append(error)

    threads = [threading.Thread(target=ask, args=[client]) for client in (mine, other)]
    for thread in threads:
        thread.start()
        assert begun.acquire(timeout=60)
    assert turns.run(searches, mine, lambda stop: 42, lambda: False) == 42
    threads[0].join(60)
    (error,) = ended  # the other page goes on
    assert isinstance(error, BadRequestError)
    assert error.status == 409
    assert turns.run(searches, other, lambda stop: 43, lambda: False) == 43
    threads[1].join(60)
    assert len(ended) == 2


def test_a_request_whose_client_has_left_takes_nobody_s_turn():
    """On a busy server it may begin after the newer one, for which the page has given it up."""
    searches, turns, mine = Searches(ServerLimits()), Turns(), Client("1.2.3.4", "page")

    def newer(stop):
        with pytest.raises(ClientGoneError):
            turns.run(searches, mine, lambda stop: 42, lambda: True)
        return stop.is_set()

    assert turns.run(searches, mine, newer, lambda: False) is False


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/api/trace", {"game": "connect-four", "engine": "minimax:pruning=off", "depth": 30}),
        ("/api/simulations", {"game": "gomoku-15", "engine": "mcts", "simulations": 3000}),
    ],
)
def test_a_search_ends_when_its_client_leaves(address, asked):
    """Stop on a stage aborts the request, and a browser then closes the connection."""
    forever = 36_000.0
    limits = ServerLimits(time=forever, trace_time=forever, trace_nodes=10**12)
    ended = threading.Event()
    with running_server(limits) as server:
        with server.app.app_context():
            pool = all_searches().pool
        submit = pool.submit

        def watched(client, work):
            def done(task):
                try:
                    return work(task)
                finally:
                    if task.stop.is_set():  # it did not get to its own end
                        ended.set()

            return submit(client, done)

        pool.submit = watched
        wire = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"}
        wire.request("POST", address, json.dumps(asked), headers)
        patience = time.monotonic() + PATIENCE
        while not pool.running and time.monotonic() < patience:
            time.sleep(0.01)
        wire.close()
        assert ended.wait(PATIENCE)
