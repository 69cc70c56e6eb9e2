"""Classes on `BaseGameEnv` that keep a matrix, rows of text, pairs as moves: they simply work."""

import copy
import pickle
import re

import numpy as np
import pytest
from course_games import LINES, winner_among

from rl_toolkit.adapting import AdaptedGame, adapt, on_base
from rl_toolkit.algorithms.mcts import MCTSNode, MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import (
    AdaptationError,
    BaseGameEnv,
    GameError,
    GameTraits,
    TicTacToe,
    adapt_game,
    as_game,
    play_move,
)
from rl_toolkit.players import make_player
from rl_toolkit.testing import check_game


class Matrix(BaseGameEnv):
    """A NumPy matrix and pairs as moves, in five methods, as the first handout's readers type."""

    def __init__(self):
        super().__init__(3)
        self.reset()

    def reset(self):
        self.board = np.zeros((3, 3), dtype=int)
        self.current_player = 1
        self.done = False
        self.winner = None
        return self.board.copy()

    def get_legal_actions(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r, c] == 0]

    def step(self, action):
        row, col = action
        self.board[row, col] = self.current_player
        if winner_among(self.board.ravel().tolist(), 0):
            self.done, self.winner = True, self.current_player
        elif not (self.board == 0).any():
            self.done, self.winner = True, 0
        self.current_player *= -1
        return self.board.copy(), 0, self.done, {}

    def copy(self):
        twin = Matrix()
        twin.board = self.board.copy()
        twin.current_player = self.current_player
        twin.done, twin.winner = self.done, self.winner
        return twin


class RowsOfText(BaseGameEnv):
    """Lists of text, players X and O, row and column as two arguments; no call of the base."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.board = [[" "] * 3 for _ in range(3)]
        self.current_player = "X"
        self.done, self.winner = False, None

    def get_legal_actions(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r][c] == " "]

    def step(self, row, col):
        print("played", row, col)
        self.board[row][col] = self.current_player
        cells = [cell for row in self.board for cell in row]
        if winner_among(cells, " "):
            self.done, self.winner = True, self.current_player
        elif cells.count(" ") == 0:
            self.done, self.winner = True, "draw"
        self.current_player = "O" if self.current_player == "X" else "X"

    def copy(self):
        return copy.deepcopy(self)


class FlatPairs(BaseGameEnv):
    """The base's own board, flat; only the moves are pairs. The winner is told by a method."""

    def __init__(self):
        super().__init__(3)

    def get_legal_actions(self):
        return [divmod(k, 3) for k in range(9) if self.board[k] == 0]

    def step(self, action):
        self.board[3 * action[0] + action[1]] = self.current_player
        self.current_player = -self.current_player

    def check_win(self, player):
        return any(all(self.board[k] == player for k in line) for line in LINES)


class ListMethods(BaseGameEnv):
    """A flat list of numbers, as the base wants it, but used as a list: an array has no count."""

    def __init__(self):
        self.board, self.current_player = [0] * 9, 1
        self.done, self.winner = False, None

    def get_legal_actions(self):
        return [k for k in range(9) if self.board[k] == 0]

    def step(self, action):
        self.board[action] = self.current_player
        if winner_among(self.board, 0):
            self.done, self.winner = True, self.current_player
        elif self.board.count(0) == 0:
            self.done = True
        self.current_player = -self.current_player


class OneTwo(Matrix):
    """Players 1 and 2."""

    def step(self, action):
        self.board[action] = self.current_player
        self.winner = winner_among(self.board.ravel().tolist(), 0)
        self.done = self.winner is not None or not (self.board == 0).any()
        self.current_player = 3 - self.current_player

    def copy(self):
        return copy.deepcopy(self)


