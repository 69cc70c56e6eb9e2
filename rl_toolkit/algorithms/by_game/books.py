"""Opening books by game: building them, loading them, describing them and opening them at a page.

To give a game books, add an entry to `BOOKS`, and to `PAGES` if one comes with the package.
Compiled code is imported only when needed.

The thousands of positions of a book are solved on several threads or machines. A deep book takes
hours, so a build can be interrupted at any moment: solved positions are written to ``<path>.part``
every few seconds, and the next run resumes from there.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from rl_toolkit.analysis import Candidate, StopSignal
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, TicTacToe, for_game
from rl_toolkit.utils import BookError, listed, write_bytes_atomically
from rl_toolkit.utils.executors import Executor


class Book(Protocol):
    """Positions with their scores."""

    def describe(self) -> str:
        """One line for people: which board and which positions."""


@dataclass(frozen=True, slots=True)
class BookPlan:
    """A book with openings of up to ``plies`` plies, built by ``workers`` threads.

    An ``executor`` takes the place of the threads, to use other processes or machines. Where a game
    cannot be solved, ``expansions`` positions are searched ``depth`` plies deep.
    """

    plies: int
    workers: int = 1
    expansions: int = 300
    depth: int = 11
    executor: Executor | None = None


def build_book(env: BaseGameEnv, plan: BookPlan, path: Path, listen: Listener) -> Book | None:
    """Build the book of a game, or resume an interrupted build.

    Returns ``None`` if the build was stopped; ``ValueError`` for a game that has no books.
    """
    build = for_game(BOOKS, env)
    if build is None:
        titles = listed(kind.traits.title for kind in BOOKS)
        raise ValueError(f"there are no books for {env.name}, only for {titles}")
    return build(env, plan, path, listen)


def load_book(path: Path) -> Book:
    """Load a book of any game; `BookError` for a missing or damaged one."""
    from rl_toolkit.algorithms.by_game import tictactoe_book as tictactoe
    from rl_toolkit.algorithms.connect_four import book as connect_four
    from rl_toolkit.algorithms.reversi import book as reversi

    kind: Any = reversi if reversi.SEAL.is_on(path) else connect_four
    kind = tictactoe if tictactoe.is_on(path) else kind
    loaded: Book = kind.Book.load(path)
    return loaded


def _connect_four(env: Any, plan: BookPlan, path: Path, listen: Listener) -> Book | None:
    if env.win_length != 4:
        raise ValueError(f"there are no books for {env.name}, only for four in a row")
    from rl_toolkit.algorithms.connect_four.build_book import build_book

    shape = {"rows": env.rows, "cols": env.cols}
    return build_book(path, plan.plies, plan.workers, listen, executor=plan.executor, **shape)


def _reversi(env: Any, plan: BookPlan, path: Path, listen: Listener) -> Book | None:
    if env.rows < 8:
        from rl_toolkit.algorithms.reversi.build_book import build_book

        executor = plan.executor
        return build_book(path, plan.plies, plan.workers, listen, size=env.rows, executor=executor)
    if plan.executor is not None:
        raise ValueError(
            f"the book of {env.name} grows from position to position, in this process only"
        )
    from rl_toolkit.algorithms.reversi.expand_book import expand_book

    return expand_book(path, plan.plies, plan.expansions, plan.depth, listen, workers=plan.workers)


def _tictactoe(env: Any, plan: BookPlan, path: Path, listen: Listener) -> Book | None:
    from rl_toolkit.algorithms.by_game.tictactoe_book import build_book

    return build_book(env, plan.plies, path)


def whole_book(env: BaseGameEnv) -> int | None:
    """The plies of a book that holds the whole game; ``None`` if that is too many positions."""
    return None if for_game(_WHOLE, env) is None else env.rows * env.cols


#: Games that are small enough for a book of all positions.
_WHOLE: dict[type[BaseGameEnv], bool] = {TicTacToe: True}

#: Functions that build books, by the class of the game.
BOOKS: dict[type[BaseGameEnv], Callable[[Any, BookPlan, Path, Listener], Book | None]] = {
    TicTacToe: _tictactoe,
    ConnectFour: _connect_four,
    Reversi: _reversi,
}


# ------------------------------------------------------------------------------- the pages


@dataclass(frozen=True, slots=True)
class BookPage:
    """What a book says of the moves of one position.

    Attributes:
        about: the book in one line.
        exact: whether its scores are proven.
        candidates: the moves that it has, best first.
    """

    about: str
    exact: bool
    candidates: tuple[Candidate, ...]


def book_page(env: BaseGameEnv) -> BookPage | None:
    """What the shipped book says of the moves of an unfinished game; nothing is searched.

    ``None`` if the game has no book, or if it has none of the moves.
    """
    find = for_game(PAGES, env)
    return None if find is None else find(env)


def _connect_four_page(env: Any) -> BookPage | None:
    from rl_toolkit.algorithms.connect_four.book import shipped_book
    from rl_toolkit.algorithms.connect_four.solver import book_candidates

    try:
        book = shipped_book()
        return _page(book.describe(), True, book_candidates(env, book))
    except BookError:  # a damaged book has no pages
        return None


def _reversi_page(env: Any) -> BookPage | None:
    from rl_toolkit.algorithms.reversi.book import shipped_book
    from rl_toolkit.algorithms.reversi.search import book_candidates

    book = shipped_book(env.rows)
    if book is None:
        return None
    return _page(book.describe(), book.exact, book_candidates(env, book))


def _gomoku_page(env: Any) -> BookPage | None:
    from rl_toolkit.algorithms.gomoku.openings import ABOUT, opening_moves

    moves = opening_moves(env.rows, env.board.tolist()) if env.win_length == 5 else []
    return _page(
        ABOUT, False, [Candidate(m, env.move_name(m), note="as good as any") for m in moves]
    )


def _page(about: str, exact: bool, candidates: list[Candidate]) -> BookPage | None:
    candidates.sort(key=lambda candidate: -(candidate.score or 0.0))
    return BookPage(about, exact, tuple(candidates)) if candidates else None


#: Functions that open the shipped book of a game at a position, by the class of the game.
PAGES: dict[type[BaseGameEnv], Callable[[Any], BookPage | None]] = {
    ConnectFour: _connect_four_page,
    Reversi: _reversi_page,
    Gomoku: _gomoku_page,
}


# ---------------------------------------------------------------------------------------- building


UNSOLVED = 127
"""Marks a position that is not solved yet; real scores are signed bytes and smaller."""

_PART = struct.Struct("<8s3BxQ")
_SAVE_EVERY = 10.0  # seconds
_REPORT_EVERY = 1.0
_POLL_EVERY = 0.1

Numbers = npt.NDArray[np.int64]
Worker = Callable[[Numbers], Numbers]
"""Solves the positions with the given numbers; `UNSOLVED` for those it did not get to."""


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """Progress of a build: positions solved, positions in all, seconds spent and seconds left.

    ``seconds_left`` is extrapolated from the speed of this run; ``None`` until there is one.
    """

    solved: int
    positions: int
    seconds: float
    seconds_left: float | None


Listener = Callable[[BuildProgress], object]

Task = TypeVar("Task")


class Part:
    """The file of an unfinished book; ``shape`` and ``positions`` identify the book."""

    def __init__(
        self, path: Path, magic: bytes, shape: tuple[int, int, int], positions: int
    ) -> None:
        self.path = path
        self._head = _PART.pack(magic, *shape, positions)
        self._positions = positions

    def load(self) -> Numbers:
        """The scores found so far, `UNSOLVED` elsewhere; `BookError` for another book's file."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return np.full(self._positions, UNSOLVED, dtype=np.int64)
        if not data.startswith(self._head) or len(data) != len(self._head) + self._positions:
            raise BookError(
                f"{self.path} belongs to a different book; finish that one or delete the file"
            )
        return np.frombuffer(data, dtype=np.int8, offset=len(self._head)).astype(np.int64)

    def save(self, scores: Numbers) -> None:
        """Write the scores found so far."""
        write_bytes_atomically(self.path, self._head + scores.astype(np.int8).tobytes())


