"""`Puzzle`: a position of a game, what is asked, and the line that answers it; as a line of text.

A file of puzzles has one puzzle a line::

    1f3a9c2e|dddcebf|cab|win|825|ef|e

that is its number, the moves of the game up to the position, the solution with the replies, the
kind, the difficulty, the wrong moves that look good, and the move that was played in the game.
Lines that begin with ``#`` are comments; the first one names the game.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rl_toolkit.envs import BaseGameEnv, GameError, Position, RecordError, make_game
from rl_toolkit.utils import counted, shown

#: What a puzzle asks for, by the word in the file: the theme as people see it, and the task.
KINDS: dict[str, tuple[str, str]] = {
    "win": ("the only win", "{side} to play and win"),
    "fork": ("two threats at once", "{side} to play and win"),
    "hold": ("the only defence", "{side} to play: only one move does not lose"),
    "discs": ("the most discs", "{side} to play: end with the most discs"),
    "fours": ("wins by fours", "{side} to play and win with fours only"),
    "threats": ("wins by threats", "{side} to play and win by threats"),
    "defend": ("stop the attack", "{side} to play: stop the attack"),
    "take": ("warm-up: win now", "{side} to play and win now"),
    "block": ("warm-up: stop a win", "{side} to play: stop the win"),
}
#: Kinds whose answer is a win.
WINNING = frozenset({"win", "fork", "fours", "threats", "take"})
#: Kinds that are asked before the real ones.
WARM_UPS = frozenset({"take", "block"})

#: Bytes of a number.
_DIGEST = 4
_MOVE = re.compile(r"[a-z][0-9]*|--")
_FIELDS = 7


class PuzzleError(RecordError):
    """Text that is not a puzzle, or a puzzle that does not exist."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one right move, and the line that follows it.

    Attributes:
        game: the name of the game.
        number: eight hexadecimal digits, the same for all images of a position.
        moves: the game up to the position; the last one is the opponent's.
        line: the right move, the reply, the right move … ; an own move comes last.
        kind: a key of `KINDS`.
        rating: the difficulty, on the scale of the levels of the game.
        tempting: wrong moves that a short search likes at least as much, the best first.
        played: what was played in the game, ``None`` if it is not known.
    """

    game: str
    number: str
    moves: tuple[int, ...]
    line: tuple[int, ...]
    kind: str
    rating: int
    tempting: tuple[int, ...] = ()
    played: int | None = None

    @property
    def name(self) -> str:
        """How people and addresses name it: ``connect-four/11366b36``."""
        return f"{self.game}/{self.number}"

    @property
    def steps(self) -> int:
        """The moves of the solver in the line."""
        return (len(self.line) + 1) // 2

    @property
    def missed(self) -> bool:
        """Whether the player of the game chose another move."""
        return self.played is not None and self.played != self.line[0]

    @property
    def wrong(self) -> tuple[int, ...]:
        """The moves that must not be right: those that tempt, and the one that was played."""
        if self.played is None or not self.missed or self.played in self.tempting:
            return self.tempting
        return (*self.tempting, self.played)

    @property
    def position(self) -> Position:
        """The position to solve."""
        return Position(self.game, moves=self.moves)

    def env(self) -> BaseGameEnv:
        """A game in the position to solve."""
        return self.position.env()

    def to_text(self) -> str:
        """The line of a file."""
        env = make_game(self.game)
        fields = (
            self.number,
            moves_to_text(env, self.moves),
            moves_to_text(env, self.line),
            self.kind,
            str(self.rating),
            moves_to_text(env, self.tempting),
            "" if self.played is None else env.move_name(self.played),
        )
        return "|".join(fields)

    @classmethod
    def read(cls, game: str, text: str) -> Puzzle:
        """The puzzle in a line of a file; raises `PuzzleError` if it is not one.

        The moves are read, not played: `checked` plays them.
        """
        fields = text.strip().split("|")
        if len(fields) != _FIELDS:
            raise PuzzleError(
                f"a puzzle has {counted(_FIELDS, 'field')} separated by |, not {shown(text)}"
            )
        number, moves, line, kind, rating, tempting, played = fields
        if not re.fullmatch(r"[0-9a-f]{8}", number):
            raise PuzzleError(f"the number of a puzzle has eight digits 0–f, not {shown(number)}")
        if kind not in KINDS:
            raise PuzzleError(
                f"{shown(kind)} is not a kind of puzzle; there are {', '.join(KINDS)}"
            )
        if not rating.isdecimal() or len(rating) > 4:
            raise PuzzleError(f"{shown(rating)} is not a difficulty")
        try:
            env = make_game(game)
            solution = moves_from_text(env, line)
            if len(solution) % 2 == 0:
                raise PuzzleError(f"the line of a puzzle ends with an own move, not {shown(line)}")
            return cls(
                env.name,
                number,
                moves_from_text(env, moves),
                solution,
                kind,
                int(rating),
                moves_from_text(env, tempting),
                env.parse_move(played) if played else None,
            )
        except GameError as error:
            raise PuzzleError(str(error)) from error

    def checked(self) -> Puzzle:
        """This puzzle, if its moves can be played; raises `PuzzleError` otherwise."""
        env = make_game(self.game)
        try:
            for move in self.moves:
                env.step(move)
            number = number_of(env)
            legal = env.get_legal_moves()
            for move in self.line:
                env.step(move)
        except GameError as error:
            raise PuzzleError(
                f"the moves of puzzle {self.number} cannot be played: {error}"
            ) from error
        others = [*self.tempting, *([] if self.played is None else [self.played])]
        if not set(others) <= set(legal):
            raise PuzzleError(f"puzzle {self.number} names a move that is not legal")
        if number != self.number:
            raise PuzzleError(f"the number of this position is {number}, not {self.number}")
        return self

    def to_dict(self) -> dict[str, Any]:
        """What a list shows; the solution is not in it."""
        return {
            "name": self.name,
            "game": self.game,
            "kind": self.kind,
            "theme": KINDS[self.kind][0],
            "rating": self.rating,
            "steps": self.steps,
            "missed": self.missed,
        }


# ------------------------------------------------------------------------------- moves as text


def moves_to_text(env: BaseGameEnv, moves: Sequence[int]) -> str:
    """The names of moves, without spaces where names can be told apart."""
    names = ["--" if move == env.pass_move else env.move_name(move) for move in moves]
    plain = all(_MOVE.fullmatch(name) for name in names)
    return ("" if plain else " ").join(names)


def moves_from_text(env: BaseGameEnv, text: str) -> tuple[int, ...]:
    """The moves of `moves_to_text`; raises a `GameError` for other text."""
    words = text.split() if " " in text else _MOVE.findall(text)
    if " " not in text and "".join(words) != text:
        words = [text]
    return tuple(env.parse_move(word) for word in words)


# ------------------------------------------------------------------------------------ identity


def number_of(env: BaseGameEnv) -> str:
    """The number of a puzzle in this position: the same for mirror images and swapped colours."""
    if env.traits.has_grid:
        board = np.asarray(env.board * env.current_player, dtype=np.int8)
        image = min(
            each.apply_to_board(board).astype(np.int8).tobytes() for each in env.symmetries()
        )
    else:
        image = repr(env.get_state_hash()).encode()
    return hashlib.blake2b(image, digest_size=_DIGEST, person=b"puzzle").hexdigest()
