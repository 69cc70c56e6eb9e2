"""Files of games: the format is found, all games are read, and nothing is half written."""

import json
import os
from contextlib import suppress
from dataclasses import replace

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from written_games import games, reversi_with_a_pass

from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.arena.self_play import SelfPlay, self_play
from rl_toolkit.envs import Gomoku, Reversi, register_game, registry
from rl_toolkit.records import (
    FORMATS,
    GameRecord,
    OtherGameError,
    RecordError,
    Variation,
    format_of,
    games_from_bytes,
    iter_games,
    read_games,
    write_games,
)
from rl_toolkit.records.formats import game_files

SAMPLES = {
    "json": [GameRecord("tictactoe", (4, 0), comments={1: "b"})],
    "jsonl": [GameRecord("tictactoe", (4,)), GameRecord("connect-four", (3, 3))],
    "sgf": [GameRecord("gomoku-9", (4,)), GameRecord("reversi-6")],
    "ggf": [GameRecord.from_env(reversi_with_a_pass()), GameRecord("reversi-8")],
    "psq": [GameRecord("gomoku-15", (112,), players=("a", "b"))],
    "wthor": [GameRecord("reversi", (19,), ("Ada", "Max"), result=1, ended_by="adjudication")],
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_found_by_content_and_by_suffix(tmp_path, name):
    form, records = FORMATS[name], SAMPLES[name]
    path = tmp_path / f"games{form.suffixes[0]}"
    write_games(path, records)
    assert read_games(path) == records
    assert format_of(form.suffixes[0].upper()) is form
    assert form.loses(records) == []
    os.rename(path, tmp_path / "games.dat")
    assert read_games(tmp_path / "games.dat") == records
    other = tmp_path / "other.dat"
    write_games(other, records, name)
    assert other.read_bytes() == (tmp_path / "games.dat").read_bytes()


def test_names_of_a_database_are_looked_for_beside_it(tmp_path):
    write_games(tmp_path / "open.wtb", SAMPLES["wthor"])
    assert sorted(os.listdir(tmp_path)) == ["open.jou", "open.wtb"]
    os.rename(tmp_path / "open.jou", tmp_path / "WTHOR.JOU")
    assert read_games(tmp_path / "open.wtb")[0].players == ("Ada", "Max")
    os.remove(tmp_path / "WTHOR.JOU")
    assert read_games(tmp_path / "open.wtb")[0].players == ("#1", "#2")
    (tmp_path / "open.jou").write_bytes(b"short")
    with pytest.raises(RecordError, match=r"^open\.wtb: the players: .* header of 16 bytes"):
        read_games(tmp_path / "open.wtb")


def test_moves_alone_need_a_game(tmp_path):
    path = tmp_path / "moves.txt"
    path.write_text("4453")
    with pytest.raises(RecordError, match=r"^moves\.txt: this is not a file of games: .*SGF"):
        read_games(path)
    assert read_games(path, "connect-four")[0].moves == (3, 3, 4, 2)
    with pytest.raises(RecordError, match=r"^moves\.txt: move 1"):
        read_games(path, "tictactoe")


def test_another_game_than_the_one_asked_for_is_refused(tmp_path):
    path = tmp_path / "g.json"
    for name in ("json", "jsonl"):
        write_games(path, SAMPLES[name], name)
        with pytest.raises(RecordError, match=r"^g\.json: .*this is a game of tictactoe, not of"):
            read_games(path, "reversi")


@pytest.mark.parametrize("form", ["jsonl", "json", "ggf", "sgf", "psq", "wthor"])
def test_another_game_is_an_error_of_its_own_in_every_format(form):
    held, record = FORMATS[form], SAMPLES[form][0]
    data = held.write([record])[held.suffixes[0]]
    with pytest.raises(OtherGameError, match=r"connect-four"):
        games_from_bytes(data, "connect-four")
    assert games_from_bytes(data, record.game) == games_from_bytes(data)


@pytest.mark.parametrize(
    ("form", "right", "wrong"),
    [
        ("jsonl", b'"d3"', b'"a1"'),
        ("ggf", b"B[d3]", b"B[a1]"),
        ("sgf", b"B[dc]", b"B[aa]"),
        ("wthor", b"\x22\0\0\0", b"\x0b\0\0\0"),
    ],
)
def test_games_are_read_one_by_one(form, right, wrong):
    held, record = FORMATS[form], SAMPLES["wthor"][0]
    whole = held.write([record, record])[held.suffixes[0]]
    assert whole.count(right) == 2
    damaged = wrong.join(whole.rsplit(right, 1))  # the second game alone
    found = iter_games(damaged)
    assert next(found).moves == record.moves
    with pytest.raises(RecordError, match=r"^(game|line) 2: "):
        next(found)
    with pytest.raises(RecordError, match=r"^(game|line) 2: "):
        games_from_bytes(damaged)


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path):
    path = tmp_path / "games.sgf"
    write_games(path, SAMPLES["sgf"])
    before = path.read_bytes()
    with pytest.raises(RecordError, match="game 2: game: SGF has no form for tictactoe"):
        write_games(path, [GameRecord("gomoku"), GameRecord("tictactoe")])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["games.sgf"]
    with pytest.raises(RecordError, match="is not a format of games"):
        write_games(tmp_path / "games.pgn", SAMPLES["sgf"])
    with pytest.raises(RecordError, match="one game, not 2; jsonl holds many"):
        write_games(tmp_path / "games.json", SAMPLES["jsonl"])


