"""Handout A, labs 4.1 to 4.3: the server and the page; lab L19 measures a page in a browser."""

from pathlib import Path

from companion import NotYet, equal, module_of, require


def ask(data, errors=False):
    """Status and answer of POST /api/ai-move; ``errors`` of the server make it status 500."""
    module = module_of("my_server.py", 4)
    if not hasattr(module, "app"):
        raise NotYet("my_server.py has no app yet: session 4 writes it")
    module.app.config["PROPAGATE_EXCEPTIONS"] = not errors
    answer = module.app.test_client().post("/api/ai-move", json=data)
    return answer.status_code, answer.get_json(silent=True) or {}


def answered(data):
    """The answer to a good request."""
    status, answer = ask(data)
    require(status != 404, "there is no address POST /api/ai-move: the status is 404")
    equal(status, 200, "the status of a good request")
    return answer


def request(board, player):
    return {"board": board, "player": player, "board_size": 3, "show_thinking": True}


def test_a_move():
    """two X in a row and X to move: the action is 2"""
    data = answered(request([1, 1, 0, -1, -1, 0, 0, 0, 0], 1))
    equal(data.get("action"), 2, "action")


def test_a_move_for_o():
    """the same for O"""
    data = answered(request([-1, -1, 0, 1, 1, 0, 1, 0, 0], -1))
    equal(data.get("action"), 2, "action with O to move")


def test_evaluations():
    """with show_thinking the answer has evaluations"""
    data = answered(request([1, 1, 0, -1, -1, 0, 0, 0, 0], 1))
    require(data.get("evaluations"), "the answer has no evaluations")


def test_finished_games():
    """a won board and a full board get 4xx, not a move and not an error 500 (erratum R18)"""
    for board, why in (
        ([1, 1, 1, -1, -1, 0, 0, 0, 0], "X has won already"),
        ([1, -1, 1, 1, -1, -1, -1, 1, 1], "the board is full"),
    ):
        status, _ = ask(request(board, -1), errors=True)
        require(400 <= status < 500, f"{why}: the status must be 400, yours is {status}")


def test_nonsense():
    """eight cells, or no board at all, get 4xx"""
    for data in ({}, request([0] * 8, 1)):
        status, _ = ask(data, errors=True)
        require(400 <= status < 500, f"{data}: the status must be 400, yours is {status}")


def page():
    """The text of index.html with the scripts and styles beside it."""
    here = Path(__file__).resolve().parent.parent
    if not (here / "index.html").is_file():
        raise NotYet("there is no index.html yet: session 4 writes it")
    files = [path for kind in ("*.html", "*.js", "*.css") for path in sorted(here.glob(kind))]
    return "\n".join(path.read_text("utf-8") for path in files)


def test_page_asks_the_server():
    """the page sends the position to /api/ai-move"""
    text = page()
    if "fetch(" not in text:
        raise NotYet("index.html does not ask for a move yet: session 4 writes fetch(…)")
    require("/api/ai-move" in text, "the page asks another address than /api/ai-move")
    for name in ("board", "player", "board_size"):
        require(name in text, f"the request of the page has no {name}")
