"""Experiments that play: against every opponent, random moves, and with more simulations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, astuple, dataclass

from rl_toolkit.analysis import Engine
from rl_toolkit.arena.play_game import play_on
from rl_toolkit.cli.experiments.show import Report, Result
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_player
from rl_toolkit.utils.statistics import percent, wilson_interval
from rl_toolkit.utils.svg.chart import Chart

#: Opponents in `never_loses` try every legal move, so the board has to be small.
_MOST_CELLS = 9


@dataclass(slots=True)
class Score:
    """Games won, drawn and lost by one side."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Points per game, a draw being half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0

    def add(self, result: float) -> None:
        """Count a game that ended with this result for the side: +1, 0 or −1."""
        if result > 0:
            self.won += 1
        elif result < 0:
            self.lost += 1
        else:
            self.drawn += 1

    def cells(self) -> list[str]:
        """Won, drawn, lost, the points, and their 95 % interval."""
        low, high = wilson_interval(self.share, self.games)
        counts = (str(count) for count in astuple(self))
        return [*counts, percent(self.share), f"{percent(low)} to {percent(high)}"]


def never_loses(game: str, engine: str, report: Report) -> Result:
    """Let an engine play, first and second, against every move an opponent could choose."""
    env = make_game(game)
    if len(env.board) > _MOST_CELLS:
        raise ValueError(f"{env.name} has too many games to play them all; use a 3×3 board")
    player = make_player(game, engine, seed=0)
    scores, stopped = dict[str, Score](), ""
    try:
        for number, (side, order) in enumerate(((1, "first"), (-1, "second"))):
            report(number, 2, f"{engine} moves {order}")
            score = scores[order] = Score()
            _every_game(env.copy(), side, player, {}, score)
    except KeyboardInterrupt:
        stopped = _stopped(sum(score.games for score in scores.values()))
    rows = [
        [order, *(f"{count:,}" for count in (score.games, *astuple(score)))]
        for order, score in scores.items()
    ]
    lost = sum(score.lost for score in scores.values())
    verdict = f"loses {lost:,} of these games" if lost else "never loses"
    tried = f"{engine} {verdict}: every legal move of the opponent was tried at every turn."
    data = {order: asdict(score) for order, score in scores.items()}
    return Result(
        title=f"{engine} ({player.spec}) against every possible opponent on {env.name}",
        head=["AI moves", "games", "won", "drawn", "lost"],
        rows=rows,
        remarks=[] if stopped else [tried],
        chart=Chart(
            f"Games of {engine} on {env.name}",
            [f"{what}, {order}" for order in data for what in ("won", "drawn", "lost")],
            [count for counts in data.values() for count in counts.values()],
            "games",
        ),
        data={"game": env.name, "engine": player.spec, **data},
        stopped=stopped,
    )


def _every_game(
    env: BaseGameEnv, side: int, engine: Engine, chosen: dict[Hashable, int], score: Score
) -> None:
    """Count the results of all games from here in which the engine plays ``side``."""
    if env.is_terminal():
        score.add(env.get_result(side))
        return
    moves = env.get_legal_moves()
    if env.current_player == side:
        key = env.get_state_hash()
        if key not in chosen:
            best = engine.analyse(env).best_move
            assert best is not None  # the game is not over
            chosen[key] = best
        moves = [chosen[key]]
    for move in moves:
        env.step(move)
        _every_game(env, side, engine, chosen, score)
        env.undo()


def vs_random(game: str, engine: str, games: int, seed: int, report: Report) -> Result:
    """Let an engine play against random moves, half of the games as the second player."""
    scores, stopped = {"first": Score(), "second": Score(), "both": Score()}, ""
    try:
        for number in range(games):
            report(number, games, f"game {number + 1}")
            order, side = ("second", -1) if number % 2 else ("first", 1)
            result = play_out(game, engine, "random", side, seed + number)
            scores[order].add(result)
            scores["both"].add(result)
    except KeyboardInterrupt:
        stopped = _stopped(scores["both"].games, games)
    parts, name, played = asdict(scores["both"]), make_game(game).name, scores["both"].games
    shares = [count / max(1, played) for count in parts.values()]
    return Result(
        title=f"{engine} against random moves on {name}",
        head=["AI moves", "games", "won", "drawn", "lost", "points", "95 % interval"],
        rows=[[order, str(score.games), *score.cells()] for order, score in scores.items()],
        remarks=[f"A draw counts half a point. Seed {seed}: the same games every time."],
        chart=Chart(
            f"{engine} against random moves, {played} games",
            list(parts),
            [100 * share for share in shares],
            "% of games",
            errors=[_in_percent(share, played) for share in shares],
        ),
        data={"game": name, "engine": engine, "seed": seed, **parts},
        stopped=stopped,
    )


def strength_by_simulations(
    game: str, opponent: str, simulations: Sequence[int], games: int, seed: int, report: Report
) -> Result:
    """How the points of mcts against one opponent grow with its simulations."""
    scores, stopped, total = list[Score](), "", len(simulations) * games
    try:
        for number, count in enumerate(simulations):
            scores.append(Score())
            for k in range(games):
                report(number * games + k, total, f"{count:,} simulations")
                side = -1 if k % 2 else 1
                scores[-1].add(
                    play_out(game, f"mcts:simulations={count}", opponent, side, seed + k)
                )
    except KeyboardInterrupt:
        stopped = _stopped(sum(score.games for score in scores), total)
        scores = [score for score in scores if score.games]
        simulations = simulations[: len(scores)]
    counts, name = [f"{count:,}" for count in simulations], make_game(game).name
    return Result(
        title=f"mcts against {opponent} on {name}, {games} games each",
        head=["simulations", "won", "drawn", "lost", "points", "95 % interval"],
        rows=[[count, *score.cells()] for count, score in zip(counts, scores, strict=True)],
        remarks=[
            f"Half of the games as the second player. Seed {seed}: the same games every time."
        ],
        chart=Chart(
            f"mcts against {opponent}",
            counts,
            [100 * score.share for score in scores],
            "% of points",
            kind="line",
            errors=[_in_percent(score.share, score.games) for score in scores],
        ),
        data={
            "game": name,
            "opponent": opponent,
            "seed": seed,
            "points": {str(n): score.share for n, score in zip(simulations, scores, strict=True)},
        },
        stopped=stopped,
    )


def _stopped(played: int, games: int | None = None) -> str:
    """How far an experiment came before Ctrl-C, which is raised again if there is no game."""
    if not played:
        raise KeyboardInterrupt
    return f"Stopped after {played:,} {'games' if games is None else f'of {games:,} games'}."


def _in_percent(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share, in percent."""
    low, high = wilson_interval(share, games)
    return 100 * low, 100 * high


def play_out(game: str, engine: str, opponent: str, side: int, seed: int) -> float:
    """The result of one game for ``engine``, which plays ``side``; the seed makes it repeatable."""
    players = {
        side: make_player(game, engine, seed=2 * seed),
        -side: make_player(game, opponent, seed=2 * seed + 1),
    }
    env = make_game(game)
    play_on(env, players)
    return env.get_result(side)
