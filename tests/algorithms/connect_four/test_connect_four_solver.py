"""The exact Connect Four solver against known numbers, other solvers and itself."""

import random
import threading

import numpy as np
import pytest
from connect_four_positions import PUBLIC, public_set, random_game
from connect_four_reference import reference_score, reference_scores

from rl_toolkit.algorithms.connect_four.position import distance_of, position_of
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import ConnectFour, make_game
from rl_toolkit.kernels.connect_four.solver import EVERY_IDEA, Ideas, Solver
from rl_toolkit.records import from_transcript, position_from_text


@pytest.fixture(scope="module")
def engine():
    return ConnectFourSolver(book=None)


def game(moves):
    return from_transcript("connect-four", moves)


# --- known numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "score"), [("4455", 18), ("44455554221", -15)])
def test_known_scores(engine, moves, score):
    assert engine.solve(game(moves)) == score


@pytest.mark.full
def test_the_empty_board_without_a_book(engine):
    assert list(engine.score_moves(ConnectFour()).values()) == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.parametrize(
    ("rows", "cols", "score"),
    [
        *((4, 4, 0), (4, 5, 0), (4, 6, -1), (4, 7, 0), (5, 4, 0)),
        *((5, 5, 0), (5, 6, 0), (6, 4, 0), (6, 5, 0)),
        pytest.param(5, 7, 0, marks=pytest.mark.full),
        pytest.param(6, 6, -1, marks=pytest.mark.full),
    ],
)
def test_other_boards(rows, cols, score):
    assert ConnectFourSolver(book=None).solve(ConnectFour(rows, cols)) == score


@pytest.mark.skipif(not PUBLIC.exists(), reason="the public sets are not here")
@pytest.mark.parametrize(
    ("name", "count"),
    [("L3_R1", 1000), ("L2_R1", 1000), ("L1_R1", 300), ("L2_R2", 300), ("L1_R2", 10)],
)
def test_public_positions(engine, name, count):
    sample = random.Random(name).sample(public_set(name), count)
    assert [engine.solve(game(moves)) for moves, _ in sample] == [score for _, score in sample]


# --- other solvers -------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [84, pytest.param(3000, marks=pytest.mark.full)])
def test_random_positions_of_all_plies_against_bitbully(count):
    """Both with their own books, which have nothing in common but the truth."""
    bitbully = pytest.importorskip("bitbully")
    peer, engine = bitbully.BitBully(), ConnectFourSolver()
    chance = random.Random(1)
    for number in range(count):
        env = random_game(chance, number % 42)
        board = bitbully.Board()
        for move in env.history:
            assert board.play(move)
        assert engine.solve(env) == peer.mtdf(board), env.history


def test_every_move_against_bitbully(engine):
    bitbully = pytest.importorskip("bitbully")
    peer = bitbully.BitBully(opening_book=None)
    chance = random.Random(2)
    for _ in range(50):
        env = random_game(chance, chance.randrange(18, 42))
        board = bitbully.Board()
        for move in env.history:
            assert board.play(move)
        assert engine.score_moves(env) == dict(peer.score_all_moves(board))


@pytest.mark.parametrize(("rows", "cols"), [(4, 4), (5, 4), (4, 5), (6, 4), (2, 8), (3, 12)])
def test_every_move_against_the_reference(rows, cols):
    chance = random.Random(rows * 100 + cols)
    engine = ConnectFourSolver(book=None)
    for _ in range(3):
        env = random_game(chance, chance.randrange(rows * cols - 12, rows * cols - 1), rows, cols)
        assert engine.score_moves(env) == reference_scores(env)


@pytest.mark.parametrize(("rows", "cols"), [(6, 7), (5, 7), (4, 7), (7, 8), (8, 7), (7, 7), (6, 9)])
def test_ends_of_games_on_large_boards_against_the_reference(rows, cols):
    chance = random.Random(rows * 100 + cols)
    engine = ConnectFourSolver(book=None)
    for _ in range(6):
        env = random_game(chance, rows * cols - 9, rows, cols)
        assert engine.solve(env) == reference_score(env)
        assert engine.score_moves(env) == reference_scores(env)


def test_either_player_may_have_opened(engine):
    env = ConnectFour()
    env.reset(first_player=-1)
    for move in game("4455").history:
        env.step(move)
    assert env.current_player == -1
    assert engine.solve(env) == 18


def test_a_board_with_a_stone_too_many_on_one_side_is_solved_as_it_stands():
    env = position_from_text("connect-four-4x4x4", "4/4/o3/xxox x")
    assert ConnectFourSolver(book=None).score_moves(env) == reference_scores(env)


# --- ideas, tables, threads ----------------------------------------------------------------------


@pytest.mark.parametrize("idea", Ideas.names())
def test_no_idea_changes_a_score(engine, idea):
    chance = random.Random(3)
    games = [random_game(chance, moves) for moves in range(24, 42) for _ in range(3)]
    without = ConnectFourSolver(book=None, ideas=Ideas(**{idea: False}))
    assert [without.solve(env) for env in games] == [engine.solve(env) for env in games]


