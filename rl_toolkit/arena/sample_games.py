"""Games of mixed quality, from which positions are sampled.

Random games end early, and their late positions are trivial: a side has overlooked a win for
several moves. Strong games are all similar. So each side of each game gets a random *policy*, and
deviates from it now and then:

=========  =====================================================================================
random     any legal move
awake      takes a win, else blocks one, else any legal move
principled like awake, but among the remaining moves one of the highest `move_priorities`
safe       any move that neither ends the game nor lets the opponent win immediately
=========  =====================================================================================

Safe players keep a game of Connect Four going until the board is nearly full. They look two plies
ahead, so only Connect Four has them, on the bitboards of its solver; see `policies_for`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from rl_toolkit.algorithms.connect_four import Bitboards, after, completes_four, position_of
from rl_toolkit.envs import BaseGameEnv, ConnectFour, for_game

Policy = Callable[[Any, random.Random], int]

#: The probability of a random move instead of the policy's.
SLIPS = 0.1


def play_out(env: BaseGameEnv, stones: int, rng: random.Random) -> bool:
    """Play ``env`` until it has ``stones`` stones; ``False`` if the game ends before.

    The result depends only on the position, the number and the state of ``rng``.
    """
    policies = {player: rng.choice(policies_for(env)) for player in (1, -1)}
    while not env.is_terminal() and stones_on(env) < stones:
        slips = rng.random() < SLIPS
        policy = at_random if slips else policies[env.current_player]
        env.step(policy(env, rng))
    return not env.is_terminal()


def stones_on(env: BaseGameEnv) -> int:
    """The number of occupied cells."""
    return int((env.board != 0).sum())


def policies_for(env: BaseGameEnv) -> Sequence[Policy]:
    """The policies to choose from; one that is listed twice is twice as likely."""
    return for_game(_POLICIES, env) or (at_random, awake, principled, principled)


def at_random(env: BaseGameEnv, rng: random.Random) -> int:
    """Any legal move."""
    return rng.choice(env.get_legal_moves())


def awake(env: BaseGameEnv, rng: random.Random) -> int:
    """In line games a win, else a block, else any move; in other games any legal move."""
    return rng.choice(env.forced_moves())


def principled(env: BaseGameEnv, rng: random.Random) -> int:
    """Like `awake`, but one of the moves with the highest priority."""
    priorities = env.move_priorities()
    moves = env.forced_moves()
    highest = max(int(priorities[move]) for move in moves)
    return rng.choice([move for move in moves if priorities[move] == highest])


def safe(env: ConnectFour, rng: random.Random) -> int:
    """A move that neither wins nor lets the opponent win immediately; any move if there is none."""
    position, rows = position_of(env), env.rows
    moves = env.get_legal_moves()
    quiet = [
        move
        for move in moves
        if not completes_four(position, move, rows)
        and not _can_win(after(position, move, rows), rows, env.cols)
    ]
    return rng.choice(quiet or moves)


def _can_win(position: Bitboards, rows: int, cols: int) -> bool:
    """Whether the side to move can complete four."""
    return any(
        not position.taken >> (col * (rows + 1) + rows - 1) & 1
        and completes_four(position, col, rows)
        for col in range(cols)
    )


_POLICIES: dict[type, Sequence[Policy]] = {ConnectFour: (at_random, awake, safe, safe)}
