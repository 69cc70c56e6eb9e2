"""Pictures, replays, codes and the page for other sites, all made from an address."""

import re
import xml.etree.ElementTree as ET
from urllib.parse import urlencode

import pytest
from hex_game import Hex
from hypothesis import given
from hypothesis import strategies as st
from nim_game import Nim

from rl_toolkit.envs import make_game, register_game, registry
from rl_toolkit.records import from_transcript, replay_svg
from rl_toolkit.utils.svg.animation import animated
from rl_toolkit.web import create_app

SVG = "{http://www.w3.org/2000/svg}"
GAME = {"game": "connect-four", "moves": "d d e e f f g"}


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


def asked(client, path, **query):
    return client.get(f"/{path}?{urlencode(query)}")


# --- pictures that follow each other -------------------------------------------------------


@given(st.lists(st.sets(st.sampled_from("abcde")), min_size=1, max_size=7), st.floats(0.1, 5))
def test_each_shape_is_visible_in_its_pictures_and_in_no_other(pictures, seconds):
    shapes = animated([[["<all/>"], sorted(f"<{k}/>" for k in each)] for each in pictures], seconds)
    count = len(pictures)
    for number, letters in enumerate(pictures):
        now = (number + 0.5) * seconds / (count * seconds + 2.0)
        seen = set()
        for text in shapes:
            node = ET.fromstring(text)
            if node.tag != "g":
                seen.add(node.tag)
                continue
            timing, shape = node
            times = [float(part) for part in timing.get("keyTimes").split(";")]
            states = timing.get("values").split(";")
            assert times == sorted(times)
            assert times[0] == 0
            state = [each for time, each in zip(times, states, strict=True) if time <= now][-1]
            if state == "visible":
                seen.add(shape.tag)
            if number == count - 1:  # what a program shows that does not animate
                assert node.get("visibility") == state
        assert seen == {"all", *letters}


def test_a_replay_ends_with_the_picture_of_the_position():
    env = from_transcript("reversi", "f5 d6 c3 d3 c4 f4")
    still = ET.fromstring(env.to_svg())
    moving = ET.fromstring(replay_svg(env))
    last = [node for node in moving if node.get("visibility") != "hidden"]
    circles = len(still.findall(f"{SVG}circle"))
    shown = [c for node in last for c in (node.findall(f"{SVG}circle") or [node])]
    assert sum(node.tag == f"{SVG}circle" for node in shown) == circles
    assert moving.get("viewBox") == still.get("viewBox")


def test_a_game_of_text_has_a_replay_too():
    env = Nim(7)
    env.step(0)
    moving = ET.fromstring(replay_svg(env))
    assert len(moving.findall(f"{SVG}g")) == 2  # the line before and after the move


# --- over HTTP ------------------------------------------------------------------------------


def test_a_picture_of_any_ply_in_both_themes(client):
    for theme in ("light", "dark"):
        response = asked(client, "picture.svg", **GAME, ply=3, theme=theme)
        env = from_transcript("connect-four", "d d e")
        assert response.mimetype == "image/svg+xml"
        assert response.text == env.to_svg(theme)


def test_a_picture_has_what_was_drawn_on_the_board(client):
    plain = asked(client, "picture.svg", **GAME).text
    drawn = asked(client, "picture.svg", **GAME, marks="10,0-2").text
    assert "Ring: d2. Arrow: a1 to c1." in drawn
    added = [shape for shape in drawn.split("\n") if shape not in plain and "<desc" not in shape]
    assert [shape.split()[0] for shape in added] == ["<rect", "<path"]


def test_a_replay(client):
    response = asked(client, "replay.svg", **GAME, seconds=0.5)
    assert response.text == replay_svg(
        from_transcript("connect-four", "d d e e f f g"), seconds=0.5
    )


def test_a_code_says_the_text(client):
    response = asked(client, "qr.svg", text="http://localhost:5000/tictactoe?moves=b2")
    root = ET.fromstring(response.text)
    assert root.tag == f"{SVG}svg"
    assert response.text != asked(client, "qr.svg", text="something else").text


