import random

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import NAMES, assert_same, beginning_of, edited, games, play_at_random

from rl_toolkit.envs import ConnectFour, Reversi, TicTacToe, UnknownGameError, make_game
from rl_toolkit.records import GameRecord, TranscriptError, from_transcript, to_transcript

relaxed = examples(60)


# ------------------------------------------------------------------------- round trips


@relaxed
@given(games())
def test_reading_back_what_was_written_is_the_same_game(env):
    before = env.get_state_hash()
    assert_same(from_transcript(beginning_of(env), to_transcript(env)), env)
    assert env.get_state_hash() == before


@relaxed
@given(games(usual=True), st.sampled_from([" ", ",", "\n", ", ", "\t"]))
def test_separators_and_case_do_not_matter(env, separator):
    words = []
    for k, move in enumerate(env.history):
        count = f"{k // 2 + 1}." + separator.strip(",") if k % 2 == 0 else ""
        words.append(count + env.move_name(move).upper())
    assert_same(from_transcript(env.name, separator.join(words)), env)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("connect-four", "4453"),
        ("connect-four-5x12x4", "adlk"),
        ("reversi", "f5d6c3d3c4"),
        ("gomoku", "h8i9o15"),
        ("tictactoe", "b2a1"),
    ],
)
def test_the_way_people_write_each_game(game, text):
    env = from_transcript(game, text)
    assert to_transcript(env) == text
    assert to_transcript(GameRecord.from_env(env)) == text
    assert from_transcript(game, "").history == []


def test_connect_four_takes_digits_letters_and_squares():
    columns = [3, 3, 4, 2]
    for text in (
        "4453",
        "ddec",
        "D D E C",
        "d1d2e1c1",
        "4 d 5 c",
        "1. 4 4 2. 5 3",
        "1.4 2.4 3.5 4.3",
    ):
        assert from_transcript("connect-four", text).history == columns


def test_moves_go_on_from_a_game_given_which_is_left_alone():
    env = from_transcript("tictactoe", "b2")
    assert from_transcript(env, "a1 c3").history == [4, 0, 8]
    assert env.history == [4]


def test_a_name_need_not_be_registered():
    class Draughty(TicTacToe):
        name = "draughty"

    assert from_transcript(Draughty(), "b2a1").history == [4, 0]


@pytest.mark.parametrize("style", ["letters", "words"])
def test_a_game_with_names_of_its_own(style):
    class Named(TicTacToe):
        def move_name(self, move):
            return "abcdefghi"[move] if style == "letters" else f"{move // 3}-{move % 3}"

        def parse_move(self, text):
            names = [self.move_name(move) for move in range(9)]
            if text.lower() not in names:
                raise ValueError(f"no move {text}")
            return names.index(text.lower())

    env = play_at_random(Named(), 6, random.Random(5))
    assert (" " in to_transcript(env)) == (style == "words")
    assert_same(from_transcript(Named(), to_transcript(env)), env)
    with pytest.raises(TranscriptError, match=r"move 1 .*no move"):
        from_transcript(Named(), "z")


# ------------------------------------------------------------------------ passes


def reversi_with_passes(where: str) -> Reversi:
    """A random game in which a player passed, as the last move so far or before it."""
    rng = random.Random(1)
    while True:
        env = Reversi(4)
        while not env.is_terminal():
            env.step(rng.choice(env.get_legal_moves()))
            passed = env.pass_move in env.history[:-1]
            if (
                (passed and env.history[-1] != env.pass_move)
                if where == "inside"
                else (env.history[-1] == env.pass_move)
            ):
                return env


def test_passes_inside_a_game_are_left_out_and_put_back():
    env = reversi_with_passes("inside")
    text = to_transcript(env)
    assert len(text) == 2 * sum(move != env.pass_move for move in env.history)
    assert_same(from_transcript("reversi-4", text), env)


def test_a_last_pass_is_written_since_nothing_implies_it():
    env = reversi_with_passes("last")
    assert to_transcript(env).endswith("--")
    assert_same(from_transcript("reversi-4", to_transcript(env)), env)
    env.undo()
    assert not to_transcript(env).endswith("--")
    assert_same(from_transcript("reversi-4", to_transcript(env)), env)


@pytest.mark.parametrize("word", ["--", "pass", "PASS", " pass ", ",--,"])
def test_written_passes_are_read(word):
    env = reversi_with_passes("inside")
    text = "".join(word if move == env.pass_move else env.move_name(move) for move in env.history)
    assert_same(from_transcript("reversi-4", text), env)


# ------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("connect-four", "4444444", r"move 7 \('4'\): column d is full"),
        ("connect-four", "448", r"move 3 \('8'\): '8' is not a move"),
        ("connect-four", "4453.", r"move 5 \('\.'\)"),
        ("connect-four", "4453.4", r"move 1: '4453\.' is not its number"),
        ("connect-four", "12345678.1", r"move 1: '12345678\.' is not its number"),
        ("connect-four", "d2", r"move 1 \('d2'\): a piece cannot land on 'd2'"),
        ("connect-four-5x12x4", "a12", r"move 1 \('a12'\)"),
        ("connect-four-5x12x4", "a 12", r"move 2 \('12'\): .* write l"),
        ("tictactoe", "b2 a1 b2", r"move 3 \('b2'\): b2 is taken by X"),
        ("tictactoe", "b2 0", r"move 2 \('0'\): .* write a1"),
        ("tictactoe", "b2 d1", r"move 2 \('d1'\): 'd1' is not a move"),
        ("tictactoe", "a1b1a2b2a3b3", r"move 6 \('b3'\): the game is over"),
        ("reversi", "f5f6 a1", r"move 3 \('a1'\): a1 turns no disc"),
        ("reversi", "f5 pass", r"move 2 \('pass'\): passing is allowed only"),
        ("gomoku", "h8 h88", r"move 2 \('h88'\)"),
        ("gomoku", "h8?", r"move 2 \('\?'\)"),
    ],
)
def test_errors_name_the_move_and_what_is_wrong(game, text, message):
    with pytest.raises(TranscriptError, match=message):
        from_transcript(game, text)


def test_what_is_no_text_or_no_game_is_refused():
    with pytest.raises(TranscriptError, match="a transcript is text, not 4453"):
        from_transcript("connect-four", 4453)
    with pytest.raises(UnknownGameError, match="chess"):
        from_transcript("chess", "e4")


def test_the_error_carries_where_and_what():
    with pytest.raises(TranscriptError) as caught:
        from_transcript(ConnectFour(), "4444444")
    assert caught.value.where == "move 7 ('4')"
    assert caught.value.problem == "column d is full"


@examples(150)
@given(st.data(), st.sampled_from(NAMES))
def test_slips_of_the_pen_raise_only_transcript_errors(data, name):
    env = data.draw(games((name,), usual=True))
    text = data.draw(edited(to_transcript(env), "abcdefgh123456789.,- \n"))
    try:
        read = from_transcript(name, text)
    except TranscriptError:
        return
    assert_same(from_transcript(make_game(name), to_transcript(read)), read)


def test_columns_are_digits_up_to_nine_and_letters_beyond():
    for game, text in (("connect-four-6x9x4", "19"), ("connect-four-6x10x4", "aj")):
        env = make_game(game)
        env.step(0)
        env.step(env.cols - 1)
        assert to_transcript(env) == text
        assert from_transcript(game, text).history == [0, env.cols - 1]