def solve_all(
    scores: Numbers,
    part: Part,
    workers: Sequence[Worker],
    at_a_time: int,
    flag: Numbers,
    on_progress: Listener | None,
    stop: StopSignal | None,
) -> bool:
    """Solve every unsolved position in ``scores``, one thread per worker; True when all are done.

    Workers receive ``at_a_time`` positions in order, a few seconds of work at most. ``flag[0]`` is
    set to stop them, and they must honour it. An exception in a worker is raised here after all
    workers have ended and their results are saved.
    """
    slices = iter(_unsolved(scores, at_a_time))
    lock = threading.Lock()
    report = _reporter(scores, on_progress)
    problems: list[BaseException] = []

    def work(solve: Worker) -> None:
        try:
            while not flag[0]:
                with lock:
                    chosen = next(slices, None)
                if chosen is None:
                    return
                scores[chosen] = solve(chosen)
        except BaseException as problem:
            problems.append(problem)
            flag[0] = 1

    flag[0] = stop is not None and stop.is_set()
    threads = [threading.Thread(target=work, args=(worker,)) for worker in workers]
    report()
    keep = _keeper(scores, part, report)
    try:
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(_POLL_EVERY)
            if stop is not None and stop.is_set():
                flag[0] = 1
            keep()
    finally:
        # Also on Ctrl-C: nothing that has been solved is lost.
        flag[0] = 1
        for thread in threads:
            thread.join()
        part.save(scores)
    report()
    if problems:
        raise problems[0]
    return bool((scores != UNSOLVED).all())


