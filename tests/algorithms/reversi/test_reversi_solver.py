"""The exact Reversi engine: true scores, true lines, limits and stops."""

import random
import threading

import numpy as np
import pytest
from paths import SHARED
from reversi_endgame_reference import plain_score

from rl_toolkit.algorithms.by_game.exact import ExactEngine
from rl_toolkit.algorithms.by_game.solvers import final_margin
from rl_toolkit.algorithms.reversi.reference import reference_score, reference_scores
from rl_toolkit.algorithms.reversi.solver import MOST_EMPTY, ReversiSolver
from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import ConnectFour, Reversi
from rl_toolkit.kernels.rules.compiled import compiled_rules
from rl_toolkit.players import make_engine
from rl_toolkit.records import parse_obf

SUITE = SHARED / "reversi"


def suite(first, last):
    """Positions ``first`` to ``last`` of the suite, which is not part of the project."""
    found = {}
    for path in SUITE.glob("fforum-*.obf"):
        start = int(path.stem.split("-")[1])
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        found |= {number: parse_obf(line) for number, line in enumerate(lines, start)}
    if not found:
        pytest.skip("the endgame suite is not here")
    return [found[number] for number in range(first, last + 1)]


def played_until(size, empties, chance):
    """A running game after random play, with so many squares empty; ``None`` if it ended before."""
    env = Reversi(size)
    while not env.is_terminal():
        if np.count_nonzero(env.board == 0) == empties:
            return env
        env.step(chance.choice(env.get_legal_moves()))
    return None


def positions(size, empties, count, seed):
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        env = played_until(size, empties, chance)
        if env is not None:
            found.append(env)
    return found


def plain(env):
    rules = compiled_rules(env.kernel_spec())
    mine, theirs = rules.encode(env.board, env.current_player)
    return plain_score(mine, theirs, rules.geometry[0], -len(env.board), len(env.board))


def follow(env, line):
    game = env.copy()
    for move in line:
        game.step(move)
    return game


# ------------------------------------------------------------------------------ true scores


@pytest.mark.parametrize(("size", "empties"), [(4, 5), (4, 7), (6, 5), (8, 4), (8, 5)])
def test_every_move_against_the_slow_solver(size, empties):
    solver = ReversiSolver()
    for env in positions(size, empties, 12, seed=empties):
        scores = reference_scores(env)
        assert solver.score_moves(env) == scores
        assert solver.solve(env) == max(scores.values()) == plain(env)


def test_four_by_four_from_the_start():
    env = Reversi(4)
    truth = dict.fromkeys(env.get_legal_moves(), -10)  # who moves first loses by ten
    assert ReversiSolver().score_moves(env) == truth


@pytest.mark.full
def test_the_reference_of_four_by_four():
    env = Reversi(4)
    assert reference_scores(env) == ReversiSolver().score_moves(env)


def check_against_plain(count_each, most):
    solver = ReversiSolver()
    for empties in range(1, most + 1):
        for size in (6, 8):
            for env in positions(size, empties, count_each, seed=100 * size + empties):
                assert solver.solve(env) == plain(env)


def test_random_positions_against_the_plain_search():
    check_against_plain(15, 10)


@pytest.mark.full
def test_twenty_thousand_random_positions_against_the_plain_search():
    check_against_plain(1000, 10)
    check_against_plain(90, 12)


def test_the_suite_up_to_sixteen_empties():
    solver = ReversiSolver()
    for position in suite(1, 20):
        assert solver.solve(position.env) == position.best_score


def test_every_move_of_positions_of_the_suite():
    solver = ReversiSolver()
    for position in suite(1, 4):
        scores = solver.score_moves(position.env)
        assert {move: scores[move] for move in position.scores} == position.scores
        assert max(scores.values()) == position.best_score


def test_a_wipe_out_is_found_at_once():
    """34 empty squares, but every line that does not wipe out ends with the first safe disc."""
    (position,) = suite(59, 59)
    engine = ReversiSolver(max_memory_mb=64)
    assert engine.solve(position.env) == position.best_score == 64
    assert engine._solver.nodes < 10_000_000


