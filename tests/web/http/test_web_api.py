"""The addresses under /api: what they answer, to whom they say no, and in which words."""

import json
import subprocess
import sys
import threading

import pytest
from stopping import PATIENCE, HandClock
from web_requests import answer, events, post, refusal, said
from web_running import let_offer

from rl_toolkit.algorithms import review_move
from rl_toolkit.analysis import Analysis, Candidate, Limit, analysis_of
from rl_toolkit.envs import ConnectFour, Gomoku, game_families, make_game
from rl_toolkit.players import EngineKind, Spec, make_engine, register_engine, registry
from rl_toolkit.players.advisers import adviser_spec
from rl_toolkit.records import GameRecord, position_to_text
from rl_toolkit.web import ServerLimits, api, create_app
from rl_toolkit.web.api import tree_view
from rl_toolkit.web.api.review import mark_of, move_answer

GAMES = ["tictactoe", "connect-four", "gomoku", "reversi"]


@pytest.fixture(scope="module")
def client():
    limits = ServerLimits(time=PATIENCE, usual_time=PATIENCE, review_time=PATIENCE)
    return create_app(limits).test_client()


# --- ai-move, as the courses call it --------------------------------------------------


def test_ai_move_answers_as_the_courses_expect(client):
    board = [1, 1, 0, 0, -1, 0, 0, 0, 0]
    found = answer(client, "/api/ai-move", board=board, player=-1, board_size=3, show_thinking=True)
    assert set(found) == {"action", "evaluations"}
    assert found["action"] == 2
    assert set(found["evaluations"]) == {"2", "3", "5", "6", "7", "8"}
    for entry in found["evaluations"].values():
        assert set(entry) == {"value", "reasoning", "is_best"}
    # Values are player +1's: all moves but the block let X win.
    assert [found["evaluations"][move]["value"] for move in "235"] == [0.0, 1.0, 1.0]
    assert [move for move, entry in found["evaluations"].items() if entry["is_best"]] == ["2"]


def test_evaluations_are_null_unless_asked_for(client):
    found = answer(client, "/api/ai-move", board=[0] * 9, player=1, board_size=3)
    assert found["evaluations"] is None
    assert found["action"] in range(9)


def test_mcts_tells_visits_and_uct_in_the_view_of_player_one(client):
    found = answer(
        client,
        "/api/ai-move",
        board=[1, 1, 0, -1, -1, 0, 0, 0, 0],
        player=-1,
        engine="mcts:simulations=200,seed=1",
        show_thinking=True,
    )
    assert found["action"] == 5
    best = found["evaluations"]["5"]
    assert best["value"] == -1.0
    assert best["is_best"]
    assert sum(entry["is_best"] for entry in found["evaluations"].values()) == 1
    assert {"visits", "uct_score"} <= set(best)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", ["beginner", "easy"])
def test_every_level_plays_a_legal_move(client, name, level):
    env = make_game(name)
    found = answer(
        client, "/api/ai-move", game=name, board=env.board.tolist(), player=1, level=level
    )
    assert found["action"] in env.get_legal_moves()


def test_the_move_is_the_same_with_the_same_seed(client):
    asked = {"game": "gomoku", "moves": "h8", "engine": "random", "seed": 7}
    moves = {answer(client, "/api/ai-move", **asked)["action"] for _ in range(3)}
    assert len(moves) == 1


# --- positions ------------------------------------------------------------------------


def test_a_position_tells_all_a_board_needs(client):
    found = answer(client, "/api/position", game="connect-four", moves="44")
    assert found["board"][3] == 1
    assert found["board"][10] == -1
    assert found["transcript"] == "44"
    assert found["names"] == ["d", "d"]
    assert found["movers"] == [1, -1]
    assert found["first_number"] == 1  # people type 4 for d
    assert answer(client, "/api/position", game="tictactoe")["first_number"] == 0
    landing = {entry["name"]: entry["cell"] for entry in found["legal"]}
    assert landing["d"] == 17
    assert landing["a"] == 0
    assert found["last_cell"] == 10
    assert found["family"] == "connect-four"
    assert found["form"] == {"rows": 6, "cols": 7, "length": 4}
    assert found["pieces"] == ["Red", "Yellow"]
    assert found["drops"]


