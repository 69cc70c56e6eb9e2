"""What long commands share: engines that fail, code that has changed, and who did the work."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from rl_toolkit.analysis import EngineError
from rl_toolkit.arena import EngineFailedError
from rl_toolkit.arena.runs import ChangedCodeError, is_journal
from rl_toolkit.cli.arguments import failure, refuse, report_errors
from rl_toolkit.cli.ui.progress import resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.players import Spec, kind_named
from rl_toolkit.utils import counted, duration, listed
from rl_toolkit.utils.executors import LostTaskError, WorkAccount, WorkerAccount

#: Errors that are not in the command line, for `report_errors`: exit code 1.
ENGINE_FAILURES = (LostTaskError, EngineFailedError, EngineError)

#: The argument ``if_changed``.
if_changed_option = click.option(
    "--if-changed",
    type=click.Choice(["refuse", "replay", "keep"]),
    default="refuse",
    help="What to do with saved games if the code of an engine has changed since then.",
)


def check_different(**files: Path | None) -> None:
    """Refuse two options, given by their names, that mean the same file under any spelling."""
    named = {option: path.resolve() for option, path in files.items() if path is not None}
    if len(set(named.values())) < len(named):
        raise refuse(f"{listed([f'--{option}' for option in files], 'and')} need different files")


def check_writable(option: str, path: Path | None) -> None:
    """Refuse a file that cannot or must not be written, before hours are spent."""
    if path is None:
        return
    if path.is_dir():
        raise refuse(f"{option} {path}: this is a folder, not a file")
    if not path.parent.is_dir():
        raise refuse(f"{option} {path}: the folder {path.parent} does not exist")
    if path.exists() and not path.is_file():
        raise refuse(f"{option} {path}: this is not a regular file")
    if is_journal(path):
        raise refuse(f"{option} {path}: this file holds the games of a run; choose another one")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise failure(f"{option} {path}: no file can be written to {path.parent}") from error


def tell_sandbox(screen: Screen, engines: Iterable[str]) -> None:
    """Say which sandbox keeps the bots and programs among these engines, if there are any."""
    from rl_toolkit.utils.isolation import IsolationError, in_force

    foreign = [text for text in dict.fromkeys(engines) if _is_foreign(text)]
    free = [text for text in foreign if not _has_on(text, "sandbox")]
    pondering = [text for text in foreign if text not in free and _has_on(text, "ponder")]
    parts = []
    with suppress(IsolationError):  # said when the engine is to play
        parts = [in_force().sentence] if len(free) < len(foreign) else []
        if pondering and in_force().freezes:
            parts.append(
                f"{listed(pondering)} {'is' if len(pondering) == 1 else 'are'} not frozen."
            )
    if free:
        parts.append(f"{listed(free)} {'runs' if len(free) == 1 else 'run'} without a sandbox.")
    if parts:
        screen.tell(" ".join(parts), "dim")


def _is_foreign(text: str) -> bool:
    kind = kind_named(text)
    return kind is not None and kind.outside


def _has_on(text: str, option: str) -> bool:
    spec = Spec.read(text)
    return spec.takes(option) and bool(spec[option])


#: With more workers than this, the account has a line for each machine.
_MOST_WORKERS = 16


def tell_work(screen: Screen, account: WorkAccount) -> None:
    """Say who did what, if more than one worker did something or a task was lost."""
    rows = account.workers
    if len(rows) < 2 and not account.losses:
        return
    speed = account.seconds / account.elapsed if account.elapsed else 0.0
    screen.tell(
        f"{counted(account.tasks, 'task')}, {_seconds(account.seconds)} of work in "
        f"{_seconds(account.elapsed)} ({speed:.1f} workers busy on average):",
        "dim",
    )
    several = len({row.machine for row in rows}) > 1
    for row in rows if len(rows) <= _MOST_WORKERS else account.by_machine():
        screen.tell(f"  {_work_of(row, with_machine=several)}", "dim")


def _work_of(row: WorkerAccount, *, with_machine: bool) -> str:
    """``worker 2: 31 tasks, 12.0 s; 1 lost with its worker and done again``."""
    name = f"{row.worker} of {row.machine}" if with_machine else row.worker
    lost = f"; {row.lost} lost with its worker" if row.lost else ""
    return f"{name}: {counted(row.tasks, 'task')}, {_seconds(row.seconds)}{lost}"


def _seconds(seconds: float) -> str:
    return duration(seconds) if seconds >= 60 else f"{seconds:.1f} s"


@contextmanager
def measuring(
    screen: Screen,
    kept: str | Sequence[str] | None = None,
    on_stop: Callable[[], object] = lambda: None,
) -> Iterator[None]:
    """The frame of a command that measures: mistakes become sentences, and no work is lost.

    If the work ends early, by Ctrl-C, SIGTERM or a failure, ``on_stop`` shows what was measured by
    then; ``kept`` says where the saved work is.
    """
    try:
        with _changed_code_hint(), report_errors(*ENGINE_FAILURES), resumable(screen, kept):
            yield
    except (KeyboardInterrupt, click.ClickException):
        on_stop()
        raise


@contextmanager
def _changed_code_hint() -> Iterator[None]:
    """Name `if_changed_option` in the usage error about code that has changed."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error.__cause__, ChangedCodeError):
            raise refuse(f"{error.message} (--if-changed replay or keep)") from error
        raise
