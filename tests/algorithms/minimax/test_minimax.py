"""The search is right: against brute force, with every combination of switches, in both speeds."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import threading
from functools import cache
from typing import Any

import numpy as np
import pytest
from brute_force import BruteForce, all_positions, random_positions
from signals import ctrl_c_heard
from stopping import PATIENCE, HeardStop

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.compiled_negamax import compiled_negamax
from rl_toolkit.algorithms.minimax.negamax import (
    UNLIMITED,
    WIN,
    Options,
    PythonNegamax,
    Result,
    is_decisive,
    plies_to_end,
)
from rl_toolkit.algorithms.minimax.report import candidate_of, is_won, ranked
from rl_toolkit.algorithms.minimax.searcher import Searcher
from rl_toolkit.algorithms.minimax.solver import IDEAS, _next_is_too_long
from rl_toolkit.analysis import Analysis, Limit, outcome_of
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, TicTacToe, make_game

EVERY_OPTION = [Options(*flags) for flags in itertools.product((False, True), repeat=8)]
#: The two that know lines make everything so fast that a quick run needs them on only in part.
ALL_OPTIONS = random.Random(0).sample(EVERY_OPTION[::4], 24) + random.Random(0).sample(
    EVERY_OPTION, 12
)
CAP_MB = 64

#: Game, most empty cells of the positions tried, fewer of them for the quick run, and how many
#: positions it tries: brute force takes longer than all searches together.
GAMES = [
    ("tictactoe-4x4x4", 10, 8, 6),
    ("tictactoe-4x3x3", 10, 8, 8),
    ("tictactoe-5x5x4", 9, 8, 8),
    ("connect-four-4x5x4", 12, 10, 6),
    ("connect-four-5x5x4", 12, 10, 6),
    ("reversi-4", 12, 9, 8),
    ("reversi-6", 10, 8, 3),
]
QUICK_GAMES = [(game, fewer, count) for game, _, fewer, count in GAMES]
FULL_GAMES = [(game, empty) for game, empty, _, _ in GAMES]


def affordable(env: BaseGameEnv, options: Options) -> bool:
    """Plain minimax sees every path: only small positions."""
    empty = int((env.board == 0).sum())
    return empty <= (12 if options.pruning or options.memoization else 8)


def compiled(env: BaseGameEnv, options: Options) -> Searcher:
    searcher = compiled_negamax(env, options, CAP_MB)
    assert searcher is not None
    return searcher


def check(result: Result, verdict: tuple[int, int], options: Options) -> None:
    value, plies = verdict
    assert result.settled
    assert is_decisive(result.score) == bool(value)
    assert (result.score > 0) - (result.score < 0) == value
    if value and options.distance:
        assert plies_to_end(result.score) == plies


ORACLE = BruteForce()


@cache
def all_of_tictactoe() -> list[BaseGameEnv]:
    return all_positions("tictactoe")


def check_all(positions: list[BaseGameEnv], every_option: list[Options]) -> None:
    for options in every_option:
        searcher = compiled(positions[0], options)
        for env in positions:
            if affordable(env, options):
                check(
                    searcher.search(env, UNLIMITED, -np.inf, np.inf), ORACLE.verdict(env), options
                )


def check_in_turn(positions: list[BaseGameEnv], shares: int = 8) -> None:
    """Every combination on one share of the positions, so that each position meets some of them."""
    shuffled = random.Random(0).sample(EVERY_OPTION, len(EVERY_OPTION))
    for number, options in enumerate(shuffled):  # shuffled: a position meets both of every switch
        check_all(positions[number % shares :: shares], [options])


def test_every_tictactoe_position() -> None:
    check_in_turn(all_of_tictactoe(), 128)  # two combinations for each position


@pytest.mark.full
def test_every_tictactoe_position_with_every_combination() -> None:
    check_all(all_of_tictactoe(), EVERY_OPTION)


@pytest.mark.full
def test_every_position_of_reversi_4x4() -> None:
    check_in_turn(all_positions("reversi-4"))


@pytest.mark.parametrize(("game", "empty", "count"), QUICK_GAMES)
def test_random_positions_with_every_combination(game: str, empty: int, count: int) -> None:
    check_all(random_positions(game, empty, count, seed=1), ALL_OPTIONS)


@pytest.mark.full
@pytest.mark.parametrize(("game", "empty"), FULL_GAMES)
def test_500_random_positions_with_every_combination(game: str, empty: int) -> None:
    check_in_turn(random_positions(game, empty, 500, seed=2))


@pytest.mark.parametrize(("game", "empty", "count"), QUICK_GAMES)
def test_every_move_is_valued_and_the_chosen_one_is_the_fastest(
    game: str, empty: int, count: int
) -> None:
    oracle, solver = ORACLE, MinimaxSolver.strong(compiled=True, max_memory_mb=CAP_MB)
    for env in random_positions(game, empty, count, seed=3):
        analysis = solver.analyse(env, Limit(depth=24))
        best = oracle.verdict(env)
        assert oracle.after(env, analysis.candidates[0].move) == best
        for candidate in analysis.candidates:
            value, plies = oracle.after(env, candidate.move)
            assert candidate.proven
            assert candidate.value == value
            assert candidate.distance == (plies if value else None)
            check_line(env, candidate.line, value, plies)


def check_line(env: BaseGameEnv, line: tuple[int, ...], value: int, plies: int) -> None:
    """A line is playable, and a decisive one ends the game as and when it says."""
    after, player = env.copy(), env.current_player
    for move in line:
        after.step(move)
    if value:
        assert len(line) == plies
        assert after.get_result(player) == value


# ------------------------------------------------------------------- two speeds, one meaning

_DIFFERENTIAL = [
    ("tictactoe", 6, UNLIMITED),
    ("tictactoe-3x4x3", 7, UNLIMITED),
    ("connect-four-4x4x4", 8, UNLIMITED),
    ("reversi-4", 7, UNLIMITED),
    ("tictactoe-4x4x4", 12, 3),
    ("connect-four", 40, 3),
    ("reversi-6", 20, 3),
    ("gomoku-9", 70, 2),
    ("gomoku-9-standard", 70, 2),
    ("reversi-8", 50, 2),
]


@pytest.mark.parametrize(("game", "empty", "depth"), _DIFFERENTIAL)
def test_compiled_is_python(game: str, empty: int, depth: int) -> None:
    rng = random.Random(game)
    for env in random_positions(game, empty, 3, seed=4):
        for options in rng.sample(EVERY_OPTION, 4 if "gomoku" in game else 8):
            slow = PythonNegamax(env, options, CAP_MB)
            fast = compiled(env, options)
            assert slow.search(env, depth) == fast.search(env, depth, -np.inf, np.inf)
            assert (slow.nodes, slow.hits, slow.deepest) == (fast.nodes, fast.hits, fast.deepest)
            move = rng.choice(env.get_legal_moves())
            assert slow.search_move(env, move, depth) == fast.search_move(env, move, depth)
            assert slow.nodes == fast.nodes


def test_a_win_beyond_the_horizon_may_not_be_the_fastest() -> None:
    """The table knows a slow win; a shallow search must not call it the end of the matter."""
    options, cases = Options(distance=True), 0
    for env in random_positions("connect-four-4x4x3", 10, 80, seed=14):
        value, plies = ORACLE.verdict(env)
        after = {move: ORACLE.after(env, move) for move in env.get_legal_moves()}
        slower = [
            move for move, found in after.items() if value == found[0] == 1 < plies < found[1]
        ]
        for move in slower[:1]:
            cases += 1
            for searcher in (PythonNegamax(env, options, CAP_MB), compiled(env, options)):
                searcher.search_move(env, move, UNLIMITED)
                found = searcher.search(env, 2, -np.inf, np.inf)
                assert not found.settled or plies_to_end(found.score) == plies
    assert cases > 2


@pytest.mark.parametrize("game", ["tictactoe-4x4x3", "connect-four", "reversi-6", "gomoku-9"])
def test_compiled_is_python_under_a_node_limit(game: str) -> None:
    for env in random_positions(game, 30, 3, seed=5):
        slow, fast = (
            MinimaxSolver.strong(compiled=how).analyse(env, Limit(nodes=300))
            for how in (False, True)
        )
        assert slow.candidates == fast.candidates
        # The node at which a search stops is counted; machine code may notice one later.
        assert (slow.nodes, fast.nodes) in ((301, 301), (301, 302)) or slow.nodes == fast.nodes


@pytest.mark.parametrize(
    "game", ["tictactoe-4x5x4", "connect-four-5x6x4", "gomoku-13", "reversi-8"]
)
def test_compiled_heuristic_is_python(game: str) -> None:
    for env in random_positions(game, 100, 30, seed=6):
        fast = compiled(env, Options(False, False))
        expected = env.evaluate_heuristic(env.current_player)
        assert fast.search(env, 0, -np.inf, np.inf).score == expected


def test_compiled_heuristic_follows_changed_weights() -> None:
    for env in random_positions("connect-four", 36, 20, seed=7):
        assert isinstance(env, ConnectFour)
        env.careful()
        fast = compiled(env, Options(False, False))
        expected = env.evaluate_heuristic(env.current_player)
        assert fast.search(env, 0, -np.inf, np.inf).score == expected


# ------------------------------------------------------------------------------ the course API

X, O, E = 1, -1, 0  # noqa: E741 - the pieces' own names


def test_an_immediate_win_is_taken_wherever_it_is() -> None:
    for symmetry in TicTacToe().symmetries():
        env = TicTacToe()
        env.board = symmetry.apply_to_board(np.array([X, X, E, O, O, E, E, E, E], dtype=np.int8))
        assert MinimaxSolver().get_best_action(env) == symmetry.apply_to_move(2)


def test_an_immediate_win_comes_before_a_slow_one_of_a_lower_number() -> None:
    cases = 0
    for env in all_of_tictactoe():
        after = {move: ORACLE.after(env, move) for move in env.get_legal_moves()}
        wins = [move for move, (value, _) in after.items() if value == 1]
        at_once = [move for move in wins if after[move] == (1, 1)]
        if cases < 12 and at_once and wins[0] != at_once[0] and len(after) < 7:
            cases += 1
            assert MinimaxSolver().get_best_action(env) == at_once[0]
            assert MinimaxSolver().analyse(env).best_move == at_once[0]
    assert cases == 12


def test_best_are_the_moves_as_good_as_the_best() -> None:
    seen = set()
    for env in random_positions("tictactoe", 6, 40, seed=15):
        after = {move: ORACLE.after(env, move)[0] for move in env.get_legal_moves()}
        best = max(after.values())
        told = MinimaxSolver().get_candidate_evaluations(env)
        assert {move: entry["is_best"] for move, entry in told.items()} == {
            move: value == best for move, value in after.items()
        }
        seen.add((best, len(set(after.values()))))
    assert {(1, 2), (0, 2), (-1, 1)} <= seen


def test_values_are_seen_by_player_one_whoever_moves() -> None:
    env = TicTacToe()
    env.board = np.array([X, X, E, O, O, E, E, E, E])
    env.current_player = -1
    evaluations = MinimaxSolver().get_candidate_evaluations(env)
    assert evaluations[5]["value"] == -1.0
    assert evaluations[5]["is_best"]
    assert evaluations[5]["reasoning"] == "Forces immediate win"
    assert evaluations[6]["value"] == 1.0


def test_every_equally_good_move_is_marked_best() -> None:
    evaluations = MinimaxSolver().get_candidate_evaluations(TicTacToe())
    assert all(entry["is_best"] and entry["value"] == 0.0 for entry in evaluations.values())


def test_a_slow_win_is_not_called_immediate() -> None:
    env = TicTacToe()
    env.board = np.array([X, E, E, E, O, E, E, E, X])  # a corner fork is coming
    env.current_player = -1
    words = MinimaxSolver().get_candidate_evaluations(env)
    assert words[2]["value"] == 1.0
    assert words[2]["reasoning"].startswith("Cannot prevent loss")
    env.step(2)
    assert (
        MinimaxSolver().get_candidate_evaluations(env)[6]["reasoning"] == "Forces a win in 2 moves"
    )


@pytest.mark.parametrize("maximize", [True, False, None])
def test_maximize_is_accepted_and_the_side_to_move_decides(maximize: bool | None) -> None:
    env = TicTacToe()
    env.board = np.array([X, X, E, O, O, E, E, E, E])
    solver = MinimaxSolver()
    assert solver.get_best_action(env, maximize) == 2
    assert solver._minimax(env, 0, maximize) == 1.0


def test_no_legal_move_is_a_clear_error() -> None:
    env = TicTacToe()
    env.board = np.array([X, X, X, O, O, E, E, E, E])
    for call in (MinimaxSolver().get_best_action, MinimaxSolver().get_candidate_evaluations):
        with pytest.raises(ValueError, match="no legal move"):
            call(env)
    assert MinimaxSolver()._minimax(env) == 1.0


@pytest.mark.parametrize(
    "arguments",
    [{"max_depth": 0}, {"max_depth": True}, {"max_depth": 2.5}, {"max_memory_mb": 0}],
)
def test_bad_arguments_get_a_sentence(arguments: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"max_\w+ "):
        MinimaxSolver(**arguments)  # type: ignore[arg-type]


def test_depth_limited_search_uses_the_heuristic_at_the_horizon() -> None:
    env = ConnectFour()
    env.step(3)
    solver = MinimaxSolver(max_depth=1)
    for move, entry in solver.get_candidate_evaluations(env).items():
        after = env.copy()
        after.step(move)
        assert entry["value"] == pytest.approx(after.evaluate_heuristic(1))


@pytest.mark.parametrize("compiled", [False, True], ids=["python", "compiled"])
def test_a_window_saves_work(compiled: bool) -> None:
    """Pinned counts: with the full window it would be 18,297 nodes each time."""
    windows = [
        (1, -1, 0, 966),
        (-1, 0, 1, 966),
        (1, -1, 1, 16_811),
        (-1, -1, 1, 16_811),
        (1, 0, 1, 16_159),
        (-1, -1, 0, 16_159),
    ]
    for first, alpha, beta, nodes in windows if compiled else windows[:3]:
        env, solver = TicTacToe(), MinimaxSolver(use_memoization=False, compiled=compiled)
        env.reset(first_player=first)
        solver._minimax(env, alpha=alpha, beta=beta)
        assert solver.nodes_evaluated == nodes


@pytest.mark.parametrize("compiled", [False, True], ids=["python", "compiled"])
def test_a_window_is_respected(compiled: bool) -> None:
    """Between alpha and beta the value is exact; at or beyond them it is a bound."""
    told = set()
    solver = MinimaxSolver(compiled=compiled)  # one table for all: it holds bounds soon
    for env in random_positions("tictactoe", 7, 30, seed=5):
        value = ORACLE.verdict(env)[0] * env.current_player
        for alpha, beta in ((-1, 0), (0, 1), (-0.5, 0.5), (-1, -0.5), (0.5, 1)):
            found = solver._minimax(env, alpha=alpha, beta=beta)
            if value <= alpha:
                assert value <= found <= alpha
            elif value >= beta:
                assert beta <= found <= value
            else:
                assert found == value
            told.add((env.current_player, value <= alpha, value >= beta))
    assert len(told) == 6  # below, within and above, for both sides


def test_the_memo_is_not_shared_between_games_or_depths() -> None:
    solver = MinimaxSolver()
    assert solver.get_best_action(TicTacToe()) == 0
    assert solver._minimax(TicTacToe((4, 3), 3)) == 1.0
    assert solver._minimax(TicTacToe()) == 0.0
    shallow = MinimaxSolver(max_depth=2)
    first = shallow.get_candidate_evaluations(ConnectFour())
    deeper = ConnectFour()
    deeper.step(3)
    shallow.get_candidate_evaluations(deeper)
    assert shallow.get_candidate_evaluations(ConnectFour()) == first
    kept, env = MinimaxSolver(max_depth=4), ConnectFour()
    for column in (3, 3, 2, 4, 3, 2):
        env.step(column)
    while env.history:  # from the end to the start, so that later positions are known first
        fresh = MinimaxSolver(max_depth=4).get_candidate_evaluations(env)
        assert kept.get_candidate_evaluations(env) == fresh
        env.undo()


# ---------------------------------------------------------------------------------- the engine


@pytest.mark.parametrize("game", ["tictactoe", "connect-four", "gomoku-15", "reversi-8"])
def test_analysing_leaves_the_game_alone(game: str) -> None:
    env = make_game(game)
    for _ in range(3):
        env.step(env.get_legal_moves()[0])
    before = (env.get_state_hash(), env.history)
    analysis = MinimaxSolver.strong().analyse(env, Limit(nodes=500))
    assert (env.get_state_hash(), env.history) == before
    assert sorted(c.move for c in analysis.candidates) == env.get_legal_moves()
    assert Analysis.from_json(analysis.to_json()) == analysis


def test_progress_comes_by_depth_and_cannot_break_the_search() -> None:
    seen: list[Analysis] = []

    def listener(analysis: Analysis) -> None:
        seen.append(analysis)
        raise RuntimeError("a listener's own problem")

    final = MinimaxSolver.strong().analyse(ConnectFour(), Limit(depth=5), listener)
    assert [analysis.depth for analysis in seen] == [1, 2, 3, 4, 5]
    assert final.depth == 5


def test_proven_values_never_change_with_a_deeper_search() -> None:
    for env in random_positions("connect-four", 22, 6, seed=8):
        partial: list[Analysis] = []
        MinimaxSolver.strong().analyse(env, Limit(depth=9), partial.append)
        known: dict[int, tuple[object, object]] = {}
        for analysis in partial:
            for c in analysis.candidates:
                if c.proven and c.distance is not None:
                    assert known.setdefault(c.move, (c.outcome, c.distance)) == (
                        c.outcome,
                        c.distance,
                    )


def test_a_set_stop_ends_at_once_with_a_legal_move() -> None:
    stop = threading.Event()
    stop.set()
    for game in ("tictactoe", "gomoku-20", "reversi-8"):
        analysis = MinimaxSolver.strong().analyse(make_game(game), Limit(time=60), stop=stop)
        assert analysis.best_move in make_game(game).get_legal_moves()
        assert not analysis.proven


def test_stop_in_mid_search_keeps_the_best_answer_so_far() -> None:
    stop = HeardStop()
    seen: list[Analysis] = []

    def stop_at_depth_four(analysis: Analysis) -> None:
        seen.append(analysis)
        if analysis.depth == 4:
            stop.set()

    # Without the signal it would go on to depth 12; how soon it ends is measured in benchmarks.
    final = MinimaxSolver.strong().analyse(ConnectFour(), Limit(depth=12), stop_at_depth_four, stop)
    assert [analysis.depth for analysis in seen] == [1, 2, 3, 4]
    assert final.depth == 4
    assert final.candidates == seen[-1].candidates


def test_a_win_does_not_hide_what_the_other_moves_are_worth() -> None:
    env = ConnectFour()
    for column in (3, 0, 3, 0, 3, 0):
        env.step(column)
    analysis = MinimaxSolver.strong().analyse(env, Limit(time=60))
    assert (analysis.best_move, analysis.outcome, analysis.distance) == (3, "win", 1)
    assert all(candidate.proven for candidate in analysis.candidates)
    scores = ConnectFourSolver(book=None).score_moves(env)
    truth = {move: outcome_of(score) for move, score in scores.items()}
    assert {c.move: c.outcome for c in analysis.candidates} == truth
    # Without a clock everything asked for is looked at.
    assert MinimaxSolver.strong().analyse(env, Limit(depth=6)).depth == 6


def test_same_position_and_node_limit_same_answer() -> None:
    first, second = (
        MinimaxSolver.strong(seed=9).analyse(Reversi(), Limit(nodes=20_000)) for _ in range(2)
    )
    assert first.candidates == second.candidates
    assert first.nodes == second.nodes


def test_a_seed_chooses_among_equals_only() -> None:
    env = TicTacToe()
    for move in (4, 0):
        env.step(move)
    best = {MinimaxSolver(seed=seed).get_best_action(env) for seed in range(12)}
    assert len(best) > 1
    env = TicTacToe()
    env.board = np.array([X, X, E, O, O, E, E, E, E])
    assert {MinimaxSolver(seed=seed).get_best_action(env) for seed in range(5)} == {2}


@pytest.mark.parametrize("how", [False, True])
def test_the_memory_cap_is_kept_and_said(how: bool) -> None:
    env = make_game("tictactoe-3x4x4")
    for move in (0, 5, 2):
        env.step(move)
    roomy, tight = (
        MinimaxSolver.strong(compiled=how, max_memory_mb=mb).analyse(env, Limit(depth=12))
        for mb in (64, 0.01)
    )
    assert not roomy.notes
    assert tight.notes == ("The table reached its memory cap of 0.01 MB",)
    assert [(c.move, c.value) for c in tight.candidates] == [
        (c.move, c.value) for c in roomy.candidates
    ]


def test_an_analysis_of_a_finished_game_has_no_candidates() -> None:
    env = TicTacToe()
    env.board = np.array([X, X, X, O, O, E, E, E, E])
    analysis = MinimaxSolver.strong().analyse(env)
    assert analysis.candidates == ()
    assert analysis.proven
    assert "over" in str(analysis)


def test_a_game_without_a_kernel_is_searched_in_python() -> None:
    analysis = MinimaxSolver.strong(compiled=True).analyse(ConnectFour(10, 10), Limit(depth=2))
    assert len(analysis.candidates) == 10
    assert MinimaxSolver.strong().analyse(Gomoku(9), Limit(depth=1)).best_move == 40


class Stubborn(ConnectFour):
    """A course exercise: a heuristic of one's own."""

    def evaluate_heuristic(self, player: int) -> float:
        if self.is_terminal():
            return self.get_result(player)
        return player * float(self.board[0]) / 2


