"""The addresses of the board: whole lines, names, trees, the explorer and threats."""

import json
import random

import pytest
from breakthrough_game import Breakthrough
from stopping import PATIENCE
from web_requests import answer, post, refusal

from rl_toolkit.algorithms import exact_engine
from rl_toolkit.envs import Position, make_game, register_game, registry
from rl_toolkit.web import ServerLimits, create_app

GAMES = ["tictactoe", "connect-four", "gomoku-9", "reversi-4", "reversi", "breakthrough"]


@pytest.fixture(scope="module")
def client():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
        register_game(Breakthrough)
        yield create_app(ServerLimits(time=PATIENCE, usual_time=PATIENCE)).test_client()


def random_game(name, seed, most=200):
    """The moves of a game of chance."""
    env, choice = make_game(name), random.Random(seed)
    while not env.is_terminal() and len(env.history) < most:
        env.step(choice.choice(env.get_legal_moves()))
    return env.history


# --- whole lines ----------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_line_agrees_with_the_rules_in_every_position(client, name):
    passes = 0
    for seed in range(6 if name == "reversi-4" else 2):
        moves = random_game(name, seed)
        line = answer(client, "/api/line", game=name, moves=moves)
        assert (line["moves"], line["problem"]) == (moves, None)
        assert len(line["positions"]) == len(moves) + 1
        position = Position(make_game(name).name)
        for ply, shown in enumerate(line["positions"]):
            env = position.env()
            assert shown["position"] == position.text
            assert [".xo".index(sign) for sign in shown["board"]] == [c % 3 for c in env.board]
            assert shown["legal"] == env.get_legal_moves()
            assert (shown["player"], shown["done"]) == (env.current_player, env.is_terminal())
            assert (shown["winner"], shown["last_cell"]) == (env.winner, env.last_cell)
            assert shown.get("winning_cells", []) == env.winning_cells
            cells = shown.get("cells", [m if m != env.pass_move else None for m in shown["legal"]])
            for move, cell in zip(shown["legal"], cells, strict=True):
                landing = env.landing_cell(move)
                # A piece that takes another one lands, too, but puts none on an empty cell.
                assert landing == cell or (
                    landing is None and env.board[cell] == -env.current_player
                )
            if ply < len(moves):
                move = moves[ply]
                passes += move == env.pass_move
                assert line["names"][ply] == env.move_name(move)
                assert line["movers"][ply] == env.current_player
                if line["fixed"]["names"] is not None:
                    assert line["fixed"]["names"][move] == env.move_name(move)
                position = position.after(move)
    assert passes or name != "reversi-4"


def test_moves_from_cell_to_cell_have_both_ends(client):
    line = answer(client, "/api/line", game="breakthrough")
    assert line["fixed"]["cell_moves"] is False
    [start] = line["positions"]
    for move, origin, cell in zip(start["legal"], start["origins"], start["cells"], strict=True):
        env = make_game("breakthrough")
        before = env.board.copy()
        env.step(move)
        assert (before[origin], env.board[origin]) == (1, 0)
        assert (before[cell], env.board[cell]) == (0, 1)


def test_a_line_has_its_legal_part_from_a_ply_on(client):
    line = answer(
        client, "/api/line", game="connect-four", moves=[3, 3, 3, 3, 3, 3, 3, 1], **{"from": 5}
    )
    assert line["problem"] == (
        "Move 7 (d) is illegal: column d is full. The first 6 moves are shown."
    )
    assert line["names"] == ["d"] * 6
    assert (line["from"], len(line["positions"])) == (5, 2)
    assert line["positions"][-1]["legal"] == [0, 1, 2, 4, 5, 6]


def test_names_of_lines_that_share_moves(client):
    moves = [random_game("reversi", seed, 30) for seed in range(3)]
    lines = [moves[0], moves[0][:10], [*moves[0][:10], -1], moves[1], moves[2], moves[2][:5], []]
    named = answer(client, "/api/names", game="reversi", lines=lines)["lines"]
    for asked, found in zip(lines, named, strict=True):
        played = [move for move in asked if move != -1]
        line = answer(client, "/api/line", game="reversi", moves=played)
        assert (found["names"], found["movers"]) == (line["names"], line["movers"])
        assert (found["problem"] is None) == (played == asked)
    assert named[2]["problem"].startswith("Move 11 (-1) is illegal: ")


@pytest.mark.parametrize("lines", [None, 3, [3], [[3], "d"]])
def test_lines_that_are_not_lines_are_refused(client, lines):
    assert "list of lists" in refusal(post(client, "/api/names", lines=lines))


def test_what_a_move_must_be(client):
    for wrong in (True, "d", 1.5, None, [3]):
        [found] = answer(client, "/api/names", game="connect-four", lines=[[3, wrong, 3]])["lines"]
        assert found["names"] == ["d"]
        assert found["problem"].startswith("Move 2 is a whole number")


