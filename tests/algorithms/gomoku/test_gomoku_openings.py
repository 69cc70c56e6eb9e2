"""Proofs of openings: found, written, read again, and replayed against every reply."""

import json
import random
from dataclasses import replace

import pytest
from gomoku_positions import five_cells, random_board, space_for

from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.gomoku.opening_proof import Opening, OpeningProver, check_opening
from rl_toolkit.algorithms.gomoku.openings import opening_moves
from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.algorithms.gomoku.proof_data import proof_from_rows, proof_to_rows
from rl_toolkit.algorithms.gomoku.proofs import NotProvenError, Proof, ProofBuilder
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD


def opening(size, names):
    env = make_game(f"gomoku-{size}")
    return Opening(size, FREESTYLE, tuple(env.parse_move(name) for name in names.split()))


#: Black has two open twos that cross; White's stones are in the corners.
CROSS = "e5 a1 e4 i9 d6 a9 f6"


def test_mirror_images_are_proven_once():
    symmetric = opening(15, "h8 a1 i9")
    replies = symmetric.replies()
    assert len(replies) == 117
    both = {*replies, *map(symmetric.mirrored, replies)}
    assert both == {cell for cell in range(225) if cell not in symmetric.moves}
    other = opening(15, "h8 a1 i8")
    assert len(other.replies()) == 222
    assert [other.mirrored(cell) for cell in (0, 5, 100)] == [0, 5, 100]


def test_a_quiet_move_is_found_and_holds_against_every_reply():
    start = opening(11, "f6 a1 g7")
    reply = start.replies()[-1]
    found = OpeningProver(start, megabytes=4).answer(reply)
    assert found.proof is not None
    assert len(found.proof.replies) == 11 * 11 - 5  # it threatens no four: everything is a reply
    rows = json.loads(json.dumps(proof_to_rows(found.proof)))
    line, played = check_opening(start, reply, proof_from_rows(rows))
    assert line is None
    assert played > 10_000


def test_threats_win_without_a_quiet_move_where_they_can():
    start = opening(9, CROSS)
    for reply in start.replies()[::30]:
        found = OpeningProver(start, megabytes=1).answer(reply)
        assert found.proof is not None
        assert len(found.proof.replies) < 20
        assert check_opening(start, reply, found.proof)[0] is None


def test_a_wrong_proof_is_refuted_with_a_line():
    start = opening(9, CROSS)
    reply = start.replies()[-1]
    proof = OpeningProver(start, megabytes=2).answer(reply).proof
    assert check_opening(start, reply, proof)[0] is None
    passed = replace(proof, replies={}, otherwise=Proof(next(iter(proof.replies))))
    assert check_opening(start, reply, passed)[0][:2] == [reply, proof.move]
    assert check_opening(start, start.moves[0], proof)[0] == [start.moves[0]]
    assert check_opening(start, -1, proof)[0] == [-1]


def test_what_is_lost_is_not_proven():
    start = opening(9, "e5 a1 a9")
    assert OpeningProver(start, megabytes=1)._by_threats(500) is None


# ---------------------------------------------------------------------------- the book


def after(size, moves):
    board = [0] * (size * size)
    for number, cell in enumerate(moves):
        board[cell] = 1 - 2 * (number % 2)
    return board


def lines_of_the_book(size):
    for first in opening_moves(size, after(size, [])):
        for second in opening_moves(size, after(size, [first])):
            for third in opening_moves(size, after(size, [first, second])):
                yield first, second, third


@pytest.mark.parametrize("size", [9, 15])
def test_no_opening_of_the_book_is_lost_to_threats(size):
    lines = list(lines_of_the_book(size))
    assert len(lines) == 9 * 8 * 6
    space = Workspace(size, megabytes=1)
    for line in lines[:48]:  # the others are the same, elsewhere
        for stones in range(1, 4):
            space.set_up([(cell, number % 2) for number, cell in enumerate(line[:stones])])
            assert space.prove(stones % 2) is False


def test_the_third_stones_are_the_same_in_every_direction():
    shapes = set()
    for first, second, third in lines_of_the_book(9):
        if first == 40:
            (r1, c1), (r2, c2), (r3, c3) = (divmod(cell, 9) for cell in (first, second, third))
            away = sorted((abs(r2 - r1), abs(c2 - c1))), (r3 - r1) ** 2 + (c3 - c1) ** 2
            shapes.add((*away[0], away[1], (r3 - r2) ** 2 + (c3 - c2) ** 2))
    assert shapes == {
        *((0, 1, 2, 5), (0, 1, 2, 1), (0, 1, 5, 2)),
        *((1, 1, 4, 2), (1, 1, 5, 1), (1, 1, 1, 5)),
    }


