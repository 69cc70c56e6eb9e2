"""Engines that are not compiled yet: their stand-ins, and the processes that prepare them."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from threading import Thread
from typing import ClassVar

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.envs.position import Position
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.compiling import code_cache, time_left, warm_up
from rl_toolkit.kernels.compiling.code_cache import CodeCache
from rl_toolkit.kernels.compiling.compiled_only import (
    NotCompiledError,
    check_may_compile,
    compiled_only,
    compiled_only_here,
)
from rl_toolkit.kernels.compiling.time_left import Progress, TimeLeft, in_words
from rl_toolkit.kernels.jit import i64, kernel
from rl_toolkit.players import make_engine
from rl_toolkit.players.preparing import preparation, stand_in, was_prepared


@pytest.mark.parametrize(
    ("asked", "answers"),
    [
        ("exact", "minimax"),
        ("gomoku:every=on", "minimax"),
        ("mix:strong=reversi:depth=1,weak=greedy,slips=0.6", "minimax"),
        ("minimax:depth=4", "minimax:depth=4"),  # the same engine in Python
        ("mcts:simulations=50", "mcts:simulations=50"),
    ],
)
def test_the_stand_in_is_the_engine_itself_in_python_if_it_has_that_form(asked, answers):
    other = stand_in(make_engine(asked))
    assert str(other.spec) == answers
    assert other.engine.compiled is False
    assert other.limit.time == 1.0


def test_stand_ins_answer_and_explain_without_machine_code(tmp_path):
    code = (
        "import sys\n"
        "from rl_toolkit.envs import make_game\n"
        "from rl_toolkit.explain import explain\n"
        "from rl_toolkit.players import make_engine, preparing\n"
        "preparing.STAND_IN_SECONDS = 0.01\n"
        "for game in ('connect-four', 'gomoku', 'reversi', 'tictactoe'):\n"
        "    env = make_game(game)\n"
        "    found = preparing.stand_in(make_engine('exact')).analyse(env)\n"
        "    assert found.best_move in env.get_legal_moves()\n"
        "    explain(env, found)\n"
        "assert 'numba' not in sys.modules\n"
    )
    variables = {**os.environ, "RL_TOOLKIT_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=variables)
    assert list(tmp_path.iterdir()) == []


def test_a_preparation_ends_with_a_note_for_this_engine_and_game(tmp_path, monkeypatch):
    monkeypatch.setenv("RL_TOOLKIT_CACHE_DIR", str(tmp_path))
    player, env = make_engine("greedy"), make_game("tictactoe")
    assert not was_prepared(player, env.name)
    preparation(player, env).start().join()
    assert was_prepared(player, env.name)
    assert not was_prepared(player, "tictactoe-4x4x4")
    assert not was_prepared(make_engine("greedy:slips=0.5"), env.name)


def test_a_preparation_is_for_the_position():
    env = make_game("connect-four")
    env.step(3)
    *_, game, spec, text = preparation(make_engine("exact"), env)._command
    assert (game, spec) == ("connect-four", "exact")
    assert Position.read(game, text).key == Position.of(env).key


# ------------------------------------------------------------------------ the compiler


@kernel(i64(i64))
def once(number):
    return number


@kernel(i64(i64))
def twice(number):
    return 2 * once(number)


def test_a_kernel_is_refused_not_compiled_until_it_is_there():
    with compiled_only(), pytest.raises(NotCompiledError, match="twice"):
        twice(2)
    assert twice._code is None
    assert once._code is None
    assert twice(2) == 4
    with compiled_only():
        assert twice(3) == 6


def test_what_is_below_a_kernel_is_what_it_calls():
    names = {k.name for k in jit.kernels()}
    root = "rules.large_lines.play"
    assert {root, "rules.large_lines.wins_at", "rules.large_lines.run_length"} <= jit.below([root])
    assert jit.below([root]) < names
    assert jit.below(["rules.large_lines.run_length"]) == {"rules.large_lines.run_length"}
    assert jit.work(root) > jit.work("rules.large_lines.run_length") > 0


def test_a_thread_refuses_while_others_may_compile():
    with compiled_only_here(), pytest.raises(NotCompiledError):
        check_may_compile("search")
    refused = []
    with compiled_only_here():
        other = Thread(target=lambda: refused.append(check_may_compile("search")))
        other.start()
        other.join()
    assert refused == [None]
    check_may_compile("search")


#: Holds the turn of a kernel, or the block that others make way for, until its input is closed.
HOLD = """
import sys
from pathlib import Path
from rl_toolkit.kernels.compiling.code_cache import CodeCache
cache = CodeCache(Path(sys.argv[1]), "a toolchain")
with cache.awaited() if sys.argv[2] == "awaited" else cache.turn(sys.argv[2], 0.0) as got:
    print(got, flush=True)
    sys.stdin.read()
