"""Experiments that play: against every opponent, random moves, and with more simulations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rl_toolkit.analysis import Engine
from rl_toolkit.arena.play_game import play_on
from rl_toolkit.cli.experiments.result import Report, Result, Score
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_player
from rl_toolkit.utils.statistics import percent, wilson_interval
from rl_toolkit.utils.svg.chart import Chart

#: Opponents in `never_loses` try every legal move, so the board has to be small.
_MOST_CELLS = 9


def never_loses(game: str, engine: str, report: Report) -> Result:
    """Let an engine play, first and second, against every move an opponent could choose."""
    env = make_game(game)
    if len(env.board) > _MOST_CELLS:
        raise ValueError(f"{env.name} has too many games to play them all; use a 3×3 board")
    player = make_player(game, engine, seed=0)
    rows, data = [], {}
    total = Score()
    for number, (side, order) in enumerate(((1, "first"), (-1, "second"))):
        report(number, 2, f"{engine} moves {order}")
        score = Score()
        _every_game(env.copy(), side, player, {}, score)
        data[order] = {"won": score.won, "drawn": score.drawn, "lost": score.lost}
        rows.append([order, *(f"{n:,}" for n in (score.games, score.won, score.drawn, score.lost))])
        total.lost += score.lost
    verdict = "never loses" if total.lost == 0 else f"loses {total.lost:,} of these games"
    return Result(
        title=f"{engine} ({player.spec}) against every possible opponent on {env.name}",
        head=["AI moves", "games", "won", "drawn", "lost"],
        rows=rows,
        remarks=[f"{engine} {verdict}: every legal move of the opponent was tried at every turn."],
        chart=Chart(
            f"Games of {engine} on {env.name}",
            [f"{what}, {order}" for order in data for what in ("won", "drawn", "lost")],
            [count for counts in data.values() for count in counts.values()],
            "games",
        ),
        data={"game": env.name, "engine": player.spec, **data},
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
    scores = {1: Score(), -1: Score()}
    for number in range(games):
        report(number, games, f"game {number + 1}")
        side = 1 if number % 2 == 0 else -1
        scores[side].add(play_out(game, engine, "random", side, seed + number))
    both = Score(*(sum(getattr(s, part) for s in scores.values()) for part in _PARTS))
    rows = []
    for name, score in (("first", scores[1]), ("second", scores[-1]), ("both", both)):
        low, high = wilson_interval(score.share, score.games)
        counts = [str(n) for n in (score.games, score.won, score.drawn, score.lost)]
        rows.append([name, *counts, percent(score.share), f"{percent(low)} to {percent(high)}"])
    shares = [getattr(both, part) / max(1, games) for part in _PARTS]
    return Result(
        title=f"{engine} against random moves on {make_game(game).name}",
        head=["AI moves", "games", "won", "drawn", "lost", "points", "95 % interval"],
        rows=rows,
        remarks=[f"A draw counts half a point. Seed {seed}: the same games every time."],
        chart=Chart(
            f"{engine} against random moves, {games} games",
            list(_PARTS),
            [100 * share for share in shares],
            "% of games",
            errors=[
                (100 * low, 100 * high)
                for low, high in (wilson_interval(share, games) for share in shares)
            ],
        ),
        data={
            "game": make_game(game).name,
            "engine": engine,
            "seed": seed,
            **{part: getattr(both, part) for part in _PARTS},
        },
    )


def strength_by_simulations(
    game: str,
    opponent: str,
    simulations: Sequence[int],
    games: int,
    seed: int,
    report: Report,
) -> Result:
    """How the points of mcts against one opponent grow with its simulations."""
    rows, shares, intervals = [], [], []
    for number, count in enumerate(simulations):
        score = Score()
        for k in range(games):
            report(number * games + k, len(simulations) * games, f"{count:,} simulations")
            side = 1 if k % 2 == 0 else -1
            score.add(play_out(game, f"mcts:simulations={count}", opponent, side, seed + k))
        shares.append(score.share)
        intervals.append(wilson_interval(score.share, games))
        counts = [str(n) for n in (score.won, score.drawn, score.lost)]
        low, high = intervals[-1]
        interval = f"{percent(low)} to {percent(high)}"
        rows.append([f"{count:,}", *counts, percent(score.share), interval])
    return Result(
        title=f"mcts against {opponent} on {make_game(game).name}, {games} games each",
        head=["simulations", "won", "drawn", "lost", "points", "95 % interval"],
        rows=rows,
        remarks=[
            f"Half of the games as the second player. Seed {seed}: the same games every time."
        ],
        chart=Chart(
            f"mcts against {opponent}",
            [f"{count:,}" for count in simulations],
            [100 * share for share in shares],
            "% of points",
            kind="line",
            errors=[(100 * low, 100 * high) for low, high in intervals],
        ),
        data={
            "game": make_game(game).name,
            "opponent": opponent,
            "seed": seed,
            "points": dict(zip(map(str, simulations), shares, strict=True)),
        },
    )


_PARTS = ("won", "drawn", "lost")


def play_out(game: str, engine: str, opponent: str, side: int, seed: int) -> float:
    """The result of one game for ``engine``, which plays ``side``; the seed makes it repeatable."""
    players = {
        side: make_player(game, engine, seed=2 * seed),
        -side: make_player(game, opponent, seed=2 * seed + 1),
    }
    env = make_game(game)
    play_on(env, players)
    return env.get_result(side)