def test_the_general_code_visits_the_same_nodes_as_that_for_the_standard_board():
    chance = random.Random(5)
    positions = [position_of(random_game(chance, 18)) for _ in range(20)]
    counts = []
    for ideas in (EVERY_IDEA, Ideas(constants=False), Ideas(constants=False, vector=False)):
        solver = Solver(ideas=ideas)
        scores = [solver.solve(*position) for position in positions]
        counts.append((scores, solver.nodes))
    assert counts[0] == counts[1] == counts[2]


def test_each_idea_saves_nodes():
    chance = random.Random(8)
    positions = [position_of(random_game(chance, 14)) for _ in range(6)]

    def nodes(ideas):
        solver = Solver(ideas=ideas)
        for position in positions:
            solver.solve(*position)
        return solver.nodes

    with_all = nodes(EVERY_IDEA)
    for idea in ("foresight", "table", "order", "follow_up"):
        assert nodes(Ideas(**{idea: False})) > 1.05 * with_all, idea


def test_a_small_table_changes_no_score(engine):
    chance = random.Random(6)
    games = [random_game(chance, 16) for _ in range(20)]
    small = ConnectFourSolver(book=None, log_buckets=8)
    assert [small.solve(env) for env in games] == [engine.solve(env) for env in games]


def test_threads_share_a_table_and_agree(engine):
    chance = random.Random(4)
    games = [random_game(chance, chance.randrange(15, 36)) for _ in range(80)]
    one = ConnectFourSolver(book=None).solve_many(games, threads=1)
    assert ConnectFourSolver(book=None).solve_many(games, threads=3) == one
    assert one == [engine.solve(env) for env in games]
    assert engine.solve_many([]) == []


def test_games_solved_together_have_one_size(engine):
    with pytest.raises(ValueError, match="the same size"):
        engine.solve_many([ConnectFour(), ConnectFour(4, 5)])
    with pytest.raises(ValueError, match="threads must be at least 1"):
        engine.solve_many([ConnectFour()], threads=0)


def test_the_tables_take_little_memory():
    assert Solver().megabytes < 64


# --- what it refuses -----------------------------------------------------------------------------


def test_what_cannot_be_solved_is_refused_with_a_sentence(engine):
    for env, words in (
        (ConnectFour(9, 9), "64 bits"),
        (ConnectFour(6, 7, 5), "four in a row"),
        (make_game("tictactoe"), "does not play tictactoe"),
        (game("1212121"), "over"),
    ):
        with pytest.raises(ValueError, match=words):
            engine.solve(env)


@pytest.mark.parametrize(("mine", "taken"), [(1, 0), (2, 2), (0, 1 << 6), (1 << 49, 1 << 49)])
def test_words_that_are_no_position_are_refused(mine, taken):
    with pytest.raises(ValueError, match="not a position"):
        Solver().solve(mine, taken)
    with pytest.raises(ValueError, match="not a position"):
        Solver().is_above(mine, taken, 0)


# --- as an engine --------------------------------------------------------------------------------


def test_it_is_an_engine(engine):
    assert isinstance(engine, Engine)
    assert engine.name == "exact"


def test_an_analysis_is_proven_throughout_and_its_lines_are_best_play(engine):
    chance = random.Random(12)
    for moves in (14, 20, 26, 33, 38, 41):
        env = random_game(chance, moves)
        before = env.copy()
        analysis = engine.analyse(env)
        assert env.get_state_hash() == before.get_state_hash()
        scores = engine.score_moves(env)
        assert {c.move: c.score for c in analysis.candidates} == scores
        ranked = [c.score for c in analysis.candidates]
        assert ranked == sorted(ranked, reverse=True)
        for candidate in analysis.candidates:
            assert candidate.proven
            assert candidate.line[0] == candidate.move
            assert len(candidate.line) == candidate.distance
            end = env.copy()
            for number, move in enumerate(candidate.line):
                if number:
                    values = engine.score_moves(end)
                    assert values[move] == max(values.values())
                end.step(move)
            result = end.get_result(env.current_player)
            assert result == np.sign(candidate.score) == candidate.value
        assert analysis.proven
        assert analysis.outcome == analysis.candidates[0].outcome


def test_the_distance_says_when_the_game_ends():
    for moves, size in ((0, 42), (7, 42), (10, 25), (11, 25)):
        left = size - moves
        for plies in range(1, left + 1):
            score = 1 + (left - plies) // 2
            won = plies % 2 == 1
            assert distance_of(score if won else -score, moves, size) == plies


def test_a_finished_game(engine):
    analysis = engine.analyse(game("1212121"))
    assert (analysis.candidates, analysis.value, analysis.proven) == ((), 1.0, True)


def test_weak_mode_says_who_wins_and_no_more(engine):
    weak = ConnectFourSolver(book=None, weak=True)
    chance = random.Random(14)
    for _ in range(30):
        env = random_game(chance, chance.randrange(16, 40))
        signs = {move: int(np.sign(score)) for move, score in engine.score_moves(env).items()}
        assert weak.score_moves(env) == signs
        assert weak.solve(env) == max(signs.values())
        analysis = weak.analyse(env)
        assert {c.move: c.value for c in analysis.candidates} == signs
        assert all(c.proven and c.score is None for c in analysis.candidates)


