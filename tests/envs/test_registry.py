"""Games by name."""

from dataclasses import replace

import pytest

from rl_toolkit.envs import (
    ConnectFour,
    GameTraits,
    Gomoku,
    Reversi,
    TicTacToe,
    UnknownGameError,
    game_families,
    make_game,
    register_game,
    registry,
)


@pytest.mark.parametrize(
    ("name", "kind", "full_name", "shape"),
    [
        ("tictactoe", TicTacToe, "tictactoe", (3, 3, 3)),
        ("tictactoe-4", TicTacToe, "tictactoe-4x4x4", (4, 4, 4)),
        ("tictactoe-3x4", TicTacToe, "tictactoe-3x4x3", (3, 4, 3)),
        ("tictactoe-3x4x3", TicTacToe, "tictactoe-3x4x3", (3, 4, 3)),
        ("tictactoe-3x3x3", TicTacToe, "tictactoe", (3, 3, 3)),
        ("connect-four", ConnectFour, "connect-four", (6, 7, 4)),
        ("connect-four-5x6", ConnectFour, "connect-four-5x6x4", (5, 6, 4)),
        ("connect-four-6x8x5", ConnectFour, "connect-four-6x8x5", (6, 8, 5)),
        (" Connect-Four ", ConnectFour, "connect-four", (6, 7, 4)),
        ("gomoku", Gomoku, "gomoku-15", (15, 15, 5)),
        ("gomoku-9", Gomoku, "gomoku-9", (9, 9, 5)),
        ("gomoku-19-freestyle", Gomoku, "gomoku-19", (19, 19, 5)),
        ("gomoku-standard", Gomoku, "gomoku-15-standard", (15, 15, 5)),
        ("gomoku-13-standard", Gomoku, "gomoku-13-standard", (13, 13, 5)),
        ("gomoku-9x9x6-standard", Gomoku, "gomoku-9x9x6-standard", (9, 9, 6)),
    ],
)
def test_line_games_by_name(name, kind, full_name, shape):
    env = make_game(name)
    assert type(env) is kind
    assert (env.rows, env.cols, env.win_length) == shape
    assert env.name == full_name
    again = make_game(env.name)
    assert (type(again), again.name, again.kernel_spec()) == (kind, env.name, env.kernel_spec())


@pytest.mark.parametrize(("name", "side"), [("reversi", 8), ("reversi-6", 6), ("reversi-4", 4)])
def test_reversi_by_name(name, side):
    env = make_game(name)
    assert type(env) is Reversi
    assert env.rows == side
    assert make_game(env.name).name == env.name == f"reversi-{side}"


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("othello", "reversi-8"),
        ("Othello-6", "reversi-6"),
        ("connect4", "connect-four"),
        ("connect4-5x5x4", "connect-four-5x5x4"),
        ("Connect Four", "connect-four"),
        ("connect_four", "connect-four"),
        ("tic-tac-toe", "tictactoe"),
        ("tic-tac-toe-4", "tictactoe-4x4x4"),
    ],
)
def test_games_have_other_names(alias, name):
    assert make_game(alias).name == name


def test_an_alias_is_never_taken_twice_but_a_name_goes_before_an_alias(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))

    class Copycat(TicTacToe):
        traits = GameTraits(aliases=("othello",), sizes=(3,))

    with pytest.raises(ValueError, match="othello is already a name of reversi"):
        register_game(Copycat)

    class Othello(Reversi):
        """Another game of that name."""

        traits = replace(Reversi.traits, name="othello", aliases=())

    register_game(Othello)
    assert type(make_game("othello")) is Othello