"""


@contextmanager
def holding(sources, what):
    """Another process that holds a lock."""
    command = [sys.executable, "-c", HOLD, str(sources), what]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.communicate()


def test_two_processes_do_not_compile_the_same_kernel(tmp_path, monkeypatch):
    pytest.importorskip("fcntl")
    monkeypatch.setenv("RL_TOOLKIT_CACHE_DIR", str(tmp_path / "cache"))
    cache = CodeCache(tmp_path, "a toolchain")
    with cache.turn("one") as got, cache.turn("two") as also:
        assert (got, also) == (True, True)
        with holding(tmp_path, "one") as theirs:
            assert theirs == "False"
        with holding(tmp_path, "three") as theirs:  # they compile side by side
            assert theirs == "True"
            with cache.turn("three", 0.0) as third:
                assert not third
    with holding(tmp_path, "one") as theirs:  # as soon as the first is done
        assert theirs == "True"


def test_what_compiles_in_the_background_makes_way(tmp_path, monkeypatch):
    pytest.importorskip("fcntl")
    monkeypatch.setenv("RL_TOOLKIT_CACHE_DIR", str(tmp_path / "cache"))
    cache = CodeCache(tmp_path, "a toolchain")
    slept = []
    monkeypatch.setattr(code_cache, "_PATIENCE", 0.05)
    monkeypatch.setattr(code_cache.time, "sleep", slept.append)
    cache.make_way()
    assert slept == []
    with holding(tmp_path, "awaited"):
        cache.make_way()  # until its patience ends
    assert slept


class Item:
    """A kernel that notes when it is made."""

    made: ClassVar[list[str]] = []
    ready = False

    def __init__(self, name):
        self.name = name

    def make(self):
        self.made.append(self.name)


def test_kernels_of_other_processes_come_last_or_are_left_to_them(monkeypatch):
    @contextmanager
    def turn(name, patience):
        yield name != "busy"

    Item.made.clear()
    monkeypatch.setattr(jit, "_to_make", lambda *_: [Item("a"), Item("busy"), Item("c")])
    monkeypatch.setattr(jit._cache, "turn", turn)
    jit.compile_all()
    assert Item.made == ["a", "c", "busy"]
    Item.made.clear()
    jit.compile_all(as_helper=True)
    assert Item.made == ["a", "c"]


def test_what_people_wait_for_is_compiled_first(monkeypatch):
    names = ["rules.perft.count", "archive.scan.find", "connect_four.search.solve"]
    assert {name.rpartition(".")[0] for name in names} <= {
        kernel.name.rpartition(".")[0] for kernel in jit.kernels()
    }
    Item.made.clear()
    monkeypatch.setattr(jit, "_to_make", lambda *_: [Item(name) for name in names])
    jit.compile_all()
    assert Item.made == [names[2], names[0], names[1]]


def test_helpers_compile_the_same_kernels_and_end_with_the_block(monkeypatch):
    code = "import sys; print(sys.argv[1:], flush=True); sys.stdin.read()"
    begun = []

    class Process(subprocess.Popen):
        def __init__(self, command, **pipes):
            super().__init__(command, **{**pipes, "stdout": subprocess.PIPE})
            begun.append(self)

    monkeypatch.setattr(warm_up.subprocess, "Popen", Process)
    monkeypatch.setattr(warm_up, "_COMMAND", (sys.executable, "-c", code))
    monkeypatch.setattr("rl_toolkit.kernels.threads.crew.cores", lambda: 3)
    with warm_up.helpers(["one", "two"]):
        said = [process.stdout.readline().strip() for process in begun]
        assert said == [b"['--helper', 'one', 'two']"] * 2
    assert all(process.poll() is not None for process in begun)


# --------------------------------------------------------------------------- the time left


def test_the_seconds_left_are_counted_down(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(time_left.time, "monotonic", lambda: now[0])
    clock = TimeLeft()
    assert clock.after(None) == (0.0, None)
    now[0] += 1
    assert clock.after(Progress(0, 20)) == (0.0, None)  # too early to tell
    now[0] += 4  # one second to load the compiler, then four
    part, left = clock.after(Progress(8, 20))
    assert (part, left) == (pytest.approx(5 / 11), pytest.approx(6))
    now[0] += 4
    assert clock.after(Progress(8, 20)) == (pytest.approx(9 / 11), pytest.approx(2))
    assert clock.after(Progress(10, 20)) == (pytest.approx(9 / 11), pytest.approx(8))
    now[0] += 60  # a later estimate is longer: the seconds say so, the part does not go back
    assert clock.after(Progress(10, 20)) == (0.99, 0.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "some seconds left"),
        (0.0, "nearly ready"),
        (7.4, "about 7 s left"),
        (200.0, "about 3 min left"),
    ],
)
def test_the_time_left_in_words(seconds, words):
    assert in_words(seconds) == words
