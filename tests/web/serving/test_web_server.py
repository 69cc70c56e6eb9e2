"""The server: a pool of searches that is bounded and fair, and the commands that start it."""

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
from typing import ClassVar

import pytest
from hex_game import Hex
from stopping import PATIENCE
from web_running import eventually, running_server

from rl_toolkit.analysis import EngineError
from rl_toolkit.envs import GameTraits, register_game, registry
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.compiling import warm_up
from rl_toolkit.kernels.compiling.warm_up import WarmUp
from rl_toolkit.web import HOST, PORT, ServerLimits, create_app
from rl_toolkit.web.exchange.json_fields import BadRequestError
from rl_toolkit.web.serving.fair_queue import Client, FairQueue
from rl_toolkit.web.serving.host_check import names_of
from rl_toolkit.web.serving.job_pool import QUICK_SLOTS, PoolFullError, SearchPool

COMMAND = [sys.executable, "-m", "rl_toolkit.cli", "web"]
ADA, MAX = Client("ada"), Client("max")
SOON = PATIENCE
FOREVER = 36_000.0  # seconds of a search that has to be ended


@pytest.fixture
def blocked():
    """A pool of one slot that is taken until the event is set."""
    pool, go = SearchPool(slots=1, queue=4), threading.Event()
    job = pool.submit(Client("blocker"), lambda stop: go.wait(SOON))
    assert job.started.wait(SOON)
    yield pool, go
    go.set()