def test_a_won_position_tells_its_line_and_has_no_moves(client):
    found = answer(client, "/api/position", game="tictactoe", moves=[0, 3, 1, 4, 2])
    assert (found["done"], found["winner"], found["winning_cells"]) == (True, 1, [0, 1, 2])
    assert found["legal"] == []


def test_reversi_passes_are_moves_without_a_cell(client):
    start = "xo2/4/4/4 o"
    found = answer(client, "/api/position", game="reversi-4", start=start)
    assert [(entry["name"], entry["cell"]) for entry in found["legal"]] == [("pass", None)]
    assert found["pass_move"] == found["legal"][0]["move"]
    assert found["score_unit"] == "disc"


@pytest.mark.parametrize(
    ("fields", "game"),
    [
        ({"board_size": 4}, "tictactoe-4x4x4"),
        ({"board_size": [3, 4], "win_length": 3}, "tictactoe-3x4x3"),
        ({"game": "connect-four", "board_size": 5}, "connect-four-5x5x4"),
        ({"game": "gomoku", "board_size": 9}, "gomoku-9"),
        ({"game": "gomoku", "board_size": 9, "win_length": 4}, "gomoku-9x9x4"),
        ({"game": "reversi", "board_size": [6, 6]}, "reversi-6"),
        ({"game": "connect-four", "win_length": 5}, "connect-four-6x7x5"),
    ],
)
def test_a_size_is_written_as_the_game_reads_it(client, fields, game):
    assert answer(client, "/api/position", **fields)["game"] == game


def test_a_position_from_text_and_from_a_start_with_o(client):
    by_text = answer(client, "/api/position", game="tictactoe", position="xx1/oo1/3 x")
    assert by_text["board"][:5] == [1, 1, 0, -1, -1]
    by_start = answer(client, "/api/position", game="tictactoe", start="3/3/3 o", moves="b2")
    assert by_start["board"][4] == -1
    assert by_start["movers"] == [-1]


# --- thinking -------------------------------------------------------------------------


def test_an_analysis_reads_back_as_one(client):
    response = post(client, "/api/analyse", game="tictactoe", moves="a1b2", engine="minimax")
    analysis = Analysis.from_json(response.get_data(as_text=True))
    assert analysis.proven
    assert {c.move for c in analysis.candidates} == {1, 2, 3, 5, 6, 7, 8}
    assert all(c.note for c in analysis.candidates)


def test_lines_are_given_as_cells_on_the_board(client):
    found = answer(
        client, "/api/analyse", game="connect-four", moves="444", engine="minimax", depth=4
    )
    for candidate in found["candidates"]:
        line = found["lines"][str(candidate["move"])]
        assert [step["player"] for step in line[:3]] == [-1, 1, -1]
        assert line[0]["name"] == candidate["name"]
    landing = found["lines"]["3"][0]["cell"]
    assert landing == 3 * 7 + 3


def test_the_tree_of_a_tree_search(client):
    found = answer(
        client,
        "/api/analyse",
        game="connect-four",
        engine="mcts:simulations=500,seed=1",
        tree={"depth": 2, "top": 3},
    )
    root = found["tree"]
    assert len(root["children"]) == 3
    assert root["visits"] >= sum(child["visits"] for child in root["children"])
    assert all(len(child["children"]) <= 3 for child in root["children"])


def test_a_stream_tells_progress_and_ends_with_the_answer(client, monkeypatch):
    """The engine goes on when what it said has been streamed, so that nothing is too fast."""
    mcts, streamed = make_engine("mcts:simulations=50,seed=3"), threading.Event()

    class Waiting:
        name = "waiting"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            on_progress(mcts.analyse(env))
            assert streamed.wait(PATIENCE)
            return mcts.analyse(env, Limit(simulations=100))

    let_offer(client.application, EngineKind("waiting", "waits", Waiting), monkeypatch)
    response = post(client, "/api/search", game="connect-four", moves="4", engine="waiting")
    assert response.mimetype == "text/event-stream"
    text = ""
    for piece in response.iter_encoded():
        text += piece.decode()
        if "event: progress" in text:
            streamed.set()
    told = said(text)
    found = [(name, data["simulations"]) for name, data in told]
    assert found == [("progress", 50), ("done", 100)]
    last = Analysis.from_json(json.dumps(told[-1][1]))
    assert last.best_move in range(7)
    assert last.candidates[0].note


