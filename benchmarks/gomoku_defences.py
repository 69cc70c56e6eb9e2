"""Every move of a Gomoku position valued: which lose to threats, and how soon that is known.

    python -m benchmarks gomoku_defences

The held positions (``gomoku_defences.jsonl``, 15×15, both rules) have a side to move whose opponent
threatens to win by fours or by threats. ``saved`` are the moves after which a search by threats
finds no win of the opponent, ``unasked`` those that make a four or that it did not decide; after
all the others the opponent is proven to win, each with up to 100,000 nodes. The engine, with
``every=on``, has to call these lost and none of those saved lost without proof of another kind.

Nodes stand for time: 400,000 are a second of one free core, more or less.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import Row
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.records import position_from_text

HELD = Path(__file__).parent / "gomoku_defences.jsonl"
LIMITS = {
    "80,000 nodes": Limit(nodes=80_000),
    "400,000 nodes": Limit(nodes=400_000),
    "800,000 nodes": Limit(nodes=800_000),
    "0.2 s": Limit(time=0.2),
    "1 s": Limit(time=1.0),
    "2 s": Limit(time=2.0),
}


def held() -> Iterator[dict[str, Any]]:
    """The positions of the held set."""
    for line in HELD.read_text("utf-8").splitlines():
        yield json.loads(line)


def measured(name: str, limit: Limit) -> Row:
    """All positions within a limit, each with empty tables."""
    engine = GomokuEngine(every_move=True)
    lost = found = saved = right = whole = 0
    spent, clocked = list[float](), list[float]()
    for position in held():
        env = position_from_text(f"gomoku-15-{position['rule']}", position["position"])
        engine.forget()
        begun, clock = time.process_time(), time.perf_counter()
        candidates = engine.analyse(env, limit).candidates
        spent.append(time.process_time() - begun)
        clocked.append(time.perf_counter() - clock)
        called = {each.name for each in candidates if each.outcome == "loss"}
        safe, unasked = set(position["saved"]), set(position["unasked"])
        losing = {each.name for each in candidates} - safe - unasked
        lost, found = lost + len(losing), found + len(losing & called)
        saved, right = saved + len(safe), right + len(safe - called)
        whole += losing <= called
    return {
        "limit": name,
        "positions": len(spent),
        "all losses found": whole,
        "losing moves": lost,
        "called lost %": round(100 * found / lost, 2),
        "saving moves": saved,
        "not called lost": right,
        "processor s, mean": round(sum(spent) / len(spent), 2),
        "processor s, most": round(max(spent), 2),
        "clock s, most": round(max(clocked), 2),
    }


def run() -> list[Row]:
    return [measured(name, limit) for name, limit in LIMITS.items()]


if __name__ == "__main__":
    for _name, _limit in LIMITS.items():
        print(measured(_name, _limit), flush=True)
    sys.exit(0)
