"""What games say of themselves: defaults, and declarations that the game contradicts."""

import re

import pytest
from broken_games import Poison
from hex_game import Hex

from rl_toolkit.envs import (
    BoardGame,
    FormField,
    GameTraits,
    Reversi,
    TicTacToe,
    for_game,
    game_families,
    make_game,
    register_game,
)
from rl_toolkit.envs.bases.board_game import RUNNING
from rl_toolkit.envs.registry import check_traits
from rl_toolkit.utils.svg import COLOURS
from rl_toolkit.web.exchange.looks import look_of


def game(base=TicTacToe, **traits):
    return type("Game", (base,), {"traits": GameTraits(**traits)})


class TakeAwayGame(Poison):
    """Take one or more stones.

    The player who takes the last one loses.
    """

    traits = GameTraits()


def test_a_class_of_eight_methods_has_sensible_traits():
    traits = TakeAwayGame.traits
    assert (traits.name, traits.title) == ("take-away-game", "Take Away Game")
    assert traits.pieces == ("X", "O")
    assert (traits.move_by, traits.passes, traits.score_unit) == ("cell", False, "")
    assert traits.rules == ("Take one or more stones.",)
    assert traits.has_heuristic is False
    assert (traits.fields, traits.variant, traits.variants) == ((), "", "")


def test_a_heuristic_is_seen_from_the_class():
    assert TicTacToe.traits.has_heuristic
    assert not Hex.traits.has_heuristic
    assert not game(has_heuristic=False).traits.has_heuristic


def test_a_subclass_without_traits_is_the_same_game_to_the_registry():
    class WithAnotherHeuristic(Reversi):
        """Reversi."""

    assert WithAnotherHeuristic.traits == Reversi.traits
    assert WithAnotherHeuristic(6).name == "reversi-6"
    with pytest.raises(ValueError, match="already a game named reversi; give WithAnotherHeuristic"):
        register_game(WithAnotherHeuristic)


def test_a_subclass_with_traits_is_a_game_of_its_own():
    class Noughts(TicTacToe):
        """Tic-Tac-Toe."""

        traits = GameTraits()

    assert (Noughts.traits.name, Noughts.traits.title) == ("noughts", "Noughts")
    assert [Noughts().name, Noughts(4).name] == ["noughts", "noughts-4x4x4"]


def test_sizes_become_a_form_and_names():
    assert Hex.traits.variants == "or hex-3, hex-5, hex-7"
    (size,) = Hex.traits.fields
    assert size.choices == (("3", "3 × 3"), ("5", "5 × 5"), ("7", "7 × 7"))
    assert Hex(7).name == "hex-7"
    assert Hex(7).form_values() == {"size": "7"}
    assert Hex.from_variant("7").rows == 7
    assert Hex.from_variant("4") is None
    assert Hex.from_variant("").rows == 5


@pytest.mark.parametrize("family", game_families(), ids=lambda family: family.name)
def test_the_form_of_a_game_names_the_game_it_shows(family):
    env = family.make("")
    variant = family.traits.variant.format(**env.form_values())
    assert make_game(f"{family.name}-{variant}".rstrip("-")).name == env.name
    assert {field.name for field in family.traits.fields} == set(env.form_values())


@pytest.mark.parametrize("family", game_families(), ids=lambda family: family.name)
def test_every_choice_of_a_form_makes_another_game(family):
    usual = {field.name: field.default for field in family.traits.fields}
    for field in family.traits.fields:
        for value, _ in field.choices:
            chosen = {**usual, field.name: value}
            env = make_game(f"{family.name}-{family.traits.variant.format(**chosen)}")
            assert env.form_values()[field.name] == value


