"""The sequential test: published ratios, error rates by simulation, and matches that stop."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from rl_toolkit.arena.arbiter.adjudication import Adjudication
from rl_toolkit.arena.matches import Match, PlayedGame, play_match
from rl_toolkit.arena.ratings.elo_model import chances, expected_points
from rl_toolkit.arena.ratings.sprt import Sprt, log_likelihood_ratios
from rl_toolkit.arena.runs.match_results import Forfeit
from rl_toolkit.arena.sprt_match import PATIENCE, _Counting, play_sprt
from rl_toolkit.utils.executors import InProcess, LocalProcesses

# ---------------------------------------------------------------------- the ratio


@pytest.mark.parametrize(
    ("pairs", "hypotheses", "published"),
    [
        # The tests of fastchess, which took them from runs of fishtest.
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), -3.07),
        ([871, 26175, 55983, 26678, 821], (0, 2), -4.98),
        ([21184, 40708, 21404], (0.5, 2.5), -1.57),
        ([57030, 106593, 57433], (0, 2), -2.59),
    ],
)
def test_ratios_are_those_that_others_published(pairs, hypotheses, published):
    assert log_likelihood_ratios(pairs, *hypotheses) == pytest.approx(published, abs=0.005)


def test_the_ratio_is_that_of_the_most_likely_chances():
    """Compared with a search over all chances of three results that have the right points."""
    counts, (elo0, elo1) = np.array([12.0, 20.0, 30.0]), (0, 40)
    best = []
    for elo in (elo0, elo1):
        mean = float(expected_points(elo))
        draws = np.linspace(0, 2 * min(mean, 1 - mean), 200_001)[1:-1]
        logs = counts @ np.log([1 - mean - draws / 2, draws, mean - draws / 2])
        best.append(logs.max())
    assert log_likelihood_ratios(counts, elo0, elo1) == pytest.approx(best[1] - best[0], abs=1e-6)


def test_the_ratio_is_near_its_normal_approximation_for_many_pairs():
    pairs = np.array([300, 2400, 5000, 2600, 350])
    share, points = pairs / pairs.sum(), np.arange(5) / 4
    mean = share @ points
    variance = share @ (points - mean) ** 2
    s0, s1 = (float(expected_points(elo)) for elo in (0, 5))
    near = pairs.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr(pairs) == pytest.approx(near, rel=0.01)


def test_the_ratio_mirrors_when_the_engines_change_places():
    pairs = [3, 20, 45, 31, 7]
    assert Sprt(-10, 0).llr(pairs[::-1]) == pytest.approx(-Sprt(0, 10).llr(pairs))
    assert Sprt(0, 10).llr([0] * 5) == 0


def test_the_bounds_are_walds():
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((-2.2513, 2.8904), abs=1e-4)
    assert [test.decision(llr) for llr in (-2.3, 0.0, 2.9)] == ["H0", None, "H1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, 0), "elo0 must be below elo1, not 10 and 0"),
        ((0, 0), "elo0 must be below elo1"),
        ((0, float("nan")), "elo1 must be from -1000 to 1000, not nan"),
        ((-5000, 0), "elo0 must be from -1000"),
        ((0, 10, 0.7), "alpha must be between 0 and 0.5, not 0.7"),
    ],
)
def test_senseless_hypotheses_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Sprt(*arguments)


# -------------------------------------------------------------------- error rates


def pair_chances(elo, nu, same=0.0):
    """The chances of the five results; a share of pairs has twice the ``same`` result."""
    win, draw, loss = map(float, chances(expected_points(elo), nu))
    single = np.array([loss, draw, win])
    twice = np.zeros(5)
    twice[[0, 2, 4]] = single
    return (1 - same) * np.convolve(single, single) + same * twice


def verdicts(test, share, runs, seed):
    """The share of runs that accept H1, and the share that accept H0."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((runs, 5))
    running = np.arange(runs)
    accepted = {"H0": 0, "H1": 0}
    while len(running):
        counts[running, rng.choice(5, size=len(running), p=share)] += 1
        llr = log_likelihood_ratios(counts[running], test.elo0, test.elo1)
        accepted["H0"] += int((llr <= test.lower).sum())
        accepted["H1"] += int((llr >= test.upper).sum())
        running = running[(llr > test.lower) & (llr < test.upper)]
    return accepted["H1"] / runs, accepted["H0"] / runs


