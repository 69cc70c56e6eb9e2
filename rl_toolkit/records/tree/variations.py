"""Variations: other moves that could have been played, as a tree.

A variation leaves its line (the game, or another variation) after ``ply`` moves of that line, and
goes on with moves of its own::

    game       d3  c3  c4  e3          Variation(2, (f3, d6), {1: "sharper"})
                    └─ f3  d6              leaves the game after 2 moves,
                                           "sharper" is said of f3

What follows the last move of a variation is part of the variation itself. The game ends where it
was ended, so a variation may leave it after its last move, too: moves that were tried afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.validation import as_move
from rl_toolkit.records.checked_json import checked_text
from rl_toolkit.records.errors import RecordFieldError, RecordMoveError
from rl_toolkit.records.tree.notes import Note, checked_by_ply, checked_notes
from rl_toolkit.utils import shown

#: How deep variations may be nested, and how many moves all variations of a game may have.
MAX_DEPTH = 24
MAX_MOVES = 100_000


@dataclass(frozen=True)
class Variation:
    """Another continuation of a line. `GameRecord` checks it.

    Attributes:
        ply: how many moves of the line are played before it.
        moves: its moves, at least one.
        comments: texts by the number of its moves that are played, from 1.
        variations: the variations that leave it, each after at least one of its moves.
        notes: what else is attached to its moves, by the same numbers.
        ahead: whether it stands before the move of the game that it replaces, as in a tree whose
            main line is not the game as played. Only a variation of the game can.
    """

    ply: int
    moves: Sequence[int]
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    variations: Sequence[Variation] = ()
    notes: Mapping[int, Note] = field(default_factory=dict, hash=False)
    ahead: bool = False

    @property
    def size(self) -> int:
        """The number of moves, those of its own variations included."""
        return len(self.moves) + sum(variation.size for variation in self.variations)


def play_along(env: BaseGameEnv, moves: object, where: str) -> tuple[int, ...]:
    """Play all moves on ``env`` and return them as plain ints."""
    played: list[int] = []
    for k, entry in enumerate(as_list(moves, where)):
        try:
            move = as_move(entry)
            env.step(move)
        except ValueError as error:
            raise RecordMoveError(str(error), f"{where}[{k}]") from error
        played.append(move)
    return tuple(played)


def checked_comments(comments: object, moves: int, first: int, where: str) -> dict[int, str]:
    """Texts by ply, in order, without empty ones; ``first`` is the lowest ply.

    Every line end becomes a single line feed, whatever the system that wrote it.
    """

    def one(text: object, where: str) -> str:
        return checked_text(text, where).replace("\r\n", "\n").replace("\r", "\n")

    return checked_by_ply(comments, "text", moves, first, where, one)


def checked_variations(
    begun: BaseGameEnv, line: Sequence[int], variations: object, where: str = "variations"
) -> tuple[Variation, ...]:
    """The variations of a line, played and copied, in the order of their plies.

    ``begun`` is the position before the first move of ``line``; it is not changed.
    """
    return _Checker().check(begun.copy(), line, variations, 0, where, 1)


class _Checker:
    """Checks a tree of variations; counts moves, so that the tree has a bound."""

    def __init__(self) -> None:
        self.moves = 0

    def check(
        self,
        env: BaseGameEnv,
        line: Sequence[int],
        variations: object,
        first: int,
        where: str,
        depth: int,
    ) -> tuple[Variation, ...]:
        listed = as_list(variations, where)
        if not listed:
            return ()
        if depth > MAX_DEPTH:
            raise RecordFieldError(f"variations are nested deeper than {MAX_DEPTH}", where)
        last = len(line) if depth == 1 else len(line) - 1
        numbered = [
            (*_with_ply(entry, first, last, f"{where}[{k}]"), f"{where}[{k}]")
            for k, entry in enumerate(listed)
        ]
        for ply, entry, place in numbered:
            if entry.ahead and (depth > 1 or ply == len(line)):
                raise RecordFieldError(
                    "there is no move of the game to stand before", f"{place}.ahead"
                )
        # A stable sort: the order at one ply stays.
        numbered.sort(key=lambda item: (item[0], not item[1].ahead))
        kept, played = [], 0
        for ply, entry, place in numbered:
            while played < ply:
                env.step(line[played])
                played += 1
            kept.append(self._one(env.copy(), ply, entry, place, depth))
        return tuple(kept)

    def _one(
        self, env: BaseGameEnv, ply: int, entry: Variation, where: str, depth: int
    ) -> Variation:
        begun = env.copy()
        self.moves += len(as_list(entry.moves, f"{where}.moves"))
        if self.moves > MAX_MOVES:
            raise RecordFieldError(f"the variations have more than {MAX_MOVES:,} moves", where)
        moves = play_along(env, entry.moves, f"{where}.moves")
        if not moves:
            raise RecordFieldError("a variation has at least one move", f"{where}.moves")
        comments = checked_comments(entry.comments, len(moves), 1, f"{where}.comments")
        notes = checked_notes(entry.notes, env, len(moves), 1, f"{where}.notes")
        inner = self.check(begun, moves, entry.variations, 1, f"{where}.variations", depth + 1)
        return Variation(ply, moves, comments, inner, notes, bool(entry.ahead))


def _with_ply(entry: object, first: int, last: int, where: str) -> tuple[int, Variation]:
    if not isinstance(entry, Variation):
        raise RecordFieldError(f"this must be a Variation, not {shown(entry)}", where)
    try:
        ply = as_move(entry.ply)
    except ValueError:
        ply = -1
    if not first <= ply <= last:
        there = f"a variation leaves its line at ply {first} to {last}"
        if last < first:
            there = "a variation leaves its line before a move, and there is none"
        raise RecordFieldError(f"{there}, not {shown(entry.ply)}", f"{where}.ply")
    return ply, entry


def branches(
    begun: BaseGameEnv, line: Sequence[int], variations: Sequence[Variation]
) -> Iterator[tuple[Variation, BaseGameEnv]]:
    """Yield each variation of a line with a new game in the position where it leaves the line."""
    env, played = begun.copy(), 0
    for variation in variations:
        while played < variation.ply:
            env.step(line[played])
            played += 1
        yield variation, env.copy()


def names_along(env: BaseGameEnv, moves: Sequence[int]) -> list[str]:
    """Play ``moves`` on ``env`` itself, and return the name of each in the position before it.

    Raises `GameError` for a move that cannot be played there.
    """
    names = []
    for move in moves:
        names.append(env.move_name(move))
        env.step(move)
    return names


def as_list(value: object, where: str) -> list[object]:
    """``value`` as a list; raises `RecordFieldError` if it is not a sequence."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise RecordFieldError(f"this must be a list, not {shown(value)}", where)
    return list(value)
