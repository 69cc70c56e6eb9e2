"""How long it takes to start: the bare interpreter, imports, and the help of the command line.

    python -m benchmarks start
    python -m benchmarks.start --beside OTHER/.venv/bin/python

Each is a process of its own, started ``ROUNDS`` times in turn with the others; the least time
counts. ``--beside`` names the interpreter of another installation, which is measured in the same
rounds.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks import Row

ROUNDS = 9
#: What is measured, as Python code.
STARTED = {
    "nothing": "pass",
    "numpy": "import numpy",
    "click": "import click",
    "import rl_toolkit": "import rl_toolkit",
    "import rl_toolkit.envs": "import rl_toolkit.envs",
    "make_game": "import rl_toolkit; rl_toolkit.make_game('connect-four')",
    "make_player": "import rl_toolkit; rl_toolkit.make_player('tictactoe', 'hard')",
    "rl-toolkit --help": "from rl_toolkit.cli.main import main; main(['--help'])",
    "rl-toolkit games": "from rl_toolkit.cli.main import main; main(['games'])",
}


class Installation:
    """An interpreter, started with bytecode of its own in a folder, which the first start fills."""

    def __init__(self, python: str, folder: str) -> None:
        self._python, self._folder = python, folder
        self._variables = {**os.environ, "RL_TOOLKIT_QUIET": "1", "PYTHONPYCACHEPREFIX": folder}
        self._variables.pop("PYTHONDONTWRITEBYTECODE", None)

    def start(self, code: str) -> str:
        """Run ``code`` in a new process; what it writes to stderr."""
        ran = subprocess.run(
            [self._python, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env=self._variables,
            cwd=self._folder,  # not a folder with a package of the same name
        )
        return ran.stderr

    def times(self, code: str) -> tuple[float, float]:
        """Seconds of processor time and of the clock."""
        before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        self.start(code)
        wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall

    def modules(self, code: str) -> int:
        """The number of modules that are loaded at the end."""
        shown = "lambda: print(len(sys.modules), file=sys.stderr)"
        return int(self.start(f"import atexit, sys; atexit.register({shown}); {code}").split()[-1])


def measured(pythons: dict[str, str]) -> list[Row]:
    """The rows of one or more installations, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        installed = {name: Installation(python, folder) for name, python in pythons.items()}
        asked = [(what, name) for what in STARTED for name in installed]
        modules = {(what, name): installed[name].modules(STARTED[what]) for what, name in asked}
        rounds = [
            {(what, name): installed[name].times(STARTED[what]) for what, name in asked}
            for _ in range(ROUNDS)
        ]
    return [
        {
            "what": pair[0],
            "installation": pair[1],
            "processor, ms": round(1000 * min(times[pair][0] for times in rounds), 1),
            "clock, ms": round(1000 * min(times[pair][1] for times in rounds), 1),
            "modules": modules[pair],
        }
        for pair in asked
    ]


def run() -> list[Row]:
    return measured({"this": sys.executable})


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--beside", help="the interpreter of another installation")
    beside = parser.parse_args().beside
    for row in measured({"this": sys.executable, **({"other": beside} if beside else {})}):
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
