"""An analysis as a Python object: iterated, pickled and drawn."""

import pickle
import random
from xml.etree import ElementTree

import pytest
from hex_game import Hex

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import Player, Spec, make_engine, make_player
from rl_toolkit.records import GameRecord, from_transcript

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    """Every text in a picture, in the order in which they are drawn."""
    return [node.text for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_an_analysis_is_iterated_over_its_candidates():
    env = from_transcript("tictactoe", "b2")
    analysis = MinimaxSolver().analyse(env)
    assert list(analysis) == list(analysis.candidates)
    assert [c.name for c in analysis if c.outcome == "draw"] == ["a1", "c1", "a3", "c3"]
    assert analysis  # also one without candidates is something
    assert list(Analysis("tictactoe", "3/3/3 x", 1, "nobody")) == []


@pytest.mark.parametrize(
    ("game", "moves", "marks", "path"),
    [
        ("tictactoe", "a1a2b1b2", {"W1", "L1"}, ["1"]),
        ("connect-four", "44556", {"L1"}, ["1", "2"]),
        ("reversi-4", "b1a1", set(), ["1", "2", "3", "4"]),
    ],
)
def test_pictures_show_values_numbers_and_arrows(game, moves, marks, path):
    env = from_transcript(game, moves)
    analysis = make_engine("minimax:depth=5").analyse(env)
    picture = analysis.to_svg()
    shown = texts(picture)
    assert marks <= set(shown)
    assert set(path) <= set(shown)
    arrows = [n for n in ElementTree.fromstring(picture).iter(f"{SVG}path") if "M" in n.get("d")]
    assert len([n for n in arrows if n.get("stroke-opacity") == "0.4"]) == len(path) - 1
    assert analysis.to_svg(env) == analysis.to_svg(env.copy(), theme="light")
    assert analysis.to_svg(theme="dark") != picture
    title = ElementTree.fromstring(picture).find(f"{SVG}title").text
    assert title == f"{env.traits.title}, {env.traits.pieces[env.current_player < 0]} to move, " + (
        f"best {analysis.best.name}"
    )


def test_pictures_show_as_much_as_asked_for():
    env = make_game("gomoku-9")
    analysis = make_engine("greedy").analyse(env)
    few, more = (texts(analysis.to_svg(top=top, line=1)) for top in (2, 20))
    assert len(more) > len(few)
    assert "0.4" not in analysis.to_svg(line=1)


def test_a_pass_and_an_unknown_move_have_no_heat():
    env = make_game("tictactoe")
    picture = RandomEngine(seed=1).analyse(env).to_svg()
    assert texts(picture).count("?") == 9
    env, rng = make_game("reversi-4"), random.Random(1)
    while not env.must_pass():
        env.reset() if env.done else env.step(rng.choice(env.get_legal_moves()))
    ElementTree.fromstring(MinimaxSolver(2).analyse(env).to_svg())


def test_a_picture_of_a_game_that_is_not_registered_needs_the_game():
    env = Hex(3)
    analysis = MinimaxSolver(2).analyse(env)
    with pytest.raises(ValueError, match=r"cannot be set up here; give the game: to_svg\(env\)"):
        analysis.to_svg()
    ElementTree.fromstring(analysis.to_svg(env))


@pytest.mark.parametrize("spec", ["mcts:simulations=60,seed=1", "minimax:depth=2", "greedy"])
def test_players_and_analyses_pickle_after_a_search(spec):
    env = from_transcript("tictactoe", "b2")
    player = make_engine(spec)
    analysis = player.analyse(env)
    again = pickle.loads(pickle.dumps(player))
    assert (again.spec, again.limit, type(again.engine)) == (
        player.spec,
        player.limit,
        type(player.engine),
    )
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    assert again.analyse(env).candidates == analysis.candidates


def test_a_pickled_analysis_keeps_the_top_of_its_tree():
    analysis = MCTSSolver(300, seed=1).analyse(make_game("tictactoe"))
    kept = pickle.loads(pickle.dumps(analysis))
    for depth, top in ((0, 5), (1, 3), (2, 5), (3, 10)):
        assert kept.tree(depth, top) == analysis.tree(depth, top)
    assert kept.tree(9, 99) == analysis.tree(3, 10)
    with pytest.raises(ValueError, match="kept no search tree"):
        pickle.loads(pickle.dumps(MinimaxSolver().analyse(make_game("tictactoe")))).tree()


def test_a_player_around_an_engine_of_its_own_is_pickled_with_it():
    player = Player(RandomEngine(seed=3), Limit(depth=2), Spec("mine"))
    again = pickle.loads(pickle.dumps(player))
    assert again.spec == Spec("mine")
    assert (again.limit, type(again.engine)) == (Limit(depth=2), RandomEngine)


def test_a_player_plays():
    env = from_transcript("tictactoe", "a1a2b1b2")
    player = make_player(env, "perfect")
    analysis = player.play(env)
    assert (analysis.best.name, env.history[-1], env.winner) == ("c1", 2, 1)
    with pytest.raises(ValueError, match="the game is over"):
        player.play(env)
    env = make_game("connect-four")
    seats = {1: make_engine("random:seed=1"), -1: make_engine("minimax:depth=1")}
    while not env.done:
        seats[env.current_player].play(env)
    assert env.history


def test_records_show_themselves_in_notebooks():
    env = from_transcript("connect-four", "4433221")
    record = GameRecord.from_env(env, players=("Ada <1>", ""), comments={0: "a & b", 7: "four"})
    page = ElementTree.fromstring(record._repr_html_().replace("&nbsp;", " "))
    assert page.find("figcaption").text == "Connect Four · Red: Ada <1> · Yellow · Red won"
    told = "".join(page.find("p").itertext())
    assert " ".join(told.split()) == "a & b 1. d d 2. c c 3. b b 4. a four"
    assert page.find(f"{SVG}svg") is not None
    resigned = GameRecord("tictactoe", (4,), result=-1, ended_by="resignation")
    assert "O won (resignation)" in resigned._repr_html_()
    assert "not over" in GameRecord("tictactoe")._repr_html_()
