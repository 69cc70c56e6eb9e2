"""A Reversi program that speaks GTP, as an opponent for benchmarks if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from typing import Self

from rl_toolkit.envs import Reversi

#: GRhino at its strongest level; Debian installs it in /usr/games, which may not be in PATH.
RHINO = ("gtp-rhino", "--level=5")
_COLOURS = {1: "black", -1: "white"}


def found(program: str) -> str | None:
    """The path of a program; ``None`` if it is not installed."""
    return shutil.which(program) or shutil.which(program, path="/usr/games")


class GtpPlayer:
    """A program running in its own process; a context manager that ends it."""

    def __init__(self, command: tuple[str, ...]) -> None:
        program = found(command[0])
        if program is None:
            raise FileNotFoundError(f"{command[0]} is not installed")
        self._process = subprocess.Popen(
            [program, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._sent: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def move(self, env: Reversi) -> int:
        """The move that the program would play; the game must have begun at the start."""
        self._follow(env)
        return env.parse_move(self._ask(f"reg_genmove {_COLOURS[env.current_player]}"))

    def _follow(self, env: Reversi) -> None:
        """Send the moves that the program does not know yet."""
        history = tuple(env.history)
        if history[: len(self._sent)] != self._sent:
            self._ask("clear_board")
            self._sent = ()
        replayed = Reversi()
        for number, move in enumerate(history):
            if number >= len(self._sent) and move != env.pass_move:  # it passes by itself
                name = replayed.move_name(move)
                self._ask(f"play {_COLOURS[replayed.current_player]} {name}")
            replayed.step(move)
        self._sent = history

    def _ask(self, command: str) -> str:
        """Send a command and return the answer, which ends with an empty line."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        lines = []
        for line in self._process.stdout:
            if not line.strip() and lines:
                break
            lines.append(line.strip())
        answer = " ".join(lines)
        if not answer.startswith("="):
            raise RuntimeError(f"{command!r} failed: {answer!r}")
        return answer.removeprefix("=").strip()
