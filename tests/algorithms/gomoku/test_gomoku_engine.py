"""The engine `gomoku`: what it proves is true, what it answers is repeatable, limits hold."""

import random
import threading
from functools import cache

import numpy as np
import pytest
from gomoku_positions import BOTH_RULES, board_of, game_with, holds, random_board, space_for
from stopping import HeardStop

from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.algorithms.gomoku.proofs import ProofBuilder
from rl_toolkit.algorithms.gomoku.root import RootSearch
from rl_toolkit.algorithms.gomoku.weights import (
    WeightsError,
    load_weights,
    save_weights,
    shipped_weights,
)
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.arena.runs.stamps import code_of
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.gomoku.cell_tables import FIVES, KINDS, OPEN_FOURS
from rl_toolkit.kernels.gomoku.pvs import LIKELY, PROVEN, WIN
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD
from rl_toolkit.players import make_engine, make_player
from rl_toolkit.players.advisers import prover
from rl_toolkit.records import read_position


def game_of(rows, side=0):
    board, size = board_of(rows)
    return game_with(board, size, side=side)


@cache
def small_engine(**options):
    return GomokuEngine(max_memory_mb=2, **options)


def analyse(env, nodes=3000, **options):
    engine = small_engine(**options)
    engine.forget()
    return engine.analyse(env, Limit(nodes=nodes))


# ------------------------------------------------------------------------------ an engine


def test_it_is_an_engine_that_reports_each_depth():
    env = make_game("gomoku-9")
    for name in ("e5", "f6", "e6", "e4"):
        env.step(env.parse_move(name))
    before, seen = env.board.copy(), []
    engine = GomokuEngine(max_memory_mb=2)
    analysis = engine.analyse(env, Limit(depth=4), on_progress=seen.append)
    assert isinstance(engine, Engine)
    assert (env.board == before).all()
    assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
    assert [partial.depth for partial in seen] == [1, 2, 3, 4] == [*range(1, analysis.depth + 1)]
    assert all(c.value is not None and abs(c.value) < 1 for c in analysis.candidates)
    assert analysis.best.score_bound == "exact"
    assert {c.score_bound for c in analysis.candidates} == {"exact", "upper"}
    assert analysis.value == max(c.value for c in analysis.candidates)
    assert analysis.line[0] == analysis.best_move


def test_no_score_is_better_than_that_of_the_best_move():
    env = read_position("gomoku-15", "h8i9g7")
    first, *others = GomokuEngine(max_memory_mb=2).analyse(env, Limit(nodes=20_000)).candidates
    scores = [each.score for each in others if each.score is not None]
    assert len(scores) > 20
    assert max(scores) <= first.score
    assert len(scores) < len(others)  # those left out at this depth have none
    assert all(each.value is not None and each.value <= first.value for each in others)


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("every", [False, True])
def test_the_first_stone_goes_to_the_centre_and_is_worth_something(every, seed):
    env = make_game("gomoku-15")
    engine = GomokuEngine(max_memory_mb=2, every_move=every, seed=seed)
    analysis = engine.analyse(env, Limit(nodes=50_000))
    row, col = divmod(analysis.best_move, 15)
    assert max(abs(row - 7), abs(col - 7)) <= 1
    assert analysis.depth >= 4
    assert analysis.value > 0.2
    valued = [each for each in analysis.candidates if each.value is not None]
    assert len(valued) == (9 if every else 1)
    if not every and seed is None:
        assert analysis.best.name == "h8"


def test_the_same_nodes_give_the_same_answer():
    env = make_game("gomoku-15")
    for name in ("h8", "i9", "g7", "h9"):
        env.step(env.parse_move(name))
    first, again = analyse(env, 20_000), analyse(env, 20_000)
    assert [c.move for c in first.candidates] == [c.move for c in again.candidates]
    assert [c.score for c in first.candidates] == [c.score for c in again.candidates]
    assert (first.nodes, first.line) == (again.nodes, again.line)
    assert first.nodes <= 20_000 + 10


