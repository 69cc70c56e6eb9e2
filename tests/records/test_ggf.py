"""GGF: games of Othello read back as they were, and nothing else is read."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import check_slips, games, reversi_with_a_pass

from rl_toolkit.records import GameRecord, RecordError, from_transcript
from rl_toolkit.records.formats.ggf import ggf_loses, looks_like_ggf, read_ggf, write_ggf

NAMES = ("reversi-4", "reversi-6", "reversi-8")
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="]"), max_size=8)
numbers = st.none() | st.decimals(-99, 999, places=2, allow_nan=False)
BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"


@st.composite
def records(draw):
    env = draw(games(NAMES))
    decided = {}
    if not env.is_terminal() and draw(st.booleans()):
        reasons = ["resignation", "time", "agreement", "leaving", "adjudication", "rain"]
        decided = {"result": draw(st.sampled_from([1, 0, -1]))}
        decided["ended_by"] = draw(st.sampled_from(reasons))
    names = ["place", "date", "type", "black rating", "XX", "BO", "PC", "event", "C"]
    headers = draw(st.dictionaries(st.sampled_from(names), texts.filter(bool), max_size=3))
    decided["opening"] = draw(st.integers(0, len(env.history)))
    for name in ("move times", "move scores"):
        if draw(st.booleans()) and env.history:
            pair = draw(st.lists(numbers, min_size=2, max_size=2))
            words = ["-" if number is None else f"{number:f}" for number in pair]
            headers[name] = " ".join(words[k % 2] for k in range(len(env.history)))
    if draw(st.booleans()):
        headers["score"] = draw(st.sampled_from(["12", "-3.5", "0", "x"]))
    return GameRecord.from_env(env, players=(draw(texts), draw(texts)), headers=headers, **decided)


@examples(40)
@given(st.lists(records(), min_size=1, max_size=2))
def test_games_read_back_as_they_were(played):
    text = write_ggf(played)
    assert looks_like_ggf(text.encode())
    read = read_ggf(text.encode())
    for before, after in zip(played, read, strict=True):
        if not ggf_loses(before):
            assert after == before
        assert (after.game, after.moves, after.start) == (before.game, before.moves, before.start)
        assert (after.players, after.result) == (before.players, before.result)
        assert after.opening == before.opening
        assert not ggf_loses(after)
    assert write_ggf(read) == text


def test_a_game_of_the_server():
    text = (
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ada]PW[max+]RB[2197.01]"
        "RW[2199.72]TI[05:00//02:00]TY[8]RE[-64.00:t]BO[8 -------- -------- -------- ---O*--- "
        "---*O--- -------- -------- -------- *]B[d3//0.01]W[C5/-1.50/2]B[E6];)\n"
    )
    (record,) = read_ggf(text)
    assert record.game == "reversi-8"
    assert record.start == ""
    assert record.moves == tuple(from_transcript("reversi", "d3c5e6").history)
    assert (record.result, record.ended_by) == (-1, "time")
    assert record.headers == {
        "place": "GGS/os",
        "date": "2003.12.15_13:24:03.MST",
        "black rating": "2197.01",
        "white rating": "2199.72",
        "time limit": "05:00//02:00",
        "move scores": "- -1.5 -",
        "move times": "0.01 2 -",
    }
    assert len(read_ggf("2 " + 2 * text.removeprefix("1 ").strip())) == 2


def test_passes_are_written_and_may_be_left_out():
    record = GameRecord.from_env(reversi_with_a_pass())
    text = write_ggf([record])
    assert "[PA]" in text
    assert read_ggf(text.replace("B[PA]", "").replace("W[PA]", "")) == [record]
    assert read_ggf(text.replace("PA", "pass").replace(";)", "B[PA]W[PA];)")) == [record]


def test_a_score_that_does_not_follow_from_the_board_is_kept():
    (record,) = read_ggf(f"(;GM[Othello]RE[+12.50:s]{BOARD}B[d3];)")
    assert (record.result, record.ended_by) == (1, "agreement")
    assert record.headers == {"score": "12.5"}
    assert "RE[+12.50:s]" in write_ggf([record])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no game"),
        ("f5d6", "line 1: 'f5d6' is not GGF"),
        ("GM[Othello]", "line 1: 'GM[Othello]' is not in a game"),
        ("(;GM[Othello]\n(;", "line 2: a game begins inside another"),
        ("(;GM[Othello]", "game 1: the file ends inside a game"),
        ("(;GM[Othello]\n\n!;)", "line 3: '!;)' is not GGF"),
        ("(;GM[Amazons];)", "game 1: GM: GM[Amazons] is not read"),
        ("(;GM[Othello];)", "game 1: BO: this property is missing"),
        ("(;GM[Othello]BO[10 - *];)", "game 1: Reversi is played on a square board of"),
        ("(;GM[Othello]BO[8 -- *];)", "game 1: BO: the board must have 64 of"),
        ("(;GM[Othello]BO[x];)", "game 1: BO: 'x' is not a size"),
        ("(;GM[Othello]BO[];)", "game 1: BO: '' is not a size"),
        (f"(;GM[Othello]{BOARD}KM[+4.5];)", "game 1: KM: games with komi are not read"),
        (f"(;GM[Othello]{BOARD}TY[8a];)", "game 1: TY: anti-Othello is another game"),
        (f"(;GM[Othello]{BOARD}PB[a]PB[b];)", "game 1: PB: this property appears twice"),
        (f"(;GM[Othello]{BOARD}B[a1];)", "game 1: property 3, B[a1]: a1 turns no disc"),
        (f"(;GM[Othello]{BOARD}W[d3];)", "game 1: property 3, W[d3]: it is Black's turn"),
        (f"(;GM[Othello]{BOARD}B[d3/x];)", "game 1: property 3, B[d3/x]: 'x' is not a number"),
        (f"(;GM[Othello]{BOARD}B[19];)", "game 1: property 3, B[19]: '19' is not the name"),
        (f"(;GM[Othello]{BOARD}RE[won];)", "game 1: RE: a result looks like"),
        (f"(;GM[Othello]{BOARD}RE[+2:z];)", "game 1: RE: 'z' is not a reason"),
        (f"(;GM[Othello]{BOARD};)(;GM[Othello]{BOARD}B[a1];)", "game 2: property 3"),
    ],
)
def test_errors_name_game_and_property(text, message):
    with pytest.raises(RecordError) as caught:
        read_ggf(text)
    assert str(caught.value).startswith(message)


def test_a_result_that_contradicts_the_moves_is_refused():
    record = GameRecord.from_env(reversi_with_a_pass())
    text = write_ggf([record])
    wrong = text.replace("RE[+", "RE[-") if "RE[+" in text else text.replace("RE[-", "RE[+")
    with pytest.raises(RecordError, match="game 1: RE: the file says that"):
        read_ggf(wrong)


def test_what_the_format_cannot_hold_is_not_written():
    with pytest.raises(RecordError, match="game 1: game: GGF has no form for gomoku-15"):
        write_ggf([GameRecord("gomoku")])
    with pytest.raises(RecordError, match=r"game 1: PB: GGF cannot hold 'a"):
        write_ggf([GameRecord("reversi", players=("a]", ""))])
    assert "TY[8]" in write_ggf([GameRecord("reversi", headers={"type": "8a"})])
    with pytest.raises(RecordError, match="this is a game of reversi-8, not of reversi-6"):
        read_ggf(f"(;GM[Othello]{BOARD};)", "reversi-6")


@examples(30)
@given(st.data(), records())
def test_slips_raise_only_record_errors(data, record):
    check_slips(data, write_ggf([record]), "(;)[]*O-/:.0123456789ABWPRE ", read_ggf, write_ggf)


@examples(100)
@given(st.binary(max_size=40))
def test_random_bytes_raise_only_record_errors(data):
    for text in (data, b"(;GM[Othello]" + BOARD.encode() + data + b";)"):
        try:
            read_ggf(text)
        except RecordError:
            continue
