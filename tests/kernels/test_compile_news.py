"""The first search says that it compiles: once, on stderr, unless that is hidden or shown."""

import os
import subprocess
import sys
import time
import weakref
from pathlib import Path

import pytest

import rl_toolkit
from rl_toolkit.kernels import bits, jit
from rl_toolkit.kernels.compiling import compile_news
from rl_toolkit.kernels.compiling.compile_news import (
    CompileNews,
    CompileProgress,
    is_watched,
    preparation_seconds,
)
from rl_toolkit.kernels.compiling.time_left import Progress
from rl_toolkit.kernels.jit import kernel, u64
from rl_toolkit.utils.installation import QUIET_VARIABLE

#: A program that compiles a kernel, with a sentence from the first one on, and no line by time.
SEARCH = """
import sys
from rl_toolkit.kernels.compiling import compile_news
compile_news._PATIENCE, compile_news._EVERY = 0.0, float("inf")
{before}
from rl_toolkit.kernels import bits
for _ in range(2):
    print(bits.lowest_bit(0b10110))
"""


def ran(folder, before=""):
    environment = {k: v for k, v in os.environ.items() if k != QUIET_VARIABLE}
    environment["RL_TOOLKIT_CACHE_DIR"] = str(folder)
    environment["PYTHONPATH"] = str(Path(rl_toolkit.__file__).parents[1])
    code = SEARCH.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == "2\n2\n"
    return done


def test_it_is_said_once_and_never_again(tmp_path):
    said = ran(tmp_path).stderr.decode()
    assert said == (
        "rl_toolkit: preparing its engines for this computer, once"
        " (RL_TOOLKIT_QUIET=1 hides this)\n"
    )
    assert ran(tmp_path).stderr == b""  # everything is on disk


def test_a_closed_stderr_stops_no_search(tmp_path):
    assert ran(tmp_path, "sys.stderr.close()").stderr == b""


@pytest.fixture
def compiled(monkeypatch):
    """Announce a kernel as the compiler does; returns the lines that people get."""
    monkeypatch.setattr(compile_news, "_PATIENCE", 0.0)
    monkeypatch.setattr(compile_news, "_EVERY", float("inf"))  # no line because time went by
    monkeypatch.setattr(jit, "_listeners", [])
    monkeypatch.setattr(compile_news, "_watching", weakref.WeakSet())
    monkeypatch.delenv(QUIET_VARIABLE, raising=False)
    lines = []
    monkeypatch.setattr(jit, "NEWS", CompileNews(lines.append))

    def announce():
        jit._announce(bits.lowest_bit)
        return [line.partition(" (")[0] for line in lines]

    return announce


SENTENCE = "rl_toolkit: preparing its engines for this computer, once"


def test_one_sentence_for_many_kernels(compiled):
    compiled()
    compiled()
    assert compiled() == [SENTENCE]


def test_a_variable_hides_it(compiled, monkeypatch):
    monkeypatch.setenv(QUIET_VARIABLE, "1")
    assert compiled() == []
    monkeypatch.setenv(QUIET_VARIABLE, "0")
    assert compiled() == [SENTENCE]


def test_a_front_end_that_shows_the_progress_is_enough(compiled):
    with CompileProgress():
        assert compiled() == []
    assert compiled() == [SENTENCE]


def test_a_listener_is_enough(compiled):
    heard = []
    leave = jit.on_compile(heard.append)
    assert compiled() == []
    leave()
    assert compiled() == [SENTENCE]
    assert heard == ["bits.lowest_bit"]


def test_a_switch_in_python(monkeypatch):
    monkeypatch.setattr(compile_news, "NEWS", CompileNews())
    monkeypatch.delenv(QUIET_VARIABLE, raising=False)
    assert compile_news.NEWS.wanted
    rl_toolkit.set_compile_news(None)
    assert not compile_news.NEWS.wanted
    lines = []
    rl_toolkit.set_compile_news(lines.append)
    assert compile_news.NEWS.wanted
    monkeypatch.setattr(compile_news, "_PATIENCE", 0.0)
    compile_news.NEWS.compiling(Progress(1, 2))
    assert len(lines) == 1


class Terminal:
    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


@pytest.fixture
def now(monkeypatch):
    """The time, as a list of one number that a test changes."""
    time_now = [100.0]
    for clock in ("perf_counter", "monotonic"):
        monkeypatch.setattr(time, clock, lambda: time_now[0])
    return time_now


def test_on_a_terminal_the_time_left_is_rewritten_and_removed(monkeypatch, now):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    news = CompileNews()
    news.compiling(Progress(0, 30))
    assert terminal.text == ""  # one kernel is not worth a sentence
    now[0] += 1
    news.compiling(Progress(5, 30))
    first = "rl_toolkit: some seconds left"
    assert terminal.text.endswith(f"hides this)\n\r{first}")
    now[0] += 3
    news.compiling(Progress(12, 30))
    assert terminal.text.endswith("\rrl_toolkit: about 6 s left".ljust(len(first) + 1))
    news.pause()
    assert terminal.text.endswith(f"\r{' ' * len(first)}\r")
    before = terminal.text
    news.pause()
    assert terminal.text == before


def test_elsewhere_a_line_appears_every_few_seconds(now):
    lines = []
    news = CompileNews(lines.append)
    for _ in range(120):
        news.compiling(Progress(1, 30))
        now[0] += 0.1
    assert len(lines) == 3
    assert lines[1] == "rl_toolkit: some seconds left"


def test_the_time_of_the_compiler_is_counted():
    def twice(x):
        return x + x

    before = preparation_seconds()
    assert before > 0  # importing Numba counts
    kernel(u64(u64))(twice).make()
    assert preparation_seconds() > before
    assert preparation_seconds() == jit.preparation_seconds


def test_a_front_end_that_has_gone_shows_nothing_any_more():
    watched = is_watched()
    with CompileProgress():
        assert is_watched()
    assert is_watched() == watched
