"""Samples to judge engines by: repeatable, spread, distinct, in two parts, with exact scores."""

from __future__ import annotations

import hashlib
import json
import os
import random
import threading
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from brute_force import BruteForce

from rl_toolkit.algorithms.connect_four.position import after, completes_four, position_of
from rl_toolkit.arena import labelled_samples, samples
from rl_toolkit.arena.exact_scores import (
    NotSolvedError,
    exactly_best,
    keeping,
    scores_of,
    solver_spec,
)
from rl_toolkit.arena.labelled_samples import ILLEGAL, Labelled, label, save_arrays
from rl_toolkit.arena.runs import journal as journals
from rl_toolkit.arena.runs.journal import Journal, JournalError
from rl_toolkit.arena.sample_games import play_out, policies_for, safe, stones_on
from rl_toolkit.arena.samples import (
    PARTS,
    Sample,
    canonical,
    draw,
    every_position,
    part_of,
)
from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.records import position_from_text


@pytest.fixture(scope="module")
def positions():
    return draw(Sample("connect-four", 60))


# ----------------------------------------------------------------------------- which positions


def test_the_usual_sample_is_the_one_that_figures_are_given_for(positions):
    """Pinned: whoever changes how positions are drawn must raise `samples.RECIPE`."""
    text = "\n".join(positions)
    assert hashlib.sha256(text.encode()).hexdigest().startswith("73f9153ad90b32e8")


def test_a_sample_is_spread_evenly_over_the_game(positions):
    counts = Counter(Labelled(text, {}).stones for text in positions)
    assert len(positions) == 60
    assert set(counts) == set(range(1, 41))
    assert set(counts.values()) <= {1, 2, 3}


def test_a_larger_sample_has_the_smaller_one_in_it(positions):
    assert set(draw(Sample("connect-four", 20))) <= set(positions)


def test_there_is_something_to_choose_and_no_position_comes_twice(positions):
    envs = [position_from_text("connect-four", text) for text in positions]
    assert all(len(env.get_legal_moves()) >= 2 for env in envs)
    assert len({canonical(env) for env in envs}) == len(positions)


def test_mirror_images_are_one_position():
    left, right = (position_from_text("connect-four", f"7/7/7/7/7/{row} o") for row in ("x6", "6x"))
    assert canonical(left) == canonical(right)


def test_no_position_is_in_both_parts_whatever_the_seeds(positions):
    assert {part_of(canonical(position_from_text("connect-four", t))) for t in positions} == {
        "grade"
    }
    other = draw(Sample("connect-four", 12, part="judge"))
    assert {part_of(canonical(position_from_text("connect-four", t))) for t in other} == {"judge"}
    assert len(PARTS) == 2


def test_few_positions_with_few_stones_are_made_up_for_later():
    small = draw(Sample("connect-four-4x4x4", 100))
    counts = Counter(Labelled(text, {}).stones for text in small)
    assert counts[1] <= 2  # of four columns two are mirror images
    assert counts[8] > 100 / 14
    assert len(small) == 100


def test_every_position_of_tictactoe_is_listed_once(monkeypatch):
    listed = every_position(make_game("tictactoe"))
    assert len(set(listed)) == len(listed) == 5478 - 958
    monkeypatch.setattr(samples, "every_position", lambda game: listed)
    some = draw(Sample("tictactoe", 100))
    assert len(some) == 100
    assert set(some) < set(listed)
    assert draw(Sample("tictactoe")) == listed


def test_late_positions_of_reversi():
    for text in draw(Sample("reversi-6", 12)):
        env = position_from_text("reversi-6", text)
        assert 2 <= np.count_nonzero(env.board == 0) <= 14
        assert not env.is_terminal()


def test_what_has_no_exact_scores_is_refused():
    with pytest.raises(ValueError, match="gomoku-15 has no exact solver"):
        Sample("gomoku")
    with pytest.raises(ValueError, match="positions must be at least 1, not 0"):
        Sample("connect-four", 0)
    with pytest.raises(ValueError, match="part must be judge or grade"):
        Sample("connect-four", part="train")
    with pytest.raises(NotSolvedError, match="has no exact solver"):
        solver_spec("tictactoe-5x5x4")
    with pytest.raises(NotSolvedError, match="the game is over"):
        scores_of(position_from_text("tictactoe", "xxx/oo1/3 x"))


