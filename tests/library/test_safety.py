"""Processes that are killed while they write, two that write at once, and readers beside them."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from library_games import random_records

from rl_toolkit.library import Database, Filter, Library
from rl_toolkit.records import GameRecord, write_games

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
    for number in sorted(library.ids())[::8]:
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


def child(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )


def kill_and_look(folder: Path, times: int, seed: int) -> None:
    """Kill a writer at random moments; what it confirmed is there, and all of it is whole."""
    rng = random.Random(seed)
    games = random_records("tictactoe", 200, seed)
    path, source = folder / "library.db", folder / "games.jsonl"
    write_games(source, games)
    saved, removed = 0, set[int]()
    for _ in range(times):
        with child(WRITER, path, source) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
            time.sleep(rng.uniform(0, 0.3))
            writer.kill()
            for line in writer.stdout.read().splitlines():
                word, _, number = line.partition(" ")
                if word == "saved" and number:
                    saved = max(saved, int(number))
                elif word == "removed" and number:
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
    with child(WRITER, path, source) as writer:
        assert writer.wait() == 0
    with Library(path) as library:
        # Every game was saved once, in its order, and the others were removed in the end.
        assert library._database.one("SELECT max(seq) FROM sqlite_sequence") == (200,)
        numbers = sorted(library.ids())
        assert [library.record(number) for number in numbers] == [games[n - 1] for n in numbers]
        assert library.ids(Filter(tag="eighth")) == []


def test_nothing_that_was_confirmed_is_lost_by_a_kill(tmp_path: Path) -> None:
    kill_and_look(tmp_path, 2, seed=1)


@pytest.mark.full
def test_a_hundred_kills(tmp_path: Path) -> None:
    for seed in range(10):
        folder = tmp_path / str(seed)
        folder.mkdir()
        kill_and_look(folder, 10, seed)


def test_two_programs_write_while_a_third_one_reads(tmp_path: Path) -> None:
    path, each = tmp_path / "library.db", 40
    with Library(path) as library:
        library.add(GameRecord("connect-four", (3,)), event="first")
        writers = [child(ADDER, path, name, each) for name in ("one", "two")]
        seen = []
        while any(writer.poll() is None for writer in writers):
            seen.append(library.explore("connect-four").games)
            assert library.search(limit=5).total >= seen[-1]
        assert [writer.wait() for writer in writers] == [0, 0]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.close()
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
