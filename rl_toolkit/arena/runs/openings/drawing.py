"""`Openings`: the openings of a match by number, drawn when they are asked for.

Workers, which are given their openings, need nothing of what draws them: it is imported when the
first one is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
from rl_toolkit.envs import BaseGameEnv, make_game

#: The number of attempts to find a new opening before repetitions are accepted.
_TRIES = 50
#: The attempts to find a balanced one among new positions, of which most are not, and the number of
#: known positions in a row after which no new one is expected.
_BALANCED_TRIES, _KNOWN_TRIES = 2_000, 300
#: The distance from the other stones within which a balanced opening places the next one.
_NEAR = 2


class OpeningsPlan(Protocol):
    """What decides the openings of a match or tournament."""

    @property
    def game(self) -> str:
        """The full name of the game."""

    @property
    def random_plies(self) -> int | None:
        """The moves of each opening."""

    @property
    def seed(self) -> int:
        """What decides the moves that are drawn."""

    @property
    def balanced(self) -> bool:
        """Whether only balanced positions are drawn."""

    @property
    def openings(self) -> OpeningList | None:
        """The openings themselves, if they are not drawn."""

    @property
    def swap2(self) -> bool:
        """Whether the players make the openings."""


class Openings:
    """The openings of a list, or random ones; if the plan is ``balanced``, only balanced ones.

    The positions after them are distinct, mirror images included, until no new one is found. A
    small game has few openings; then they repeat. A seed always gives the same openings, and a
    longer match begins with those of a shorter one. With ``swap2`` an opening is only what its
    placements are drawn with.

    Raises ``ValueError`` when an opening is asked for and there is none at all.
    """

    def __init__(self, plan: OpeningsPlan) -> None:
        self._game, self._plies = plan.game, plan.random_plies or 0
        self._balanced, self._list = plan.balanced, plan.openings
        self._swap2 = f"swap2 {plan.seed}" if plan.swap2 else ""
        self._rng = random.Random(f"openings {plan.seed}")
        self._seen: set[str] = set()
        self._judged: set[str] = set()
        self._repeats = False
        self._drawn: list[Opening] = []

    def __getitem__(self, pair: int) -> Opening:
        if self._swap2:
            return Opening(swap2=f"{self._swap2} {pair}")
        if self._list is not None:
            return self._list[pair]
        while len(self._drawn) <= pair:
            if self._repeats and self._balanced:
                self._drawn.append(self._drawn[len(self._drawn) % len(self._seen)])
            else:
                self._drawn.append(Opening(tuple(self._draw().history)))
        return self._drawn[pair]

    @property
    def repeats(self) -> bool:
        """Whether no new opening was found for one of those that were asked for."""
        return self._repeats

    def _draw(self) -> BaseGameEnv:
        if self._balanced:
            return self._draw_balanced()
        from rl_toolkit.arena.samples import canonical

        for _ in range(_TRIES):
            env = self._opened()
            if self._repeats or (key := canonical(env)) not in self._seen:
                break
        else:
            self._repeats = True
        if not self._repeats:
            self._seen.add(key)
        return env

    def _draw_balanced(self) -> BaseGameEnv:
        """A new balanced position; if none is found, the first one again."""
        from rl_toolkit.arena.runs.openings.balancing import balance
        from rl_toolkit.arena.samples import canonical

        judged = repeated = 0
        while judged < _BALANCED_TRIES and repeated < _KNOWN_TRIES:
            env = self._opened()
            key = canonical(env)
            if key in self._judged:
                repeated += 1
                continue
            self._judged.add(key)
            judged, repeated = judged + 1, 0
            if balance(env).balanced:
                self._seen.add(key)
                return env
        self._repeats = True
        if not self._drawn:
            raise ValueError(
                f"no balanced opening of {self._plies} moves of {self._game} was found"
            )
        return self._drawn[0].position(self._game)

    def _opened(self) -> BaseGameEnv:
        """An unfinished game after the random moves of an opening."""
        policy = _sensible if self._balanced else _any_move
        for _ in range(1000):
            env = make_game(self._game)
            while len(env.history) < self._plies and not env.is_terminal():
                env.step(policy(env, self._rng))
            if not env.is_terminal():
                return env
        raise ValueError(f"{self._game} is over within {self._plies} random moves")


def draw_balanced(
    game: str,
    plies: int,
    count: int,
    seed: int = 0,
    on_opening: Callable[[int], object] | None = None,
) -> list[Opening]:
    """Distinct balanced openings, fewer than ``count`` if there are no more.

    They are the same as those of ``balanced:PLIES`` in a match with this seed. ``on_opening`` is
    called with the number of those found. Raises ``ValueError`` if there is none.
    """
    drawn, openings = Openings(Drawn(game, plies, seed)), list[Opening]()
    while len(openings) < count:
        opening = drawn[len(openings)]
        if drawn.repeats:
            break
        openings.append(opening)
        if on_opening is not None:
            on_opening(len(openings))
    return openings


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plan of openings that are drawn with a seed, balanced unless it says otherwise."""

    game: str
    random_plies: int | None
    seed: int
    balanced: bool = True
    openings: OpeningList | None = None
    swap2: bool = False


def _any_move(env: BaseGameEnv, rng: random.Random) -> int:
    return rng.choice(env.get_legal_moves())


def _sensible(env: BaseGameEnv, rng: random.Random) -> int:
    """A random move that takes or stops a win, on a large board near the other stones."""
    moves = env.forced_moves()
    if len(moves) == len(env.get_legal_moves()) and (near := _near(env)) is not None:
        moves = [move for move in moves if near(move)] or moves
    return rng.choice(moves)


def _near(env: BaseGameEnv) -> Callable[[int], bool] | None:
    """Whether a cell is near a stone, or the centre of an empty board; on large boards only."""
    if env.traits.move_by != "cell" or env.rows * env.cols <= 64:
        return None
    cols = env.cols
    stones = [divmod(cell, cols) for cell, piece in enumerate(env.board.tolist()) if piece]
    places = stones or [(env.rows // 2, cols // 2)]

    def is_near(move: int) -> bool:
        row, col = divmod(move, cols)
        return any(abs(row - r) <= _NEAR and abs(col - c) <= _NEAR for r, c in places)

    return is_near
