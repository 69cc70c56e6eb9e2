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
from rl_toolkit.web.server import make_server

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
        ({"players": ["easy"]}, "a list of 2 to 40 names"),
        ({"players": "easy"}, "a list of 2 to 40 names"),
        ({"players": ["easy"] * 41}, "a list of 2 to 40 names"),
        ({"players": ["easy", "my_bot.py"]}, "a request cannot name files or programs"),
        ({"players": ["easy", "gtp:cmd=gnugo"]}, "a request cannot name files or programs"),
        ({"players": ["easy", "lab:folder=x"]}, "'lab:folder=x'"),
        ({"players": ["easy", "alphazero:weights=x"]}, "cannot be set on this server"),
        ({"players": ["easy", "minimax:memory=999999"]}, "up to 128 megabytes"),
        ({"players": ["easy", "minimax:deep=3"]}, "deep"),
        ({"players": ["easy", "nobody"]}, "a player is random, "),
        ({"players": ["easy", "x" * 201]}, "a player is a short text"),
        ({"players": ["easy", ["hard"]]}, "a player is a short text"),
        ({"players": ["easy", " easy "]}, "is there twice"),
        ({"players": ["easy", "easy"]}, "is there twice"),
        ({"games": 3}, "games must be even"),
        ({"games": 22}, "games is a whole number from 2 to 20"),
        ({"minutes": 121}, "minutes is a whole number from 1 to 120"),
        ({"pause_ms": 60000}, "pause_ms is a whole number from 0 to 2000"),
        ({"save": "/tmp/x"}, "there is no field 'save'"),
        (
            {"players": [f"mcts:simulations={n}" for n in range(1, 16)], "games": 20},
            "15 players with 20 games a pairing are 2100 games; this server plays up to 2000",
        ),
    ],
)
def test_what_costs_too_much_or_names_files_is_refused(client, hall, wrong, message):
    answer = client.post("/api/arena/start", json={**ASKED, "token": hall.token, **wrong})
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]


def test_a_server_that_only_this_machine_reaches_needs_no_token(monkeypatch, tmp_path):
    app = create_app(only_here=True)
    started = []
    monkeypatch.setattr(app.extensions[HALL], "start", lambda plan: started.append(plan) or 1)
    client = app.test_client()
    assert client.post("/api/arena/start", json=ASKED).get_json() == {"number": 1}
    assert client.post("/api/arena/stop", json={}).get_json() == {"stopped": False}
    assert "no token is needed" in client.get("/arena").get_data(as_text=True)
    # A page elsewhere cannot send JSON without asking first, and a form is refused.
    assert client.post("/api/arena/start", data={"game": "tictactoe"}).status_code == 415
    assert len(started) == 1


@pytest.mark.parametrize(
    ("host", "names", "proxy", "needed"),
    [
        ("127.0.0.1", (), None, False),
        ("localhost", (), None, False),
        ("127.0.0.1", ("games.example.org",), None, True),
        ("127.0.0.1", (), "127.0.0.1", True),
        ("0.0.0.0", (), None, True),
    ],
)
def test_others_who_reach_the_server_need_the_token(host, names, proxy, needed):
    server = make_server(host, 0, names=names, trusted_proxy=proxy)
    try:
        assert server.app.extensions[HALL].needs_token is needed
    finally:
        server.close()


def test_bots_and_engines_with_options_play_and_players_have_pages(tmp_path):
    (tmp_path / "ada.py").write_text("def choose(env):\n    return env.get_legal_moves()[0]\n")
    (tmp_path / "bad.py").write_text("def choose(env):\n    return 1 // 0\n")
    bots = [f"Ada <L>={tmp_path / 'ada.py'}", f"Bad={tmp_path / 'bad.py'}"]
    app = create_app(engines=bots, only_here=True)
    client, hall = app.test_client(), app.extensions[HALL]
    games = client.get("/api/arena/games").get_json()["games"]
    assert next(each["bots"] for each in games if each["game"] == "tictactoe") == ["Ada <L>", "Bad"]
    asked = {**ASKED, "players": ["Ada <L>", "Bad", "mcts:simulations=50"]}
    assert client.post("/api/arena/start", json=asked).status_code == 200
    state = until(hall, "done")
    now = state["now"]
    assert now["played"] == 6
    assert {player["name"] for player in now["table"]["players"]} == set(asked["players"])
    assert str(tmp_path) not in str(state)  # nobody learns where the files are
    assert now["pages"] == sorted(asked["players"])
    page = client.get("/arena/1/player", query_string={"name": "Bad"})
    text = page.get_data(as_text=True)
    assert "It raised ZeroDivisionError" in text
    assert str(tmp_path) not in text
    assert "Ada &lt;L&gt;" in text
    assert "'unsafe-inline'" in page.headers["Content-Security-Policy"]
    assert "script" not in page.headers["Content-Security-Policy"]
    for number, name in ((2, "Bad"), (1, "Nobody")):
        assert client.get(f"/arena/{number}/player", query_string={"name": name}).status_code == 404


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
