"""The first minute: how long a person waits on a computer where nothing is compiled.

For each game ``rl-toolkit analyse`` runs with an empty cache folder, on a terminal, where a
stand-in answers first, and in a pipe, where the engine alone answers. Processor seconds are those
of all processes together, the one that compiles included.
"""

from __future__ import annotations

import os
import pty
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks import Row

GAMES = ("tictactoe", "connect-four", "gomoku", "reversi")
#: Stands above each answer.
_ANSWER = " to move · ".encode()


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measured(game: str, *, on_terminal: bool) -> dict[str, float]:
    """Seconds to the first and to the last answer, and processor seconds."""
    answers: list[float] = []
    before, begun = _used(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = pty.openpty() if on_terminal else os.pipe()
        command = [sys.executable, "-m", "rl_toolkit", "analyse", game]
        variables = {**os.environ, "RL_TOOLKIT_CACHE_DIR": folder, "TERM": "xterm"}
        variables["RL_TOOLKIT_QUIET"] = "1"
        with subprocess.Popen(
            command,
            stdin=theirs if on_terminal else subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs if on_terminal else subprocess.DEVNULL,
            env=variables,
        ):
            os.close(theirs)
            seen = b""
            while True:
                try:
                    new = os.read(ours, 65536)
                except OSError:  # the terminal is closed
                    break
                if not new:
                    break
                seen += new
                while seen.count(_ANSWER) > len(answers):
                    answers.append(time.perf_counter() - begun)
        os.close(ours)
    return {"first": answers[0], "real": answers[-1], "processor": _used() - before}


def run() -> list[Row]:
    rows: list[Row] = []
    for game in GAMES:
        for where in ("pipe", "terminal"):
            found = _measured(game, on_terminal=where == "terminal")
            rows.append(
                {
                    "game": game,
                    "where": where,
                    "first answer, s": round(found["first"], 2),
                    "real answer, s": round(found["real"], 2),
                    "processor, s": round(found["processor"], 2),
                }
            )
    return rows
