"""The training doctor: every classic failure is seen and told with its figures, nothing else is."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from rl_toolkit.learning.doctor import Doctor, examine
from rl_toolkit.learning.doctor.checks import CHECKS

KINDS = [
    "policy collapse",
    "no exploration noise",
    "duplicate games",
    "all games drawn",
    "value head stuck",
    "learning rate too high",
    "buffer stale",
    "evaluation too noisy",
]


def healthy(iterations=60, game="connect-four", seed=0):
    """The log of a run as it should be: noisy figures that go the right way."""
    dice = random.Random(seed)

    def about(figure):
        return figure * dice.uniform(0.9, 1.1)

    entries = [{"kind": "start", "game": game}]
    for k in range(iterations):
        learned = 1 - math.exp(-k / 15)
        simulations = 16 if k < 20 else 64  # targets become sharper when there are more
        entropy = about(1.6 - 0.9 * learned - (0.3 if k >= 20 else 0))
        entries.append(
            {
                "kind": "iteration",
                "iteration": k,
                "simulations": simulations,
                "policy_loss": entropy + about(0.35 - 0.25 * learned),
                "value_loss": about(1.0 - 0.4 * learned),
                "target_entropy": entropy,
                "prior_entropy": about(1.9 - 1.2 * learned),
                "top_share": about(0.3 + 0.4 * learned),
                "value_spread": about(0.15 + 0.4 * learned),
                "draw_rate": about(0.1),
                "distinct_share": 1 - 0.05 * dice.random(),
                "exploration": 1.0,
                "learning_rate": 1e-3,
                "gradient_norm": about(1.5 - learned),
                "buffer_age": min(k / 2, 8),
                "reuse": 4,
            }
        )
        if k % 10 == 9:
            score = 0.85 + 0.13 * learned
            reach = 1.96 * math.sqrt(score * (1 - score) / 3000)
            entries.append(
                {
                    "kind": "evaluation",
                    "iteration": k,
                    "what": "policy keeps result",
                    "score": score,
                    "low": score - reach,
                    "high": score + reach,
                    "n": 3000,
                }
            )
    return entries


def changed(entries, start, **figures):
    """The log with other figures from an iteration on; a figure may be a function of the old."""
    out = []
    for entry in entries:
        entry = dict(entry)
        if entry["kind"] == "iteration" and entry["iteration"] >= start:
            for name, figure in figures.items():
                entry[name] = figure(entry[name]) if callable(figure) else figure
        out.append(entry)
    return out


def kinds(entries):
    return [finding.kind for finding in examine(entries)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("length", [0, 1, 4, 12, 60])
def test_a_healthy_run_gives_no_alarm_at_any_time(seed, length):
    assert kinds(healthy(length, seed=seed)) == []


@pytest.mark.parametrize("game", ["reversi-6", "tictactoe"])
def test_real_runs_that_went_well_give_no_alarm(game):
    """Logs of the project's own trainings (three minutes of a GPU, ten of a laptop), shortened."""
    log = (Path(__file__).parent / "logs" / f"{game}.jsonl").read_text(encoding="utf-8")
    doctor = Doctor()
    entries = [json.loads(line) for line in log.splitlines()]
    assert len(entries) > 40
    assert [finding for entry in entries for finding in doctor.update(entry)] == []


def test_there_is_a_check_for_every_failure():
    assert len(CHECKS) == len(KINDS)


SICK = {
    "policy collapse": {"prior_entropy": 0.02, "top_share": 0.995},
    "no exploration noise": {"exploration": 0.0},
    "duplicate games": {"distinct_share": 0.11},
    "all games drawn": {"draw_rate": 0.99},
    "value head stuck": {"value_spread": 0.01},
    "buffer stale": {"buffer_age": 120.0},
}


@pytest.mark.parametrize("kind", SICK)
def test_a_failure_is_seen_and_nothing_else(kind):
    found = examine(changed(healthy(), 40, **SICK[kind]))
    assert [finding.kind for finding in found] == [kind]
    (finding,) = found
    assert (finding.first, finding.last) == (55, 59)
    assert finding.sentence[-1] == "."
    for name, figure in SICK[kind].items():
        assert finding.evidence[name] == pytest.approx(figure)


