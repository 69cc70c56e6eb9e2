"""Positions for the tests of the Connect Four solver: random ones, and the public sets."""

from paths import SHARED

from rl_toolkit.envs import ConnectFour

PUBLIC = SHARED / "connect_four"


def random_game(chance, moves, rows=6, cols=7):
    """A running game after so many random moves."""
    while True:
        env = ConnectFour(rows, cols)
        while env.move_count < moves and _step_on(env, chance):
            pass
        if env.move_count == moves:
            return env


def _step_on(env, chance):
    """Make a random move that does not end the game; whether there is one."""
    choices = env.get_legal_moves()
    chance.shuffle(choices)
    for move in choices:
        env.step(move)
        if not env.done:
            return True
        env.undo()
    return False


def public_set(name):
    """Pairs of transcript and score."""
    lines = (PUBLIC / f"Test_{name}").read_text().splitlines()
    return [(moves, int(score)) for moves, score in (line.split() for line in lines)]
