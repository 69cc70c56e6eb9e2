"""The first answer on a computer where nothing is compiled: who gives it, and what follows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from recorded import Recorded

from rl_toolkit.cli.commands import analyse, play
from rl_toolkit.cli.play.loop import PlayLoop
from rl_toolkit.cli.ui import first_answer
from rl_toolkit.cli.ui.first_answer import FirstAnswers
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import TicTacToe
from rl_toolkit.envs.registry import UnknownGameError
from rl_toolkit.kernels.compiling import compiled_only
from rl_toolkit.players import make_engine, make_player


def answer_of(env, engine):
    return replace(make_engine("random:seed=1").analyse(env), engine=engine, notes=())


class Process:
    """A preparation that runs until somebody ends it."""

    def __init__(self):
        self.started = self.is_running = self.stopped = False
        self.part, self.left = 0.5, "about 3 s left"

    def start(self):
        assert not self.started
        self.started = self.is_running = True

    def stop(self):
        self.is_running, self.stopped = False, True


class Machine:
    """Where nothing is compiled yet: the engine that was asked compiles, others answer."""

    def __init__(self, player):
        self.player, self.asked, self.compiled = player, [], False

    def ask(self, player, limit):
        self.asked.append(player.name)
        if player is self.player and not self.compiled:
            compiled_only.check_may_compile("search")
            self.compiled = True
        return answer_of(TicTacToe(), player.name)


@pytest.fixture
def machine():
    return Machine(make_engine("exact"))


def test_a_stand_in_answers_until_the_engine_is_prepared(machine):
    process, env = Process(), TicTacToe()
    with FirstAnswers(lambda player, env: process) as answers:
        for _ in range(2):
            found, is_first = answers.answer(machine.player, env, None, machine.ask)
            assert (found.engine, is_first) == ("minimax", True)
            assert found.notes == ("minimax in Python answers, while exact is being prepared",)
        machine.compiled = True
        found, is_first = answers.answer(machine.player, env, None, machine.ask)
        assert (found.engine, is_first, found.notes) == ("exact", False, ())
    assert process.stopped


def test_a_level_is_named_as_it_is_called(machine):
    machine.player = make_player("connect-four", "medium")
    with FirstAnswers(lambda player, env: Process()) as answers:
        found, _ = answers.answer(machine.player, TicTacToe(), None, machine.ask)
    assert found.notes == ("minimax in Python answers, while medium is being prepared",)


def test_the_engine_compiles_here_if_its_preparation_has_ended_without_all(machine):
    process = Process()
    with FirstAnswers(lambda player, env: process) as answers:
        answers.answer(machine.player, TicTacToe(), None, machine.ask)
        process.is_running = False
        found, is_first = answers.answer(machine.player, TicTacToe(), None, machine.ask)
    assert (found.engine, is_first, machine.compiled) == ("exact", False, True)
    assert machine.asked == ["exact", "minimax", "exact", "exact"]


@pytest.mark.parametrize("problem", [UnknownGameError("no such game"), OSError("no processes")])
def test_the_engine_compiles_here_if_nothing_can_prepare_it(machine, problem):
    def prepare(player, env):
        raise problem

    with FirstAnswers(prepare) as answers:
        found, is_first = answers.answer(machine.player, TicTacToe(), None, machine.ask)
    assert (found.engine, is_first, machine.asked) == ("exact", False, ["exact", "exact"])


def test_what_was_prepared_is_not_prepared_at_the_beginning(machine, monkeypatch):
    process = Process()
    with FirstAnswers(lambda player, env: process) as answers:
        monkeypatch.setattr(first_answer, "was_prepared", lambda player, game: True)
        answers.begin(machine.player, TicTacToe())
        assert not process.started
        monkeypatch.setattr(first_answer, "was_prepared", lambda player, game: False)
        answers.begin(machine.player, TicTacToe())
        answers.begin(machine.player, TicTacToe())  # a second start would be refused
        assert process.started


# ------------------------------------------------------------------------- the commands


@pytest.fixture
def on_terminal(monkeypatch):
    monkeypatch.setattr(Screen, "live", True)


def test_analyse_shows_the_first_answer_and_then_the_real_one(run, on_terminal, monkeypatch):
    process, asked = Process(), []
    monkeypatch.setattr(first_answer, "_REDRAW", 0.0)
    monkeypatch.setattr(analyse, "FirstAnswers", lambda: FirstAnswers(lambda *_: process))

    def think(player, env, screen, **how):
        asked.append((player.name, process.is_running))
        if len(asked) == 1:
            compiled_only.check_may_compile("search")
        process.is_running = process.is_running and len(asked) < 2
        return answer_of(env, f"number{len(asked)}")

    monkeypatch.setattr(analyse, "think", think)
    ran = run("analyse", "connect-four")
    assert asked == [("exact", False), ("minimax", True), ("exact", False)]
    assert "number1" not in ran.out
    assert 0 < ran.out.index("number2") < ran.out.index("number3")
    assert ran.err.count("minimax in Python answers, while exact is being prepared") == 1


@pytest.mark.parametrize(
    "asked",
    [
        *(["--engine", "greedy"], ["--depth", "2"], ["--nodes", "9"], ["--simulations", "9"]),
        *(["--time", "9"], ["--seed", "1"], ["--json"], ["--watch"], ["--tree"], ["-"]),
    ],
    ids=" ".join,
)
def test_who_asks_for_something_waits_for_it(run, on_terminal, monkeypatch, asked):
    monkeypatch.setattr(analyse, "FirstAnswers", lambda: pytest.fail("a stand-in may answer"))
    monkeypatch.setattr("sys.stdin", Recorded(""))
    monkeypatch.setattr(
        analyse,
        "think",
        lambda player, env, screen, **how: answer_of(env, "it"),
    )
    assert run("analyse", "tictactoe", *asked).code == 0


def test_a_pipe_waits(run, monkeypatch):
    monkeypatch.setattr(analyse, "FirstAnswers", lambda: pytest.fail("a stand-in may answer"))
    assert run("analyse", "tictactoe", "a1b2").code == 0


@pytest.mark.parametrize(
    ("options", "at_once"),
    [
        ([], True),
        *((["--o", "easy"], False), (["--x", "easy"], False)),
        *((["--time", "1"], False), (["--seed", "1"], False)),
    ],
)
def test_only_the_usual_opponent_lets_another_answer(
    run, on_terminal, monkeypatch, options, at_once
):
    seen = []
    monkeypatch.setattr(PlayLoop, "run", lambda loop: seen.append(loop.view.first_answers))
    assert run("play", "tictactoe", *options).code == 0
    assert isinstance(seen[0], FirstAnswers) is at_once


def test_a_game_in_a_pipe_waits(run, monkeypatch):
    monkeypatch.setattr(play, "FirstAnswers", FirstAnswers)
    seen = []
    monkeypatch.setattr(PlayLoop, "run", lambda loop: seen.append(loop.view.first_answers))
    assert run("play", "tictactoe").code == 0
    assert seen == [None]
