"""`Kind`: games of one name from one starting position, and what searching them needs to know.

Every kind has a way to be searched:

* games with compiled rules place stones that stay (`kernels.spec`): their cells are in packs, and a
  position is found by a scan;
* any other game, such as one whose pieces move, has a row for each of its positions.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.position import position_from_text
from rl_toolkit.kernels.spec import KernelSpec

#: The numbers in packs for a move that places no stone, a game that was removed, and no move.
NO_STONE, REMOVED, NO_MOVE = 253, 254, 255

_TURN_SEED, _CELL_SEED = 0x7075727A, 0x52454C49


def splitmix(seed: int, count: int) -> NDArray[np.uint64]:
    """``count`` words that are the same for ever, since files depend on them."""
    with np.errstate(over="ignore"):
        word = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        word += np.uint64(seed)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))


class Kind:
    """A game and a starting position.

    Attributes:
        game: the full name in the registry.
        start: the starting position as text, "" for the usual one.
        begun: a game in the starting position, never to be changed.
    """

    def __init__(self, game: str, start: str = "") -> None:
        self.game, self.start = game, start
        self.begun: BaseGameEnv = position_from_text(game, start) if start else make_game(game)
        self.symmetries = self.begun.symmetries()[:8]
        self.spec: KernelSpec | None = self.begun.kernel_spec()
        self.first = 0 if self.begun.current_player == 1 else 1
        self.cells = len(self.begun.board)

    @property
    def is_packed(self) -> bool:
        """Whether its games are in packs: a stone stays where it was placed."""
        return self.spec is not None

    @property
    def flips(self) -> bool:
        """Whether stones change their colour."""
        return self.spec is not None and self.spec.flips

    @cached_property
    def move_type(self) -> np.dtype[np.unsignedinteger]:
        """The type in which moves are saved."""
        moves = self.begun.num_moves
        return np.dtype("u1" if moves <= 1 << 8 else "<u2" if moves <= 1 << 16 else "<u4")

    @property
    def is_wide(self) -> bool:
        """Whether a cell does not fit into a byte of a pack."""
        return self.cells > NO_STONE

    @cached_property
    def cell_type(self) -> np.dtype[np.unsignedinteger]:
        """The type of a cell in packs; the three numbers above are the same in both."""
        return np.dtype("<u2" if self.is_wide else "u1")

    @property
    def shift(self) -> int:
        """What is added to a cell in packs, so that it is none of the three numbers above."""
        return 256 if self.is_wide else 0

    @cached_property
    def stones(self) -> int:
        """The stones on the board at the start."""
        return int(np.count_nonzero(self.begun.board))

    @cached_property
    def zobrist(self) -> NDArray[np.uint64]:
        """A word for each cell and colour: ``zobrist[cell, 0]`` for X."""
        return splitmix(_CELL_SEED, 2 * self.cells).reshape(self.cells, 2)

    @cached_property
    def turn(self) -> np.uint64:
        """The word for O to move."""
        return np.uint64(splitmix(_TURN_SEED, 2)[1])

    def hash_of(self, board: NDArray[np.int8], to_move: int) -> int:
        """The hash of a position: the same for its mirror images; ``to_move`` is 0 for X."""
        words = []
        for symmetry in self.symmetries:
            image = symmetry.apply_to_board(board)
            lines = [self.zobrist[image == 1, 0], self.zobrist[image == -1, 1]]
            words.append(int(np.bitwise_xor.reduce(np.concatenate(lines), initial=np.uint64(0))))
        return min(words) ^ (int(self.turn) if to_move else 0)


def kind_of(game: str, start: str = "") -> Kind:
    """The kind of that name and start; it is made once for each class that has the name."""
    return _kind_of(type(make_game(game)), game, start)


@lru_cache(maxsize=256)
def _kind_of(cls: type[BaseGameEnv], game: str, start: str) -> Kind:
    return Kind(game, start)


def to_move(env: BaseGameEnv) -> int:
    """Who would move: 0 for X, 1 for O; after the end of a game the one who did not move last."""
    player = -env.current_player if env.is_terminal() else env.current_player
    return 0 if player == 1 else 1
