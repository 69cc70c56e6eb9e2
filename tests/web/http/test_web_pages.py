"""Pages and files as they are sent: compressed where that helps, with pictures of the rules."""

import gzip

import pytest
from web_requests import post

from rl_toolkit.envs import game_families
from rl_toolkit.web import create_app
from rl_toolkit.web.serving.compression import without_comments

GZIP = {"Accept-Encoding": "gzip, br"}


def fetch(client, address, **headers):
    """The response, with the file behind it closed."""
    response = client.get(address, headers=headers, buffered=True)
    response.close()
    return response


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


@pytest.mark.parametrize("address", [
    "/", "/reversi", "/static/js/board/board.js", "/static/css/board.css",
    "/rules/gomoku-3-dark.svg",
    "/api/engines?game=reversi",
])  # fmt: skip
def test_text_is_compressed_for_clients_that_read_it(client, address):
    plain, small = fetch(client, address), fetch(client, address, **GZIP)
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in small.headers["Vary"]
    text = without_comments(plain.data.decode(), plain.mimetype)
    assert gzip.decompress(small.data).decode() == text
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 1.5


def test_compressed_files_are_not_sent_twice(client):
    address = "/static/js/board/board.js"
    etag = fetch(client, address, **GZIP).headers["ETag"]
    again = fetch(client, address, **GZIP, **{"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")


def test_streams_and_small_answers_are_sent_as_they_are(client):
    stream = client.post("/api/search", json={"moves": "b2", "engine": "greedy"}, headers=GZIP)
    assert "event: done" in stream.text
    assert "Content-Encoding" not in stream.headers
    assert "Content-Encoding" not in client.get("/api/health", headers=GZIP).headers


@pytest.mark.parametrize("family", game_families(), ids=lambda family: family.name)
def test_every_rule_has_a_picture(client, family):
    page = client.get(f"/{family.name}").text
    assert len(family.traits.rules) == len(family.traits.pictures) == 3
    pictures = set()
    for number, rule in enumerate(family.traits.rules, 1):
        address = f"/rules/{family.name}-{number}-light.svg"
        assert address in page
        assert rule in page
        pictures.add(client.get(address).data)
    assert len(pictures) == 3
    assert client.get(f"/rules/{family.name}-4-light.svg").status_code == 404
    assert client.get(f"/rules/{family.name}-0-light.svg").status_code == 404


def test_the_page_has_room_for_the_board_in_the_address(client):
    assert 'data-rows="7" data-cols="8"' in client.get("/connect-four?game=connect-four-7x8x4").text
    assert 'data-rows="6" data-cols="7"' in client.get("/connect-four?game=connect-four-no").text


@pytest.mark.parametrize(("host", "sent"), [
    ("localhost:5001", True), ("127.0.0.1", True), ("192.168.0.7:5001", False),
])  # fmt: skip
def test_a_header_that_needs_a_safe_connection_is_sent_where_there_is_one(client, host, sent):
    headers = client.get("/", headers={"Host": host}).headers
    assert ("Cross-Origin-Opener-Policy" in headers) is sent
    assert "Content-Security-Policy" in headers


def test_the_words_of_the_server_are_the_words_of_the_page(client):
    """A value has one phrase: in the answer, on the board and in the legend."""
    found = post(client, "/api/analyse", position="xx1/oo1/3 x", engine="minimax").get_json()
    best = found["candidates"][0]
    assert (found["text"], best["text"], best["mark"]) == (
        "X wins in 1 move",
        "wins in 1 move",
        "W1",
    )
    page = client.get("/tictactoe").text
    assert "wins in 3 moves · W3" in page
