"""Monte-Carlo tree search as people read it: nodes, the solver, and what it says."""

from __future__ import annotations

import itertools
import math
import random
import threading
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from search_checks import check_proofs, exact, exact_after, late_position
from stopping import HeardStop

from rl_toolkit.algorithms.mcts import MCTSNode, MCTSSolver, growth
from rl_toolkit.algorithms.mcts.report import candidates, distance, uct_bonus
from rl_toolkit.algorithms.mcts.tree import PythonTree, Settings
from rl_toolkit.algorithms.simple.tactics import PlainResult
from rl_toolkit.analysis import Analysis, Engine, Limit
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, TicTacToe, make_game

WORDS = {"heavily", "moderately", "lightly"}, {"strong", "balanced", "weak"}


class Nim(BaseGameEnv):
    """Eight methods and no more: take one to three stones, the last one wins."""

    def __init__(self, stones: int) -> None:
        super().__init__((1, stones))
        self.reset()

    def reset(self, first_player: int = 1) -> np.ndarray:
        self.board = np.zeros(self.cols, dtype=np.int8)
        self.current_player, self.winner, self.done, self.move_count = first_player, None, False, 0
        return self.board.copy()

    def step(self, move: int) -> tuple[np.ndarray, float, bool, dict[str, object]]:
        if move not in self.get_legal_moves():
            raise ValueError(f"{move} is not legal")
        taken = np.flatnonzero(self.board == 0)[: move + 1]
        self.board[taken] = self.current_player
        self.move_count += 1
        if (self.board != 0).all():
            self.winner, self.done = self.current_player, True
        else:
            self.current_player = -self.current_player
        info = {"winner": self.winner, "winning_line": None, "move_count": 0, "last_move": None}
        return self.board.copy(), float(self.winner or 0), self.done, info

    def get_legal_moves(self) -> list[int]:
        return list(range(min(3, int((self.board == 0).sum()))))

    def is_terminal(self) -> bool:
        return self.done

    def check_win(self, player: int) -> bool:
        return self.winner == player

    def get_result(self, player: int) -> float:
        if self.winner is None:
            raise ValueError("still running")
        return float(self.winner * player)

    def copy(self) -> Nim:
        twin = Nim(self.cols)
        twin.board, twin.current_player = self.board, self.current_player
        twin.winner, twin.done, twin.move_count = self.winner, self.done, self.move_count
        return twin

    def get_state_hash(self) -> tuple[bytes, int]:
        return self.board.tobytes(), self.current_player


def tictactoe(board: str, player: int = 1) -> TicTacToe:
    env = TicTacToe()
    env.board = [{"X": 1, "O": -1, ".": 0}[cell] for cell in board]
    env.current_player = player
    return env


# ------------------------------------------------------------------------- node


def test_a_new_node_knows_its_position_and_nothing_else() -> None:
    node = MCTSNode(TicTacToe())
    assert node.parent is None
    assert node.move_from_parent is None
    assert node.children == {}
    assert (node.visit_count, node.total_value) == (0, 0)
    assert sorted(node.untried_moves) == list(range(9))
    assert node.uct_score() == math.inf
    assert not node.is_fully_expanded()


def test_a_node_keeps_a_copy_of_its_position() -> None:
    env = TicTacToe()
    root = MCTSNode(env)
    child = MCTSNode(env, root, 4)
    env.step(0)
    assert root.env is not env
    assert not root.env.board.any()
    assert not child.env.board.any()
    assert root.expand().env.move_count == 1


def test_expand_makes_one_child_at_a_time_until_nothing_is_left() -> None:
    node = MCTSNode(tictactoe("XOXXOOO..", 1))
    for count in (1, 2):
        child = node.expand()
        assert len(node.children) == count
        assert node.children[child.move_from_parent] is child
        assert child.parent is node
        assert child.env.board[child.move_from_parent] == 1
    assert node.is_fully_expanded()
    with pytest.raises(ValueError, match="tried"):
        node.expand()
    assert list(node.env.board).count(0) == 2  # the node's own position has not moved


