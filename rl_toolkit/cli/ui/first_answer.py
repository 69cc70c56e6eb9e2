"""First answers: nobody waits for the compiler before the first move or the first analysis.

The first search of an engine on a computer compiles it. Where a person waits and asked for no
engine, another one answers at once (`players.preparing.stand_in`), the answer says so, and a
process prepares the engine meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.compiling.compiled_only import NotCompiledError, compiled_only
from rl_toolkit.kernels.compiling.warm_up import WarmUp
from rl_toolkit.players import Player, Spec
from rl_toolkit.players.preparing import preparation, stand_in, was_prepared

#: Asks a player about the position, within a limit if one is given.
Ask = Callable[[Player, Limit | None], Analysis]

#: Seconds between two pictures.
_REDRAW = 0.1


def called(player: Player) -> str:
    """The level that was asked for, else the name of the engine."""
    return player.called or player.name


class FirstAnswers:
    """Answers at once, and the preparations that were begun; use it in a ``with`` block.

    ``prepare`` makes the process for an engine and a position.
    """

    def __init__(self, prepare: Callable[[Player, BaseGameEnv], WarmUp] = preparation) -> None:
        self._prepare = prepare
        self._begun: dict[tuple[Spec, str], WarmUp | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        for process in self._begun.values():
            if process is not None:
                process.stop()

    def begin(self, player: Player, env: BaseGameEnv) -> None:
        """Begin to prepare ``player``, unless that seems to have been done."""
        if not was_prepared(player, env.name):
            self._running(player, env)

    def answer(
        self, player: Player, env: BaseGameEnv, limit: Limit | None, ask: Ask
    ) -> tuple[Analysis, bool]:
        """An answer at once; ``True`` if a stand-in gave it, which a note then says.

        If the engine's preparation has ended and something is missing all the same, the engine
        compiles it here, and the person waits.
        """
        try:
            with compiled_only():
                return ask(player, limit), False
        except NotCompiledError:
            pass
        if self._running(player, env) is None:
            return ask(player, limit), False
        other = stand_in(player)
        found = ask(other, None)
        said = f"{other.name} in Python answers, while {called(player)} is being prepared"
        return replace(found, notes=(*found.notes, said)), True

    def wait(self, player: Player, env: BaseGameEnv, screen: Screen) -> None:
        """Wait until ``player`` is prepared, with a bar and the seconds left."""
        process = self._running(player, env)
        with Live(console=screen.err, auto_refresh=False, transient=True) as live:
            while process is not None and process.is_running:
                row = Table.grid(padding=(0, 1))
                row.add_row(
                    Text(screen.fit(f"Preparing {called(player)} for this computer, once")),
                    ProgressBar(1.0, process.part, width=20),
                    Text(screen.fit(process.left), "dim"),
                )
                live.update(row, refresh=True)
                time.sleep(_REDRAW)

    def _running(self, player: Player, env: BaseGameEnv) -> WarmUp | None:
        """The process that prepares ``player``, begun if need be; ``None`` if there is none."""
        key = (player.spec, env.name)
        if key not in self._begun:
            self._begun[key] = self._started(player, env)
        process = self._begun[key]
        return process if process is not None and process.is_running else None

    def _started(self, player: Player, env: BaseGameEnv) -> WarmUp | None:
        try:
            process = self._prepare(player, env)
            process.start()
        except (ValueError, OSError):  # a game that only this process knows; no more processes
            return None
        return process
