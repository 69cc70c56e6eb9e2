"""Processes that are killed while they write, two that write at once, and readers beside them."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from library_games import random_records

from rl_toolkit.library import Database, Filter, Library
from rl_toolkit.records import GameRecord, write_games

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="programs are started by a fork")
T = TypeVar("T")

#: Imports in small batches, then tags and removes games for ever; says what is saved.
WRITER = """
import sys
from rl_toolkit.library import Library, importing
importing.BATCH = 10
with Library(sys.argv[1]) as library:
    print("open", flush=True)
    library.import_files([sys.argv[2]], on_progress=lambda done, total, games: print(
        "saved", len(library), flush=True))
    for number in (number for number in sorted(library.ids()) if number % 8 == 0):
        library.tag([number], "eighth")
        library.remove([number])
        print("removed", number, flush=True)
"""

ADDER = """
import sys
from rl_toolkit.library import Library
from rl_toolkit.records import GameRecord
with Library(sys.argv[1]) as library:
    print("open", flush=True)
    for k in range(int(sys.argv[3])):
        library.add(GameRecord("connect-four", (k % 7, k % 5)), event=sys.argv[2])
"""


#: Starts programs as copies of itself: importing the package takes longer than all that they do.
NURSERY = """
import json, os, signal, sys
from rl_toolkit.library import Database, Library
from rl_toolkit.records import GameRecord
if sys.argv[1] == "quick":
    # Nothing waits for the disk: what a process has written survives it, if the machine does.
    connect = Database._connect
    def connected(self):
        connection = connect(self)
        connection.execute("PRAGMA synchronous = OFF")
        return connection
    Database._connect = connected
with Library(":memory:") as library:
    library.add(GameRecord("tictactoe", (4,)))
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while line := sys.stdin.readline():
    code, *arguments = json.loads(line)
    number = os.fork()
    if not number:
        sys.argv[1:] = arguments[1:]
        sys.stdout = open(arguments[0], "w")
        exec(code, {})
        print("ended", flush=True)
        os._exit(0)
    print(number, flush=True)
"""


class Program:
    """A process of its own that runs ``code``, and what it has said."""

    def __init__(self, number: int, said: Path) -> None:
        self._number, self._said = number, said

    def lines(self) -> list[str]:
        """The whole lines that it has said."""
        return self._said.read_text().split("\n")[:-1] if self._said.exists() else []

    def is_running(self) -> bool:
        try:
            os.kill(self._number, 0)
        except ProcessLookupError:
            return False
        return True

    def wait(self) -> None:
        """Wait for its end, which must be a good one."""
        while self.is_running():
            time.sleep(0.005)
        assert self.lines()[-1] == "ended"

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._number, signal.SIGKILL)
        while self.is_running():
            time.sleep(0.001)


class Nursery:
    """Starts programs; ``fresh`` ones import everything themselves, which takes longer."""

    def __init__(self, folder: Path, *, fresh: bool) -> None:
        self._folder, self._fresh, self._count = folder, fresh, 0
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes:
            process.communicate()

    def start(self, code: str, *arguments: object) -> Program:
        self._count += 1
        said = self._folder / f"said-{self._count}"
        if self._fresh or not self._processes:
            piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            how = "fresh" if self._fresh else "quick"
            command = [sys.executable, "-W", "ignore", "-c", NURSERY, how]
            self._processes.append(subprocess.Popen(command, text=True, **piped))  # type: ignore[call-overload]
        process = self._processes[-1]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([code, *map(str, (said, *arguments))]) + "\n")
        process.stdin.flush()
        return Program(int(process.stdout.readline()), said)


def kill_and_look(folder: Path, times: int, seed: int, *, fresh: bool = False) -> None:
    """Kill a writer at random moments; what it confirmed is there, and all of it is whole."""
    with Nursery(folder, fresh=fresh) as nursery:
        _kill_and_look(nursery, folder, times, seed)


def _kill_and_look(nursery: Nursery, folder: Path, times: int, seed: int) -> None:
    rng = random.Random(seed)
    games = random_records("tictactoe", 200, seed)
    path, source = folder / "library.db", folder / "games.jsonl"
    write_games(source, games)
    saved, removed = 0, set[int]()
    for _ in range(times):
        writer = nursery.start(WRITER, path, source)
        while not writer.lines():
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.3))
        writer.kill()
        for line in writer.lines():
            word, _, number = line.partition(" ")
            if word == "saved":
                saved = max(saved, int(number))
            elif word == "removed":
                removed.add(int(number))
        with Library(path) as library:
            report = library.check()
            assert not report.problems
            there = set(library.ids())
            gone = library._database.one("SELECT coalesce(max(seq), 0) FROM sqlite_sequence")
            assert gone is not None
            assert gone[0] >= saved
            assert not there & removed
            assert library.explore("tictactoe").games == len(there)
    nursery.start(WRITER, path, source).wait()
    with Library(path) as library:
        # Every game was saved once, in its order, and the others were removed in the end.
        assert library._database.one("SELECT max(seq) FROM sqlite_sequence") == (200,)
        numbers = sorted(library.ids())
        assert [library.record(number) for number in numbers] == [games[n - 1] for n in numbers]
        assert library.ids(Filter(tag="eighth")) == []


@forks
def test_nothing_that_was_confirmed_is_lost_by_a_kill(tmp_path: Path) -> None:
    kill_and_look(tmp_path, 3, seed=1)


@forks
@pytest.mark.full
def test_a_hundred_kills(tmp_path: Path) -> None:
    for seed in range(10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        kill_and_look(folder, 10, seed, fresh=True)


@forks
@pytest.mark.parametrize(
    "fresh", [False, pytest.param(True, marks=pytest.mark.full, id="fresh programs")]
)
def test_two_programs_write_while_a_third_one_reads(tmp_path: Path, fresh: bool) -> None:
    path, each = tmp_path / "library.db", 200 if fresh else 40
    with Library(path) as library, Nursery(tmp_path, fresh=fresh) as nursery:
        library.add(GameRecord("connect-four", (3,)), event="first")
        writers = [nursery.start(ADDER, path, name, each) for name in ("one", "two")]
        seen = []
        while any(writer.is_running() for writer in writers):
            seen.append(library.explore("connect-four").games)
            assert library.search(limit=5).total >= seen[-1]
            time.sleep(0.002)
        for writer in writers:
            writer.wait()
        assert seen == sorted(seen)
        assert library.explore("connect-four").games == len(library) == 1 + 2 * each
        assert not library.check().problems


def _in_a_thread(question: Callable[[], T]) -> T:
    """The answer of a thread that has ended, so that the next one may get its number."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(question).result()


def test_every_new_thread_sees_what_was_saved_before_it(tmp_path: Path) -> None:
    with Library(tmp_path / "library.db") as library:
        for games in range(1, 6):
            library.add(GameRecord("tictactoe", (games, 0)))
            assert _in_a_thread(lambda: library.explore("tictactoe").games) == games


def test_connections_of_threads_that_have_ended_are_closed(tmp_path: Path) -> None:
    database = Database(tmp_path / "library.db")
    first = _in_a_thread(lambda: database.connection)
    second = _in_a_thread(lambda: database.connection)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        first.execute("SELECT 1")
    second.execute("SELECT 1")
    database.close()
