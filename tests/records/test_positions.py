import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from paths import SHARED
from written_games import NAMES, assert_same, edited, games

from rl_toolkit.envs import Reversi, TicTacToe, UnknownGameError, make_game
from rl_toolkit.records import (
    ObfPosition,
    PositionError,
    RecordError,
    from_transcript,
    parse_obf,
    position_from_text,
    position_to_text,
    read_position,
    to_obf,
    to_transcript,
)

REVERSI = ("reversi-4", "reversi-6", "reversi-8")

relaxed = examples(60)
fuzzing = examples(150)


# ---------------------------------------------------------------- positions as rows


@relaxed
@given(games())
def test_reading_back_the_rows_is_the_same_position(env):
    text = position_to_text(env)
    read = position_from_text(env.name, text)
    assert read.name == env.name
    assert read.get_state_hash() == env.get_state_hash()
    assert read.winner == env.winner
    assert position_to_text(read) == text


@pytest.mark.parametrize(
    ("game", "moves", "text"),
    [
        ("tictactoe", "", "3/3/3 x"),
        ("tictactoe", "a1 b1 c3", "xo1/3/2x o"),
        ("tictactoe", "a1b1a2b2a3", "xo1/xo1/x2 x"),
        ("connect-four", "4", "7/7/7/7/7/3x3 o"),
        ("connect-four", "", "7/7/7/7/7/7 x"),
        ("gomoku-9", "a1", "9/9/9/9/9/9/9/9/x8 o"),
        ("gomoku", "b15", "1x13" + "/15" * 14 + " o"),
        ("reversi-4", "", "4/1ox1/1xo1/4 x"),
    ],
)
def test_rows_read_like_the_picture(game, moves, text):
    assert position_to_text(from_transcript(game, moves)) == text


def test_reading_is_kind_about_case_and_dots():
    env = position_from_text("tictactoe", "  X.o/3/1.1   O ")
    assert position_to_text(env) == "x1o/3/3 o"


def test_a_game_given_lends_its_rules_and_is_left_alone():
    env = from_transcript("tictactoe-4x4x3", "a1")
    read = position_from_text(env, "4/4/4/4 o")
    assert (read.name, read.move_count, env.move_count) == (env.name, 0, 1)


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("tictactoe", "", "is not a position: .* as in '3/3/3 x'"),
        ("tictactoe", "3/3/3", "is not a position"),
        ("tictactoe", None, "None is not a position"),
        ("tictactoe", "3/3 x", "3 rows separated by /, not 2"),
        ("tictactoe", "3/4/3 x", "^row 2 from the top: .* 3 columns, but '4' has more"),
        ("tictactoe", "3/3/xo x", "^row 3 from the top: .* has only 2"),
        ("tictactoe", "3//3 x", "^row 2 from the top: .* has only 0"),
        ("tictactoe", "3/3/1z1 x", "^row 3 from the top: 'z' is not a cell"),
        ("tictactoe", "3/3/١٢ x", "^row 3 from the top: '١' is not a cell"),
        (
            "tictactoe",
            "3/0xxx/3 x",
            "^row 2 from the top: a number of empty cells must be at least 1",
        ),
        ("tictactoe", f"3/{'9' * 5000}/3 x", "^row 2 from the top: .* has more"),
        ("tictactoe", "3/3/3 w", "the side to move is x or o, not 'w'"),
        ("tictactoe", "xx1/3/3 o", "players alternate"),
        ("tictactoe", "xxx/ooo/3 o", "both players have won"),
        ("connect-four", "7/7/7/7/x6/7 o", "the piece on a2 floats"),
    ],
)
def test_errors_name_the_row_and_what_is_wrong(game, text, message):
    with pytest.raises(PositionError, match=message):
        position_from_text(game, text)


