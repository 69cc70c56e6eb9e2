"""Bad input: whatever comes in, out comes a sentence in JSON, never a traceback."""

import json
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from web_requests import post, refusal
from web_running import let_offer

from rl_toolkit.players import EngineKind, Option
from rl_toolkit.web import ServerLimits, create_app

LIMITS = ServerLimits(time=0.05, body_bytes=200_000, cells=100)
CLIENT = create_app(LIMITS).test_client()
ADDRESSES = [
    "/api/ai-move",
    "/api/analyse",
    "/api/search",
    "/api/position",
    "/api/why-not",
    "/api/game-tree",
    "/api/review",
    "/api/record",
    "/api/record/open",
    "/api/trace",
]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": 3}, "game is text"),
        ({"game": "tictactoe-99x26x3"}, "boards of up to 100"),
        ({"game": "tictactoe-4x4x9"}, "4 × 4 board you need 3 to 4 in a row"),
        ({"board_size": 0}, "board_size"),
        ({"board_size": "3"}, "board_size"),
        ({"board_size": [3]}, "board_size"),
        ({"game": "connect-four-5x5", "board_size": 3}, "without a variant"),
        ({"board": [0] * 8, "player": 1}, "9 cells"),
        ({"board": [0] * 10, "player": 1}, "9 cells"),
        ({"board": [2] + [0] * 8, "player": 1}, "-1, 0 and 1"),
        ({"board": ["X"] + [0] * 8, "player": 1}, "-1, 0 and 1"),
        ({"board": "xo", "player": 1}, "list"),
        ({"board": [[0, 0, 0], [0, 0, 0]], "player": 1}, "3 rows of 3"),
        ({"board": [[0] * 9], "player": 1}, "3 rows of 3"),
        ({"board": [[0, 0], [0, 0, 0, 0], [0, 0, 0]], "player": 1}, "3 rows of 3"),
        ({"board": [[0] * 3, 7, [0] * 3, [0] * 3], "player": 1}, "3 rows of 3"),
        ({"board": [*[0] * 6, [0, 0, 0]], "player": 1}, "3 rows of 3"),
        ({"board": [[0] * 3, [0] * 3, [0, 0, [0]]], "player": 1}, "-1, 0 and 1"),
        ({"game": "connect-four", "board": [[0] * 6] * 7, "player": 1}, "6 rows of 7"),
        ({"board": [1, 1, 1, 0, 0, 0, 0, 0, 0], "player": 1}, "alternate"),
        ({"board": [1, 1, 1, -1, -1, -1, 0, 0, 0], "player": 1}, "both players have won"),
        ({"board": [0] * 9}, "player is 1 or -1"),
        ({"board": [0] * 9, "player": 2}, "+1 or -1"),
        ({"board": [0] * 9, "player": True}, "player is 1 or -1"),
        ({"game": "connect-four", "board": [0] * 7 + [1] + [0] * 34, "player": -1}, "floats"),
        ({"moves": [0, 0]}, "taken"),
        ({"moves": [9]}, "off the board"),
        ({"moves": ["a1"]}, "whole numbers"),
        ({"moves": "z9"}, "move 1"),
        ({"moves": [10**30]}, "whole numbers"),
        ({"moves": {}}, "list"),
        ({"position": "not one"}, "'not one' cannot be read as moves of tictactoe"),
        ({"start": "3/3 x"}, "rows"),
        ({"moves": "b2", "position": "3/3/3 x"}, "not both"),
        ({"bord": [0] * 9}, "no field 'bord'; did you mean board? The fields here are board, "),
        ({"zork": 1}, "no field 'zork'; the fields here are board, "),
        ({"player": 1}, "player does not go with the other fields"),
    ],
)
def test_a_position_that_is_none(fields, words):
    assert words in refusal(post(CLIENT, "/api/position", **fields))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"engine": "deepblue"}, "neither a level nor an engine"),
        ({"engine": "minimax:depth=no"}, "depth"),
        ({"engine": "minimax", "level": "easy"}, "not both"),
        ({"engine": "minimax:memory=100000"}, "megabytes"),
        ({"engine": "minimax:time=50"}, "seconds"),
        ({"level": "godlike"}, "neither a level"),
        ({"game": "gomoku-9", "level": "perfect"}, "no level"),
        ({"time": 0}, "seconds"),
        ({"time": "1"}, "seconds"),
        ({"time": 1e300}, "seconds"),
        ({"depth": -1}, "depth"),
        ({"seed": -1}, "seed"),
        ({"tree": 7}, "tree is an object"),
        ({"tree": {"depth": 99}}, "depth"),
        ({"engine": "minimax", "tree": {"depth": 2}}, "keeps no search tree"),
        ({"moves": [0, 3, 1, 4, 2]}, "game is over"),
    ],
)
def test_a_search_that_cannot_be(fields, words):
    assert words in refusal(post(CLIENT, "/api/analyse", **fields))


