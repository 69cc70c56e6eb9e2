"""Branching and tree size of every game, estimated from random games.

The number of all games can be estimated without counting them (Knuth, 1975): play one at random and
multiply the numbers of legal moves on the way. A game of n plies is found with probability one over
that product, so the mean of the products is the number of games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import exp, log, log10
from typing import NamedTuple

from rl_toolkit.envs import BaseGameEnv, game_families, make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.utils.svg import Chart

#: Boards beside the usual one of every game.
_FURTHER = ("tictactoe-4x4", "reversi-6")


class RandomGame(NamedTuple):
    """One random game: the sum and the logarithm of the product of its legal moves."""

    game: str
    plies: int
    moves: int
    log_product: float


def measure(games: int, seed: int) -> Iterator[Progress | RandomGame]:
    """Random games of every board."""
    boards = all_boards()
    total = len(boards) * games
    for place, env in enumerate(boards):
        for number in range(games):
            yield Progress(place * games + number, total, env.name)
            yield random_game(env, random.Random(f"{seed} {number}"))


def all_boards() -> list[BaseGameEnv]:
    """The usual board of every game, and a few more, small ones first."""
    names = [*(family.name for family in game_families()), *_FURTHER]
    made = {env.name: env for env in map(make_game, names)}
    return sorted(made.values(), key=lambda env: len(env.board))


def random_game(env: BaseGameEnv, chance: random.Random) -> RandomGame:
    """Play one game at random."""
    position = env.copy()
    plies, total, log_product = 0, 0, 0.0
    while not position.is_terminal():
        moves = position.get_legal_moves()
        plies += 1
        total += len(moves)
        log_product += log(len(moves))
        position.step(chance.choice(moves))
    return RandomGame(env.name, plies, total, log_product)


def log10_of_mean(logs: Sequence[float]) -> float:
    """The decimal logarithm of the mean of numbers, given their natural logarithms.

    >>> round(log10_of_mean([log(50), log(150)]), 9)
    2.0
    """
    most = max(logs)
    return (most + log(sum(exp(entry - most) for entry in logs) / len(logs))) / log(10)


def conclude(measured: Sequence[RandomGame], complete: bool, games: int, seed: int) -> Result:
    """One row for each board."""
    boards: dict[str, list[RandomGame]] = {}
    for game in measured:
        boards.setdefault(game.game, []).append(game)
    cells: list[list[Cell]] = []
    data = {}
    for name, played in boards.items():
        plies = sum(game.plies for game in played) / len(played)
        branching = sum(game.moves for game in played) / sum(game.plies for game in played)
        size = log10_of_mean([game.log_product for game in played])
        rough = plies * log10(branching)
        cells.append([name, branching, plies, size, rough, len(played)])
        data[name] = {"branching": branching, "plies": plies, "log10_games": size}
    return Result(
        title="Branching and size of every game, from random games",
        columns=[
            Column("board", "plain"),
            Column("moves", "number"),
            Column("plies", "number"),
            Column("games", "power"),
            Column("moves^plies", "power"),
            Column("played"),
        ],
        cells=cells,
        remarks=[
            "moves is the mean number of legal moves, plies the mean length of a random game.",
            "games is Knuth's estimate of how many games there are: the mean of the products of "
            "the legal moves. On large boards a few lucky games decide it, so it tends to be low.",
        ],
        chart=Chart(
            "Number of games, as a power of ten",
            list(data),
            [round(entry["log10_games"], 1) for entry in data.values()],
            "exponent",
        ),
        data={"seed": seed, "boards": data},
    )


BRANCHING = Experiment(
    id="branching",
    title="Branching and tree size",
    about="How many moves there are on average, how long games last, and how many games there are.",
    unit="games",
    settings=(
        settings.Setting("games", "whole", 100, "random games of each board", page_most=300),
        settings.seed(),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "Tic-Tac-Toe has exactly 255,168 games, 10^5.4. The column moves^plies says something "
            "else. Which assumption is wrong?",
            "That every position has the mean number of moves and every game the mean length. "
            "Branching falls from nine to one, and the product of such numbers is not the power of "
            "their mean.",
        ),
        Question(
            "A computer visits 10^8 positions a second. Which of these games can plain minimax "
            "finish within a year, 10^7.5 seconds?",
            "Those with up to about 10^15 nodes: of these boards only the two small ones at the "
            "top. Connect Four was solved all the same: with alpha-beta, tables and good ordering.",
        ),
    ),
    examples=("--games 1000",),
)