def test_other_kinds_of_piece_cannot_be_written():
    class Crowned(TicTacToe):
        @property
        def board_2d(self):
            return np.full((3, 3), 2, dtype=np.int8)

    with pytest.raises(PositionError, match="a piece 2 cannot be written"):
        position_to_text(Crowned())


@fuzzing
@given(st.data(), games())
def test_slips_in_rows_raise_only_position_errors(data, env):
    text = data.draw(edited(position_to_text(env), "xo/123 .XO0"))
    try:
        read = position_from_text(env.name, text)
    except PositionError:
        return
    assert position_from_text(env.name, position_to_text(read)).get_state_hash() == (
        read.get_state_hash()
    )


# --------------------------------------------------------------------- OBF lines


@st.composite
def obf_positions(draw):
    env = draw(games(REVERSI))
    most = len(env.board)
    legal = draw(st.permutations(env.get_legal_moves()))
    scored = legal[: draw(st.integers(0, len(legal)))]
    scores = {move: draw(st.integers(-most, most)) for move in scored}
    score = draw(st.none() | st.integers(-most, most))
    return ObfPosition(env, scores, score, draw(st.text(max_size=20)))


@relaxed
@given(obf_positions())
def test_reading_back_an_obf_line_is_the_same(position):
    line = to_obf(position)
    read = parse_obf(line + "\n")
    assert read.env.get_state_hash() == position.env.get_state_hash()
    assert list(read.scores.items()) == list(position.scores.items())
    assert (read.score, read.comment) == (position.score, position.comment)
    assert to_obf(read) == line


def test_an_obf_line_in_full():
    line = "-----OX--XO----- X; A2:-8; D3:-8; +4; % both lose"
    position = parse_obf(line)
    assert [position.env.move_name(move) for move in position.scores] == ["a2", "d3"]
    assert (position.best_score, position.score, position.comment) == (-8, 4, "both lose")
    assert position.env.current_player == 1
    assert position.env.board_2d[1].tolist() == [0, -1, 1, 0]
    assert to_obf(position) == line


def test_obf_reads_the_other_spellings():
    plain = parse_obf("-----OX--XO----- O")
    for line in (".....wb..bw..... w;", "-----o*--*o----- o ; ;", "-----OX--XO-----\tO;%x"):
        assert parse_obf(line).env.get_state_hash() == plain.env.get_state_hash()
    assert plain.best_score is None
    assert parse_obf("-----OX--XO----- *;").env.current_player == 1


def test_obf_writes_a_pass():
    env = position_from_text("reversi-4", "xo2/4/4/4 o")
    assert env.get_legal_moves() == [env.pass_move]
    line = to_obf(ObfPosition(env, {env.pass_move: -3}))
    assert line == "XO-------------- O; --:-3;"
    assert parse_obf(line).scores == parse_obf(line.replace("--:", "pass:")).scores == {16: -3}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (None, "an OBF line is text"),
        ("", "begins with cells and a side"),
        ("-----OX--XO-----", "begins with cells and a side"),
        ("-----OX--XO----- X\n-----OX--XO----- X", "must be one line"),
        ("-----OX--XO---- X", "has 16, 36, 64 cells, not 15"),
        ("-----OX--XQ----- X", "^cell 11: 'Q' is not a cell"),
        ("-----OX--XO----- -", "side to move is X or O, not '-'"),
        ("-----OX--XO----- X; Z9:+2", "^field 1: 'Z9' is not a move"),
        ("-----OX--XO----- X; A2:+2; 4:+2", "^field 2: '4' is not the name of a move; write a2"),
        ("-----OX--XO----- X; A1:+2", "a1 has a score but is illegal"),
        ("-----OX--XO----- X; A2:+2; a2:+2", "^field 2: 'a2' already has a score"),
        ("-----OX--XO----- X; A2:two", "^field 1: a score is a number of discs, not 'two'"),
        ("-----OX--XO----- X; A2:+17", "a score of 17 is too large: there are 16 squares"),
        ("-----OX--XO----- X; +2; +3", r"^field 2: a second score for the position: '\+3'"),
    ],
)
def test_obf_errors_name_the_place_and_what_is_wrong(line, message):
    with pytest.raises(PositionError, match=message):
        parse_obf(line)