def solve_elsewhere(
    scores: Numbers,
    part: Part,
    solve: Callable[[Task], Sequence[int]],
    task: Callable[[Numbers], Task],
    at_a_time: int,
    executor: Executor,
    on_progress: Listener | None,
    stop: StopSignal | None,
) -> bool:
    """Solve every unsolved position in ``scores`` by an executor; True when all are done.

    ``task`` makes what a worker needs to ``solve`` the positions with some numbers: other machines
    do not have the positions. What is solved is saved every few seconds and at the end.
    """
    slices = _unsolved(scores, at_a_time)
    report = _reporter(scores, on_progress)
    report()
    keep = _keeper(scores, part, report)
    results = executor.map(solve, [task(chosen) for chosen in slices])
    try:
        if not (stop is not None and stop.is_set()):
            for number, found in results:
                scores[slices[number]] = found
                keep()
                if stop is not None and stop.is_set():
                    break
    finally:
        part.save(scores)
    report()
    return bool((scores != UNSOLVED).all())


def _unsolved(scores: Numbers, at_a_time: int) -> list[Numbers]:
    """The numbers of the unsolved positions, some at a time."""
    todo = np.flatnonzero(scores == UNSOLVED)
    return np.array_split(todo, -(-todo.size // at_a_time)) if todo.size else []


def _keeper(scores: Numbers, part: Part, report: Callable[[], None]) -> Callable[[], None]:
    """A function that saves and reports, each if the last time is some seconds ago."""
    saved = reported = time.perf_counter()

    def keep() -> None:
        nonlocal saved, reported
        now = time.perf_counter()
        if now - saved > _SAVE_EVERY:
            part.save(scores)
            saved = now
        if now - reported > _REPORT_EVERY:
            report()
            reported = now

    return keep


def _reporter(scores: Numbers, on_progress: Listener | None) -> Callable[[], None]:
    """A function that tells ``on_progress`` how far ``scores`` are."""
    started, before = time.perf_counter(), int((scores != UNSOLVED).sum())

    def report() -> None:
        solved, seconds = int((scores != UNSOLVED).sum()), time.perf_counter() - started
        left = None
        if solved > before:
            left = (scores.size - solved) * seconds / (solved - before)
        if on_progress is not None:
            on_progress(BuildProgress(solved, scores.size, seconds, left))

    return report
