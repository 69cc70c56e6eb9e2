"""A player against every move that an opponent could choose, moving first and second."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

from rl_toolkit.analysis import Analysis, Engine
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
#: How a player chooses among moves with the same proven result.
FIRST = "first"
TIES = {
    FIRST: "the player takes the first on the board, as a textbook program does",
    "engine": "the player takes the one that its engine prefers",
}


class Ended(NamedTuple):
    """The result of one game for the player, who moved ``order``."""

    order: str
    result: float


def measure(game: str, engine: str, ties: str) -> Iterator[Progress | Ended]:
    """Every game that an opponent can choose."""
    env = make_game(game)
    if len(env.board) > SMALL_BOARD:
        raise ValueError(f"{env.name} has too many games to play them all; use a 3×3 board")
    player = make_player(game, engine, seed=0)
    played = 0
    for order, side in ORDERS.items():
        for result in _every_game(env.copy(), side, player, ties, {}):
            yield Progress(played, None, f"{engine} moves {order}")
            yield Ended(order, result)
            played += 1


def _every_game(
    env: BaseGameEnv, side: int, engine: Engine, ties: str, chosen: dict[Hashable, int]
) -> Iterator[float]:
    """The results of all games from here in which the engine plays ``side``."""
    if env.is_terminal():
        yield env.get_result(side)
        return
    moves = env.get_legal_moves()
    if env.current_player == side:
        key = env.get_state_hash()
        if key not in chosen:
            chosen[key] = _choice(checked_answer(engine, env), ties)
        moves = [chosen[key]]
    for move in moves:
        env.step(move)
        yield from _every_game(env, side, engine, ties, chosen)
        env.undo()


def _choice(analysis: Analysis, ties: str) -> int:
    """The engine's move; with ``first``, the first on the board of those with its proven result."""
    best = analysis.candidates[0]
    if ties != FIRST or not best.proven:
        return best.move
    return min(c.move for c in analysis if c.proven and c.outcome == best.outcome)


def conclude(
    measured: Sequence[Ended], complete: bool, game: str, engine: str, ties: str
) -> Result:
    """Won, drawn and lost, by who moved first."""
    scores = {
        order: Score.of([each.result for each in measured if each.order == order])
        for order in dict.fromkeys(each.order for each in measured)
    }
    name, spec = make_game(game).name, resolve(game, engine, seed=0).text
    lost = sum(score.lost for score in scores.values())
    verdict = f"loses {lost:,} of these games" if lost else "never loses"
    tried = f"{engine} {verdict}: every legal move of the opponent was tried at every turn."
    equal = f"Of moves with the same proven result, {TIES[ties]}."
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
        remarks=[tried, equal] if complete else [equal],
        chart=Chart(
            f"Games of {engine} on {name}",
            [f"{what}, {order}" for order in data for what in ("won", "drawn", "lost")],
            [count for counts in data.values() for count in counts.values()],
            "games",
        ),
        data={"game": name, "engine": spec, "ties": ties, **data},
    )


NEVER_LOSES = Experiment(
    id="never-loses",
    title="Never loses",
    about="A player against every move that an opponent could choose: does it ever lose?",
    unit="games",
    settings=(
        settings.game("tictactoe"),
        settings.player("engine", "perfect", "the player that is put to the test"),
        settings.Setting(
            "ties",
            "choice",
            FIRST,
            "moves with the same proven result: the first on the board, or the engine's own choice",
            page_choices=tuple(TIES),
        ),
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
    examples=("--ties engine", "--engine medium"),
)