def test_a_tree_has_a_bound():
    limits = ServerLimits(tree_moves=20)
    client = create_app(limits).test_client()
    assert "at most 20" in refusal(post(client, "/api/names", lines=[[0]] * 21))
    nodes = [{}, *({"parent": 0, "move": k % 9} for k in range(20))]
    tree = {"game": "tictactoe", "nodes": nodes}
    assert "at most 20" in refusal(post(client, "/api/tree/record", tree=tree))


# --- trees ----------------------------------------------------------------------------


def random_note(choice, cells):
    """What a person attaches to a move, and how long it took."""
    parts = {
        "glyph": choice.choice(["!", "?", "!!", "??", "!?", "?!"]),
        "marks": [["circle", choice.randrange(cells)], ["arrow", 0, choice.randrange(1, cells)]],
        "time": choice.randrange(1, 900) / 10,
        "by": choice.choice(["medium", "Bob (guest)"]),
    }
    return {name: parts[name] for name in choice.sample(sorted(parts), choice.randint(1, 4))}


def random_tree(name, seed, size):
    """A tree as the address takes it: legal moves, some with comments and notes.

    The game as played is any line from the start.
    """
    choice = random.Random(seed)
    nodes, games, tried = [{"parent": None}], [make_game(name)], [set()]
    while len(nodes) < size:
        place = choice.choice([len(nodes) - 1, choice.randrange(len(nodes))])
        moves = [m for m in games[place].get_legal_moves() if m not in tried[place]]
        if not moves:
            continue
        move, game = choice.choice(moves), games[place].copy()
        tried[place].add(move)
        node = {"parent": place, "move": move, "name": game.move_name(move)}
        node["player"] = game.current_player
        if choice.random() < 0.3:
            node["comment"] = choice.choice(["good?", 'a "quote"\nand a line', "]\\"])
        if choice.random() < 0.4:
            node["note"] = random_note(choice, len(game.board))
        game.step(move)
        nodes.append(node)
        games.append(game)
        tried.append(set())
    played = choice.randrange(1, size)
    game = make_game(name).name
    return {"game": game, "players": ["Ada", ""], "nodes": nodes, "played": played}


def paths(tree):
    """What is said at each path of moves, the order at each fork, and the game as played."""
    at, notes, forks = [()], {(): tree["nodes"][0].get("comment", "")}, {}
    for node in tree["nodes"][1:]:
        path = (*at[node["parent"]], node["move"])
        at.append(path)
        notes[path] = (node.get("comment", ""), node.get("note", {}))
        forks.setdefault(path[:-1], []).append(node["move"])
    return notes, forks, at[tree["played"]]


@pytest.mark.parametrize(
    ("name", "form"), [("connect-four", "json"), ("gomoku", "sgf"), ("reversi", "sgf")]
)
def test_a_tree_survives_a_file(client, name, form):
    for seed in range(4):
        tree = random_tree(name, seed, 60)
        saved = answer(client, "/api/tree/record", tree=tree, format=form)
        assert (saved["suffix"], saved["left_out"]) == (f".{form}", "")
        opened = answer(client, "/api/tree/open", text=saved["file"])
        assert paths(opened) == paths(tree)
        assert opened["players"] == ["Ada", ""]
        # Saved once more it is the same file, whatever order the nodes have now.
        assert answer(client, "/api/tree/record", tree=opened, format=form) == saved


def test_what_a_format_does_not_hold_is_told(client):
    tree = random_tree("reversi", 1, 30)
    saved = answer(client, "/api/tree/record", tree=tree, format="ggf")
    assert "does not hold" in saved["left_out"]


def test_a_game_that_is_over_is_written_with_its_result(client):
    nodes = [{}, *({"parent": k, "move": move} for k, move in enumerate([0, 1, 4, 2, 8]))]
    answer = post(client, "/api/tree/record", tree={"game": "tictactoe", "nodes": nodes}).json
    assert json.loads(answer["file"])["result"] == "x"


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        (None, "nodes is a list"),
        ([], "nodes is a list"),
        ([{}, 3], "node 1 is an object"),
        ([{}, {"parent": 1, "move": 0}], "parent is a whole number"),
        ([{}, {"move": 0}], "node 1 has no parent"),
        ([{}, {"parent": 0}], "node 1 has no move"),
        ([{}, {"parent": 0, "move": 9}], "moves"),
        ([{}, {"parent": 0, "move": 1, "coment": ""}], "did you mean comment"),
        ([{}, {"parent": 0, "move": 1}, {"parent": 0, "move": 1}], "node 2 has the move of"),
        ([{}, {"parent": 0, "move": 1, "note": 3}], "nodes[1].note: a note is an object"),
        ([{}, {"parent": 0, "move": 1, "note": {"glyph": "#"}}], "this is one of"),
        ([{}, {"parent": 0, "move": 1, "note": {"marks": [["circle", 9]]}}], "9 is not a cell"),
    ],
)
def test_what_is_not_a_tree_is_refused(client, nodes, reason):
    tree = {"game": "tictactoe", "nodes": nodes}
    assert reason in refusal(post(client, "/api/tree/record", tree=tree))


