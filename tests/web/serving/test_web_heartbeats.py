"""Streams without news send a sign of life every second, so that a client who left is noticed."""

import threading
from dataclasses import replace
from types import SimpleNamespace

from stopping import PATIENCE

from rl_toolkit.envs import make_game
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.exchange.requests import Question
from rl_toolkit.web.serving import streams
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.searches import Searches
from rl_toolkit.web.serving.streams import Watched
from rl_toolkit.web.theatre.runs import start
from rl_toolkit.web.theatre.turns import Turns

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


def search_by(analyse):
    """The stream of a search that is ``analyse``, called with its stop signal."""
    player = SimpleNamespace(
        text="", limit=None, analyse=lambda env, limit, on_progress, stop: analyse(stop)
    )
    player.on_all_cores = lambda: player
    question = Question(make_game("tictactoe"), player, play=False)
    return Searches(ServerLimits()).events(ADA, question, lambda: False)


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
    monkeypatch.setattr(streams, "time", clock)
    assert 1 < seconds_between_signs(search_by(endless), clock) < 1.5


def test_a_search_is_stopped_by_closing_its_stream_before_the_first_event():
    begun, stopped = threading.Event(), threading.Event()

    def analyse(stop):
        begun.set()
        endless(stop)
        stopped.set()

    stream = search_by(analyse)
    assert begun.wait(PATIENCE)
    stream.close()
    assert stopped.wait(PATIENCE)
    assert list(stream) == []


def test_of_an_experiment(monkeypatch):
    clock, stopped = Looks(), threading.Event()
    monkeypatch.setattr(streams, "time", clock)

    def measure(**settings):
        endless(stopped)
        yield 1

    experiment = replace(next(iter(EXPERIMENTS.values())), measure=measure)
    stream = start(
        Turns(), Searches(ServerLimits()), ADA, experiment, {}, lambda result: {}, lambda: False
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
