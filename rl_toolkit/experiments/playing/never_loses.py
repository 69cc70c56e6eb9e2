"""A player against every move that an opponent could choose, moving first and second."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

from rl_toolkit.analysis import Engine
from rl_toolkit.arena import checked_answer
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.counting.whole_trees import SMALL_BOARD
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.playing.games import Score
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.players import make_player, resolve
from rl_toolkit.utils.svg import Chart

ORDERS = {"first": 1, "second": -1}


class Ended(NamedTuple):
    """The result of one game for the player, who moved ``order``."""

    order: str
    result: float


def measure(game: str, engine: str) -> Iterator[Progress | Ended]:
    """Every game that an opponent can choose."""
    env = make_game(game)
    if len(env.board) > SMALL_BOARD:
        raise ValueError(f"{env.name} has too many games to play them all; use a 3×3 board")
    player = make_player(game, engine, seed=0)
    played = 0
    for order, side in ORDERS.items():
        for result in _every_game(env.copy(), side, player, {}):
            yield Progress(played, None, f"{engine} moves {order}")
            yield Ended(order, result)
            played += 1


def _every_game(
    env: BaseGameEnv, side: int, engine: Engine, chosen: dict[Hashable, int]
) -> Iterator[float]:
    """The results of all games from here in which the engine plays ``side``."""
    if env.is_terminal():
        yield env.get_result(side)
        return
    moves = env.get_legal_moves()
    if env.current_player == side:
        key = env.get_state_hash()
        if key not in chosen:
            chosen[key] = checked_answer(engine, env).candidates[0].move
        moves = [chosen[key]]
    for move in moves:
        env.step(move)
        yield from _every_game(env, side, engine, chosen)
        env.undo()


def conclude(found: Sequence[Ended], complete: bool, game: str, engine: str) -> Result:
    """Won, drawn and lost, by who moved first."""
    scores = {
        order: Score.of([each.result for each in found if each.order == order])
        for order in dict.fromkeys(each.order for each in found)
    }
    name, spec = make_game(game).name, resolve(game, engine, seed=0).text
    lost = sum(score.lost for score in scores.values())
    verdict = f"loses {lost:,} of these games" if lost else "never loses"
    tried = f"{engine} {verdict}: every legal move of the opponent was tried at every turn."
    data = {order: asdict(score) for order, score in scores.items()}
    return Result(
        title=f"{engine} ({spec}) against every possible opponent on {name}",
        columns=[
            Column("AI moves", "plain"),
            *(Column(what) for what in ("games", "won", "drawn", "lost")),
        ],
        cells=[
            [order, score.games, score.won, score.drawn, score.lost]
            for order, score in scores.items()
        ],
        remarks=[tried] if complete else [],
        chart=Chart(
            f"Games of {engine} on {name}",
            [f"{what}, {order}" for order in data for what in ("won", "drawn", "lost")],
            [count for counts in data.values() for count in counts.values()],
            "games",
        ),
        data={"game": name, "engine": spec, **data},
    )


NEVER_LOSES = Experiment(
    id="never-loses",
    title="Never loses",
    about="A player against every move that an opponent could choose: does it ever lose?",
    unit="games",
    settings=(
        settings.game("tictactoe"),
        settings.player("engine", "perfect", "the player that is put to the test"),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "Playing 1,000 games without a loss is not a proof. Why is this one?",
            "The opponent's moves are not a sample: at every turn all of them were tried. There is "
            "no game left in which the player could lose.",
        ),
        Question(
            "The player that moves second is met by more games, although it is the same player. "
            "Why?",
            "The opponent then moves first, and has nine, seven, five … cells to choose from. As "
            "second player it has only eight, six, four …",
        ),
    ),
    examples=("--engine medium",),
)
