"""What people override in a subclass of our games and solvers is called, or refused by name."""

import pickle
from math import inf

import numpy as np
import pytest

from rl_toolkit.algorithms.by_game.compiled_rules import rules_are_known
from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import TraceError, trace_search
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, TicTacToe, make_game
from rl_toolkit.players import Player, Spec, SpecError, make_engine

# --- games -----------------------------------------------------------------------------------

CENTRE_FIRST = [4, 0, 2, 6, 8, 1, 3, 5, 7]


def by_super_actions(self):
    return sorted(super(type(self), self).get_legal_actions(), key=CENTRE_FIRST.index)


def by_super_moves(self):
    return sorted(super(type(self), self).get_legal_moves(), key=CENTRE_FIRST.index)


def by_own_moves(self):
    return sorted(self.get_legal_moves(), key=CENTRE_FIRST.index)


def by_the_board(self):
    return np.array([cell for cell in CENTRE_FIRST if self.board[cell] == 0])


@pytest.mark.parametrize("actions", [by_super_actions, by_super_moves, by_own_moves, by_the_board])
def test_legal_actions_of_a_subclass_are_its_legal_moves(actions):
    game = type("CentreFirst", (TicTacToe,), {"get_legal_actions": actions})
    env = game()
    assert env.get_legal_moves() == list(env.get_legal_actions()) == CENTRE_FIRST
    assert all(type(move) is int for move in env.get_legal_moves())
    for move in (4, 0, 2, 6, 3, 5, 1, 7, 8):
        env.copy().get_legal_moves()
        env.step(move)
    assert env.get_legal_moves() == []


def test_an_order_of_legal_actions_orders_the_search():
    env = type("CentreFirst", (TicTacToe,), {"get_legal_actions": by_own_moves})()
    solver = MinimaxSolver(use_memoization=False, compiled=True)
    assert (solver._minimax(env), solver.nodes_evaluated) == (0.0, 7_275)


def test_each_class_may_override_either_name():
    class Thinner(TicTacToe):
        def get_legal_moves(self):
            return super().get_legal_moves()[:3]

    class Reversed(Thinner):
        def get_legal_actions(self):
            return super().get_legal_actions()[::-1]

    class Same(Reversed):
        pass

    class Shorter(Same):
        def get_legal_actions(self):
            return super().get_legal_actions()[:2]

    for game, moves in ((Thinner, [0, 1, 2]), (Same, [2, 1, 0]), (Shorter, [2, 1])):
        assert game().get_legal_moves() == moves
    assert Thinner().get_legal_actions() == [0, 1, 2]


def test_another_landing_row_is_another_game_to_machine_code():
    class Ceiling(ConnectFour):
        def _find_lowest_row(self, col):
            rows = [row for row in range(self.rows) if not self.board[row * self.cols + col]]
            return rows[-1] if rows else None

    env = Ceiling(4, 4, 3)
    env.step(0)
    assert env.last_move == 12
    assert rules_are_known(ConnectFour())
    assert not rules_are_known(env)


@pytest.mark.parametrize(
    ("base", "name", "instead"),
    [
        (TicTacToe, "_check_winner", r"verdict\(self, cell=None\)"),
        (TicTacToe, "_is_winning_segment", r"verdict\(self, cell=None\)"),
        (ConnectFour, "_check_win_from_position", r"verdict\(self, cell=None\)"),
        (ConnectFour, "_evaluate_window", r"evaluate_heuristic\(self, player\)"),
        (MCTSSolver, "_count_nodes", r"get_stats\(self\)"),
        (MCTSSolver, "_max_depth", r"get_stats\(self\)"),
    ],
)
def test_a_method_that_is_never_called_is_refused_at_its_definition(base, name, instead):
    sentence = f"Mine overrides {name}, which {base.__name__} never calls; override {instead}"
    with pytest.raises(TypeError, match=sentence):
        type("Mine", (base,), {name: lambda self: 0})
    mixin = type("Mixin", (), {name: lambda self: 0})
    with pytest.raises(TypeError, match=sentence):
        type("Mine", (mixin, base), {})


def test_such_names_are_free_for_helpers_and_for_classes_on_the_base():
    class Mine(TicTacToe):
        def verdict(self, cell=None):
            return self._check_winner(cell)

        def _check_winner(self, cell):
            return super().verdict(cell)

    class Weighed(Gomoku):
        def evaluate_heuristic(self, player):
            return self._evaluate_window()

        def _evaluate_window(self):
            return 0.5

    class Student(BaseGameEnv):
        def _check_winner(self):
            return None

        def get_legal_actions(self):
            return [0]

        def step(self, move):
            return None

    assert Mine().after([0, 3, 1, 4, 2]).winner == 1
    assert Weighed(9).evaluate_heuristic(1) == 0.5
    assert Student(3)._check_winner() is None


# --- minimax ---------------------------------------------------------------------------------


class Counting(MinimaxSolver):
    """The textbook, with a count of the calls."""

    calls = 0

    def _minimax(self, env, depth=0, maximize=None, alpha=-inf, beta=inf):
        self.calls += 1
        return super()._minimax(env, depth, maximize, alpha, beta)


