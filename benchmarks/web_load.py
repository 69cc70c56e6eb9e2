"""The web server under load: many clients on the loopback interface play games.

First, the time from the start of the server until a page has loaded completely. Then 200 clients
play Tic-Tac-Toe and Connect Four against engines for half a minute, each its own game. Every answer
must be a legal move in the position sent. Then ``/api/health`` is requested while two searches run,
and while another address (127.0.0.2) holds as many slow connections as it can get, of 1,100 that
it opens; and clients disconnect during searches. Promised: a page within a second, no errors, no
lost or mixed-up answers, less than 5 % refused with 503, constant memory, health under 100 ms
(median), a search ended within 200 ms of a disconnect.
"""

from __future__ import annotations

import http.client
import json
import math
import os
import re
import resource
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks import Row
from rl_toolkit.envs import BaseGameEnv, make_game

CLIENTS = int(os.environ.get("WEB_LOAD_CLIENTS", "200"))
SECONDS = float(os.environ.get("WEB_LOAD_SECONDS", "30"))
HOST = "127.0.0.1"
HANGING_UP = 9  # clients that disconnect, one after the other
SLOW, SLOW_HOST = 1100, "127.0.0.2"  # connections that send a byte now and then, and their address
PROBES = 20  # requests beside them

_SERVER = """
import threading
from rl_toolkit.web.server import make_server
server = make_server(port=0)
print(server.effective_port, flush=True)
server.run()
"""


class Client(threading.Thread):
    """Plays game after game with the server's moves for both sides, and checks every one."""

    def __init__(self, number: int, port: int, ends: float) -> None:
        super().__init__(daemon=True)
        self.game = "tictactoe" if number % 2 else "connect-four"
        self.engine = "greedy" if number % 4 < 2 else "minimax:depth=3"
        self.number, self.port, self.ends = number, port, ends
        self.seen: Counter[str] = Counter()
        self.waits: list[float] = []

    def run(self) -> None:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        env = make_game(self.game)
        while time.monotonic() < self.ends:
            if env.is_terminal():
                self.seen["games"] += 1
                env.reset()
            try:
                self._move(connection, env)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.seen[f"error: {type(error).__name__}"] += 1
                connection.close()
        connection.close()

    def _move(self, connection: http.client.HTTPConnection, env: BaseGameEnv) -> None:
        body = {
            "game": self.game,
            "board": env.board.tolist(),
            "player": env.current_player,
            "engine": self.engine,
            "show_thinking": True,
        }
        begun = time.perf_counter()
        status, answer = ask(connection, "POST", "/api/ai-move", body, f"client {self.number}")
        self.waits.append(time.perf_counter() - begun)
        if status == 503:
            self.seen["busy"] += 1
            time.sleep(0.5)
            return
        if status != 200:
            self.seen[f"status {status}"] += 1
            return
        legal = env.get_legal_moves()
        # An answer to another client's position would sooner or later have other legal moves.
        if answer["action"] not in legal or sorted(map(int, answer["evaluations"])) != legal:
            self.seen["crossed"] += 1
            return
        self.seen["moves"] += 1
        env.step(answer["action"])


def ask(
    connection: http.client.HTTPConnection,
    method: str,
    address: str,
    body: dict[str, Any] | None = None,
    name: str = "",
) -> tuple[int, Any]:
    """Status and JSON of one request."""
    headers = {"Content-Type": "application/json", "X-Client": name}
    connection.request(method, address, json.dumps(body) if body else None, headers)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def memory_mb(pid: int) -> float:
    """The resident memory of a process; 0 if the system does not report it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+([0-9]+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


class Stream:
    """A running search that streams its progress to a client."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=30)
        body = json.dumps({"game": "connect-four", "engine": "mcts", "time": 10})
        self._connection.request("POST", "/api/search", body, {"Content-Type": "application/json"})
        self._response = self._connection.getresponse()
        while not self._response.readline().startswith(b"event: progress"):
            pass

    def hang_up(self) -> None:
        self._response.close()
        self._connection.close()


def page_with_all_it_loads(port: int, path: str) -> None:
    """Fetch a page and the files it names, one after the other."""
    connection = http.client.HTTPConnection(HOST, port, timeout=30)
    connection.request("GET", path)
    for address in re.findall(
        r'(?:href|src)="(/static/[^"]+)"', connection.getresponse().read().decode()
    ):
        connection.request("GET", address)
        connection.getresponse().read()
    connection.close()