@pytest.mark.parametrize("kind", SICK)
def test_a_failure_that_has_passed_is_not_told(kind):
    sick = changed(healthy(), 20, **SICK[kind])
    recovered = [
        new if old["kind"] == "iteration" and old["iteration"] >= 40 else old
        for old, new in zip(sick, healthy(), strict=True)
    ]
    assert kinds(recovered) == []


def test_small_boards_may_be_drawn_and_repeat_themselves():
    drawn = changed(healthy(game="tictactoe"), 30, draw_rate=0.99, distinct_share=0.2)
    assert kinds(drawn) == []
    assert kinds(changed(drawn, 30, distinct_share=0.001)) == ["duplicate games"]


def test_learning_from_the_same_positions_too_often_is_stale_too():
    (finding,) = examine(changed(healthy(), 50, reuse=50))
    assert (finding.kind, finding.evidence["reuse"]) == ("buffer stale", 50)


def test_with_a_teacher_only_the_loss_tells_of_a_stuck_head_and_no_game_is_too_old():
    alone = changed(healthy(), 0, value_loss=1.0, buffer_age=60.0)
    taught = [
        {"kind": "start", "game": "connect-four", "settings": {"teacher": "ab12"}},
        *alone[1:],
    ]
    assert kinds(alone) == ["buffer stale"]  # values differ, so the head is not stuck
    assert kinds(taught) == ["value head stuck"]  # they are the teacher's


def test_a_value_loss_that_never_falls_is_a_stuck_head():
    flat = changed(healthy(), 0, value_loss=1.05, value_spread=0.08)
    (finding,) = examine(flat)
    assert finding.kind == "value head stuck"
    assert finding.evidence["value_loss"] == pytest.approx(1.05)


def test_a_young_run_may_still_see_all_positions_alike():
    flat = changed(healthy(), 0, value_spread=0.01, positions=19_000)
    assert kinds(flat) == []
    assert kinds(changed(flat, 55, positions=21_000)) == ["value head stuck"]


def test_iterations_in_which_no_game_ends_know_no_results():
    quiet = {"mean_plies": 0.0, "draw_rate": 0.0, "distinct_share": 0.0}
    entries = changed(healthy(), 57, **quiet)
    assert kinds(entries) == []
    entries = changed(changed(healthy(), 40, draw_rate=1.0), 57, **quiet)
    assert kinds(entries) == ["all games drawn"]


def test_targets_that_swing_with_the_stage_of_the_games_are_no_alarm():
    entries = healthy()
    for entry in entries:
        if entry["kind"] == "iteration":
            # All games of a small run are at the same ply; the buffer holds every stage.
            swing = 0.6 * math.sin(entry["iteration"])
            entry["policy_loss"] = entry["target_entropy"] + 0.2
            entry["target_entropy"] += swing
    assert kinds(entries) == []


def test_gradients_that_jump_mean_a_rate_too_high():
    entries = healthy()
    for entry in entries:
        if entry.get("iteration") in (30, 44) and entry["kind"] == "iteration":
            entry["gradient_norm"] = 25.0
    (finding,) = examine(entries)
    assert (finding.kind, finding.first, finding.last) == ("learning rate too high", 30, 44)
    assert finding.evidence["worst_gradient_norm"] == 25.0
    assert "0.001" in finding.sentence


def test_one_jump_is_an_accident():
    entries = healthy()
    next(e for e in entries if e.get("iteration") == 30)["gradient_norm"] = 25.0
    assert kinds(entries) == []


def test_losses_that_rise_and_stay_mean_a_rate_too_high():
    risen = changed(healthy(), 30, policy_loss=lambda loss: loss + 1.0)
    assert kinds(risen) == ["learning rate too high"]


def test_a_value_that_is_worse_than_guessing_means_a_rate_too_high():
    entries = changed(healthy(), 0, value_loss=2.5)
    (finding,) = examine(entries)
    assert finding.kind == "learning rate too high"
    assert finding.evidence["value_loss"] == 2.5
    assert kinds(changed(healthy(), 0, value_loss=lambda loss: loss + 0.3)) == []


@pytest.mark.parametrize("broken", [None, float("nan"), float("inf")])
def test_a_loss_that_is_no_number_means_a_rate_too_high(broken):
    (finding,) = examine(changed(healthy(), 58, policy_loss=broken))
    assert (finding.kind, finding.first) == ("learning rate too high", 58)