@pytest.mark.parametrize(("game", "moves"), [("connect-four", [3, 3]), ("reversi-4", [1])])
def test_a_search_that_plays_carries_the_position_after_its_move(client, game, moves):
    asked = {"game": game, "moves": moves, "engine": "greedy"}
    told = events(post(client, "/api/search", play=True, **asked).get_data(as_text=True))
    name, found = told[-1]
    assert name == "done"
    after = [*moves, found["best"]]
    position = answer(client, "/api/position", game=game, moves=after)
    assert position.pop("problem") is None
    assert found["after"] == position
    assert answer(client, "/api/analyse", play=True, **asked)["after"]["moves"] == after
    assert "after" not in answer(client, "/api/analyse", **asked)


def test_no_search_lasts_longer_than_the_server_allows():
    client = create_app(ServerLimits(time=0.2)).test_client()
    found = answer(client, "/api/analyse", game="gomoku", engine="mcts:simulations=1000000000")
    assert found["simulations"] < 1_000_000_000  # which would take hours


# --- trees -----------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    """The clock of game trees, which stands still unless it is moved; one search may take long."""
    clock = HandClock()
    monkeypatch.setattr(tree_view, "time", clock)
    monkeypatch.setattr(tree_view, "SECONDS", PATIENCE)
    return clock


@pytest.mark.usefixtures("clock")
def test_the_game_tree_is_worth_what_best_play_makes_of_it(client):
    found = answer(client, "/api/game-tree", game="tictactoe", position="xx1/oo1/3 x", depth=5)
    root = found["tree"]
    assert (root["value"], root["proven"]) == (1.0, True)
    by_name = {child["name"]: child for child in root["children"]}
    assert by_name["c1"]["over"]
    assert by_name["c1"]["best"]
    assert not by_name["c3"]["best"]
    assert by_name["c3"]["value"] == -1.0
    assert found["cut_off"] > 0

    def check(node):
        if node["children"]:
            values = [child["value"] for child in node["children"]]
            assert node["value"] == (max if node["player"] == 1 else min)(values)
            for child in node["children"]:
                check(child)

    check(root)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("most", "depth", "notes"), [
    (49, 1, ["Depth 2 would be 50 nodes; showing depth 1."]), (50, 2, []),
])  # fmt: skip
def test_a_tree_too_large_to_show_becomes_shallower_and_says_so(most, depth, notes):
    client = create_app(ServerLimits(time=PATIENCE, tree_nodes=most)).test_client()
    asked = 9 if notes else depth
    found = answer(client, "/api/game-tree", game="tictactoe", moves="b2a1", depth=asked)
    assert found["depth"] == depth
    assert found["nodes"] == 1 + 7 + (7 * 6 if depth == 2 else 0)
    assert found["notes"] == notes
    assert (found["tree"]["value"], found["tree"]["proven"]) == (0.0, True)
    assert found["tree"]["text"] == "A draw with best play"


def every_node(node):
    return [node, *(below for child in node["children"] for below in every_node(child))]


@pytest.mark.parametrize(("most", "depth"), [(7, 2), (14, 2), (15, 3), (1, 1)])
def test_a_search_tree_has_no_more_nodes_than_the_server_shows(most, depth):
    client = create_app(ServerLimits(time=PATIENCE, tree_nodes=most)).test_client()
    asked = {"game": "tictactoe", "engine": "mcts:simulations=300,seed=1"}
    found = answer(client, "/api/analyse", **asked, tree={"depth": 6, "top": 2})["tree"]
    assert len(every_node(found)) == 2 ** (depth + 1) - 1


class Busy:
    """Values every move as even, and takes a second for each position."""

    name = "busy"

    def __init__(self, clock):
        self._clock, self.granted = clock, []

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.granted.append(limit.time)
        self._clock.now += 1
        found = [Candidate(m, env.move_name(m), 0.25) for m in env.get_legal_moves()]
        return analysis_of(env, position_to_text(env), "busy", found, elapsed=1.0)


@pytest.fixture
def busy(clock, monkeypatch):
    engine = Busy(clock)
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    register_engine(EngineKind("busy", "takes a second", lambda: engine))
    monkeypatch.setattr(api, "adviser_spec", lambda env: Spec("busy"))
    return engine


