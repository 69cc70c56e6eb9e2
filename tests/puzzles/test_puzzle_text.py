"""Puzzles as values and as text: files, numbers, and what is refused."""

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.puzzles import Puzzle, PuzzleError, PuzzleSet, number_of, read_set, shipped
from rl_toolkit.puzzles.puzzle import moves_from_text, moves_to_text

#: Red plays a, b, then wins with two threats.
LINE = "11366b36|cgdeddce|abbaccd|win|1525|eb|e"


def test_a_puzzle_is_read_as_it_was_written():
    puzzle = Puzzle.read("connect-four", LINE).checked()
    assert puzzle.to_text() == LINE
    assert (puzzle.name, puzzle.steps, puzzle.missed) == ("connect-four/11366b36", 4, True)
    assert puzzle.moves[-1] == 4
    assert puzzle.env().current_player == 1
    assert "abbaccd" not in str(puzzle.to_dict())  # a list does not give the solution away


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("11366b36|cgde", "7 fields"),
        (LINE.replace("11366b36", "xyz"), "eight digits"),
        (LINE.replace("|win|", "|joke|"), "'joke' is not a kind"),
        (LINE.replace("|1525|", "|-1|"), "not a difficulty"),
        (LINE.replace("|abbaccd|", "|abba|"), "ends with an own move"),
        (LINE.replace("|eb|", "|zz|"), "'z' is not a move"),
    ],
)
def test_what_is_not_a_puzzle_is_refused(line, words):
    with pytest.raises(PuzzleError, match=words):
        Puzzle.read("connect-four", line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (LINE.replace("|cgdeddce|", "|cccccccc|"), "cannot be played"),
        (LINE.replace("11366b36", "11366b37"), "the number of this position is 11366b36"),
        (LINE.replace("|abbaccd|", "|aaaaaaaaa|"), "cannot be played"),
    ],
)
def test_a_puzzle_that_cannot_be_played_is_refused(line, words):
    with pytest.raises(PuzzleError, match=words):
        Puzzle.read("connect-four", line).checked()


def test_images_of_a_position_have_one_number():
    games = [make_game("reversi").after([37, 43, 18]), make_game("gomoku").after([112, 98, 96])]
    for env in games:
        number = number_of(env)
        for symmetry in env.symmetries():
            image = env.copy()
            image.set_position(symmetry.apply_to_board(env.board), env.current_player)
            assert number_of(image) == number
        swapped = env.copy()
        swapped.set_position(-env.board, -env.current_player)
        assert number_of(swapped) == number
        assert number_of(env.after([env.get_legal_moves()[0]])) != number


def test_moves_with_passes_are_read_without_a_board():
    env = make_game("reversi")
    moves = (19, 64, 26)
    assert moves_to_text(env, moves) == "d3--c4"
    assert moves_from_text(env, "d3--c4") == moves


def test_a_set_is_read_as_it_was_written(tmp_path):
    some = PuzzleSet("connect-four", list(shipped("connect-four")[:3]), 17, "Week 3")
    some.save(tmp_path / "set.txt")
    assert read_set(tmp_path / "set.txt") == some


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with"),
        ("# puzzles of chess\n", "chess"),
        ("# puzzles of connect-four\nnothing\n", "line 2"),
    ],
)
def test_another_file_is_not_a_set(tmp_path, text, words):
    (tmp_path / "a.txt").write_text(text)
    with pytest.raises(PuzzleError, match=f"a.txt.*{words}"):
        read_set(tmp_path / "a.txt")
