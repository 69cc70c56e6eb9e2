"""The settings of a training run, as plain data. Nothing here needs JAX.

A run repeats one iteration: a *chunk* of self-play (``games`` games side by side, ``plies`` plies
each), then optimiser steps on positions drawn from the last chunks. Over the run, *stages* raise
the number of simulations: fast, rough games first, slow, good ones later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any


class SettingsError(ValueError):
    """Settings that are invalid or do not match the run."""


@dataclass(frozen=True, slots=True)
class StartMix:
    """After how many random plies games begin.

    Attributes:
        empty: share of games that begin at the initial position.
        early: share that begins after 1 to ``early_plies`` random plies.
        early_plies: see ``early``.
        late_plies: the smallest and largest number of random plies for the rest.
        noise: probability that a random ply need not be safe.
    """

    empty: float = 0.15
    early: float = 0.45
    early_plies: int = 12
    late_plies: tuple[int, int] = (8, 36)
    noise: float = 0.1


@dataclass(frozen=True, slots=True)
class Stage:
    """The number of simulations per move from a given share of the run on.

    ``reuse`` is the number of samples drawn per new position: positions that took more search are
    used more often.
    """

    begin: float
    simulations: int
    reuse: int


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that determines what a run computes.

    Attributes:
        game: the name of the game in the registry of `envs`.
        preset: the name of these settings.
        channels, blocks, policy_channels, value_channels, hidden: the network; see `loop.network`.
        games, plies: the size of a chunk.
        stages: see `Stage`; the first begins at 0.
        considered: the number of moves that a search may try at the root.
        discount, value_scale, gumbel_scale: see `loop.search`.
        trace: the λ of TD(λ) for value targets.
        starts: see `StartMix`.
        batch: positions per optimiser step.
        buffer_chunks: the number of chunks kept.
        window: samples come from this share of all chunks so far, but at least ``least_window``.
        learning_rate, final_rate: a cosine schedule between them, after ``warm_up`` steps of ramp.
        weight_decay, clip, average: of AdamW, of the gradient norm, of the averaged weights.
        minutes: the length of the run by the clock, or else
        iterations: its length in iterations, which makes it repeatable.
        seed: the seed of all randomness.
        teacher: the checksum of the network that plays instead, if any; see `loop.teacher`.
        from_games: whether it learns from games in files instead of playing; see `recorded_games`.

    Raises `SettingsError` for numbers that do not go together.
    """

    game: str
    preset: str
    channels: int
    blocks: int
    games: int
    plies: int
    stages: tuple[Stage, ...]
    considered: int
    batch: int
    buffer_chunks: int
    learning_rate: float
    starts: StartMix = field(default_factory=StartMix)
    policy_channels: int = 16
    value_channels: int = 8
    hidden: int = 128
    discount: float = 0.99
    value_scale: float = 0.1
    gumbel_scale: float = 1.0
    trace: float = 0.9
    window: float = 0.5
    least_window: int = 4
    final_rate: float = 5e-5
    warm_up: int = 300
    weight_decay: float = 1e-4
    clip: float = 1.0
    average: float = 0.999
    minutes: float | None = None
    iterations: int | None = None
    seed: int = 0
    teacher: str | None = None
    from_games: bool = False

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.iterations is None):
            raise SettingsError("give the length of a run in minutes or in iterations")
        if self.minutes is not None and not self.minutes > 0:
            raise SettingsError(f"minutes must be positive, not {self.minutes}")
        if self.iterations is not None and self.iterations < 1:
            raise SettingsError(f"iterations must be at least 1, not {self.iterations}")
        if not self.stages or self.stages[0].begin != 0:
            raise SettingsError("the first stage of a run must begin at 0")
        if self.chunk % self.batch:
            raise SettingsError(f"a chunk of {self.chunk} is not a multiple of {self.batch}")

    @property
    def chunk(self) -> int:
        """The number of positions that one iteration plays."""
        return self.games * self.plies

    def stage_at(self, share: float) -> Stage:
        """The stage after ``share`` of the run."""
        return [stage for stage in self.stages if stage.begin <= share][-1]

    def with_budget(self, minutes: float | None, iterations: int | None) -> Settings:
        """The same run with another length; unchanged if neither is given."""
        if minutes is None and iterations is None:
            return self
        return replace(self, minutes=minutes, iterations=iterations)

    def taught_by(self, sha256: str) -> Settings:
        """The same run with a teacher, which plays at constant strength."""
        middle = self.stages[len(self.stages) // 2]
        return replace(self, teacher=sha256, stages=(replace(middle, begin=0),))

    def fed_with_games(self) -> Settings:
        """The same run with games from files: it searches nothing itself."""
        middle = self.stages[len(self.stages) // 2]
        return replace(self, from_games=True, stages=(replace(middle, begin=0, simulations=0),))

    def as_json(self) -> dict[str, Any]:
        """Plain data for a log or a checkpoint; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """The settings from the data of `as_json`; `SettingsError` for anything else."""
        try:
            values = dict(data)
            values["stages"] = tuple(Stage(**stage) for stage in values["stages"])
            starts = dict(values["starts"])
            starts["late_plies"] = tuple(starts["late_plies"])
            values["starts"] = StartMix(**starts)
            return cls(**values)
        except (KeyError, TypeError) as error:
            raise SettingsError(f"these are not settings of a run: {error}") from error

    def difference(self, other: Settings) -> str | None:
        """The first setting in which ``other`` differs, its length aside; ``None`` if none does."""
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if one.name not in ("minutes", "iterations") and mine != theirs:
                return f"{one.name} is {mine}, not {theirs}"
        return None
