"""Who is asked about a position: decided in one place, from what the engines know."""

import random

import pytest

from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.envs.bases.board_game import DRAWN, RUNNING, BoardGame, Verdict
from rl_toolkit.players import EngineKind, Spec, make_engine, register_engine, registry
from rl_toolkit.players.advisers import (
    adviser_spec,
    analyst,
    as_reviewer,
    exact_player,
    for_analysis,
    perfect_player,
    reviewer,
    solves_from,
    usual_limit,
)
from rl_toolkit.players.kinds.kind import Knowledge


def spec(player):
    return None if player is None else player.spec.text


@pytest.mark.parametrize(
    ("game", "perfect", "exact", "adviser", "review", "from_"),
    [
        ("tictactoe", *["minimax:depth=18"] * 4, "start"),
        ("tictactoe-4x4x4", *["minimax:depth=32"] * 4, "start"),
        ("tictactoe-5x5x4", None, None, "minimax", None, None),
        ("connect-four", *["exact"] * 4, "start"),
        ("connect-four-4x5x4", *["exact"] * 4, "start"),
        ("connect-four-7x7x4", None, None, "minimax", None, "late"),
        ("gomoku", None, None, "gomoku:every=on", "gomoku:time=0.2,every=on", None),
        ("gomoku-9", None, None, "gomoku:every=on", "gomoku:time=0.2,every=on", None),
        ("gomoku-9x9x4", None, None, "minimax", None, None),
        ("reversi-4", *["exact"] * 4, "start"),
        (
            "reversi-6",
            "exact:every=off",
            None,
            "reversi:every=on",
            "reversi:time=0.2,every=on",
            "late",
        ),
        ("reversi", None, None, "reversi:every=on", "reversi:time=0.2,every=on", "late"),
    ],
)
def test_who_is_asked(game, perfect, exact, adviser, review, from_):
    env = make_game(game)
    assert spec(perfect_player(env)) == perfect
    assert spec(exact_player(env)) == exact
    assert adviser_spec(env).text == adviser
    assert spec(reviewer(env)) == review
    assert solves_from(env) == from_


def test_reversi_is_solved_with_18_empty_squares():
    env, chance = make_game("reversi"), random.Random(1)
    asked = {}
    while not env.is_terminal():
        empty = int((env.board == 0).sum())
        asked[empty] = (spec(exact_player(env)), adviser_spec(env).text)
        env.step(chance.choice(env.get_legal_moves()))
    assert asked[19] == (None, "reversi:every=on")
    assert asked[18] == asked[5] == ("exact", "exact")


class Blind(BoardGame):
    """The first to have three pieces anywhere wins; it has no heuristic."""

    def verdict(self, cell=None):
        for player in (1, -1):
            if self.piece_count(player) >= 3:
                return Verdict(player, [])
        return RUNNING if (self._board == 0).any() else DRAWN


class Seeing(Blind):
    def evaluate_heuristic(self, player):
        return 0.5


def test_without_a_heuristic_playouts_are_asked():
    assert adviser_spec(Blind(4)) == Spec("mcts")
    assert adviser_spec(Seeing(4)) == Spec("minimax")


def test_an_engine_made_for_the_game_comes_before_those_that_play_every_game(monkeypatch):
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    trained = EngineKind(
        "trained",
        "plays well",
        RandomEngine,
        knows=lambda env: Knowledge.STRONG,
        needs_heuristic=True,
    )
    register_engine(trained)
    assert adviser_spec(Blind(4)) == adviser_spec(Seeing(4)) == Spec("trained")


@pytest.mark.parametrize(
    ("engine", "limit"),
    [
        ("minimax", Limit(time=3)),
        ("reversi:every=on", Limit(time=3)),
        ("minimax:depth=4", Limit()),
        ("mcts:simulations=9", Limit()),
        ("exact", Limit()),
        ("exact:nodes=5", Limit()),
    ],
)
def test_a_clock_for_those_who_would_think_forever(engine, limit):
    assert usual_limit(make_engine(engine)) == limit
    if limit != Limit():
        assert usual_limit(make_engine(engine), 7) == Limit(time=7)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("reversi", "reversi:every=on"),
        ("Reversi: depth=3", "reversi:depth=3,every=on"),
        ("reversi:every=off,depth=3", "reversi:depth=3,every=off"),
        ("exact:every=off", "exact:every=off"),
        ("exact", "exact"),
        ("minimax", "minimax"),
    ],
)
def test_every_move_is_valued_unless_the_text_says_otherwise(text, asked):
    assert str(for_analysis(Spec.read(text))) == asked
    player = analyst("reversi-4", text)
    assert (str(player.spec), player.text) == (asked, text)


def test_a_level_is_asked_as_it_is():
    player = analyst("reversi", "easy", seed=2)
    assert (str(player.spec), player.text) == ("reversi:depth=1,seed=2", "easy")


def test_a_reviewer_keeps_its_limit():
    player = make_engine("reversi:depth=3").within(Limit(nodes=50))
    judge = as_reviewer(player)
    assert judge.limit == Limit(depth=3, nodes=50)
    assert judge.engine.every_move
