"""`PuzzleSet`: puzzles as a file of text, those that are shipped among them.

A file begins with the name of its game, and has a puzzle on each of the other lines; a comment says
how many games of weak players were looked at, so that making more continues there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from rl_toolkit.envs import GameError, make_game
from rl_toolkit.puzzles.puzzle import Puzzle, PuzzleError
from rl_toolkit.utils import counted, did_you_mean, shown, write_text_atomically

#: The first line of a file.
_HEAD = "# puzzles of "
_LOOKED_AT = "# games looked at: "
#: The longest set that is read: a class gets dozens of puzzles, a shipped file has hundreds.
MOST = 5_000
_FOLDER = files("rl_toolkit") / "data" / "puzzles"


@dataclass(slots=True)
class PuzzleSet:
    """Puzzles of one game.

    Attributes:
        games: the games of weak players that were looked at to find them.
        title: what a teacher calls the set; "" for none.
    """

    game: str
    puzzles: list[Puzzle] = field(default_factory=list)
    games: int = 0
    title: str = ""

    def to_text(self) -> str:
        """The file."""
        head = [f"{_HEAD}{self.game}{f': {self.title}' if self.title else ''}"]
        if self.games:
            head.append(f"{_LOOKED_AT}{self.games}")
        return "\n".join([*head, *(puzzle.to_text() for puzzle in self.puzzles), ""])

    @classmethod
    def from_text(cls, text: str) -> PuzzleSet:
        """The set in the text of a file; raises `PuzzleError` with the number of the line."""
        lines = text.splitlines()
        first = lines[0] if lines else ""
        if not first.startswith(_HEAD):
            raise PuzzleError(
                f"a file of puzzles begins with {shown(_HEAD + 'connect-four')}, not {shown(first)}"
            )
        if len(lines) > MOST:
            raise PuzzleError(f"a file has at most {counted(MOST, 'line')}, not {len(lines)}")
        name, _, title = first.removeprefix(_HEAD).partition(":")
        try:
            found = cls(make_game(name.strip()).name, title=title.strip())
        except GameError as error:
            raise PuzzleError(f"line 1: {error}") from error
        for number, line in enumerate(lines[1:], 2):
            if line.startswith(_LOOKED_AT):
                found.games = int(re.sub(r"\D", "", line) or 0)
            elif line.strip() and not line.startswith("#"):
                try:
                    found.puzzles.append(Puzzle.read(found.game, line))
                except PuzzleError as error:
                    raise PuzzleError(f"line {number}: {error}") from error
        return found

    def save(self, path: Path) -> None:
        """Write the file, all or nothing."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, self.to_text())


def read_set(path: Path) -> PuzzleSet:
    """The set in a file; raises `PuzzleError` if it is not one, ``OSError`` if it is not there."""
    try:
        return PuzzleSet.from_text(path.read_text("utf-8"))
    except (PuzzleError, UnicodeDecodeError) as error:
        reason = error if isinstance(error, PuzzleError) else "this is not text"
        raise PuzzleError(f"{path.name}: {reason}") from error


# ----------------------------------------------------------------------------------- shipped


def shipped_games() -> list[str]:
    """The names of the games that come with puzzles, in alphabetical order."""
    if not _FOLDER.is_dir():
        return []
    return sorted(each.name.removesuffix(".txt") for each in _FOLDER.iterdir())


@lru_cache(maxsize=16)
def _shipped(game: str) -> PuzzleSet:
    if game not in shipped_games():
        return PuzzleSet(game)
    return PuzzleSet.from_text((_FOLDER / f"{game}.txt").read_text("utf-8"))


@lru_cache(maxsize=16)
def shipped_names(game: str) -> frozenset[str]:
    """The names of the puzzles that come with the package for the full name of a game."""
    return frozenset(each.name for each in _shipped(game).puzzles)


def shipped(game: str) -> tuple[Puzzle, ...]:
    """The puzzles that come with the package for a game; none for a game without."""
    return tuple(_shipped(make_game(game).name).puzzles)


def shipped_puzzle(name: str) -> Puzzle:
    """The puzzle of a name such as ``connect-four/11366b36``.

    Raises `PuzzleError` if it is not among the puzzles that come with the package.
    """
    game, _, number = name.strip().lower().rpartition("/")
    if game in shipped_games():
        found = next((each for each in shipped(game) if each.number == number), None)
        if found is not None:
            return found
        near = did_you_mean(number, [each.number for each in shipped(game)])
        hint = f"; did you mean {game}/{near}?" if near else ""
        raise PuzzleError(f"there is no puzzle {shown(name)}{hint}")
    raise PuzzleError(f"{shown(name)} is not a puzzle; names are like connect-four/11366b36")


def by_name(puzzles: Iterable[Puzzle]) -> dict[str, Puzzle]:
    """Puzzles by their names."""
    return {puzzle.name: puzzle for puzzle in puzzles}