@pytest.mark.parametrize(
    ("path", "query", "words"),
    [
        ("picture.svg", {**GAME, "moves": "d d z"}, "z"),
        ("picture.svg", {**GAME, "ply": 8}, "from 0 to 7"),
        ("picture.svg", {**GAME, "ply": -1}, "from 0 to 7"),
        ("picture.svg", {**GAME, "theme": "pink"}, "light or dark"),
        ("picture.svg", {**GAME, "size": 9}, "no field"),
        ("picture.svg", {"game": "chess"}, "no game"),
        ("picture.svg", {**GAME, "marks": "a1"}, "such as 10,0-2"),
        ("picture.svg", {**GAME, "marks": "10,0-"}, "such as 10,0-2"),
        ("picture.svg", {**GAME, "marks": ",".join(["10"] * 101)}, "up to 100"),
        ("picture.svg", {**GAME, "marks": "\N{ARABIC-INDIC DIGIT THREE}"}, "such as 10,0-2"),
        ("picture.svg", {**GAME, "marks": "10-42"}, "in cells from 0 to 41"),
        ("replay.svg", {**GAME, "marks": "10"}, "no field"),
        ("replay.svg", {**GAME, "seconds": "nan"}, "from 0.1 to 10"),
        ("replay.svg", {**GAME, "seconds": 0}, "from 0.1 to 10"),
        ("qr.svg", {}, "up to 1000 bytes"),
        ("qr.svg", {"text": "x" * 1001}, "up to 1000 bytes"),
        ("embed", {**GAME, "moves": "d d z"}, "z"),
    ],
)
def test_what_an_address_cannot_name(client, path, query, words):
    response = asked(client, path, **query)
    assert response.status_code == 400
    assert words in response.text


def test_only_the_page_for_other_sites_may_be_framed(client):
    page = asked(client, "embed", **GAME, ply=2)
    assert "X-Frame-Options" not in page.headers
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors" not in policy  # even ``*`` would not match a page from a file
    assert "connect-src" not in policy  # so default-src 'none' holds: it reaches no API
    assert "default-src 'none'" in policy
    for address in ("/", "/connect-four", "/picture.svg", "/api/health", "/nothing"):
        headers = client.get(address).headers
        assert headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        may = "cross-origin" if address == "/picture.svg" else "same-origin"  # who may show it
        assert headers["Cross-Origin-Resource-Policy"] == may


def test_the_page_for_other_sites_shows_the_ply_and_leads_back(client):
    text = asked(client, "embed", **GAME, ply=2).text
    pictures = [
        address.replace("&amp;", "&") for address in re.findall(r'img[^>]* src="([^"]+)"', text)
    ]
    assert len(pictures) == 2
    expected = from_transcript("connect-four", "d d")
    assert client.get(pictures[0]).text == expected.to_svg("light")
    assert client.get(pictures[1]).text == expected.to_svg("dark")
    link = re.search(r'<a href="([^"]+)"', text)[1].replace("&amp;", "&")
    assert client.get(link).status_code == 200


def test_a_game_as_text(client):
    answer = client.post("/api/texts", json={"game": "connect-four", "moves": "4 4 5"}).get_json()
    assert answer["moves"] == "445"
    assert answer["names"] == "d d e"
    assert answer["position"] == "7/7/7/7/3o3/3xx2 o"
    assert answer["board"].splitlines()[-1] == "1 . . . X X . ."


def test_a_game_from_outside_is_shared_too(client, monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    register_game(Hex)
    name = Hex.traits.name
    env = make_game(name)
    move = env.get_legal_moves()[0]
    moves = env.move_name(move)
    env.step(move)
    assert asked(client, "picture.svg", game=name, moves=moves).text == env.to_svg()
    assert asked(client, "embed", game=name, moves=moves).status_code == 200
