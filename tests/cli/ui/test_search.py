"""Searches that people wait for: stopped, watched, announced."""

from __future__ import annotations

import time

import click
import pytest
from recorded import Recorded

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import TicTacToe
from rl_toolkit.kernels.compiling.compile_news import CompileProgress


class Broken:
    """An engine that raises."""

    name = "broken"

    def __init__(self, error):
        self.error = error

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise self.error


def test_what_a_search_raises_is_raised_to_who_waits():
    screen = Screen(Recorded(), Recorded())
    with pytest.raises(RuntimeError, match="no luck"):
        think(Broken(RuntimeError("no luck")), TicTacToe(), screen)
    with pytest.raises(click.ClickException, match="not my game"):
        think(Broken(ValueError("not my game")), TicTacToe(), screen)


class Slow:
    """An engine that answers once ``said`` stands on the screen."""

    name = "slow"

    def __init__(self, screen, said):
        self._screen, self._said = screen, said

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        while self._screen.getvalue() != self._said:
            time.sleep(0.01)
        return analysis_of(env, "", "slow", [Candidate(4, "b2", 0.0)])


@pytest.mark.parametrize(
    ("silence", "interrupts", "said"),
    [
        (0.01, Interrupts(), "O is thinking … (Ctrl-C: answer now)\n"),
        (0.01, None, "O is thinking …\n"),
        (3600.0, Interrupts(), ""),
    ],
)
def test_long_thinking_is_announced_once_where_nothing_is_redrawn(
    monkeypatch, silence, interrupts, said
):
    monkeypatch.setattr("rl_toolkit.cli.ui.search._SILENCE", silence)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    out, err = Recorded(), Recorded()
    think(Slow(err, said), TicTacToe(), Screen(out, err), interrupts=interrupts, who="O")
    assert (out.getvalue(), err.getvalue()) == ("", said)


def test_news_of_the_compiler_are_told_while_it_works():
    from rl_toolkit.kernels import jit

    with CompileProgress() as news:
        assert news.sentence() == ""
        for listener in list(jit._listeners):
            listener("negamax.search")
        assert news.sentence() == "Preparing the engine for this computer, once: some seconds left"
        assert news.latest() == (1, "negamax.search")
        news.search_has_begun()
        assert news.sentence() == ""
    assert not any(getattr(hear, "__self__", None) is news for hear in jit._listeners)


class Chatty(Slow):
    """A slow engine that notes whether its progress is wanted."""

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.is_watched = on_progress is not None
        return super().analyse(env, limit, on_progress, stop)


@pytest.mark.parametrize("report", [None, lambda analysis: None])
def test_progress_is_reported_only_where_it_is_shown(report):
    out, err = Recorded(), Recorded()
    engine, screen = Chatty(err, ""), Screen(out, err)
    think(engine, TicTacToe(), screen, picture=lambda analysis: "", report=report)
    assert engine.is_watched == (report is not None)
