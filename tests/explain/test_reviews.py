"""What a reviewed move lost, in words: results, pieces, and how soon the end came."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rl_toolkit.algorithms import MoveReview
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.review import review
from rl_toolkit.analysis import Candidate, Outcome
from rl_toolkit.envs import ConnectFour, Reversi
from rl_toolkit.explain import (
    better_than,
    cost_of,
    course_of,
    is_slip,
    moves_lost,
    over_at,
    pace_of,
    turned_on,
)
from rl_toolkit.records import from_transcript

LINES = ConnectFour.traits


def decided(outcome: Outcome, best: int, played: int, number: int = 1) -> MoveReview:
    """A move that keeps a win or a loss, with the winner's moves after the best and after it."""
    value, odd = (1.0, 1) if outcome == "win" else (-1.0, 0)
    could, did = (
        Candidate(move, name, value, outcome, proven=True, distance=2 * moves - odd)
        for move, name, moves in ((3, "d", best), (0, "a", played))
    )
    good = ("d",) if best != played else ("d", "a")
    player = 1 if number % 2 else -1
    return MoveReview(
        number, player, 0, "a", good, outcome, outcome, None, None, False, 0.0, 0.0, could, did
    )


@pytest.mark.parametrize(
    ("move", "cost", "slip"),
    [
        (decided("loss", 16, 2), "hastened the loss, 16 → 2 moves", True),
        (decided("win", 13, 18), "slower win, 13 → 18 moves", True),
        (decided("win", 1, 3), "slower win, 1 → 3 moves", True),
        (decided("loss", 2, 1), "hastened the loss, 2 → 1 move", False),
        (decided("win", 13, 15), "slower win, 13 → 15 moves", False),
        (decided("win", 3, 3), None, False),
        # The search proves of the move played, only after it, that it was the quicker win.
        (decided("win", 6, 2), None, False),
        (decided("loss", 2, 16), None, False),
    ],
)
def test_a_move_that_keeps_the_result_may_lose_moves(move, cost, slip):
    assert cost_of(move, LINES) == cost
    assert is_slip(move, LINES) is slip
    pace = pace_of(move, LINES)
    assert (pace.text if pace else None) == (cost if slip else None)
    assert (better_than(move, LINES) is None) is (cost is None)


def test_moves_are_not_counted_where_pieces_are_or_where_nothing_is_proven():
    move = decided("loss", 16, 2)
    assert moves_lost(move, LINES) == (16, 2)
    assert moves_lost(move, Reversi.traits) is None
    guess = replace(move, played_candidate=Candidate(0, "a", -1.0, "loss", distance=4))
    assert moves_lost(guess, LINES) is None


def test_it_turned_and_it_was_over():
    turn = replace(decided("loss", 20, 20), before="win", best=("d",))
    winner, slow = decided("win", 16, 16, 2), decided("loss", 16, 14, 3)
    end = decided("loss", 14, 2, 5)
    assert course_of([turn, winner, slow, end], LINES).text == (
        "It turned on move 1; it was over at move 5."
    )
    assert course_of([turn, winner, slow], LINES).text == "It turned on move 1."
    assert course_of([winner, slow, end], LINES).text == "It was over at move 5."
    assert course_of([winner, slow], LINES) is None
    # What nobody has proven is not called a turn.
    assert course_of([turn, replace(slow, before=None, after=None)], LINES) is None


def test_the_two_moves_on_which_a_game_depended():
    turn = replace(decided("loss", 20, 20), before="win", best=("d",))
    end = decided("loss", 14, 2, 5)
    moves = [turn, decided("win", 16, 16, 2), end]
    turned, over = turned_on(moves, LINES, -1), over_at(moves, LINES)
    assert turned.text == "It turned on move 1 (a): a won game became lost."
    assert over.text == (
        "It was over at move 5 (a): Yellow could then win in 2 moves instead of 14. "
        "d would have held out longer."
    )
    assert (turned.number, over.number, turned.proven) == (1, 5, True)
    assert over_at(moves[:2], LINES) is None


@pytest.mark.parametrize(("after", "game"), [("loss", "won"), ("draw", "drawn")])
def test_a_game_given_up_without_being_lost_turned_at_its_end(after, game):
    turn = replace(decided("loss", 20, 20), before="win", best=("d",))
    end = replace(decided("loss", 14, 2, 3), after=after)
    moves = [turn, decided("win", 16, 16, 2), end]
    given_up = turned_on(moves, LINES, 1)  # Red, who made the last move, won on time
    assert given_up.text == f"It turned at the end: Yellow still had a {game} game."
    assert given_up.number == 3
    assert over_at(moves, LINES, 1) is None
    # Nothing of that where the loser was lost, where there is no winner, or nothing is proven.
    lost = [turn, moves[1], decided("loss", 14, 2, 3)]
    for winner in (-1, 0, None):
        assert turned_on(lost, LINES, winner).number == 1
        assert over_at(lost, LINES, winner).number == 3
    unproven = [turn, moves[1], replace(end, after=None)]
    assert turned_on(unproven, LINES, 1) is None


def test_a_turn_by_estimates_needs_a_winner():
    def guessed(number, could, did):
        best, played = Candidate(3, "d", could), Candidate(0, "a", did)
        move = replace(decided("loss", 2, 2, number), before=None, after=None)
        found = replace(move, best=("d",), value_lost=could - did)
        return replace(found, best_candidate=best, played_candidate=played)

    even, given = guessed(1, 0.1, 0.0), guessed(3, 0.0, -0.8)
    moves = [even, guessed(2, 0.1, 0.1), given, guessed(4, 0.9, 0.9)]
    turned = turned_on(moves, LINES, -1)
    assert turned.text == (
        "It turned on move 3 (a): ≈ 50 % became ≈ 10 %, by the engine's estimates."
    )
    assert not turned.proven
    assert turned_on(moves, LINES, None) is None
    assert turned_on(moves, LINES, 1) is None  # who lost on the board may have won on time
    taken = [even, guessed(2, 0.1, 0.6), guessed(3, -0.6, -0.6)]
    assert turned_on(taken, LINES, -1).text == (
        "Yellow was ahead from move 2 (a) on, by the engine's estimates."
    )
    late = [even, guessed(2, 0.1, 0.1), guessed(3, -0.9, -0.92)]  # seen a move too late
    assert turned_on(late, LINES, -1).text == (
        "Yellow was ahead from move 3 (a) on, by the engine's estimates."
    )


@pytest.mark.full
def test_a_lost_game_of_connect_four_and_the_move_that_ended_it():
    told = review(from_transcript("connect-four", "a d b e a f e c"), ConnectFourSolver())
    costs = {move.number: cost_of(move, LINES) for move in told.moves if is_slip(move, LINES)}
    assert costs == {5: "hastened the loss, 16 → 2 moves"}
    assert course_of(told.moves, LINES).text == "It turned on move 1; it was over at move 5."


def test_a_win_that_was_missed_and_won_later():
    """X could win at once with move 5, and forks instead."""
    env = from_transcript("tictactoe", "b2 b1 a1 c1 a3 a2 c3")
    told = review(env, MinimaxSolver.strong())
    found = {move.number: cost_of(move, env.traits) for move in told.moves[4:]}
    assert found == {5: "slower win, 1 → 2 moves", 6: None, 7: None}
