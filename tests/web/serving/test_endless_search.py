"""A search without an end: in rounds, one for each client, ended when others wait, continued."""

import json
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from stopping import PATIENCE, HandClock

from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import Spec, make_engine
from rl_toolkit.web import ServerLimits, create_app
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.serving import endless, job_pool
from rl_toolkit.web.serving.endless import Keeper
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.job_pool import SearchPool, YieldingTask
from rl_toolkit.web.serving.searches import Searches

ADA, MAX = Client("ada", "1"), Client("max", "1")


def until_stopped(task):
    assert task.stop.wait(PATIENCE)
    return "stopped"


# --- the pool -------------------------------------------------------------------------------


def test_a_yielding_task_runs_while_nobody_waits_and_ends_when_somebody_does():
    pool = SearchPool(slots=1, queue=4)
    idle = pool.submit_yielding(ADA, until_stopped)
    assert idle.started.wait(PATIENCE)
    assert not idle.preempted
    other = pool.submit(MAX, lambda task: 42)
    assert other.wait(PATIENCE)
    assert idle.wait(PATIENCE)
    assert (idle.preempted, idle.result(), other.result()) == (True, "stopped", 42)


def test_one_more_search_than_half_of_the_slots_ends_it_and_no_fewer():
    pool, go = SearchPool(slots=6, queue=4), threading.Event()
    idle = pool.submit_yielding(ADA, until_stopped)
    assert idle.started.wait(PATIENCE)
    for already in (False, False, True):
        assert pool.submit(MAX, lambda task: go.wait(PATIENCE)).started.wait(PATIENCE)
        assert idle.preempted is already
    go.set()


def test_quick_searches_end_it_too():
    pool, go = SearchPool(slots=2, queue=4), threading.Event()
    idle = pool.submit_yielding(ADA, until_stopped)
    assert idle.started.wait(PATIENCE)
    pool.submit(MAX, lambda task: go.wait(PATIENCE), quick=True)
    assert idle.preempted
    go.set()


def test_it_waits_until_there_is_room():
    pool, go = SearchPool(slots=2, queue=4), threading.Event()
    busy = pool.submit(MAX, lambda task: go.wait(PATIENCE))
    assert busy.started.wait(PATIENCE)
    idle = pool.submit_yielding(ADA, lambda task: busy.wait(0))
    assert pool.place_in_line(idle) == 0
    assert pool.waiting == 1
    go.set()
    assert idle.wait(PATIENCE)
    assert idle.result() is True  # it ran when the other one was over


def test_a_quick_search_that_ends_makes_room_for_it():
    pool, go = SearchPool(slots=2, queue=4), threading.Event()
    blockers = [pool.submit(MAX, lambda task: go.wait(PATIENCE), quick=True) for _ in range(3)]
    assert all(task.started.wait(PATIENCE) for task in blockers)
    idle = pool.submit_yielding(ADA, lambda task: "ran")
    go.set()
    assert idle.wait(PATIENCE)
    assert idle.result() == "ran"


def test_two_of_them_take_turns(monkeypatch):
    clock = HandClock()
    monkeypatch.setattr(job_pool, "time", clock)
    pool = SearchPool(slots=2, queue=4)
    first = pool.submit_yielding(ADA, until_stopped)
    assert first.started.wait(PATIENCE)
    second = pool.submit_yielding(MAX, until_stopped)
    pool.take_turns()
    assert not first.preempted
    clock.now += job_pool.TURN
    pool.take_turns()
    assert first.preempted
    assert second.started.wait(PATIENCE)
    clock.now += job_pool.TURN
    pool.take_turns()
    assert not second.preempted  # no other one waits
    second.stop.set()


def test_a_long_line_of_them_is_refused():
    pool, go = SearchPool(slots=1, queue=2), threading.Event()
    pool.submit(MAX, lambda task: go.wait(PATIENCE))
    for _ in range(2):
        pool.submit_yielding(ADA, until_stopped)
    with pytest.raises(job_pool.PoolFullError):
        pool.submit_yielding(ADA, until_stopped)
    go.set()


# --- rounds, and what is kept --------------------------------------------------------------


class Thinker:
    """An engine that sees one ply more in each search, on a clock that the test moves."""

    name = "thinker"

    def __init__(self, clock, depths=(), early=False, proves=99):
        self.clock, self.early, self.proves = clock, early, proves
        self.asked, self.depths = [], list(depths)

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.asked.append(limit.time)
        depth = self.depths.pop(0) if self.depths else len(self.asked)
        spent = limit.time / 10 if self.early else limit.time
        self.clock.now += spent
        proven = depth >= self.proves
        moves = [
            Candidate(move, str(move), value=0.0, outcome="draw" if proven else None, proven=proven)
            for move in env.get_legal_moves()
        ]
        found = Analysis.of(env, self.name, moves, depth=depth, nodes=100, elapsed=spent)
        on_progress(found)
        return found


@pytest.fixture
def clock(monkeypatch):
    moved = HandClock()
    monkeypatch.setattr(endless, "time", moved)
    monkeypatch.setattr(endless, "explain", lambda env, analysis: analysis)
    return moved


def kept(engine, seconds=600.0):
    """What a keeper keeps for a client, the player with its limit, and a task."""
    player = replace(make_engine(Spec("first")), engine=engine, limit=Limit(time=seconds))
    found, task = [], YieldingTask(until_stopped)
    Keeper(2).start(ADA, "tictactoe", player, lambda kept: found.append(kept) or task)
    return found[0], player, task


