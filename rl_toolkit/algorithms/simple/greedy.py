"""The engine that looks a single move ahead."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from math import ceil, sqrt

from rl_toolkit.algorithms.search_control import Stopwatch
from rl_toolkit.algorithms.simple.one_move import look_at
from rl_toolkit.algorithms.simple.seeds import new_seed, rng_of
from rl_toolkit.algorithms.simple.tactics import plain_results, with_proofs
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
)
from rl_toolkit.envs import BaseGameEnv


@dataclass(frozen=True, slots=True)
class GreedyEngine:
    """Wins immediately if it can, else stops an immediate loss, else takes the best heuristic.

    Each move is played, and the opponent's replies are checked for an immediate win. These wins and
    losses, and games that end with the move, are proven. Every other move gets the value of the
    game's heuristic after it. Equal moves are ordered by `BaseGameEnv.move_priorities`, then at
    random by ``seed`` or, without one, by number.

    With probability ``slips`` it ignores the replies: unless it can win immediately, it plays a
    random one of the few moves that look best before the opponent answers, like a person who
    overlooks a threat. A slip depends on the seed and the position; without a seed every call draws
    a new one, and the analysis reports it.
    """

    seed: int | None = None
    slips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 1:
            raise ValueError(f"slips must be a probability from 0 to 1, not {self.slips!r}")

    @property
    def name(self) -> str:
        """``greedy``."""
        return "greedy"

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Evaluate each move and its replies, as far as ``limit`` and ``stop`` allow.

        A node is one evaluated move. Moves that were not reached are unknown and come last, unless
        the board shows their result. A move chosen by a slip comes first, with its true evaluation.
        """
        watch = Stopwatch()
        limit = limit or Limit()
        seed = new_seed() if self.seed is None and self.slips else self.seed
        rng = None if seed is None else rng_of(seed, env)
        moves = _in_order(env, rng)
        slipping = rng is not None and rng.random() < self.slips
        look = look_at(env)
        seen: list[Candidate] = []
        for move in moves:
            if stop is not None and stop.is_set():
                break
            if limit.nodes is not None and len(seen) >= limit.nodes:
                break
            if limit.time is not None and watch.seconds >= limit.time:
                break
            seen.append(look.at(move, check_replies=True))
        unseen = [Candidate(move, env.move_name(move)) for move in moves[len(seen) :]]
        if unseen:
            unseen = with_proofs(unseen, plain_results(env))
        candidates = sorted([*seen, *unseen], key=_strength, reverse=True)
        notes: tuple[str, ...] = ()
        if rng is not None and slipping and len(seen) > 1 and candidates[0].outcome != "win":
            tempting = [look.at(c.move, check_replies=False) if c.proven else c for c in seen]
            tempting.sort(key=_strength, reverse=True)
            few = min(len(tempting), ceil(sqrt(len(tempting))) + 1)
            slip = tempting[rng.randrange(few)].move
            candidates.sort(key=lambda candidate: candidate.move != slip)
            notes = ("Chosen without checking the opponent's replies",)
        return Analysis.of(
            env,
            self.name,
            candidates,
            nodes=len(seen),
            depth=1 if seen else 0,
            elapsed=watch.seconds,
            seed=seed,
            notes=notes,
        )

    def reseeded(self, seed: int | None) -> GreedyEngine:
        """The same engine with another seed."""
        return replace(self, seed=seed)


def _in_order(env: BaseGameEnv, rng: random.Random | None) -> list[int]:
    """The legal moves by priority, equal ones in random order."""
    moves = env.get_legal_moves()
    if rng is not None:
        rng.shuffle(moves)
    priorities = env.move_priorities()
    return sorted(moves, key=lambda move: -int(priorities[move]))


def _strength(candidate: Candidate) -> tuple[int, float]:
    """Sort key: proven wins first, proven losses last (slow ones before fast), others by value."""
    if candidate.proven and candidate.outcome != "draw":
        distance = candidate.distance or 0
        return (1, -distance) if candidate.outcome == "win" else (-1, distance)
    return 0, candidate.value or 0.0
