"""The rules that prove bounds at a glance: sound against a search without them, and of use."""

import os
import random

import numpy as np
import pytest
from connect_four_positions import random_game

from rl_toolkit.algorithms.connect_four.position import position_of
from rl_toolkit.kernels.connect_four import board, proofs
from rl_toolkit.kernels.connect_four.solver import Ideas, Solver, deciding_threat

RULES = {
    "follow_up": proofs.FOLLOW_UP,
    "odd_threat": proofs.ODD_THREAT,
    "dead_lines": proofs.DEAD_LINES,
}
NO_RULES = Ideas(follow_up=False, odd_threat=False, dead_lines=False)

# `make soundness` asks for many more.
POSITIONS = int(os.environ.get("SOUNDNESS_POSITIONS", "200"))


def check_rules(rows, cols, positions, seed, earliest):
    """Every rule on every window of random positions; how often each told something."""
    chance, solver = random.Random(seed), Solver(rows, cols, NO_RULES)
    words = np.array(board.board_words(rows, cols), dtype=np.uint64)
    told = dict.fromkeys(RULES, 0)
    for _ in range(positions):
        env = random_game(chance, chance.randrange(earliest, rows * cols - 1), rows, cols)
        mine, taken = position_of(env)
        score = solver.solve(mine, taken)
        low, high = solver.range_of(taken)
        for name, rule in RULES.items():
            if rows % 2 and name != "dead_lines":
                continue
            for alpha in range(low - 1, high + 1):
                bound = proofs.glance(
                    np.uint64(mine), np.uint64(taken), alpha, np.uint64(rule), words
                )
                if bound == proofs.NO_PROOF:
                    continue
                told[name] += 1
                true = score >= bound if bound > alpha else score <= bound
                assert true, (name, env.history, alpha, bound, score)
    return told


@pytest.mark.parametrize(
    ("rows", "cols", "earliest"),
    [
        pytest.param(6, 7, 18, marks=pytest.mark.full),  # the search without rules takes long
        (6, 7, 24),
        (6, 5, 6),
        (4, 7, 8),
        (8, 4, 8),
    ],
)
def test_every_rule_is_sound_on_boards_with_an_even_number_of_rows(rows, cols, earliest):
    told = check_rules(rows, cols, POSITIONS, seed=rows * 10 + cols, earliest=earliest)
    assert all(count > POSITIONS // 20 for count in told.values()), told


@pytest.mark.parametrize(("rows", "cols", "earliest"), [(5, 5, 6), (7, 4, 8), (5, 7, 14)])
def test_dead_lines_are_sound_on_boards_with_an_odd_number_of_rows(rows, cols, earliest):
    told = check_rules(rows, cols, POSITIONS // 2, seed=rows * 10 + cols, earliest=earliest)
    assert told["dead_lines"] > POSITIONS // 40


def test_a_rule_that_is_wrong_would_be_found(monkeypatch):
    """The check itself: a rule that claims a little too much does not pass."""
    honest = proofs.glance

    def boastful(mine, taken, alpha, rule, words):
        bound = honest(mine, taken, alpha, rule, words)
        return bound if bound == proofs.NO_PROOF else bound + (1 if bound > alpha else -1)

    monkeypatch.setattr(proofs, "glance", boastful)
    with pytest.raises(AssertionError):
        check_rules(6, 5, 100, seed=1, earliest=10)


def test_the_threat_that_decides_is_its_owners_win():
    chance, solver = random.Random(9), Solver()
    words = board.board_words(6, 7)
    seen = set()
    for _ in range(600):
        env = random_game(chance, chance.randrange(14, 36))
        mine, taken = position_of(env)
        threat = deciding_threat(6, 7, mine, taken)
        if threat is None:
            continue
        seen.add((threat.odd, threat.owner_to_move))
        bit = 1 << threat.cell
        owner = mine if threat.owner_to_move else mine ^ taken
        assert not bit & taken
        assert bool(bit & words[board.ODD_ROWS]) == threat.odd
        assert _has_four(owner | bit)
        assert not _has_four(owner)
        score = solver.solve(mine, taken)
        assert (score > 0) == threat.owner_to_move
        assert score != 0
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


def _has_four(stones):
    for step in (1, 6, 7, 8):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


def test_boards_with_an_odd_number_of_rows_have_no_such_threat():
    assert deciding_threat(5, 7, 0, 0) is None
