"""The strength of the engine `gomoku`: games from balanced openings, each with both colours.

    python -m benchmarks.gomoku_matches --opponent minimax --openings 50 --time 0.2
    python -m benchmarks.gomoku_matches --game gomoku-9 --opponent alphazero --openings 50
    python -m benchmarks.gomoku_matches --player gomoku:weights=new.weights --opponent gomoku
    python -m benchmarks.gomoku_matches --opponent gomoku:proofs=off --nodes 5000 --swap2
    python -m benchmarks.gomoku_matches --opponent folder:LAB --weights LAB/weights/pair_0b.npz

An opening has three to five random stones near the centre. Neither side wins by threats, and a
search puts it within 150 points of even. Every game is written to a journal when it ends; run the
same command to resume. Intervals are over openings, because the two games of one are not
independent. With ``--swap2`` the players make the opening themselves, as in tournaments: one places
three stones, the other takes a colour or places two more and leaves the choice of colours to the
first; each begins once. ``folder:`` names a folder of Python files with a class ``Player`` in
``player.py`` (methods ``new_game()`` and ``think(moves, seconds)``). On a busy machine ``--nodes``
is fairer than ``--time``, and ``--nodes 17000 --opponent-nodes 20000`` makes up for a player whose
nodes take longer (`benchmarks.gomoku_threats` measures that). Run as a benchmark it plays a few
quick games.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.swap2 import Valuer, swap2
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.players import make_engine
from rl_toolkit.utils.statistics import elo, mean_interval

JOURNALS = Path(__file__).parent / "results"
STONES, EVEN, LOOK, PROOF_NODES = (3, 5), 150, 60_000, 100_000
QUICK_OPENINGS, QUICK_NODES = 3, 1000

Mover = Callable[[Gomoku, list[int]], int]
Game = dict[str, Any]


def opening(game: str, number: int, seed: int = 0) -> list[int]:
    """The moves of an opening; the same number gives the same one."""
    chance, engine = random.Random(1_000_003 * seed + number), GomokuEngine(proofs=False)
    while True:
        moves = chance.sample(_central(_gomoku(game).rows), chance.randint(*STONES))
        env = _after(game, moves)
        if _is_even(env, moves, engine):
            return moves


def _central(size: int) -> list[int]:
    near = min(3, size // 2 - 1)
    rows = range(size // 2 - near, size // 2 + near + 1)
    return [row * size + col for row in rows for col in rows]


def _is_even(env: Gomoku, moves: list[int], engine: GomokuEngine) -> bool:
    space = Workspace(env.rows, env.win_rule)
    space.set_up([(move, ply % 2) for ply, move in enumerate(moves)])
    for side in (0, 1):
        with space.allowing(PROOF_NODES):
            if space.prove(side):
                return False
    found = engine.analyse(env, Limit(nodes=LOOK)).candidates[0]
    return not found.proven and found.score is not None and abs(found.score) < EVEN


def _after(game: str, moves: list[int]) -> Gomoku:
    env = _gomoku(game)
    for move in moves:
        env.step(move)
    return env


def _gomoku(name: str) -> Gomoku:
    env = make_game(name)
    assert isinstance(env, Gomoku)
    return env


def mover(
    spec: str, game: str, seconds: float | None, nodes: int | None, weights: str | None = None
) -> tuple[Mover, Callable[[], object]]:
    """A player with its limit, and what to call before each game."""
    limit = Limit(time=seconds, nodes=nodes)
    if spec.startswith("folder:"):
        sys.path.insert(0, spec.removeprefix("folder:"))
        env = _gomoku(game)
        theirs: Any = importlib.import_module("player").Player(
            env.rows, env.rule == "standard", weights
        )
        return lambda env, moves: int(theirs.think(moves, seconds)[0]), theirs.new_game
    engine = make_engine(spec)

    def best(env: Gomoku, moves: list[int]) -> int:
        found = engine.analyse(env, limit).best_move
        assert found is not None
        return found

    return best, getattr(engine, "forget", lambda: None)


def valuer(spec: str, seconds: float | None, nodes: int | None) -> Valuer:
    """How a player values positions for the side to move, with its limit."""
    engine, limit = make_engine(spec), Limit(time=seconds, nodes=nodes)
    return lambda env: engine.analyse(env, limit).value or 0.0


def play(game: str, start: list[int], black: Mover, white: Mover) -> Game:
    """Play a game: the result for Black, the number of moves, seconds a move of both."""
    env, moves = _after(game, start), list(start)
    spent: tuple[list[float], list[float]] = ([], [])
    while not env.is_terminal():
        side = len(moves) % 2
        begun = time.perf_counter()
        move = (white if side else black)(env, moves)
        spent[side].append(time.perf_counter() - begun)
        env.step(move)
        moves.append(move)
    means = [round(sum(seconds) / max(1, len(seconds)), 3) for seconds in spent]
    return {"result": int(env.get_result(1)), "moves": moves, "seconds": means}


def match(
    game: str,
    specs: tuple[str, str],
    numbers: range,
    journal: Path,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    opponent_nodes: int | None = None,
    weights: str | None = None,
    seed: int = 0,
    swaps: bool = False,
    verbose: bool = False,
) -> Row:
    """Play the openings in ``numbers`` that the journal lacks, and sum up all their games."""
    limits = (nodes, opponent_nodes or nodes)
    work = {"game": game, "specs": list(specs), "seconds": seconds, "nodes": nodes, "seed": seed}
    if opponent_nodes is not None:
        work["opponent nodes"] = opponent_nodes
    if swaps:
        work["opening rule"] = "swap2"
    with Journal(journal, "gomoku games", work) as file:
        games = [line for line in file.done if line["opening"] in numbers]
        done = {(line["opening"], line["colour"]) for line in games}
        players: list[tuple[Mover, Callable[[], object]]] = []
        judges = list[Valuer]()
        for number in numbers:
            missing = [colour for colour in (1, -1) if (number, colour) not in done]
            start = opening(game, number, seed) if missing and not swaps else []
            for colour in missing:
                if not players:
                    players = [
                        mover(spec, game, seconds, most, weights)
                        for spec, most in zip(specs, limits, strict=True)
                    ]
                    for best, _ in players:  # compile, and load networks
                        first = _central(_gomoku(game).rows)[0]
                        best(_after(game, [first]), [first])
                    if swaps:
                        judges = [
                            valuer(spec, seconds, most)
                            for spec, most in zip(specs, limits, strict=True)
                        ]
                for _, forget in players:
                    forget()
                black = colour
                if swaps:  # each player places the first stones once
                    placer, chooser = judges[::colour]
                    chance = random.Random(f"swap2 {number + 1_000_003 * seed}")
                    start, has_black = swap2(_gomoku(game), chance, placer, chooser)
                    black = colour if has_black else -colour
                order = [best for best, _ in players][::black]
                played = play(game, start, order[0], order[1])
                line = {
                    "opening": number,
                    "colour": colour,
                    "points": (1 + black * played["result"]) / 2,
                    "seconds": played["seconds"][::black],
                    "black": black == 1,
                    "stones": len(played["moves"]),
                    "load": round(os.getloadavg()[0], 1),
                    "moves": played["moves"],
                }
                file.add(line)
                games.append(line)
                if verbose:
                    print(f"{len(games)}: {json.dumps(summary(specs, games))}", file=sys.stderr)
    return summary(specs, games)


def summary(specs: tuple[str, str], games: list[Game]) -> Row:
    """Points in percent and the difference in Elo, with their 95 % confidence intervals."""
    pairs: dict[int, list[float]] = {}
    for game in games:
        pairs.setdefault(game["opening"], []).append(game["points"])
    share = sum(game["points"] for game in games) / len(games)
    low, high = mean_interval([sum(pair) / len(pair) for pair in pairs.values()])
    ours, theirs = (sum(game["seconds"][k] for game in games) / len(games) for k in (0, 1))
    return {
        "player": specs[0],
        "opponent": specs[1],
        "games": len(games),
        "won": sum(game["points"] == 1 for game in games),
        "drawn": sum(game["points"] == 0.5 for game in games),
        "points %": round(100 * share, 1),
        "from %": round(100 * low, 1),
        "to %": round(100 * high, 1),
        "Elo": _shown(share),
        "Elo from": _shown(low),
        "Elo to": _shown(high),
        "s a move": round(ours, 3),
        "s theirs": round(theirs, 3),
        "load": round(sum(game["load"] for game in games) / len(games), 1),
    }


def _shown(share: float) -> str:
    return f"{elo(share):+.0f}"


def run() -> list[Row]:
    """A few quick games with a separate journal."""
    journal = JOURNALS / "gomoku_matches_quick.jsonl"
    journal.unlink(missing_ok=True)
    specs = ("gomoku", "gomoku:proofs=off")
    return [match("gomoku-15", specs, range(QUICK_OPENINGS), journal, nodes=QUICK_NODES)]


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--game", default="gomoku-15")
    parser.add_argument("--player", default="gomoku", help="an engine spec")
    parser.add_argument("--opponent", default="minimax", help="an engine spec, or folder:PATH")
    parser.add_argument("--weights", help="the file of weights for folder:PATH")
    parser.add_argument("--openings", type=int, default=50, help="the number of openings")
    parser.add_argument("--first", type=int, default=0, help="the number of the first opening")
    parser.add_argument("--time", type=float, help="seconds a move; 0.2 without --nodes")
    parser.add_argument("--nodes", type=int, help="nodes a move")
    parser.add_argument("--opponent-nodes", type=int, help="those of the opponent, if others")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the openings")
    parser.add_argument("--swap2", action="store_true", help="the players make the openings")
    parser.add_argument("--journal", type=Path, help="the file for the games")
    given = parser.parse_args()
    seconds = given.time if given.time or given.nodes else 0.2
    name = f"{given.game}-{given.player}-{given.opponent}-{seconds or given.nodes}"
    name += "-swap2" if given.swap2 else ""
    plain = "".join(letter if letter.isalnum() or letter in ".-" else "_" for letter in name)
    found = match(
        given.game,
        (given.player, given.opponent),
        range(given.first, given.first + given.openings),
        given.journal or JOURNALS / f"gomoku_matches_{plain}.jsonl",
        seconds=seconds,
        nodes=given.nodes,
        opponent_nodes=given.opponent_nodes,
        weights=given.weights,
        seed=given.seed,
        swaps=given.swap2,
        verbose=True,
    )
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