def test_safe_players_neither_win_nor_let_the_other_win_at_once():
    rng = random.Random(4)
    looked_at = 0
    for stones in (12, 18, 24, 30):
        env = make_game("connect-four")
        if not play_out(env, stones, rng):
            continue
        position = position_of(env)
        chosen = {safe(env, rng) for _ in range(40)}
        for move in chosen:
            child = after(position, move, 6)
            legal = [col for col in range(7) if not child.taken >> (7 * col + 5) & 1]
            harmless = not completes_four(position, move, 6) and not any(
                completes_four(child, reply, 6) for reply in legal
            )
            looked_at += harmless
            assert harmless or len(chosen) > 1  # any move, where no move is harmless
    assert looked_at > 4
    assert safe in policies_for(make_game("connect-four"))


# ------------------------------------------------------------------------------- exact scores


@pytest.mark.parametrize(
    ("game", "stones"), [("connect-four-4x4x4", 10), ("reversi-6", 31), ("tictactoe", 4)]
)
def test_scores_have_the_signs_of_the_results(game, stones):
    rng, oracle = random.Random(8), BruteForce()
    for _ in range(6):
        env = make_game(game)
        if not play_out(env, stones, rng) or stones_on(env) != stones:
            continue
        scores = scores_of(env)
        assert scores.keys() == set(env.get_legal_moves())
        for move, score in scores.items():
            assert np.sign(score) == oracle.after(env, move)[0]


def test_scores_are_those_of_the_literature():
    start = make_game("connect-four")
    scores = scores_of(start)
    assert list(scores.values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert keeping(scores) == exactly_best(scores) == {3}


def test_faster_wins_and_slower_losses_score_more():
    wins = scores_of(position_from_text("tictactoe", "xx1/oo1/3 x"))
    assert exactly_best(wins) == {2}
    assert keeping({0: 5, 1: 2, 2: 0}) == {0, 1}
    assert keeping({0: -5, 1: -2}) == {0, 1}
    assert exactly_best({0: -5, 1: -2}) == {1}


# ------------------------------------------------------------------------------------- the cache


def test_exact_scores_are_found_once(tmp_path, monkeypatch):
    sample = Sample("reversi-4", 30)
    found = label(sample, folder=tmp_path)
    assert len(found) == 30
    monkeypatch.setattr(labelled_samples, "scores_of", None)  # nobody is asked again
    monkeypatch.setattr(labelled_samples, "draw", None)
    assert label(sample, folder=tmp_path) == found


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path, monkeypatch):
    sample = Sample("reversi-4", 40)
    whole = label(sample, folder=tmp_path / "whole")
    (path,) = (tmp_path / "whole").iterdir()
    data = path.read_bytes()
    lines = data.splitlines(keepends=True)
    cut = b"".join(lines[:3]) + lines[3][:20]  # within the second line of scores
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / path.name).write_bytes(cut)
    asked = []
    monkeypatch.setattr(
        labelled_samples, "scores_of", lambda *task: asked.append(task) or scores_of(*task)
    )
    assert label(sample, folder=tmp_path / "cut") == whole
    assert len(asked) == 40 - 16  # the first line of scores was there


def test_progress_is_told(tmp_path):
    heard = []
    label(Sample("reversi-4", 20), None, lambda *news: heard.append(news), tmp_path)
    assert ("drawing positions", 20, 20) in heard
    assert heard[-1] == ("finding exact scores", 20, 20)


def test_the_arrays_of_a_sample_say_the_same(tmp_path):
    sample = label(Sample("connect-four", 12), folder=tmp_path)
    save_arrays(tmp_path / "sample.npz", "connect-four", sample)
    with np.load(tmp_path / "sample.npz") as arrays:
        planes, scores, plies = arrays["planes"], arrays["scores"], arrays["plies"]
    assert planes.shape == (12, 2, 6, 7)
    for row, each in enumerate(sample):
        env = position_from_text("connect-four", each.position)
        seen = planes_of([env])[0]
        assert np.array_equal(planes[row].transpose(1, 2, 0), seen[..., :2] > 0)
        legal = {m: int(s) for m, s in enumerate(scores[row]) if s != ILLEGAL}
        assert legal == each.scores
        assert plies[row] == np.count_nonzero(env.board)


