"""The guide to new games: its commands run, and its three games are what they say."""

import doctest
import shlex
import sys

import pytest
from markdown_examples import FLAGS, blocks, run_page
from paths import ROOT

from rl_toolkit.envs import BoardGame, TextGame, adapt_game, registry
from rl_toolkit.envs.derived.completing import MANDATORY
from rl_toolkit.players import make_engine
from rl_toolkit.testing import check_game
from rl_toolkit.utils import plugins

GUIDE = ROOT / "docs" / "guides" / "write_a_game.md"
SIGNPOST = ROOT / "projects" / "project_04.5_tictactoe" / "ADDING_NEW_GAMES.md"


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    """The names that the guide's code defines; the registry is as before afterwards."""
    folder, families = tmp_path_factory.mktemp("guide"), dict(registry._FAMILIES)
    (folder / "my_game.py").write_text(code_with("class ConnectThree"), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))  # Python was started in the folder of the file
        names = run_page(GUIDE)
    sys.modules.pop("my_game")
    registry._FAMILIES.clear()
    registry._FAMILIES.update(families)
    return names


def code_with(text):
    """The first block of the guide with these words."""
    return next(b.text for b in blocks(GUIDE.read_text(encoding="utf-8")) if text in b.text)


def test_the_first_game_writes_the_one_mandatory_method_and_no_more(guide):
    public = {name for name in vars(guide["FourCorners"]) if not name.startswith("_")}
    assert public - {"traits"} == BoardGame.__abstractmethods__ == {"verdict"}


@pytest.mark.parametrize("size", [2, 3, 6])
def test_four_corners_keeps_the_laws(guide, size):
    check_game(lambda: guide["FourCorners"](size), games=2)


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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files of the guide; games that they register are forgotten afterwards."""
    files = {
        "my_game": code_with("class ConnectThree"),
        "my_plugin": code_with("register_game(ConnectThree)"),
        "four_corners": code_with("class FourCorners"),
        "nim": code_with("class Nim"),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    yield tmp_path
    for name in files:
        sys.modules.pop(name, None)


def commands():
    """The command lines of the guide, each with what it prints, ``None`` if that is not shown."""
    for block in blocks(GUIDE.read_text(encoding="utf-8")):
        if block.mark == "sh":
            yield from ((line, None) for line in block.text.splitlines())
        elif block.mark == "console":
            for part in block.text.split("$ ")[1:]:
                line, _, wanted = part.partition("\n")
                yield line, wanted


def test_every_command_of_the_guide_runs(folder, run, monkeypatch):
    pages = []
    monkeypatch.setattr(
        "rl_toolkit.web.server.serve", lambda *where, **how: pages.append(how["page"])
    )
    ran = list(commands())
    assert len(ran) == 10
    families = dict(registry._FAMILIES)
    for line, wanted in ran:
        monkeypatch.setattr(registry, "_FAMILIES", dict(families))  # a program of its own
        monkeypatch.setattr(plugins, "_loaded", {})
        for name in ("my_game", "my_plugin", "four_corners", "nim"):
            sys.modules.pop(name, None)
        program, *arguments = shlex.split(line)
        assert program == "rl-toolkit"
        found = run(*arguments, stdin="c\nquit\n")
        assert found.code == 0, found.err
        if wanted is not None:
            assert doctest.OutputChecker().check_output(wanted, found.out, FLAGS), found.out
    assert pages == ["connect-three", "nim"]


def test_nim_writes_what_a_text_game_needs_and_no_more(guide):
    public = {name for name in vars(guide["Nim"]) if not name.startswith("_")}
    assert public - {"traits"} == TextGame.__abstractmethods__
    assert len(public) == 8  # "seven functions", and the traits


def test_nim_is_won_by_leaving_heaps_whose_binary_digits_cancel(guide):
    env = guide["Nim"]()
    analysis = make_engine("minimax").analyse(env)
    assert [candidate.name for candidate in analysis.candidates if candidate.outcome == "win"] == [
        "a2"  # 1, 4 and 5: each binary digit twice
    ]


def test_the_plain_game_is_three_in_a_row_with_gravity(guide):
    env = adapt_game(guide["ConnectThree"])()
    for column in "aabbe":
        env.step(column)
    assert (env.winner, env.current_player) == (None, -1)
    env.undo()
    env.step("c")
    assert (env.winner, env.board_2d[3].tolist()) == (1, [1, 1, 1, 0, 0])


def test_chomp_has_the_eight_methods_and_no_more(guide):
    public = {name for name in vars(guide["Chomp"]) if not name.startswith("_")}
    assert public - {"traits"} == set(MANDATORY)
    assert len(MANDATORY) == 8


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 6), (2, 2), (4, 5), (7, 3)])
def test_chomp_keeps_the_laws_on_every_bar(guide, rows, cols):
    check_game(lambda: guide["Chomp"](rows, cols), games=4)


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


@pytest.mark.parametrize(
    ("rows", "cols"),
    [(1, 2), (2, 2), (2, 3), (3, 3), (2, 5), pytest.param(3, 4, marks=pytest.mark.full)],
)
def test_the_first_player_wins_on_every_bar_but_the_smallest(guide, rows, cols):
    assert guide["winning_moves"](guide["Chomp"](rows, cols))
    assert guide["winning_moves"](guide["Chomp"](1, 1)) == []


def test_the_signpost_in_the_project_leads_to_the_guide():
    text = SIGNPOST.read_text(encoding="utf-8")
    target = text.split("](")[1].split(")")[0]
    assert (SIGNPOST.parent / target).resolve() == GUIDE.resolve()
    assert blocks(text)
    run_page(SIGNPOST)
