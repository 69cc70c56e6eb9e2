"""Ratings, what is due, and a week of puzzles with a clock that is moved by hand."""

import os
import random
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from rl_toolkit.library import Library
from rl_toolkit.puzzles import (
    DAY,
    Attempt,
    Glicko,
    MistakesOf,
    PuzzleError,
    PuzzleStore,
    Standing,
    climbing,
    daily,
    days_in_a_row,
    next_puzzle,
    shipped,
    standings,
)
from rl_toolkit.records import GameRecord

GAME = "connect-four"
#: A game that X gives away.
LOST = GameRecord("tictactoe", (1, 0, 5, 4, 2, 8), ("You", "hard"), -1)


def attempt(puzzle, time, solved, **more):
    return Attempt(puzzle.name, puzzle.kind, puzzle.rating, time, solved, **more)


# -------------------------------------------------------------------------------------- ratings


def test_glickos_own_example():
    """Three games one after the other give nearly what Glickman's paper has for them together."""
    player = Glicko(1500, 200)
    for rating, deviation, score in ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0)):
        player = player.after(rating, deviation, score)
    assert player.rating == pytest.approx(1464, abs=4)
    assert player.deviation == pytest.approx(151.4, abs=2)


def test_a_rating_finds_the_strength_of_a_player():
    for strength in (400, 1200, 1800):
        rng, player = random.Random(strength), Glicko()
        for _ in range(150):
            puzzle = player.rating - 150
            chance = 1 / (1 + 10 ** ((puzzle - strength) / 400))
            player = player.after(puzzle, 120, rng.random() < chance)
        assert abs(player.rating - strength) < 110
        assert player.deviation < 60 < player.away(400).deviation


def test_only_first_attempts_without_hints_are_rated():
    one, two, three = shipped(GAME)[:3]
    log = [
        attempt(one, 1000, True),
        attempt(one, 2000, False),  # seen before
        attempt(two, 3000, True, hints=1),
        attempt(three, 4000, True, mode="storm"),
    ]
    standing = standings(log)[GAME]
    assert standing.rated == 1
    assert standing.glicko.rating > 800
    assert standing.history == [(1000, standing.glicko.rating)]
    assert standing.seen == {each.name for each in (one, two, three)}


# ------------------------------------------------------------------------------------ a week


def test_a_week_of_use(tmp_path):
    """Missed puzzles come back the next day, until they are solved twice; then one of the kind.

    Two games are lost meanwhile, by the same mistake: it is asked until it is known, too.
    """
    puzzles, rng = shipped(GAME), random.Random(3)
    now = datetime(2026, 5, 4, 18).timestamp()
    first_day = now
    seen_on, mine_on = {}, []
    with Library(tmp_path / "library.db") as library, PuzzleStore(library.path) as store:
        missed = []
        for day in range(7):
            standing = standings(store.attempts(), store.reviews()).get(GAME, Standing())
            due = [review.puzzle for review in standing.due(now)]
            if day == 0:
                assert not due
            if day == 1:
                assert sorted(due) == sorted(each.name for each in missed)
            for number in range(5):
                standing = standings(store.attempts(), store.reviews()).get(GAME, Standing())
                puzzle = next_puzzle(puzzles, standing, now, rng)
                if number < len(due):
                    assert puzzle.name in due  # what is due comes first
                else:
                    known = {review.puzzle for review in standing.ready(now) if review.sibling}
                    assert puzzle.name not in standing.seen or known
                solved = not (day == 0 and number < 2)
                if not solved:
                    missed.append(puzzle)
                seen_on.setdefault(puzzle.name, []).append(day)
                assert store.add([attempt(puzzle, now, solved, seconds=20.0)]) == 1
                now += 60

            if day in (1, 3):
                accuracy = (0.25 * day, 1.0)
                number = library.add(LOST, origin="play", engines=(False, True), accuracy=accuracy)
                look = MistakesOf(library, store)
                look.at(number, now)
                assert look.added == (day == 1)
            standing = standings(store.attempts(), store.reviews()).get(LOST.game, Standing())
            for review in standing.due(now):
                (puzzle, _) = store.puzzles()[review.puzzle]
                store.add([attempt(puzzle, now, day > 1, mode="mine")])
                mine_on.append(day)
            now = first_day + (day + 1) * DAY
        assert mine_on[:2] == [1, 2]  # missed, so it is asked on the next day
        assert len(mine_on) == 3
        insight = library.insight()
        assert (insight.total.lost, insight.total.won, insight.reviewed) == (2, 0, 2)
        assert insight.accuracy[0].mean == 0.5
        log = [each for each in store.attempts() if each.game == GAME]
        assert len(log) == 35
        for puzzle in missed:
            days = seen_on[puzzle.name]
            assert days[:2] == [0, 1]
            assert 3 <= len(days) <= 4
            review = standings(log)[GAME].reviews.get(puzzle.name)
            assert review is None or review.sibling
        assert days_in_a_row(log, date(2026, 5, 10)) == 7
        assert days_in_a_row(log, date(2026, 5, 11)) == 7  # today is not over
        assert days_in_a_row(log, date(2026, 5, 12)) == 0
        rated = standings(log)[GAME]
        assert rated.glicko.rating > 900
        assert rated.best_run == 33

        # Everything can be taken along, and erased.
        text = store.to_json()
        with PuzzleStore(tmp_path / "other.db") as other:
            assert other.read(text) == (38, 1)
            assert other.read(text) == (0, 0)
            assert other.to_json() == text
        assert store.erase() == 38
        assert store.attempts() == []


