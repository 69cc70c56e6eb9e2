"""Files of games sent to the server as data: every format, one game of many, nothing else."""

import base64
import json

import pytest
from web_requests import answer, post, refusal

from rl_toolkit.records import FORMATS, GameRecord
from rl_toolkit.web import ServerLimits, create_app

ADDRESS = "/api/record/open"


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(games=3)).test_client()


def game(*moves, game="reversi"):
    return GameRecord(game, moves, ("Ada", "Max"), 1, ended_by="adjudication")


def written(form, *records):
    held = FORMATS[form]
    return base64.b64encode(held.write(records)[held.suffixes[0]]).decode()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_opened_as_data(client, form):
    record = game(112, game="gomoku") if form == "psq" else game(19, 18)
    opened = answer(client, ADDRESS, data=written(form, record))
    assert (opened["moves"], opened["result"]) == (list(record.moves), 1)
    assert opened["family"] == record.game.partition("-")[0]
    if FORMATS[form].is_text:
        text = base64.b64decode(written(form, record)).decode()
        assert answer(client, ADDRESS, text=text) == opened


def test_the_moves_that_no_player_chose_go_through_files_of_the_page(client):
    text = client.post("/api/record", json={"moves": "a1b1b2", "opening": 2}).text
    assert GameRecord.from_json(text).opening == 2
    assert client.post("/api/record/open", json={"text": text}).get_json()["opening"] == 2
    refused = client.post("/api/record", json={"moves": "a1b1b2", "opening": 4})
    assert (refused.status_code, "opening" in refused.get_json()["error"]) == (400, True)


def test_one_game_of_many_is_chosen(client):
    data = written("sgf", game(19), game(19, 18))
    found = answer(client, ADDRESS, data=data)
    assert found["more"] is False
    assert [entry["number"] for entry in found["games"]] == [1, 2]
    assert found["games"][1]["text"] == "2. Ada – Max, Black won, 2 moves"
    assert answer(client, ADDRESS, data=data, number=2)["moves"] == [19, 18]
    assert "there is no game 3 in this file: it has 2" in refusal(
        post(client, ADDRESS, data=data, number=3)
    )


def test_no_more_games_are_read_than_the_server_allows(client):
    data = written("jsonl", *[game(19)] * 4)
    found = answer(client, ADDRESS, data=data)
    assert (len(found["games"]), found["more"]) == (3, True)
    assert "reads the first 3 games" in refusal(post(client, ADDRESS, data=data, number=4))
    broken = base64.b64encode(base64.b64decode(data) + b"{}\n").decode()  # the fifth line
    assert len(answer(client, ADDRESS, data=broken)["games"]) == 3


def test_a_file_that_leaves_the_game_open_is_of_the_game_of_the_page(client):
    text = "(;SZ[8];B[dc])"
    assert answer(client, ADDRESS, text=text, game="reversi")["names"] == ["d3"]
    assert "there is no GM" in refusal(post(client, ADDRESS, text=text, game="tictactoe"))
    coded = base64.b64encode(b"f5 d6").decode()
    assert answer(client, ADDRESS, data=coded, game="reversi")["names"] == ["f5", "d6"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"data": "?!"}, "data is not base 64"),
        ({"data": "AAA"}, "data is not base 64"),
        ({"data": 7}, "data is text"),
        ({"data": "YQ==", "text": "b2"}, "give text or data, not both"),
        ({"data": base64.b64encode(b"\xff\xfe").decode()}, "This is not a file of games."),
        ({"text": "\ud800"}, "the body cannot be read: it has half of a surrogate pair"),
        ({"data": written("sgf", game(19)), "number": 0}, "number is a whole number from 1"),
        ({"text": "(;GM[1])"}, "This record cannot be opened: game 1: GM: GM[1]"),
        ({"file": "/etc/passwd"}, "there is no field 'file'"),
    ],
)
def test_other_content_is_refused_in_a_sentence(client, fields, said):
    assert refusal(post(client, ADDRESS, **fields)).startswith(said)


def test_a_file_names_no_code_in_any_format(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('it-ran', 'w')")
    players = ("evil.py", "gtp:cmd=touch it-ran")
    for form in ("json", "jsonl", "sgf", "ggf"):
        record = GameRecord("reversi", (19,), players)
        assert answer(client, ADDRESS, data=written(form, record))["players"] == list(players)
    head = {"format": "rl_toolkit match", "version": 1, "engines": list(players)}
    for name in ("evil.py", "evil.py:Game", "openspiel:hex", "evil:Game"):
        text = json.dumps({**head, "game": name}) + '\n{"pair": 0, "games": []}\n'
        assert refusal(post(client, ADDRESS, text=text))
    assert not (tmp_path / "it-ran").exists()


def test_what_a_file_says_about_its_game_comes_with_it_and_can_be_saved(client):
    text = "(;GM[2]SZ[8]PB[Ada]PW[Max]EV[Cup]C[A start];B[dc]C[Good](;W[cc])(;W[ce]C[Or]))"
    opened = answer(client, ADDRESS, text=text)
    assert opened["headers"] == {"event": "Cup"}
    assert opened["comments"] == {"0": "A start", "1": "Good"}
    assert opened["left_out"] == "This page leaves out 1 variation in the file."
    kept = {name: opened[name] for name in ("game", "moves", "players", "headers", "comments")}
    again = answer(client, ADDRESS, text=client.post("/api/record", json=kept).text)
    assert {name: again[name] for name in kept} == kept
    assert again["left_out"] == ""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"comments": ["good"]}, "comments are texts by ply"),
        ({"comments": {"one": "good"}}, "comments are texts by ply"),
        ({"comments": {"2": "good"}}, "comments"),
        ({"comments": {"1": 5}}, "comments"),
        ({"headers": {"event": 5}}, "headers"),
        ({"headers": ["event"]}, "headers"),
    ],
)
def test_what_is_saved_with_a_game_is_checked(client, more, said):
    assert said in refusal(post(client, "/api/record", game="reversi", moves=[19], **more))