@pytest.mark.full
def test_the_suite_up_to_twenty_three_empties():
    solver = ReversiSolver()
    for number, position in enumerate(suite(21, 44), 21):
        assert solver.solve(position.env) == position.best_score, number


@pytest.mark.full
def test_six_by_six_from_the_start():
    """The second player wins 20 – 16."""
    env = Reversi(6)
    solver = ReversiSolver(max_memory_mb=1024, book=None)
    assert solver.solve(env) == -4


def test_six_by_six_from_the_middle():
    for env in positions(6, 16, 3, seed=5):
        analysis = ReversiSolver().analyse(env)
        best = analysis.candidates[0]
        assert final_margin_for(env, best.line) == best.score
        assert analysis.proven


# -------------------------------------------------------------------------------- counting


def board_of(text):
    return np.array([{"X": 1, "O": -1, ".": 0}[c] for c in "".join(text.split())], np.int8)


def set_up(text, player=1):
    board = board_of(text)
    env = Reversi(int(len(board) ** 0.5))
    env.set_position(board, player)
    return env


def test_empty_squares_go_to_the_winner():
    env = set_up("XO.. .... .... ....")
    analysis = ReversiSolver().analyse(env)
    assert [(c.name, c.score, c.distance) for c in analysis.candidates] == [("c1", 16.0, 1)]
    assert ReversiSolver().solve(env) == reference_score(env) == 16


def test_a_pass_is_the_only_move_and_is_solved():
    env = set_up("OX.. .... .... ....", player=1)
    assert env.get_legal_moves() == [env.pass_move]
    analysis = ReversiSolver().analyse(env)
    assert [(c.name, c.score) for c in analysis.candidates] == [("pass", -16.0)]
    assert analysis.line == (env.pass_move, 2)


def test_a_draw_and_a_full_board():
    env = set_up("XXXX XXXX OOOO OOO.", player=-1)
    drawn = ReversiSolver().solve(env)
    assert drawn == reference_score(env)
    full = set_up("XXXX XXXX OOOO OOOO")
    analysis = ReversiSolver().analyse(full)
    assert (analysis.candidates, analysis.outcome, analysis.proven) == ((), "draw", True)
    assert ReversiSolver().solve(full) == 0


def test_nobody_can_move_though_squares_are_empty():
    env = set_up("XX.. XX.. .... ....")
    assert env.is_terminal()
    assert ReversiSolver().solve(env) == final_margin(env) == 16


# -------------------------------------------------------------------------------- analyses


def final_margin_for(env, line):
    game = follow(env, line)
    assert game.is_terminal()
    margin = final_margin(game)
    return margin if game.current_player == env.current_player else -margin


def test_lines_end_with_the_score_they_promise():
    for env in positions(8, 11, 4, seed=3) + positions(6, 10, 4, seed=3):
        analysis = ReversiSolver().analyse(env)
        assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
        scores = [c.score for c in analysis.candidates]
        assert scores == sorted(scores, reverse=True)
        for candidate in analysis.candidates:
            assert candidate.proven
            assert candidate.line[0] == candidate.move
            assert candidate.distance == len(candidate.line)
            assert final_margin_for(env, candidate.line) == candidate.score
            assert candidate.outcome == (
                "win" if candidate.score > 0 else "loss" if candidate.score < 0 else "draw"
            )


def test_mirror_images_of_moves_get_mirror_images_of_lines():
    analysis = ReversiSolver().analyse(Reversi(4))
    assert {c.score for c in analysis.candidates} == {-10.0}
    for candidate in analysis.candidates:
        assert final_margin_for(Reversi(4), candidate.line) == -10


def test_it_is_an_engine_and_leaves_the_game_alone():
    solver = ReversiSolver()
    assert isinstance(solver, Engine)
    env = positions(8, 8, 1, seed=1)[0]
    before = (env.board.tolist(), env.current_player, env.history)
    solver.analyse(env)
    assert (env.board.tolist(), env.current_player, env.history) == before


def test_progress_grows_from_estimates_to_proofs():
    env = positions(8, 12, 1, seed=2)[0]
    seen = []
    final = ReversiSolver().analyse(env, on_progress=seen.append)
    assert not any(c.proven for c in seen[0].candidates)
    assert all(c.proven for c in final.candidates)
    proven = [sum(c.proven for c in analysis.candidates) for analysis in seen]
    assert proven == sorted(proven)
    for analysis in seen:  # what is proven stays true
        for candidate in analysis.candidates:
            if candidate.proven:
                assert candidate.outcome == final.candidate(candidate.move).outcome


