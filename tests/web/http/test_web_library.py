"""The library behind the pages: lists, searches, counts, games that are opened and kept."""

from pathlib import Path

import pytest
from web_requests import answer, post, refusal

from rl_toolkit.library import Filter, Library
from rl_toolkit.records import GameRecord
from rl_toolkit.web import create_app

FORK = (4, 0, 8, 2, 6, 1)
GAME = GameRecord("tictactoe", (4, 0, 8, 2, 6), players=("Ada", "Max"), headers={"event": "Cup"})
FIRST = GameRecord("connect-four", (3, 3, 2), players=("You", "easy"), headers={"date": "2001"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.db"


@pytest.fixture
def client(path: Path):
    return create_app(library=path).test_client()


@pytest.fixture
def filled(path: Path, client):
    with Library(path) as library:
        library.add(GAME, tags=["club"])
        library.add(FIRST, origin="page", engines=(False, True))
    return client


def keeping(record: GameRecord, **more):
    fields = {"text": record.to_json(), "key": "abcd1", "begun": 1_000_000_000_000}
    return {**fields, "engines": [False, True], **more}


def test_asking_makes_no_file(client, path):
    found = answer(client, "/api/library/games")
    assert (found["total"], found["games"], found["names"]) == (0, [], [])
    assert answer(client, "/api/library/explore", game="reversi", moves=[])["games"] == 0
    assert client.get("/library").status_code == 200
    response = post(client, "/api/library/file", number=1)
    assert response.status_code == 404
    assert "no game is in the library" in response.text
    assert not path.exists()


def test_a_server_without_a_library_offers_none():
    client = create_app().test_client()
    assert "shows no library" in client.get("/library").text
    assert "/library" not in client.get("/").text
    assert 'name="library"' not in client.get("/tictactoe").text
    for address in ("games", "explore", "keep"):
        fields = keeping(GAME) if address == "keep" else {}
        response = post(client, f"/api/library/{address}", fields)
        assert response.status_code == 404
        assert "no library" in refusal(response)


def test_games_are_listed_filtered_and_found_by_position_and_pattern(filled):
    listed = answer(filled, "/api/library/games")
    assert [game["id"] for game in listed["games"]] == [2, 1]
    assert listed["names"] == ["connect-four", "tictactoe"]
    first, second = listed["games"]
    assert (first["sides"], first["ended"]) == (["You", "easy"], "undecided")
    assert second["tags"] == ["club"]
    assert second["address"] == "/tictactoe?game=tictactoe&library=1&mode=analyse"
    assert "<svg" in filled.get(second["picture"]).text

    def numbers(**fields):
        return [game["id"] for game in answer(filled, "/api/library/games", **fields)["games"]]

    assert numbers(game="connect-four") == numbers(mine=True) == numbers(until="2001") == [2]
    assert numbers(player="ada") == numbers(event="cup") == numbers(tag="club") == [1]
    assert numbers(player="Ada", result="won") == []
    assert numbers(game="tictactoe", position="3/1x1/3 o") == [1]
    assert numbers(game="tictactoe", pattern="o?o") == [1]
    assert numbers(game="tictactoe", pattern="xxx") == []
    found = answer(filled, "/api/library/games", game="tictactoe", pattern="o?o")
    assert found["games"][0]["ply"] == 4
    assert found["look"]["rows"] == 3
    assert numbers(limit=1, skip=1) == [1]


@pytest.mark.parametrize(("fields", "words"), [
    ({"limit": 51}, "limit is a whole number from 1 to 50"),
    ({"skip": 10**7}, "skip is"),
    ({"player": "x" * 201}, "at most 200"),
    ({"result": "won"}, "name one"),
    ({"pattern": "x"}, "needs the name of its game"),
    ({"game": "tictactoe", "pattern": "z"}, "is not a cell of a pattern"),
    ({"game": "tictactoe", "position": "z9"}, "z9"),
    ({"game": "zork"}, "zork"),
    ({"game": "gomoku-30"}, "30"),
    ({"size": 3}, "there is no field"),
])  # fmt: skip
def test_requests_are_bounded(filled, fields, words):
    game = {"position": "3/3/3 x"} if fields.get("game") == "gomoku-30" else {}
    assert words in refusal(post(filled, "/api/library/games", {**fields, **game}))


def test_the_explorer_counts_moves_and_joins_mirror_images(filled, path):
    with Library(path) as library:
        library.add(GameRecord("tictactoe", (0, 4, 1, 2, 6, 3, 5, 7, 8), ("Ada", "Eva"), 0))
        library.add(GameRecord("tictactoe", (2,), players=("Eva", "Ada")))
    found = answer(filled, "/api/library/explore", game="tictactoe", moves=[])
    assert (found["games"], found["drawn"]) == (3, 1)
    corner, centre = found["moves"]
    assert (corner["name"], corner["games"], corner["drawn"]) == ("a1", 2, 1)
    assert [twin["name"] for twin in corner["twins"]] == ["c1", "a3", "c3"]
    assert (centre["name"], centre["games"], centre["score"]) == ("b2", 1, None)
    where = {"player": "eva", "result": "draw"}
    fewer = answer(filled, "/api/library/explore", game="tictactoe", moves=[], filter=where)
    assert fewer["games"] == 1
    bad = {"nonsense": 1}
    response = post(filled, "/api/library/explore", game="tictactoe", moves=[], filter=bad)
    assert "there is no field" in refusal(response)


def test_a_game_is_opened_whole(filled):
    text = answer(filled, "/api/library/file", number=1)["text"]
    assert GameRecord.from_json(text) == GAME
    response = post(filled, "/api/library/file", number=77)
    assert (response.status_code, response.get_json()) == (
        404,
        {"error": "there is no game 77 in the library"},
    )


def test_a_finished_game_is_kept_once_and_its_review_is_added(client, path):
    record = GameRecord("tictactoe", FORK[:5], players=("You", "easy"))
    number = answer(client, "/api/library/keep", **keeping(record))["number"]
    reviews = [{"ply": 1, "mark": "mistake", "lesson": "Let a double threat happen"}, {"ply": 2}]
    judged = keeping(record, accuracy={"x": 100, "o": 37.5}, reviews=reviews)
    assert answer(client, "/api/library/keep", **judged)["number"] == number
    with Library(path) as library:
        head = library.head(number)
        assert (head.players, head.engines, head.origin) == (("You", "easy"), (False, True), "page")
        assert head.accuracy == (1.0, 0.375)
        assert head.date == "2001-09-09"
        notes = library.record(number).notes
        assert notes[2].review == {"judgement": "mistake", "lesson": "Let a double threat happen"}
        assert len(library) == 1
        # Moves that were taken back and played anew: the game is another one, and still one.
        other = keeping(GameRecord("tictactoe", (4, 1), players=("You", "easy")))
        again = answer(client, "/api/library/keep", **other)["number"]
        assert [game.id for game in library.search(Filter(mine=True)).heads] == [again]
        assert not library.check().problems
        # What somebody removes stays away.
        library.remove([again])
        assert answer(client, "/api/library/keep", **other)["number"] is None
        assert len(library) == 0


@pytest.mark.parametrize(("more", "words"), [
    ({"key": "a/../b"}, "key is"),
    ({"begun": -1}, "begun is"),
    ({"engines": [1, 0]}, "engines says"),
    ({"text": "{}"}, "version"),
    ({"text": GameRecord("tictactoe", ()).to_json()}, "of one at least"),
    ({"accuracy": {"x": 101}}, "from 0 to 100"),
    ({"reviews": [{"ply": 5}]}, "ply is"),
    ({"reviews": [{"ply": 0, "mark": "great"}]}, "a mark that it knows"),
])  # fmt: skip
def test_what_is_not_a_finished_game_is_not_kept(client, path, more, words):
    assert words in refusal(post(client, "/api/library/keep", keeping(GAME, **more)))
    assert not path.exists()


def test_a_library_that_was_set_aside_is_opened_anew(filled, path):
    assert answer(filled, "/api/library/games")["total"] == 2
    for file in path.parent.glob("library.db*"):
        file.rename(file.with_name(f"old-{file.name}"))
    assert answer(filled, "/api/library/games")["total"] == 0
    assert answer(filled, "/api/library/keep", **keeping(GAME))["number"] == 1
    assert answer(filled, "/api/library/games")["total"] == 1


def test_a_damaged_library_is_said_in_a_sentence(client, path):
    path.write_bytes(b"this is not a library of games at all" * 10)
    response = post(client, "/api/library/games")
    assert response.status_code == 500
    assert "is not a library of games" in response.get_json()["error"]


def test_how_somebody_plays_is_shown_in_numbers_and_pictures(client, path):
    assert answer(client, "/api/library/insight") == {"games": 0, "plots": []}
    won = GameRecord("tictactoe", (0, 3, 1, 4, 2), ("You", "easy"), 1)
    answer(client, "/api/library/keep", **keeping(won, accuracy={"x": 90, "o": 10}, reviews=[]))
    seen = answer(client, "/api/library/insight")
    assert (seen["games"], seen["reviewed"], seen["total"]["won"]) == (1, 1, 1)
    assert seen["plots"] == ["opponent", "side", "opening", "length", "accuracy"]
    picture = client.get("/library/insight-side.svg?theme=dark&game=tictactoe")
    assert picture.mimetype == "image/svg+xml"
    assert client.get("/library/insight-mistakes.svg").status_code == 404
    assert client.get("/library/insight-zork.svg").status_code == 404
    assert client.get("/library/insight-side.svg?zork=1").status_code == 400
