"""An opening book built where one can watch, and leave, and come back."""

from __future__ import annotations

from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from rl_toolkit.algorithms.book_building import BuildProgress
from rl_toolkit.algorithms.connect_four_book import Book
from rl_toolkit.algorithms.connect_four_book_build import build_book
from rl_toolkit.algorithms.sealed_file import BookError
from rl_toolkit.envs import ConnectFour, make_game
from rl_toolkit.terminal.arguments import describe_os_error, failure, refuse
from rl_toolkit.terminal.screen import Screen


def build(game: str, plies: int, workers: int, path: Path) -> None:
    """Build the book, with a bar and the time that is left; Ctrl-C keeps what is solved."""
    env, screen = make_game(game), Screen()
    if not isinstance(env, ConnectFour) or env.win_length != 4:
        raise refuse(f"books are built for Connect Four with four in a row, not for {game}")
    teller = _Teller(screen)
    try:
        with teller.bar:
            book = build_book(path, plies, workers, teller.hear, rows=env.rows, cols=env.cols)
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


def show(path: Path) -> None:
    """Say what is in a book."""
    try:
        book = Book.load(path)
    except BookError as error:
        raise failure(error) from error
    Screen().say(f"{path}: {_described(book)}")


def _described(book: Book) -> str:
    return (
        f"{book.rows}×{book.cols}, every position with up to {book.plies} stones, "
        f"{book.positions:,} in all"
    )


class _Teller:
    """Turns progress into a bar, or into lines where nothing can be redrawn."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
        self.bar = Progress(*columns, console=screen.err)
        self.bar.disable = not screen.err.is_terminal or screen.err.is_dumb_terminal
        self._task = self.bar.add_task("compiling, then listing positions", total=None)

    def hear(self, progress: BuildProgress) -> None:
        left = progress.seconds_left
        time_left = "" if left is None else f"{_duration(left)} left"
        if self.bar.disable:
            solved = f"{progress.solved:,} of {progress.positions:,} positions"
            self._screen.tell(f"{solved} {time_left}".rstrip())
        else:
            self.bar.update(
                self._task,
                completed=progress.solved,
                total=progress.positions,
                description=time_left,
            )


def _duration(seconds: float) -> str:
    """``1 h 05 min``, ``3 min 20 s``, ``12 s``."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 60} min {whole % 60:02} s" if whole >= 60 else f"{whole} s"