def test_stopped_early_it_says_what_is_proven_and_no_more(engine):
    env, seen = game("4"), set()
    truth = {0: -1, 1: -1, 2: -1, 3: -1, 4: -1, 5: -1, 6: -1}
    for nodes in (1, 50_000, 3_000_000):
        fresh = ConnectFourSolver(book=None)
        analysis = fresh.analyse(env, Limit(nodes=nodes))
        assert analysis.nodes <= nodes
        assert {c.move for c in analysis.candidates} == set(range(7))
        for candidate in analysis.candidates:
            seen.add(candidate.proven)
            if candidate.proven:
                assert candidate.value == truth[candidate.move]
            else:
                assert candidate.outcome is None
                assert candidate.score is None
                assert -1 < candidate.value < 1
    assert False in seen


def test_what_is_proven_when_stopped_is_true(engine):
    chance = random.Random(21)
    both = set()
    for _ in range(20):
        env = random_game(chance, 14)
        stopped = ConnectFourSolver(book=None).analyse(env, Limit(nodes=chance.randrange(2000)))
        scores = engine.score_moves(env)
        for candidate in stopped.candidates:
            both.add(candidate.proven)
            if candidate.proven:
                assert candidate.value == np.sign(scores[candidate.move])
            if candidate.score is not None:
                assert candidate.score == scores[candidate.move]
    assert both == {True, False}


def test_a_stop_signal_that_is_set_stops_at_once():
    stop = threading.Event()
    stop.set()
    analysis = ConnectFourSolver(book=None).analyse(ConnectFour(), stop=stop)
    assert analysis.nodes == 0
    assert not analysis.proven


def test_a_time_limit_and_progress():
    reports = []
    engine = ConnectFourSolver(book=None)
    analysis = engine.analyse(ConnectFour(), Limit(time=0.1), reports.append)
    assert analysis.elapsed >= 0.1
    assert not analysis.proven  # to prove it takes minutes
    assert all(report.engine == "exact" for report in reports)
    late, told = random_game(random.Random(3), 30), []
    whole = engine.analyse(late, on_progress=told.append)
    proven = [sum(c.proven for c in report.candidates) for report in told]
    assert proven[0] == 1
    assert proven == sorted(proven)
    assert told[-1].candidates == whole.candidates
    assert engine.solve(game("4455")) == 18  # the limit is gone again


def test_searches_inside_a_smaller_limit_stop_and_the_larger_one_returns():
    solver, empty = Solver(), (0, 0)
    solver.watch(np.zeros(1, dtype=np.int64), 50_000)
    with solver.allowing(10_000):
        assert solver.is_above(*empty, 0) is None
        assert 10_000 <= solver.nodes < 11_000
        assert solver.stopped
    assert not solver.stopped
    with solver.allowing(10_000_000):
        assert solver.is_above(*empty, 0) is None
    assert solver.stopped
    assert 50_000 <= solver.nodes < 51_000


def test_no_limit_is_exceeded_by_the_last_moves():
    solver, position = Solver(), position_of(random_game(random.Random(10), 20))
    for limit in range(1000, 20_000, 500):
        solver.forget()
        before = solver.nodes
        solver.watch(np.zeros(1, dtype=np.int64), limit)
        stopped = solver.solve(*position) is None
        assert solver.nodes - before <= limit
        assert stopped == (solver.nodes - before == limit)


def test_without_lines_the_scores_are_the_same_and_found_sooner():
    chance, nodes = random.Random(22), [0, 0]
    for moves in (16, 20, 24):
        env = random_game(chance, moves)
        told = [ConnectFourSolver(book=None, lines=lines).analyse(env) for lines in (True, False)]
        with_lines, without = (
            {c.move: (c.score, c.distance, c.proven) for c in analysis.candidates}
            for analysis in told
        )
        assert with_lines == without
        assert all(c.line == (c.move,) for c in told[1].candidates)
        nodes = [total + analysis.nodes for total, analysis in zip(nodes, told, strict=True)]
    assert nodes[1] < nodes[0]


def test_a_limit_that_means_nothing_here_is_said_to_mean_nothing(engine):
    env = random_game(random.Random(23), 30)
    for limit in (Limit(depth=2), Limit(simulations=5)):
        analysis = engine.analyse(env, limit)
        assert analysis.proven
        assert "only time and nodes" in analysis.notes[0]
    assert engine.analyse(env, Limit(nodes=10**9)).notes == ()


def test_a_seed_chooses_among_equals_only():
    env = game("2577713147446472")
    scores = ConnectFourSolver(book=None).score_moves(env)
    chosen = set()
    for seed in range(5):
        engine = ConnectFourSolver(book=None, seed=seed)
        best = engine.analyse(env).candidates[0]
        assert best.move == engine.analyse(env).candidates[0].move
        assert scores[best.move] == max(scores.values())
        chosen.add(best.move)
    assert len(chosen) > 1