@BOTH_RULES
@pytest.mark.parametrize("size", range(5, 21))
def test_it_plays_on_boards_of_all_sizes(size, rule):
    env = Gomoku(size, rule=rule.name)
    engine, chance = small_engine(), random.Random(size)
    env.step(chance.randrange(size * size))
    for _ in range(3):
        answer = engine.analyse(env, Limit(nodes=200))
        assert answer.best_move in env.get_legal_moves()
        env.step(answer.best_move)


def test_the_first_stone_is_near_the_centre_and_varies_with_the_seed():
    env = make_game("gomoku-15")
    assert env.move_name(analyse(env, 500).best_move) == "h8"
    engines = [GomokuEngine(max_memory_mb=1, seed=seed) for seed in range(6)]
    chosen = {engine.analyse(env, Limit(nodes=300)).best_move for engine in engines}
    assert len(chosen) > 1
    assert all(abs(move // 15 - 7) <= 1 and abs(move % 15 - 7) <= 1 for move in chosen)


def test_a_finished_game_has_no_candidates():
    env = game_of("xxxxx oooo. ..... ..... .....")
    assert env.is_terminal()
    analysis = analyse(env)
    assert (analysis.candidates, analysis.proven) == ((), True)


def test_the_last_empty_cell_is_played():
    board = random_board(random.Random(4), 5, 24)
    env = game_with(board, 5)
    analysis = analyse(env)
    assert analysis.best_move == board.index(0)


@pytest.mark.parametrize("game", ["tictactoe", "gomoku-9x9x4", "reversi"])
def test_other_games_are_refused(game):
    with pytest.raises(ValueError, match="the Gomoku engine does not play"):
        GomokuEngine().analyse(make_game(game))


def test_without_the_compiler_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr(jit, "ENABLED", False)
    with pytest.raises(ValueError, match="needs compiled code, and NUMBA_DISABLE_JIT is set"):
        GomokuEngine().analyse(make_game("gomoku-9"))


def test_it_can_be_made_by_name():
    player = make_engine("gomoku:nodes=300,every=on,memory=2")
    analysis = player.analyse(make_game("gomoku-7"))
    assert analysis.engine == "gomoku"


def test_a_stop_ends_the_search_with_a_legal_move():
    env = make_game("gomoku-15")
    env.step(112)
    stop = threading.Event()
    stop.set()
    assert analyse(env).best_move is not None
    answer = small_engine().analyse(env, Limit(time=600), stop=stop)
    assert answer.best_move in env.get_legal_moves()

    later, seen = HeardStop(), []

    def enough(partial):
        seen.append(partial.depth)
        later.set()

    answer = small_engine().analyse(env, Limit(time=600), enough, later)
    assert answer.best_move in env.get_legal_moves()
    assert len(seen) < 8


# ---------------------------------------------------------------------------- what is true


def test_five_is_completed():
    env = game_of("""
        .........
        .xxxx....
        .oooo....
        .........
        .........
        .........
        .........
        .........
        .........""")
    analysis = analyse(env)
    assert (analysis.outcome, analysis.proven, analysis.distance) == ("win", True, 1)
    assert env.move_name(analysis.best_move) in ("a8", "f8")


def test_five_is_blocked_and_nothing_else_helps():
    env = game_of("""
        .........
        .........
        .oooox...
        ..x......
        ....x....
        .........
        .........
        .........
        .........""")
    analysis = analyse(env)
    assert env.move_name(analysis.best_move) == "a7"
    lost = [c for c in analysis.candidates if c.proven]
    assert len(lost) == len(analysis.candidates) - 1
    assert {(c.outcome, c.distance) for c in lost} == {("loss", 2)}


OPEN_THREE = """
    .........
    .........
    ....x....
    .........
    ..ooo....
    .....x...
    ...x.....
    .........
    ........."""


@pytest.mark.parametrize("every", [False, True])
def test_only_answers_to_an_open_three_are_not_lost(every):
    env = game_of(OPEN_THREE)
    analysis = analyse(env, 20_000, every_move=every)
    kept = {c.name for c in analysis.candidates if not c.proven}
    assert kept <= {"a5", "b5", "f5", "g5"}
    assert {"b5", "f5"} & kept
    lost = [c for c in analysis.candidates if c.proven]
    assert all(c.outcome == "loss" for c in lost)
    assert {c.distance for c in lost if c.name in ("a9", "h8")} == {4}


def test_every_move_is_valued_when_asked():
    env = make_game("gomoku-9")
    for name in ("e5", "f6", "e6", "e4"):
        env.step(env.parse_move(name))
    analysis = analyse(env, 60_000, every_move=True)
    assert len(analysis.candidates) == 77
    assert all(c.value is not None for c in analysis.candidates)
    scored = [c for c in analysis.candidates if c.score is not None]
    assert scored == [analysis.best]  # it alone was searched deeper
    values = [c.value for c in analysis.candidates]
    assert values == sorted(values, reverse=True)


def test_a_move_far_away_is_not_best_by_a_shallow_look():
    env = make_game("gomoku-15")
    for name in ("a11", "i9"):  # Black wasted the first stone
        env.step(env.parse_move(name))
    analysis = analyse(env, 60_000, every_move=True)
    assert analysis.depth >= 6
    assert analysis.value < -0.5
    assert all(c.value <= analysis.value for c in analysis.candidates)


def test_what_the_other_side_threatens_is_a_proven_line():
    env = game_of(OPEN_THREE)
    threat = analyse(env).threat
    assert {env.move_name(threat[0])} <= {"b5", "f5"}
    assert len(threat) == 3
    assert analyse(env, proofs=False).threat == ()

    chance, found = random.Random(3), 0
    for _ in range(12):
        board = random_board(chance, 9, 2 * chance.randrange(8, 14))
        threat = analyse(game_with(board, 9), 2000).threat
        if threat:
            found += 1
            proof = ProofBuilder(space_for(board, 9), 1, nodes=50_000)._attack(threat[0])
            assert holds(board, 9, FREESTYLE, 1, proof)
            assert len(set(threat)) == len(threat)
            assert not any(board[cell] for cell in threat)
        else:  # not even a win by fours
            assert space_for(board, 9).fours(1, 50)[0] == 0
    assert 0 < found < 12


def check_claims(board, size, rule, side, analysis):
    """Every proven win and loss is replayed against every reply; returns their number."""
    claims = [c for c in analysis.candidates if c.proven]
    for candidate in claims:
        space = space_for(board, size, rule)
        if candidate.outcome == "win":
            proof = ProofBuilder(space, side, deepest=16, nodes=50_000)._attack(candidate.move)
            assert holds(board, size, rule, side, proof)
        else:
            space.place(candidate.move, side)
            after = list(board)
            after[candidate.move] = side + 1
            proof = ProofBuilder(space, 1 - side, deepest=16, nodes=50_000).build()
            assert holds(after, size, rule, 1 - side, proof)
    return len(claims)


def check_random_positions(size, rule, count, nodes, seed):
    chance, claims = random.Random(seed), 0
    for _ in range(count):
        board = random_board(chance, size, 2 * chance.randrange(size // 2, 2 * size))
        env = game_with(board, size, rule)
        analysis = analyse(env, nodes, every_move=chance.random() < 0.5)
        claims += check_claims(board, size, rule, 0, analysis)
    return claims


@BOTH_RULES
@pytest.mark.parametrize("size", [8, 10])
def test_what_is_called_proven_is_proven(size, rule):
    assert check_random_positions(size, rule, 4, 1500, size) > 10


def test_a_win_that_takes_the_search_by_threats_long():
    board, size = board_of("""
        ..x...xo
        .o....x.
        .xxx....
        ox..x.o.
        .x....o.
        ooo.....
        oo...x..
        x...oox.""")
    analysis = analyse(game_with(board, size), 8000, every_move=True)
    assert check_claims(board, size, FREESTYLE, 0, analysis) > 5


@pytest.mark.full
@BOTH_RULES
@pytest.mark.parametrize("size", [6, 7, 8, 9, 11, 15])
def test_what_is_called_proven_is_proven_in_many_positions(size, rule):
    assert check_random_positions(size, rule, 60, 8000, 100 + size) > 100


def solved(board, size, rule, side):
    """The exact result for ``side``, to move, by trying everything."""
    checker, known = ProofChecker(size, rule), {}
    checker._board = board

    def value(mover):
        key = bytes(board)
        if key not in known:
            best = None
            for cell in [c for c, stone in enumerate(board) if not stone]:
                board[cell] = mover + 1
                result = 1 if checker._wins(cell) else -value(1 - mover)
                board[cell] = 0
                best = result if best is None else max(best, result)
                if best == 1:
                    break
            known[key] = 0 if best is None else best
        return known[key]

    return value(side)


@BOTH_RULES
def test_proven_results_are_those_of_a_full_search(rule):
    chance, wins, losses = random.Random(8), 0, 0
    for _ in range(60):
        size = chance.choice((5, 6))
        empty = chance.choice((4, 6))
        board = random_board(chance, size, size * size - empty - size % 2)
        side = sum(1 for stone in board if stone) % 2
        analysis = analyse(game_with(board, size, rule, side), 2000, every_move=True)
        for candidate in analysis.candidates:
            if candidate.proven:
                space = space_for(board, size, rule)
                after = list(board)
                after[candidate.move] = side + 1
                five = candidate.move in space.cells_of(side, FIVES)
                exact = 1 if five else -solved(after, size, rule, 1 - side)
                assert candidate.value == exact
                wins, losses = wins + (exact > 0), losses + (exact < 0)
    assert wins
    assert losses


def test_a_search_that_tried_only_near_moves_proves_no_loss():
    """All near moves may lose, but distant ones were not tried: likely lost, not proven."""
    chance, likely = random.Random(2), 0
    for _ in range(150):
        board = random_board(chance, 9, 24)
        space = space_for(board, 9)
        if not space.cells_of(1, FIVES) and not space.cells_of(1, OPEN_FOURS):
            score = space.think(0, -WIN, WIN, 2, 0)
            assert score >= -PROVEN
            likely += score == -LIKELY
    assert likely


def test_proofs_do_not_change_with_a_deeper_search():
    chance = random.Random(21)
    for _ in range(6):
        board = random_board(chance, 9, 20)
        env = game_with(board, 9)
        short, long = (analyse(env, nodes, every_move=True) for nodes in (500, 20_000))
        for candidate in short.candidates:
            if candidate.proven:
                deeper = long.candidate(candidate.move)
                assert (deeper.outcome, deeper.proven) == (candidate.outcome, True)


# --------------------------------------------------------------------------------- weights


@BOTH_RULES
def test_the_shipped_weights_load(rule):
    evaluation = shipped_weights(rule)
    assert evaluation is not None
    assert evaluation.tempo > 0
    assert evaluation.values.any()


def test_weights_are_kept_and_damaged_ones_refused(tmp_path):
    path = tmp_path / "own.weights"
    tables = np.arange(4 * KINDS, dtype=float).reshape(4, KINDS)
    save_weights(path, 77, tables, rule=FREESTYLE)
    assert load_weights(path, FREESTYLE).tempo == 77
    with pytest.raises(WeightsError, match="for five or more in a row, not for exactly five"):
        load_weights(path, STANDARD)
    assert GomokuEngine(weights=path).weights == path
    data = path.read_bytes()
    path.write_bytes(data[:-3] + b"abc")
    with pytest.raises(WeightsError, match=r"own\.weights: .*damaged"):
        GomokuEngine(weights=path)
    path.write_bytes(b"nothing")
    with pytest.raises(WeightsError, match="not a file of Gomoku weights"):
        GomokuEngine(weights=path)
    with pytest.raises(WeightsError, match="cannot be read"):
        GomokuEngine(weights=tmp_path / "missing")
    with pytest.raises(WeightsError, match="shape"):
        save_weights(path, 0, tables[:2], rule=FREESTYLE)


def test_weights_for_another_rule_are_refused_before_the_game(tmp_path):
    path = tmp_path / "own.weights"
    save_weights(path, 30, np.ones((4, KINDS)), rule=STANDARD)
    with pytest.raises(WeightsError, match="for exactly five in a row, not for five or more"):
        make_player("gomoku-9", f"gomoku:weights={path},nodes=100")
    assert make_player("gomoku-9-standard", f"gomoku:weights={path},nodes=100").name == "gomoku"


def test_weights_are_part_of_the_player(tmp_path):
    path = tmp_path / "own.weights"
    save_weights(path, 30, np.ones((4, KINDS)), rule=FREESTYLE)
    player = make_player("gomoku-9", f"gomoku:weights={path}")
    before = code_of("gomoku-9", player)
    assert before != code_of("gomoku-9", make_player("gomoku-9", "gomoku"))
    save_weights(path, 31, np.ones((4, KINDS)), rule=FREESTYLE)
    assert code_of("gomoku-9", player) != before


def test_memory_must_be_positive():
    with pytest.raises(ValueError, match="max_memory_mb must be positive, not 0"):
        GomokuEngine(max_memory_mb=0)


# ---------------------------------------------------------------------------- the search


@pytest.mark.parametrize(
    ("size", "stones", "rule", "expected"),
    [  # score, nodes, best move
        (9, 4, FREESTYLE, (381, 3869, 39)),
        (15, 5, FREESTYLE, (-459, 6690, 157)),
        (15, 6, STANDARD, (354, 7431, 114)),
        (20, 6, FREESTYLE, (275, 2120, 229)),
    ],
)
def test_the_search_visits_the_same_nodes(size, stones, rule, expected):
    """Only a deliberate change of the search may change these numbers."""
    space = Workspace(size, rule, shipped_weights(rule), 2)
    chance, middle = random.Random(stones), size // 2
    rows = range(middle - 2, middle + 3)
    for k, cell in enumerate(chance.sample([r * size + c for r in rows for c in rows], stones)):
        space.place(cell, k & 1)
    score = space.think(stones & 1, -WIN, WIN, 7, 1)
    assert (score, space.nodes, space.remembered(stones & 1)) == expected


# ---------------------------------------------------------------------------- the root


def looked_at_once():
    """A search of a quiet position after its first look, and its workspace."""
    env = make_game("gomoku-9")
    for name in ("e5", "f6", "e6", "e4", "d6"):
        env.step(env.parse_move(name))
    space = Workspace(9, FREESTYLE, shipped_weights(FREESTYLE), megabytes=1)
    root = RootSearch(env, space)
    assert root.look_once()
    return root, space


def test_scores_of_the_root_are_bounds_of_a_wider_search():
    """A null window says on which side of it the score of a move lies."""
    root, _ = looked_at_once()
    for move in root.legal[::7]:
        exact = root._search(move, -20_000, 20_000, 0)
        assert root.known[move].bound == "exact"
        assert root._search(move, exact + 50, exact + 51, 0) <= exact + 50
        assert root.known[move].bound == "upper"
        assert root._search(move, exact - 51, exact - 50, 0) >= exact - 50
        assert root.known[move].bound == "lower"


@pytest.mark.parametrize("nodes", [1000, 3000, 9000])
def test_moves_are_compared_by_scores_of_one_depth(nodes):
    """Also if the last depth was not finished, when every move is valued."""
    root, space = looked_at_once()
    space.allow(nodes)
    depth = 2
    while root.deepen(depth, every=True):
        depth += 1
    assert space.stopped
    assert root.depth == depth - 1
    unproven = [known for known in root.known.values() if not (known.is_win or known.is_loss)]
    assert {known.depth for known in unproven} == {root.depth}


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("stones", ["h8", "g7", "d4", "h8a1", "h8a1h9a2"])
def test_a_short_look_at_every_move_names_none_on_the_other_side_of_the_board(stones, depth):
    """One or two plies see no harm in such a move, and reviews would teach it."""
    env = read_position("gomoku", stones)
    engine = GomokuEngine(max_memory_mb=2, every_move=True)
    analysis = engine.analyse(env, Limit(depth=depth))
    assert analysis.depth == depth
    cells = {divmod(cell, 15) for cell in env.history}
    for row, col in (divmod(move, 15) for move in analysis.best_moves):
        assert any(max(abs(row - r), abs(col - c)) <= 2 for r, c in cells)


def test_a_position_to_be_solved_is_searched_until_the_limit():
    nodes = 20_000
    for moves in ("", "h8", "h8i9h7h6j8"):
        env = read_position("gomoku", moves)
        assert analyse(env, nodes, solve=True).nodes > 0.9 * nodes
    assert analyse(make_game("gomoku"), nodes).nodes < 0.5 * nodes  # the centre is good enough
    assert prover(env).spec["solve"] is True