def test_uct_is_the_mean_plus_what_speaks_for_looking_again() -> None:
    root = MCTSNode(TicTacToe())
    child = root.expand()
    root.visit_count, child.visit_count, child.total_value = 100, 10, 4.0
    assert child.uct_score(2.0) == pytest.approx(0.4 + 2 * math.sqrt(math.log(100) / 10))
    assert child.uct_score(0.0) == pytest.approx(0.4)


def test_best_child_weighs_value_against_curiosity() -> None:
    root = MCTSNode(TicTacToe())
    with pytest.raises(ValueError, match="no children"):
        root.best_child()
    good, rare = root.expand(), root.expand()
    root.visit_count = 101
    good.visit_count, good.total_value = 100, 50.0
    rare.visit_count, rare.total_value = 1, 0.0
    assert root.best_child(0.0) is good
    assert root.best_child(1.41) is rare


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_results_are_counted_for_who_moved_at_every_depth(depth: int) -> None:
    """A result is player +1's; nodes that +1 moved into gain by it, others lose, at any depth."""
    nodes = [MCTSNode(TicTacToe())]
    for _ in range(depth):
        nodes.append(nodes[-1].expand())
    nodes[-1].back_up(1.0)
    nodes[-1].back_up(0.25)
    assert [node.visit_count for node in nodes] == [2] * (depth + 1)
    assert [node.total_value for node in nodes] == [
        1.25 if ply % 2 == 1 else -1.25 for ply in range(depth + 1)
    ]


def test_a_player_who_moves_twice_is_not_taken_for_the_other() -> None:
    """The mover is asked of the node: nothing is concluded from the depth."""
    root = MCTSNode(TicTacToe())
    child = root.expand()
    child.env.current_player = 1  # as in a game where a move earns another one
    grandchild = child.expand()
    grandchild.back_up(1.0)
    assert (grandchild.total_value, child.total_value, root.total_value) == (1.0, 1.0, -1.0)


# ----------------------------------------------------------------------- values


@pytest.mark.parametrize("tactics", [False, True])
def test_values_do_not_depend_on_how_deep_the_leaf_is(tactics: bool) -> None:
    """O to move draws with an edge and loses with a corner; flipped signs would turn that round."""
    env = tictactoe("X...O...X", -1)
    for simulations in (200, 201, 300, 301):
        solver = MCTSSolver(simulations, tactics=tactics, seed=2, compiled=False)
        evaluations = solver.get_candidate_evaluations(env)
        assert evaluations[1]["value"] > evaluations[2]["value"] + 0.3, simulations


@pytest.mark.parametrize("first", [1, -1])
def test_the_side_to_move_decides_whoever_it_is(first: int) -> None:
    env = TicTacToe()
    env.reset(first_player=first)
    for move in (0, 3, 1, 4):
        env.step(move)
    for maximize in (True, False, None):
        assert MCTSSolver(50, seed=1).search(env, maximize) == 2


def test_simulated_values_approach_the_true_ones() -> None:
    rng = random.Random(5)
    for _ in range(8):
        env = late_position("tictactoe", rng, 6)
        analysis = MCTSSolver(3000, seed=1, compiled=False, tactics=False).analyse(env)
        assert analysis.value == pytest.approx(exact(env), abs=0.12)


def test_the_best_move_is_sound_on_random_positions_of_several_games() -> None:
    rng = random.Random(6)
    for game, empty in (("tictactoe", 7), ("connect-four-4x4", 8), ("reversi-4", 7)):
        for _ in range(4):
            env = late_position(game, rng, empty)
            move = MCTSSolver(1500, seed=3, compiled=False).search(env)
            after = env.copy()
            after.step(move)
            assert exact_after(after, env.current_player) == exact(env), (game, env.board)


# ----------------------------------------------------------------------- proofs


