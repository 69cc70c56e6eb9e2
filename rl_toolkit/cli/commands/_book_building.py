"""An opening book built where one can watch, and leave, and come back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rl_toolkit.algorithms.book_building import BuildProgress, Listener
from rl_toolkit.algorithms.connect_four import book as connect_four_book
from rl_toolkit.algorithms.reversi import book as reversi_book
from rl_toolkit.cli.arguments import describe_os_error, failure, refuse
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi, make_game
from rl_toolkit.utils.checked_file import BookError
from rl_toolkit.utils.messages import duration

Book = connect_four_book.Book | reversi_book.Book

#: Seconds between two lines where there is no bar.
_LINE_EVERY = 10.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What book to build: how many plies deep, by how many workers.

    For 8×8 Reversi also how many positions to look into, and how deep.
    """

    plies: int
    workers: int
    looks: int
    depth: int


def build(game: str, plan: Plan, path: Path) -> None:
    """Build the book, with a bar and the time that is left; Ctrl-C keeps what is solved."""
    screen = Screen()
    teller = ProgressReporter(screen)
    try:
        with teller.bar:
            book = _built(make_game(game), plan, path, teller.hear)
    except BookError as error:
        raise failure(error) from error
    except ValueError as error:  # a board or a number of plies that cannot be
        raise refuse(error) from error
    except OSError as error:
        raise failure(describe_os_error(error)) from error
    except KeyboardInterrupt:
        screen.tell(f"Stopped. What is solved is kept beside {path}; the same command goes on.")
        raise
    assert book is not None  # no stop signal was given
    screen.say(f"{path}: {_described(book)}, {path.stat().st_size:,} bytes")


def _built(env: BaseGameEnv, plan: Plan, path: Path, hear: Listener) -> Book | None:
    """The book of a game; ``ValueError`` for a game that has none."""
    if isinstance(env, ConnectFour) and env.win_length == 4:
        from rl_toolkit.algorithms.connect_four.build_book import build_book as connect_four

        return connect_four(path, plan.plies, plan.workers, hear, rows=env.rows, cols=env.cols)
    if isinstance(env, Reversi) and env.rows < 8:
        from rl_toolkit.algorithms.reversi.build_book import build_book as reversi

        return reversi(path, plan.plies, plan.workers, hear, size=env.rows)
    if isinstance(env, Reversi):
        from rl_toolkit.algorithms.reversi.expand_book import expand_book

        return expand_book(path, plan.plies, plan.looks, plan.depth, hear)
    raise ValueError(
        f"books are built for Connect Four with four in a row and for Reversi, not for {env.name}"
    )


def show(path: Path) -> None:
    """Say what is in a book."""
    kind = reversi_book if reversi_book.SEAL.is_on(path) else connect_four_book
    try:
        book: Book = kind.Book.load(path)
    except BookError as error:
        raise failure(error) from error
    Screen().say(f"{path}: {_described(book)}")


def _described(book: Book) -> str:
    if isinstance(book, connect_four_book.Book):
        return (
            f"{book.rows}×{book.cols}, every position with up to {book.plies} stones, "
            f"{book.positions:,} in all"
        )
    board = f"Reversi {book.size}×{book.size}"
    if book.exact:
        return f"{board}, every position up to ply {book.plies}, {len(book):,} in all, solved"
    last = max((mine | theirs).bit_count() for mine, theirs in book.sixteenths) - 4
    return (
        f"{board}, {len(book):,} positions up to ply {last}, "
        f"estimated by looking {book.depth} plies ahead"
    )


class ProgressReporter:
    """Turns progress into a bar, or into lines where nothing can be redrawn."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self.bar = Progress(*columns, console=screen.err)
        self.bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
        self._task = self.bar.add_task("compiling, then listing positions", total=None)
        self._said = float("-inf")

    def hear(self, progress: BuildProgress) -> None:
        left = progress.seconds_left
        time_left = "" if left is None else f"{duration(left)} left"
        finished = progress.solved == progress.positions
        if self.bar.disable:
            if progress.seconds - self._said < _LINE_EVERY and not finished:
                return
            self._said = progress.seconds
            solved = f"{progress.solved:,} of {progress.positions:,} positions"
            self._screen.tell(f"{solved} {time_left}".rstrip())
        else:
            self.bar.update(
                self._task,
                completed=progress.solved,
                total=progress.positions,
                description=time_left,
            )