def check_errors(test, nu, same, runs, seed=1):
    most_h1, most_h0 = (p + 3.3 * sqrt(p * (1 - p) / runs) for p in (test.alpha, test.beta))
    wrong, right = verdicts(test, pair_chances(test.elo0, nu, same), runs, seed)
    assert wrong < most_h1
    assert right > 1 - most_h1
    right, wrong = verdicts(test, pair_chances(test.elo1, nu, same), runs, seed + 1)
    assert wrong < most_h0
    assert right > 1 - most_h0
    # Far beyond the hypotheses mistakes are rare.
    assert verdicts(test, pair_chances(2 * test.elo1, nu, same), runs, seed)[1] < 0.02


def test_mistakes_are_as_rare_as_promised():
    check_errors(Sprt(0, 100), nu=1.0, same=0.3, runs=300)


def test_other_chances_of_mistakes_are_kept_as_well():
    test = Sprt(0, 120, alpha=0.2, beta=0.01)
    check_errors(test, nu=1.0, same=0.0, runs=300)
    wrong = verdicts(test, pair_chances(0, 1.0), 300, seed=5)[0]
    assert wrong > 0.08  # no more careful than it was asked to be


@pytest.mark.full
@pytest.mark.parametrize("test", [Sprt(0, 20), Sprt(0, 60), Sprt(-15, 15)], ids=str)
@pytest.mark.parametrize(("nu", "same"), [(0.0, 0.0), (1.0, 0.3), (8.0, 0.0)])
def test_mistakes_are_as_rare_as_promised_in_thousands_of_runs(test, nu, same):
    check_errors(test, nu, same, runs=2000)


# ------------------------------------------------------------------------ matches


PLAN = Match("tictactoe", ("greedy", "random"), pairs=500, random_plies=4, seed=3)


class Backwards:
    """Ends tasks in bunches of eight, the last of each first."""

    workers = 8

    def map(self, function, tasks):
        for start in range(0, len(tasks), 8):
            for number in reversed(range(start, min(start + 8, len(tasks)))):
                yield number, function(tasks[number])


def test_a_match_stops_by_itself_with_the_same_verdict_in_any_order_of_work(tmp_path):
    alone = play_sprt(PLAN, Sprt(0, 60))
    assert alone.decision == "H1"
    assert len(alone.result.games) == 2 * sum(alone.pairs) < 200
    saved = tmp_path / "match.jsonl"
    mixed = play_sprt(PLAN, Sprt(0, 60), executor=Backwards(), save=saved)
    assert [game.moves for game in mixed.result.games] == [
        game.moves for game in alone.result.games
    ]
    assert (mixed.llr, mixed.decision, mixed.pairs) == (alone.llr, alone.decision, alone.pairs)
    # More was played than counts: it stays in the file, and nothing is played again.
    lines = saved.read_text().splitlines()
    assert len(lines) - 1 >= sum(alone.pairs)
    again = play_sprt(PLAN, Sprt(0, 60), save=saved)
    assert again.result.games == mixed.result.games
    assert saved.read_text().splitlines() == lines


def test_a_running_ratio_is_reported_and_games_may_run_out():
    seen = []
    few = Match("tictactoe", ("random", "random:seed=2"), pairs=5, random_plies=2)
    result = play_sprt(few, Sprt(0, 1), on_pair=seen.append)
    assert [sum(each.pairs) for each in seen] == [1, 2, 3, 4, 5]
    assert result.decision is None
    assert result.complete
    assert result.llr == seen[-1].llr == Sprt(0, 1).llr(result.pairs)
    assert result.to_dict()["sprt"]["decision"] is None


def test_a_match_resumes_into_a_test_and_a_test_into_a_match(tmp_path):
    saved = tmp_path / "match.jsonl"
    short = Match("tictactoe", PLAN.engines, pairs=3, random_plies=4, seed=3)
    play_match(short, save=saved)
    result = play_sprt(PLAN, Sprt(0, 60), save=saved)
    fresh = play_sprt(PLAN, Sprt(0, 60))
    assert (result.llr, result.pairs) == (fresh.llr, fresh.pairs)
    assert len(play_match(short, save=saved).games) == 6


