"""Facts about moves in games of lines: exactly those that the rules, written out naively, give."""

import random

import numpy as np
import pytest
from explain_positions import SMALL_GAMES, random_positions

from rl_toolkit.envs import make_game
from rl_toolkit.explain import facts_of
from rl_toolkit.explain.facts import AllowsWin, Blocks, EndsGame, MissesWin, Threatens
from rl_toolkit.utils.position_utils import algebraic_to_index

# Games with how many positions of them are looked at; the naive rules are slow on large boards.
LINE_GAMES = {
    "tictactoe": 30,
    "tictactoe-3x4x3": 30,
    "connect-four-4x4x4": 30,
    "connect-four": 25,
    "gomoku-9x9x4": 4,
    "gomoku-9x9x4-standard": 4,
}


def crowded_positions(name, count):
    """Positions of games on a large board whose stones lie together, so that lines come about."""
    rng, found = random.Random(name), []
    while len(found) < count:
        env = make_game(name)
        near = [m for m in range(env.num_moves) if env.cols < 9 or (m % 9 < 6 and m // 9 < 3)]
        for _ in range(rng.randrange(8, 18)):
            moves = [move for move in env.get_legal_moves() if move in near]
            if moves:
                env.step(rng.choice(moves))
        if not env.is_terminal():
            found.append(env)
    return found


class NaiveLines:
    """A line game as a list of cells, with nothing but loops."""

    def __init__(self, env):
        self.rows, self.cols, self.k = env.rows, env.cols, env.win_length
        self.gravity = "connect" in env.name
        self.exactly = env.kernel_spec().exactly

    def landing(self, board, move):
        if not self.gravity:
            return move
        return next(
            r * self.cols + move for r in range(self.rows) if not board[r * self.cols + move]
        )

    def moves(self, board):
        if not self.gravity:
            return [cell for cell, piece in enumerate(board) if not piece]
        return [col for col in range(self.cols) if not board[(self.rows - 1) * self.cols + col]]

    def played(self, board, move, player):
        after = list(board)
        after[self.landing(board, move)] = player
        return after

    def has_line(self, board, player):
        for row in range(self.rows):
            for col in range(self.cols):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    length = self.reach(board, row, col, dr, dc, player)
                    starts = self.piece(board, row - dr, col - dc) != player
                    if starts and (length == self.k or (length > self.k and not self.exactly)):
                        return True
        return False

    def piece(self, board, row, col):
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return board[row * self.cols + col] if inside else None

    def reach(self, board, row, col, dr, dc, player):
        length = 0
        while self.piece(board, row + length * dr, col + length * dc) == player:
            length += 1
        return length

    def winning_cells(self, board, player):
        return {
            self.landing(board, move)
            for move in self.moves(board)
            if self.has_line(self.played(board, move, player), player)
        }


def cells_by_kind(facts):
    return {type(fact): {win.cell for win in fact.wins} for fact in facts}


@pytest.mark.parametrize("name", LINE_GAMES)
def test_facts_of_line_games_are_exactly_those_of_the_naive_rules(name):
    drawn_from = random_positions if name in SMALL_GAMES else crowded_positions
    positions = drawn_from(name, LINE_GAMES[name])
    rng, kinds_seen = random.Random(1), set()
    for env in positions:
        naive, board, player = NaiveLines(env), env.board.tolist(), env.current_player
        own, enemy = (naive.winning_cells(board, side) for side in (player, -player))
        moves = env.get_legal_moves()
        if len(moves) > 20:
            moves = [*rng.sample(moves, 5), *own, *enemy]
        for move in moves:
            facts = facts_of(env, move)
            after = naive.played(board, move, player)
            if naive.has_line(after, player) or 0 not in after:
                (end,) = facts
                assert isinstance(end, EndsGame)
                assert end.outcome == ("win" if naive.has_line(after, player) else "draw")
                assert (end.line is not None) == (end.outcome == "win")
                if end.line:
                    only_the_line = [player if i in end.line else 0 for i in range(len(after))]
                    assert all(after[cell] == player for cell in end.line)
                    assert naive.landing(board, move) in end.line
                    assert naive.has_line(only_the_line, player)
                kinds_seen.add((EndsGame, end.outcome))
                continue
            replies, threats = (naive.winning_cells(after, side) for side in (-player, player))
            expected = {
                MissesWin: own,
                Blocks: enemy - replies,
                Threatens: threats if threats - own else set(),
                AllowsWin: replies,
            }
            assert cells_by_kind(facts) == {
                kind: cells for kind, cells in expected.items() if cells
            }
            kinds_seen |= {type(fact) for fact in facts}
    assert {MissesWin, Blocks, Threatens, AllowsWin, (EndsGame, "win")} <= kinds_seen


def test_the_two_wins_of_one_column_are_told_apart():
    # X holds a2 b2 c2 and a3 b3 c3; column d is filled up to row 1. O plays on d2.
    env = make_game("connect-four")
    env.board = np.array(
        [[-1, 1, -1, -1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]] + [[0] * 7] * 3
    ).ravel()
    env.current_player = -1
    facts = cells_by_kind(facts_of(env, env.parse_move("d2")))
    assert facts[Blocks] == {cell_named("d2")}
    assert facts[AllowsWin] == {cell_named("d3"), cell_named("b4")}


def cell_named(square):
    return algebraic_to_index(square, (6, 7))
