"""SGF: every game that it holds reads back as it was, and nothing else is read."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import check_slips, commented, games, reversi_with_a_pass

from rl_toolkit.records import GameRecord, RecordError, Variation, from_transcript
from rl_toolkit.records.formats.sgf import read_sgf, write_sgf

NAMES = (
    "gomoku-9",
    "gomoku-15-standard",
    "gomoku-19x19x4",
    "reversi-4",
    "reversi-6",
    "reversi-8",
)
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\\]:[;()"), max_size=8)


@st.composite
def records(draw):
    env = draw(games(NAMES))
    decided = {}
    if not env.is_terminal() and draw(st.booleans()):
        reasons = st.sampled_from(["resignation", "time", "forfeit", "adjudication", "rain"])
        decided = {"result": draw(st.sampled_from([1, 0, -1])), "ended_by": draw(reasons)}
    headers = st.sampled_from(["event", "date", "EV", "B", "XX", "a:b", "GM"]) | texts
    return GameRecord.from_env(
        env,
        players=(draw(texts), draw(texts)),
        headers=draw(st.dictionaries(headers, texts, max_size=3)),
        opening=draw(st.integers(0, len(env.history))),
        **draw(commented(env, texts)),
        **decided,
    )


@examples(25)
@given(st.lists(records(), min_size=1, max_size=2))
def test_games_read_back_as_they_were(played):
    text = write_sgf(played)
    assert read_sgf(text) == played
    assert read_sgf(text.encode()) == played
    assert write_sgf(read_sgf(text)) == text


@examples(20)
@given(records())
def test_another_reader_sees_the_same_tree(record):
    grammar = pytest.importorskip("sgfmill.sgf_grammar")
    (theirs,) = grammar.parse_sgf_collection(write_sgf([record]).encode())

    def size(tree):
        return len(tree.sequence) + sum(map(size, tree.children))

    moves = len(record.moves) + sum(variation.size for variation in record.variations)
    assert size(theirs) == 1 + moves
    root = theirs.sequence[0]
    if record.players[0]:
        seen = grammar.text_value(root["PB"][0]).decode().replace("\r", "\n")
        assert seen.split() == record.players[0].split()


def test_a_game_as_others_write_it():
    text = """(;FF[4]GM[4]SZ[15]EV[Club evening]PB[Ada]PW[Max]RE[W+R]
      ;B[hh]C[the centre \\] always];W[ii]LB[hh:1]BL[300]
      (;B[hi])(;B[gg]C[sharper](;W[ff])(;W[gi];B[aa])))"""
    (record,) = read_sgf(text)
    assert record.game == "gomoku-15"
    assert record.players == ("Ada", "Max")
    assert record.headers == {"event": "Club evening"}
    assert (record.result, record.ended_by) == (-1, "resignation")
    assert [record.replay().move_name(move) for move in record.moves] == ["h8", "i7", "h7"]
    assert record.comments == {1: "the centre ] always"}
    (branch,) = record.variations
    assert (branch.ply, len(branch.moves), branch.comments) == (2, 2, {1: "sharper"})
    assert [inner.ply for inner in branch.variations] == [1]
    assert write_sgf([record]).count("(") == 5


def test_othello_with_its_discs_passes_left_out_and_squares():
    start = "AB[ed][de]AW[dd][ee]PL[B]"
    for moves in (";B[dc];W[cc]", ";B[d3];W[C3]"):
        (record,) = read_sgf(f"(;GM[2]SZ[8]{start}{moves})")
        assert record == GameRecord.from_env(from_transcript("reversi", "d3c3"))
    played = reversi_with_a_pass()
    text = write_sgf([GameRecord.from_env(played)])
    for left_out in ("W[]", "B[]"):
        text = text.replace(f";{left_out}", "")
    assert read_sgf(text) == [GameRecord.from_env(played)]
    assert read_sgf(text.replace(")\n", ";B[tt];W[])"))[0].moves == tuple(played.history)


def test_a_file_that_names_no_game_is_read_if_the_caller_does():
    text = "(;FF[4]SZ[19]SO[littlegolem];B[jj];W[kk])"
    with pytest.raises(RecordError, match=r"^game 1: GM: there is no GM.*say which game it is"):
        read_sgf(text)
    assert read_sgf(text, "gomoku-19")[0].moves == (9 * 19 + 9, 8 * 19 + 10)
    with pytest.raises(RecordError, match="SZ: the board has 19 rows, but gomoku-15 was asked"):
        read_sgf(text, "gomoku-15")
    with pytest.raises(RecordError, match="SGF has no form for tictactoe"):
        read_sgf(text, "tictactoe")
    renju = "(;GM[4]RU[Renju];B[hh])"
    with pytest.raises(RecordError, match="RU: the rule of Gomoku is freestyle or standard"):
        read_sgf(renju)
    assert read_sgf(renju, "gomoku-15")[0].game == "gomoku-15"


def test_text_that_is_not_utf_8_is_read_as_the_file_says():
    assert read_sgf("(;GM[4]PB[Zoë])".encode("latin-1"))[0].players[0] == "Zoë"
    assert read_sgf("(;GM[4]CA[GB2312]PB[王])".encode("gb2312"))[0].players[0] == "王"
    assert read_sgf("\ufeff(;GM[4]PB[Zoë])".encode())[0].players[0] == "Zoë"


def test_comments_without_a_move_go_to_the_move_they_are_about():
    (record,) = read_sgf("(;GM[4];C[first];B[hh](;W[ii])(;C[or];W[gg]C[this])(;C[or nothing]))")
    assert record.comments == {0: "first", 1: "or nothing"}
    assert record.variations == (Variation(1, (8 * 15 + 6,), {1: "or\nthis"}),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: there is no game"),
        ("hello", "line 1: 'hello' is not in a node"),
        ("(;GM[4]\n;B[hh", "line 2: a value that begins with [ has no ]"),
        ("(;GM[4];B[hh]", "line 1: the file ends inside a tree"),
        ("(;GM[4]))", "line 1: this ) closes nothing"),
        ("()", "line 1: a tree has no node"),
        ("(;GM[4];\nB[hh]B[ii])", "line 2: the property B appears twice in one node"),
        ("(;GM[4];B)", "line 1: 'B' is not a property with a value"),
        ("(;[4])", "line 1: the value '4' has no property"),
        ("(;GM[4]%)", "line 1: '%)' is not SGF"),
        ("(;GM[1];B[hh])", "game 1: GM: GM[1] (Go) is not a game that can be read"),
        ("(;GM[4]SZ[21];B[aa])", "game 1: Gomoku is played on a square board of"),
        ("(;GM[4]SZ[15:9];B[aa])", "game 1: SZ: the board is not a square"),
        ("(;GM[4];\nB[hh];B[ii])", "game 1: line 2, B[ii]: it is White's turn"),
        ("(;GM[4];B[hh];W[hh])", "game 1: line 1, W[hh]: h8 is taken by"),
        ("(;GM[4];B[zz])", "game 1: line 1, B[zz]: 'zz' is not on the board"),
        ("(;GM[4];B[])", "game 1: line 1, B[]: this is a pass, and the game has none"),
        ("(;GM[2];B[aa])", "game 1: line 1, B[aa]: a1 turns no disc"),
        ("(;GM[4];B[hh]W[ii])", "game 1: line 1: a node has more than one move"),
        ("(;GM[4];B[hh];AW[ii])", "game 1: line 1: stones are set up after the start"),
        ("(;GM[4]PL[X])", "game 1: PL: the side to move is B or W"),
        ("(;GM[4]RE[maybe])", "game 1: RE: a result is B+, W+, 0 or ?, not 'maybe'"),
        ("(;GM[4]AB[aa][bb])", "game 1: players alternate"),
        ("(;GM[4])(;GM[4];B[a])", "game 2: line 1, B[a]: 'a' is not on the board"),
        ("(;GM[4]" + "(;B[hh]" * 2 + ")" * 3, "game 1: line 1, B[hh]: it is White's turn"),
        ("(;GM[4]RLHDR[x])", "game 1: RLHDR: 'x' is not a name"),
    ],
)
def test_errors_name_game_and_line(text, message):
    with pytest.raises(RecordError) as caught:
        read_sgf(text)
    assert str(caught.value).startswith(message)


def test_a_result_that_contradicts_the_moves_is_refused():
    won = write_sgf([GameRecord.from_env(from_transcript("gomoku-9", "a1b1a2b2a3b3a4b4a5"))])
    assert "RE[B+]" in won
    with pytest.raises(RecordError, match="game 1: RE: the file says that the second"):
        read_sgf(won.replace("RE[B+]", "RE[W+R]"))
    assert read_sgf(won.replace("RE[B+]", ""))[0].result == 1


def test_a_game_that_sgf_has_no_form_for_is_not_written():
    with pytest.raises(RecordError, match="game 2: game: SGF has no form for tictactoe"):
        write_sgf([GameRecord("gomoku"), GameRecord("tictactoe")])


def test_depth_is_bounded_and_needs_no_recursion():
    deep = "(;GM[4]" + "(;B[aa](;W[bb]))" * 3 + ")"
    assert len(read_sgf(deep)[0].variations) == 2
    with pytest.raises(RecordError, match="line 1: the file ends inside a tree"):
        read_sgf("(;GM[4]" + "(;C[x]" * 20_000)
    combs = "(;GM[4]" + ";C[x](;C[a])(;C[b]" * 500 + ")" * 501
    with pytest.raises(RecordError, match="nested deeper than"):
        read_sgf(combs)
    assert read_sgf("(;GM[4]" + ";C[x]" * 3_000 + ")")[0].moves == ()


@examples(25)
@given(st.data(), records())
def test_slips_raise_only_record_errors(data, record):
    check_slips(data, write_sgf([record]), "();[]\\:BWCab \n", read_sgf, write_sgf)


@examples(100)
@given(st.binary(max_size=40))
def test_random_bytes_raise_only_record_errors(data):
    for text in (data, b"(;GM[4]" + data + b")"):
        try:
            read_sgf(text)
        except RecordError:
            continue
