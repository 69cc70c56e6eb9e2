"""Games that an engine plays against itself, with what it thought: material to learn from.

Every game is a record whose analyses hold the visits and the value of each move, so whatever learns
from it finds both targets of an AlphaZero-like training there. Workers may be processes or the
machines of a Ray cluster; one that dies costs no more than the games it was playing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rl_toolkit.analysis import Analysis
from rl_toolkit.arena.engines import fresh_engine
from rl_toolkit.arena.playing import best_move, play_on
from rl_toolkit.envs import make_game
from rl_toolkit.learning.executors import Executor, InProcess
from rl_toolkit.records import GameRecord


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """What is to be played.

    Attributes:
        game, engine: the game's name, and a spec or level.
        games: how many.
        varied_plies: so many moves of each game are drawn, each as likely as it was visited.
        seed: decides all chance.
    """

    game: str
    engine: str
    games: int
    varied_plies: int = 8
    seed: int = 0


def self_play(plan: SelfPlay, executor: Executor | None = None) -> Iterator[GameRecord]:
    """The games, in the order in which they are finished."""
    tasks = [(plan, number) for number in range(plan.games)]
    for _, text in (executor or InProcess()).map(_play_one, tasks):
        yield GameRecord.from_json(text)


def _play_one(task: tuple[SelfPlay, int]) -> str:
    plan, number = task
    dice = random.Random(f"self-play {plan.seed} {number}")
    engine = fresh_engine(plan.game, plan.engine, seed=dice.getrandbits(31))
    env = make_game(plan.game)
    thoughts: list[Analysis] = []

    def choose(analysis: Analysis) -> int:
        thoughts.append(analysis)
        if len(thoughts) > plan.varied_plies:
            return best_move(analysis)
        weights = [candidate.visits or 0 for candidate in analysis.candidates]
        moves = [candidate.move for candidate in analysis.candidates]
        return dice.choices(moves, weights if any(weights) else None)[0]

    play_on(env, {1: engine, -1: engine}, choose)
    record = GameRecord.from_env(
        env,
        players=(plan.engine, plan.engine),
        analyses=[analysis.to_dict() for analysis in thoughts],
    )
    return record.to_json()
