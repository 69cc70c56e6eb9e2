"""Games of mixed quality, to draw positions from.

Random games end early, and their late positions are trivial: somebody has overlooked a win for
several moves. Strong games all look alike. So each side of each game draws a *policy* at random,
and departs from it now and then:

=========  =====================================================================================
random     any legal move
awake      takes a win, else stops one, else any legal move
principled the same, but of the moves left those that promise most (`move_priorities`)
safe       any move that neither ends the game nor lets the opponent end it at once
=========  =====================================================================================

Safe players keep a game of Connect Four alive until the board is nearly full. They look two plies
ahead, so only Connect Four has them, on the words of its solver; see `policies_for`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from rl_toolkit.algorithms.connect_four.position import Position, after, completes_four, position_of
from rl_toolkit.envs import BaseGameEnv, ConnectFour, for_game

Policy = Callable[[Any, random.Random], int]

#: How often a player makes any legal move whatever its policy.
SLIPS = 0.1


def play_out(env: BaseGameEnv, stones: int, rng: random.Random) -> bool:
    """Play on ``env`` until it holds ``stones`` stones; ``False`` if the game ends before.

    The result depends on the position, the number and the state of ``rng`` alone.
    """
    policies = {player: rng.choice(policies_for(env)) for player in (1, -1)}
    while not env.is_terminal() and stones_on(env) < stones:
        slips = rng.random() < SLIPS
        policy = at_random if slips else policies[env.current_player]
        env.step(policy(env, rng))
    return not env.is_terminal()


def stones_on(env: BaseGameEnv) -> int:
    """How many cells are taken."""
    return int((env.board != 0).sum())


def policies_for(env: BaseGameEnv) -> Sequence[Policy]:
    """The policies that sides draw from in a sample, each as likely as its share here."""
    return for_game(_POLICIES, env) or (at_random, awake, principled, principled)


def at_random(env: BaseGameEnv, rng: random.Random) -> int:
    """Any legal move."""
    return rng.choice(env.get_legal_moves())


def awake(env: BaseGameEnv, rng: random.Random) -> int:
    """A win, else a move that stops one, else any; in other games any legal move."""
    return rng.choice(env.forced_moves())


def principled(env: BaseGameEnv, rng: random.Random) -> int:
    """As `awake`, but one of the moves that promise most."""
    promise = env.move_priorities()
    moves = env.forced_moves()
    most = max(int(promise[move]) for move in moves)
    return rng.choice([move for move in moves if promise[move] == most])


def safe(env: ConnectFour, rng: random.Random) -> int:
    """A move that neither wins nor lets the opponent win at once; any where there is none."""
    position, rows = position_of(env), env.rows
    moves = env.get_legal_moves()
    quiet = [
        move
        for move in moves
        if not completes_four(position, move, rows)
        and not _can_win(after(position, move, rows), rows, env.cols)
    ]
    return rng.choice(quiet or moves)


def _can_win(position: Position, rows: int, cols: int) -> bool:
    """Whether the side to move completes four with some legal move."""
    return any(
        not position.taken >> (col * (rows + 1) + rows - 1) & 1
        and completes_four(position, col, rows)
        for col in range(cols)
    )


_POLICIES: dict[type, Sequence[Policy]] = {ConnectFour: (at_random, awake, safe, safe)}