def test_pairs_that_repeat_others_are_no_evidence_and_end_the_test(run, tmp_path):
    plan = Match("tictactoe", ("first", "random:seed=1"), pairs=500, random_plies=0)
    saved = tmp_path / "match.jsonl"
    result = play_sprt(plan, Sprt(0, 10), save=saved)
    games = [(game.first, game.moves) for game in result.result.games]
    assert result.decision is None
    assert result.stalled
    assert result.complete
    assert result.repeated >= PATIENCE
    assert sum(result.pairs) == len(games) / 2 == 1
    assert len({(*games[at], *games[at + 1]) for at in range(0, len(games), 2)}) == len(games) / 2
    assert play_sprt(plan, Sprt(0, 10), save=saved) == result
    words = ("match", "tictactoe", "first", "random:seed=1", "--openings", "start")
    ran = run(*words, "--sprt", "0,10")
    assert ran.code == 4
    assert "No decision: the engines only repeat their games" in " ".join(ran.out.split())


def test_exit_codes_and_json(run):
    command = ("match", "tictactoe", "greedy", "random", "--json")
    ran = run(*command, "--sprt", "0,100")
    told = json.loads(ran.out)
    assert (ran.code, told["sprt"]["decision"], told["complete"]) == (0, "H1", True)
    assert told["sprt"]["llr"] >= told["sprt"]["upper"] == pytest.approx(2.944, abs=1e-3)
    assert sum(told["sprt"]["pairs"]) == told["games"] / 2
    ran = run(*command, "--sprt", "400,600")
    assert (ran.code, json.loads(ran.out)["sprt"]["decision"]) == (3, "H0")
    ran = run(*command, "--sprt", "0,1", "--games", "4")
    assert (ran.code, json.loads(ran.out)["sprt"]["decision"]) == (4, None)


def test_other_chances_of_mistakes_have_other_bounds(run):
    words = ("match", "tictactoe", "greedy", "random", "--sprt", "0,100")
    ran = run(*words, "--alpha", "0.2", "--beta", "0.01")
    assert "(-4.38 to 1.60) for +100 Elo (H1)" in ran.out
    for wrong in ("0", "0.5", "-1", "x"):
        assert run(*words, "--alpha", wrong).code == 2


def test_the_verdict_in_words(run):
    ran = run("match", "tictactoe", "greedy", "random", "--sprt", "0,100")
    assert "H1 is accepted: +100 Elo for greedy fits better." in ran.out
    assert "(-2.94 to 2.94) for +100 Elo (H1) against +0 Elo (H0)" in ran.out
    assert " of 20" not in ran.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("10", "--sprt takes two Elo differences such as 0,10, not '10'"),
        ("a,b", "--sprt takes two Elo differences"),
        ("10,0", "elo0 must be below elo1"),
        ("0,inf", "elo1 must be from -1000 to 1000"),
    ],
)
def test_bad_hypotheses_are_refused_on_the_command_line(run, text, message):
    ran = run("match", "tictactoe", "greedy", "random", "--sprt", text)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


@pytest.mark.full
def test_workers_and_a_kill_do_not_change_the_verdict(tmp_path):
    saved = tmp_path / "match.jsonl"
    test = ("--sprt", "0,30", "--seed", "2")
    names = ("match", "tictactoe", "greedy", "mcts:simulations=20", *test, "--save", str(saved))
    command = [sys.executable, "-m", "rl_toolkit.cli", *names]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not saved.exists() or len(saved.read_text().splitlines()) < 4:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    plan = Match("tictactoe", ("greedy", "mcts:simulations=20"), 10_000, random_plies=4, seed=2)
    # Someone may be editing the toolkit meanwhile; that is not what this is about.
    resumed = play_sprt(
        plan, Sprt(0, 30), executor=LocalProcesses(2), save=saved, if_changed="keep"
    )
    fresh = play_sprt(plan, Sprt(0, 30), executor=InProcess())
    assert (resumed.llr, resumed.decision, resumed.pairs) == (
        fresh.llr,
        fresh.decision,
        fresh.pairs,
    )


