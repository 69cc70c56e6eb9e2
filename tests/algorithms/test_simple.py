"""The first-move, random and greedy engines: what they promise, on every game."""

import random
import threading
from collections import Counter

import pytest
from hex_game import Hex
from stopping import HandClock

from rl_toolkit.algorithms import search_control
from rl_toolkit.algorithms.simple import FirstMoveEngine, GreedyEngine, RandomEngine, greedy
from rl_toolkit.algorithms.simple.seeds import rng_of
from rl_toolkit.analysis import Analysis, Engine, Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_engine
from rl_toolkit.records import position_from_text, position_to_text
from rl_toolkit.testing.scene import view

GAMES = ["tictactoe", "tictactoe-3x4x3", "connect-four", "gomoku-9", "reversi-6"]
ENGINES = [
    FirstMoveEngine(),
    RandomEngine(7),
    GreedyEngine(),
    GreedyEngine(7),
    GreedyEngine(7, slips=0.5),
]


def positions(name, count=8):
    rng, found = random.Random(name), []
    while len(found) < count:
        env = make_game(name)
        for _ in range(rng.randrange(12)):
            if not env.is_terminal():
                env.step(rng.choice(env.get_legal_moves()))
        found.append(env)
    return found


def without_time(analysis):
    return analysis.to_dict() | {"elapsed": 0.0}


@pytest.mark.parametrize("engine", ENGINES, ids=str)
@pytest.mark.parametrize("name", GAMES)
def test_an_analysis_names_every_legal_move_once_and_repeats(name, engine):
    assert isinstance(engine, Engine)
    for env in positions(name):
        before = view(env)
        analysis = engine.analyse(env)
        assert view(env) == before
        assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
        assert all(c.name == env.move_name(c.move) for c in analysis.candidates)
        assert (analysis.game, analysis.player) == (env.name, env.current_player)
        assert analysis.position == position_to_text(env)
        assert analysis.engine == engine.name
        assert without_time(engine.analyse(env)) == without_time(analysis)
        assert Analysis.from_json(analysis.to_json()) == analysis


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_a_finished_game_has_a_result_and_no_candidates(engine):
    analysis = engine.analyse(position_from_text("tictactoe", "xxx/oo1/3 x"))
    assert analysis.candidates == ()
    assert (analysis.outcome, analysis.proven, analysis.distance) == ("win", True, 0)


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_a_stop_that_came_before_leaves_a_legal_answer(engine):
    stop = threading.Event()
    stop.set()
    env = make_game("gomoku")
    analysis = engine.analyse(env, stop=stop)
    assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
    assert not any(c.proven for c in analysis.candidates)


# --- first -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_first_plays_the_first_legal_move_and_values_none(name):
    engine = make_engine("first").engine
    assert engine == FirstMoveEngine()
    for env in positions(name):
        analysis = engine.analyse(env)
        assert [c.move for c in analysis.candidates] == env.get_legal_moves()
        assert all((c.value, c.proven) == (None, False) for c in analysis.candidates)
        if len(analysis.candidates) > 1:
            assert (analysis.value, analysis.best_moves) == (None, ())


# --- random ----------------------------------------------------------------------------------


def test_random_pretends_to_no_opinion():
    for candidate in RandomEngine(1).analyse(make_game("connect-four")).candidates:
        assert (candidate.value, candidate.outcome, candidate.proven) == (None, None, False)
        assert candidate.line == ()


def test_random_plays_every_move_about_equally_often():
    env = make_game("connect-four")
    counts = Counter(RandomEngine(seed).analyse(env).best_move for seed in range(1400))
    assert set(counts) == set(range(7))
    assert all(140 < count < 260 for count in counts.values())  # 200 expected, σ = 13


def test_another_position_gives_another_order():
    env, orders = make_game("gomoku-9"), set()
    for move in (3, 50, 20):
        env.step(move)
        ranks = {c.move: rank for rank, c in enumerate(RandomEngine(1).analyse(env).candidates)}
        orders.add(tuple(sorted(range(60, 80), key=ranks.__getitem__)))
    assert len(orders) == 3