def evaluations(*scores, n=200):
    for k, score in enumerate(scores):
        reach = 1.96 * math.sqrt(score * (1 - score) / n)
        yield {
            "kind": "evaluation",
            "iteration": 10 * k,
            "what": "vs previous",
            "score": score,
            "low": score - reach,
            "high": score + reach,
            "n": n,
        }


def test_a_gain_smaller_than_its_error_is_told_with_what_it_would_take():
    scores = (0.50, 0.51, 0.53, 0.49, 0.52)
    (finding,) = examine(list(evaluations(*scores)))
    assert finding.kind == "evaluation too noisy"
    assert (finding.first, finding.last) == (0, 20)
    assert finding.evidence["gain"] == pytest.approx(0.03)
    assert finding.evidence["noise"] == pytest.approx(0.098, abs=0.001)
    needed = int(finding.advice.split("about ")[1].split(" ")[0].replace(",", ""))
    assert kinds(list(evaluations(*scores, n=needed))) == []
    assert kinds(list(evaluations(*scores, n=needed // 2))) == ["evaluation too noisy"]


def test_a_clear_gain_or_a_fall_or_a_beginning_is_not_noise():
    assert kinds(list(evaluations(0.50, 0.55, 0.60, 0.65, 0.75))) == []
    assert kinds(list(evaluations(0.60, 0.55, 0.54, 0.53, 0.52))) == []
    assert kinds(list(evaluations(0.50, 0.51, 0.52, 0.53))) == []


def test_one_clear_gain_is_enough():
    noisy = list(evaluations(*[0.50, 0.53] * 3))
    clear = [{**entry, "what": "policy keeps result"} for entry in evaluations(*[0.5, 0.9] * 3)]
    assert kinds(noisy) == ["evaluation too noisy"]
    assert kinds(noisy + clear) == kinds(clear + noisy) == []


def test_while_training_each_thing_is_said_once_and_at_once():
    entries = changed(healthy(), 30, exploration=0.0)
    doctor, told = Doctor(), {}
    for entry in entries:
        for finding in doctor.update(entry):
            assert finding.kind not in told
            told[finding.kind] = entry["iteration"]
    assert list(told) == ["no exploration noise"]
    assert 30 <= told["no exploration noise"] <= 35


def test_a_doctor_that_is_called_in_later_does_not_repeat_what_was_said():
    sick = changed(healthy(), 30, exploration=0.0)
    doctor = Doctor(sick)
    assert doctor.update({**sick[-2], "iteration": 60}) == []


def test_lines_of_another_kind_change_nothing():
    strange = [{"kind": "note", "text": "x"}, {}, {"kind": "iteration"}, {"kind": "evaluation"}]
    assert kinds([*strange, *healthy(), *strange]) == []


def test_a_finding_reads_well_and_is_data():
    (finding,) = examine(changed(healthy(), 40, draw_rate=1.0))
    assert str(finding).startswith("all games drawn (iterations 55 to 59): 100.0 % of the games")
    assert finding.to_dict()["iterations"] == [55, 59]


# ------------------------------------------------------------------------------ on the command line


def written(folder, entries):
    (folder / "log.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return str(folder)


def test_a_healthy_run_is_told_so(run, tmp_path):
    ran = run("train", "check", written(tmp_path, healthy()))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("60 iterations, and nothing is wrong")


def test_a_sick_run_gets_sentences_and_exit_code_1(run, tmp_path):
    folder = written(tmp_path, changed(healthy(), 30, draw_rate=1.0, reuse=50))
    ran = run("train", "check", folder)
    assert ran.code == 1
    assert "All games drawn (iterations 55 to 59)\n  100.0 % of the games end in a draw" in ran.out
    found = run("train", "check", folder, "--json")
    assert [finding["kind"] for finding in json.loads(found.out)] == [
        "all games drawn",
        "buffer stale",
    ]


def test_a_folder_without_a_training_is_refused(run, tmp_path):
    ran = run("train", "check", str(tmp_path))
    assert (ran.code, ran.out) == (1, "")
    assert "there is no training to check" in ran.err
