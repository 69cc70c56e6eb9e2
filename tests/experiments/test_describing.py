"""What every experiment has: bounds, a command, CSV, pictures; stopping keeps its rows."""

import csv
import io
import shlex
import threading
from xml.etree import ElementTree

import pytest

from rl_toolkit.cli.experiments import show
from rl_toolkit.envs import make_game
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.experiments.running import NothingMeasuredError, run_experiment
from rl_toolkit.experiments.settings import Setting, read_settings, seed
from rl_toolkit.utils.svg.chart import Chart

#: Settings with which every experiment is over in a moment.
TINY = {
    "node-counts": {"depth": 3},
    "depth": {"depth": 3},
    "positions": {"depth": 3},
    "branching": {"games": 1},
    "move-order": {"depth": 3, "runs": 2},
    "value-iteration": {"game": "connect-four-3x3x3"},
    "never-loses": {"engine": "first"},
    "depths": {"game": "tictactoe", "depths": [1, 2], "openings": 2},
    "heuristics": {"depth": 1, "openings": 1},
    "vs-random": {"engine": "greedy", "games": 4},
    "mcts-values": {"simulations": [5, 10], "runs": 2},
    "strength-by-simulations": {
        "game": "tictactoe",
        "opponent": "random",
        "simulations": [1, 2],
        "games": 2,
    },
    "strength-by-c": {
        "game": "tictactoe",
        "opponent": "random",
        "c": [0.5, 1],
        "simulations": 2,
        "games": 2,
    },
    "regret": {"pulls": 20, "runs": 5},
}
#: Those that are one measurement cannot be stopped in the middle.
SINGLE = {"depth"}


class StopAfter(threading.Event):
    """A stop signal that is set once something has been measured."""

    def found(self, so_far):
        self.result = so_far()
        self.set()


