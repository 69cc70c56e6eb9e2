"""A player of Reversi in a process of its own, perhaps of another checkout, with a fair clock.

    PYTHONPATH=../old python benchmarks/_reversi_player.py reversi:time=0.1,book=off

Reads games, one per line, as the numbers of their moves; answers with the number of the best move
and the processor seconds that it took. A limit on time is one of processor seconds here, so that a
busy machine treats the players of a match alike.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

from rl_toolkit.algorithms import search_control
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.players import make_engine


def main() -> None:
    search_control.time = SimpleNamespace(perf_counter=time.process_time)  # type: ignore[attr-defined]
    engine = make_engine(sys.argv[1])
    engine.analyse(Reversi(), Limit(time=0.5))  # compiles
    print("ready", flush=True)
    for line in sys.stdin:
        env = Reversi()
        for move in line.split():
            env.step(int(move))
        begun = time.process_time()
        best = engine.analyse(env).best_move
        print(best, time.process_time() - begun, flush=True)


if __name__ == "__main__":
    main()
