"""Swap2: the two players of a game make its opening themselves, as in Gomoku tournaments.

One player places three stones near the centre. The other takes a colour; or places two stones more,
and then the first player takes one. Whoever makes an opening that favours a colour lets the other
take it, so both aim at an even one.

A placement is one of a few that are drawn with a seed: what a player adds is how it values them. A
player that gives no values takes every position for even.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from rl_toolkit.envs import BaseGameEnv, game_families, make_game

#: The value of a position for the side to move, as a player sees it.
Valuer = Callable[[BaseGameEnv], float]

#: Among how many placements a player chooses, and up to which value it calls a position even.
PLACEMENTS, CLOSE = 4, 0.25
#: The attempts to draw an unfinished position, which may be rare on a small board.
_TRIES = 1000


def swap2(
    env: BaseGameEnv, chance: random.Random, placer: Valuer, chooser: Valuer
) -> tuple[list[int], bool]:
    """The first moves of a game, and whether ``placer`` has the side that moves first.

    The side to move is the second one after three stones and after five. Raises ``ValueError`` if
    the game has no such opening.
    """
    start = _most_even(env, [], 3, chance, placer)
    value = chooser(BaseGameEnv.after(env, start))
    if abs(value) > CLOSE:
        return start, value > 0
    start = _most_even(env, start, 2, chance, chooser)
    return start, placer(BaseGameEnv.after(env, start)) <= 0


def check_swap2(game: str) -> None:
    """Raise ``ValueError`` if a game is not opened by swap2."""
    if not make_game(game).traits.swap2_within:
        names = [f.traits.name for f in game_families() if f.traits.swap2_within]
        raise ValueError(
            f"{game} has no swap rule; openings by swap2 are for {' and '.join(names)}"
        )


def _most_even(
    env: BaseGameEnv, start: Sequence[int], stones: int, chance: random.Random, valuer: Valuer
) -> list[int]:
    """The most even of some random placements of so many more stones."""
    cells = [cell for cell in _central(env) if cell not in start]
    tried = list[list[int]]()
    for _ in range(_TRIES):
        if len(cells) < stones or len(tried) == PLACEMENTS:
            break
        moves = [*start, *chance.sample(cells, stones)]
        if not _is_over(env, moves):
            tried.append(moves)
    if not tried:
        raise ValueError(f"{env.name} has no room for an opening by swap2")
    return min(tried, key=lambda moves: abs(valuer(BaseGameEnv.after(env, moves))))


def _is_over(env: BaseGameEnv, moves: Sequence[int]) -> bool:
    begun = env.copy()
    for move in moves:
        begun.step(move)
        if begun.is_terminal():
            return True
    return False


def _central(env: BaseGameEnv) -> list[int]:
    """The cells near the centre; on a small board there is a margin around them."""
    rows, cols = (_middle(side, env.traits.swap2_within) for side in (env.rows, env.cols))
    return [row * env.cols + col for row in rows for col in cols]


def _middle(side: int, within: int) -> range:
    near = min(within, side // 2 - 1)
    return range(side // 2 - near, side // 2 + near + 1)