def test_all_experiments_are_tried():
    assert set(TINY) == set(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_stopping_keeps_what_was_measured(name):
    experiment = EXPERIMENTS[name]
    settings = read_settings(experiment.settings, TINY[name])
    stop = StopAfter()
    result = run_experiment(experiment, settings, on_found=stop.found, stop=stop)
    assert result.rows
    assert result.rows == stop.result.rows
    assert bool(result.stopped) == (name not in SINGLE)
    if result.stopped:
        assert result.stopped.startswith(("Stopped after 1 of ", "Stopped after one of the "))
        assert result.stopped.endswith(f"{experiment.unit}.")
    lines = list(csv.reader(io.StringIO(result.to_csv())))
    assert len(lines) == len(result.rows) + 1
    assert len({len(line) for line in lines}) == 1
    for dark in (False, True):
        for narrow in (False, True):
            ElementTree.fromstring(result.chart.to_svg(dark=dark, narrow=narrow))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_defaults_are_within_the_bounds_of_pages(name):
    experiment = EXPERIMENTS[name]
    usual = read_settings(experiment.settings, {})
    written = {s.name: s.written(usual[s.name]) for s in experiment.settings}
    assert read_settings(experiment.settings, written, on_page=True) == usual
    for setting in experiment.settings:
        assert setting.about
        if setting.kind == "game":
            assert [make_game(choice) for choice in setting.page_choices]
    assert len(experiment.questions) == 2
    assert all("?" in asks and answer for asks, answer in experiment.questions)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_command_of_a_page_asks_for_the_same(name, run, monkeypatch):
    experiment = EXPERIMENTS[name]
    wanted = read_settings(experiment.settings, TINY[name])
    words = shlex.split(experiment.command(wanted))
    assert words[:3] == ["rl-toolkit", "experiment", name]
    asked = []

    def remembered(described, settings, report):
        asked.append((described.id, settings))
        return Result("t", [Column("a", "plain")], [["x"]], Chart("t", ["x"], [1.0]))

    monkeypatch.setattr("rl_toolkit.cli.commands.measure.experiment.run_described", remembered)
    assert run(*words[1:]).code == 0
    assert asked == [(name, wanted)]


# ------------------------------------------------------------------------------ settings


@pytest.mark.parametrize(("kind", "value", "read"), [
    ("whole", "7", 7), ("whole", 7, 7), ("whole", "", 3), ("whole", None, 3),
    ("wholes", "1, 2,3", [1, 2, 3]), ("wholes", [4], [4]), ("number", "0.5", 0.5),
    ("numbers", "1,2.5", [1.0, 2.5]), ("text", "b2", "b2"),
])  # fmt: skip
def test_settings_are_read(kind, value, read):
    assert Setting("x", kind, 3, "", least=0, most=9).read(value) == read


@pytest.mark.parametrize(("kind", "value"), [
    ("whole", "10"), ("whole", -1), ("whole", 1.5), ("whole", True), ("whole", "x"),
    ("whole", "1,2"), ("whole", [1, 2]), ("whole", {}), ("wholes", "1,,2"), ("wholes", "1,99"),
    ("wholes", [1] * 13), ("numbers", "nan"), ("numbers", "inf"), ("number", "1e9"),
    ("text", 5), ("text", "x" * 201),
])  # fmt: skip
def test_other_settings_are_refused_with_a_sentence(kind, value):
    with pytest.raises(ValueError, match=r"^some thing \w+"):
        Setting("some_thing", kind, 3, "", least=0, most=9).read(value)


def test_pages_have_bounds_of_their_own():
    games = Setting("games", "whole", 5, "", page_most=50)
    assert games.read(60) == 60
    with pytest.raises(ValueError, match="from 0 to 9,007,199,254,740,992, not -1"):
        seed().read(-1)
    with pytest.raises(ValueError, match=r"from 0\.5 to 2, not 3"):
        Setting("c", "number", 1, "", least=0.5, most=2).read(3)
    with pytest.raises(ValueError, match="from 1 to 50, not 60"):
        games.read(60, on_page=True)
    game = Setting("game", "game", "tictactoe", "", page_choices=("tictactoe",))
    assert game.read("gomoku") == "gomoku"
    for name in ("gomoku", "openspiel:chess", "/etc/passwd", "game.py:Game"):
        with pytest.raises(ValueError, match="one of tictactoe here"):
            game.read(name, on_page=True)
    with pytest.raises(ValueError, match="there is no setting 'gmaes'; there are games"):
        read_settings([games], {"gmaes": 2})


# --------------------------------------------------------------------------- running, files


def three_steps():
    for number in range(3):
        yield Progress(number, 3, f"step {number}")
        yield number


def added(found, complete):
    return Result(
        "Sum",
        [Column("row", "plain"), Column("n"), Column("share", "percent"), Column("i", "interval")],
        [[f"r{n}", 1000 + n, n / 4, (0.25, 0.5)] for n in found],
        Chart("Sum", ["a"], [1.0]),
        remarks=["complete"] if complete else [],
        data={"found": list(found)},
    )


STEPS = Experiment(
    "steps", "Steps", "Counts.", "steps", (), three_steps, added, (Question("?", "!"),) * 2
)


def test_a_stop_before_anything_is_measured_is_said():
    stop = threading.Event()
    stop.set()
    with pytest.raises(NothingMeasuredError):
        run_experiment(STEPS, {}, stop=stop)


def test_a_stop_at_the_last_measurement_changes_nothing():
    stop = threading.Event()
    result = run_experiment(
        STEPS, {}, stop=stop, on_found=lambda so_far: len(so_far().cells) == 3 and stop.set()
    )
    assert (result.stopped, result.remarks) == ("", ["complete"])


def test_csv_has_the_numbers_themselves():
    result = run_experiment(STEPS, {})
    assert result.rows[1] == ["r1", "1,001", "25.0 %", "25.0 % to 50.0 %"]
    assert result.to_csv() == (
        "row,n,share,low,high\nr0,1000,0.0,0.25,0.5\nr1,1001,0.25,0.25,0.5\nr2,1002,0.5,0.25,0.5\n"
    )


def test_files_of_an_experiment(run, tmp_path, monkeypatch):
    table, picture = tmp_path / "t.csv", tmp_path / "p.svg"
    files = ("--csv", str(table), "--svg", str(picture))
    ran = run("experiment", "positions", "--depth", "2", *files)
    assert ran.code == 0
    assert table.read_text().splitlines()[:3] == [
        "ply,positions,up to symmetry,fewer,games over",
        "0,1,1,1.0,0",
        "1,9,3,3.0,0",
    ]
    assert picture.read_text().startswith("<svg")
    assert str(table) in ran.err.replace("\n", "")
    refused = run("experiment", "positions", "--csv", str(tmp_path / "t.txt"))
    assert refused.code == 2
    assert "must end in .csv" in refused.err
    assert run("experiment", "positions", "--depth", "0").code == 2
    assert run("experiment", "depths", "--depths", "2,x").code == 2


def test_after_ctrl_c_the_files_have_what_there_is(run, tmp_path, monkeypatch):
    measure = EXPERIMENTS["positions"].measure

    def interrupted(**settings):
        for step in measure(**settings):
            if not isinstance(step, Progress) and step.number == 2:
                raise KeyboardInterrupt
            yield step

    def broken(experiment, settings, **how):
        from dataclasses import replace

        return run_experiment(replace(experiment, measure=interrupted), settings, **how)

    monkeypatch.setattr(show, "run_experiment", broken)
    table = tmp_path / "t.csv"
    ran = run("experiment", "positions", "--csv", str(table))
    assert ran.code == 130
    assert "Stopped after 2 of " in ran.err
    lines = table.read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["ply", "0", "1", "all"]
