"""The plan of a calibration: the steps of a ladder, who meets whom, and how exact it has to be."""

from __future__ import annotations

from dataclasses import dataclass

from rl_toolkit.arena.runs.match_results import Match
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.envs import make_game
from rl_toolkit.players.levels import ANCHOR, TARGET, opening_plies, steps_of

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The plan of a calibration; raises ``ValueError`` if it cannot be played.

    Attributes:
        game: the full name of the game.
        players: specs, weakest first; the first is `ANCHOR`.
        random_plies: random moves of an opening.
        seed: the seed of all randomness.
        target: the half-width of a 95 % interval, in Elo, that is small enough.
    """

    game: str
    players: tuple[str, ...]
    random_plies: int
    seed: int = 0
    target: float = TARGET

    def __post_init__(self) -> None:
        if self.players[:1] != (ANCHOR,):
            raise ValueError(f"the first player of a ladder is {ANCHOR}")
        if not self.target > 0:
            raise ValueError(f"target must be above 0, not {self.target}")
        self._tournament()

    @classmethod
    def of_game(cls, game: str, *, seed: int = 0, target: float = TARGET) -> Calibration:
        """The calibration of a game's ladder; ``ValueError`` if its levels are not a ladder."""
        env = make_game(game)
        steps = steps_of(env)
        if steps is None:
            raise ValueError(f"{env.name} has no ladder to calibrate")
        specs = dict.fromkeys(step.spec for step in steps)
        return cls(env.name, (ANCHOR, *specs), opening_plies(env), seed, target)

    def _tournament(self) -> Tournament:
        return Tournament(
            self.game, self.players, 2, random_plies=self.random_plies, seed=self.seed
        )

    @property
    def pairings(self) -> list[Pairing]:
        """Who may meet whom, by number: all, the nearest first; `choosing` says who does."""
        count = len(self.players)
        return [(at, at + gap) for gap in range(1, count) for at in range(count - gap)]

    def match(self, pairing: Pairing) -> Match:
        """The match of a pairing, as in a tournament with the same seed."""
        return self._tournament().match(*(self.players[number] for number in pairing))