class Eight(Matrix):
    """All eight methods, on a matrix."""

    def get_legal_moves(self):
        return [] if self.is_terminal() else np.flatnonzero(self.board == 0).tolist()

    def get_legal_actions(self):
        return self.get_legal_moves()

    def step(self, move):
        return super().step(divmod(move, 3))

    def is_terminal(self):
        return self.check_win(1) or self.check_win(-1) or not (self.board == 0).any()

    def check_win(self, player):
        return winner_among(self.board.ravel().tolist(), 0) == player

    def get_result(self, player):
        return float(self.winner * player)

    def get_state_hash(self):
        return self.board.tobytes() + bytes([self.current_player + 1])


CLASSES = (Matrix, RowsOfText, FlatPairs, ListMethods, OneTwo, Eight)
each_class = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)


@each_class
def test_the_laws_hold(cls):
    check_game(cls, games=1, seed=2)


@each_class
def test_solvers_and_players_take_objects_and_answer_with_its_own_moves(cls):
    game = cls()
    for move in (0, 3, 1, 4):
        play_move(game, move)
    assert as_game(game).board.tolist() == [1, 1, 0, -1, -1, 0, 0, 0, 0]
    own = next(iter(game.get_legal_actions()))
    assert own in (2, (0, 2))
    assert MinimaxSolver().get_best_action(game) == own
    assert MCTSSolver(60, seed=1).search(game) == own
    assert MCTSNode(game).env.get_legal_moves() == [2, 5, 6, 7, 8]
    player = make_player("tictactoe", "minimax")
    assert player.play(game).best_move == 2
    env = as_game(game)
    assert (env.is_terminal(), env.winner) == (True, 1)


def test_it_is_the_game_that_it_looks_like():
    for cls in CLASSES:
        one, two = adapt_game(cls)(), TicTacToe()
        for move in (4, 0, 8, 2, 1, 7, 6, 3, 5):
            assert one.get_legal_moves() == two.get_legal_moves()
            assert one.step(move)[1:3] == two.step(move)[1:3]
            assert one.board.tolist() == two.board.tolist()
        assert one.winner == 0


def test_objects_stay_as_the_class_made_them():
    game = RowsOfText()
    game.step(1, 1)
    assert game.board == [[" ", " ", " "], [" ", "X", " "], [" ", " ", " "]]
    assert (game.current_player, game.done, game.winner) == ("O", False, None)
    assert game.get_legal_moves() == game.get_legal_actions()
    board, reward, done, info = Matrix().step((0, 2))
    assert (board.tolist()[0], reward, done, info) == ([0, 0, 1], 0, False, {})
    assert FlatPairs().copy().reset().tolist() == [0] * 9


def test_the_rest_is_answered_by_the_adapted_game():
    game = RowsOfText()
    for row, col in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)):
        game.step(row, col)
    assert (game.get_result(1), game.check_win(-1), game.is_terminal()) == (1.0, False, True)
    assert game.get_state_hash() == as_game(game).get_state_hash()
    assert (game.move_name(4), game.parse_move("c1"), game.num_moves) == ("b2", 2, 9)
    assert repr(game) == "<rows-of-text: 5 moves played, over>"
    assert str(game) == as_game(game).render(mode="ansi")
    assert game.to_svg().startswith("<svg")
    assert game == copy.deepcopy(game)
    assert game != RowsOfText()
    for ask in (game.undo, lambda: game.history, lambda: game.set_position([0] * 9, 1)):
        with pytest.raises(GameError, match=r"RowsOfText keeps .* adapt_game\(RowsOfText\(\)\)"):
            ask()


def test_pickles_of_games_and_of_objects():
    env = adapt_game(RowsOfText())
    env.step(4)
    assert pickle.loads(pickle.dumps(env)) == env
    sent = pickle.dumps(env)
    on_base.forget_forms()  # a worker that has not made one yet
    adapt._ADAPTED.pop(RowsOfText)
    received = pickle.loads(sent)
    received.step(0)
    assert (received.history, received.board.tolist()) == ([4, 0], [-1, 0, 0, 0, 1, 0, 0, 0, 0])
    game = pickle.loads(pickle.dumps(RowsOfText()))
    assert MinimaxSolver(max_depth=1).get_best_action(game) in game.get_legal_actions()


