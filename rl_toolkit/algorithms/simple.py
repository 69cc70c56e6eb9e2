"""Two engines that hardly think: one plays at random, one looks no further than the next move.

They are opponents for a first game, yardsticks for better engines, and the shortest examples of
what an engine is.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from math import ceil, sqrt

from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Limit,
    ProgressCallback,
    StopSignal,
    analysis_of,
    outcome_of,
)
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import position_to_text


@dataclass(frozen=True, slots=True)
class RandomEngine:
    """Plays any legal move, each as likely as another, and pretends to no opinion.

    The candidates come in the order drawn, each with value 0 and no outcome. The same ``seed`` and
    position give the same answer. Without a seed every answer is drawn anew; the analysis names the
    seed that gives it again.
    """

    seed: int | None = None

    @property
    def name(self) -> str:
        """``random``."""
        return "random"

    def analyse(
        self,
        env: BaseGameEnv,
        limit: Limit | None = None,
        on_progress: ProgressCallback | None = None,
        stop: StopSignal | None = None,
    ) -> Analysis:
        """Draw an order of the legal moves; no limit is ever reached."""
        started = time.perf_counter()
        seed = _fresh_seed() if self.seed is None else self.seed
        moves = env.get_legal_moves()
        _dice(seed, env).shuffle(moves)
        return analysis_of(
            env,
            position_to_text(env),
            self.name,
            [Candidate(move, env.move_name(move), 0.0) for move in moves],
            elapsed=time.perf_counter() - started,
            seed=seed,
        )


@dataclass(frozen=True, slots=True)
class GreedyEngine:
    """Wins at once if it can, else avoids letting the opponent do so, else takes what looks best.

    Each move is played, and the opponent's answers are looked at for one that wins at once. These
    wins and losses, and games that end with the move, are proven. Every other move is valued by
    the game's heuristic after it. Equal moves come in the game's own order of promise
    (`BaseGameEnv.move_priorities`), then as the ``seed`` draws them or, without one, by number.

    With the chance ``slips`` it does not look: unless it can win at once, it then plays any one of
    the few moves that look best after its own move alone, as people do when they overlook a threat.
    A slip depends on the seed and the position; without a seed every answer is drawn anew, and the
    analysis names the seed that gives it again.
    """

    seed: int | None = None
    slips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 1:
            raise ValueError(f"slips is a chance from 0 to 1, not {self.slips!r}")

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
        """Look at each move and its answers, as far as ``limit`` and ``stop`` allow.

        A node is one move looked at. Moves not looked at come late, with no opinion, and only
        certain losses after them.
        """
        started = time.perf_counter()
        limit = limit or Limit()
        seed = _fresh_seed() if self.seed is None and self.slips else self.seed
        dice = None if seed is None else _dice(seed, env)
        moves = _in_order(env, dice)
        slipping = dice is not None and dice.random() < self.slips
        seen: list[Candidate] = []
        for move in moves:
            if stop is not None and stop.is_set():
                break
            if limit.nodes is not None and len(seen) >= limit.nodes:
                break
            if limit.time is not None and time.perf_counter() - started >= limit.time:
                break
            seen.append(_looked_at(env, move, answers_too=not slipping))
        candidates = sorted(seen, key=_goodness, reverse=True)
        notes: tuple[str, ...] = ()
        if dice is not None and slipping and len(seen) > 1 and candidates[0].outcome != "win":
            few = min(len(candidates), ceil(sqrt(len(candidates))) + 1)
            candidates.insert(0, candidates.pop(dice.randrange(few)))
            notes = ("played on a hunch, without a look at the answers",)
        unseen = [Candidate(move, env.move_name(move), 0.0) for move in moves[len(seen) :]]
        return analysis_of(
            env,
            position_to_text(env),
            self.name,
            # Anything is better than a certain loss.
            [c for c in candidates if c.outcome != "loss"]
            + unseen
            + [c for c in candidates if c.outcome == "loss"],
            nodes=len(seen),
            depth=1 if seen else 0,
            elapsed=time.perf_counter() - started,
            seed=seed,
            notes=notes,
        )


def _in_order(env: BaseGameEnv, dice: random.Random | None) -> list[int]:
    """The legal moves, the more promising first on principle, equals as the dice fall."""
    moves = env.get_legal_moves()
    if dice is not None:
        dice.shuffle(moves)
    priorities = env.move_priorities()
    return sorted(moves, key=lambda move: -int(priorities[move]))


def _looked_at(env: BaseGameEnv, move: int, *, answers_too: bool) -> Candidate:
    """``move`` with what one look tells of it."""
    player = env.current_player
    game = env.copy()
    game.step(move)
    name, line = env.move_name(move), (move,)
    if game.is_terminal():
        result = game.get_result(player)
        return Candidate(move, name, result, outcome_of(result), True, 1, line=line)
    if answers_too and game.current_player != player:
        answers = game.winning_moves(-player)
        if answers:
            return Candidate(move, name, -1.0, "loss", True, 2, line=(move, answers[0]))
    return Candidate(move, name, game.evaluate_heuristic(player), line=line)


def _goodness(candidate: Candidate) -> tuple[int, float]:
    """Proven wins first, proven losses last, the later the better; between them by value."""
    if candidate.proven and candidate.outcome != "draw":
        distance = candidate.distance or 0
        return (1, -distance) if candidate.outcome == "win" else (-1, distance)
    return 0, candidate.value


def _dice(seed: int, env: BaseGameEnv) -> random.Random:
    """Chance that depends on the seed and the position, and on nothing else."""
    return random.Random(f"{seed} {env.name} {position_to_text(env)}")


def _fresh_seed() -> int:
    return random.SystemRandom().randrange(1 << 32)
