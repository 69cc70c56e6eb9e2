"""How many engines a run makes: each costs time, and some of them start processes."""

import pytest
from click.testing import CliRunner

from rl_toolkit.arena import exact_scores
from rl_toolkit.arena.arbiter import worker_engines
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.runs import stamp_of
from rl_toolkit.cli.program.group import cli
from rl_toolkit.players import Spec, make_player
from rl_toolkit.players import player as players


@pytest.fixture
def made(monkeypatch):
    """The specs of the engines that are made from now on."""
    specs, make = [], players._made

    def counted(spec):
        specs.append(spec.text)
        return make(spec)

    monkeypatch.setattr(players, "_made", counted)
    monkeypatch.setattr(worker_engines, "_reusable", {})
    exact_scores._solver.cache_clear()
    return specs


def test_a_tournament_of_two_players_makes_two_and_a_judge(made):
    done = CliRunner().invoke(cli, ["tournament", "tictactoe", "easy", "medium", "--games", "4"])
    assert done.exit_code == 0, done.output
    assert sorted(made) == ["greedy:slips=0.3", "greedy:slips=0.85", "minimax:depth=18"]


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "reversi-6", "gomoku-9"])
def test_the_stamp_of_a_judged_run_makes_no_judge(made, game):
    player = make_player(game, "random")
    made.clear()
    stamp_of(game, player, judged=True)
    assert made == []


def test_a_player_is_resolved_once(monkeypatch):
    asked, check = [], Spec.check_plays
    monkeypatch.setattr(Spec, "check_plays", lambda *a: asked.append(a) or check(*a))
    worker_engines.new_engine("tictactoe", "minimax:depth=1")
    assert len(asked) == 1


def test_an_engine_with_a_memory_is_made_for_every_game(made):
    match = Match("tictactoe", ("minimax:depth=2", "random"), pairs=2, random_plies=1)
    assert made == []  # a plan makes none
    assert len(play_match(match).games) == 4
    assert len([spec for spec in made if spec.startswith("minimax")]) == 1 + 4
    assert len([spec for spec in made if spec.startswith("random")]) == 1