def test_there_is_no_book_at_the_edge_nor_later():
    assert opening_moves(5, after(5, [0])) == []
    assert opening_moves(9, after(9, [40, 42])) == []
    assert opening_moves(9, after(9, [40, 41, 50])) == []
    assert len(opening_moves(5, after(5, []))) == 9


def test_games_vary_with_the_seed_and_repeat_with_it():
    def opening_of(seed):
        env = make_game("gomoku-15")
        engine = GomokuEngine(max_memory_mb=1, seed=seed)
        for _ in range(3):
            env.step(engine.analyse(env, Limit(nodes=300)).best_move)
        return tuple(env.history)

    played = [opening_of(seed) for seed in range(5)]
    assert len(set(played)) > 3
    assert played[2] == opening_of(2)
    assert set(played) <= set(lines_of_the_book(15))
    assert opening_of(None) == opening_of(None)


def test_every_move_is_valued_in_the_book_too():
    env = make_game("gomoku-9")
    env.step(40)
    analysis = GomokuEngine(max_memory_mb=1, seed=1, every_move=True).analyse(env, Limit(depth=2))
    assert analysis.depth == 2


class EveryReply(ProofChecker):
    """Plays every reply, also those that cannot matter."""

    def _decisive(self, side, proof, otherwise, replies):
        return replies


def damaged(proof, chance):
    """The proof with one move of it changed."""
    if proof.otherwise is None or chance.random() < 0.3:
        return replace(proof, move=chance.randrange(81))
    if proof.replies and chance.random() < 0.8:
        reply = chance.choice(list(proof.replies))
        after = damaged(proof.replies[reply], chance)
        return replace(proof, replies={**proof.replies, reply: after})
    return replace(proof, otherwise=damaged(proof.otherwise, chance))


@pytest.mark.parametrize("rule", [FREESTYLE, STANDARD])
def test_replies_that_cannot_matter_need_not_be_played(rule):
    """The quick check says of right and of damaged proofs what the check of every reply says."""
    chance, verdicts = random.Random(5), []
    while len(verdicts) < 12:
        board = random_board(chance, 9, 22)
        try:
            whole = ProofBuilder(space_for(board, 9, rule), 0, most_positions=30).build()
        except NotProvenError:
            continue
        if whole.plies >= 5:
            for proof in (whole, damaged(whole, chance), damaged(whole, chance)):
                quick, slow = (
                    kind(9, rule).refute(board, 1, proof) for kind in (ProofChecker, EveryReply)
                )
                assert (quick is None) == (slow is None)
                verdicts.append(quick is None)
            assert verdicts[-3]
    assert not all(verdicts)


def test_a_four_of_the_defender_must_be_answered_by_the_proof():
    """Elsewhere on the board, where the replies that cannot matter are."""
    chance, refuted = random.Random(9), 0
    while not refuted:
        board = random_board(chance, 9, 20)
        try:
            proof = ProofBuilder(space_for(board, 9), 0, most_positions=30).build()
        except NotProvenError:
            continue
        board[proof.move] = 1
        fours = [
            r
            for r in proof.replies
            if five_cells([*board[:r], 2, *board[r + 1 :]], 9, 1, FREESTYLE)
        ]
        quiet = not five_cells(board, 9, 0, FREESTYLE)
        board[proof.move] = 0
        for reply in fours if quiet else ():
            kept = {r: after for r, after in proof.replies.items() if r != reply}
            less = replace(proof, replies=kept)
            lines = [
                kind(9, FREESTYLE).refute(board, 1, less) for kind in (ProofChecker, EveryReply)
            ]
            assert (lines[0] is None) == (lines[1] is None)
            refuted += lines[1] is not None and lines[1][:2] == [proof.move, reply]


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [],
        [3],
        [[3]],
        [[3, -1, 4]],
        [[3, 0]],
        [[3, -1], [4, 1]],
        [[3, -1], [4, 0, 5, 2]],
        [[3, -1, 4, 0]],
        [[3, "0"]],
        [[True, -1]],
    ],
)
def test_rows_that_are_not_a_proof_are_refused(rows):
    with pytest.raises(ValueError, match=r"a (row of a )?proof must"):
        proof_from_rows(rows)


def test_equal_parts_are_written_once():
    five = Proof(3)
    rows = proof_to_rows(Proof(1, {2: Proof(3), 4: Proof(5)}, five))
    assert rows == [[3, -1], [5, -1], [1, 0, 4, 1]]
    assert proof_to_rows(proof_from_rows(rows)) == rows