def test_a_subclass_chooses_its_own_form():
    class Parent(Matrix):
        pass

    class Numbers(Parent):
        def reset(self):
            super().reset()
            self.board = np.zeros(9, dtype=int)

        def get_legal_actions(self):
            return [k for k in range(9) if not self.board[k]]

        def step(self, action):
            self.board[action] = self.current_player
            self.done = bool(self.board.all())
            self.current_player *= -1

        copy = BaseGameEnv.copy

    env = Numbers()
    assert isinstance(as_game(Parent()), AdaptedGame)  # after the subclass was defined
    env.step(4)
    assert as_game(env) is env
    assert (env.history, env.undo(), env.move_name(4)) == ([4], 4, "b2")
    assert env == Numbers()


def test_declared_traits_are_kept():
    class Declared(Matrix):
        traits = GameTraits(title="Noughts", pieces=("Cross", "Nought"))

    traits = adapt_game(Declared).traits
    assert (traits.title, traits.pieces) == ("Noughts", ("Cross", "Nought"))


def test_a_matrix_that_is_used_flat_is_refused_with_its_line():
    class Flat(Matrix):
        def get_legal_actions(self):
            return np.flatnonzero(self.board == 0)

        def step(self, action):
            self.board[action] = self.current_player
            self.current_player *= -1

    assert Flat().board.shape == (3, 3)  # what a class assigns is kept as it is
    sentence = r"playing it raised IndexError: .* \(test_own_form.py, line [0-9]+\)"
    with pytest.raises(AdaptationError, match=sentence):
        adapt_game(Flat)


class SharedRows(Matrix):
    """A usual slip: three times the same row."""

    def reset(self):
        self.board = [[0] * 3] * 3
        self.current_player, self.done, self.winner = 1, False, None

    def get_legal_actions(self):
        return [(r, c) for r in range(3) for c in range(3) if self.board[r][c] == 0]

    def step(self, action):
        self.board[action[0]][action[1]] = self.current_player

    def copy(self):
        return copy.deepcopy(self)


class AsksTheBase(Matrix):
    def step(self, action):
        super().step(action)
        return self.board, float(self.check_win(1)), self.done, {}


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (SharedRows, "after a move current_player is still 1: let step pass the turn"),
        (AsksTheBase, "its methods call check_win, which it does not define"),
    ],
)
def test_what_is_missing_is_said(cls, sentence):
    game = cls()
    for ask in (
        lambda: adapt_game(cls),
        lambda: check_game(cls),
        lambda: MinimaxSolver().get_best_action(game),
        lambda: str(game),
    ):
        with pytest.raises(AdaptationError, match=re.escape(sentence)):
            ask()
    assert cls.__name__ in repr(game)


def test_errors_of_a_constructor_stay_what_they_are():
    class Broken(Matrix):
        def reset(self):
            super().reset()
            self.missing()

    class Strict(FlatPairs):
        def __init__(self, size):
            if size < 3:
                raise ValueError("too small")
            super().__init__()

    for _ in range(2):
        with pytest.raises(AttributeError, match="missing"):
            Broken()
        with pytest.raises(ValueError, match="too small"):
            Strict(2)
    assert Strict(3).get_legal_actions()[0] == (0, 0)


def test_a_class_that_only_raises_keeps_the_base_form():
    class Raises(BaseGameEnv):
        def __init__(self):
            super().__init__(3)

        def get_legal_actions(self):
            return [0, 1]

        def step(self, action):
            raise KeyError("no")

    game = Raises()
    assert adapt_game(game) is game
    with pytest.raises(KeyError):
        game.step(0)
    assert (game.history, game.board.tolist()) == ([], [0] * 9)
