"""The experiments of the courses: known numbers, honest statistics, pictures that hold the data."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest
from paths import ROOT

from rl_toolkit.cli.experiments import show
from rl_toolkit.experiments.catalogue import EXPERIMENTS
from rl_toolkit.experiments.playing.games import Score, play_out
from rl_toolkit.experiments.running import run_experiment
from rl_toolkit.experiments.settings import read_settings
from rl_toolkit.utils.statistics import wilson_interval


def result_of(name, **given):
    experiment = EXPERIMENTS[name]

    def on_progress(progress):
        assert progress.what
        assert 0 <= progress.done <= (progress.done if progress.total is None else progress.total)

    asked = read_settings(experiment.settings, given)
    return run_experiment(experiment, asked, on_progress=on_progress)


def test_node_counts_are_those_of_the_textbooks(run, tmp_path):
    picture = tmp_path / "counts.svg"
    ran = run("experiment", "node-counts", "--plot", str(picture))
    assert ran.code == 0
    assert "549,946" in ran.out
    assert "18,297" in ran.out
    root = ElementTree.parse(picture).getroot()
    assert "549,946" in {element.text for element in root.iter() if element.text}


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize(
    ("experiment", "whole"),
    [
        (["node-counts"], ["549,946", "18,297", "2,895"]),
        (["depth"], ["549,946", "200,448", "127,872"]),
        (["vs-random", "--engine", "greedy", "--games", "4"], ["points"]),
    ],
    ids=lambda value: value[0],
)
def test_forty_columns_cut_no_number(run, monkeypatch, experiment, whole, locale):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LC_ALL", locale)
    ran = run("experiment", *experiment)
    assert set(whole) <= set(ran.out.split())
    assert not {"…", "?"} & set(ran.out)
    assert max(map(len, ran.out.splitlines())) <= 40


def test_what_is_left_out_is_said(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert run("experiment", "node-counts").err == "Left out for lack of room: seconds.\n"
    monkeypatch.setenv("COLUMNS", "80")
    assert run("experiment", "node-counts").err == ""


@pytest.mark.full
def test_the_matches_of_the_report_come_out_the_same(capsys):
    report = (ROOT / "docs" / "explanation" / "report.md").read_text(encoding="utf-8")
    script = report.partition("```python fragment\n")[2].partition("```")[0]
    exec(compile(script, "report.md", "exec"), {})
    measured = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert len(measured) == 3
    for deep, points in measured.items():
        shown = f"{float(points.rstrip('%')):g} %"
        assert f"| depth {deep} against depth {int(deep) - 2} | {shown} |" in report


def test_each_idea_saves_nodes_on_another_board():
    nodes = list(result_of("node-counts", game="connect-four", depth=5).data["nodes"].values())
    assert nodes[0] == 1 + 7 + 49 + 343 + 2401 + 16807
    assert nodes == sorted(nodes, reverse=True)
    assert len(set(nodes)) == len(nodes)


def test_the_tree_of_tictactoe_ply_by_ply(run):
    data = json.loads(run("experiment", "depth", "--json").out)
    assert data["nodes_by_ply"] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert (data["nodes"], data["games"], data["deepest"]) == (549_946, 255_168, 9)


def test_who_won_at_which_ply():
    rows = {row[0]: row[1:] for row in result_of("depth", depth=6).rows}
    assert rows["5"] == ["15,120", "1,440", "0", "0"]  # X wins first
    assert rows["6"] == ["54,720", "0", "0", "5,328"]


@pytest.mark.full
def test_the_perfect_level_never_loses(run):
    data = json.loads(run("experiment", "never-loses", "--json").out)
    for order in ("first", "second"):
        assert data[order]["lost"] == 0
        assert data[order]["won"] > 0


def test_a_player_that_can_lose_is_found_out():
    result = result_of("never-loses", engine="random")
    assert result.data["second"]["lost"] > 0
    assert "loses" in result.remarks[0]


def test_games_against_chance_add_up_and_repeat(run):
    asked = ("experiment", "vs-random", "--games", "12", "--engine", "greedy", "--json")
    first, second = (json.loads(run(*asked, "--seed", "3").out) for _ in range(2))
    assert first == second
    assert first["won"] + first["drawn"] + first["lost"] == 12
    assert first["won"] > first["lost"]


def test_the_engine_plays_each_side_half_the_time():
    rows = {row[0]: row for row in result_of("vs-random", engine="greedy", games=5).rows}
    assert (rows["first"][1], rows["second"][1], rows["both"][1]) == ("3", "2", "5")


def test_more_simulations_play_better(run):
    ran = run(
        *("experiment", "strength-by-simulations", "--game", "tictactoe", "--opponent", "greedy"),
        *("--simulations", "1,200", "--games", "10", "--json"),
    )
    points = json.loads(ran.out)["points"]
    assert points["200"] > points["1"]


def test_the_result_of_a_game_is_the_engines():
    results = {play_out("tictactoe", "minimax", "random", side, 5) for side in (1, -1)}
    assert results <= {1.0, 0.0}
    assert play_out("tictactoe", "random", "minimax", 1, 5) <= 0


# ----------------------------------------------------------------------------- statistics


def test_the_interval_holds_the_share_and_narrows_with_games():
    for share in (0.0, 0.3, 1.0):
        few, many = wilson_interval(share, 10), wilson_interval(share, 1000)
        assert 0 <= few[0] <= share <= few[1] <= 1
        assert many[1] - many[0] < few[1] - few[0]
    assert wilson_interval(0.0, 10)[1] == pytest.approx(0.2775, abs=1e-3)  # a published value
    assert wilson_interval(0.5, 0) == (0.0, 1.0)


def test_a_draw_is_half_a_point():
    score = Score()
    for result in (1.0, 0.0, 0.0, -1.0):
        score.add(result)
    assert (score.won, score.drawn, score.lost, score.share) == (1, 2, 1, 0.5)


def test_files_are_written_even_if_nothing_reads_the_table(run, tmp_path, monkeypatch):
    def closed(*_):
        raise BrokenPipeError

    monkeypatch.setattr(show, "_show", closed)
    table, picture = tmp_path / "t.csv", tmp_path / "p.svg"
    run("experiment", "node-counts", "--csv", str(table), "--plot", str(picture))
    assert "18297" in table.read_text()
    assert picture.read_text().startswith("<svg")
