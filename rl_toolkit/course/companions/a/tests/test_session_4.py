"""Handout A, lab 4.1: the server; its page is lab L19."""

from companion import NotYet, equal, module_of, require


def ask(data):
    """Status and answer of POST /api/ai-move."""
    module = module_of("my_server.py", 4)
    if not hasattr(module, "app"):
        raise NotYet("my_server.py has no app yet: session 4 writes it")
    answer = module.app.test_client().post("/api/ai-move", json=data)
    return answer.status_code, answer.get_json(silent=True) or {}


def request(board, player):
    return {"board": board, "player": player, "board_size": 3, "show_thinking": True}


def test_a_move():
    """two X in a row and X to move: the action is 2"""
    status, data = ask(request([1, 1, 0, -1, -1, 0, 0, 0, 0], 1))
    equal(status, 200, "the status of a good request")
    equal(data.get("action"), 2, "action")


def test_a_move_for_o():
    """the same for O"""
    _, data = ask(request([-1, -1, 0, 1, 1, 0, 1, 0, 0], -1))
    equal(data.get("action"), 2, "action with O to move")


def test_evaluations():
    """with show_thinking the answer has evaluations"""
    _, data = ask(request([1, 1, 0, -1, -1, 0, 0, 0, 0], 1))
    require(data.get("evaluations"), "the answer has no evaluations")


def test_finished_games():
    """a won board and a full board get 4xx, not a move and not an error 500 (erratum R18)"""
    for board, why in (
        ([1, 1, 1, -1, -1, 0, 0, 0, 0], "X has won already"),
        ([1, -1, 1, 1, -1, -1, -1, 1, 1], "the board is full"),
    ):
        status, _ = ask(request(board, -1))
        require(400 <= status < 500, f"{why}: the status must be 400, yours is {status}")


def test_nonsense():
    """eight cells, or no board at all, get 4xx"""
    for data in ({}, request([0] * 8, 1)):
        status, _ = ask(data)
        require(400 <= status < 500, f"{data}: the status must be 400, yours is {status}")
