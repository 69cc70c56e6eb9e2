r"""Where a player of Gomoku loses to one with ten times the nodes: the move that lost each game.

    python -m benchmarks.gomoku_matches --opponent gomoku --nodes 10000 \
        --opponent-nodes 100000 --journal lost.jsonl
    python -m benchmarks.gomoku_review lost.jsonl --games 30

The last move of a lost game before which the stronger search did not yet call the position lost is
the one that is reviewed. Its *kind* says what the other side would have had if the player had
passed: a win by fours, a win by threats, or neither (quiet). The table counts by kind how deep both
searches were, how often they agreed about the position, and with how many nodes, up to sixteen
times as many, the player takes another move. Run as a benchmark it plays and reviews two games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import Row
from benchmarks.gomoku_matches import JOURNALS, match
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.kernels.gomoku.workspace import Workspace

FACTOR, MORE = 10, (2, 4, 8, 16)
#: A value below this is called lost; values that differ by less agree.
LOST, AGREE = -0.6, 0.2
PROOF_NODES = 100_000

Game = dict[str, Any]
Review = dict[str, Any]


def lost_games(journal: Path) -> Iterator[Game]:
    """The games in a journal of `gomoku_matches` that the first player lost."""
    for line in journal.read_text("utf-8").splitlines():
        game = json.loads(line)
        if game.get("points") == 0:
            yield game


def review(name: str, game: Game, nodes: int) -> Review | None:
    """What is to be said of the move that lost; ``None`` if the opening was called lost."""
    moves, side = game["moves"], 0 if game["black"] else 1
    strong = GomokuEngine()
    turns = [ply for ply in range(len(moves) - 1, 2, -1) if ply % 2 == side]
    for ply in turns:
        env = _after(name, moves[:ply])
        theirs = strong.analyse(env, Limit(nodes=FACTOR * nodes))
        if (theirs.value or 0.0) > LOST:
            break
    else:
        return None
    ours = _analysis(env, nodes)
    other = [more for more in MORE if _analysis(env, more * nodes).best_move != moves[ply]]
    return {
        "ply": ply,
        "kind": _threat(env, moves[:ply], 1 - side),
        "played": env.move_name(moves[ply]),
        "better": env.move_name(theirs.best_move or 0),
        "value": round(ours.value or 0.0, 2),
        "value, stronger": round(theirs.value or 0.0, 2),
        "depth": ours.depth or 0,
        "depth, stronger": theirs.depth or 0,
        "another with": other[0] if other else None,
    }


def _analysis(env: Gomoku, nodes: int) -> Analysis:
    return GomokuEngine().analyse(env, Limit(nodes=nodes))


def _after(name: str, moves: list[int]) -> Gomoku:
    env = make_game(name)
    assert isinstance(env, Gomoku)
    for move in moves:
        env.step(move)
    return env


def _threat(env: Gomoku, moves: list[int], attacker: int) -> str:
    """How ``attacker`` would win if it could move now: by fours, by threats, or not: quiet."""
    space = Workspace(env.rows, env.win_rule)
    space.set_up([(move, ply % 2) for ply, move in enumerate(moves)])
    if space.fours(attacker, PROOF_NODES)[0]:
        return "fours"
    with space.allowing(PROOF_NODES):
        return "threats" if space.prove(attacker) else "quiet"


def summary(rows: list[Review | None]) -> list[Row]:
    """The rows counted by kind."""
    found = [row for row in rows if row is not None]
    counted: list[Row] = []
    for kind in ("fours", "threats", "quiet"):
        some = [row for row in found if row["kind"] == kind]
        if some:
            near = [abs(row["value"] - row["value, stronger"]) < AGREE for row in some]
            counted.append(
                {
                    "kind": kind,
                    "games": len(some),
                    "depth": round(mean(row["depth"] for row in some), 1),
                    "depth, stronger": round(mean(row["depth, stronger"] for row in some), 1),
                    "values agree": sum(near),
                    **{
                        f"another with x {more}": sum(row["another with"] == more for row in some)
                        for more in MORE
                    },
                }
            )
    return counted


def reviewed(name: str, journal: Path, games: int, nodes: int) -> Iterator[Review | None]:
    """The reviews of so many lost games."""
    for _, game in zip(range(games), lost_games(journal), strict=False):
        yield review(name, game, nodes)


def run() -> list[Row]:
    """Two quick games."""
    journal = JOURNALS / "gomoku_review_quick.jsonl"
    journal.unlink(missing_ok=True)
    specs = ("gomoku", "gomoku")
    match("gomoku-15", specs, range(1), journal, nodes=500, opponent_nodes=5000)
    return summary(list(reviewed("gomoku-15", journal, 2, 500)))


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("journal", type=Path, help="games of benchmarks.gomoku_matches")
    parser.add_argument("--game", default="gomoku-15")
    parser.add_argument("--games", type=int, default=20, help="how many lost games")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes a move of the loser")
    given = parser.parse_args()
    rows = []
    for row in reviewed(given.game, given.journal, given.games, given.nodes):
        rows.append(row)
        print(json.dumps(row), flush=True)
    for counted in summary(rows):
        print(json.dumps(counted))
    print(f"{rows.count(None)} of {len(rows)} were called lost from the first move on")
    return 0


if __name__ == "__main__":
    sys.exit(main())