def test_what_a_tree_has_no_time_for_is_unknown_and_never_best(busy):
    client = create_app(ServerLimits(time=4)).test_client()
    found = answer(client, "/api/game-tree", game="tictactoe", moves="b2a1", depth=2)
    # The position and three of its seven children were searched: 6 moves below each of those.
    assert len(busy.granted) == 4
    nodes = every_node(found["tree"])[1:]
    unknown = [node for node in nodes if node["value"] is None]
    assert len(nodes) - len(unknown) == 7 + 3 * 6
    assert found["notes"] == [f"Time ran out: {len(unknown)} moves not searched."]
    assert not any(node["best"] or node["proven"] for node in unknown)
    assert {node["text"] for node in unknown} == {"Unknown"}
    assert {node["label"] for node in unknown} == {"?"}
    assert (found["tree"]["value"], found["tree"]["text"]) == (0.25, "X ≈ 63 %")
    assert found["cut_off"] == 0  # alpha-beta needs values


def test_a_tree_shares_its_time_among_its_positions(busy):
    client = create_app(ServerLimits(time=4)).test_client()
    answer(client, "/api/game-tree", game="tictactoe", moves="b2a1", depth=2)
    assert busy.granted == [2.0, 3 / 7, 2 / 6, 1 / 5]  # half for the position itself


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("game", "moves"), [
    ("connect-four", "ddddddccccccab"), ("tictactoe", "b2a1"), ("reversi-4", "b1"),
])  # fmt: skip
def test_a_tree_agrees_with_the_analysis_of_the_best_engine(client, game, moves):
    env = make_game(game)
    found = answer(client, "/api/game-tree", game=game, moves=moves, depth=2)
    thinks = answer(client, "/api/analyse", game=game, moves=moves, engine=adviser_spec(env).text)
    root = found["tree"]
    assert (root["text"], root["proven"]) == (thinks["text"], True)
    player = thinks["player"]
    told = {c["move"]: (c["value"] * player, c["proven"], c["best"]) for c in thinks["candidates"]}
    assert told == {
        child["move"]: (child["value"], child["proven"], child["best"])
        for child in root["children"]
    }


def test_a_tree_of_estimates_has_the_values_of_the_best_engine(client):
    """Whatever a shallower search would say, and with all moves searched."""
    asked = {"game": "reversi", "moves": "f5d6c3d3c4f4f6"}  # these are in the opening book
    found = answer(client, "/api/game-tree", **asked, depth=1)
    engine = adviser_spec(make_game("reversi")).text
    thinks = answer(client, "/api/analyse", **asked, engine=engine)
    texts = {child["move"]: child["text"] for child in found["tree"]["children"]}
    assert texts == {c["move"]: f"White {c['text']}" for c in thinks["candidates"]}
    best = [child["name"] for child in found["tree"]["children"] if child["best"]]
    assert best == [c["name"] for c in thinks["candidates"] if c["best"]]
    assert found["engine"] == "reversi"


class Halved:
    """Proves what ends the game at once; everything else is even."""

    name = "halved"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        found = []
        for move in env.get_legal_moves():
            after = env.copy()
            after.step(move)
            won = after.winner == env.current_player
            known = {"outcome": "win", "proven": True, "distance": 1} if won else {}
            found.append(Candidate(move, env.move_name(move), 1.0 if won else 0.0, **known))
        found.sort(key=lambda candidate: -candidate.value)
        return analysis_of(env, position_to_text(env), "halved", found)


@pytest.mark.usefixtures("clock")
def test_a_proof_below_replaces_the_estimate_above(client, monkeypatch):
    let_offer(client.application, EngineKind("halved", "sees one ply", Halved), monkeypatch)
    monkeypatch.setattr(api, "adviser_spec", lambda env: Spec("halved"))
    asked = {"game": "tictactoe", "position": "xo1/xo1/3 o"}  # O wins at b3, else X does at a3
    one = answer(client, "/api/game-tree", **asked, depth=1)["tree"]["children"]
    two = answer(client, "/api/game-tree", **asked, depth=2)["tree"]["children"]
    assert [child["text"] for child in one if child["name"] == "c1"] == ["O ≈ 50 %"]
    assert [child["text"] for child in two if child["name"] == "c1"] == ["X wins in 1 move"]