@pytest.mark.parametrize("make", [RandomEngine, lambda seed=None: GreedyEngine(seed, slips=1.0)])
def test_without_a_seed_answers_differ_and_name_the_seed_that_repeats_them(make):
    env = make_game("gomoku-9")
    analyses = [make().analyse(env) for _ in range(20)]
    assert len({analysis.best_move for analysis in analyses}) > 1
    for analysis in analyses:
        assert without_time(make(analysis.seed).analyse(env)) == without_time(analysis)


# --- greedy ----------------------------------------------------------------------------------


def wins(env, move):
    game, player = env.copy(), env.current_player
    game.step(move)
    return game.is_terminal() and game.get_result(player) > 0


def loses_at_once(env, move):
    """Whether the opponent has an answer that wins."""
    game = env.copy()
    game.step(move)
    return not game.is_terminal() and any(wins(game, answer) for answer in game.get_legal_moves())


@pytest.mark.parametrize("name", GAMES)
def test_greedy_wins_at_once_or_avoids_what_loses_at_once(name):
    won = avoided = 0
    for env in positions(name, 40 if name != "gomoku-9" else 3):
        if env.is_terminal():
            continue
        for candidate in GreedyEngine().analyse(env).candidates:
            assert (candidate.outcome == "win") == wins(env, candidate.move)
            assert (candidate.distance == 2) == loses_at_once(env, candidate.move)
            assert candidate.proven == (candidate.outcome is not None)
        moves, best = env.get_legal_moves(), GreedyEngine().analyse(env).best_move
        can_win = any(wins(env, move) for move in moves)
        can_hold = any(not loses_at_once(env, move) for move in moves)
        assert wins(env, best) == can_win
        if not can_win and can_hold:
            assert not loses_at_once(env, best)
        won += can_win
        avoided += any(loses_at_once(env, move) for move in moves)
    if "tictactoe" in name:
        assert min(won, avoided) > 3


@pytest.mark.parametrize("name", GAMES)
def test_greedy_takes_the_heuristic_for_the_rest(name):
    for env in positions(name, 4):
        player = env.current_player
        rest = [c for c in GreedyEngine().analyse(env).candidates if not c.proven]
        for candidate in rest:
            game = env.copy()
            game.step(candidate.move)
            assert candidate.value == game.evaluate_heuristic(player)
        values = [candidate.value for candidate in rest]
        assert values == sorted(values, reverse=True)


def test_of_two_losses_the_later_one_is_better():
    # Placed on a1, the disc ends the game lost; after a2 X has one more move to win it with.
    env = position_from_text("reversi-4", "1xxx/1xoo/xxoo/xxxo o")
    found = GreedyEngine().analyse(env).candidates
    assert [(c.name, c.outcome, c.distance) for c in found] == [
        ("a2", "loss", 2),
        ("a1", "loss", 1),
    ]


def test_equal_moves_come_centre_first_then_by_number_or_by_seed():
    env = make_game("gomoku")
    assert env.move_name(GreedyEngine().analyse(env).best_move) == "h8"
    rest = [c.name for c in GreedyEngine().analyse(env).candidates]
    assert rest[:5] == ["h8", "h7", "g8", "i8", "h9"]
    seeded = {tuple(c.name for c in GreedyEngine(s).analyse(env).candidates)[:5] for s in range(9)}
    assert len(seeded) > 1
    assert all(order[0] == "h8" and set(order) == set(rest[:5]) for order in seeded)


def test_greedy_keeps_its_limits():
    env = make_game("gomoku")
    analysis = GreedyEngine().analyse(env, Limit(nodes=10))
    assert analysis.nodes == 10
    assert len(analysis.candidates) == 225
    assert GreedyEngine().analyse(env, Limit(time=1e-9)).nodes == 0