@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize(
    ("game", "empty"), [("tictactoe", 6), ("connect-four-4x4", 7), ("reversi-4", 6)]
)
def test_what_is_proven_is_true(game: str, empty: int, tactics: bool) -> None:
    rng, proven = random.Random(game), 0
    for _ in range(12):
        env = late_position(game, rng, empty)
        analysis = MCTSSolver(600, seed=4, compiled=False, tactics=tactics).analyse(env)
        proven += check_proofs(env, analysis)
    assert proven > 12  # enough was proven for the comparison to mean something


def test_a_win_in_one_is_said_to_be_proven_at_distance_one() -> None:
    analysis = MCTSSolver(100, seed=1).analyse(tictactoe("XX.OO...."))
    assert (analysis.best_move, analysis.outcome, analysis.proven, analysis.distance) == (
        2,
        "win",
        True,
        1,
    )
    assert analysis.line == (2,)


def test_a_fork_is_a_proven_win_in_three() -> None:
    analysis = MCTSSolver(1000, seed=1).analyse(tictactoe("XO..X...O"))
    assert (analysis.outcome, analysis.proven, analysis.distance) == ("win", True, 3)
    assert analysis.best_move in (3, 6)


PLIES: dict[tuple[str, Any], int] = {}


def plies_to_end(env: BaseGameEnv) -> int:
    """With best play, the winner hurrying and the loser taking his time."""
    if env.is_terminal():
        return 0
    key = (env.name, env.get_state_hash())
    if key not in PLIES:
        PLIES[key] = _plies_to_end(env)
    return PLIES[key]


def _plies_to_end(env: BaseGameEnv) -> int:
    wins, others = [], []
    for move in env.get_legal_moves():
        after = env.copy()
        after.step(move)
        plies = 1 + plies_to_end(after)
        result = exact_after(after, env.current_player)
        (wins if result > 0 else others).append((result, plies))
    if wins:
        return min(plies for _, plies in wins)
    best = max(result for result, _ in others)
    return max(plies for result, plies in others if result == best)


@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize(
    ("game", "empty"), [("tictactoe", 6), ("connect-four-4x4", 6), ("reversi-4", 3)]
)
def test_a_distance_that_is_told_is_exact(game: str, empty: int, tactics: bool) -> None:
    rng, told = random.Random(game), 0
    for _ in range(30 if game == "reversi-4" else 15):
        env = late_position(game, rng, empty)
        analysis = MCTSSolver(500, seed=4, compiled=False, tactics=tactics).analyse(env)
        for candidate in analysis.candidates:
            if candidate.distance is not None:
                after = env.copy()
                after.step(candidate.move)
                assert candidate.distance == 1 + plies_to_end(after)
                told += 1
        if analysis.distance is not None:
            assert analysis.distance == plies_to_end(env)
    assert told > 5


def test_moves_that_let_the_opponent_win_at_once_are_known_losses() -> None:
    analysis = MCTSSolver(200, seed=1).analyse(tictactoe("OO..X....", 1))
    assert analysis.best_move == 2
    for candidate in analysis.candidates[1:]:
        assert (candidate.outcome, candidate.proven, candidate.distance) == ("loss", True, 2)


def test_one_drawn_move_does_not_prove_the_position() -> None:
    """Only the root speaks for the position: an unproven move might still win."""
    rng = random.Random(9)
    for _ in range(20):
        env = late_position("tictactoe", rng, 7)
        analysis = MCTSSolver(60, seed=2, compiled=False, tactics=False).analyse(env)
        if analysis.proven and analysis.outcome == "draw":
            assert all(candidate.proven for candidate in analysis.candidates)


# ------------------------------------------------------------------- course API


def test_candidate_evaluations_have_what_the_courses_read() -> None:
    env = ConnectFour()
    solver = MCTSSolver(300, seed=8)
    move = solver.search(env)
    evaluations = solver.get_candidate_evaluations(env)
    assert sorted(evaluations) == env.get_legal_moves()
    assert [m for m, entry in evaluations.items() if entry["is_best"]] == [move]
    assert evaluations[move]["visits"] == max(entry["visits"] for entry in evaluations.values())
    assert sum(entry["visits"] for entry in evaluations.values()) == 300
    for entry in evaluations.values():
        assert set(entry) == {"value", "visits", "uct_score", "reasoning", "is_best"}
        assert isinstance(entry["value"], float)
        assert isinstance(entry["visits"], int)
        assert -1 <= entry["value"] <= 1
        assert entry["uct_score"] >= entry["value"]
        explored, position = entry["reasoning"].split(" explored, ")
        assert explored in WORDS[0]
        assert position.removesuffix(" position") in WORDS[1]