class MustNotFillCorners(TicTacToe):
    """Other rules, same board."""

    def open_moves(self) -> list[int]:
        return [move for move in super().open_moves() if move != 0]


def test_a_subclass_with_a_heuristic_of_its_own_is_heard() -> None:
    analysis = MinimaxSolver.strong(compiled=True).analyse(Stubborn(), Limit(depth=1))
    assert (analysis.best_move, analysis.value) == (0, 0.5)


def test_a_subclass_with_rules_of_its_own_is_heard() -> None:
    analysis = MinimaxSolver.strong(compiled=True).analyse(MustNotFillCorners(4), Limit(depth=1))
    assert len(analysis.candidates) == 15


# ------------------------------------------------------------------------- what is not claimed


@pytest.mark.parametrize("game", ["connect-four-4x4x4", "tictactoe-3x4x3", "reversi-4"])
def test_no_false_proof_of_the_position_at_any_depth(game: str) -> None:
    for env in random_positions(game, 9, 5, seed=11):
        value, plies = ORACLE.verdict(env)
        for depth in range(1, 8):
            analysis = MinimaxSolver.strong(compiled=True).analyse(env, Limit(depth=depth))
            if analysis.proven:
                assert analysis.value == value
                assert analysis.distance == (plies if value else None)
            else:
                assert analysis.outcome is None