def test_the_search_tree_shows_what_was_never_visited_as_unknown(client):
    found = answer(
        client,
        "/api/analyse",
        game="gomoku-9",
        engine="alphazero:simulations=8,seed=1",
        tree={"depth": 1, "top": 10},
    )
    nodes = every_node(found["tree"])[1:]
    never = [node for node in nodes if not node["visits"] and not node["proven"]]
    assert never
    assert {(node["value"], node["text"], node["label"]) for node in never} == {
        (None, "Unknown", "?")
    }
    # Values are player +1's, as in the other tree.
    assert all(node["mover"] == 1 for node in nodes)


# --- reading a game -------------------------------------------------------------------


@pytest.mark.parametrize(("game", "moves", "names", "problem"), [
    ("reversi", "f5 d6 a1 c3", ["f5", "d6"],
     "Move 3 (a1) is illegal: it turns no disc. The first 2 moves are shown."),
    ("connect-four", "44444441", list("dddddd"),
     "Move 7 (4) is illegal: column d is full. The first 6 moves are shown."),
    ("tictactoe", "b2b2", ["b2"],
     "Move 2 (b2) is illegal: it is taken by X. The first move is shown."),
    ("tictactoe", "b2 a1", ["b2", "a1"], None),
])  # fmt: skip
def test_the_legal_part_of_a_game_with_an_illegal_move(client, game, moves, names, problem):
    found = answer(client, "/api/position", game=game, moves=moves, legal_part=True)
    assert (found["names"], found["problem"]) == (names, problem)
    if problem:
        refusal(post(client, "/api/position", game=game, moves=moves))


def test_the_legal_part_of_a_board_that_cannot_be_is_the_start(client):
    asked = {"game": "tictactoe", "board": [1, 1, 1, 0, 0, 0, 0, 0, 0], "player": 1}
    found = answer(client, "/api/position", **asked, legal_part=True)
    assert (found["board"], len(found["legal"])) == ([0] * 9, 9)
    assert f"{refusal(post(client, '/api/position', **asked))}." == found["problem"]
    asked["board"] = [1, -1]
    found = answer(client, "/api/position", **asked, legal_part=True)
    assert "9" in found["problem"]
    refusal(post(client, "/api/position", **asked | {"board": "x"}, legal_part=True))


@pytest.mark.parametrize(("asked", "reason"), [
    ({"game": "reversi", "cell": 0}, "a1 turns no disc."),
    ({"game": "connect-four", "moves": "444444", "cell": 24}, "column d is full."),
    ({"game": "tictactoe", "moves": "b2", "cell": 4}, "b2 is taken by X."),
    ({"game": "tictactoe", "cell": 4}, None),
])  # fmt: skip
def test_why_a_square_cannot_be_chosen(client, asked, reason):
    assert answer(client, "/api/why-not", **asked) == {"reason": reason}


@pytest.mark.parametrize("engine", ["mcts:simulations=300,seed=1", "alphazero:simulations=60"])
def test_tree_search_calls_nothing_explored_that_it_did_not_visit(client, engine):
    asked = {"board": [1, 1, 0, -1, -1, 0, 0, 0, 0], "player": 1, "show_thinking": True}
    found = answer(client, "/api/ai-move", engine=engine, **asked)["evaluations"]
    assert found["2"]["value"] == 1
    assert found["2"]["reasoning"].endswith("strong position (solved)")
    for entry in found.values():
        solved = "(solved)" in entry["reasoning"]
        assert (entry["value"] is None) == (entry["reasoning"] == "not searched")
        assert entry["visits"] or solved or entry["value"] is None
        assert entry["uct_score"] is None or not solved
    assert [found[move]["reasoning"] for move in "678"] == ["weak position (solved)"] * 3


def test_every_level_is_described(client):
    found = client.get("/api/engines?game=connect-four").get_json()
    assert set(found["about"]) == set(found["levels"])
    assert found["about"]["hard"].startswith("looks 6 plies ahead. Overlooks what takes more ")
    perfect = found["about"]["perfect"]
    assert perfect.startswith("never gives away a win or a draw. Overlooks nothing. ")
    assert "Right in 100 % of the moves that matter. Rating " in perfect