def test_no_file_is_read_for_a_client(monkeypatch):
    made = []
    where = Option("weights", "file", None, "what it knows")
    colour = Option("colour", "choice", "red", "", choices=("red", "blue"))
    reader = EngineKind("reader", "reads", lambda **chosen: made.append(chosen), (where, colour))
    let_offer(CLIENT.application, reader, monkeypatch)
    for spec in (
        "reader:weights=/etc/passwd",
        "READER: Weights = nothing.npz",
        "reader:weights=..",
    ):
        for address in ("/api/analyse", "/api/ai-move", "/api/search"):
            refused = refusal(post(CLIENT, address, engine=spec))
            assert refused == "weights cannot be set on this server"
    assert "red or blue" in refusal(post(CLIENT, "/api/analyse", engine="reader:colour=green"))
    assert made == []


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"null", 400),
        (b"\xff\xfe", 400),
        (b'{"board": NaN}', 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 30_000 + b"1" + b"}" * 30_000, 400),
        (b"9" * 5000, 400),
        (b'"' + b"x" * 300_000 + b'"', 413),
    ],
    ids=lambda value: value[:12].decode("latin-1") if isinstance(value, bytes) else value,
)
def test_a_body_that_is_none(address, data, status):
    response = CLIENT.post(address, data=data, content_type="application/json")
    refusal(response)
    assert response.status_code == status


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "a/b"])
def test_another_content_type(kind):
    response = CLIENT.post("/api/ai-move", data=b"{}", content_type=kind)
    assert response.status_code == 415
    assert "application/json" in refusal(response)


def test_ten_megabytes_are_refused():
    body = json.dumps({"text": "x" * 10_000_000})
    response = CLIENT.post("/api/record/open", data=body, content_type="application/json")
    assert response.status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2f..%2fetc/passwd",
        "/static/%00",
        "/preview/..-light.svg",
        "/preview/x-blue.svg",
        "/tictactoe.html",
        "/tictactoe/",
        "/api",
        "/api/nothing",
        "//etc/passwd",
    ],
)
def test_path_tricks_lead_nowhere(path):
    # As a server hands it on: the client of the tests would take "//etc" for a host.
    raw = {"PATH_INFO": unquote(path), "HTTP_HOST": "localhost"}
    response = CLIENT.get(path, environ_overrides=raw)
    assert response.status_code == 404
    assert b"root:" not in response.data
    assert b"import " not in response.data


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_other_methods(method):
    response = getattr(CLIENT, method)("/api/analyse")
    assert response.status_code == 405
    refusal(response)


# --- anything at all ------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(
        ["tictactoe", "connect-four", "reversi-4", "gomoku-9", "b2", "4453", "random", "mcts",
         "minimax:depth=1", "greedy", "easy", "3/3/3 x", "../../etc/passwd", "x" * 500]
    )
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=9) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["game", "board", "player", "board_size", "win_length", "moves", "position", "start", "engine",
     "level", "time", "nodes", "depth", "simulations", "seed", "show_thinking", "tree", "levels",
     "players", "result", "ended_by", "text"]
)  # fmt: skip
LIKELY = st.fixed_dictionaries(
    {},
    optional={
        "game": st.sampled_from(["tictactoe", "connect-four", "reversi-4", "gomoku-9"]),
        "board": st.lists(st.integers(-1, 1), min_size=9, max_size=9),
        "player": st.sampled_from([1, -1]),
        "board_size": st.integers(2, 6),
        "win_length": st.integers(2, 6),
        "moves": st.lists(st.integers(0, 9), max_size=9) | st.sampled_from(["b2a1", "44", "f5"]),
        "engine": st.sampled_from(["random", "greedy", "minimax", "mcts", "mcts:c=0"]),
        "time": st.floats(0.001, 0.05),
        "simulations": st.integers(1, 40),
        "depth": st.integers(1, 3),
        "show_thinking": st.booleans(),
    },
)


def check_anything(address, body):
    response = post(CLIENT, address, body)
    text = response.get_data(as_text=True)
    assert response.status_code < 500, (body, text)
    assert "Traceback" not in text
    if response.status_code != 200:
        refusal(response)
    elif response.mimetype == "text/event-stream":
        assert "event: error" not in text
        assert "event: done" in text
    else:
        json.loads(text)


quietly = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("address", ADDRESSES)
@settings(quietly, max_examples=25)
@given(body=st.dictionaries(NAMES, ANYTHING, max_size=5) | ANYTHING)
def test_anything_gets_a_sentence(address, body):
    check_anything(address, body)


@pytest.mark.parametrize("address", ADDRESSES)
@settings(quietly, max_examples=20)
@given(body=LIKELY)
def test_requests_that_are_almost_right(address, body):
    check_anything(address, body)


@pytest.mark.full
@pytest.mark.parametrize("address", ADDRESSES)
@settings(quietly, max_examples=1120)
@given(body=LIKELY | st.dictionaries(NAMES, ANYTHING, max_size=5) | ANYTHING)
def test_ten_thousand_requests(address, body):
    check_anything(address, body)
