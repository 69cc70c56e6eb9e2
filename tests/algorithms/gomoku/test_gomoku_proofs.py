"""Proofs by fours and by threats: found where they exist, and replayed against every reply."""

import json
import os
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gomoku_positions import BOTH_RULES, board_of, five_cells, holds, random_board, space_for

from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.algorithms.gomoku.proofs import (
    NotProvenError,
    Proof,
    ProofBuilder,
    proof_by_fours,
)
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD
from rl_toolkit.records import position_from_text


def proof_by_threats(space, side):
    return ProofBuilder(space, side).build()


def brute_force(board, size, side, rule, depth):
    """Whether ``side``, to move, wins by fours: every move tried, every reply answered."""
    if five_cells(board, size, side, rule):
        return True
    dangers = five_cells(board, size, 1 - side, rule)
    if depth == 0 or len(dangers) > 1:
        return False
    for move in dangers or [c for c, stone in enumerate(board) if not stone]:
        board[move] = side + 1
        fives, won = five_cells(board, size, side, rule), False
        if len(fives) > 1:
            won = True
        elif fives:
            board[fives[0]] = 2 - side
            won = brute_force(board, size, side, rule, depth - 1)
            board[fives[0]] = 0
        board[move] = 0
        if won:
            return True
    return False


def compare_with_brute_force(rule, count, seed):
    chance, found = random.Random(seed), 0
    for _ in range(count):
        board = random_board(chance, 7, chance.randrange(10, 24))
        for side in (0, 1):
            space = space_for(board, 7, rule)
            plies, move = space.fours(side, 10**7)
            assert bool(plies) == brute_force(list(board), 7, side, rule, 12), board
            if plies:
                found += 1
                assert not board[move]
                assert holds(board, 7, rule, side, proof_by_fours(space, side))
            else:
                with pytest.raises(NotProvenError):
                    proof_by_fours(space, side)
    return found


@BOTH_RULES
def test_fours_agree_with_brute_force(rule):
    assert compare_with_brute_force(rule, 25, 5) > 5


@pytest.mark.full
@BOTH_RULES
def test_fours_agree_with_brute_force_on_many_boards(rule):
    assert compare_with_brute_force(rule, 1500, 6) > 200


def test_a_win_by_threats_that_fours_do_not_find():
    board, size = board_of("""
        .........
        .........
        ..x..o...
        ...o..x..
        ..oxx....
        ..o.x....
        ....o....
        .........
        .........""")
    space = space_for(board, size)
    assert space.fours(0, 10**6) == (0, -1)
    assert space.prove(0)
    proof = proof_by_threats(space, 0)
    assert holds(board, size, FREESTYLE, 0, proof)
    assert proof.line[0] == proof.move
    assert len(proof.line) == proof.plies > 9
    assert proof.positions() > 50


def some_proof():
    board, size = board_of("""
        .........
        .........
        .........
        .ox......
        ..xx.....
        ..x.o....
        ..o......
        ....o....
        .........""")
    return board, size, proof_by_threats(space_for(board, size), 0)


def test_the_checker_finds_what_a_proof_forgets():
    board, size, proof = some_proof()
    checker = ProofChecker(size, FREESTYLE)
    assert checker.refute(board, 1, proof) is None
    assert checker.checked > 50
    for reply in proof.replies:
        fewer = {r: p for r, p in proof.replies.items() if r != reply}
        wrong = replace(proof, replies=fewer)
        refuted = checker.refute(board, 1, wrong)
        if refuted is not None:
            assert refuted[:2] == [proof.move, reply]
    assert checker.refute(board, 1, Proof(proof.move)) == [proof.move]
    taken = board.index(1)
    assert checker.refute(board, 1, Proof(taken)) == [taken]
    assert checker.refute(board, 1, Proof(10**6)) == [10**6]


def test_the_checker_lets_the_other_side_complete_five():
    board, size = board_of("""
        xxx......
        .........
        oooo.....
        .........
        .........
        .........
        .........
        .........
        .........""")
    four = 8 * 9 + 3
    five, danger = four + 1, 6 * 9 + 4
    proof = Proof(four, {}, Proof(five))
    assert ProofChecker(size, FREESTYLE).refute(board, 1, proof) == [four, danger]


def test_a_board_that_is_already_won_has_no_proof():
    board, size = board_of("""
        xxxxx....
        ooo......
        .........
        .........
        .........
        .........
        .........
        .........
        .........""")
    assert ProofChecker(size, FREESTYLE).refute(board, 2, Proof(7 * 9 + 3)) == []


