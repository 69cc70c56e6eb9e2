"""The first answer of a server where nothing is compiled: who gives it, and what follows."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import TicTacToe
from rl_toolkit.envs.registry import UnknownGameError
from rl_toolkit.kernels.compiling.compiled_only import NotCompiledError, check_may_compile
from rl_toolkit.players import make_engine
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.api import SEARCHES
from rl_toolkit.web.app import create_app
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.serving import first_answers
from rl_toolkit.web.serving.first_answers import FirstAnswers


class Process:
    """A preparation that lasts for some looks at it."""

    left = "about 7 s left"

    def __init__(self, looks=10**6):
        self.looks, self.started, self.stopped = looks, False, False

    @property
    def is_running(self):
        self.looks -= 1
        return self.started and not self.stopped and self.looks > 0

    def start(self):
        assert not self.started
        self.started = True

    def stop(self):
        self.stopped = True


class Machine:
    """Where nothing is compiled yet: a search compiles, unless it must not."""

    def __init__(self):
        self.searches, self.compiled = 0, False

    def search(self):
        self.searches += 1
        if not self.compiled:
            check_may_compile("search")
        self.compiled = True
        return make_engine("random:seed=1").analyse(TicTacToe())


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(first_answers, "_LOOK", 0.0)
    stand_in = first_answers.stand_in
    monkeypatch.setattr(
        first_answers, "stand_in", lambda player: stand_in(player).within(Limit(depth=1))
    )


def asked(spec="exact", **how):
    return Question(TicTacToe(), make_engine(spec), stand_in=True, **how)


def a_task():
    return BackgroundTask(lambda task: None)


def test_a_move_is_the_stand_ins_until_the_engine_is_prepared():
    process, machine = Process(), Machine()
    answers = FirstAnswers(lambda player, env: process)
    for _ in range(2):
        task = a_task()
        found = answers.answer(asked(), task, machine.search)
        assert (found.engine, answers.is_stand_ins(task, found)) == ("minimax", True)
    machine.compiled = True
    task = a_task()
    found = answers.answer(asked(), task, machine.search)
    assert (found.engine, answers.is_stand_ins(task, found)) == ("random", False)
    answers.close()
    assert process.stopped


def test_a_search_without_an_end_waits_and_replaces_the_first_answer():
    process, machine, told = Process(looks=5), Machine(), []
    answers = FirstAnswers(lambda player, env: process)
    task = a_task()
    task.report = lambda found: (setattr(task, "latest", found), told.append(found))
    found = answers.answer(asked(endless=True), task, machine.search)
    assert [each.engine for each in told] == ["minimax"]
    assert answers.is_stand_ins(task, told[0])
    assert (found.engine, answers.is_stand_ins(task, found)) == ("random", False)
    assert answers.left(task) == ""


def test_while_a_task_waits_the_time_left_is_known():
    class Watching(Process):
        @property
        def is_running(self):
            seen.append(answers.left(task))
            return super().is_running

    seen, task = [], a_task()
    answers = FirstAnswers(lambda player, env: Watching(looks=5))
    answers.answer(asked(endless=True), task, Machine().search)
    assert "about 7 s left" in seen


def test_a_question_without_a_stand_in_compiles_here():
    machine = Machine()
    found = FirstAnswers().answer(replace(asked(), stand_in=False), a_task(), machine.search)
    assert (found.engine, machine.searches) == ("random", 1)


@pytest.mark.parametrize("problem", [UnknownGameError("no such game"), OSError("no processes")])
def test_a_search_compiles_here_if_nothing_can_prepare_its_engine(problem):
    def prepare(player, env):
        raise problem

    answers = FirstAnswers(prepare)
    for _ in range(2):
        machine = Machine()
        assert answers.answer(asked(), a_task(), machine.search).engine == "random"
        assert machine.compiled


def test_a_search_compiles_here_if_the_preparation_has_ended_without_all():
    process, machine = Process(), Machine()
    answers = FirstAnswers(lambda player, env: process)
    assert answers.answer(asked(), a_task(), machine.search).engine == "minimax"
    process.stop()
    assert answers.answer(asked(), a_task(), machine.search).engine == "random"


def test_few_preparations_run_at_once_and_stand_ins_answer_for_the_others(monkeypatch):
    monkeypatch.setattr(first_answers, "_MOST", 1)
    begun = []

    def prepare(player, env):
        begun.append(Process())
        return begun[-1]

    answers = FirstAnswers(prepare)
    answers.begin(make_engine("exact"), TicTacToe())
    found = answers.answer(asked("minimax:depth=2"), a_task(), Machine().search)
    assert (found.engine, len(begun)) == ("minimax", 1)
    begun[0].stop()
    answers.answer(asked("minimax:depth=2"), a_task(), Machine().search)
    assert len(begun) == 2


def streamed(client, see, **fields):
    """The events of a search by name; ``see`` is called with each name."""
    events = {}
    for part in client.post("/api/search", json=fields, buffered=False).response:
        name, data = part.decode().split("\n")[:2] if part.startswith(b"event") else ("", "")
        if name:
            events[name.removeprefix("event: ")] = json.loads(data.removeprefix("data: "))
            see(name)
    return events


@pytest.mark.parametrize("endless", [False, True])
def test_the_api_says_which_answer_comes_first(monkeypatch, endless):
    @contextmanager
    def refusing():
        raise NotCompiledError("search")
        yield

    app, process = create_app(), Process()
    app.extensions[SEARCHES].first_answers = FirstAnswers(lambda player, env: process)
    monkeypatch.setattr(first_answers, "compiled_only_here", refusing)

    def see(name):
        if name == "event: compiling":
            process.stop()

    fields = {"moves": "b2a1c3", "engine": "mcts:simulations=20,seed=1", "endless": endless}
    events = streamed(app.test_client(), see, **fields, stand_in=True)
    if endless:
        assert events["first"]["engine"] == "mcts"
        assert events["compiling"] == {"kernel": None, "left": Process.left}
    assert events["done"]["stand_in"] is not endless