@pytest.mark.parametrize("pruning", [True, False])
@pytest.mark.parametrize("table", [True, False])
@pytest.mark.parametrize("moves", [[0, 4, 8], pytest.param([4], marks=pytest.mark.full)])
def test_an_own_minimax_sees_every_position(moves, pruning, table):
    env = make_game("tictactoe").after(moves)
    own = Counting(use_pruning=pruning, use_memoization=table)
    ours = MinimaxSolver(use_pruning=pruning, use_memoization=table, compiled=False)
    assert own.get_best_action(env) == ours.get_best_action(env)
    assert own.calls == own.nodes_evaluated == ours.nodes_evaluated
    assert own.cache_hits == ours.cache_hits
    assert dict(own.memo) == dict(ours.memo)
    for solver in (own, ours):
        solver.reset_stats()
    assert own._minimax(env) == ours._minimax(env) == 0.0
    assert own.nodes_evaluated == ours.nodes_evaluated


def test_an_own_minimax_has_the_same_horizon():
    env = ConnectFour(4, 5, 3).after([0, 1])
    own, ours = Counting(3), MinimaxSolver(3, compiled=False)
    assert own.get_candidate_evaluations(env) == ours.get_candidate_evaluations(env)
    assert own.nodes_evaluated == ours.nodes_evaluated > 50


class Material(MinimaxSolver):
    """Its own search, on a scale of its own and with a table of its own; it never calls ours."""

    def _minimax(self, env, depth, maximize, alpha, beta):
        key = env.board.tobytes()
        if key not in self.memo:
            if env.is_terminal():
                self.memo[key] = (10 - depth) * env.get_result(1)
            else:
                after = (env.after([move]) for move in env.get_legal_moves())
                best = max if maximize else min
                self.memo[key] = best(
                    self._minimax(each, depth + 1, not maximize, alpha, beta) for each in after
                )
        return self.memo[key]


def test_an_own_search_is_asked_by_every_method():
    env = make_game("tictactoe").after([0, 3, 1, 4])
    solver = Material()
    assert solver.get_best_action(env) == 2
    found = solver.get_candidate_evaluations(env)
    assert {move: each["value"] for move, each in found.items()} == {
        2: 9.0, 5: 0.0, 6: -8.0, 7: -8.0, 8: -8.0
    }  # fmt: skip
    assert [move for move, each in found.items() if each["is_best"]] == [2]
    analysis = solver.analyse(env)
    assert [each.move for each in analysis] == [2, 5, 6, 7, 8]
    assert [each.value for each in analysis] == [1, 0, -1, -1, -1]
    assert not any(each.proven for each in analysis)
    assert analysis.notes == ("The values are those of Material._minimax",)
    solver.reset_stats()
    assert len(solver.memo) == 0


def test_an_own_minimax_keeps_within_its_limits():
    env = ConnectFour()
    solver, seen = Counting(), []
    analysis = solver.analyse(env, Limit(depth=2), seen.append)
    assert solver.calls == 56
    assert (analysis.nodes, len(seen), solver.max_depth) == (56, 7, None)
    cut = solver.analyse(env, Limit(nodes=500))
    assert cut.nodes == 501
    assert cut.notes == ("Counting._minimax valued no move in time; set max_depth",)
    assert [each.value for each in cut] == [None] * 7
    assert solver.analyse(env, Limit(depth=1)).nodes == 7


def test_one_table_is_not_used_for_two_games():
    solver = Counting()
    assert solver._minimax(TicTacToe((3, 3), 3).after([0, 3, 1, 4])) == 1

    class Reversed(TicTacToe):
        def get_result(self, player):
            return -super().get_result(player)

    assert solver._minimax(Reversed().after([0, 3, 1, 4])) == 0  # X must not complete the row


@pytest.mark.parametrize(
    ("returned", "told"), [(None, "returned None; it must return a number"), (np.nan, "nan")]
)
def test_an_own_minimax_must_return_a_number(returned, told):
    mine = type("Mine", (MinimaxSolver,), {"_minimax": lambda *arguments: returned})
    with pytest.raises(TypeError, match=f"Mine._minimax .*{told}"):
        mine().get_best_action(make_game("tictactoe"))


def test_techniques_that_an_own_minimax_cannot_use_are_named():
    with pytest.raises(ValueError, match="has its own _minimax, which does not use use_ordering"):
        Counting.strong().analyse(make_game("tictactoe"))
    with pytest.raises(ValueError, match="does not use use_distance; switch that off"):
        Counting(use_distance=True).get_best_action(make_game("tictactoe"))
    with pytest.raises(TraceError, match="Counting has its own _minimax, which has no trace"):
        trace_search(make_game("tictactoe"), Counting(2))


def test_a_method_that_is_assigned_to_the_object_counts():
    solver, calls = MinimaxSolver(), []
    ours = solver._minimax
    solver._minimax = lambda *arguments: calls.append(1) or ours(*arguments)
    solver.get_best_action(make_game("tictactoe").after([0, 4, 8]))
    assert len(calls) == solver.nodes_evaluated == 305