def test_colours_are_named_with_the_letter_of_the_board():
    assert [TicTacToe.traits.side(player) for player in (1, -1)] == ["X", "O"]
    assert [Hex.traits.side(player) for player in (1, -1)] == ["Blue (X)", "Red (O)"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (game(preview="b2 b2"), "the preview cannot be played at 'b2': b2 is taken by X"),
        (game(preview="z9"), "the preview cannot be played at 'z9'"),
        (game(preview_variant="x"), "from_variant does not know the variant 'x'"),
        (game(rules=("A.",), pictures=("b2", "")), "there are 2 pictures for 1 rules"),
        (game(rules=("A.",), pictures=("b2 b2",)), "picture 1 of the rules cannot be played at"),
        (game(sizes=(2,)), "the board '2' cannot be made: 2×2 is too small"),
        (game(base=Hex, sizes=(5, 0)), "the board '0' cannot be made"),
        (
            game(fields=(FormField("n", "Size", 9),), variant="{n}y"),
            "does not know the variant '9y'",
        ),
        (
            game(base=Reversi, fields=(FormField("size", "Size", "8"),)),
            "variant '' does not name the field {size}",
        ),
        (
            game(fields=(FormField("n", "Size", 9), FormField("m", "Size", 9)), variant="{n}"),
            "variant '{n}' does not name the field {m}",
        ),
        (game(variant="{n}"), "variant '{n}' names {n}, which is not a field"),
        (game(colours=("red",)), "colours must be two of red, blue,"),
        (game(colours=("red", "red")), "colours must be two of red, blue,"),
        (game(colours=("red", "pink")), "colours must be two of red, blue,"),
        (game(colours=("red", "white")), "with the style marks, not ('red', 'white')"),
        (game(pieces=("X", "X")), "pieces must be two different names"),
        (game(pieces=("X",)), "pieces must be two different names"),
        (game(pieces=("", "O")), "pieces must be two different names"),
        (game(style="hexagons"), "style must be marks or discs or stones or flips"),
        (game(row_one_at="left"), "row_one_at must be top or bottom"),
        (game(move_by="drag"), "move_by must be cell or column"),
        (game(move_by="column"), "moves are columns, but there are 9 moves and 3 columns"),
        (game(rules="One. Two."), "rules must be a tuple of sentences"),
        (game(levels="easy"), "levels a mapping of levels to engines"),
        (game(base=Hex, sizes=(3,)), "boards of 3 and 5 rows are both named game"),
        (game(base=Hex, sizes=(3, 7)), "does not know the variant '5'"),
        (game(passes=True), "passes must be true if and only if the game has a pass_move"),
        (game(base=Reversi), "passes must be true if and only if"),
    ],
)
def test_a_declaration_that_the_game_contradicts_is_refused(wrong, sentence):
    before = game_families()
    with pytest.raises(ValueError, match=re.escape(sentence)):
        register_game(wrong)
    assert game_families() == before


@pytest.mark.parametrize("sizes", [4, (4.5, 5), ("4", "5"), ((3, 3, 3),)])
def test_sizes_of_another_kind_are_refused_when_the_class_is_made(sizes):
    with pytest.raises(TypeError, match="sizes must be sides or pairs"):
        game(base=Hex, sizes=sizes)


def test_names_of_classes_with_digits_and_mixins():
    class Mixin:
        """Not a game."""

    class Hex5(Mixin, BoardGame):
        """Five."""

    assert (Hex5.traits.name, Hex5.traits.title) == ("hex5", "Hex5")
    assert Hex5.traits.rules == ("Five.",)
    assert game(base=Hex, sizes=((3, 3), (5, 5))).traits.variants == "or game-3, game-5"


def test_traits_of_another_kind_are_refused_when_the_class_is_made():
    with pytest.raises(TypeError, match=r"Game\.traits must be GameTraits, not \{\}"):
        type("Game", (TicTacToe,), {"traits": {}})


def test_the_built_in_games_agree_with_their_traits():
    for family in game_families():
        check_traits(family.game)
        assert len(family.traits.rules) == 3
        assert family.traits.example or family.name == "unsized"


def test_tables_by_class_know_subclasses():
    table = {TicTacToe: "marks", BoardGame: "a board"}
    assert for_game(table, game()()) == "marks"
    assert for_game(table, Hex) == "a board"
    assert for_game({Reversi: 1}, Hex(3)) is None


def test_a_heuristic_counts_for_the_class_that_has_it_and_those_below():
    class Blind(BoardGame):
        def verdict(self, cell=None):
            return RUNNING

    class Seeing(Blind):
        def evaluate_heuristic(self, player):
            return 0.0

    class Below(Seeing):
        pass

    found = [cls.traits.has_heuristic for cls in (BoardGame, Blind, Seeing, Below, TicTacToe)]
    assert found == [False, False, True, True, True]


@pytest.mark.parametrize(
    ("traits", "colours"),
    [
        ({"pieces": ("Red", "Blue"), "style": "stones"}, ("red", "blue")),
        ({"pieces": ("Red", "Blue")}, ("red", "blue")),
        ({"pieces": ("White", "Black"), "style": "stones"}, ("white", "black")),
        ({"pieces": ("White", "Black")}, None),  # on paper they could not be seen
        ({"pieces": ("Black", "White"), "style": "stones"}, None),  # as the style has them
        ({"pieces": ("Cats", "Dogs"), "style": "discs"}, None),
        ({"pieces": ("Cats", "Dogs"), "colours": ("green", "purple")}, ("green", "purple")),
    ],
)
def test_pieces_have_the_colours_that_they_are_called(traits, colours):
    kind = game(**traits)
    check_traits(kind)
    assert kind.traits.piece_colours == colours
    env = kind()
    env.step(4)
    drawn = env.to_svg()
    if colours is not None:
        assert COLOURS[colours[0]].main in drawn
        assert f"1 {colours[0]}" in drawn  # for those who cannot see the picture
    assert look_of(env, "colours")["colours"] == (
        colours and [COLOURS[colour].main for colour in colours]
    )


def test_the_colours_of_the_toolkits_games_are_those_of_their_styles():
    assert {family.traits.piece_colours for family in game_families()} == {None}