class Misere(TicTacToe):
    """Three in a row loses."""

    def get_result(self, player: int) -> float:
        return -super().get_result(player)


def test_shortcuts_of_other_rules_are_not_taken() -> None:
    oracle = BruteForce()
    for seed in range(6):
        rng = random.Random(seed)
        env = Misere()
        for _ in range(3):
            env.step(rng.choice(env.get_legal_moves()))
        for candidate in MinimaxSolver.strong().analyse(env, Limit(depth=9)).candidates:
            assert candidate.proven
            assert candidate.value == oracle.after(env, candidate.move)[0]


def test_the_memo_is_not_shared_between_rules() -> None:
    solver = MinimaxSolver()
    board = np.array([X, X, E, O, O, E, E, E, E])
    usual, other = TicTacToe(), Misere()
    usual.board, other.board = board, board
    solver.get_candidate_evaluations(usual)
    fresh = MinimaxSolver().get_candidate_evaluations(other)
    assert solver.get_candidate_evaluations(other) == fresh


class TwoTurns(TicTacToe):
    """Everybody moves twice in a row, after the first move."""

    def step(self, move: int) -> Any:
        answer = super().step(move)
        if not self.done:
            self._player = 1 if self.move_count % 4 in (0, 3) else -1
            self._seen = (self._board.tobytes(), self._player)
        return answer