@pytest.mark.parametrize("player", [1, -1])
def test_own_words_replace_ours(player):
    class Shouting(MinimaxSolver):
        def _generate_reasoning(self, value, from_perspective):
            return f"{value:+.0f} {from_perspective} {super()._generate_reasoning(1, True)}!"

    env = make_game("tictactoe")
    env.reset(first_player=player)
    found = Shouting(1).get_candidate_evaluations(env.after([0, 3, 1, 4]))
    assert found[2]["reasoning"] == f"{player:+} {player == 1} Seems to be winning!"


# --- tree search -----------------------------------------------------------------------------


def test_an_own_backup_and_own_words_are_used():
    class Mine(MCTSSolver):
        counted = 0

        def _backpropagate(self, node, result):
            self.counted += 1
            super()._backpropagate(node, result)

        def _generate_reasoning(self, value, visits):
            return f"{visits} visits, {super()._generate_reasoning(value, visits)}"

    env = ConnectFour()
    mine, ours = Mine(60, seed=1, compiled=True), MCTSSolver(60, seed=1, compiled=False)
    assert mine.search(env) == ours.search(env)
    assert mine.counted == 60
    found, usual = mine.get_candidate_evaluations(env), ours.get_candidate_evaluations(env)
    for move, each in usual.items():
        each["reasoning"] = f"{each['visits']} visits, {each['reasoning']}"
        assert found[move] == each
    with pytest.raises(TraceError, match="Mine has its own _backpropagate, which has no trace"):
        trace_search(env, mine)


def test_the_sign_error_of_the_course_shows():
    class FromTheLeaf(MCTSSolver):
        def _backpropagate(self, node, result):
            while node is not None:
                node.visit_count += 1
                node.total_value += result
                result, node = -result, node.parent

    env = make_game("tictactoe")
    wrong = FromTheLeaf(100, seed=1, tactics=False).get_candidate_evaluations(env)
    right = MCTSSolver(100, seed=1, tactics=False).get_candidate_evaluations(env)
    assert sum(each["visits"] for each in wrong.values()) == 100
    assert wrong != right


# --- an evaluation of one's own --------------------------------------------------------------


def corner(env, player):
    """Whoever has a1 is winning."""
    return 0.5 * player * float(env.board[0])


@pytest.mark.parametrize("compiled", [None, True])
def test_a_function_evaluates_the_horizon(compiled):
    env = ConnectFour()
    solver = MinimaxSolver(2, evaluate=corner, compiled=compiled)
    assert solver.get_best_action(env) == 0
    assert solver._minimax(env) == 0.5
    assert [each.value for each in solver.analyse(env)] == [0.5] + [-0.5] * 6
    assert trace_search(env, solver).data["answer"]["value"] == 0.5
    ours = MinimaxSolver(2, evaluate=ConnectFour.evaluate_heuristic)
    usual = MinimaxSolver(2, compiled=False)
    assert ours.get_candidate_evaluations(env) == usual.get_candidate_evaluations(env)
    assert ours.nodes_evaluated == usual.nodes_evaluated
    solver.compiled, solver.evaluate = False, None
    assert solver.get_best_action(env) != 0


def test_an_own_minimax_uses_the_function():
    assert Counting(2, evaluate=corner).get_best_action(ConnectFour()) == 0


def test_a_game_without_a_heuristic_gets_values_by_the_function():
    env = make_game("tictactoe-4x4x4")
    blind = type("Blind", (TicTacToe,), {"evaluate_heuristic": BaseGameEnv.evaluate_heuristic})
    assert MinimaxSolver(1, compiled=False).analyse(blind(4)).best.value is None
    assert MinimaxSolver(1, evaluate=corner).analyse(blind(4)).best.value == 0.5
    assert make_engine("minimax:depth=1", evaluate=corner).analyse(env).best.move == 0


def test_a_player_with_a_function_stays_in_its_process():
    player = make_engine("minimax:depth=2", evaluate=corner)
    assert repr(player) == "<Player minimax:depth=2, evaluate=corner>"
    assert player.analyse(ConnectFour()).best_move == 0
    around = Player(MinimaxSolver(2, evaluate=corner), Limit(), Spec("minimax"))
    for each in (player, around):
        with pytest.raises(TypeError, match=r"evaluate=corner cannot be sent to another process"):
            pickle.dumps(each)


@pytest.mark.parametrize(
    ("evaluate", "error", "told"),
    [
        (3, TypeError, "evaluate must be a function f.env, player. .* not 3"),
        (lambda env, player: None, TypeError, "<lambda> returned None, not a number"),
        (lambda env, player: 35, ValueError, "returned 35, which is not .* divide by the largest"),
        (lambda env, player: np.nan, ValueError, "returned nan, which is not a value"),
    ],
)
def test_functions_that_evaluate_nothing_are_refused(evaluate, error, told):
    with pytest.raises(error, match=told):
        make_engine("minimax:depth=1", evaluate=evaluate).analyse(ConnectFour())


def test_only_minimax_takes_a_function():
    with pytest.raises(SpecError, match="mcts takes no evaluate; use minimax"):
        make_engine("mcts", evaluate=corner)
