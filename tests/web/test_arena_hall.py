"""The arena on the page: who may start, bounds, boards that take turns, what pages see."""

import threading
import time

import pytest

from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.utils.executors import InProcess
from rl_toolkit.web.app import create_app
from rl_toolkit.web.arena import hall as hall_module
from rl_toolkit.web.arena.boards import Boards, Turns
from rl_toolkit.web.arena.hall import Hall, HallBusyError
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.arena.plans import ArenaPlan

PATIENCE = 90.0
PLAN = ArenaPlan("tictactoe", ("random", "easy", "medium"), games=2, minutes=5, pause=0.0, seed=4)
ASKED = {"game": "tictactoe", "players": ["random", "easy"], "games": 2, "pause_ms": 0}


@pytest.fixture(scope="module")
def app():
    return create_app()


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def hall(app):
    return app.extensions[HALL]


def until(hall, status):
    """The state once the tournament has that status; whatever the machine is doing."""
    seen, deadline = -1, time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        seen, state = hall.wait(seen, (0, 0), 1.0)
        if state["now"] and state["now"]["status"] == status:
            return state
    raise AssertionError(f"never {status}: {state}")


# -------------------------------------------------------------------------------- the token


def test_only_the_token_starts_and_stops(client, hall, monkeypatch):
    started = []
    monkeypatch.setattr(hall, "start", lambda plan: started.append(plan) or 7)
    for token in (
        {},
        {"token": ""},
        {"token": hall.token[:-1]},
        {"token": "ü" + hall.token},
        {"token": "\ud800"},
    ):
        for path, body in (("start", ASKED), ("stop", {})):
            answer = client.post(f"/api/arena/{path}", json={**body, **token})
            assert answer.status_code == 403
            assert "token that the terminal showed" in answer.get_json()["error"]
    assert started == []
    answer = client.post("/api/arena/start", json={**ASKED, "token": hall.token})
    assert answer.get_json() == {"number": 7}
    assert started[0].players == ("random", "easy")


def test_no_page_and_no_answer_has_the_token(client, hall):
    assert len(hall.token) >= 16
    assert Hall().token != hall.token
    for path in ("/arena", "/api/arena/games", "/api/health", "/api/games"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert hall.token not in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"game": "chess"}, "game is one of tictactoe"),
        ({"game": "../secret"}, "game is one of tictactoe"),
        ({"players": ["easy"]}, "a list of 2 to 8 levels"),
        ({"players": "easy"}, "a list of 2 to 8 levels"),
        ({"players": ["easy"] * 9}, "a list of 2 to 8 levels"),
        ({"players": ["easy", "my_bot.py"]}, "a player is one of random, "),
        ({"players": ["easy", "minimax:depth=3"]}, "a player is one of random, "),
        ({"players": ["easy", ["hard"]]}, "a player is one of random, "),
        ({"players": ["easy", "easy"]}, "is there twice"),
        ({"games": 3}, "games must be even"),
        ({"games": 22}, "games is a whole number from 2 to 20"),
        ({"minutes": 31}, "minutes is a whole number from 1 to 30"),
        ({"pause_ms": 60000}, "pause_ms is a whole number from 0 to 2000"),
        ({"save": "/tmp/x"}, "there is no field 'save'"),
        (
            {"players": ["random", "beginner", "easy", "medium", "hard", "perfect"], "games": 20},
            "6 players with 20 games a pairing are 300 games; this server plays up to 240",
        ),
    ],
)
def test_what_costs_too_much_or_names_more_than_levels_is_refused(client, hall, wrong, message):
    answer = client.post("/api/arena/start", json={**ASKED, "token": hall.token, **wrong})
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]


# ------------------------------------------------------------------------------- the boards


def test_boards_play_the_same_games_as_one_process_and_tell_of_every_move():
    told, lock = [], threading.Lock()

    def tell(news):
        with lock:
            told.append(news)

    def table(result):
        return {
            m.match.engines: [(g.pair, g.first, g.moves) for g in m.games] for m in result.matches
        }

    plan = PLAN.tournament()
    side_by_side = play_tournament(plan, executor=Boards(3, 0.0, tell))
    assert table(side_by_side) == table(play_tournament(plan, executor=InProcess()))
    games = [news["game"] for news in told if "game" in news]
    assert len(games) == plan.total_games == 6
    boards = [news for news in told if "board" in news]
    assert {news["board"] for news in boards} == {0, 1, 2}
    for news in boards:
        stones = sum(cell != 0 for cell in news["cells"])
        assert stones == news["ply"]
    # The opening is there when a game begins; then every move is shown, and the end.
    assert {game["opening"] for game in games} == {1}
    moves = sum(game["plies"] - game["opening"] for game in games)
    assert len(boards) == 6 + moves + 6
    for game in games:
        assert len(game["moves"].split()) == game["plies"]
        assert game["winner"] in (1, 0, -1)


