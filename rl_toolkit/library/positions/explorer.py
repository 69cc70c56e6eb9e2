"""What was played in a position: each move with its games, results, ratings and last date.

Games that reach the position by another order of moves, or in a mirror image, count too. Their next
move is carried into the orientation of the question; where the position is symmetric itself, moves
that are mirror images of each other are one row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.library.dates import day_text
from rl_toolkit.library.kinds import NO_STONE, Kind

GAMES, X_WON, DRAWN, O_WON, RATINGS, RATED, LAST = range(7)
COUNTS = 7


@dataclass(frozen=True, slots=True)
class MoveCount:
    """A move that was played in a position.

    Attributes:
        move, name: the move; of several that are mirror images of each other the first one.
        same: all of these moves.
        games: how many games continued with it.
        x_won, drawn, o_won: how they ended; the others are undecided.
        rating: the mean rating of those who played it, ``None`` if no rating is known.
        last: the date of the last game, as far as dates are known.
    """

    move: int
    name: str
    same: tuple[int, ...]
    games: int
    x_won: int
    drawn: int
    o_won: int
    rating: float | None
    last: str | None

    @property
    def score(self) -> float | None:
        """The share of the points that X got, ``None`` if no game was decided."""
        decided = self.x_won + self.drawn + self.o_won
        return (self.x_won + self.drawn / 2) / decided if decided else None

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return {
            "move": self.name,
            "games": self.games,
            "x_won": self.x_won,
            "drawn": self.drawn,
            "o_won": self.o_won,
            "rating": self.rating,
            "last": self.last,
        }


@dataclass(frozen=True, slots=True)
class Explored:
    """A position as the games of a library know it.

    Attributes:
        games: the number of games that have it.
        x_won, drawn, o_won: how they ended.
        ended: how many of them end there.
        moves: what was played, most played first.
    """

    games: int
    x_won: int
    drawn: int
    o_won: int
    ended: int
    moves: tuple[MoveCount, ...]

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        return {
            "games": self.games,
            "x_won": self.x_won,
            "drawn": self.drawn,
            "o_won": self.o_won,
            "ended": self.ended,
            "moves": [move.to_dict() for move in self.moves],
        }


class MoveTable:
    """The moves of a position, those that are mirror images of each other in one row."""

    def __init__(self, env: BaseGameEnv) -> None:
        self.env = env
        over = env.is_terminal()
        board = np.asarray(env.board)
        keeping = [
            symmetry
            for symmetry in env.symmetries()
            if (symmetry.apply_to_board(board) == board).all()
        ]
        self.legal = [] if over else list(env.get_legal_moves())
        self.row_of: dict[int, int] = {}
        self.same: list[list[int]] = []
        for move in self.legal:
            if move not in self.row_of:
                images = sorted({symmetry.apply_to_move(move) for symmetry in keeping} | {move})
                self.same.append(images)
                self.row_of |= dict.fromkeys(images, len(self.same) - 1)

    def counts(self) -> NDArray[np.int64]:
        """A row for each of the moves and, at the end, one for games that end here."""
        return np.zeros((len(self.same) + 1, COUNTS), np.int64)

    def rows(self, kind: Kind) -> NDArray[np.int64]:
        """``rows[s, cell]``: the row for a next stone on ``cell`` in a pack, carried by s."""
        ends = len(self.same)
        table = np.full((8, 256 + (kind.cells if kind.is_wide else 0)), ends, np.int64)
        here: dict[int | None, int] = {
            self.env.landing_cell(move): self.row_of[move] for move in self.legal
        }
        for s, symmetry in enumerate(kind.symmetries):
            table[s, NO_STONE] = here.get(None, ends)
            for cell, image in enumerate(symmetry.cells.tolist()):
                table[s, kind.shift + cell] = here.get(image, ends)
        return table

    def answer(self, counts: NDArray[np.int64]) -> Explored:
        """The answer that the counts are."""
        rows = []
        for same, count in zip(self.same, counts.tolist(), strict=False):
            games, x_won, drawn, o_won, ratings, rated, last = count
            if games:
                name, rating = self.env.move_name(same[0]), ratings / rated if rated else None
                ends = (games, x_won, drawn, o_won)
                rows.append(MoveCount(same[0], name, tuple(same), *ends, rating, day_text(last)))
        rows.sort(key=lambda row: (-row.games, row.move))
        games, x_won, drawn, o_won = counts[:, :4].sum(0).tolist()
        return Explored(games, x_won, drawn, o_won, int(counts[-1, GAMES]), tuple(rows))