# ----------------------------------------------------------------------------------- the journal


def test_a_journal_keeps_what_is_done(tmp_path):
    path = tmp_path / "folder" / "work.jsonl"
    with Journal(path, "test", {"game": "x"}) as journal:
        assert journal.done == []
        journal.add({"a": 1})
    with Journal(path, "test", {"game": "x"}) as journal:
        assert journal.done == [{"a": 1}]
        journal.add({"a": 2})
    assert [json.loads(line) for line in path.read_text().splitlines()][1:] == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_half_a_line_is_cut_off(tmp_path, cut):
    path = tmp_path / "work.jsonl"
    with Journal(path, "test", {}) as journal:
        journal.add({"a": 1})
        journal.add({"b": "x" * 100})
    path.write_bytes(path.read_bytes()[:-cut])
    with Journal(path, "test", {}) as journal:
        assert journal.done == [{"a": 1}]
        journal.add({"c": 3})
    assert path.read_text().endswith('{"a": 1}\n{"c": 3}\n')


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("my diary\n", "line 1 cannot be read"),
        ("my diary, in which there is no end of a line, only much text " * 3, "is not a journal"),
        ("my only notes", "is not a journal"),
        ('{"a": 1}\n', "is not an rl_toolkit test"),
        ('{"format": "rl_toolkit test", "version": 1, "game": "y"}\n', r"\(game y, not x\)"),
        ('{"format": "rl_toolkit test", "version": 1, "game": "x"}\n[]\n', "line 2 cannot be read"),
    ],
)
def test_what_is_not_this_work_is_refused_and_left_alone(tmp_path, content, complaint):
    path = tmp_path / "work.jsonl"
    path.write_text(content)
    with pytest.raises(JournalError, match=complaint):
        Journal(path, "test", {"game": "x"})
    assert path.read_text() == content


@pytest.fixture
def stopped_clock(monkeypatch):
    """`add` never finds that it is time to wait for the disk; whatever is later comes at once."""
    monkeypatch.setattr(journals, "time", SimpleNamespace(monotonic=lambda: 100.0))
    monkeypatch.setattr(journals, "_SYNC_EVERY", 0.01)


def test_a_line_reaches_the_disk_even_if_no_other_follows(tmp_path, monkeypatch, stopped_clock):
    sizes, reached = [], threading.Event()

    def spy(file):
        sizes.append(os.fstat(file).st_size)
        if len(sizes) == 2:
            reached.set()

    path = tmp_path / "work.jsonl"
    monkeypatch.setattr(journals.os, "fsync", spy)
    with Journal(path, "test", {}) as journal:
        journal.add({"a": 1})
        assert reached.wait(60)
        assert sizes[1] == path.stat().st_size > sizes[0]


def test_a_disk_that_fails_later_is_told_with_the_next_line(tmp_path, monkeypatch, stopped_clock):
    failed = threading.Event()

    def fail(file):
        failed.set()
        raise OSError("no disk")

    journal = Journal(tmp_path / "work.jsonl", "test", {})
    with monkeypatch.context() as patch:
        patch.setattr(journals.os, "fsync", fail)
        journal.add({"a": 1})
        assert failed.wait(60)
        with pytest.raises(OSError, match="no disk"):
            journal.add({"a": 2})
        with pytest.raises(OSError, match="no disk"):
            journal.close()
    assert journal._file.closed
    journal.close()  # nothing is left to do
    with Journal(tmp_path / "work.jsonl", "test", {}) as journal:
        assert journal.done == [{"a": 1}]


def test_two_runs_do_not_write_to_one_journal(tmp_path):
    pytest.importorskip("fcntl")
    first = Journal(tmp_path / "work.jsonl", "test", {})
    with pytest.raises(JournalError, match="another run is writing"):
        Journal(tmp_path / "work.jsonl", "test", {})
    first.close()
    Journal(tmp_path / "work.jsonl", "test", {}).close()