def test_a_player_may_have_two_turns_in_a_row() -> None:
    solver = MinimaxSolver(compiled=False)
    plain = MinimaxSolver(use_pruning=False, use_memoization=False)

    def value(node: TwoTurns) -> float:
        if node.done:
            return node.get_result(1)
        after = []
        for move in node.get_legal_moves():
            child = node.copy()
            child.step(move)
            after.append(value(child))
        return max(after) if node.current_player == 1 else min(after)

    found = set()
    for seed in range(8):
        chance, env = random.Random(seed), TwoTurns()
        for _ in range(3 + seed % 4):
            if not env.done:
                env.step(chance.choice(env.get_legal_moves()))
        true = value(env)
        assert solver._minimax(env) == plain._minimax(env) == true
        found.add((env.current_player, true))
    assert len(found) >= 3


def test_a_heuristic_out_of_range_is_no_proof() -> None:
    class Boaster(ConnectFour):
        def evaluate_heuristic(self, player: int) -> float:
            return self.get_result(player) if self.done else 600.0

    analysis = MinimaxSolver.strong().analyse(Boaster(), Limit(depth=2))
    assert not analysis.proven
    assert abs(analysis.value) <= 1


def test_one_solver_may_serve_several_threads() -> None:
    solver = MinimaxSolver(compiled=True)
    positions = random_positions("connect-four-4x5x4", 10, 12, seed=12)
    expected = [ORACLE.verdict(env)[0] * env.current_player for env in positions]
    found: dict[int, list[float]] = {}

    def ask(thread: int) -> None:
        found[thread] = [solver._minimax(env) for env in positions]

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [expected] * 3