def test_an_opening_is_estimated_and_says_so():
    analysis = ReversiSolver().analyse(Reversi(), Limit(nodes=2000))
    assert len(analysis.candidates) == 4
    assert not analysis.proven
    assert all(c.outcome is None and abs(c.value) < 1 for c in analysis.candidates)
    assert "60 empty squares are too many" in analysis.notes[0]
    assert MOST_EMPTY < 60


def test_the_same_node_limit_gives_the_same_answer():
    env = positions(8, 18, 1, seed=4)[0]
    first, second = (ReversiSolver().analyse(env, Limit(nodes=20_000)) for _ in range(2))
    assert first.candidates == second.candidates
    assert first.nodes == second.nodes
    assert first.nodes <= 20_000 + 8192


def test_a_depth_limit_allows_estimates_only():
    env = positions(8, 10, 1, seed=6)[0]
    analysis = ReversiSolver().analyse(env, Limit(depth=3))
    assert not any(c.proven for c in analysis.candidates)
    assert ReversiSolver().analyse(env, Limit(depth=10)).proven


def test_stop_ends_a_long_search_with_an_answer():
    stop = threading.Event()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    analysis = ReversiSolver(max_memory_mb=16, book=None).analyse(Reversi(6), stop=stop)
    timer.join()
    assert not all(c.score is not None and c.proven for c in analysis.candidates)
    assert analysis.best_move in Reversi(6).get_legal_moves()


def test_stopped_before_it_began():
    stop = threading.Event()
    stop.set()
    env = positions(8, 14, 1, seed=7)[0]
    analysis = ReversiSolver().analyse(env, stop=stop)
    assert not analysis.proven
    assert analysis.nodes == 0
    assert analysis.candidates == ReversiSolver().analyse(env, Limit(depth=1)).candidates


def test_bounds_that_settle_the_outcome_are_told():
    """Some partial analysis knows who wins before it knows by how much."""
    env = positions(8, 14, 1, seed=8)[0]
    seen = []
    ReversiSolver().analyse(env, on_progress=seen.append)
    told = [c for a in seen for c in a.candidates if c.proven and c.score_bound != "exact"]
    assert told
    for candidate in told:
        wins = candidate.outcome == "win"
        assert candidate.score_bound == ("lower" if wins else "upper")
        assert (candidate.score > 0) == wins


def test_a_seed_shuffles_equals_only():
    env = Reversi(4)
    best = {ReversiSolver(seed=seed).analyse(env).best_move for seed in range(12)}
    assert best == set(env.get_legal_moves())
    first, second = (ReversiSolver(seed=3).analyse(env) for _ in range(2))
    assert first.best_move == second.best_move


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="do not play connect-four"):
        ReversiSolver().analyse(ConnectFour())

    class Other(Reversi):
        def get_result(self, player):
            return -super().get_result(player)

    with pytest.raises(ValueError, match="do not play"):
        ReversiSolver().solve(Other(4))


def test_the_best_move_alone_takes_less():
    env = positions(8, 13, 1, seed=11)[0]
    best, every = (ReversiSolver(every_move=every).analyse(env) for every in (False, True))
    assert best.candidates[0].score == every.candidates[0].score
    assert best.candidates[0].proven
    assert best.nodes < every.nodes
    for candidate in best.candidates:
        true = every.candidate(candidate.move)
        assert not candidate.proven or candidate.outcome == true.outcome
    assert make_engine("exact:every=off").analyse(env).candidates == best.candidates


def test_the_engine_exact_plays_it():
    env = positions(8, 9, 1, seed=9)[0]
    engine = ExactEngine(seed=1, weak=False)
    analysis = engine.analyse(env)
    assert analysis.engine == "exact"
    assert analysis.candidates[0].score == ReversiSolver().solve(env)


def test_memory_must_be_positive():
    with pytest.raises(ValueError, match="positive"):
        ReversiSolver(max_memory_mb=0)