def test_rounds_grow_until_the_time_is_over(clock):
    engine = Thinker(clock)
    memory, player, task = kept(engine)
    last = memory.search(player, make_game("tictactoe"), task.report, task.stop)
    assert engine.asked == [2, 8, 32, 128, 430]
    assert (last.depth, last.elapsed, last.nodes) == (5, 600, 500)


def test_it_ends_when_every_move_is_proven(clock):
    engine = Thinker(clock, proves=3)
    memory, player, task = kept(engine)
    env = make_game("tictactoe")
    assert memory.search(player, env, task.report, task.stop).proven
    assert engine.asked == [2, 8, 32]
    assert memory.search(player, env, task.report, task.stop).proven
    assert engine.asked == [2, 8, 32]  # there is nothing more to find


def test_it_ends_with_an_engine_that_has_nothing_more_to_do(clock):
    engine = Thinker(clock, early=True, depths=[3, 3])
    memory, player, task = kept(engine)
    memory.search(player, make_game("tictactoe"), task.report, task.stop)
    assert engine.asked == [2, 8]


def test_an_engine_that_ended_a_round_early_may_find_more_in_the_next(clock):
    engine = Thinker(clock, early=True, depths=[1, 4, 4])  # two plies would have taken too long
    memory, player, task = kept(engine)
    last = memory.search(player, make_game("tictactoe"), task.report, task.stop)
    assert engine.asked == [2, 8, 32]
    assert last.depth == 4


def test_it_goes_on_from_what_is_known_and_never_says_less(clock):
    engine = Thinker(clock, depths=[4, 9, 3, 5, 12])
    memory, player, task = kept(engine, seconds=10.0)
    env, said = make_game("tictactoe"), []
    memory.search(player, env, lambda analysis: said.append(analysis.depth), task.stop)
    assert engine.asked == [2, 8]
    memory.search(
        replace(player, limit=Limit(time=20.0)), env, lambda a: said.append(a.depth), task.stop
    )
    assert engine.asked[2:] == [10, 10]  # not two seconds again
    assert said == sorted(said)
    env.step(4)
    memory.search(replace(player, limit=Limit(time=2.0)), env, task.report, task.stop)
    assert task.latest.depth == 12
    assert task.latest.elapsed == 2.0  # another position


def test_a_client_has_one_and_another_game_has_no_memory(clock):
    keeper, tasks = Keeper(2), []

    def start(client, game="tictactoe", spec="mcts"):
        player, begun = make_engine(spec), []
        task = keeper.start(
            client, game, player, lambda kept: begun.append(kept) or YieldingTask(until_stopped)
        )
        tasks.append(task)
        return begun[0]

    first = start(ADA)
    assert start(ADA) is first
    assert first.player.engine.reuse_tree  # it goes on with the tree of the search before
    assert [task.preempted for task in tasks] == [True, False]
    assert start(MAX) is not first
    assert start(ADA, "connect-four") is not first
    assert start(ADA) is not first
    again = start(MAX)
    start(Client("eve"))
    assert start(MAX) is again
    assert start(Client("another")) is not again
    start(Client("third"))
    assert start(MAX) is not again  # only two clients are remembered


# --- over HTTP ------------------------------------------------------------------------------


def events_of(response):
    blocks = [block for block in response.text.split("\n\n") if block.startswith("event")]
    return [(block.split("\n")[0][7:], json.loads(block.split("\n")[1][6:])) for block in blocks]


def test_a_game_that_is_soon_solved_ends_by_itself():
    app = create_app()
    body = {"moves": "b2", "engine": "minimax", "endless": True}
    name, last = events_of(app.test_client().post("/api/search", json=body))[-1]
    assert name == "done"
    assert all(candidate["proven"] for candidate in last["candidates"])
    assert last["candidates"][0]["note"]  # it is explained


def test_one_that_makes_way_says_so_and_what_it_found():
    searches = Searches(ServerLimits(slots=1))
    env, heard = make_game("tictactoe"), threading.Event()

    def analyse(env, limit, on_progress, stop):
        heard.set()
        assert stop.wait(PATIENCE)
        return Analysis.of(env, "slow", [Candidate(4, "b2", value=0.5)], depth=3, elapsed=1.0)

    engine = SimpleNamespace(name="slow", analyse=analyse)
    player = replace(make_engine(Spec("first")), engine=engine, limit=Limit(time=600.0))
    stream = searches.events(ADA, Question(env, player, endless=True), lambda: False)
    assert heard.wait(PATIENCE)
    searches.pool.submit(MAX, lambda task: None)
    last = list(stream)[-1]
    assert (last.name, last.data["best"], last.data["depth"]) == ("preempted", 4, 3)


@pytest.mark.parametrize(
    ("address", "fields", "sentence"),
    [
        ("/api/search", {"endless": True, "time": 3}, "give a time or endless, not both"),
        ("/api/search", {"endless": 1}, "endless is true or false, not 1"),
        ("/api/analyse", {"endless": True}, "there is no field 'endless'"),
    ],
)
def test_what_cannot_be_asked(address, fields, sentence):
    response = create_app().test_client().post(address, json={"game": "tictactoe", **fields})
    assert response.status_code == 400
    assert sentence in response.get_json()["error"]


def test_a_bot_of_the_server_needs_a_time(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(game):\n    return game.get_legal_moves()[0]\n")
    client = create_app(engines=[f"Alice={bot}"]).test_client()
    body = {"game": "tictactoe", "engine": "Alice", "endless": True}
    response = client.post("/api/search", json=body)
    assert response.get_json()["error"] == "Alice does not search without an end; give it a time"