def test_the_compiled_memo_can_be_looked_into() -> None:
    slow, fast = MinimaxSolver(compiled=False), MinimaxSolver(compiled=True)
    for solver in (slow, fast):
        solver._minimax(TicTacToe())
    assert len(fast.memo) == len(slow.memo) > 0
    assert sorted(fast.memo.values()) == sorted(slow.memo.values())
    assert sorted(fast.memo.bounds.values()) == sorted(slow.memo.bounds.values())


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("symmetry", [False, True])
def test_the_memo_is_a_dictionary_of_true_values(compiled: bool, symmetry: bool) -> None:
    solver = MinimaxSolver(compiled=compiled, use_symmetry=symmetry)
    assert dict(solver.memo) == {}
    solver._minimax(TicTacToe())
    memo, bounds = solver.memo, solver.memo.bounds
    exact = bounded = 0
    for env in all_of_tictactoe():
        truth = ORACLE.verdict(env)[0] * env.current_player
        if env in memo:
            exact += 1
            assert memo[env] == truth
        elif (found := bounds.get(memo.key_of(env))) is not None:
            bounded += 1
            assert found.least <= truth <= found.greatest
            assert found.least < found.greatest
    assert exact > 500
    assert bounded > 100
    assert list(memo) == list(dict(memo.items()))
    assert len(memo) == len(list(memo))
    if not symmetry:
        assert (len(memo), len(bounds)) == (exact, bounded)
    empty = TicTacToe()
    assert memo[empty] == 0.0
    assert empty.get_state_hash() in memo or compiled or symmetry
    assert "no such key" not in memo
    assert memo.get("no such key") is None
    assert repr(memo) == f"<Memo: {len(memo):,} values and {len(bounds):,} bounds>"


