"""Small games from outside have a level ``perfect``; others do not, and it takes no search."""

import numpy as np
import pytest
from course_games import LINES, HandoutTicTacToe, ListOfColumns, ListOfRows, PlainConnectFour

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import (
    DRAWN,
    RUNNING,
    BaseGameEnv,
    BoardGame,
    Verdict,
    adapt_game,
    registry,
)
from rl_toolkit.players import levels_for, make_player
from rl_toolkit.players.advisers import perfect_player
from rl_toolkit.players.kinds import knowledge
from rl_toolkit.players.kinds.knowledge import plies_to_the_end


class Lines(BoardGame):
    """Three in a row without compiled rules."""

    def __init__(self, board_size=3):
        super().__init__(board_size)

    def verdict(self, cell=None):
        for line in LINES:
            if abs(int(self.board[list(line)].sum())) == 3:
                return Verdict(int(self.board[line[0]]), [list(line)])
        return RUNNING if (self.board == 0).any() else DRAWN


class Strip(BoardGame):
    """Whoever fills the last of seven cells wins; one cell, or two, from the left."""

    def __init__(self, cells=7):
        super().__init__((1, cells))

    def open_moves(self):
        free = np.flatnonzero(self.board == 0)
        return free[:2].tolist()

    def landing(self, move):
        return move, []

    def verdict(self, cell=None):
        player = int(self.board[-1])
        return Verdict(player, []) if player else RUNNING


class Wandering(ListOfRows):
    """A piece may be moved away again, for ever."""

    def step(self, move):
        super().step(move)
        if not self.winner and sum(cell != " " for row in self.board for cell in row) > 6:
            self.board[0][0] = " "


class Lamp(BaseGameEnv):
    """Switch the lamp, cell 0, or end the game: it can go round in circles."""

    def __init__(self):
        super().__init__((1, 2))

    def get_legal_actions(self):
        return [0, 1]

    def step(self, move):
        self.board[move] = 0 if self.board[move] else 1
        self.done = bool(self.board[1])
        self.current_player *= -1


@pytest.mark.parametrize(
    ("make", "plies"),
    [
        (Lines, 18),
        (HandoutTicTacToe, 18),
        (adapt_game(ListOfRows), 18),
        (Strip, 7),
        (lambda: Strip(10), 10),
        (lambda: Strip(17), None),
        (lambda: Lines((3, 4)), None),
        (adapt_game(PlainConnectFour), None),
        (adapt_game(ListOfColumns), None),
        (adapt_game(Wandering), None),
        (Lamp, None),
    ],
)
def test_which_games_are_small(make, plies):
    env = make()
    env.step(env.get_legal_moves()[0])  # the game counts, not the position
    before = env.copy()
    assert plies_to_the_end(env) == plies
    assert env == before


def test_a_game_that_breaks_has_no_perfect_level_and_no_error():
    class Broken(Lines):
        def open_moves(self):
            return {}["x"] if self.history else super().open_moves()

    assert plies_to_the_end(Broken()) is None


def test_the_size_is_found_out_once(monkeypatch):
    class Once(Lines):
        pass

    assert plies_to_the_end(Once()) == 18
    monkeypatch.setattr(knowledge, "_tried_plies", None)
    assert plies_to_the_end(Once()) == 18


def test_perfect_plays_perfectly(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    name = registry.register_game(Lines).name
    assert levels_for(name)["perfect"] == "minimax:depth=18"
    assert list(levels_for(name))[-1] == "perfect"
    env = Lines()
    for move in (0, 1):  # a mistake that loses
        env.step(move)
    analysis = make_player(name, "perfect").analyse(env)
    best = {each.move for each in analysis.candidates if each.proven and each.value == 1}
    assert best == {3, 4, 6}
    assert perfect_player(env).analyse(env, Limit(depth=9)).best_move in best