def test_what_a_format_does_not_hold_is_said():
    record = GameRecord("reversi", (19,), analyses=[{"value": 0}], comments={0: "hm"})
    branched = GameRecord("reversi", (19,), variations=[Variation(0, (26,))])
    assert FORMATS["sgf"].loses([record, branched]) == ["analyses"]
    assert FORMATS["ggf"].loses([record, branched]) == ["analyses", "comments", "variations"]
    assert FORMATS["json"].loses([record, branched]) == []


def test_huge_files_are_not_read(tmp_path, monkeypatch):
    path = tmp_path / "games.sgf"
    with open(path, "wb") as file:
        file.truncate(game_files.MAX_FILE_BYTES + 10**9)  # sparse: takes no room on the disk
    with pytest.raises(RecordError, match=r"^games\.sgf: this is too large: at most 512 MiB"):
        read_games(path)
    monkeypatch.setattr(game_files, "MAX_FILE_BYTES", 10)
    with pytest.raises(RecordError, match="too large"):
        games_from_bytes(b"(" * 11)


@examples(20)
@given(st.lists(games(), min_size=1, max_size=3))
def test_lines_of_json_read_back_as_they_were(played):
    records = [GameRecord.from_env(env, comments={0: "a\n\u2028b"}) for env in played]
    data = FORMATS["jsonl"].write(records)[".jsonl"]
    assert games_from_bytes(data) == records
    assert data.count(b"\n") == len(records)
    assert games_from_bytes(data.strip()) == records


# ------------------------------------------------------------------ matches and self-play


def test_a_saved_match_is_read_game_by_game(tmp_path):
    path, plan = tmp_path / "m.jsonl", Match("tictactoe", ("greedy", "random"), 2, 2)
    result = play_match(plan, save=path)
    records = read_games(path)
    assert [record.moves for record in records] == [
        (*game.opening, *game.moves) for game in result.games
    ]
    assert [record.players for record in records] == [
        ("greedy", "random"),
        ("random", "greedy"),
    ] * 2
    assert [record.result for record in records] == [
        game.record(plan).result for game in result.games
    ]
    assert [record.headers["pair"] for record in records] == ["1", "1", "2", "2"]
    assert [record.opening for record in records] == [2] * 4
    assert [game.record(plan).opening for game in result.games] == [2] * 4
    with open(path, "ab") as file:
        file.write(b'{"pair": 9, "gam')  # cut off by a crash
    assert read_games(path) == records


def test_saved_self_play_is_read_with_its_analyses(tmp_path):
    path = tmp_path / "s.jsonl"
    plan = SelfPlay("tictactoe", "mcts:simulations=20", 2)
    assert read_back(path, list(self_play(plan, save=path)))
    assert read_games(path)[0].analyses


def read_back(path, records):
    return sorted(map(repr, read_games(path))) == sorted(map(repr, records))


HEAD = {"format": "rl_toolkit match", "version": 1, "game": "tictactoe", "engines": ["a", "b"]}
GAME = {"first": 0, "opening": [4], "moves": [0], "result": 1}
FORFEIT = {"engine": 1, "position": "", "reason": "raised an error"}


def match_file(head=None, *lines):
    return "".join(json.dumps(line) + "\n" for line in ({**HEAD, **(head or {})}, *lines)).encode()


def test_a_forfeit_is_told():
    (record,) = games_from_bytes(
        match_file({}, {"pair": 0, "games": [{**GAME, "forfeit": FORFEIT}]})
    )
    assert (record.result, record.ended_by) == (1, "forfeit")
    assert record.headers == {"pair": "1", "forfeit": "b raised an error"}