def test_a_memo_without_pruning_holds_every_running_position() -> None:
    solver = MinimaxSolver(use_pruning=False)
    solver._minimax(TicTacToe())
    assert len(solver.memo) == 5_478 - 958
    assert not solver.memo.bounds
    env = TicTacToe()
    for move in (0, 1, 4):  # X threatens to win, O is to move
        env.step(move)
    assert solver.memo[env.get_state_hash()] == 1.0


def test_switches_can_be_read_and_set() -> None:
    solver = MinimaxSolver(use_memoization=False, compiled=True)
    assert (solver.use_pruning, solver.use_memoization) == (True, False)
    solver._minimax(TicTacToe())
    assert solver.nodes_evaluated == 18_297
    assert not solver.memo
    solver.reset_stats()
    solver.use_memoization = True
    assert solver.use_memoization is True
    solver._minimax(TicTacToe())
    assert solver.nodes_evaluated == 4_866
    assert solver.memo
    solver.use_pruning = False
    solver.reset_stats()
    solver._minimax(TicTacToe())
    assert solver.nodes_evaluated == 16_168
    assert not solver.memo.bounds
    solver.use_ordering = solver.use_symmetry = solver.use_pruning = True
    assert solver.options == Options(ordering=True, symmetry=True)
    assert all(getattr(MinimaxSolver.strong(), idea) for idea in IDEAS)