def test_stats_tell_what_was_done() -> None:
    solver = MCTSSolver(200, seed=8, compiled=False)
    solver.search(TicTacToe())
    stats = solver.get_stats()
    assert stats == {
        "nodes_explored": solver.nodes_explored,
        "max_tree_depth": solver.max_tree_depth,
        "simulations": 200,
    }
    assert 0 < stats["nodes_explored"] <= 200
    assert 2 <= stats["max_tree_depth"] <= 9


def test_simulations_are_those_really_run() -> None:
    solver = MCTSSolver(500, seed=1)
    solver.search(tictactoe("XX.OO...."))
    assert solver.get_stats()["simulations"] == 1  # the first one proves the win


def test_a_finished_game_has_no_move() -> None:
    env = tictactoe("XXXOO....", -1)
    solver = MCTSSolver(10)
    with pytest.raises(ValueError, match="over"):
        solver.search(env)
    with pytest.raises(ValueError, match="over"):
        solver.get_candidate_evaluations(env)
    assert solver.analyse(env).candidates == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"num_simulations": 0},
        {"num_simulations": 1.5},
        {"max_depth": -1},
        {"c": -1},
        {"c": math.nan},
        {"max_memory_mb": 0},
    ],
)
def test_impossible_settings_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(arguments))):
        MCTSSolver(**arguments)


def test_a_search_leaves_the_game_alone() -> None:
    env = ConnectFour()
    env.step(3)
    before = (env.get_state_hash(), env.history, env.move_count)
    MCTSSolver(50, compiled=False).search(env)
    assert (env.get_state_hash(), env.history, env.move_count) == before


# ------------------------------------------------------------------- max_depth


class Optimist(ConnectFour):
    """Connect Four whose heuristic is sure that player −1 wins."""

    def evaluate_heuristic(self, player: int) -> float:
        return self.get_result(player) if self.is_terminal() else -0.5 * player


@pytest.mark.parametrize("max_depth", [0, 1, 2, 3])
def test_a_cut_playout_is_worth_what_the_heuristic_says(max_depth: int) -> None:
    """No win is near, so every simulation ends in the heuristic, and its sign stays put."""
    for player, value in ((1, -0.5), (-1, 0.5)):
        env = Optimist()
        env.reset(first_player=player)
        tree = PythonTree(env, Settings(max_depth=max_depth), 1)
        tree.run(60)
        for child in tree.root.children.values():
            assert child.total_value / child.visit_count == value


# --------------------------------------------------------------------- any game


def test_a_game_of_eight_methods_is_solved() -> None:
    for stones in (5, 6, 7, 8):
        env = Nim(stones)
        analysis = MCTSSolver(800, seed=1).analyse(env)
        assert analysis.proven
        losing = stones % 4 == 0
        assert analysis.outcome == ("loss" if losing else "win")
        if not losing:  # leave a multiple of four
            assert (analysis.best_move or 0) + 1 == stones % 4


# ------------------------------------------------------------- engine, in Python


def test_it_is_an_engine() -> None:
    assert isinstance(MCTSSolver(), Engine)
    assert MCTSSolver().name == "mcts"


def test_the_same_seed_gives_the_same_answer_and_none_is_told() -> None:
    env = Reversi(4)
    first = MCTSSolver(100, seed=5, compiled=False).analyse(env)
    second = MCTSSolver(100, seed=5, compiled=False).analyse(env)
    assert first.candidates == second.candidates
    drawn = MCTSSolver(100, compiled=False).analyse(env)
    again = MCTSSolver(100, seed=drawn.seed, compiled=False).analyse(env)
    assert drawn.candidates == again.candidates


