"""Connections: a request arrives in time, an address holds half of them, a proxy names clients."""

import http.client
import json
import socket
import sys
import threading

import pytest
from click.testing import CliRunner
from stopping import PATIENCE
from web_running import eventually, running_server

from rl_toolkit.cli.commands.web import web
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.serving.connections import Threads
from rl_toolkit.web.serving.fair_queue import Client

FOREVER = 36_000.0
HEADERS = {"Content-Type": "application/json"}
SEARCH = {"game": "connect-four", "engine": "mcts", "time": FOREVER}
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is not this machine")


def asking(server, source="127.0.0.1"):
    return http.client.HTTPConnection(
        "127.0.0.1", server.effective_port, timeout=PATIENCE, source_address=(source, 0)
    )


def is_answered(server, source="127.0.0.1"):
    connection = asking(server, source)
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == 200
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return False
    finally:
        connection.close()


class Clock:
    """The time of the connections, which passes when a test says so."""

    now = 0.0

    def monotonic(self):
        return self.now


def being_read(server):
    """Whether a request has begun to arrive."""
    return any(getattr(each, "request", None) for each in list(server._map.values()))


def test_a_request_that_does_not_arrive_in_time_is_given_up(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("rl_toolkit.web.serving.connections.time", clock)
    with running_server(ServerLimits(time=FOREVER)) as server:
        search = asking(server)
        search.request("POST", "/api/search", json.dumps(SEARCH), HEADERS)
        its_wire = search.sock
        stream = search.getresponse()
        head = b"POST /api/ai-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
        for begun in (head, head + b"\r\n{"):
            place = ("127.0.0.1", server.effective_port)
            with socket.create_connection(place, timeout=PATIENCE) as wire:
                wire.sendall(begun)
                assert eventually(lambda: being_read(server))
                clock.now += 19.5
                wire.sendall(b" ")
                assert is_answered(server)  # the loop has been round, and has not closed it
                assert being_read(server)
                clock.now += 1.0
                assert wire.recv(1) == b""  # it was closed
        # A request that is complete may take as long as it likes to be answered, also if the client
        # has already begun the next one.
        its_wire.sendall(b"G")
        assert eventually(lambda: being_read(server))
        clock.now += 100.0
        assert is_answered(server)
        while line := stream.readline():
            if line.startswith(b"event: progress"):
                break
        assert line  # it was not cut off
        search.close()


@only_linux
def test_one_address_holds_half_of_the_connections():
    limits = ServerLimits(connections=400)
    assert limits.connections_of_an_address == 256
    with running_server(limits) as server:
        place = ("127.0.0.1", server.effective_port)
        held = [socket.create_connection(place, timeout=PATIENCE) for _ in range(256)]
        assert not is_answered(server)
        assert is_answered(server, "127.0.0.2")
        for wire in held:
            wire.close()


@only_linux
def test_a_trusted_proxy_holds_as_many_as_it_needs():
    with running_server(ServerLimits(connections=400), trusted_proxy="127.0.0.1") as server:
        place = ("127.0.0.1", server.effective_port)
        held = [socket.create_connection(place, timeout=PATIENCE) for _ in range(256)]
        assert is_answered(server)
        for wire in held:
            wire.close()


def test_half_of_many_connections_is_more():
    assert ServerLimits(connections=1000).connections_of_an_address == 500


@pytest.mark.parametrize(
    ("proxy", "address"),
    [(None, "127.0.0.1"), ("127.0.0.1", "192.0.2.7"), ("192.0.2.1", "127.0.0.1")],
)
def test_only_a_trusted_proxy_says_who_the_client_is(monkeypatch, proxy, address):
    with running_server(ServerLimits(), trusted_proxy=proxy) as server:
        pool, seen = server.app.extensions["rl_toolkit.searches"].pool, []
        submit = pool.submit

        def submitted(client, *work, **how):
            seen.append(client)
            return submit(client, *work, **how)

        monkeypatch.setattr(pool, "submit", submitted)
        connection = asking(server)
        forwarded = {"X-Forwarded-For": "198.51.100.3, 192.0.2.7", "X-Client": "page"}
        body = json.dumps({"game": "tictactoe", "engine": "first"})
        connection.request("POST", "/api/ai-move", body, {**HEADERS, **forwarded})
        assert connection.getresponse().status == 200
        connection.close()
        assert seen == [Client(address, "page")]


class Waiting:
    """Something to answer, which takes until all are let go."""

    def __init__(self, go):
        self.go, self.begun, self.ended = go, threading.Event(), threading.Event()

    def service(self):
        self.begun.set()
        self.go.wait(PATIENCE)
        self.ended.set()


def test_threads_are_started_when_they_are_needed_up_to_a_number():
    threads, go = Threads(3), threading.Event()
    tasks = [Waiting(go) for _ in range(5)]
    for number, task in enumerate(tasks, 1):
        assert len(threads.threads) == min(number - 1, 3)
        threads.add_task(task)
    assert all(task.begun.wait(PATIENCE) for task in tasks[:3])
    assert len(threads.threads) == 3
    assert not any(task.begun.is_set() for task in tasks[3:])
    go.set()
    assert all(task.ended.wait(PATIENCE) for task in tasks)
    threads.shutdown()


@pytest.mark.parametrize("text", ["*", "localhost", "10.0.0.0/8", ""])
def test_the_option_takes_one_address(text):
    ran = CliRunner().invoke(web, ["--trusted-proxy", text])
    assert ran.exit_code == 2
    assert f"takes one address in numbers, such as 127.0.0.1, not {text!r}" in ran.output


def test_the_command_names_the_proxy(monkeypatch):
    seen = {}
    monkeypatch.setattr("rl_toolkit.web.serve", lambda *where, **how: seen.update(how))
    assert CliRunner().invoke(web, ["--trusted-proxy", " 0:0::1 "]).exit_code == 0
    assert seen["trusted_proxy"] == "::1"
