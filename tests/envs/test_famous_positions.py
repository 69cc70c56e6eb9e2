"""Positions worth looking at: an engine says whether what stands beside them is true."""

import pytest

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import GameTraits, game_families, register_game, registry
from rl_toolkit.envs.tictactoe import TicTacToe
from rl_toolkit.envs.traits import FamousPosition
from rl_toolkit.players.advisers import exact_player, exact_spec, prover

FAMOUS = [(family, each) for family in game_families() for each in family.traits.famous]
FEW = Limit(nodes=400_000)
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


def reached(family, famous):
    env = family.make(famous.variant)
    for name in famous.moves.split():
        env.step(env.parse_move(name))
    return env


@pytest.mark.parametrize(
    ("family", "famous"), FAMOUS, ids=[f"{family.name}: {each.title}" for family, each in FAMOUS]
)
def test_what_is_said_of_a_position_is_true(family, famous):
    env = reached(family, famous)
    assert not env.is_terminal()
    ending = {move: (after := env.copy()).step(move) and after for move in env.get_legal_moves()}
    won = [move for move, after in ending.items() if after.winner == env.current_player]
    if won:  # the board shows it, however many moves are left to search
        assert famous.result == 1
        assert {env.move_name(move) for move in won} == set(famous.best)
        return
    if exact_spec(env) is None:
        found = prover(env).analyse(env, FEW)
        assert (found.proven, found.outcome) == (True, OUTCOMES[famous.result])
        for name in famous.best:
            answer = prover(env).analyse(ending[env.parse_move(name)], FEW)
            assert (answer.proven, answer.outcome) == (True, OUTCOMES[-famous.result])
        return
    found = exact_player(env).analyse(env)
    assert (found.proven, found.outcome) == (True, OUTCOMES[famous.result])
    if famous.best:
        assert {env.move_name(move) for move in found.best_moves} == set(famous.best)


def test_each_game_has_some_and_each_has_its_own_title():
    for family in game_families():
        if family.name in ("tictactoe", "connect-four", "gomoku", "reversi"):
            titles = [each.title for each in family.traits.famous]
            assert len(set(titles)) == len(titles) >= 3
            assert all(each.sentence.endswith(".") for each in family.traits.famous)


def test_a_position_that_cannot_be_reached_is_refused(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    wrong = FamousPosition("Twice", "b2 b2", 0, (), "Nobody can play this.")

    class Own(TicTacToe):
        traits = GameTraits(name="own", famous=(wrong,))

    with pytest.raises(ValueError, match=r"the position Twice cannot be played at 'b2'"):
        register_game(Own)