def test_limits_by_simulations_and_nodes() -> None:
    solver = MCTSSolver(50, compiled=False, seed=1)
    env = ConnectFour()
    assert solver.analyse(env).simulations == 50
    assert solver.analyse(env, Limit(simulations=20)).simulations == 20
    assert solver.analyse(env, Limit(nodes=15)).nodes == 15
    assert solver.analyse(env, Limit(depth=3)).simulations == 50


def test_stopped_searches_answer_with_what_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_REPORT_EVERY", 0.0)  # progress by work, not by time
    stop = HeardStop()
    seen: list[Analysis] = []

    def on_progress(analysis: Analysis) -> None:
        seen.append(analysis)
        stop.set()
        raise RuntimeError("a listener's mistake is not the search's")

    analysis = MCTSSolver(compiled=False).analyse(
        make_game("gomoku-15"), Limit(simulations=5000), on_progress, stop
    )
    assert len(seen) == 1
    assert seen[0].simulations is not None
    assert 0 < seen[0].simulations <= (analysis.simulations or 0) < 5000
    assert len(seen[0].candidates) == 225


def test_a_search_stopped_before_it_began_still_names_a_legal_move() -> None:
    stop = threading.Event()
    stop.set()
    for compiled in (False, True):
        analysis = MCTSSolver(compiled=compiled).analyse(ConnectFour(), stop=stop)
        assert analysis.best_move in range(7)
        assert analysis.simulations == 0


def test_time_limits_end_the_search() -> None:
    begin = time.perf_counter()
    analysis = MCTSSolver(compiled=False).analyse(ConnectFour(), Limit(time=0.1))
    assert 0.1 <= analysis.elapsed <= time.perf_counter() - begin  # how late: see the benchmarks


def test_a_full_tree_is_searched_on_and_says_so() -> None:
    analysis = MCTSSolver(60, max_memory_mb=0.1, compiled=False, seed=1).analyse(ConnectFour())
    assert analysis.simulations == 60
    assert analysis.nodes is not None
    assert analysis.nodes < 50
    assert "cap of 0.1 MB" in analysis.notes[0]
    assert not MCTSSolver(50, compiled=False).analyse(ConnectFour()).notes


def test_the_tree_is_reused_when_the_game_goes_on() -> None:
    env = ConnectFour()
    solver = MCTSSolver(100, seed=1, compiled=False, reuse_tree=True)
    first = solver.analyse(env)
    assert first.best_move is not None
    expected = first.tree(2, 7).children[0].children[0]
    env.step(first.best_move)
    assert expected.move is not None
    env.step(expected.move)
    second = solver.analyse(env, Limit(simulations=10))
    assert second.simulations == 10
    assert second.tree(0).visits == expected.visits + 10
    assert first.tree(2, 7).children[0].children[0].visits >= expected.visits


def test_another_game_or_another_past_is_not_taken_for_a_descendant() -> None:
    solver = MCTSSolver(60, seed=1, compiled=False, reuse_tree=True)
    env = ConnectFour()
    env.step(3)
    solver.analyse(env)
    other = ConnectFour()
    other.step(2)
    assert solver.analyse(other).tree(0).visits == 60
    assert solver.analyse(TicTacToe()).tree(0).visits == 60


def test_the_tree_view_adds_up() -> None:
    analysis = MCTSSolver(120, seed=1, compiled=False).analyse(ConnectFour())
    view = analysis.tree(depth=2, top=3)
    assert view.move is None
    assert view.visits == 120
    assert len(view.children) == 3
    assert [child.visits for child in view.children] == sorted(
        (child.visits for child in view.children), reverse=True
    )
    for child in view.children:
        candidate = analysis.candidate(child.move or 0)
        assert (child.name, child.visits, child.value) == (
            candidate.name,
            candidate.visits,
            candidate.value,
        )
        assert child.exploitation + child.exploration == pytest.approx(candidate.uct)
        assert child.children
        assert not child.children[0].children


# ------------------------------------------------------------------------- proofs, piece by piece


