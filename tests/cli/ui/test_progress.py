"""Progress of long work, where nothing can be redrawn and where it can."""

from __future__ import annotations

import pytest
from recorded import Recorded

from rl_toolkit.cli.ui import progress as progress_module
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen


class Clock:
    """Takes the place of the module ``time``."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress_module, "time", clock)
    return clock


def test_a_pipe_gets_a_line_now_and_then_and_at_the_end(clock):
    err = Recorded()
    with ProgressReporter(Screen(Recorded(), err)) as progress:
        assert not progress.live
        for done in range(5):
            progress.update("games", done, 4, "50 % for easy")
            clock.now += 6
    assert err.getvalue().splitlines() == [
        "2 of 4 games, 12 s left, 50 % for easy",
        "4 of 4 games, 0 s left, 50 % for easy",
    ]


def test_a_step_has_a_speed_of_its_own(clock):
    err = Recorded()
    with ProgressReporter(Screen(Recorded(), err)) as progress:
        progress.update("slow", 0, 10)
        clock.now += 100
        progress.update("slow", 1, 10)
        progress.update("quick", 5, 10)
        clock.now += 10
        progress.update("quick", 9, 10)
    assert err.getvalue().splitlines() == [
        "1 of 10 slow, 15 min 00 s left",
        "9 of 10 quick, 2 s left",
    ]


class Terminal(Recorded):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    err = Terminal()
    with ProgressReporter(Screen(Recorded(), err), percent=True) as progress:
        assert progress.live
        progress.update("games", 0.5, 1.0, "easy leads", seconds_left=61)
        progress._bar.refresh()
        assert "50%" in err.getvalue()
        assert "games, 1 min 01 s left, easy leads" in err.getvalue()


def test_what_is_kept_is_said_after_ctrl_c():
    err = Recorded()
    screen = Screen(Recorded(), err)
    for kept in ("The games are in f.jsonl", None):
        with pytest.raises(KeyboardInterrupt), resumable(screen, kept):
            raise KeyboardInterrupt
    said = "Stopped. The games are in f.jsonl; run the same command to resume.\n"
    assert err.getvalue() == said
