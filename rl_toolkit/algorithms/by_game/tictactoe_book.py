"""A book of Tic-Tac-Toe: every position with its value and its best moves, as readable JSON.

::

    {"book": "Tic-Tac-Toe", "version": 1, "rows": 3, "cols": 3, "length": 3, "plies": 9,
     "positions": {"3/3/3 x": {"value": 0, "best": ["a1", "b1", …]}, …}}

Of positions that are images of each other the first by its text is kept; ``value`` is player +1's.
The whole game is solved, so that small boards only have a book.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import position_to_text
from rl_toolkit.utils import BookError, JsonError, read_object, write_text_atomically

TITLE, VERSION = "Tic-Tac-Toe", 1
#: The most cells of a board whose every position is solved in a moment.
MOST_CELLS = 9


class Book:
    """Values and best moves by the text of a position."""

    def __init__(
        self, shape: tuple[int, int, int], plies: int, positions: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.shape, self.plies, self.positions = shape, plies, positions

    def describe(self) -> str:
        """One line for people: which board and which positions."""
        rows, cols, _ = self.shape
        return (
            f"{rows}×{cols}, every position with up to {self.plies} stones, "
            f"{len(self.positions):,} positions, images counted once"
        )

    def save(self, path: Path) -> None:
        """Write the book to a file atomically."""
        rows, cols, length = self.shape
        sizes = {"rows": rows, "cols": cols, "length": length, "plies": self.plies}
        head = json.dumps({"book": TITLE, "version": VERSION, **sizes})[:-1]
        lines = [f" {json.dumps(text)}: {json.dumps(p)}" for text, p in self.positions.items()]
        write_text_atomically(path, head + ', "positions": {\n' + ",\n".join(lines) + "\n}}\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a book; `BookError` for a missing or damaged one."""
        try:
            data = read_object(path.read_text("utf-8"))
            shape = (data["rows"], data["cols"], data["length"])
            if (data["book"], data["version"]) != (TITLE, VERSION):
                raise BookError(f"{path} is not an opening book of {TITLE} of version {VERSION}")
            return cls(shape, data["plies"], dict(data["positions"]))
        except OSError as error:
            raise BookError(f"{path} cannot be read: {error.strerror}") from error
        except (JsonError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
            raise BookError(f"{path} is a damaged opening book: {error}") from error


def is_on(path: Path) -> bool:
    """Whether a file looks like such a book."""
    try:
        with path.open("rb") as file:
            return file.read(1) == b"{"
    except OSError:
        return False


def build_book(env: Any, plies: int, path: Path) -> Book:
    """Solve a small game of Tic-Tac-Toe and save its positions with up to ``plies`` stones.

    Raises ``ValueError`` for a board that is too large.
    """
    if env.rows * env.cols > MOST_CELLS:
        raise ValueError(
            f"there are no books for {env.name}, only for boards of up to {MOST_CELLS} cells"
        )
    solved = _Solved(env)
    solved.value(env)
    kept = {
        text: entry
        for text, (stones, entry) in sorted(solved.entries.items(), key=lambda p: (p[1][0], p[0]))
        if stones <= plies
    }
    book = Book((env.rows, env.cols, env.win_length), min(plies, env.rows * env.cols), kept)
    book.save(path)
    return book


class _Solved:
    """Every position below a start, one of each class of images."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._symmetries = env.symmetries()
        self.entries: dict[str, tuple[int, dict[str, Any]]] = {}

    def value(self, env: BaseGameEnv) -> int:
        """The result of player +1 with best play; the position and all below it are kept."""
        first = min(self._images(env), key=position_to_text)
        text = position_to_text(first)
        if text not in self.entries:
            values = {move: self.value(_after(first, move)) for move in first.get_legal_moves()}
            mover = first.current_player
            best = max((v * mover for v in values.values()), default=None)
            value = first.get_result(1) if best is None else best * mover
            good = [first.move_name(m) for m, v in values.items() if v * mover == best]
            stones = sum(cell != 0 for cell in first.board.tolist())
            self.entries[text] = stones, {"value": int(value), "best": good}
        return int(self.entries[text][1]["value"])

    def _images(self, env: BaseGameEnv) -> Iterator[BaseGameEnv]:
        for symmetry in self._symmetries:
            image = env.copy()
            image.set_position(symmetry.apply_to_board(env.board), env.current_player)
            yield image


def _after(env: BaseGameEnv, move: int) -> BaseGameEnv:
    child = env.copy()
    child.step(move)
    return child