def test_moves_not_tried_yet_leave_a_position_open() -> None:
    for result in (-1.0, 0.0):
        root = MCTSNode(TicTacToe())
        root.expand().proven_result = result
        root.conclude()
        assert root.proven_result is None
    root = MCTSNode(TicTacToe())
    root.expand().proven_result = 1.0  # one win is enough
    root.conclude()
    assert root.proven_result == 1.0


def test_all_moves_together_prove_the_best_of_them() -> None:
    for player, expected in ((1, 0.0), (-1, -1.0)):
        env = TicTacToe()
        env.reset(first_player=player)
        root = MCTSNode(env)
        for result in itertools.islice(itertools.cycle((0.0, -1.0)), 9):
            root.expand().proven_result = result
        root.conclude()
        assert root.proven_result == expected


def test_a_lost_move_is_looked_at_only_when_all_are_lost() -> None:
    root = MCTSNode(TicTacToe())
    lost, other = root.expand(), root.expand()
    lost.proven_result = -1.0  # never visited, so its UCT score is infinite
    other.visit_count, other.total_value = 10, -10.0
    assert root.best_child() is other
    other.proven_result = -1.0
    assert root.best_child() is lost


def test_what_is_kept_of_a_tree_counts_towards_its_cap() -> None:
    tree = PythonTree(ConnectFour(), Settings(max_memory_mb=0.2), seed=1)
    tree.run(200)
    assert tree.full
    room = tree.nodes + 1
    favourite = tree.root.favourite()
    assert favourite is not None
    assert favourite.move_from_parent is not None
    assert tree.advance([favourite.move_from_parent])
    tree.reset_counts()
    tree.run(200)
    assert tree.full
    assert tree.nodes < room - 1


def ended(outcome: str) -> Any:
    return SimpleNamespace(outcome=outcome, ended=True, children={})


def node(outcome: str | None, *children: Any) -> Any:
    return SimpleNamespace(outcome=outcome, ended=False, children=dict(enumerate(children)))


def test_a_distance_is_told_only_where_nothing_can_be_faster() -> None:
    one = node("loss", ended("win"), node(None))
    two = node("win", one)
    three = node("loss", two, node(None))
    assert [distance(each, sees_wins=False) for each in (one, two, three)] == [1, 2, None]
    assert [distance(each, sees_wins=True) for each in (one, two, three)] == [1, 2, 3]
    assert distance(node("win", one, three), sees_wins=True) == 4  # the loser takes the longest
    assert distance(node("win", one, three), sees_wins=False) is None
    assert distance(node("loss", node("win", three)), sees_wins=True) is None
    assert distance(node("draw", ended("draw")), sees_wins=True) is None
    assert distance(ended("win"), sees_wins=True) == 0


def test_candidates_come_fast_wins_first_and_slow_losses_before_fast_ones() -> None:
    def child(move: int, visits: int, shape: Any, mean: float = 0.0) -> Any:
        shape.move_from_parent, shape.visit_count = move, visits
        shape.total_value, shape.prior, shape.favourite = mean * visits, None, lambda: None
        return shape

    one = node("loss", ended("win"))
    moves = {
        0: child(0, 50, node("win", one)),  # wins in 3 plies
        1: child(1, 2, ended("win")),
        2: child(2, 30, node(None), mean=0.5),
        3: child(3, 40, node(None), mean=-0.5),
        4: child(4, 20, node("loss", node("win", one))),  # loses in 4
        5: child(5, 1, node("draw")),
    }
    root = SimpleNamespace(children=moves, visit_count=143)
    how: dict[str, Any] = {"sees_wins": True, "priors": {}}
    plain = {6: PlainResult(-1.0, (6, 0))}
    found = candidates(root, range(7), plain, str, uct_bonus(1.0), **how)  # type: ignore[arg-type]
    assert [c.move for c in found] == [1, 0, 3, 2, 5, 4, 6]
    assert [c.distance for c in found] == [1, 3, None, None, None, 4, 2]
    trusted = candidates(  # type: ignore[arg-type]
        root, range(7), plain, str, uct_bonus(1.0), trusted=0.5, **how
    )
    assert [c.move for c in trusted] == [1, 0, 2, 3, 5, 4, 6]  # enough visits: by value


