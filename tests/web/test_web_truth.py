"""Every number that a page shows of a position agrees with the slowest and most obvious solver."""

import json
import random

import pytest
from brute_force import BruteForce, random_positions

from rl_toolkit.envs import make_game
from rl_toolkit.players.advisers import exact_player, exact_spec
from rl_toolkit.records import position_to_text
from rl_toolkit.web import create_app

#: The games, and the squares that may be empty so that everything below can be visited.
GAMES = {
    "tictactoe": 9,
    "tictactoe-4x4x4": 8,
    "connect-four": 9,
    "connect-four-5x5x4": 9,
    "gomoku-5": 8,
    "reversi-4": 9,
    "reversi": 7,
}
OUTCOMES = {1: "win", 0: "draw", -1: "loss"}
MANY = [pytest.param(200, marks=pytest.mark.full, id="many"), pytest.param(3, id="few")]


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


def margin(env, player, seen):
    """The discs by which ``player`` leads at the end, with best play of both.

    Empty squares count for the winner, as in tournaments.
    """
    if env.is_terminal():
        lead, empty = int(env.board.sum()), int((env.board == 0).sum())
        return (lead + empty * ((lead > 0) - (lead < 0))) * player
    key = env.get_state_hash(), player
    if key not in seen:
        sign = 1 if env.current_player == player else -1
        best = None
        for move in env.get_legal_moves():
            env.step(move)
            found = sign * margin(env, player, seen)
            env.undo()
            best = found if best is None else max(best, found)
        seen[key] = sign * best
    return seen[key]


def margin_after(env, move, seen):
    player = env.current_player
    env.step(move)
    found = margin(env, player, seen)
    env.undo()
    return found


def mark_of(value, plies):
    """What stands in a square: the winner's own moves to the end, without a number at the end."""
    return {1: f"W{(plies + 1) // 2}", 0: "=", -1: f"L{plies // 2 or ''}"}[value]


def streamed(response):
    blocks = [block for block in response.text.split("\n\n") if block.startswith("event")]
    return [(block.split("\n")[0][7:], json.loads(block.split("\n")[1][6:])) for block in blocks]


def adviser_of(client, game):
    """The engine that the page of a game asks."""
    answer = client.get(f"/api/engines?game={game}").get_json()
    return next(e["analysis"] for e in answer["engines"] if e["name"] == answer["adviser"])


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_of_every_move_is_true(client, game, count):
    oracle, discs, adviser = BruteForce(), {}, adviser_of(client, game)
    for env in random_positions(game, GAMES[game], count, seed=7):
        asked = {"game": game, "position": position_to_text(env)}
        response = client.post("/api/search", json={**asked, "engine": adviser, "endless": True})
        name, found = streamed(response)[-1]
        assert name == "done"
        truth = {move: oracle.after(env, move) for move in env.get_legal_moves()}
        assert {each["move"] for each in found["candidates"]} == set(truth)
        for each in found["candidates"]:
            value, plies = truth[each["move"]]
            if exact_spec(env) is None:  # then only what is proven is a claim
                assert each["outcome"] == OUTCOMES[value] or not each["proven"]
                continue
            assert each["proven"]
            assert each["outcome"] == OUTCOMES[value]
            if env.traits.score_unit:
                score = margin_after(env, each["move"], discs)
                assert each["score"] == score
                assert each["mark"] == ("=" if score == 0 else f"{score:+d}".replace("-", "−"))
            else:
                assert each["value"] == value
                assert each["mark"] == mark_of(value, plies)
        if not found["proven"]:
            continue
        best = max(value for value, _ in truth.values())
        assert found["outcome"] == OUTCOMES[best]
        assert truth[found["best"]][0] == best
        tree = client.post("/api/game-tree", json={**asked, "depth": 1}).get_json()["tree"]
        for child in tree["children"]:
            value, _ = truth[child["move"]]
            assert round(child["value"]) == value * env.current_player


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("game", ["tictactoe", "connect-four"])
def test_what_a_review_says_of_a_move_is_true(client, game, count):
    oracle, rng = BruteForce(), random.Random(3)
    for env in random_positions(game, GAMES[game], count, seed=11):
        move = rng.choice(env.get_legal_moves())
        value, plies = oracle.after(env, move)
        asked = {"game": game, "start": position_to_text(env), "moves": [move]}
        events = streamed(client.post("/api/review", json=asked))
        (entry,) = [data for name, data in events if name == "move"][-1:]
        assert entry["worth"] == mark_of(value, plies)
        assert entry["there"]["mark"] == mark_of(-value, plies - 1)
        best = max(oracle.after(env, other)[0] for other in env.get_legal_moves())
        assert entry["value_lost"] == pytest.approx((best - value) / 2)


@pytest.mark.parametrize("count", MANY)
def test_what_the_explorer_says_is_what_the_solver_says(client, count):
    rng = random.Random(5)
    for _ in range(count):
        env = make_game("connect-four")
        for _ in range(rng.randint(0, 6)):  # too few for a win: every position is in the book
            env.step(rng.choice(env.get_legal_moves()))
        asked = {"game": "connect-four", "position": position_to_text(env)}
        answer = client.post("/api/explorer", json=asked).get_json()
        found = exact_player(env).analyse(env)
        scores = {candidate.move: candidate.score for candidate in found.candidates}
        told = {
            move: entry["score"]
            for entry in answer["moves"]
            for move in (entry["move"], *(twin["move"] for twin in entry["twins"]))
        }
        assert told == scores