@pytest.mark.parametrize("aliases", ["othello", ("Two Words",), (3,), ("",)])
def test_aliases_are_written_like_names(aliases):
    class Odd(TicTacToe):
        traits = GameTraits(aliases=aliases, sizes=(3,))

    with pytest.raises(ValueError, match="aliases must be lower-case words"):
        register_game(Odd)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("chess", "there is no game 'chess'; the games are tictactoe, connect-four, gomoku"),
        ("", "there is no game ''"),
        ("conect-four", "there is no game 'conect-four'; did you mean connect-four[?]"),
        ("otelo", "there is no game 'otelo'; did you mean reversi[?]"),
        ("tictactoe4", "there is no game 'tictactoe4'"),
        (
            "tictactoe-x",
            "'tictactoe-x' is not a variant of tictactoe; use tictactoe or tictactoe-4x4x4",
        ),
        ("tictactoe-3x", "is not a variant of tictactoe"),
        ("tictactoe-3x3x3x3", "is not a variant of tictactoe"),
        ("tictactoe-3x3x4", "'tictactoe-3x3x4': on a 3 × 3 board you need 3 in a row"),
        ("tictactoe-99999", "is not a variant of tictactoe"),
        ("connect-four-6", "is not a variant of connect-four"),
        ("connect-four-six", "is not a variant of connect-four"),
        ("connect-four-6x77", "1 to 26 columns"),
        ("gomoku-21", "Gomoku is played on a square board of 5 to 20 rows, not 21"),
        ("gomoku-9x13x5", "is not a variant of gomoku"),
        ("gomoku-9-renju", "is not a variant of gomoku"),
        ("gomoku-renju", "is not a variant of gomoku"),
        ("reversi-5", "'reversi-5' is not a variant of reversi; use reversi or reversi-4"),
        ("reversi-8x8", "is not a variant of reversi"),
        (None, "the name of a game is text, not None"),
        (3, "the name of a game is text, not 3"),
    ],
)
def test_names_that_no_game_has(name, sentence):
    with pytest.raises(UnknownGameError, match=sentence):
        make_game(name)


@pytest.fixture
def _own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))


class NoughtsAndCrosses(TicTacToe):
    """Tic-Tac-Toe by its other name."""

    traits = GameTraits()


@pytest.mark.usefixtures("_own_registry")
def test_a_class_is_registered_under_the_name_of_its_traits():
    family = register_game(NoughtsAndCrosses)
    assert (family.name, family.title) == ("noughts-and-crosses", "Noughts And Crosses")
    assert type(make_game("noughts-and-crosses")) is NoughtsAndCrosses
    assert game_families()[-1] is family
    with pytest.raises(UnknownGameError, match=r"is not a variant of noughts-and-crosses$"):
        make_game("noughts-and-crosses-x")
    with pytest.raises(ValueError, match="there is already a game named noughts-and-crosses"):
        register_game(NoughtsAndCrosses)


@pytest.mark.parametrize("wrong", [TicTacToe(), "tictactoe", None, int])
def test_only_classes_of_games_are_registered(wrong):
    with pytest.raises(TypeError, match="register_game takes a subclass of BaseGameEnv"):
        register_game(wrong)


@pytest.mark.parametrize("name", ["Chess", "my game", "9-men", "a--b", "-a", "a-", "go-9"])
def test_bad_names_are_refused(name):
    before = game_families()
    game = type("Game", (TicTacToe,), {"traits": GameTraits(name=name)})
    with pytest.raises(ValueError, match="name must be lower-case words with hyphens"):
        register_game(game)
    assert game_families() == before


def test_the_built_in_families():
    assert [family.name for family in game_families()][:4] == [
        "tictactoe",
        "connect-four",
        "gomoku",
        "reversi",
    ]
    for family in game_families():
        assert family.make("").name == make_game(family.name).name


def test_the_longest_name_that_fits_is_meant(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))

    class Long(TicTacToe):
        """A game whose name begins with that of another."""

        traits = GameTraits(name="tictactoe-long", sizes=(3,))

    register_game(Long)
    assert type(make_game("tictactoe-long")) is Long
    assert type(make_game("tictactoe-4x4x3")) is TicTacToe