def test_own_mistakes_are_due_at_once_and_come_back(tmp_path):
    own = shipped("reversi-8")[0]
    with PuzzleStore(tmp_path / "library.db") as store:
        assert (store.keep([own], 1000.0), store.keep([own], 2000.0)) == (1, 0)
        standing = standings([], store.reviews())["reversi-8"]
        assert [review.puzzle for review in standing.due(1000)] == [own.name]
        first = attempt(own, 1500.0, True, mode="mine")
        standing = standings([first], store.reviews())["reversi-8"]
        assert not standing.due(1500 + DAY)
        assert [review.puzzle for review in standing.due(1500 + 5 * DAY)] == [own.name]
        text = store.to_json()
        with PuzzleStore(tmp_path / "other.db") as other:
            assert other.read(text) == (0, 1)
            assert other.puzzles() == store.puzzles()


def test_intervals_grow_and_shrink():
    puzzle = shipped(GAME)[0]
    log, now = [attempt(puzzle, 0.0, False)], 0.0
    gaps = []
    for solved in (True, False, False, True, True):
        review = standings(log)[GAME].reviews[puzzle.name]
        gaps.append((review.due - now) / DAY)
        now = review.due
        log.append(attempt(puzzle, now, solved))
    assert all(0.75 <= gaps[k] < 0.9 for k in (0, 2, 3))  # tomorrow, also earlier in the day
    assert gaps[1] > 1.25
    assert standings(log)[GAME].reviews[puzzle.name].sibling  # twice in a row


def test_at_most_twenty_reviews_a_day():
    puzzles, rng = shipped(GAME)[:30], random.Random(1)
    log = [attempt(each, float(k), False) for k, each in enumerate(puzzles)]
    due = standings(log)[GAME].due(10 * DAY)
    assert len(due) == 20
    assert [review.due for review in due] == sorted(review.due for review in due)
    missed = {each.name for each in puzzles}
    for day, number in ((10, 20), (11, 10)):  # the rest waits until tomorrow
        came = 0
        for minute in range(25):
            now = day * DAY + 60 * minute
            puzzle = next_puzzle(shipped(GAME), standings(log)[GAME], now, rng)
            came += puzzle.name in missed
            log.append(attempt(puzzle, now, True))
        assert came == number


def test_what_cannot_be_asked_does_not_keep_others_from_coming_back():
    puzzle, *others = shipped("tictactoe")
    strange = [
        replace(attempt(puzzle, 0.0, False), puzzle=f"{puzzle.game}/{k:08x}") for k in range(9)
    ]
    assert not standings(strange)[puzzle.game].ready(10 * DAY)  # of a file that was a set
    same = [each for each in others if each.kind == puzzle.kind]
    log = [attempt(each, t, right) for each in same for t, right in enumerate((False, True, True))]
    log.append(attempt(puzzle, 3.0, False))  # the last of its kind: nothing is left to replace them
    standing = standings(log)[puzzle.game]
    assert sum(each.sibling for each in standing.ready(400 * DAY)) == len(same)
    assert [each.puzzle for each in standing.due(400 * DAY)] == [puzzle.name]
    rng = random.Random(1)
    assert next_puzzle([puzzle, *others], standing, 400 * DAY, rng, theme=puzzle.kind) == puzzle


# ----------------------------------------------------------------------------------- choosing


def test_puzzles_come_near_the_rating_and_of_the_theme():
    puzzles, rng = shipped("reversi-8"), random.Random(1)
    for rating in (600, 1200, 1800):
        standing = Standing(glicko=Glicko(rating, 60))
        some = [next_puzzle(puzzles, standing, 0.0, rng) for _ in range(20)]
        assert all(abs(each.rating - (rating - 150)) <= 100 for each in some)
    assert next_puzzle(puzzles, Standing(), 0.0, rng, theme="discs").kind == "discs"
    with pytest.raises(PuzzleError, match="no puzzle of the kind fours"):
        next_puzzle(puzzles, Standing(), 0.0, rng, theme="fours")


def test_a_storm_gets_harder():
    rng = random.Random(2)
    ratings = [climbing(shipped("reversi-8"), Standing(), k, rng).rating for k in range(0, 40, 5)]
    assert ratings[-1] > ratings[0] + 600


def test_the_puzzle_of_the_day_is_the_same_for_everybody():
    days = [date(2026, 1, 1) + timedelta(days=k) for k in range(100)]
    chosen = [daily(day) for day in days]
    assert [daily(day) for day in days] == chosen
    assert len({each.game for each in chosen}) == 5
    assert len({each.name for each in chosen}) > 85


def test_what_is_not_an_attempt_is_refused():
    good = attempt(shipped(GAME)[0], 10.0, True).to_dict()
    assert Attempt.from_dict(good).to_dict() == good
    for wrong in (
        {"kind": "joke"},
        {"time": float("nan")},
        {"solved": 1},
        {"puzzle": "x"},
        {"a": 1},
    ):
        with pytest.raises(PuzzleError):
            Attempt.from_dict({**good, **wrong})
    with pytest.raises(PuzzleError, match="lacks"):
        Attempt.from_dict({"puzzle": good["puzzle"]})


def test_a_library_that_is_only_read_remembers_attempts_while_it_is_open(tmp_path, monkeypatch):
    path, puzzle = tmp_path / "a.db", shipped(GAME)[0]
    with PuzzleStore(path) as store:
        store.note([attempt(puzzle, 1, True)])
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with PuzzleStore(path) as store:
        store.note([attempt(puzzle, 2, False)])
        assert [(each.time, each.solved) for each in store.attempts()] == [(1, True), (2, False)]
    with PuzzleStore(path) as store:
        assert [each.time for each in store.attempts()] == [1]