def test_the_course_api_can_be_interrupted() -> None:
    script = (
        "import _thread, threading\n"
        "from rl_toolkit.algorithms.minimax.solver import MinimaxSolver\n"
        "from rl_toolkit.envs import ConnectFour, make_game\n"
        "solver = MinimaxSolver(compiled=True)\n"
        "solver.get_best_action(make_game('connect-four-4x4x4'))\n"
        "try:\n"
        "    threading.Timer(0.2, _thread.interrupt_main).start()\n"
        "    solver.get_best_action(ConnectFour())\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "env = ConnectFour()\n"
        "for column in '3646633464116435461032104053510001': env.step(int(column))\n"
        "print(solver.get_best_action(env) in env.get_legal_moves())\n"
    )
    command = [sys.executable, "-c", script]
    with ctrl_c_heard():
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "interrupted\nTrue\n"  # and it can be asked again


# ------------------------------------------------------------------------------ piece by piece


@pytest.mark.parametrize("how", [False, True], ids=["python", "compiled"])
def test_a_depth_that_was_not_finished_changes_no_estimate(how: bool) -> None:
    """Scores of different depths do not compare."""
    env, stopped = ConnectFour(), 0
    env.step(3)
    for nodes in (300, 500, 700, 900, 1100):
        found = MinimaxSolver.strong(compiled=how).analyse(env, Limit(nodes=nodes))
        whole = MinimaxSolver.strong(compiled=how).analyse(env, Limit(depth=found.depth))
        assert {c.move: c.value for c in found.candidates} == {
            c.move: c.value for c in whole.candidates
        }
        stopped += (found.nodes or 0) > (whole.nodes or 0) + 20
    assert stopped > 2  # in the middle of the next depth


