"""Self-play: games of an engine against itself, with its analyses, as training data.

Every game is a record whose analyses hold the visits and the value of each move: both targets of
AlphaZero-like training. Workers may be processes or the machines of a Ray cluster; one that dies
costs no more than the game it was playing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rl_toolkit.analysis import Analysis
from rl_toolkit.arena.arbiter.play_game import play_on
from rl_toolkit.arena.arbiter.worker_engines import network_of, new_engine
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.stamps import ChangedCodeError, IfChanged, code_of
from rl_toolkit.envs import make_game, naming_failures
from rl_toolkit.learning.training import recommended
from rl_toolkit.players import check_player, make_player, portable
from rl_toolkit.records import GameRecord
from rl_toolkit.utils.executors import Executor, InProcess


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """The plan of self-play.

    Attributes:
        game, engine: the name of the game, and a spec or level.
        games: the number of games.
        varied_plies: plies at the start of each game that are drawn at random; see `draw_move`.
        seed: the seed of all randomness.
    """

    game: str
    engine: str
    games: int
    varied_plies: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        check_player(self.game, self.engine)
        if self.games < 1:
            raise ValueError(f"games must be at least 1, not {self.games}")


def self_play(
    plan: SelfPlay,
    executor: Executor | None = None,
    save: Path | None = None,
    *,
    if_changed: IfChanged = "refuse",
) -> Iterator[GameRecord]:
    """Yield the games: those in the file ``save`` first, then new ones as they are finished.

    With ``save`` a game is on disk before it is yielded, and an interrupted run resumes. Games that
    were played by another network stay in the file, but are not yielded. For games that were played
    by other code of the engine ``if_changed`` decides: ``refuse`` raises `ChangedCodeError`,
    ``replay`` plays them again, ``keep`` yields them. Raises `EngineFailedError` if the engine
    fails.
    """
    player = make_player(plan.game, plan.engine)
    network = code = None
    journal = None
    if save is not None:
        network, code = network_of(plan.game, player), code_of(plan.game, player)
        journal = Journal(save, "self-play", _work(plan))
    try:
        here = [
            line
            for line in (journal.done if journal is not None else ())
            if line["game_number"] < plan.games and line.get("network", network) == network
        ]
        kept = {
            line["game_number"]: line["record"]
            for line in here
            if if_changed == "keep" or line.get("code", code) == code
        }
        older = {line["game_number"] for line in here} - set(kept)
        if older and if_changed == "refuse":
            raise ChangedCodeError.since([plan.engine], len(older), save)
        yield from (GameRecord.from_json(text) for text in kept.values())
        tasks = [(plan, number) for number in range(plan.games) if number not in kept]
        for task, text in (executor or InProcess()).map(_play_one, tasks):
            if journal is not None:
                number = tasks[task][1]
                line = {"game_number": number, "network": network, "code": code, "record": text}
                journal.add(line)
            yield GameRecord.from_json(text)
    finally:
        if journal is not None:
            journal.close()


def _work(plan: SelfPlay) -> dict[str, Any]:
    """The description that a file of games must match; without their number, which may grow."""
    work = {name: value for name, value in asdict(plan).items() if name != "games"}
    return work | {"engine": portable(plan.engine)}


@naming_failures()
def _play_one(task: tuple[SelfPlay, int]) -> str:
    plan, number = task
    rng = random.Random(f"self-play {plan.seed} {number}")
    engine = new_engine(plan.game, plan.engine, seed=rng.getrandbits(31))
    env = make_game(plan.game)
    analyses: list[Analysis] = []

    def choose(analysis: Analysis) -> int:
        analyses.append(analysis)
        if len(analyses) > plan.varied_plies:
            return analysis.candidates[0].move
        return draw_move(analysis, rng)

    play_on(env, {1: engine, -1: engine}, choose)
    record = GameRecord.from_env(
        env,
        players=(plan.engine, plan.engine),
        analyses=[analysis.to_dict() for analysis in analyses],
    )
    return record.to_json()


def draw_move(analysis: Analysis, rng: random.Random) -> int:
    """A random move: in proportion to visits, else to priors, else one of the best moves.

    A result that is proven is never given away: after a proven win only other proven wins are
    drawn, and a proven loss only if there is nothing better.
    """
    drawn, weights = recommended(analysis)
    return (rng.choice(drawn) if weights is None else rng.choices(drawn, weights)[0]).move
