"""The plan of a tournament: who plays, how often, and with which seeds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from rl_toolkit.arena.arbiter.rules import NO_RULES, Rules
from rl_toolkit.arena.runs.match_results import Match, checked_plies, described
from rl_toolkit.arena.runs.openings.opening import OpeningList
from rl_toolkit.arena.runs.pairings import (
    SCHEDULES,
    ScheduleName,
    most_swiss_rounds,
    swiss_rounds,
)
from rl_toolkit.arena.runs.saved_pairs import short_name
from rl_toolkit.players import check_player


@dataclass(frozen=True, slots=True)
class Tournament:
    """The plan of a tournament; raises ``ValueError`` if it cannot be played.

    Attributes:
        game: the name of the game.
        players: specs or levels, with different names.
        games: games of each pairing, an even number: each opening is played twice.
        schedule: ``round-robin``, ``gauntlet`` (the first player against the others) or ``swiss``.
        random_plies: random moves of an opening, as in a `Match`; all pairings play the same ones.
        seed: the seed of all randomness.
        rounds: rounds of a Swiss tournament; 0 for the usual number.
        rules, balanced, openings, swap2: as in a `Match`, for all pairings.
        retired: those of ``players`` whose saved games count, and who play no more.
    """

    game: str
    players: tuple[str, ...]
    games: int
    schedule: ScheduleName = "round-robin"
    random_plies: int | None = None
    seed: int = 0
    rounds: int = 0
    rules: Rules = NO_RULES
    balanced: bool = False
    openings: OpeningList | None = None
    retired: frozenset[str] = frozenset()
    swap2: bool = False

    def __post_init__(self) -> None:
        if len(self.active) < 2:
            raise ValueError(f"a tournament needs at least two players, not {len(self.active)}")
        if self.games < 2 or self.games % 2:
            raise ValueError(
                f"games must be even (each opening is played twice) and at least 2, "
                f"not {self.games}"
            )
        for name in ("random_plies", "seed", "rounds"):
            if (number := getattr(self, name)) is not None and number < 0:
                raise ValueError(f"{name} must be at least 0, not {number}")
        plies = checked_plies(self)
        object.__setattr__(self, "random_plies", plies)
        if self.schedule not in SCHEDULES:
            raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}")
        if self.rounds and self.schedule != "swiss":
            raise ValueError("only a Swiss tournament has a number of rounds")
        if self.rounds > (most := most_swiss_rounds(len(self.active))):
            raise ValueError(f"after {most} rounds everyone has met everyone, not {self.rounds}")
        names: dict[str, str] = {}
        for player in self.players:
            check_player(self.game, player)
            other = names.get(short_name(player))
            if other == player:
                raise ValueError(f"{player!r} is there twice; players need different names")
            if other is not None:
                raise ValueError(
                    f"{other!r} and {player!r} have the same name; players need different names"
                )
            names[short_name(player)] = player

    @property
    def active(self) -> tuple[str, ...]:
        """The players who are not retired."""
        return tuple(player for player in self.players if player not in self.retired)

    @property
    def pairs(self) -> int:
        """The openings that each pairing plays."""
        return self.games // 2

    @property
    def swiss_rounds(self) -> int:
        """The number of rounds of a Swiss tournament."""
        return self.rounds or swiss_rounds(len(self.active))

    @property
    def total_games(self) -> int:
        """The number of games in all; those of retired players are not counted."""
        count = len(self.active)
        pairings = {
            "round-robin": count * (count - 1) // 2,
            "gauntlet": count - 1,
            "swiss": self.swiss_rounds * (count // 2),
        }
        return self.games * pairings[self.schedule]

    def match(self, one: str, other: str) -> Match:
        """The match of two players; the same whichever of them is named first.

        It depends on nothing but the game, the two players, the openings and the seed: so its games
        still count when the tournament grows.
        """
        low, high = sorted((one, other), key=short_name)
        text = f"{self.seed} {short_name(low)} {short_name(high)}"
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
        return Match(
            self.game,
            (low, high),
            self.pairs,
            self.random_plies,
            seed,
            self.rules,
            self.balanced,
            self.openings,
            self.swap2,
        )

    def described(self) -> dict[str, Any]:
        """What a file of games belongs to: the game, the openings, the rules and the seed."""
        return {
            "game": self.game,
            "random_plies": self.random_plies,
            "seed": self.seed,
            **described(self),
        }
