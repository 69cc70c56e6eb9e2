"""The pool of searches: bounded, fair, and empty of searches that nobody waits for."""

import http.client
import json
import threading
import time

import pytest

from rl_toolkit.web import ServerLimits, create_app
from rl_toolkit.web.pool import PoolFullError, SearchPool
from rl_toolkit.web.server import make_server

SOON = 10.0  # seconds after which something that should have happened has not


def eventually(condition):
    ends = time.monotonic() + SOON
    while time.monotonic() < ends:
        if condition():
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def blocked():
    """A pool of one slot that is taken until the event is set."""
    pool, go = SearchPool(slots=1, queue=4), threading.Event()
    job = pool.submit("blocker", lambda stop: go.wait(SOON))
    assert job.started.wait(SOON)
    yield pool, go
    go.set()


def test_results_and_errors_reach_whoever_waits():
    pool = SearchPool(2, 2)
    good = pool.submit("a", lambda stop: 42)
    assert good.wait(SOON)
    assert good.result() == 42
    bad = pool.submit("a", lambda stop: 1 // 0)
    assert bad.wait(SOON)
    with pytest.raises(ZeroDivisionError):
        bad.result()


def test_no_more_than_the_slots_run_at_once():
    pool, most, now, lock = SearchPool(3, 40), 0, 0, threading.Lock()

    def work(stop):
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1

    jobs = [pool.submit(str(k), work) for k in range(20)]
    assert all(job.wait(SOON) for job in jobs)
    assert most == 3


def test_clients_take_turns(blocked):
    pool, go = blocked
    order = []
    jobs = [
        pool.submit(client, lambda stop, client=client: order.append(client))
        for client in ["ada", "ada", "ada", "max"]
    ]
    assert pool.place_in_line(jobs[3]) == 1
    assert pool.place_in_line(jobs[2]) == 3
    go.set()
    assert all(job.wait(SOON) for job in jobs)
    assert order == ["ada", "max", "ada", "ada"]


def test_beyond_the_queue_the_greedy_client_is_refused(blocked):
    pool, go = blocked
    jobs = [pool.submit("ada", lambda stop: "ada") for _ in range(4)]
    with pytest.raises(PoolFullError) as refused:
        pool.submit("ada", lambda stop: None)
    assert refused.value.retry_after >= 1
    other = pool.submit("max", lambda stop: "max")  # takes the place of ada's newest
    with pytest.raises(PoolFullError):
        jobs[3].result()
    go.set()
    assert other.wait(SOON)
    assert other.result() == "max"
    assert all(job.wait(SOON) for job in jobs[:3])


def test_a_job_stopped_in_the_queue_never_runs(blocked):
    pool, go = blocked
    ran = []
    job = pool.submit("ada", lambda stop: ran.append(1))
    job.stop.set()
    last = pool.submit("max", lambda stop: None)
    go.set()
    assert last.wait(SOON)
    assert ran == []


# --- over HTTP ----------------------------------------------------------------------------


def test_a_full_server_says_when_to_come_again():
    app = create_app(ServerLimits(slots=1, queue=0, time=20))
    searches, go = app.extensions["rl_toolkit.searches"], threading.Event()
    blocker = searches.pool.submit("other", lambda stop: go.wait(SOON))
    assert blocker.started.wait(SOON)
    for address in ("/api/ai-move", "/api/search", "/api/game-tree"):
        response = app.test_client().post(address, json={"game": "tictactoe"})
        assert response.status_code == 503
        assert int(response.headers["Retry-After"]) >= 1
        assert "busy" in response.get_json()["error"]
    go.set()


def test_waiting_too_long_for_a_slot_is_a_503():
    app = create_app(ServerLimits(slots=1, queue=4, patience=0.1))
    searches, go = app.extensions["rl_toolkit.searches"], threading.Event()
    searches.pool.submit("other", lambda stop: go.wait(SOON))
    response = app.test_client().post("/api/ai-move", json={"game": "tictactoe"})
    assert response.status_code == 503
    go.set()


@pytest.fixture
def server():
    server = make_server(port=0, limits=ServerLimits(slots=2, queue=8, time=25))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield server
    server.close()
    thread.join(SOON)


def busy(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    connection.request("GET", "/api/health")
    counts = json.loads(connection.getresponse().read())["searches"]
    connection.close()
    return counts["running"]


def start(port, address):
    body = json.dumps({"game": "connect-four", "engine": "mcts", "time": 20})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    connection.request("POST", address, body, {"Content-Type": "application/json"})
    return connection


def test_hanging_up_ends_the_search(server):
    port = server.effective_port
    stream = start(port, "/api/search")
    response = stream.getresponse()
    assert response.readline().startswith(b"event:")
    plain = start(port, "/api/analyse")
    assert eventually(lambda: busy(port) == 2)
    response.close()
    stream.close()
    plain.sock.close()
    left = time.monotonic()
    assert eventually(lambda: busy(port) == 0)
    assert time.monotonic() - left < 2.0  # 200 ms on a quiet machine; this one may be busy


def test_ten_megabytes_get_a_sentence_over_the_wire_too(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=SOON)
    body = b'{"text": "' + b"x" * 10_000_000 + b'"}'
    connection.request("POST", "/api/record/open", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    assert response.status == 413
    assert "too large" in json.loads(response.read())["error"]
    connection.close()