@fuzzing
@given(st.data(), obf_positions())
def test_slips_in_obf_lines_raise_only_position_errors(data, position):
    line = data.draw(edited(to_obf(position), "XO-*;:+%ABab12 "))
    try:
        read = parse_obf(line)
    except PositionError:
        return
    assert to_obf(parse_obf(to_obf(read))) == to_obf(read)


@pytest.mark.skipif(not (SHARED / "reversi").is_dir(), reason="the endgame suite is not here")
def test_the_published_endgame_suite_is_read_and_written_as_it_is():
    lines = [
        line.rstrip()
        for path in sorted((SHARED / "reversi").glob("*.obf"))
        for line in path.read_text().splitlines()
        if line.strip()
    ]
    assert len(lines) == 79
    positions = [parse_obf(line) for line in lines]
    assert [to_obf(position) for position in positions] == lines
    assert [position.best_score for position in positions[:7]] == [18, 10, 2, 0, 32, 14, 8]


# ----------------------------------------------------------------- whatever was typed


@relaxed
@given(games(usual=True))
def test_any_form_is_read(env):
    assert_same(read_position(env.name, to_transcript(env)), env)
    forms = [position_to_text(env)] + ([to_obf(env)] if isinstance(env, Reversi) else [])
    for text in forms:
        assert read_position(env.name, text).get_state_hash() == env.get_state_hash()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_typed_is_the_starting_position(name):
    for text in ("", " \n"):
        assert_same(read_position(name, text), make_game(name))


def test_the_error_is_about_the_form_that_the_text_looks_like():
    with pytest.raises(PositionError) as caught:
        read_position("reversi-8", "f5f5")
    message = str(caught.value)
    assert message.startswith("move 2 ('f5'): f5 is taken")
    with pytest.raises(PositionError) as caught:
        read_position("connect-four", "x9")
    example = make_game("connect-four").traits.example
    assert str(caught.value) == f"'x9' cannot be read as moves of connect-four; example: {example}"
    with pytest.raises(PositionError, match="the side to move is X or O, not 'Y'"):
        read_position("reversi-4", "-----OX--XO----- Y")
    with pytest.raises(PositionError, match="row 3 from the top: the board has 3 columns"):
        read_position("tictactoe", "3/3/4 x")


def test_an_obf_board_of_another_size_is_refused():
    with pytest.raises(PositionError, match="reversi-6: this is a board of reversi-4"):
        read_position("reversi-6", "-----OX--XO----- X")


def test_what_is_no_text_or_no_game_is_refused():
    with pytest.raises(PositionError) as refused:
        read_position("tictactoe", "xxx/oo1/3")
    assert str(refused.value).count("xxx/oo1/3") == 1
    assert "is not a position of tictactoe: write the rows" in str(refused.value)
    with pytest.raises(PositionError, match="42 is not a position of tictactoe"):
        read_position("tictactoe", 42)
    with pytest.raises(UnknownGameError, match="chess"):
        read_position("chess", "e4")


@fuzzing
@given(st.sampled_from(NAMES), st.text(st.sampled_from("xoXO-/;:%abc123 .\n") | st.characters()))
def test_nonsense_raises_only_record_errors(name, text):
    try:
        read = read_position(name, text)
    except RecordError:
        return
    assert read.name == name


@pytest.mark.parametrize("score", ["+17", "-17"])
def test_no_score_counts_more_discs_than_there_are(score):
    for line in (f"-----OX--XO----- X; A2:{score};", f"-----OX--XO----- X; {score};"):
        with pytest.raises(PositionError, match=f"score of {int(score)} "):
            parse_obf(line)
        assert parse_obf(line.replace("17", "16")).best_score == int(score.replace("17", "16"))