def test_every_equally_good_move_is_best(client):
    found = answer(client, "/api/analyse", game="tictactoe", engine="minimax")
    assert [c["best"] for c in found["candidates"]] == [True] * 9
    assert {(c["text"], c["mark"]) for c in found["candidates"]} == {("draw", "=")}


# --- the review -----------------------------------------------------------------------


def test_a_review_finds_the_blunder(client):
    response = post(client, "/api/review", game="tictactoe", moves="b2b1a1a2c3")
    told = events(response.get_data(as_text=True))
    marks = [data["mark"] for name, data in told if name == "move"]
    assert marks == [None, "blunder", None, None, None]
    blunder = told[1][1]
    assert blunder["best"]["name"] in {"a1", "c1", "a3", "c3"}
    assert blunder["cost"] == "a drawn game became lost"
    named, _, instead = blunder["better"].partition(" were better: ")
    assert sorted(named.replace(" and ", ", ").split(", ")) == ["a1", "a3", "c1", "c3"]
    assert instead == "a draw instead of a loss in 3 moves."
    assert blunder["value_lost"] == 0.5
    costs = {data["ply"]: data["cost"] for name, data in told if name == "move" and data["better"]}
    assert costs == {1: blunder["cost"], 3: "hastened the loss, 2 → 1 move"}
    assert told[-1][0] == "done"
    accuracy = told[-1][1]["accuracy"]
    assert accuracy["x"] == 100
    assert accuracy["o"] == 0  # of two moves, one lost at once and the other could not be saved
    assert told[-1][1]["accuracy_proven"] == {"x": True, "o": True}
    course = {"turned_on": 2, "over_at": None, "text": "It turned on move 2."}
    assert told[-1][1]["course"] == course
    turned = "It turned on move 2 (b1): a drawn game became lost."
    assert told[-1][1]["turned"] == {"ply": 1, "text": turned, "proven": True}
    assert told[-1][1]["over"] is None
    worth = [data["worth"] for name, data in told if name == "move"]
    assert worth == ["=", "L3", "W3", "L1", "W1"]


@pytest.mark.parametrize(
    ("best", "played", "mark"),
    [(16, 2, "mistake"), (16, 12, "inaccuracy"), (3, 1, "inaccuracy"), (16, 14, None)],
)
def test_a_move_that_hastens_a_loss_is_marked(best, played, mark):
    env = ConnectFour()
    loses = [
        Candidate(move, name, -1.0, "loss", proven=True, distance=2 * moves)
        for move, name, moves in ((3, "d", best), (0, "a", played))
    ]
    analysis = Analysis.of(env, "exact", loses)
    answer = move_answer(review_move(env, 0, analysis, 5), analysis, env)
    moves = "move" if played == 1 else "moves"
    assert answer["cost"] == f"hastened the loss, {best} → {played} {moves}"
    assert (answer["moves_before"], answer["moves_after"]) == (best, played)
    assert answer["mark"] == mark
    pace = {"kind": "hastened", "before": best, "after": played, "text": answer["cost"]}
    assert answer["pace"] == (pace if mark else None)


@pytest.mark.parametrize(
    ("before", "after", "proven", "mark", "sure"),
    [
        (0.2, 0.0, (False, False), None, False),  # 10 % between two estimates
        (0.4, 0.0, (False, False), "inaccuracy", False),
        (0.8, 0.0, (False, False), "mistake", True),
        (-0.8, -1.0, (False, True), "inaccuracy", False),  # it may have been lost before
        (1.0, 0.2, (True, False), "blunder", True),
        (1.0, -1.0, (True, True), "blunder", True),
    ],
)
def test_a_small_difference_of_estimates_is_nothing_to_learn_from(
    before, after, proven, mark, sure
):
    env, outcomes = Gomoku(9), {1.0: "win", -1.0: "loss"}
    moves = [
        Candidate(move, name, value, outcomes.get(value), proven=known)
        for move, name, value, known in zip(
            (40, 0), ("e5", "a1"), (before, after), proven, strict=True
        )
    ]
    analysis = Analysis.of(env, "gomoku", moves)
    answer = move_answer(review_move(env, 0, analysis, 5), analysis, env)
    assert (answer["mark"], answer["sure"]) == (mark, sure)


