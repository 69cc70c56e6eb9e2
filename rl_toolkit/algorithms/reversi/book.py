"""A book of Reversi positions with their scores: exact ones on 6 × 6, estimates on 8 × 8.

The file is sealed (see `utils.atomic_file`) as "RVBOOK" with the size of the board, the number of
plies it reaches, and the search depth, 0 if positions are solved to the end. Its body,
little-endian and compressed with zlib::

    bytes      content
    8 each     for every position the discs of the side to move, as in `kernels.rules.reversi`
    8 each     for every position the discs of the other side
    2 each     for every position its score for the side to move, in sixteenths of a disc

One of the eight mirror images represents a position (`canonical`). Positions are in ascending
order, and the side to move has a legal move other than a pass in each.
"""

from __future__ import annotations

import logging
import os
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from typing import Self

import numpy as np

from rl_toolkit.envs import Reversi
from rl_toolkit.kernels.reversi.estimate import PER_DISC
from rl_toolkit.kernels.reversi.patterns import transposed
from rl_toolkit.kernels.rules.compiled import CompiledRules, compiled_rules
from rl_toolkit.kernels.spec import ReversiSpec
from rl_toolkit.kernels.status import RUNNING
from rl_toolkit.utils import BookError, Seal, write_bytes_atomically

#: The books that come with the package, by the size of the board.
SHIPPED = {6: "reversi-6.book", 8: "reversi.book"}

Discs = tuple[int, int]
"""The discs of the side to move, then the other side's."""

SEAL = Seal(b"RVBOOK\r\n", 1, "book of Reversi")
_BYTES_EACH = 18
_MOST_UNPACKED = 1 << 27

_log = logging.getLogger(__name__)


def canonical(position: Discs) -> Discs:
    """The smallest of the eight mirror images of a position."""
    mine, theirs = position
    found = []
    for _ in range(4):  # two reflections in turn give all eight symmetries of the square
        mine, theirs = int(transposed(np.uint64(mine))), int(transposed(np.uint64(theirs)))
        found.append((mine, theirs))
        mine, theirs = _upside_down(mine), _upside_down(theirs)
        found.append((mine, theirs))
    return min(found)


def _upside_down(word: int) -> int:
    return int.from_bytes(word.to_bytes(8, "little"), "big")


def rules_of(size: int) -> CompiledRules:
    """The compiled rules; `ValueError` for an unknown size."""
    rules = compiled_rules(ReversiSpec(size)) if size in Reversi.SIZES else None
    if rules is None:
        raise ValueError(f"there is no Reversi board of size {size}")
    return rules


def play_canonical(rules: CompiledRules, position: Discs, move: int) -> tuple[Discs, int]:
    """The canonical position after a move, and who is to move: −1 the other side, 1 the same.

    A forced pass is played as well.
    """
    words, status = rules.play(np.array(position, dtype=np.uint64), move)
    side = -1
    if status == RUNNING and rules.moves(words) == [len(rules.cell_bits)]:
        words, _ = rules.play(words, len(rules.cell_bits))
        side = 1
    return canonical((int(words[0]), int(words[1]))), side


class Book:
    """Scores by position.

    Attributes:
        size: the side of the board.
        plies: no position has more than this many discs beyond the first four.
        depth: the search depth; 0 if positions are solved to the end of the game.
    """

    def __init__(self, size: int, plies: int, depth: int, sixteenths: Mapping[Discs, int]) -> None:
        self.size, self.plies, self.depth = size, plies, depth
        self._sixteenths = dict(sixteenths)

    def __len__(self) -> int:
        return len(self._sixteenths)

    def describe(self) -> str:
        """One line for people: which board and which positions."""
        board = f"Reversi {self.size}×{self.size}"
        if self.exact:
            return (
                f"{board}, every position up to ply {self.plies}, {len(self):,} positions, solved"
            )
        last = max((mine | theirs).bit_count() for mine, theirs in self.sixteenths) - 4
        return (
            f"{board}, {len(self):,} positions up to ply {last}, "
            f"estimated by a search of {self.depth} plies"
        )

    @property
    def exact(self) -> bool:
        """Whether scores are proven; then the book has all positions up to its last ply."""
        return self.depth == 0

    def score(self, position: Discs) -> float | None:
        """The score in discs for the side to move; ``None`` if it is not in the book."""
        mine, theirs = position
        if (mine | theirs).bit_count() > self.plies + 4:
            return None
        found = self._sixteenths.get(canonical(position))
        return None if found is None else found / PER_DISC

    def score_of_move(self, position: Discs, move: int) -> float | None:
        """The score of a move for the side that makes it; ``None`` if it is not in the book."""
        after, side = play_canonical(rules_of(self.size), position, move)
        score = self.score(after)
        return None if score is None else side * score

    @property
    def sixteenths(self) -> dict[Discs, int]:
        """Every position of the book with its score, in sixteenths of a disc."""
        return dict(self._sixteenths)

    # -------------------------------------------------------------------------- as a file

    def to_bytes(self) -> bytes:
        """The book as the content of a file."""
        positions = sorted(self._sixteenths)
        parts = (
            np.array([mine for mine, _ in positions], dtype="<u8"),
            np.array([theirs for _, theirs in positions], dtype="<u8"),
            np.array([self._sixteenths[position] for position in positions], dtype="<i2"),
        )
        body = zlib.compress(b"".join(part.tobytes() for part in parts), 9)
        return SEAL.close((self.size, self.plies, self.depth), body)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read a book from the content of a file; `BookError` if it is not a valid book."""
        (size, plies, depth), packed = SEAL.open(data)
        if size not in Reversi.SIZES:
            raise BookError(f"this book of Reversi is for an unknown board: {size} × {size}")
        try:
            body = zlib.decompressobj().decompress(packed, _MOST_UNPACKED)
        except zlib.error as error:
            raise BookError("this book of Reversi cannot be decompressed") from error
        count, rest = divmod(len(body), _BYTES_EACH)
        if rest:
            raise BookError("this book of Reversi is damaged: a position is incomplete")
        mine, theirs = np.frombuffer(body, "<u8", 2 * count).reshape(2, count).tolist()
        scores = np.frombuffer(body, "<i2", offset=16 * count).tolist()
        most, cells = PER_DISC * size * size, sum(1 << bit for bit in rules_of(size).cell_bits)
        for my, their, score in zip(mine, theirs, scores, strict=True):
            if my & their or (my | their) & ~cells or abs(score) > most:
                raise BookError(f"this book of Reversi has an entry impossible on {size}×{size}")
        positions = dict(zip(zip(mine, theirs, strict=True), scores, strict=True))
        return cls(size, plies, depth, positions)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the book to a file atomically."""
        write_bytes_atomically(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load a book from a file; `BookError` says why it cannot be used."""
        return SEAL.load(path, cls.from_bytes)


@cache
def shipped_book(size: int) -> Book | None:
    """The book that comes with the package for a board size.

    ``None`` if there is none, or, with a warning in the log, if it cannot be used.
    """
    if size not in SHIPPED:
        return None
    try:
        with as_file(files("rl_toolkit") / "data" / SHIPPED[size]) as path:
            book = Book.load(path)
        if book.size != size:
            raise BookError(f"{SHIPPED[size]} is for {book.size}×{book.size}")
    except BookError as error:
        _log.warning("Reversi %s×%s is played without a book: %s", size, size, error)
        return None
    return book
