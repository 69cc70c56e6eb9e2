"""Taking back moves and returning to the start, in classes that write neither."""

import numpy as np
import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.envs import BaseGameEnv, Position, make_game, register_game, registry
from rl_toolkit.players import make_engine
from rl_toolkit.protocols.moves_to import moves_to
from rl_toolkit.records import GameRecord
from rl_toolkit.web.exchange.responses import position_answer


class Fill(BaseGameEnv):
    """Cells to fill; counts how often moves are played and games copied."""

    work = 0

    def __init__(self):
        super().__init__((6, 10))
        self.board = np.zeros(60, np.int8)

    def get_legal_actions(self):
        return [cell for cell in range(60) if self.board[cell] == 0]

    def step(self, cell):
        Fill.work += 1
        self.board[cell] = self.current_player
        self.current_player = -self.current_player

    def copy(self):
        Fill.work += 1
        twin = type(self)()
        twin.board, twin.current_player = self.board.copy(), self.current_player
        return twin


def work_of(action):
    before = Fill.work
    action()
    return Fill.work - before


@pytest.fixture
def game():
    env = Fill()
    for cell in range(50):
        env.step(cell)
    return env


def test_a_series_of_undos_replays_the_game_once(game):
    assert work_of(lambda: [game.undo() for _ in range(50)]) < 200
    assert (game.history, game == Fill()) == ([], True)


def test_copies_that_are_taken_back_replay_the_game_once(game):
    def look_ahead():
        for cell in range(50, 60):
            twin = game.after([cell])
            assert (twin.undo(), twin == game, twin.history) == (cell, True, game.history)

    assert work_of(look_ahead) < 200
    assert game.undo() == 49


def test_the_start_is_kept(game):
    assert work_of(game.start) == 1
    begun = game.start()
    assert (begun.history, begun == Fill(), len(game.history)) == ([], True, 50)
    begun.step(7)
    assert (begun.undo(), game.start() == Fill()) == (7, True)
    game.board[55] = 1
    assert game.start() == game


def test_a_step_without_a_move_is_pythons_own_error(game):
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'cell'"):
        game.step()
    assert (len(game.history), game.step(cell=50)[2]) == (50, False)


class Shadowing(Fill):
    """Has methods of its own with names that the base uses for something else."""

    def start(self):
        raise AssertionError("this would ask a person for moves")

    after = start


def test_own_methods_named_start_and_after_are_not_called(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    env = make_game(register_game(Shadowing).name)
    for move in (4, 0, 8):
        env.step(move)
    assert GameRecord.from_env(env).replay() == env
    position = Position.of(env)
    assert (position.moves, position.after(2).env().history) == ((4, 0, 8), [4, 0, 8, 2])
    assert position_answer(env)["moves"] == [4, 0, 8]
    assert MinimaxSolver(max_depth=2).get_best_action(env) in env.get_legal_moves()
    assert make_engine("minimax:depth=2").analyse(env).best_move in env.get_legal_moves()
    assert Opening((4, 0)).position(env.name).history == [4, 0]
    assert moves_to(env) == [4, 0, 8]
