"""The guide to new games: the game it builds is a game, and it is Chomp."""

import pytest
from markdown_examples import blocks, run_page
from paths import ROOT

from rl_toolkit.envs import BaseGameEnv, registry
from rl_toolkit.testing import check_game

GUIDE = ROOT / "docs" / "adding_new_games.md"
SIGNPOST = ROOT / "projects" / "project_04.5_tictactoe" / "ADDING_NEW_GAMES.md"


@pytest.fixture(scope="module")
def guide():
    """The names that the guide's code defines; the registry is as before afterwards."""
    families = dict(registry._FAMILIES)
    names = run_page(GUIDE)
    registry._FAMILIES.clear()
    registry._FAMILIES.update(families)
    return names


def test_the_game_of_the_guide_has_the_eight_methods_and_no_more(guide):
    public = {name for name in vars(guide["Chomp"]) if not name.startswith("_")}
    assert public == BaseGameEnv.__abstractmethods__
    assert len(public) == 8


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 6), (2, 2), (4, 5), (7, 3)])
def test_it_keeps_the_laws_on_every_bar(guide, rows, cols):
    check_game(lambda: guide["Chomp"](rows, cols), games=6)


def test_a_bite_takes_what_is_right_and_below(guide):
    env = guide["Chomp"](3, 4)
    env.step(env.parse_move("c2"))
    env.step(env.parse_move("b1"))
    assert env.board_2d.tolist() == [[0, -1, -1, -1], [0, -1, 1, 1], [0, -1, 1, 1]]


def test_whoever_eats_the_poison_loses(guide):
    env = guide["Chomp"](2, 2)
    env.step(3)
    _, reward, done, info = env.step(0)
    assert (reward, done, info["winner"], env.current_player) == (1.0, True, 1, -1)


def test_the_first_player_wins_on_every_bar_but_the_smallest(guide):
    for rows, cols in [(1, 2), (2, 2), (2, 3), (3, 3), (2, 5), (3, 4)]:
        assert guide["winning_moves"](guide["Chomp"](rows, cols)), (rows, cols)
    assert guide["winning_moves"](guide["Chomp"](1, 1)) == []


def test_the_signpost_in_the_project_leads_to_the_guide():
    text = SIGNPOST.read_text(encoding="utf-8")
    target = text.split("](")[1].split(")")[0]
    assert (SIGNPOST.parent / target).resolve() == GUIDE.resolve()
    assert blocks(text)
    run_page(SIGNPOST)