def pair_of(number, opening, moves, result=1):
    return [
        PlayedGame(number, first, (opening,), (*moves, first), result, (0.0, 0.0), (1, 1))
        for first in (0, 1)
    ]


def test_copies_do_not_count_until_the_engines_show_that_they_are_random():
    counting = _Counting(Match("tictactoe", ("greedy", "random"), 50), Sprt(0, 100))
    for number in range(4):
        counting.add(pair_of(number, opening=0, moves=(1, 2)))
    assert (counting.result().pairs[-1], counting.result().repeated) == (1, 3)
    counting.add(pair_of(4, opening=5, moves=(1, 2)))  # another opening shows nothing
    assert (counting.result().pairs[-1], counting.result().repeated) == (2, 3)
    before = counting.llr
    counting.add(pair_of(5, opening=0, moves=(1, 3)))  # the same one in another way
    found = counting.result()
    assert (found.pairs[-1], found.repeated, found.played) == (6, 0, 12)
    assert len(found.result.games) == 12
    assert counting.llr == Sprt(0, 100).llr([0, 0, 0, 0, 6]) != before
    counting.add(pair_of(6, opening=0, moves=(1, 3)))  # chance
    assert (counting.result().pairs[-1], counting.result().repeated) == (7, 0)


def cut_short(pair, plies, **changes):
    """A pair whose second game ends after so many plies."""
    return [pair[0], replace(pair[1], moves=pair[1].moves[:plies], **changes)]


LATE = Forfeit(0, "3/3/3 x", "exceeded its clock", "time")


def test_a_forfeit_does_not_make_copies_count():
    """A clock decides once, between deterministic engines that otherwise repeat their games."""
    counting = _Counting(Match("tictactoe", ("greedy", "first"), 1000), Sprt(0, 10))
    for number in range(600):
        pair = pair_of(
            number, opening=number % 10, moves=(1, 2), result=1 if number % 10 < 6 else -1
        )
        counting.add(cut_short(pair, 1, forfeit=LATE, result=-1) if number == 25 else pair)
    found = counting.result()
    assert (found.decision, found.stalled) == (None, True)
    assert found.pairs == (4, 0, 1, 0, 6)  # each opening once, and the game that was lost on time
    assert found.repeated == PATIENCE + 15


def test_different_moves_before_a_forfeit_show_no_randomness():
    counting = _Counting(Match("tictactoe", ("greedy", "first"), 50), Sprt(0, 100))
    counting.add(pair_of(0, opening=0, moves=(1, 2)))
    counting.add(pair_of(1, opening=0, moves=(1, 2)))
    counting.add(cut_short(pair_of(2, opening=0, moves=(3, 4)), 1, forfeit=LATE, result=-1))
    assert (counting.result().pairs, counting.result().repeated) == ((0, 0, 1, 0, 1), 1)
    counting.add(pair_of(3, opening=0, moves=(1, 2)))
    assert counting.result().repeated == 2
    counting.add(pair_of(4, opening=0, moves=(1, 5)))  # without a forfeit they do
    assert (counting.result().pairs, counting.result().repeated) == ((0, 0, 1, 0, 4), 0)


@pytest.mark.parametrize("first_is_short", [True, False])
def test_a_proof_that_ends_a_game_earlier_is_not_another_way(first_is_short):
    counting = _Counting(Match("tictactoe", ("greedy", "first"), 50), Sprt(0, 100))
    proof = Adjudication(1, "exact", 2)
    for number in range(4):
        pair = pair_of(number, opening=0, moves=(1, 2))
        is_short = (number == 0) == first_is_short
        counting.add(cut_short(pair, 2, adjudication=proof) if is_short else pair)
    # A longer game says more than a shorter one, and a shorter one nothing new.
    assert counting.result().pairs[-1] == (2 if first_is_short else 1)
    assert counting.result().repeated == (2 if first_is_short else 3)
    counting.add(cut_short(pair_of(4, 0, moves=(1, 3)), 2, adjudication=proof))
    assert counting.result().repeated == 0  # with other moves it is
