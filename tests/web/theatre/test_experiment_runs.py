"""Experiments over HTTP: the same numbers as elsewhere, one at a time, stopped without loss."""

import itertools
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from web_requests import events, post, refusal

from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.experiments.running import run_experiment
from rl_toolkit.experiments.settings import Setting, read_settings
from rl_toolkit.utils.svg.chart import Chart
from rl_toolkit.web import ServerLimits, create_app
from rl_toolkit.web.theatre import runs
from rl_toolkit.web.theatre.runs import RUNS

#: Seconds for what takes a moment on a quiet machine.
PATIENCE = 90


class Gate:
    """An experiment of five steps, each of which waits until the test lets it go."""

    def __init__(self):
        self.go = threading.Semaphore(0)
        self.ended = threading.Event()

    def measure(self, steps):
        try:
            for number in range(steps):
                yield Progress(number, steps, f"step {number}")
                while not self.go.acquire(timeout=0.01):
                    yield Progress(number, steps, f"step {number}")
                yield number
        finally:
            self.ended.set()

    def conclude(self, found, complete, steps):
        return Result(
            "Steps",
            [Column("step", "plain"), Column("square")],
            [[str(n), n * n] for n in found],
            Chart("Steps", [str(n) for n in found], [n * n for n in found]),
        )

    def experiment(self):
        return Experiment(
            "gate",
            "Gate",
            "Waits.",
            "steps",
            (Setting("steps", "whole", 5, "steps", most=100, page_most=9),),
            self.measure,
            self.conclude,
            (Question("Why?", "So."), Question("How?", "Thus.")),
        )


@pytest.fixture
def gate(monkeypatch):
    made = Gate()
    monkeypatch.setitem(EXPERIMENTS, "gate", made.experiment())
    yield made
    made.go.release(100)


@pytest.fixture
def app():
    return create_app(ServerLimits(slots=4))


@pytest.fixture
def client(app):
    return app.test_client()


def start(client, name="gate", page="one", **fields):
    return client.post(f"/api/experiments/{name}", json=fields, headers={"X-Client": page})


def stop(client, page="one"):
    return client.post("/api/experiments/stop", json={}, headers={"X-Client": page}).get_json()


def read(parts, wanted):
    """The next event of that name."""
    for part in parts:
        for name, data in events(part.decode()):
            if name == wanted:
                return data
    raise AssertionError(f"the stream ended without {wanted}")


def last(response):
    name, data = events(response.get_data(as_text=True))[-1]
    return name, data


def test_every_experiment_has_a_page(client):
    listed = client.get("/theatre/experiments").text
    for name, experiment in EXPERIMENTS.items():
        assert f"/theatre/experiments/{name}" in listed
        page = client.get(f"/theatre/experiments/{name}")
        assert page.status_code == 200
        assert f"rl-toolkit experiment {name}" in page.text
        for setting in experiment.settings:
            assert f'name="{setting.name}"' in page.text
        assert page.text.count("<summary>Answer</summary>") == 2
    assert client.get("/theatre/experiments/nothing").status_code == 404
    assert post(client, "/api/experiments/nothing", {}).status_code == 404


def test_a_page_has_the_numbers_of_the_experiment(client):
    name, data = last(start(client, "positions", depth="3"))
    assert name == "done"
    experiment = EXPERIMENTS["positions"]
    expected = run_experiment(experiment, read_settings(experiment.settings, {"depth": 3}))
    assert data["rows"] == expected.rows
    assert data["head"] == expected.head
    assert data["csv"] == expected.to_csv()
    assert data["command"] == "rl-toolkit experiment positions --depth 3"
    assert data["svg"]["light"] == expected.chart.to_svg()
    assert len(set(data["svg"].values())) == 4
    assert data["stopped"] == ""


def test_stopping_keeps_the_rows(client, gate):
    parts = start(client).iter_encoded()
    assert read(parts, "progress") == {"done": 0, "total": 5, "what": "step 0"}
    gate.go.release(2)
    while read(parts, "progress")["done"] < 2:
        pass
    assert stop(client) == {"stopping": True}
    data = read(parts, "done")
    assert data["rows"] == [["0", "0"], ["1", "1"]]
    assert data["stopped"] == "Stopped after 2 of 5 steps."
    assert data["csv"] == "step,square\n0,0\n1,1\n"
    assert stop(client) == {"stopping": False}