def test_what_a_later_search_proves_is_held_against_the_move_before(client):
    # O lets X make an open four of an open three: with three plies that is seen a move too late.
    asked = {"game": "gomoku-7", "engine": "minimax", "depth": 3}
    for moves in ("d3a1d4b1d5c1", "d3a1d4b1d5c1d6a7d7"):  # also where the game has not gone on yet
        told = events(post(client, "/api/review", moves=moves, **asked).get_data(as_text=True))
        entries = {data["ply"]: data for name, data in told if name == "move"}  # the last word
        assert entries[5]["mark"] == "blunder"
        assert entries[5]["after_proven"]
        assert entries[5]["best"]["name"] in {"d2", "d6"}
        assert {entry["mark"] for ply, entry in entries.items() if ply != 5} == {None}
        assert told[-1][1]["accuracy"]["o"] < 90


def test_reversi_is_reviewed_in_discs(client):
    asked = {"game": "reversi-4", "moves": "b1c1d1a1"}
    told = events(post(client, "/api/review", engine="exact", **asked).get_data(as_text=True))
    moves = [data for name, data in told if name == "move"]
    scores = [data["discs"] for data in moves]
    assert all(discs["proven"] for discs in scores)
    assert scores[0] == {"lost": 0, "proven": True, "before": -10, "after": -10}  # X's view
    assert scores[1] == {"lost": 24, "proven": True, "before": -10, "after": 14}
    assert moves[1]["mark"] == "blunder"
    assert [data["accuracy"] for data in moves[:2]] == [100, 0]
    lost = told[-1][1]["discs"]
    assert lost["o"] == {
        "proven": scores[1]["lost"] + scores[3]["lost"],
        "estimated": None,
        "costliest": 1,
    }
    other = events(post(client, "/api/review", moves="b2").get_data(as_text=True))
    assert other[0][1]["discs"] is other[-1][1]["discs"] is None


def test_estimated_discs_alone_make_the_mark(client):
    asked = {"game": "reversi", "moves": "f5d6c3g5", "depth": 3}
    told = events(post(client, "/api/review", **asked).get_data(as_text=True))
    moves = [data for name, data in told if name == "move"]
    assert {data["discs"]["proven"] for data in moves} == {False}
    assert [data["mark"] for data in moves] == [
        mark_of(0, round(data["discs"]["lost"])) for data in moves
    ]
    assert told[-1][1]["discs"]["x"]["proven"] is None
    assert told[-1][1]["accuracy_proven"] == {"x": False, "o": False}
    mean = sum(data["discs"]["lost"] for data in moves[::2]) / 2
    assert told[-1][1]["accuracy"]["x"] == pytest.approx(100 * max(0, 1 - mean / 16))


def test_an_engine_that_refuses_the_game_is_quoted(client, monkeypatch):
    let_offer(client.application, EngineKind("picky", "plays nothing", _Picky), monkeypatch)
    refused = post(client, "/api/ai-move", engine="picky")
    assert refusal(refused) == "picky does not play tictactoe"
    told = said(post(client, "/api/search", engine="picky").get_data(as_text=True))
    sentence = {"error": "picky does not play tictactoe", "refused": True}
    assert told == [("error", sentence)]


def test_a_mistake_of_ours_is_told_in_one_sentence_and_logged(client, caplog, monkeypatch):
    let_offer(client.application, EngineKind("broken", "raises", _Broken), monkeypatch)
    response = post(client, "/api/ai-move", engine="broken")
    assert response.status_code == 500
    assert response.get_json() == {"error": "something went wrong on the server"}
    told = said(post(client, "/api/search", engine="broken").get_data(as_text=True))
    assert told == [("error", {"error": "something went wrong on the server"})]
    logged = [str(record.exc_info[1]) for record in caplog.records if record.exc_info]
    assert logged == ["no such luck"] * 2


class _Broken:
    name = "broken"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise RuntimeError("no such luck")


class _Picky:
    name = "picky"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise ValueError(f"picky does not play {env.name}")


# --- records --------------------------------------------------------------------------


def test_a_record_is_written_and_opened_again(client):
    response = post(
        client, "/api/record", game="connect-four", moves="4453", players=["you", "hard"]
    )
    text = response.get_data(as_text=True)
    assert GameRecord.from_json(text).players == ("you", "hard")
    opened = answer(client, "/api/record/open", text=text)
    assert opened["game"] == "connect-four"
    assert opened["transcript"] == "4453"
    assert opened["players"] == ["you", "hard"]


