"""Forty styles of one game through the product: adapted, loaded from a file, played by a bot."""

from __future__ import annotations

import random

import pytest
from class_styles import STYLES, source

from rl_toolkit.adapting import adapt_game, load_game
from rl_toolkit.arena import Match, play_match
from rl_toolkit.envs import GameError, TicTacToe, make_game, registry
from rl_toolkit.players import make_engine
from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.claims import with_claims

ALL = range(len(STYLES))


def made(number):
    space: dict[str, object] = {"__name__": f"style_{number}"}
    exec(compile(source(number), f"style_{number}.py", "exec"), space)
    return adapt_game(space["Game"])


def in_step(game, chance):
    """One random game of a style beside the toolkit's own, move by move."""
    own, truth = game(), TicTacToe()
    while not truth.is_terminal():
        assert own.get_legal_moves() == truth.get_legal_moves()
        assert own.board.tolist() == truth.board.tolist()
        taken = [m for m in range(9) if m not in truth.get_legal_moves()]
        if taken:
            before = own.board.tolist()
            with pytest.raises(GameError):
                own.step(chance.choice(taken))
            assert (own.board.tolist(), own.current_player) == (before, truth.current_player)
        move = chance.choice(truth.get_legal_moves())
        own.step(move)
        truth.step(move)
    assert own.is_terminal()
    assert own.winner == truth.winner


def test_the_styles_are_forty_and_all_different():
    assert len(STYLES) == 40
    assert len({source(number) for number in ALL}) == 40


@pytest.mark.parametrize("number", ALL)
def test_random_games(number):
    in_step(made(number), random.Random(number))


@pytest.mark.full
@pytest.mark.parametrize("number", ALL)
def test_many_random_games(number):
    game, chance = made(number), random.Random(number)
    for _ in range(30):
        in_step(game, chance)


BOT = """
from {style} import Game


class Player:
    def search(self, game):
        assert isinstance(game, Game), type(game)
        return list(game.{legal}())[0]

    def get_candidate_evaluations(self, game):
        return {{move: {{"value": 0.0, "visits": 9}} for move in game.{legal}()}}
"""


@pytest.mark.parametrize(
    "number", [8, *(pytest.param(each, marks=pytest.mark.full) for each in (0, 7, 19, 33))]
)
def test_a_bot_that_was_written_for_a_style_plays_it(number, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    module = f"style_{number}"  # a process imports a module of one name once
    (tmp_path / f"{module}.py").write_text(source(number))
    (tmp_path / "bot.py").write_text(BOT.format(style=module, legal=STYLES[number][2][0]))
    name = load_game(str(tmp_path / f"{module}.py"))
    result = play_match(Match(name, (str(tmp_path / "bot.py"), "random"), pairs=1, random_plies=0))
    assert len(result.games) == 2
    assert [game.forfeit for game in result.games] == [None, None]
    player, env = make_engine(str(tmp_path / "bot.py")), make_game(name)
    found = with_claims(player, env, player.analyse(env))
    player.engine.close()
    bot_engine.forget_parked()
    assert [claim.visits for claim in found.claims.moves] == [9] * 9