def test_every_board_begins_with_a_game_of_its_own(monkeypatch):
    """Even if the first one would have played everything before the second one begins."""
    told = []
    monkeypatch.setattr(threading.Thread, "start", lambda thread: thread.run())
    plan = ArenaPlan("tictactoe", ("random", "easy"), games=2, minutes=5, pause=0.0, seed=4)
    boards = Boards(2, 0.0, told.append)
    play_tournament(plan.tournament(), executor=boards)
    assert [news["board"] for news in told if news.get("winner") is not None] == [0, 1]


def test_an_error_in_a_game_ends_the_tournament_with_that_error():
    def fails(task, on_move, on_again):
        raise ZeroDivisionError("no plan")

    match = PLAN.tournament().match("random", "easy")
    with pytest.raises(ZeroDivisionError, match="no plan"):
        list(Boards(2, 0.0, lambda news: None).map(fails, [(match, 0, [], 0)] * 3))


def test_turns_are_given_in_the_order_in_which_they_were_asked_for():
    turns, order, threads = Turns(), [], []
    turns.take()

    def wait(number):
        turns.take()
        order.append(number)
        turns.give()

    for number in range(4):
        thread = threading.Thread(target=wait, args=(number,))
        thread.start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
        threads.append(thread)
    turns.give()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3]
    turns.take()  # it is free again


# ---------------------------------------------------------------------------------- the hall


def test_one_tournament_at_a_time_stopped_and_then_one_to_its_end():
    hall = Hall()
    assert hall.wait(-1, (0, 0), 0)[1] == {"now": None, "earlier": []}
    assert not hall.stop()
    slow = ArenaPlan("tictactoe", ("random", "easy"), 20, minutes=5, pause=2.0)
    assert hall.start(slow) == 1
    with pytest.raises(HallBusyError, match="a tournament is being played"):
        hall.start(PLAN)
    assert hall.stop()
    state = until(hall, "stopped")
    assert state["now"]["played"] < 20
    assert hall.start(PLAN) == 2
    state = until(hall, "done")
    now = state["now"]
    assert (now["number"], now["played"], now["total"]) == (2, 6, 6)
    assert {player["name"] for player in now["table"]["players"]} == set(PLAN.players)
    assert sum(player["points"] for player in now["table"]["players"]) == 6
    assert now["table"]["anchor"] == "random"
    assert [each["number"] for each in state["earlier"]] == [1]
    # A page that has four games already gets the others.
    assert len(hall.wait(-1, (2, 4), 0)[1]["now"]["games"]) == 2
    assert len(hall.wait(-1, (1, 4), 0)[1]["now"]["games"]) == 6


def test_when_the_time_is_up_the_tournament_ends(monkeypatch):
    hall = Hall()
    plan = ArenaPlan("tictactoe", ("random", "easy"), 20, minutes=0, pause=2.0)
    monkeypatch.setattr(hall_module, "play", print)  # a process that ends at once
    hall.start(plan)
    assert until(hall, "late")["now"]["total"] == 20


def test_a_process_that_dies_is_a_failure_and_the_hall_is_free_again(monkeypatch):
    hall = Hall()
    monkeypatch.setattr(hall_module, "play", print)
    hall.start(PLAN)
    until(hall, "failed")
    monkeypatch.setattr(hall, "_run", lambda *mine: None)
    assert hall.start(PLAN) == 2


# ------------------------------------------------------------------------------- the stream


def test_pages_hear_the_state_and_places_are_given_back(app, client):
    watched = app.extensions[HALL].watched
    for _ in range(watched.most_pages + 2):
        answer = client.post("/api/arena/events", json={}, buffered=False)
        assert answer.status_code == 200
        first = next(iter(answer.response))
        assert "event: state" in (first.decode() if isinstance(first, bytes) else first)
        answer.close()
    taken = [watched.states(lambda: None, lambda: False) for _ in range(watched.most_pages)]
    answer = client.post("/api/arena/events", json={})
    assert answer.status_code == 429
    assert "too many pages watch" in answer.get_json()["error"]
    for states in taken:
        states.close()


def test_a_form_lists_levels_with_the_same_engine_once(client):
    games = client.get("/api/arena/games").get_json()["games"]
    (levels,) = (each["levels"] for each in games if each["game"] == "tictactoe")
    labels = {each["name"]: each["label"] for each in levels}
    assert (labels["hard"], labels["expert"]) == (None, None)
    assert labels["perfect"] == "perfect (or hard or expert)"
