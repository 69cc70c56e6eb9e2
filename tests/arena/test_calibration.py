"""Calibrations: which games are played next, resuming, and games that can be played again."""

import json
import time
from dataclasses import replace

import pytest

from rl_toolkit import __version__
from rl_toolkit.arena.calibration.choosing import FARTHEST, FIRST, next_pairs
from rl_toolkit.arena.calibration.plan import Calibration
from rl_toolkit.arena.calibration.results import CalibrationResult, replay
from rl_toolkit.arena.calibration.running import calibrate
from rl_toolkit.arena.runs import saved_pairs
from rl_toolkit.arena.runs.stamps import ChangedCodeError
from rl_toolkit.players.levels.ratings import RatedLadder

PLAN = Calibration(
    "tictactoe", ("random", "greedy:slips=1", "greedy"), random_plies=1, seed=3, target=150
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished calibration, and the file of its games.

    Every pair counts as a hundredth of a second, so that they are the same on every machine.
    """
    save = tmp_path_factory.mktemp("calibration") / "games.jsonl"
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(CalibrationResult, "seconds", lambda self, pairing: 0.01)
        return calibrate(PLAN, save=save, round_seconds=0.3), save


# --- which games are played next ----------------------------------------------------------------


def test_new_pairings_come_first():
    played = {(0, 1): FIRST, (1, 2): 0, (0, 2): 0}
    chosen = next_pairs([0, 0, 0], [False, True, True], played, dict.fromkeys(played, 1.0), 1)
    assert chosen == [(1, 2), (0, 2)]


def test_far_players_need_not_meet():
    played = {(0, 1): 3, (1, 2): 3, (2, 3): 3, (0, 2): 3, (1, 3): 3, (0, 3): 0}
    costs = dict.fromkeys(played, 1.0)
    chosen = next_pairs([0, 300, 600, 1800], [False, True, True, True], played, costs, 5)
    assert (0, 3) not in chosen
    near = next_pairs([0, 100, 200, 300], [False, True, True, True], played, costs, 5)
    assert (0, 3) in near  # one such game tells more than three of neighbours


def test_players_too_far_apart_do_not_meet_however_cheap_it_is():
    played = {(0, 1): 3, (1, 2): 3, (2, 3): 3, (0, 2): 3, (1, 3): 3, (0, 3): 0}
    costs = dict.fromkeys(played, 1.0) | {(0, 3): 1e-9}
    wide = [False, True, True, True]
    assert (0, 3) in next_pairs([0, 200, 400, FARTHEST], wide, played, costs, 1e-6)
    assert (0, 3) not in next_pairs([0, 200, 400, FARTHEST + 1], wide, played, costs, 1e-6)


def test_of_two_equal_pairings_the_cheaper_one_is_chosen():
    played = {(0, 1): 10, (1, 2): 10, (0, 2): 10}
    seconds = {(0, 1): 1.0, (1, 2): 5.0, (0, 2): 1.0}
    chosen = next_pairs([0, 0, 0], [False, True, True], played, seconds, 20)
    assert set(chosen) == {(0, 1), (0, 2)}
    assert 19 <= len(chosen) <= 20  # the seconds of each are counted


def test_only_wide_intervals_matter():
    played = dict.fromkeys(((0, 1), (1, 2), (2, 3)), 10)
    costs = dict.fromkeys(played, 1.0)
    below = next_pairs([0, 200, 400, 600], [False, True, False, False], played, costs, 6)
    assert set(below) == {(0, 1)}  # the pairs above say nothing about player 1
    above = next_pairs([0, 200, 400, 600], [False, False, False, True], played, costs, 6)
    assert set(above) == {(0, 1), (1, 2), (2, 3)}


def test_a_pairing_of_equals_tells_more_than_one_that_is_decided():
    played = {(0, 1): 10, (1, 2): 10, (0, 2): 10}
    chosen = next_pairs([0, 50, 900], [False, True, False], played, dict.fromkeys(played, 1.0), 4)
    assert set(chosen) == {(0, 1)}


# --- playing ------------------------------------------------------------------------------------


def test_it_ends_when_all_intervals_are_small_enough(played):
    result, _ = played
    ratings = result.ratings()
    assert result.done
    assert ratings.rating("random") == 0 < ratings.rating("greedy:slips=1")
    assert ratings.rating("greedy:slips=1") < ratings.rating("greedy")
    for player in PLAN.players:
        low, high = ratings.interval(player)
        assert ratings.rating(player) - low <= 150
        assert high - ratings.rating(player) <= 150
    assert not replace(result, plan=replace(PLAN, target=10)).done


def test_an_interrupted_run_resumes(played, tmp_path):
    result, save = played
    lines = save.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])
    resumed = calibrate(PLAN, save=cut, seconds=0)
    assert resumed.count == 2 * (len(lines) // 2 - 1)
    for pairing, pairs in resumed.games.items():
        for pair, games in pairs.items():
            assert games == result.games[pairing][pair]
    assert calibrate(PLAN, save=cut, round_seconds=0.3).done


def test_a_finished_file_is_read_and_nothing_is_played(played):
    result, save = played
    before = save.read_bytes()
    again = calibrate(PLAN, save=save)
    assert save.read_bytes() == before
    assert again.ladder("2026-01-01") == result.ladder("2026-01-01")


def test_stamps_are_made_before_the_clock_starts(tmp_path, monkeypatch):
    events, stamp = [], saved_pairs.stamp_of
    monkeypatch.setattr(
        saved_pairs, "stamp_of", lambda *a, **k: events.append("stamp") or stamp(*a, **k)
    )

    def clock():
        events.append("clock")
        return time.monotonic()

    calibrate(PLAN, save=tmp_path / "new.jsonl", seconds=0.01, clock=clock)
    stamps = len(PLAN.players)
    assert events[: stamps + 1] == ["stamp"] * stamps + ["clock"]
    assert "stamp" not in events[stamps:]


def test_an_unknown_decision_about_older_games_is_refused():
    with pytest.raises(ValueError, match="if_changed must be one of refuse, replay, keep"):
        calibrate(PLAN, if_changed="ask")


def test_games_of_other_players_in_the_file_count_for_those_who_stayed(played):
    result, save = played
    other = replace(PLAN, players=("random", "greedy:slips=1", "first"))
    kept = calibrate(other, save=save, seconds=0)
    assert kept.games[0, 1] == result.games[0, 1]
    assert kept.games[1, 2] == {} == kept.games[0, 2]


def test_games_of_older_code_are_refused_kept_or_left_out(played, tmp_path):
    result, save = played
    older = tmp_path / "older.jsonl"
    head, *rest = save.read_text().splitlines()
    changed = [json.dumps(json.loads(line) | {"code": ["0" * 16] * 2}) for line in rest]
    older.write_text("\n".join([head, *changed]) + "\n")
    with pytest.raises(ChangedCodeError, match=f"since {result.count} games"):
        calibrate(PLAN, save=older, seconds=0)
    assert calibrate(PLAN, save=older, seconds=0, if_changed="keep").count == result.count
    assert calibrate(PLAN, save=older, seconds=0, if_changed="replay").count == 0


def test_games_that_were_played_again_are_not_refused_later(played, tmp_path):
    result, save = played
    head, *rest = save.read_text().splitlines()
    codes = {
        spec: code
        for line in map(json.loads, rest)
        for spec, code in zip(line["players"], line["code"], strict=True)
    }
    older = [line.replace(codes["greedy"], "0" * 16) for line in rest]
    changed = [new for old, new in zip(rest, older, strict=True) if old != new]
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join([head, *older]) + "\n")
    with pytest.raises(ChangedCodeError, match=f"code of greedy has .* {2 * len(changed)} games"):
        calibrate(PLAN, save=both, seconds=0)
    both.write_text("\n".join([head, *older, *rest]) + "\n")
    assert calibrate(PLAN, save=both, seconds=0).count == result.count


def test_a_pair_that_was_played_again_is_one_pair_and_the_latest(played, tmp_path):
    result, save = played
    head, first, *rest = save.read_text().splitlines()
    again = tmp_path / "again.jsonl"
    again.write_text("\n".join([head, first, *rest, first]) + "\n")
    order = calibrate(PLAN, save=again, seconds=0, if_changed="keep").played
    assert order == [*result.played[1:], result.played[0]]


def test_a_line_names_the_versions_that_played(played):
    _, save = played
    for line in save.read_text().splitlines()[1:]:
        assert json.loads(line)["versions"] == [__version__] * 2


def test_it_stops_after_the_time_that_it_has():
    ticks = iter(range(0, 1000, 30))
    result = calibrate(
        replace(PLAN, target=1),
        seconds=40,
        round_seconds=0.3,
        clock=lambda: float(next(ticks)),
    )
    assert result.count > 0
    assert not result.done


# --- the data -----------------------------------------------------------------------------------


def test_stored_games_are_played_again_move_by_move(played):
    ladder = played[0].ladder("2026-01-01")
    assert len(ladder.stored) == 4  # two neighbours, two games each
    assert RatedLadder.from_dict(ladder.to_dict()) == ladder
    for stored in ladder.stored:
        assert replay(ladder, stored) == stored
    drifted = replace(ladder, seed=4)
    assert any(replay(drifted, stored) != stored for stored in ladder.stored)


def test_moves_are_judged_by_exact_play(played):
    result, _ = played
    found = result.accuracies(40)
    assert set(found) == set(PLAN.players)
    assert found["random"] < found["greedy"] <= 1
    ladder = result.ladder("2026-01-01", found)
    assert [each.accuracy for each in ladder.ratings] == [found[player] for player in PLAN.players]


def test_the_data_name_games_and_time_of_each_player(played):
    result, _ = played
    ladder = result.ladder("2026-01-01")
    assert [each.spec for each in ladder.ratings] == list(PLAN.players)
    assert sum(each.games for each in ladder.ratings) == 2 * ladder.games == 2 * result.count
    assert all(each.milliseconds >= 0 for each in ladder.ratings)


@pytest.mark.parametrize("spec", PLAN.players)
def test_the_time_of_a_player_is_that_of_its_latest_games(played, tmp_path, spec):
    head, *rest = played[1].read_text().splitlines()
    lines = [json.loads(line) for line in rest]
    *early, latest = [number for number, line in enumerate(lines) if spec in line["players"]]
    fast = {*early[-19:], latest}
    assert len(early) > 19
    for number, line in enumerate(lines):
        for game in line["games"]:
            game["seconds"] = [0.002 * n if number in fast else 9.0 for n in game["thought"]]
    slow = tmp_path / "slow.jsonl"
    slow.write_text("\n".join([head, *map(json.dumps, lines)]) + "\n")
    assert calibrate(PLAN, save=slow, seconds=0).ladder("2026-01-01").of(spec).milliseconds == 2


# --- plans --------------------------------------------------------------------------------------


def test_a_plan_begins_with_random_play_and_has_a_target():
    with pytest.raises(ValueError, match="the first player of a ladder is random"):
        Calibration("tictactoe", ("greedy", "random"), 1)
    with pytest.raises(ValueError, match="target must be above 0"):
        replace(PLAN, target=0)
    with pytest.raises(ValueError, match="tictactoe-4x4x4 has no ladder to calibrate"):
        Calibration.of_game("tictactoe-4x4x4")


def test_all_players_meet_the_nearest_first():
    plan = replace(PLAN, players=(*PLAN.players, "first"))
    assert plan.pairings == [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)]
    assert PLAN.match((1, 2)).engines == ("greedy", "greedy:slips=1")
