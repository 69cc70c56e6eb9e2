"""Leagues of minimax: depth against depth, and one heuristic against another.

Every pairing plays all openings of two moves, each from both sides. Nothing is left to chance, so
the same league has the same result every time. On the board of Connect Four that is 98 games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.playing.games import SCORE_COLUMNS, Score
from rl_toolkit.experiments.results import Column, Result
from rl_toolkit.kernels.spec import LineWeights
from rl_toolkit.utils.svg import Chart


@dataclass(frozen=True, slots=True)
class Member:
    """One that plays: minimax to a depth, with the game's heuristic or with ``weights``."""

    name: str
    depth: int
    weights: LineWeights | None = None

    def solver(self) -> MinimaxSolver:
        """What searches for it: alpha-beta with a table."""
        return MinimaxSolver(self.depth, compiled=True)

    def seen(self, env: BaseGameEnv) -> BaseGameEnv:
        """The position as this one values it."""
        asked: Any = env.copy()
        if self.weights is not None:
            asked.heuristic_weights = self.weights
        position: BaseGameEnv = asked
        return position


class LeagueGame(NamedTuple):
    """One game: who met whom, and the result for the first."""

    one: str
    other: str
    result: float


def openings(game: str, most: int | None = None) -> list[tuple[int, int]]:
    """The openings of two moves after which the game is not over."""
    env = make_game(game)
    found = []
    for first in env.get_legal_moves():
        env.step(first)
        for second in [] if env.is_terminal() else env.get_legal_moves():
            env.step(second)
            if not env.is_terminal():
                found.append((first, second))
            env.undo()
        env.undo()
    if most is None or most >= len(found):
        return found
    return [found[place * len(found) // most] for place in range(most)]


def play_league(
    game: str, members: Sequence[Member], most: int | None
) -> Iterator[Progress | LeagueGame]:
    """Every pairing, every opening, both sides."""
    pairings = list(combinations(members, 2))
    starts = openings(game, most)
    total, done = 2 * len(pairings) * len(starts), 0
    solvers = {member.name: member.solver() for member in members}
    for one, other in pairings:
        for opening in starts:
            for side in (1, -1):
                progress = Progress(done, total, f"{one.name} against {other.name}")
                yield progress
                env = BaseGameEnv.after(make_game(game), opening)
                while not env.is_terminal():
                    mover = one if env.current_player == side else other
                    env.step(solvers[mover.name].get_best_action(mover.seen(env)))
                    yield progress
                yield LeagueGame(one.name, other.name, env.get_result(side))
                done += 1


def league_result(found: Sequence[LeagueGame], title: str, data: Mapping[str, Any]) -> Result:
    """The pairings in a table, and the points of everyone against all others."""
    pairings: dict[tuple[str, str], list[float]] = {}
    everyone: dict[str, list[float]] = {}
    for one, other, result in found:
        pairings.setdefault((one, other), []).append(result)
        everyone.setdefault(one, []).append(result)
        everyone.setdefault(other, []).append(-result)
    points = {name: Score.of(results) for name, results in everyone.items()}
    scores = {pair: Score.of(results) for pair, results in pairings.items()}
    return Result(
        title=title,
        columns=[Column("pairing", "plain"), *SCORE_COLUMNS],
        cells=[[f"{one} – {other}", *scores[one, other].cells()] for one, other in scores],
        remarks=[
            "Won, drawn and lost by the first of the two. Every opening is played from both sides."
        ],
        chart=Chart(
            "Points against all others",
            list(points),
            [100 * score.share for score in points.values()],
            "% of points",
            errors=[score.in_percent() for score in points.values()],
        ),
        data={
            **data,
            "pairings": {
                f"{one} – {other}": [score.won, score.drawn, score.lost]
                for (one, other), score in scores.items()
            },
        },
    )


_OPENINGS = settings.Setting(
    "openings", "whole", None, "how many openings of two moves to play; by default all", most=10_000
)


# -------------------------------------------------------------------------------- depth


def measure_depths(
    game: str, depths: Sequence[int], openings: int | None
) -> Iterator[Progress | LeagueGame]:
    """A league of depths."""
    if len(set(depths)) < 2:
        raise ValueError("a league needs at least two different depths")
    members = [Member(f"depth {depth}", depth) for depth in dict.fromkeys(depths)]
    return play_league(game, members, openings)


def conclude_depths(
    found: Sequence[LeagueGame],
    complete: bool,
    game: str,
    depths: Sequence[int],
    openings: int | None,
) -> Result:
    """Who beats whom."""
    name = make_game(game).name
    title = f"Minimax on {name}, depth against depth"
    return league_result(found, title, {"game": name, "depths": list(depths)})


DEPTHS = Experiment(
    id="depths",
    title="Depth 2, 4, 6",
    about="A league of minimax players that look 2, 4 and 6 plies ahead.",
    unit="games",
    settings=(
        settings.game("connect-four", "tictactoe", "reversi-6"),
        settings.Setting(
            "depths",
            "wholes",
            [2, 4, 6],
            "the depth of each player, separated by commas",
            most=20,
            page_most=8,
        ),
        _OPENINGS,
    ),
    measure=measure_depths,
    conclude=conclude_depths,
    questions=(
        Question(
            "Depth 6 does not win all its games against depth 2. How can less foresight win?",
            "Some openings are won for the other side already. And what lies beyond depth 6 is an "
            "estimate: a search can walk into something that is seven plies away.",
        ),
        Question(
            "Why compare 2, 4 and 6, and not 2, 3 and 4?",
            "An odd depth ends with an own move whose answer is not seen, so its estimates are too "
            "friendly. With even depths all estimates are made after the opponent's answer.",
        ),
    ),
    examples=("--depths 1,2,3 --openings 10", "tictactoe --depths 1,3,9"),
    minutes=True,
)


# --------------------------------------------------------------------------- heuristics


def heuristics_of(game: str) -> dict[str, LineWeights]:
    """The heuristics that meet, by name; ``ValueError`` if the game does not count windows."""
    env = make_game(game)
    own = getattr(env, "heuristic_weights", None)
    if not isinstance(own, LineWeights):
        raise ValueError(f"the heuristic of {env.name} does not count windows; connect-four's does")
    nothing = LineWeights(windows=(0,) * len(own.windows), scale=own.scale)
    return {
        "windows": own,
        "fearful": replace(own, enemy_threat=120, centre=0),
        "centre": replace(nothing, centre=3),
        "none": nothing,
    }


def measure_heuristics(
    game: str, depth: int, openings: int | None
) -> Iterator[Progress | LeagueGame]:
    """A league of heuristics."""
    members = [Member(name, depth, weights) for name, weights in heuristics_of(game).items()]
    return play_league(game, members, openings)


def conclude_heuristics(
    found: Sequence[LeagueGame], complete: bool, game: str, depth: int, openings: int | None
) -> Result:
    """Who beats whom."""
    name = make_game(game).name
    title = f"Heuristics on {name}, {depth} plies ahead"
    result = league_result(found, title, {"game": name, "depth": depth})
    about = (
        "windows: own threes +100, twos +10, the opponent's negative, and 3 for a piece in the "
        "middle column. fearful: the opponent's threes −120, no middle column. centre: the middle "
        "column alone. none: every position is worth 0."
    )
    return replace(result, remarks=[*result.remarks, about])


HEURISTICS = Experiment(
    id="heuristics",
    title="Heuristics",
    about="A league of heuristics: what is a position worth that was not searched to the end?",
    unit="games",
    settings=(
        settings.game("connect-four"),
        settings.depth(page_most=6, default=2),
        _OPENINGS,
    ),
    measure=measure_heuristics,
    conclude=conclude_heuristics,
    questions=(
        Question(
            "Does a better heuristic still help at depth 4? Run it again and compare.",
            "Yes, but less where search sees the threats itself. What stays is judgement about "
            "threats that nobody can carry out yet.",
        ),
        Question(
            "“fearful” counts a threat of the opponent more than an own one. Suppose it "
            "loses to another heuristic by 40 : 49, with 9 draws. Is it worse?",
            "That is not known. After 98 games the interval around 45 % reaches from 36 to 55 %, "
            "and 50 % is in it.",
        ),
    ),
    examples=("--depth 4",),
    minutes=True,
)