def test_a_distance_is_told_only_where_no_deeper_search_can_change_it() -> None:
    solver, env = MinimaxSolver.strong(), ConnectFour()
    for settled, distance in ((True, 9), (False, None)):
        candidate = candidate_of(env, 3, Result(WIN - 9, settled, (3,)), solver.options)
        assert (candidate.outcome, candidate.proven, candidate.distance) == ("win", True, distance)


def test_besides_a_win_only_a_depth_within_reach_is_searched() -> None:
    assert not _next_is_too_long(2.0, 1.9, Limit(time=10))
    assert _next_is_too_long(2.0, 0.0, Limit(time=9.9))
    assert not _next_is_too_long(2.0, 0.0, Limit(nodes=5))
    won, lost, open_ = Result(WIN - 3, True, ()), Result(4 - WIN, True, ()), Result(0.5, False, ())
    assert is_won({0: lost, 1: won, 2: open_})
    assert not is_won({0: lost, 2: open_})
    assert not is_won({0: Result(WIN - 9, False, ())})  # a faster one may exist


def test_moves_not_looked_at_are_unknown_and_come_last() -> None:
    env = ConnectFour()
    env.step(3)
    stopped = MinimaxSolver.strong(compiled=False).analyse(env, Limit(nodes=3)).candidates
    assert [c.value is None for c in stopped] == [False] * 3 + [True] * 4
    solver = MinimaxSolver.strong()
    results = {0: Result(-0.5, False, (0,)), 1: Result(4 - WIN, True, (1,))}
    assert ranked(env, results, solver.options, None)[0] == 0
    assert ranked(env, results, solver.options, None)[-1] == 1
