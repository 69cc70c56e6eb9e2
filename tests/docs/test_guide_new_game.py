"""The guide to new games: its two games are games, and they are Four Corners and Chomp."""

import subprocess
import sys

import pytest
from markdown_examples import blocks, run_page
from paths import ROOT

from rl_toolkit.envs import BaseGameEnv, BoardGame, registry
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


def test_the_first_game_writes_the_one_mandatory_method_and_no_more(guide):
    public = {name for name in vars(guide["FourCorners"]) if not name.startswith("_")}
    assert public - {"traits"} == BoardGame.__abstractmethods__ == {"verdict"}


@pytest.mark.parametrize("size", [2, 3, 6])
def test_four_corners_keeps_the_laws(guide, size):
    check_game(lambda: guide["FourCorners"](size), games=4)


@pytest.mark.parametrize(
    ("moves", "corners"),
    [
        ("a1 b1 a2 c1 b2 c2 d4", None),
        ("a1 a2 d1 b2 a4 c2 d4", ["a1", "d1", "a4", "d4"]),
        ("b2 a1 d2 a2 b4 a3 d4", ["b2", "d2", "b4", "d4"]),
    ],
)
def test_four_corners_is_won_by_a_square_of_any_size(guide, moves, corners):
    env = guide["FourCorners"]()
    for move in moves.split():
        env.step(env.parse_move(move))
    assert env.winner == (None if corners is None else 1)
    assert env.winning_line == (corners and [env.parse_move(name) for name in corners])


def test_the_first_game_works_as_a_file_of_its_own_with_workers(tmp_path):
    """The guide's code as a file: commands and worker processes know the game."""
    code = [block.text for block in blocks(GUIDE.read_text(encoding="utf-8"))]
    game = next(text for text in code if "class FourCorners" in text)
    ending = next(text for text in code if "__main__" in text)
    file = tmp_path / "four_corners.py"
    file.write_text(f"{game}\n{ending}", encoding="utf-8")
    asked = ["match", "random", "random:seed=1", "--game", "four-corners-4", "--games", "2"]
    ran = subprocess.run(
        [sys.executable, str(file), *asked, "--workers", "2", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, '"four-corners-4"' in ran.stdout) == (0, True), ran.stderr


def test_chomp_has_the_eight_methods_and_no_more(guide):
    public = {name for name in vars(guide["Chomp"]) if not name.startswith("_")}
    assert public - {"traits"} == BaseGameEnv.__abstractmethods__
    assert len(BaseGameEnv.__abstractmethods__) == 8


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 6), (2, 2), (4, 5), (7, 3)])
def test_chomp_keeps_the_laws_on_every_bar(guide, rows, cols):
    check_game(lambda: guide["Chomp"](rows, cols), games=6)


def test_a_bite_takes_what_is_right_and_below(guide):
    env = guide["Chomp"](3, 4)
    env.step(env.parse_move("c2"))
    env.step(env.parse_move("b1"))
    assert env.board_2d.tolist() == [[0, -1, -1, -1], [0, -1, 1, 1], [0, -1, 1, 1]]


def test_the_player_who_eats_the_poison_loses(guide):
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