def test_a_tree_needs_a_game_and_a_start(client):
    for tree, reason in (
        (None, "tree is an object"),
        ({"game": "chess", "nodes": [{}]}, "there is no game"),
        ({"game": "tictactoe", "nodes": [{}], "start": "xxx"}, "start"),
    ):
        assert reason in refusal(post(client, "/api/tree/record", tree=tree))


def test_variations_nested_too_deep_are_refused(client):
    nodes, last = [{}], 0
    for _ in range(2000):
        nodes += [{"parent": last, "move": 0}, {"parent": last, "move": 1}]
        last = len(nodes) - 1
    tree = {"game": "connect-four", "nodes": nodes}
    assert "nested deeper" in refusal(post(client, "/api/tree/record", tree=tree))


# --- the explorer ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "plies"), [("connect-four", 10), ("reversi-6", 4)])
def test_the_book_agrees_with_the_solver(client, name, plies):
    for seed in range(3):
        moves = random_game(name, seed, plies)
        page = answer(client, "/api/explorer", game=name, moves=moves)
        assert page["source"] == "book"
        assert page["exact"]
        assert page["complete"]
        env = make_game(name).after(moves)
        proven = exact_engine(env).analyse(env)
        values = {each.move: (each.value, each.score) for each in proven.candidates}
        listed = {}
        for entry in page["moves"]:
            for move in [entry["move"], *(twin["move"] for twin in entry["twins"])]:
                assert move not in listed
                listed[move] = (entry["value"], entry["score"])
            assert entry["best"] == (entry["move"] in proven.best_moves)
        assert listed == values


def test_mirror_images_are_one_entry(client):
    [only] = answer(client, "/api/explorer", game="reversi")["moves"]
    assert {only["name"], *(twin["name"] for twin in only["twins"])} == {"d3", "c4", "f5", "e6"}
    columns = answer(client, "/api/explorer", game="connect-four")["moves"]
    assert [(entry["name"], entry["mark"]) for entry in columns] == [
        ("d", "W21"), ("c", "="), ("b", "L21"), ("a", "L20")
    ]  # fmt: skip


def test_a_game_without_a_book_has_an_empty_page(client):
    for name in ("tictactoe", "connect-four-5x5x4", "breakthrough"):
        page = answer(client, "/api/explorer", game=name)
        assert (page["source"], page["moves"]) == (None, [])


def test_the_first_stones_of_gomoku_are_not_called_best(client):
    page = answer(client, "/api/explorer", game="gomoku")
    assert [entry["name"] for entry in page["moves"]] == ["g7", "h7", "h8"]
    assert not any(entry["best"] or entry["proven"] for entry in page["moves"])


# --- threats --------------------------------------------------------------------------


def test_a_threat_is_what_the_other_side_would_play(client):
    found = answer(client, "/api/threat", game="tictactoe", moves="a1b2b1")["threat"]
    assert (found["name"], found["player"], found["text"]) == ("c1", 1, "X wins in 1 move")
    assert [step["name"] for step in found["line"]] == ["c1"]


def test_no_threat_where_the_other_side_cannot_move(client):
    stuck = answer(client, "/api/threat", game="reversi-4", position="xo2/4/4/4 x")
    assert stuck["threat"] is None
    assert "twice in a row" in stuck["reason"]
    assert "over" in refusal(post(client, "/api/threat", moves=[0, 3, 1, 4, 2]))


# --- what an analysis says ------------------------------------------------------------


def test_top_cuts_the_list_and_says_so(client):
    asked = {"game": "gomoku-9", "moves": "e5", "engine": "greedy"}
    whole = answer(client, "/api/analyse", **asked)
    part = answer(client, "/api/analyse", **asked, top=5)
    assert part["candidates"] == whole["candidates"][:5]
    assert (part["left_out"], whole["left_out"]) == (75, 0)
    assert set(part["lines"]) == {str(each["move"]) for each in part["candidates"]}
    assert part["best"] == whole["best"]
    assert "top is a whole number" in refusal(post(client, "/api/search", **asked, top=0))


def test_the_area_of_the_best_move(client):
    found = answer(client, "/api/analyse", moves="a1 b2 b1 a2", engine="minimax")
    assert found["best"] == 2
    assert found["area"] == {"cells": [1, 2, 4, 5], "text": "the upper right"}
    passing = answer(
        client, "/api/analyse", game="reversi-4", position="xo2/4/4/4 o", engine="minimax"
    )
    assert passing["area"] is None