def test_a_pair_that_was_played_again_counts_once():
    lines = [
        {"pair": pair, "games": [{**GAME, "moves": [cell], "forfeit": FORFEIT}]}
        for pair, cell in ((1, 0), (0, 1), (1, 2))
    ]
    assert [record.moves for record in games_from_bytes(match_file({}, *lines))] == [
        (4, 1),
        (4, 2),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (match_file({"format": "rl_toolkit zoo"}), "line 1: format: 'rl_toolkit zoo' is not read"),
        (match_file({"format": 3}), "line 1: format: 3 is not read"),
        (match_file({"version": 2}), "line 1: version: this file has version 2"),
        (match_file({"game": "chess"}, {}), "game: there is no game 'chess'"),
        (match_file({"game": 5}, {}), "game: this must be text"),
        (match_file({"engines": ["a"]}, {}), "line 1: engines: this must be the names of two"),
        (match_file(), "there is no game in this file"),
        (match_file({}, {"pair": 0}), "line 2: games: this field is missing"),
        (match_file({}, {"pair": "0", "games": []}), "line 2: pair: this must be a whole number"),
        (match_file({}, {"pair": 0, "games": [3]}), "line 2: games[0]: a game is an object"),
        (
            match_file({}, {"pair": 0, "games": [{**GAME, "moves": [4]}]}),
            "line 2: games[0].moves[0]: b2 is taken by X",
        ),
        (
            match_file({}, {"pair": 0, "games": [{**GAME, "first": 2}]}),
            "line 2: games[0]: first is 0 or 1",
        ),
        (
            match_file({}, {"pair": 0, "games": [{**GAME, "moves": [0, 3, 1, 5], "result": -1}]}),
            "line 2: games[0]: the file says that the second player won",
        ),
        (
            match_file({}, {"pair": 0, "games": [{**GAME, "forfeit": {"engine": 5}}]}),
            "line 2: games[0].forfeit: engine is 0 or 1",
        ),
        (match_file().strip() + b"\n{\n", "line 2: this is not JSON"),
        (b'{"version": 1}\n{"version": 1}', "line 1: game: this field is missing"),
        (
            match_file({"format": "rl_toolkit self-play"}, {"game_number": 0, "record": "{}"}),
            "line 2: version: this field is missing",
        ),
    ],
)
def test_errors_in_lines_name_the_line(data, message):
    with pytest.raises(RecordError) as caught:
        games_from_bytes(data)
    assert str(caught.value).startswith(message)


# ------------------------------------------------------------------------------ fuzzing


@examples(150)
@given(st.data())
def test_changed_files_of_every_format_raise_only_record_errors(data):
    name = data.draw(st.sampled_from(list(FORMATS)))
    form = FORMATS[name]
    content = bytearray(form.write(SAMPLES[name])[form.suffixes[0]])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not content:
            break
    game = data.draw(st.none() | st.sampled_from(["reversi", "gomoku", "tictactoe"]))
    for what in (bytes(content), data.draw(st.binary(max_size=60))):
        with suppress(RecordError):
            assert games_from_bytes(what, game, suffix=form.suffixes[0])


def test_reading_runs_no_code_that_a_file_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('ran', 'w')\ndef choose(env): return 0\n")
    game = {**GAME, "forfeit": FORFEIT}
    lines = match_file({"engines": ["evil.py:choose", "b"]}, {"pair": 0, "games": [game]})
    assert games_from_bytes(lines)[0].players[0] == "evil.py:choose"
    for name in ("evil.py", "evil.py:choose", "./evil.py"):
        with pytest.raises(RecordError):
            games_from_bytes(match_file({"game": name}, {"pair": 0, "games": [game]}))
        with pytest.raises(RecordError):
            GameRecord(name)
    assert os.listdir(tmp_path) == ["evil.py"]


def test_a_game_from_outside_is_not_written_as_another(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))

    class Wide(Gomoku):
        traits = replace(Gomoku.traits, name="wide", title="Wide", aliases=())

    class Flip(Reversi):
        traits = replace(Reversi.traits, name="flip", title="Flip", aliases=())

    for game in (Wide, Flip):
        register_game(game)
    for name, game in (("sgf", "wide-9"), ("psq", "wide-9"), ("sgf", "flip-8"), ("ggf", "flip-8")):
        with pytest.raises(RecordError, match=f"{game}$"):
            FORMATS[name].write([GameRecord(game)])
    assert games_from_bytes(FORMATS["json"].write([GameRecord("flip-8")])[".json"])
