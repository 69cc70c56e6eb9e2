"""Five walks through the package, traced: how much code runs to answer one question.

Each walk runs in a process of its own, which counts the package's own files, functions and calls,
the modules that are imported, and the engines, players and boards that are made. Requests are made
once before they are counted, commands are counted from the start.

``WALKS_BEFORE=FOLDER`` names the checkout of another version, which is walked with the same
interpreter, so that both stand in one table. Seconds are not measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks import Row

HERE = Path(__file__).parent.parent
POSITION = {"game": "connect-four", "moves": "4453"}
REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a1 a move on the page": ("/api/position", POSITION),
    "a2 the engine's reply": ("/api/search", {**POSITION, "engine": "easy"}),
    "e a trace": ("/api/trace", {"game": "tictactoe", "moves": "b2 a1", "engine": "minimax"}),
}
COMMANDS = {
    "b analyse": ["analyse", "connect-four", "4453"],
    "c tournament": ["tournament", "tictactoe", "easy", "medium", "--games", "4"],
    "d lab check": ["lab", "check", "minimax"],
}
#: Functions whose calls are columns, by the end of their qualified names.
COUNTED = {
    "engines": ("make_engine",),
    "players": ("make_player",),
    "games": ("make_game",),
    "boards": ("BaseGameEnv.__init__",),
    "specs read": ("split_spec",),
    "who plays": ("can_play",),
    "networks listed": ("shipped_games",),
}


class Walk:
    """Counts the calls of functions of the package while it is entered."""

    def __init__(self, package: Path) -> None:
        self.prefix = f"{package}{os.sep}"
        self.calls: Counter[tuple[str, str]] = Counter()
        self.modules = 0
        self.sources = 0

    def __enter__(self) -> Walk:
        import threading

        self.modules = len(_own_modules())
        sys.addaudithook(self._open)
        threading.setprofile(self._count)
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        import threading

        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        self.modules = len(_own_modules()) - self.modules

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self.prefix):
            self.calls[frame.f_code.co_filename, frame.f_code.co_qualname] += 1

    def _open(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count the sources that are read: imports read compiled files, fingerprints sources."""
        if event == "open" and str(arguments[0]).endswith(".py"):
            self.sources += str(arguments[0]).startswith(self.prefix)

    def row(self) -> Row:
        """The counts as columns."""
        functions = {key for key in self.calls if not key[1].startswith("<")}
        return {
            "files": len({file for file, _ in self.calls}),
            "functions": len(functions),
            "calls": sum(self.calls.values()),
            "modules": self.modules,
            "sources read": self.sources,
            **{
                column: sum(
                    count for (_, name), count in self.calls.items() if name.endswith(endings)
                )
                for column, endings in COUNTED.items()
            },
        }


def _own_modules() -> list[str]:
    return [name for name in list(sys.modules) if name.split(".")[0] == "rl_toolkit"]


def request(name: str) -> Callable[[], None]:
    """A request to a server in this process, made once before it is returned."""
    from rl_toolkit.web import create_app

    client = create_app().test_client()
    address, body = REQUESTS[name]

    def ask() -> None:
        answer = client.post(address, json=body)
        text = answer.get_data(as_text=True)  # a stream ends with the search
        if answer.status_code != 200:
            raise RuntimeError(text)

    ask()
    return ask


def command(name: str) -> Callable[[], None]:
    """A command in this process, with its output thrown away."""

    def call() -> None:
        from rl_toolkit.cli.main import main

        sys.argv = ["rl-toolkit", *COMMANDS[name]]
        with redirect_stdout(StringIO()) as output:
            try:
                main()
            except SystemExit as ended:
                if ended.code:
                    raise RuntimeError(output.getvalue()) from None

    return call


def walk(name: str, tree: Path) -> Row:
    """Walk once in this process."""
    if name == "d lab check":
        subprocess.run(
            [sys.executable, "-m", "rl_toolkit", "lab", "start", "L05", "minimax"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        solution = HERE / "tests/labs/L05/solution.py"
        Path("minimax/minimax.py").write_text(solution.read_text())
    act = request(name) if name in REQUESTS else command(name)
    with Walk(tree / "rl_toolkit") as counted:
        act()
    return counted.row()


def run() -> list[Row]:
    before = os.environ.get("WALKS_BEFORE")
    trees = {"before": Path(before).resolve()} if before else {}
    trees["now"] = HERE
    rows: list[Row] = []
    for name in sorted({*REQUESTS, *COMMANDS}):
        for version, tree in trees.items():
            with tempfile.TemporaryDirectory() as folder:
                answer = subprocess.run(
                    [sys.executable, str(Path(__file__)), name, str(tree)],
                    env={**os.environ, "PYTHONPATH": f"{tree}{os.pathsep}{HERE}"},
                    cwd=folder,
                    check=True,
                    capture_output=True,
                    text=True,
                )
            rows.append({"walk": name, "tree": version, **json.loads(answer.stdout)})
    return rows


if __name__ == "__main__":
    print(json.dumps(walk(sys.argv[1], Path(sys.argv[2]))))
