"""`Opening`: the moves from which both games of a pair begin, and lists of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.records import position_from_text


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a game; iterating gives its moves.

    Attributes:
        moves: the moves, oldest first.
        start: the position before them as text, "" for the usual one.
        swap2: what the placements are drawn with if the players make the opening by swap2.
    """

    moves: tuple[int, ...] = ()
    start: str = ""
    swap2: str = ""

    def __iter__(self) -> Iterator[int]:
        return iter(self.moves)

    def position(self, game: str) -> BaseGameEnv:
        """The game after the opening."""
        begun = position_from_text(game, self.start) if self.start else make_game(game)
        return BaseGameEnv.after(begun, self.moves)


@dataclass(frozen=True, slots=True)
class OpeningList:
    """Openings in the order in which pairs play them; after the last one they begin again.

    Attributes:
        name: what the list is called, such as the name of its file.
        openings: at least one.
        balanced: whether they come with the package, which ships balanced ones only.
        digest: a hash of the openings, so that a saved match notices other ones.

    Raises ``ValueError`` without an opening.
    """

    name: str
    openings: Sequence[Opening]
    balanced: bool = False
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        if not self.openings:
            raise ValueError(f"{self.name} has no openings")
        text = "\n".join(f"{opening.start} {list(opening.moves)}" for opening in self.openings)
        object.__setattr__(self, "openings", tuple(self.openings))
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest()[:16])

    def __len__(self) -> int:
        return len(self.openings)

    def __getitem__(self, number: int) -> Opening:
        return self.openings[number % len(self.openings)]

    def to_dict(self) -> dict[str, str | int]:
        """What a file of games keeps: the openings themselves are in its games."""
        return {"name": self.name, "count": len(self), "digest": self.digest}
