"""Several games side by side: they take turns to think, so that one processor is enough.

::

    board 0   think ─ pause ───── think ─ pause          an executor of the arena; each board is a
    board 1         think ─ pause ───── think            thread, one of them thinks at any moment
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from rl_toolkit.analysis import Analysis
from rl_toolkit.envs import BaseGameEnv, make_game

T = TypeVar("T")
R = TypeVar("R")

Json = dict[str, Any]


class Turns:
    """A lock that is given out in the order in which it was asked for."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def take(self) -> None:
        """Wait for the turn."""
        with self._mutex:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Event()
            self._waiting.append(mine)
        mine.wait()

    def give(self) -> None:
        """Let the next one have the turn."""
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


class Boards:
    """An executor for the games of a tournament; ``tell`` hears of every move.

    ``names`` says what readers call a player, where that is not the text that names it.

    The function that it maps takes the arguments of `play_paired_game`.
    """

    def __init__(
        self,
        boards: int,
        pause: float,
        tell: Callable[[Json], object],
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.workers = boards
        self._pause, self._tell, self._names = pause, tell, names or {}
        self._turns = Turns()

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """See `Executor.map`. Board ``n`` begins with task ``n``, whichever is faster."""
        boards = min(self.workers, len(tasks))
        numbers = iter(range(boards, len(tasks)))
        lock = threading.Lock()
        done: queue.SimpleQueue[tuple[int, R] | BaseException] = queue.SimpleQueue()

        def play(place: int) -> None:
            number: int | None = place
            self._turns.take()
            try:
                while number is not None:
                    board = _Board(place, tasks[number], self._tell, self._names)
                    board.show()
                    watched = cast(Callable[..., R], function)
                    found = watched(
                        tasks[number],
                        on_move=lambda *seen, b=board: self._moved(b, *seen),
                        on_again=board.begin,
                    )
                    board.finish(found)
                    done.put((number, found))
                    self._rest()
                    with lock:
                        number = next(numbers, None)
            except BaseException as error:
                done.put(error)
            finally:
                self._turns.give()

        for place in range(boards):
            threading.Thread(target=play, args=(place,), daemon=True).start()
        for _ in tasks:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found

    def _moved(self, board: _Board, player: int, analysis: Analysis, seconds: float) -> None:
        board.play(analysis.candidates[0].move)
        self._rest()

    def _rest(self) -> None:
        """Let the others think, and people look."""
        self._turns.give()
        time.sleep(self._pause)
        self._turns.take()


class _Board:
    """What one board shows."""

    def __init__(
        self, place: int, task: Any, tell: Callable[[Json], object], names: Mapping[str, str]
    ) -> None:
        match, _, self._opening, first = task
        self._game = match.game
        sides = match.engines[first], match.engines[1 - first]
        self._names = [names.get(side, side) for side in sides]
        self._place, self._tell = place, tell
        self._env = self._opened()
        self._plies = len(self._env.history)  # of the opening

    def begin(self) -> None:
        """Show the game from its beginning, as it is played again."""
        self._env = self._opened()
        self.show()

    def _opened(self) -> BaseGameEnv:
        return BaseGameEnv.after(make_game(self._game), self._opening)

    def play(self, move: int) -> None:
        """Show a move; one that cannot be played is for the arena to judge."""
        if move in self._env.get_legal_moves():
            self._env.step(move)
            self.show()

    def show(self, winner: int | None = None, ended_by: str = "") -> None:
        """Tell what the board looks like; ``winner`` and ``ended_by`` once the game is over."""
        env = self._env
        self._tell(
            {
                "board": self._place,
                "players": self._names,
                "cells": env.board.tolist(),
                "last": env.last_cell,
                "ply": len(env.history),
                "opening": " ".join(env.history_names()[: self._plies]),
                "player": env.current_player,
                "winner": winner,
                "ended_by": ended_by,
            }
        )

    def finish(self, found: Any) -> None:
        """Tell of the finished game: its moves by name, and who won (1: the first player).

        A game that was not played has no winner, and its ``ended_by`` says so.
        """
        winner = found["result"]
        if winner is not None:
            winner = -winner if found["first"] else winner
        ended_by = found["forfeit"].get("by", "forfeit") if "forfeit" in found else ""
        self.show(winner, ended_by)
        self._tell(
            {
                "game": {
                    "players": self._names,
                    "winner": winner,
                    "moves": " ".join(self._env.history_names()),
                    "plies": len(self._env.history),
                    "opening": self._plies,
                    "ended_by": ended_by,
                }
            }
        )
