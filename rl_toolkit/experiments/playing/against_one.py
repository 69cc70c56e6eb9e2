"""Experiments that play matches: against random moves, with more simulations, with another c."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from rl_toolkit.envs import make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.playing.games import SCORE_COLUMNS, Score, moves_of, pairing
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.players import Spec
from rl_toolkit.utils import wilson_interval
from rl_toolkit.utils.svg import Chart


class Played(NamedTuple):
    """One game: the row it belongs to, the side, and the result for that side.

    ``ran`` has the simulations of each of its searches, if it counts them.
    """

    row: str
    side: int
    result: float
    ran: tuple[int, ...] = ()


def _games(
    game: str, rows: Sequence[tuple[str, str]], opponent: str, games: int, seed: int
) -> Iterator[Progress | Played]:
    """Games of every row, a label and a player, against one opponent; every other one as second."""
    total = len(rows) * games
    for place, (label, engine) in enumerate(rows):
        for number in range(games):
            progress = Progress(place * games + number, total, label)
            yield progress
            side = -1 if number % 2 else 1
            env, ran = make_game(game), list[int]()
            for thought in moves_of(env, pairing(game, engine, opponent, side, seed + number)):
                if thought.player == side and thought.simulations is not None:
                    ran.append(thought.simulations)
                yield progress
            yield Played(label, side, env.get_result(side), tuple(ran))


def _scores(played: Sequence[Played]) -> dict[str, Score]:
    rows: dict[str, Score] = {}
    for game in played:
        rows.setdefault(game.row, Score()).add(game.result)
    return rows


# ----------------------------------------------------------------- against random moves


def measure_random(game: str, engine: str, games: int, seed: int) -> Iterator[Progress | Played]:
    """Games against random moves, every other one as the second player."""
    for step in _games(game, [(engine, engine)], "random", games, seed):
        yield step._replace(what=f"game {step.done + 1}") if isinstance(step, Progress) else step


def conclude_random(
    measured: Sequence[Played], complete: bool, game: str, engine: str, games: int, seed: int
) -> Result:
    """Won, drawn, lost; first, second and together."""
    scores = {
        order: Score.of([each.result for each in measured if each.side in sides])
        for order, sides in (("first", (1,)), ("second", (-1,)), ("both", (1, -1)))
    }
    parts, played, name = asdict(scores["both"]), len(measured), make_game(game).name
    shares = [count / played for count in parts.values()]
    ends = [wilson_interval(share, played) for share in shares]
    return Result(
        title=f"{engine} against random moves on {name}",
        columns=[Column("AI moves", "plain"), Column("games"), *SCORE_COLUMNS],
        cells=[[order, score.games, *score.cells()] for order, score in scores.items()],
        remarks=[f"A draw counts half a point. Seed {seed}: the same games every time."],
        chart=Chart(
            f"{engine} against random moves, {played} games",
            list(parts),
            [100 * share for share in shares],
            "% of games",
            errors=[(100 * low, 100 * high) for low, high in ends],
        ),
        data={"game": name, "engine": engine, "seed": seed, **parts},
    )


VS_RANDOM = Experiment(
    id="vs-random",
    title="Against random moves",
    about="A player against random moves: won, drawn and lost, with an interval.",
    unit="games",
    settings=(
        settings.game("tictactoe", "connect-four", "reversi-6", "reversi"),
        settings.player("engine", "hard", "the player that is measured"),
        settings.games(100),
        settings.seed(),
    ),
    measure=measure_random,
    conclude=conclude_random,
    questions=(
        Question(
            "A perfect player does not win every game of Tic-Tac-Toe against random moves. Why?",
            "It plays as if the opponent were perfect too, so it does not set traps. Random moves "
            "are sometimes good moves by chance, and then the game is a draw.",
        ),
        Question(
            "How many games would halve the interval?",
            "About four times as many: its width shrinks with the square root of the games.",
        ),
    ),
    examples=("reversi --engine easy --games 40",),
    minutes=True,
)


# ------------------------------------------------------------------- one number varied


def _points(
    played: Sequence[Played], title: str, what: str, values: Sequence[float], data: dict[str, Any]
) -> Result:
    """The points by the number that is varied, in a table and as a line."""
    scores = _scores(played)
    named = {f"{value:,}" if isinstance(value, int) else f"{value:g}": value for value in values}
    ran: dict[str, list[int]] = {row: [] for row in scores}
    for game in played:
        ran[game.row].extend(game.ran)
    means = {row: round(sum(game) / len(game), 1) if game else None for row, game in ran.items()}
    cells: list[list[Cell]] = [
        [named[row], *score.cells(), means[row]] for row, score in scores.items()
    ]
    points = {f"{named[row]:g}": score.share for row, score in scores.items()}
    return Result(
        title=title,
        columns=[
            Column(what, "count" if isinstance(values[0], int) else "number"),
            *SCORE_COLUMNS,
            Column("ran per move"),
        ],
        cells=cells,
        remarks=[
            f"About half of the games as the second player. Seed {data['seed']}: the same games "
            "every time.",
            "ran per move is the mean number of simulations: a search ends as soon as its result "
            "is proven.",
        ],
        chart=Chart(
            title,
            list(scores),
            [100 * score.share for score in scores.values()],
            "% of points",
            kind="line",
            errors=[score.in_percent() for score in scores.values()],
        ),
        data={
            **data,
            "points": points,
            "ran_per_move": {f"{named[row]:g}": mean for row, mean in means.items()},
        },
    )


def measure_simulations(
    game: str, opponent: str, simulations: Sequence[int], games: int, seed: int
) -> Iterator[Progress | Played]:
    """Games of mcts with more and more simulations."""
    rows = [(f"{count:,}", Spec("mcts").with_(simulations=count).text) for count in simulations]
    return _games(game, rows, opponent, games, seed)


def conclude_simulations(
    played: Sequence[Played],
    complete: bool,
    game: str,
    opponent: str,
    simulations: Sequence[int],
    games: int,
    seed: int,
) -> Result:
    """The points by simulations."""
    name = make_game(game).name
    return _points(
        played,
        f"mcts against {opponent} on {name}, {games} games each",
        "simulations",
        simulations,
        {"game": name, "opponent": opponent, "seed": seed},
    )


STRENGTH_BY_SIMULATIONS = Experiment(
    id="strength-by-simulations",
    title="Strength by simulations",
    about="How the points of MCTS grow with its simulations.",
    unit="games",
    settings=(
        settings.game("connect-four", "tictactoe", "reversi-6"),
        settings.player("opponent", "medium", "who plays against it"),
        settings.Setting(
            "simulations",
            "wholes",
            [10, 30, 100, 300, 1000],
            "simulations for each move, separated by commas",
            page_most=2000,
        ),
        settings.games(20, page_most=50, about="games of each row"),
        settings.seed(),
    ),
    measure=measure_simulations,
    conclude=conclude_simulations,
    questions=(
        Question(
            "Does ten times the work give ten times the points?",
            "No. Points approach 100 %, and before that each tenfold adds about the same: strength "
            "grows with the logarithm of the work.",
        ),
        Question(
            "Two neighbouring rows have intervals that overlap. May you say that the second is "
            "stronger?",
            "Not from these games. The trend over all rows says more than two rows; or play more.",
        ),
    ),
    examples=("--svg strength.svg",),
    minutes=True,
)


def measure_c(
    game: str, opponent: str, c: Sequence[float], simulations: int, games: int, seed: int
) -> Iterator[Progress | Played]:
    """Games of mcts with one exploration constant after the other."""
    mcts = Spec("mcts").with_(simulations=simulations)
    rows = [(f"{value:g}", str(mcts.with_(c=value))) for value in c]
    return _games(game, rows, opponent, games, seed)


def conclude_c(
    played: Sequence[Played],
    complete: bool,
    game: str,
    opponent: str,
    c: Sequence[float],
    simulations: int,
    games: int,
    seed: int,
) -> Result:
    """The points by c."""
    name = make_game(game).name
    data = {"game": name, "opponent": opponent, "simulations": simulations, "seed": seed}
    title = f"mcts with {simulations:,} simulations against {opponent} on {name}, by c"
    return _points(played, title, "c", c, data)


STRENGTH_BY_C = Experiment(
    id="strength-by-c",
    title="Strength over c",
    about="How the points of MCTS depend on c, the weight of exploration.",
    unit="games",
    settings=(
        settings.game("connect-four", "tictactoe", "reversi-6"),
        settings.player("opponent", "medium", "who plays against it"),
        settings.Setting(
            "c",
            "numbers",
            [0.1, 0.5, 1.0, 1.41, 2.0, 5.0],
            "values of c, separated by commas",
            least=0,
            most=100,
        ),
        settings.Setting("simulations", "whole", 100, "simulations for each move", page_most=1000),
        settings.games(30, page_most=50, about="games of each row"),
        settings.seed(),
    ),
    measure=measure_c,
    conclude=conclude_c,
    questions=(
        Question(
            "What happens in the tree when c is very small, and when it is very large?",
            "Small: the move that looked best first gets nearly all simulations, right or wrong. "
            "Large: all moves get the same number, and the tree is wide and shallow.",
        ),
        Question(
            "UCB1 is proved with c = √2. Why is another c often better in a game?",
            "The proof is for rewards from 0 to 1 that do not change. Results here run from −1 to "
            "1, and they do change while the tree below a move grows. So c is tuned.",
        ),
    ),
    examples=("tictactoe --opponent hard --simulations 50",),
    minutes=True,
)
