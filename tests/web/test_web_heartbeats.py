"""Streams without news send a sign of life every second, so that a client who left is noticed."""

import threading
from dataclasses import replace
from types import SimpleNamespace

from stopping import PATIENCE

from rl_toolkit.envs import make_game
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.web import ServerLimits, searches
from rl_toolkit.web.requests import Question
from rl_toolkit.web.searches import Searches
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.watched import Watched
from rl_toolkit.web.theatre import runs

ADA = Client("ada")


class Looks:
    """A clock on which every look takes a tenth of a second."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        self.now += 0.1
        return self.now


def endless(stop):
    assert stop.wait(PATIENCE)


def seconds_between_signs(stream, clock):
    """The time between two signs of life."""
    times = []
    while len(times) < 2:
        if not next(stream).name:
            times.append(clock.now)
    stream.close()
    return times[1] - times[0]


def test_of_a_search(monkeypatch):
    clock = Looks()
    monkeypatch.setattr(searches, "time", clock)
    player = SimpleNamespace(
        text="", limit=None, analyse=lambda env, limit, on_progress, stop: endless(stop)
    )
    player.on_all_cores = lambda: player
    stream = Searches(ServerLimits()).events(
        ADA, Question(make_game("tictactoe"), player, play=False), lambda: False
    )
    assert 1 < seconds_between_signs(stream, clock) < 1.5


def test_of_an_experiment(monkeypatch):
    clock, stopped = Looks(), threading.Event()
    monkeypatch.setattr(runs, "time", clock)

    def measure(**settings):
        endless(stopped)
        yield 1

    experiment = replace(next(iter(EXPERIMENTS.values())), measure=measure)
    stream = runs.Runs().start(
        Searches(ServerLimits()), ADA, experiment, {}, lambda result: {}, lambda: False
    )
    assert 1 < seconds_between_signs(stream, clock) < 1.5
    stopped.set()


def test_of_a_state_that_stays_the_same():
    """The stream waits for a change, a second at most."""
    waited = []

    def wait(seen, seconds):
        waited.append(seconds)
        return 7, {}

    stream = Watched(1).states(wait, lambda: False)
    assert [next(stream).name for _ in range(3)] == ["state", "", ""]
    assert waited == [1.0] * 3
    stream.close()