def test_a_resigned_game_keeps_its_result(client):
    response = post(client, "/api/record", moves="b2", result=1, ended_by="resignation")
    opened = answer(client, "/api/record/open", text=response.get_data(as_text=True))
    assert (opened["result"], opened["ended_by"]) == (1, "resignation")


def test_a_transcript_is_opened_too(client):
    assert answer(client, "/api/record/open", game="reversi", text="f5 d6")["transcript"] == "f5d6"
    for text, sentence in [
        ("b2 b2", "Move 2 (b2) is illegal: it is taken by X."),
        ("hello", "I cannot read “hello” as moves. Example: b2 a1."),
        ("", None),
        ("xx/oo x", "This position cannot be read: tictactoe has 3 rows"),
        ("{", "This record cannot be opened: "),
    ]:
        response = post(client, "/api/record/open", text=text)
        if sentence is None:
            assert response.status_code == 200  # the start of a game
        else:
            assert refusal(response).startswith(sentence)


# --- what there is --------------------------------------------------------------------


def test_games_engines_and_health(client):
    listed = client.get("/api/games").get_json()
    assert [game["name"] for game in listed["games"]] == [f.name for f in game_families()]
    assert listed["limits"]["time"] == PATIENCE
    engines = client.get("/api/engines?game=reversi-4").get_json()
    assert {"minimax", "mcts"} <= {engine["name"] for engine in engines["engines"]}
    assert "perfect" in engines["levels"]
    health = client.get("/api/health").get_json()
    assert health["status"] == "ok"


def test_options_have_the_memory_that_the_server_gives():
    client = create_app(ServerLimits(memory_mb=64)).test_client()
    engines = client.get("/api/engines?game=connect-four").get_json()["engines"]
    [option] = [
        option
        for engine in engines
        for option in engine["options"]
        if (engine["name"], option["name"]) == ("mcts", "memory")
    ]
    assert (option["default"], option["allowed"]) == (64, "a whole number from 1 to 64")


@pytest.mark.parametrize(
    ("game", "adviser", "spec", "exact"),
    [
        ("tictactoe", "minimax", "minimax:depth=18", True),
        ("connect-four", "exact", "exact", True),
        ("gomoku", "gomoku", "gomoku:every=on", False),
        ("reversi", "reversi", "reversi:every=on", False),
    ],
)
def test_the_server_says_who_knows_a_game_best(client, game, adviser, spec, exact):
    found = client.get(f"/api/engines?game={game}").get_json()
    analysing = {engine["name"]: engine["analysis"] for engine in found["engines"]}
    assert found["adviser"] == adviser
    assert found["exact"] is exact
    assert analysing[adviser] == spec
    assert analysing["random"] is None
    assert analysing["mcts"] == "mcts"


def test_only_engines_that_play_the_game_are_offered(client):
    def offered(query):
        return {e["name"] for e in client.get(f"/api/engines{query}").get_json()["engines"]}

    assert {"exact", "reversi"} <= offered("")
    assert "exact" in offered("?game=connect-four")
    assert not {"exact", "reversi"} & offered("?game=gomoku")
    refused = post(client, "/api/ai-move", game="gomoku", engine="reversi")
    assert refusal(refused).startswith("reversi does not play gomoku-15; the engines that do are")


@pytest.mark.parametrize("page", ["/", "/tictactoe", "/connect-four", "/gomoku", "/reversi"])
def test_pages_load_nothing_from_elsewhere(client, page):
    response = client.get(page)
    assert response.status_code == 200
    text = response.get_data(as_text=True)
    assert "http:" not in text.replace("http://www.w3.org", "")
    assert "https:" not in text
    assert " style=" not in text
    assert " onclick" not in text


@pytest.mark.parametrize("address", ["/", "/api/health", "/nothing", "/static/css/board.css"])
def test_every_answer_has_the_security_headers_and_no_cookie(client, address):
    with client.get(address) as response:
        headers = response.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in headers


def test_importing_the_package_imports_no_server_and_no_compiler():
    code = "import sys, rl_toolkit; print({'flask', 'numba', 'waitress'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_icon_that_browsers_ask_for_by_habit(client):
    with client.get("/favicon.ico") as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "image/svg+xml"