@pytest.mark.parametrize("change", [{"c": 0.5}, {"tactics": False}, {"max_depth": 3}])
def test_a_tree_grown_with_other_settings_is_not_reused(change: dict[str, Any]) -> None:
    env, solver = ConnectFour(), MCTSSolver(60, reuse_tree=True, compiled=False, seed=1)
    first = solver.analyse(env)
    assert first.best_move is not None
    env.step(first.best_move)
    assert solver.analyse(env).tree(0).visits > 60  # reused
    for name, value in change.items():
        setattr(solver, name, value)
    env.step(3)
    assert solver.analyse(env).tree(0).visits == 60


def test_the_tree_of_another_position_without_history_is_not_reused() -> None:
    env, other = ConnectFour(), ConnectFour()
    for game, column in ((env, 0), (other, 3)):
        board = np.zeros(42, dtype=np.int8)
        board[column] = 1
        game.set_position(board, -1)
    solver = MCTSSolver(60, reuse_tree=True, compiled=False, seed=1)
    assert solver.analyse(env).tree(0).visits == 60
    assert solver.analyse(env).tree(0).visits == 120  # the same position: its tree grows
    assert solver.analyse(other).tree(0).visits == 60


# --------------------------------------------------------------- own simulations


class Likes(MCTSSolver):
    """Thinks that X wins exactly if it has the cell ``liked``."""

    liked = 6
    asked = 0

    def _simulate(self, env: BaseGameEnv) -> float:
        self.asked += 1
        return 1.0 if env.board[self.liked] == 1 else -1.0


class LikingTree(PythonTree):
    def _simulate(self, env: BaseGameEnv) -> float:
        return 1.0 if env.board[6] == 1 else -1.0


class LikesByTree(MCTSSolver):
    tree_class = LikingTree


@pytest.mark.parametrize("kind", [Likes, LikesByTree])
@pytest.mark.parametrize("compiled", [None, True, False])
def test_a_subclass_may_have_its_own_simulation(
    kind: type[MCTSSolver], compiled: bool | None
) -> None:
    env = make_game("tictactoe-5x5x5")
    solver = kind(1500, compiled=compiled, tactics=False, seed=1)  # enough to be compiled
    assert solver.search(env) == 6
    assert solver.get_stats()["simulations"] == 1500
    assert solver.get_candidate_evaluations(env)[6]["value"] > 0.5
    if isinstance(solver, Likes):
        assert solver.asked == 1500
    assert not env.board.any()


def test_an_own_simulation_may_use_the_usual_one() -> None:
    class Counted(MCTSSolver):
        asked = 0

        def _simulate(self, env: BaseGameEnv) -> float | None:
            self.asked += 1
            return super()._simulate(env)

    env = ConnectFour()
    counted = Counted(60, seed=5)
    plain = MCTSSolver(60, seed=5, compiled=False)
    assert counted.get_candidate_evaluations(env) == plain.get_candidate_evaluations(env)
    assert counted.asked == 60
    with pytest.raises(RuntimeError, match="called by search"):
        Counted()._simulate(env)


def test_a_simulation_may_be_set_on_one_solver() -> None:
    solver = MCTSSolver(1500, compiled=True, tactics=False, seed=1)
    solver._simulate = lambda env: float(env.board[3] == 1)  # type: ignore[method-assign]
    assert solver.search(make_game("tictactoe-5x5x5")) == 3


@pytest.mark.parametrize(
    ("wrong", "error"), [(None, TypeError), ("1", TypeError), (2.0, ValueError)]
)
def test_a_simulation_without_a_result_is_refused(wrong: Any, error: type[Exception]) -> None:
    class Forgot(MCTSSolver):
        def _simulate(self, env: BaseGameEnv) -> Any:
            return wrong

    with pytest.raises(error, match=f"_simulate must return a result .* not {wrong!r}"):
        Forgot(10).search(TicTacToe())
