"""AlphaZero-Lite as its page has it: the documented run, its processor time, 40 games.

It takes ten minutes. Needs JAX.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec

from benchmarks import Row

GAME = "reversi-6"
TRAIN = ("train", GAME, "--preset", "lite", "--out", "lite")
PLAYER = "alphazero:weights=lite/network.npz,simulations=30"
MATCH = ("match", GAME, PLAYER, "random", "--games", "40", "--json")


def run() -> list[Row]:
    if find_spec("jax") is None:
        return [{"what": "nothing: JAX is not installed", "value": ""}]
    with tempfile.TemporaryDirectory() as folder:
        began, before = time.monotonic(), _processor()
        _command(folder, *TRAIN)
        seconds, processor = time.monotonic() - began, _processor() - before
        rows: list[Row] = [
            {"what": "seconds of the run, with compiling", "value": round(seconds)},
            {"what": "processor seconds of all cores", "value": round(processor)},
        ]
        found = json.loads(_command(folder, *MATCH).splitlines()[-1])
    counts = [found[key] for key in ("won", "drawn", "lost")]
    return [*rows, {"what": "won, drawn, lost against random", "value": str(counts)}]


def _command(folder: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "rl_toolkit.cli", *arguments]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
