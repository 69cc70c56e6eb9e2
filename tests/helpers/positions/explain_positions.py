"""Positions to explain, and the plain way to solve them."""

import random

from rl_toolkit.envs import make_game

# Small enough to be solved to the end from the first position looked at: plies played by then.
SMALL_GAMES = {
    "tictactoe": 0,
    "tictactoe-3x4x3": 4,
    "connect-four-4x4x4": 6,
    "reversi-4": 0,
}


def random_positions(name, count, least=0):
    """Positions of random games that are not over, at least so many plies old."""
    rng, found = random.Random(name), []
    while len(found) < count:
        env = make_game(name)
        env.reset(first_player=rng.choice((1, -1)) if "reversi" not in name else 1)
        target = rng.randrange(least, env.rows * env.cols)
        while env.move_count < target and not env.is_terminal():
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            found.append(env)
    return found


class Solver:
    """Every position below solved to the end, the plain way: value and plies with best play."""

    def __init__(self):
        self.known = {}

    def solve(self, env):
        key = env.get_state_hash()
        if key not in self.known:
            if env.is_terminal():
                raise AssertionError("only asked of positions with a move")
            self.known[key] = max((self.of_move(env, m) for m in env.get_legal_moves()), key=rank)
        return self.known[key]

    def of_move(self, env, move):
        """Value for the side to move, and plies to the end, this move included."""
        player = env.current_player
        env.step(move)
        if env.is_terminal():
            answer = env.get_result(player), 1
        else:
            value, plies = self.solve(env)
            answer = -value, plies + 1
        env.undo()
        return answer


def rank(answer):
    """Sooner is better for a win, later for a loss."""
    value, plies = answer
    return value, -value * plies