def test_results_and_errors_reach_whoever_waits():
    pool = SearchPool(2, 2)
    good = pool.submit(ADA, lambda stop: 42)
    assert good.wait(SOON)
    assert good.result() == 42
    bad = pool.submit(ADA, lambda stop: 1 // 0)
    assert bad.wait(SOON)
    with pytest.raises(ZeroDivisionError):
        bad.result()


def test_no_more_than_the_slots_run_at_once():
    pool, most, now, lock = SearchPool(3, 40), 0, 0, threading.Lock()
    three = threading.Barrier(3)

    def work(stop):
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        three.wait(SOON)  # until three are at work together
        with lock:
            now -= 1
        three.wait(SOON)

    jobs = [pool.submit(Client(str(k)), work) for k in range(21)]
    assert all(job.wait(SOON) for job in jobs)
    assert [job.result() for job in jobs] == [None] * 21
    assert most == 3


def test_clients_take_turns(blocked):
    pool, go = blocked
    order = []
    jobs = [
        pool.submit(client, lambda stop, client=client: order.append(client))
        for client in [ADA, ADA, ADA, MAX]
    ]
    assert pool.place_in_line(jobs[3]) == 1
    assert pool.place_in_line(jobs[2]) == 3
    go.set()
    assert all(job.wait(SOON) for job in jobs)
    assert order == [ADA, MAX, ADA, ADA]


def queue_of(**lines):
    """A queue with so many entries of each: ``ada_1=2`` are two of Ada's first page."""
    queue = FairQueue()
    for name, count in lines.items():
        for number in range(1, count + 1):
            queue.push(Client(*name.split("_")), f"{name} {number}")
    return queue


def test_pages_of_one_address_share_its_turns():
    queue = queue_of(ada_1=2, ada_2=1, ada_3=1, max_1=2)
    order = ["ada_1 1", "max_1 1", "ada_2 1", "max_1 2", "ada_3 1", "ada_1 2"]
    assert queue.order() == order
    assert [queue.pop() for _ in range(len(queue))] == order
    assert queue.pop() is None


def test_names_made_up_for_pages_win_nothing():
    many_names = {f"ada_{number}": 1 for number in range(8)}
    queue = queue_of(**many_names, max_1=1)
    assert queue.order()[1] == "max_1 1"
    assert queue.make_room(Client("ada", "yet another")) is None
    assert queue.make_room(MAX) is not None  # one of Ada's leaves, though each page has but one
    assert len(queue) == 8
    assert len(queue.order()) == 8


def test_who_would_wait_as_long_with_one_more_is_refused():
    assert queue_of(ada_1=1).make_room(MAX) is None
    assert queue_of(ada_1=2).make_room(MAX) == "ada_1 2"
    assert queue_of(ada_1=3, max_1=2).make_room(Client("max", "1")) is None
    assert queue_of(ada_1=4, max_1=2).make_room(Client("max", "1")) == "ada_1 4"


def test_within_one_address_the_page_with_the_longest_line_makes_room():
    assert queue_of(ada_1=2, ada_2=1).make_room(Client("ada", "2")) is None
    assert queue_of(ada_1=3, ada_2=1).make_room(Client("ada", "2")) == "ada_1 3"
    queue = queue_of(ada_1=4, ada_2=1)
    assert queue.make_room(Client("ada", "1")) is None
    assert queue.make_room(Client("ada", "2")) == "ada_1 4"
    assert queue.make_room(Client("ada", "3")) == "ada_1 3"


def test_beyond_the_queue_the_greedy_client_is_refused(blocked):
    pool, go = blocked
    jobs = [pool.submit(ADA, lambda stop: "ada") for _ in range(4)]
    with pytest.raises(PoolFullError) as refused:
        pool.submit(ADA, lambda stop: None)
    assert refused.value.retry_after >= 1
    other = pool.submit(MAX, lambda stop: "max")  # takes the place of ada's newest
    with pytest.raises(PoolFullError):
        jobs[3].result()
    go.set()
    assert other.wait(SOON)
    assert other.result() == "max"
    assert all(job.wait(SOON) for job in jobs[:3])


def test_a_job_stopped_in_the_queue_never_runs(blocked):
    pool, go = blocked
    ran = []
    job = pool.submit(ADA, lambda stop: ran.append(1))
    job.stop.set()
    last = pool.submit(MAX, lambda stop: None)
    go.set()
    assert last.wait(SOON)
    assert ran == []


def test_quick_jobs_are_not_refused_behind_slow_ones(blocked):
    pool, go = blocked
    slow = [pool.submit(ADA, lambda stop: "slow") for _ in range(4)]
    with pytest.raises(PoolFullError):
        pool.submit(ADA, lambda stop: "slow")
    quick = [pool.submit(ADA, lambda stop: "quick", quick=True) for _ in range(4)]
    assert all(job.wait(SOON) for job in quick)
    assert [job.result() for job in quick] == ["quick"] * 4
    assert not any(job.started.is_set() for job in slow)
    go.set()
    assert all(job.wait(SOON) for job in slow)


def test_quick_jobs_have_a_line_of_their_own(blocked):
    pool, go = blocked
    others = [pool.submit(ADA, lambda stop: go.wait(SOON), quick=True) for _ in range(QUICK_SLOTS)]
    assert all(job.started.wait(SOON) for job in others)
    waiting = [pool.submit(ADA, lambda stop: None, quick=True) for _ in range(4)]
    assert [pool.place_in_line(job) for job in waiting] == [0, 1, 2, 3]
    assert pool.place_in_line(pool.submit(ADA, lambda stop: None)) == 0
    assert (pool.running, pool.waiting) == (1 + QUICK_SLOTS, 5)
    with pytest.raises(PoolFullError):
        pool.submit(ADA, lambda stop: None, quick=True)
    go.set()
    assert all(job.wait(SOON) for job in waiting)


def test_free_slots_take_quick_jobs_too():
    pool, together = SearchPool(slots=2, queue=0), threading.Barrier(2 + QUICK_SLOTS)
    jobs = [
        pool.submit(ADA, lambda stop: together.wait(SOON), quick=True)
        for _ in range(2 + QUICK_SLOTS)
    ]
    assert all(job.wait(SOON) for job in jobs)
    assert sorted(job.result() for job in jobs) == [0, 1, 2, 3]


@pytest.mark.parametrize(("quick", "lanes"), [(FOREVER, [False, True]), (0.0, [False, False])])
def test_a_player_that_was_quick_is_expected_to_be_quick(monkeypatch, quick, lanes):
    monkeypatch.setattr("rl_toolkit.web.serving.searches._QUICK", quick)
    app = create_app()
    pool, seen = app.extensions["rl_toolkit.searches"].pool, []
    submit = pool.submit

    def submitted(client, work, *, quick):
        seen.append(quick)
        return submit(client, work, quick=quick)

    monkeypatch.setattr(pool, "submit", submitted)
    for moves in ("", "b2"):
        body = {"game": "tictactoe", "moves": moves, "engine": "greedy"}
        assert app.test_client().post("/api/ai-move", json=body).status_code == 200
    assert seen == lanes


# --- over HTTP ----------------------------------------------------------------------------


def test_opening_a_long_file_waits_in_line_and_a_short_one_does_not():
    app = create_app(ServerLimits(slots=1, queue=0))
    searches, go = app.extensions["rl_toolkit.searches"], threading.Event()
    assert searches.pool.submit(ADA, lambda stop: go.wait(SOON)).started.wait(SOON)
    for text, status in [("a1b2", 200), ("(;GM[2]SZ[8])" * 5000, 503)]:
        response = app.test_client().post("/api/record/open", json={"text": text})
        assert response.status_code == status
    go.set()


def test_a_full_server_says_when_to_come_again():
    app = create_app(ServerLimits(slots=1, queue=0, time=20))
    searches, go = app.extensions["rl_toolkit.searches"], threading.Event()
    blocker = searches.pool.submit(Client("other"), lambda stop: go.wait(SOON))
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
    searches.pool.submit(Client("other"), lambda stop: go.wait(SOON))
    response = app.test_client().post("/api/ai-move", json={"game": "tictactoe"})
    assert response.status_code == 503
    go.set()


@pytest.fixture(scope="module")
def server():
    with running_server(ServerLimits(slots=2, queue=8, time=FOREVER)) as server:
        yield server


def busy(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    connection.request("GET", "/api/health")
    counts = json.loads(connection.getresponse().read())["searches"]
    connection.close()
    return counts["running"]


def start(port, address):
    body = json.dumps({"game": "connect-four", "engine": "mcts", "time": FOREVER})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    connection.request("POST", address, body, {"Content-Type": "application/json"})
    return connection


def test_hanging_up_ends_the_search(server):
    port = server.effective_port
    stream = start(port, "/api/search")
    response = stream.getresponse()
    while not response.readline().startswith(b"event: progress"):
        pass  # it may have to be compiled first
    plain = start(port, "/api/analyse")
    assert eventually(lambda: busy(port) == 2)
    response.close()
    stream.close()
    plain.sock.close()
    # In 60 ms on a quiet machine (docs/explanation/measurements.md); else they would take hours.
    assert eventually(lambda: busy(port) == 0)


def test_ten_megabytes_get_a_sentence_over_the_wire_too(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=SOON)
    body = b'{"text": "' + b"x" * 10_000_000 + b'"}'
    connection.request("POST", "/api/record/open", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    assert response.status == 413
    assert "too large" in json.loads(response.read())["error"]
    connection.close()


def spoken_to(server, text):
    """The head and the JSON of whatever is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", server.effective_port), timeout=SOON) as wire:
        wire.sendall(text.encode())
        head, _, body = b"".join(iter(lambda: wire.recv(4096), b"")).partition(b"\r\n\r\n")
    return head.decode(), json.loads(body)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("POST /api/ai-move HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413, "too large"),
        (f"GET /{'x' * 70_000} HTTP/1.1\r\n\r\n", 431, "too long"),
        ("GET / HTTP/1.1\r\nno header\r\n\r\n", 400, "cannot be understood"),
        ("POST /api/ai-move HTTP/1.1\r\nTransfer-Encoding: odd\r\n\r\n", 501, "coded"),
    ],
)
def test_what_never_reaches_the_application_gets_a_sentence_too(server, text, status, words):
    head, body = spoken_to(server, text)
    assert head.startswith(f"HTTP/1.1 {status} ") or head.startswith(f"HTTP/1.0 {status} ")
    assert "Content-Type: application/json" in head
    assert "Content-Security-Policy: default-src 'none'" in head
    assert words in body["error"]


# --- its names ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:5001", 200),
        ("localhost.", 200),
        ("LocalHost.:5001", 200),
        ("games.example.", 200),
        ("127.0.0.1:5001", 200),
        ("[::1]:5001", 200),
        ("192.168.1.20", 200),
        ("Games.Example", 200),
        ("evil.example", 421),
        ("evil.example.", 421),
        ("evil.example:5001", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("[evil.example]", 421),
    ],
)
def test_a_server_answers_to_its_own_names_only(host, status):
    client = create_app(names=["games.example"]).test_client()
    for address in ("/api/health", "/tictactoe"):
        response = client.get(address, headers={"Host": host})
        assert response.status_code == status
        if status == 421:
            assert "does not answer to the name" in response.get_json()["error"]


def test_who_lets_others_in_goes_by_the_name_of_the_machine_too(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Ada")
    assert names_of("0.0.0.0", ["games.example"]) == [
        "0.0.0.0",
        "games.example",
        "ada",
        "ada.local",
    ]
    assert names_of("127.0.0.1") == ["127.0.0.1"]
    assert names_of("games.example") == ["games.example", "ada", "ada.local"]


# --- compiling ahead ----------------------------------------------------------------------


def test_pages_are_told_how_far_the_compiler_is():
    code = f"import time; print('1 3', flush=True); time.sleep({FOREVER})"
    warm_up = WarmUp([sys.executable, "-c", code])
    client = create_app(warm_up=warm_up).test_client()

    def told():
        return client.get("/api/health").get_json()["compiling"]

    assert told() is None
    listening = warm_up.start()
    known = {"done": 1, "total": 3, "left": "some seconds left"}
    assert eventually(lambda: told() == known)
    warm_up.stop()
    listening.join(SOON)
    assert told() is None


def test_the_compiler_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr("os.nice", lambda by: by)  # the tests themselves should not become slower
    all_of_them = [Made("a"), Made("b")]
    monkeypatch.setattr(jit, "_to_make", lambda *_: [k for k in all_of_them if not k.ready])
    monkeypatch.setattr("rl_toolkit.kernels.threads.crew.cores", lambda: 1)  # no helpers
    Made.names.clear()
    warm_up.main()
    assert Made.names == ["a", "b"]
    assert capsys.readouterr().out.split("\n") == ["0 600", "300 600", "600 600", ""]


def test_nothing_is_compiled_ahead_where_it_cannot_be_kept(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RL_TOOLKIT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(jit, "compile_all", lambda *_, **__: pytest.fail("it was compiled"))
    warm_up.main()


class Made:
    names: ClassVar[list[str]] = []

    def __init__(self, name):
        self.name, self.ready = name, False

    def make(self):
        self.names.append(self.name)
        self.ready = True


# --- starting it --------------------------------------------------------------------------


def test_the_command_serves_and_says_where():
    with subprocess.Popen([*COMMAND, "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stderr.readline()
            port = int(re.search(r"http://localhost:([0-9]+)/", said)[1])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
            connection.request("GET", "/tictactoe")
            response = connection.getresponse()
            assert response.status == 200
            assert b"board-container" in response.read()
            connection.close()
        finally:
            process.terminate()


def test_a_port_that_is_taken_is_explained(server):
    command = [*COMMAND, "--port", str(server.effective_port)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=SOON)
    assert ran.returncode == 1
    assert "cannot listen on 127.0.0.1" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_server_listens_where_the_course_says():
    assert (HOST, PORT) == ("127.0.0.1", 5001)


# --- pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/tictactoe?game=reversi&x=human", "/reversi?game=reversi&x=human"),
        ("/gomoku?game=Connect-Four-5x6&moves=d", "/connect-four?game=Connect-Four-5x6&moves=d"),
        (
            "/reversi?game=tictactoe&name=x&_scheme=ftp",
            "/tictactoe?game=tictactoe&name=x&_scheme=ftp",
        ),
        ("/tictactoe?game=tictactoe-4x4x3", None),
        ("/tictactoe?game=chess", None),
        ("/tictactoe?game=", None),
    ],
)
def test_a_game_is_shown_on_its_own_page(address, leads_to):
    response = create_app().test_client().get(address)
    assert response.headers.get("Location") == leads_to
    assert response.status_code == (302 if leads_to else 200)


def test_a_game_registered_while_the_server_runs_has_its_card_and_page(monkeypatch):
    client = create_app().test_client()
    assert client.get("/hex").status_code == 404
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Hex)
    assert 'href="/hex"' in client.get("/").text
    assert client.get("/preview/hex-dark.svg").mimetype == "image/svg+xml"
    page = client.get("/hex").text
    assert "<title>Hex</title>" in page
    for rule in Hex.traits.rules:
        assert rule in page
    assert client.get("/tictactoe?game=hex-3").headers["Location"] == "/hex?game=hex-3"


class Plain(Hex):
    """A game that declares nothing."""

    traits = GameTraits()


def test_a_family_without_a_preview_shows_its_start(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Plain)
    client = create_app().test_client()
    assert client.get("/preview/plain-light.svg").text == Plain().to_svg("light")
    page = client.get("/plain").text
    assert 'data-variant=""' in page
    assert "field-" not in page


@pytest.mark.parametrize(
    ("address", "endpoint"),
    [
        ("/api/health", "api.health"),
        ("/api/arena/games", "arena.offers"),
        ("/arena", "arena.page"),
        ("/theatre/search", "theatre.search"),
        ("/tictactoe", "game_page"),
    ],
)
def test_every_part_of_the_server_refuses_in_the_same_way(address, endpoint):
    app = create_app()
    for error, status, text in [
        (PoolFullError(7), 503, "busy with other searches"),
        (BadRequestError("there is <no> such thing", 409), 409, "such thing"),
        (EngineError("rnd.py", "it has failed"), 502, "it has failed"),
    ]:

        def fails(error=error, **names):
            raise error

        app.view_functions[endpoint] = fails
        response = app.test_client().get(address)
        assert response.status_code == status
        assert response.headers.get("Retry-After") == ("7" if status == 503 else None)
        if address.startswith("/api/"):
            assert text in response.get_json()["error"]
        else:
            assert response.mimetype == "text/html"
            assert text in response.text
            assert "<no>" not in response.text
