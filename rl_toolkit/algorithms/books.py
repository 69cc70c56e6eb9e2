"""Opening books by game: building them, loading them, describing them and opening them at a page.

To give a game books, add an entry to `BOOKS`, and to `PAGES` if one comes with the package.
Compiled code is imported only when needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rl_toolkit.algorithms.book_building import Listener
from rl_toolkit.analysis import Candidate
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Gomoku, Reversi, for_game
from rl_toolkit.utils import BookError
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
        titles = " and ".join(kind.traits.title for kind in BOOKS)
        raise ValueError(f"there are no books for {env.name}, only for {titles}")
    return build(env, plan, path, listen)


def load_book(path: Path) -> Book:
    """Load a book of any game; `BookError` for a missing or damaged one."""
    from rl_toolkit.algorithms.connect_four import book as connect_four
    from rl_toolkit.algorithms.reversi import book as reversi

    kind: Any = reversi if reversi.SEAL.is_on(path) else connect_four
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

    return expand_book(path, plan.plies, plan.expansions, plan.depth, listen)


#: Functions that build books, by the class of the game.
BOOKS: dict[type[BaseGameEnv], Callable[[Any, BookPlan, Path, Listener], Book | None]] = {
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