@pytest.mark.parametrize(
    ("row", "freestyle", "standard"),
    [  # plies to a win by fours for x, to move; 0 if there is none
        ("xxxx.x...", 1, 0),  # six
        ("xxxx.....", 1, 1),
        ("oxxx.....", 0, 0),
        (".xxx.....", 3, 3),
        ("xx.xx....", 1, 1),
        (".xx.x.x..", 3, 0),
        ("x.xx..x..", 3, 3),
        ("x.xxx.x..", 1, 1),
        ("xx.x.xx..", 3, 0),
    ],
)
@pytest.mark.parametrize("upright", [False, True])
def test_overlines_and_edges(row, freestyle, standard, upright):
    size = len(row)
    board = [0] * (size * size)
    for k, stone in enumerate(row):
        board[k * size if upright else k] = ".xo".index(stone)
    for rule, expected in ((FREESTYLE, freestyle), (STANDARD, standard)):
        space = space_for(board, size, rule)
        assert space.shortest_fours(0, 10**6)[0] == expected
        assert bool(expected) == brute_force(list(board), size, 0, rule, 4)


@BOTH_RULES
def test_a_board_with_one_empty_cell(rule):
    """Whoever completes five there wins; a full board has no move at all."""
    chance = random.Random(1)
    for _ in range(20):
        board = random_board(chance, 5, 24)
        space = space_for(board, 5, rule)
        (last,) = (c for c, stone in enumerate(board) if not stone)
        for side in (0, 1):
            wins = five_cells(board, 5, side, rule) == [last]
            assert bool(space.fours(side, 1000)[0]) == wins
            assert bool(space.prove(side)) == wins
        space.place(last, 0)
        assert space.fours(1, 1000) == (0, -1)
        assert not space.prove(1)


def test_a_stopped_search_proves_nothing():
    board, size, _ = some_proof()
    space = space_for(board, size)
    space.allow(0)
    assert space.prove(0) is None
    space.allow(None)
    assert space.prove(0) is True
    board, size = board_of("""
        .........
        .........
        ....x....
        ....x....
        oxxx.....
        .........
        .........
        .........
        .........""")
    space = space_for(board, size)
    space.watch(np.ones(1, dtype=np.int64))
    assert space.fours(0, 10**6) == (0, -1)
    space.watch(np.zeros(1, dtype=np.int64))
    assert space.fours(0, 10**6)[0] == 5


def test_a_stop_ends_the_building_of_a_proof_that_the_table_knows():
    board, size, proof = some_proof()
    space, flag = space_for(board, size), np.zeros(1, dtype=np.int64)
    space.watch(flag)
    assert proof_by_threats(space, 0).positions() == proof.positions() > 3
    stones, place, placed = list(space.moves), space.place, []

    def stop_at(cell, side):
        place(cell, side)
        placed.append(cell)
        flag[0] = len(placed) >= 3

    space.place = stop_at
    with pytest.raises(NotProvenError, match="stopped"):
        proof_by_threats(space, 0)
    assert len(placed) <= 5
    assert space.moves == stones


@BOTH_RULES
@pytest.mark.parametrize("size", [6, 9, 15])
def test_every_proof_found_on_random_boards_holds(size, rule):
    chance, found = random.Random(size), 0
    for _ in range(12):
        board = random_board(chance, size, chance.randrange(size, 3 * size))
        for side in (0, 1):
            space = space_for(board, size, rule)
            space.allow(20_000)
            if len(five_cells(board, size, 1 - side, rule)) < 2 and space.prove(side):
                found += 1
                assert holds(board, size, rule, side, proof_by_threats(space, side))
    assert found


PUZZLES = os.environ.get("GOMOKU_PUZZLES", "")


@pytest.mark.full
@pytest.mark.skipif(not PUZZLES, reason="GOMOKU_PUZZLES does not name a file of puzzles")
@pytest.mark.parametrize("kind", ["vcf", "vct"])
def test_puzzles_are_solved_and_their_proofs_hold(kind):
    build = {"vcf": proof_by_fours, "vct": proof_by_threats}[kind]
    puzzles = [json.loads(line) for line in Path(PUZZLES).read_text().splitlines()]
    for puzzle in [p for p in puzzles if p["kind"] == kind][::10]:
        env = position_from_text(f"gomoku-15-{puzzle['rule']}", puzzle["position"])
        rule = env.win_rule
        board = [stone % 3 for stone in env.board.tolist()]
        side = 0 if env.current_player == 1 else 1
        proof = build(space_for(board, 15, rule), side)
        assert holds(board, 15, rule, side, proof)
