"""A game being played: undo, redo, resignation, and the record of it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.cli.play.session import Session, SessionError
from rl_toolkit.cli.play.sides import HUMAN, Side, make_side
from rl_toolkit.envs import IllegalMoveError, TicTacToe

PERSON, ENGINE = Side(HUMAN), make_side("tictactoe", "greedy")


def session(*moves: int, sides=(PERSON, ENGINE), first: int = 1) -> Session:
    env = TicTacToe()
    env.reset(first_player=first)
    game = Session(env, sides)
    for move in moves:
        game.play(move)
    return game


def test_undo_goes_back_to_the_persons_turn():
    game = session(4, 0, 8, 2)
    assert game.undo() == [2, 8]
    assert game.to_move.is_human
    assert game.undo() == [0, 4]
    with pytest.raises(SessionError, match="no move of yours"):
        game.undo()


def test_undo_leaves_an_opening_that_was_not_the_persons():
    game = session(4, first=-1)
    with pytest.raises(SessionError):
        game.undo()
    assert game.env.history == [4]


def test_redo_is_undone_undo_and_a_new_move_ends_it():
    game = session(4, 0, 8, 2)
    game.undo()
    assert game.redo() == [8, 2]
    game.undo()
    game.play(6)
    with pytest.raises(SessionError, match="nothing to play again"):
        game.redo()


@given(st.lists(st.sampled_from(["undo", "redo", *range(9)]), max_size=25))
def test_a_session_is_always_a_record_that_can_be_replayed(steps):
    game = session(sides=(PERSON, PERSON))
    for step in steps:
        with suppress(SessionError, IllegalMoveError):
            getattr(game, step)() if isinstance(step, str) else game.play(step)
        record = game.record()
        assert record.replay().get_state_hash() == game.env.get_state_hash()
        assert Session.from_record(record, game.sides).env.history == game.env.history


def test_resigning_counts_for_the_other_side_and_survives_a_record():
    game = session(4)
    game.resign()
    assert (game.winner, game.is_over) == (1, True)
    again = Session.from_record(game.record(), game.sides)
    assert (again.winner, again.resigned) == (1, -1)
    with pytest.raises(SessionError):
        again.play(0)
    with pytest.raises(SessionError):
        again.resign()