def test_one_at_a_time_and_others_wait_for_none(client, gate):
    first = start(client)
    again = start(client)
    assert again.status_code == 429
    assert "still runs" in refusal(again)
    second = start(client, page="two")  # half of four slots: two at once
    busy = start(client, page="three")
    assert busy.status_code == 503
    assert int(busy.headers["Retry-After"]) > 0
    assert stop(client, page="three") == {"stopping": False}  # it is not theirs
    gate.go.release(10)
    assert last(first)[0] == last(second)[0] == "done"
    gate.go.release(5)
    assert last(start(client))[1]["stopped"] == ""


@pytest.mark.parametrize("watched", [False, True])
def test_an_experiment_that_nobody_watches_ends(app, client, gate, watched):
    response = start(client)
    if watched:
        read(response.iter_encoded(), "progress")  # it runs: one that waits would not even begin
    response.close()
    again = start(client)
    assert again.status_code == 200
    again.close()
    assert not watched or gate.ended.wait(PATIENCE)
    assert app.extensions[RUNS]._at_work == {}


def test_an_experiment_is_stopped_in_time_and_keeps_what_it_has(gate, monkeypatch):
    measured, looks = threading.Event(), itertools.count()

    def endless(steps):
        yield 7
        measured.set()
        while True:
            yield Progress(1, None, "on and on")

    clock = SimpleNamespace(monotonic=lambda: float(next(looks)) if measured.is_set() else 0.0)
    monkeypatch.setattr(runs, "time", clock)
    monkeypatch.setitem(EXPERIMENTS, "gate", replace(gate.experiment(), measure=endless))
    client = create_app(ServerLimits(experiment_time=0.05)).test_client()
    name, data = last(start(client))
    assert (name, data["rows"]) == ("done", [["7", "49"]])
    assert data["stopped"].startswith(
        "Stopped after one of the steps. This server lets an experiment run"
    )


def test_a_stop_before_the_first_step_is_said(client, gate):
    parts = start(client).iter_encoded()
    read(parts, "progress")
    stop(client)
    assert "before anything was measured" in read(parts, "error")["error"]


@pytest.mark.parametrize(("name", "fields", "words"), [
    ("gate", {"steps": 10}, "from 1 to 9, not 10"), ("gate", {"steps": "x"}, "not 'x'"),
    ("gate", {"stpes": 1}, "steps"), ("gate", {"path": "/etc/passwd"}, "path"),
    ("positions", {"game": "openspiel:chess"}, "one of tictactoe"),
    ("positions", {"game": "game.py:Game"}, "one of tictactoe"),
    ("vs-random", {"engine": "gtp:cmd=true"}, "one of random"),
    ("node-counts", {"depth": 9}, "from 1 to 8"), ("regret", {"runs": 501}, "from 1 to 500"),
    ("depths", {"depths": "2,9"}, "from 1 to 8"), ("mcts-values", {"position": ["a1"]}, "text"),
])  # fmt: skip
def test_bad_settings_are_refused_at_once(client, gate, name, fields, words):
    assert words in refusal(start(client, name, **fields))


def test_what_is_found_out_later_is_a_sentence_too(client):
    for name, fields, words in (
        ("mcts-values", {"position": "a1 a1"}, "a1"),
        ("depths", {"depths": "2"}, "two different depths"),
    ):
        event, data = last(start(client, name, **fields))
        assert event == "error"
        assert words in data["error"]
        assert data["refused"]


def test_requests_of_other_sites_are_refused(client):
    assert client.post("/api/experiments/positions", data="{}").status_code == 415
    assert client.post("/api/experiments/stop", data="{}").status_code == 415
    assert client.get("/api/experiments/positions").status_code == 405
    foreign = client.post("/api/experiments/positions", json={}, headers={"Host": "evil.example"})
    assert foreign.status_code == 421
