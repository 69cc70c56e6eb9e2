"""The common budget of helper threads: fair among clients, never exceeded, given back."""

import threading

import pytest

from rl_toolkit.kernels.threads.crew import allowed
from rl_toolkit.web.serving.fair_queue import Client
from rl_toolkit.web.serving.helper_threads import HelperThreads

ADA, BOB, EVE = Client("10.0.0.1"), Client("10.0.0.2"), Client("10.0.0.3")


def test_one_client_gets_all_and_gives_it_back():
    budget = HelperThreads(7)
    for _ in range(3):
        with budget.for_search(ADA) as threads:
            assert threads == 8
            assert allowed(100) == 8
    assert allowed(100) == 100


def test_clients_at_the_same_time_share():
    budget = HelperThreads(6)
    with budget.for_search(ADA) as ada:
        assert ada == 7
        with budget.for_search(BOB) as bob:
            assert bob == 1  # nothing is free
    with budget.for_search(ADA) as ada, budget.for_search(ADA._replace(page="2")) as second:
        assert (ada, second) == (7, 1)  # pages of one address share
    first = HelperThreads(6)
    with pytest.raises(RuntimeError), first.for_search(ADA):
        raise RuntimeError
    with first.for_search(EVE) as eve:
        assert eve == 7


def test_the_budget_is_never_exceeded():
    budget, taken, most, lock = HelperThreads(5), [0], [0], threading.Lock()

    def search(client):
        for _ in range(200):
            with budget.for_search(client) as threads:
                with lock:
                    taken[0] += threads - 1
                    most[0] = max(most[0], taken[0])
                with lock:
                    taken[0] -= threads - 1

    workers = [threading.Thread(target=search, args=(c,)) for c in (ADA, BOB, EVE, ADA)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert 0 < most[0] <= 5