@pytest.mark.parametrize(("loading", "seen"), [(60.0, 4), (0.0, 1)])
def test_greedy_does_not_count_the_time_for_loading_kernels(monkeypatch, loading, seen):
    """Its first look at a move takes a minute: of loading, or of its own."""
    clock, loaded, env = HandClock(), [0.0], make_game("reversi")
    monkeypatch.setattr(search_control, "time", clock)
    monkeypatch.setattr(search_control, "preparation_seconds", lambda: loaded[0])

    class SlowLook:
        look = greedy.look_at(env)

        def at(self, move, *, check_replies):
            if not loaded[0]:
                clock.now += 60
                loaded[0] += loading or 1e-6
            return self.look.at(move, check_replies=check_replies)

    monkeypatch.setattr(greedy, "look_at", lambda env: SlowLook())
    analysis = GreedyEngine().analyse(env, Limit(time=5))
    assert analysis.nodes == sum(c.value is not None for c in analysis.candidates) == seen


def test_a_slip_overlooks_a_threat_but_never_a_win():
    must_block = position_from_text("tictactoe", "xx1/1o1/3 o")
    can_win = position_from_text("tictactoe", "xx1/oo1/3 x")
    careful, careless = GreedyEngine(), [GreedyEngine(seed, slips=1.0) for seed in range(30)]
    assert careful.analyse(must_block).best_move == 2
    played = {engine.analyse(must_block).best_move for engine in careless}
    assert len(played) > 1
    assert {engine.analyse(can_win).best_move for engine in careless} == {2}
    for engine in careless:
        analysis = engine.analyse(must_block)
        assert analysis.notes
        # Every move but the block is shown as what it is, the chosen one too.
        assert [c.move for c in analysis.candidates if not c.proven] == [2]
        assert {c.outcome for c in analysis.candidates if c.proven} == {"loss"}
        assert analysis.best_moves == ((2,) if analysis.best_move == 2 else ())


def test_slips_happen_as_often_as_asked():
    env = position_from_text("tictactoe", "x2/3/3 o")
    slipped = sum(bool(GreedyEngine(s, slips=0.3).analyse(env).notes) for s in range(400))
    assert 80 < slipped < 160  # 120 expected, σ = 9


@pytest.mark.parametrize("slips", [-0.1, 1.1, float("nan")])
def test_a_chance_lies_between_0_and_1(slips):
    with pytest.raises(ValueError, match="from 0 to 1"):
        GreedyEngine(slips=slips)


def test_greedy_without_a_heuristic_knows_only_what_the_board_shows():
    env = Hex(3)
    assert not env.traits.has_heuristic
    assert {c.value for c in GreedyEngine().analyse(env).candidates} == {None}
    for move in (0, 1, 3):  # Blue needs only a3 to connect top and bottom
        env.step(move)
    known = {c.name: c.value for c in GreedyEngine().analyse(env).candidates}
    assert known.pop("a3") is None
    assert set(known.values()) == {-1.0}


def test_seeds_are_made_from_the_text_of_a_position_as_they_always_were():
    start = make_game("tictactoe")
    assert rng_of(7, start).random() == random.Random("7 tictactoe 3/3/3 x").random()
    assert rng_of(7, start, "mix").random() == random.Random("mix 7 tictactoe 3/3/3 x").random()
    env = make_game("reversi-6").after([make_game("reversi-6").get_legal_moves()[0]])
    assert (rng_of(7, env).random(), rng_of(7, start).random()) == (
        0.6717749831290967,
        0.14656667001395607,
    )
    assert (rng_of(7, env, "mix").random(), rng_of(7, start, "mix").random()) == (
        0.17646926681319186,
        0.8726875951423018,
    )


def test_the_order_of_moves_does_not_change_the_numbers():
    one, other = (make_game("tictactoe").after(moves) for moves in ([0, 4, 8], [8, 4, 0]))
    assert rng_of(3, one).random() == rng_of(3, other).random()
