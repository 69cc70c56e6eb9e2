"""Self-play of Gomoku: games to learn an evaluation from.

A game begins with two to six random stones near the centre that the search puts within `EVEN`
points of even. From then on both sides search a fixed number of nodes. In half of the games one
move in twelve is a slip: one of the moves that look best, at random. A game ends as soon as a
search proves its result, which is right from there on whatever is played::

    random stones │ search … search … slip … search │ proven
       opening    │        chosen      slip  chosen │ decided
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from rl_toolkit.kernels.gomoku.pvs import PROVEN, WIN
from rl_toolkit.kernels.gomoku.state import Evaluation
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import LineRule
from rl_toolkit.learning.gomoku.games import (
    CHOSEN,
    DECIDED,
    NO_MOVE,
    OPENING,
    SLIP,
    Games,
    SelfPlayGame,
)

#: How uneven an opening may be, in points.
EVEN = 400
_TABLE_MB = 4.0
_FEWEST, _MOST = 2, 6  # stones of an opening
_REACH = 4  # rows between them and the centre
_SLIPPERY, _SLIPS, _AMONG = 0.5, 1 / 12, 6
_LONGEST = 0.65  # the share of cells after which a game is called even
_DEEPEST = 30
_FOUR_NODES = 2000
_PROOF_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search says of a position: its score for the side to move, and the best move."""

    score: int
    move: int

    @property
    def decided(self) -> bool:
        """Whether the result is proven."""
        return abs(self.score) > PROVEN


class SelfPlay:
    """Plays games on one board with one evaluation; the same seed plays the same games."""

    def __init__(
        self, size: int, rule: LineRule, evaluation: Evaluation | None, nodes: int, seed: int
    ) -> None:
        self._size, self._nodes = size, nodes
        self._space = Workspace(size, rule, evaluation, _TABLE_MB)
        self._space.make()
        self._flag = np.zeros(1, dtype=np.int64)
        self._chance = random.Random(seed)

    def game(self) -> SelfPlayGame:
        """Play a game."""
        space, chance = self._space, self._chance
        opening = self._opening()
        moves, scores = list(opening), [0] * len(opening)
        kinds = [OPENING] * len(opening)
        slippery = chance.random() < _SLIPPERY
        while len(moves) < _LONGEST * self._size**2:
            side = len(moves) % 2
            result = self._search(side)
            scores.append(result.score)
            if result.decided:
                moves.append(NO_MOVE)
                kinds.append(DECIDED)
                won = (result.score > 0) == (side == 0)
                return SelfPlayGame(1 if won else -1, moves, scores, kinds)
            move, kind = result.move, CHOSEN
            if slippery and chance.random() < _SLIPS:
                near = space.near(side)
                likely = sorted(near, key=lambda cell: (-near[cell], cell))
                move, kind = chance.choice(likely[:_AMONG]), SLIP
            moves.append(move)
            kinds.append(kind)
            space.place(move, side)
        return SelfPlayGame(0, moves, scores, kinds)

    def _opening(self) -> list[int]:
        """Random stones that leave the game open, on the board."""
        space, chance = self._space, self._chance
        reach, middle = min(_REACH, (self._size - 1) // 2), self._size // 2
        rows = range(max(0, middle - reach), min(self._size, middle + reach + 1))
        cells = [row * self._size + col for row in rows for col in rows]
        while True:
            moves = chance.sample(cells, chance.randint(_FEWEST, _MOST))
            space.forget()
            space.set_up([(move, ply % 2) for ply, move in enumerate(moves)])
            result = self._search(len(moves) % 2)
            if abs(result.score) <= EVEN:
                return moves

    def _search(self, side: int) -> Searched:
        """Search the position of the space: a win by threats first, then deeper and deeper."""
        space = self._space
        space.new_search()
        plies, move = space.fours(side, _FOUR_NODES)
        if plies:
            return Searched(WIN - plies, move)
        space.watch(self._flag, int(self._nodes * _PROOF_SHARE))
        if space.prove(side):
            return Searched(PROVEN + 1, space.proven_move)
        space.allow(self._nodes)
        score, move = 0, -1
        for depth in range(1, _DEEPEST):
            searched = space.think(side, -WIN, WIN, depth, 0)
            if searched is None:
                break
            score = searched
            if abs(score) > PROVEN:
                break
            move = space.remembered(side)
        if move < 0 and abs(score) <= PROVEN:  # not one ply was searched
            near = space.near(side)
            move = max(near, key=lambda cell: (near[cell], -cell))
        return Searched(score, move)


def play(
    size: int, rule: LineRule, evaluation: Evaluation | None, positions: int, nodes: int, seed: int
) -> Games:
    """Play games until there are at least ``positions`` positions; ``nodes`` for each."""
    player, games, count = SelfPlay(size, rule, evaluation, nodes, seed), [], 0
    while count < positions:
        games.append(player.game())
        count += games[-1].positions
    return Games.of(games)