def health_while_searching(port: int) -> float:
    """Median milliseconds of ``/api/health`` while two searches run."""
    searching = [Stream(port) for _ in range(2)]
    asking = http.client.HTTPConnection(HOST, port, timeout=30)
    waits = []
    while len(waits) < 50:
        begun = time.perf_counter()
        _, health = ask(asking, "GET", "/api/health")
        waits.append(1000 * (time.perf_counter() - begun))
        assert health["searches"]["running"] == 2, "the searches ended too soon to measure"
        time.sleep(0.02)
    for stream in searching:
        stream.hang_up()
    asking.close()
    return statistics.median(waits)


def health_beside_slow_clients(port: int) -> tuple[int, int, float]:
    """Slow connections that the server keeps, probes that it answers, and their median ms."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * SLOW)), hard))
    head = b"POST /api/ai-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    held, waits = [], []
    try:
        for _ in range(SLOW):
            wire = socket.create_connection((HOST, port), timeout=5, source_address=(SLOW_HOST, 0))
            held.append(wire)
            with suppress(OSError):  # it was closed at once
                wire.sendall(head)
        for _ in range(PROBES):
            begun = time.perf_counter()
            asking = http.client.HTTPConnection(HOST, port, timeout=5)
            with suppress(OSError, http.client.HTTPException):
                ask(asking, "GET", "/api/health")
                waits.append(1000 * (time.perf_counter() - begun))
            asking.close()
            for wire in held:
                with suppress(OSError):
                    wire.sendall(b" ")
        kept = sum(map(_is_open, held))
    finally:
        for wire in held:
            wire.close()
    return kept, len(waits), statistics.median(waits or [math.inf])


def _is_open(wire: socket.socket) -> bool:
    wire.setblocking(False)
    try:
        return wire.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def ends_after_hanging_up(port: int) -> list[float]:
    """Milliseconds from a client's disconnect until its search has ended, sorted."""
    asking = http.client.HTTPConnection(HOST, port, timeout=30)

    def running() -> int:
        return int(ask(asking, "GET", "/api/health")[1]["searches"]["running"])

    waits = []
    for _ in range(HANGING_UP):
        while running():
            time.sleep(0.01)
        stream = Stream(port)
        begun = time.perf_counter()
        stream.hang_up()
        while running():
            pass
        waits.append(1000 * (time.perf_counter() - begun))
    asking.close()
    return sorted(waits)


def run() -> list[Row]:
    """Start a server process, let the clients play, and count."""
    server = subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        begun = time.perf_counter()
        page_with_all_it_loads(port, "/connect-four")
        first_page = time.perf_counter() - begun
        for number in range(4):  # one client of every kind, to compile what they need
            Client(number, port, time.monotonic() + 2).run()
        before = memory_mb(server.pid)
        clients = [Client(k, port, time.monotonic() + SECONDS) for k in range(CLIENTS)]
        for client in clients:
            client.start()
        time.sleep(SECONDS / 2)
        middle = memory_mb(server.pid)
        for client in clients:
            client.join()
        after = memory_mb(server.pid)
        median_health = health_while_searching(port)
        slow, answered, beside_slow = health_beside_slow_clients(port)
        ends = ends_after_hanging_up(port)
    finally:
        server.terminate()
        server.wait()
    total = sum((client.seen for client in clients), Counter[str]())
    waits = sorted(wait for client in clients for wait in client.waits)
    good = ("moves", "games", "busy", "crossed")
    measured = {
        "first page ms": 1000 * first_page,
        "clients": CLIENTS,
        "seconds": SECONDS,
        "moves": total["moves"],
        "games": total["games"],
        "errors": sum(count for what, count in total.items() if what not in good),
        "crossed": total["crossed"],
        "503": total["busy"],
        "503 %": 100 * total["busy"] / max(1, total["busy"] + total["moves"]),
        "median ms": 1000 * statistics.median(waits),
        "99 % ms": 1000 * waits[int(0.99 * (len(waits) - 1))],
        "MB before": before,
        "MB half-way": middle,
        "MB after": after,
        "health ms, 2 searches": median_health,
        f"of {SLOW} slow": slow,
        f"answered of {PROBES}": answered,
        "health ms beside them": beside_slow,
        "hang-up ms": statistics.median(ends),
        "slowest": ends[-1],
    }
    return [{"what": what, "measured": value} for what, value in measured.items()]
