"""Exit codes: 0 done, 1 failed, 2 misused, 130 interrupted, 143 terminated; never a traceback."""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import sys
import textwrap
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn, TextIO

import click

from rl_toolkit.cli.ui.ascii import PLAIN, speaks_unicode

INTERRUPTED, TERMINATED = 130, 143

#: What a group of commands raises without a command after it; older versions of Click leave.
_WITHOUT_A_WORD: tuple[type[Exception], ...] = tuple(
    filter(None, (getattr(click.exceptions, "NoArgsIsHelpError", None),))
)
#: Errors that only writing has.
_WRITING = (errno.ENOSPC, errno.EBADF, errno.EDQUOT, errno.EFBIG)


def run_command(
    command: click.Command, arguments: Sequence[str] | None = None, *, prog_name: str
) -> NoReturn:
    """Run a command and exit with the right code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Characters that the terminal cannot show are replaced.
            if speaks_unicode(stream, os.environ):
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="ascii", errors=PLAIN)
    try:
        with warnings.catch_warnings(), _interrupted_by_sigterm():
            warnings.showwarning = _warn
            code = command.main(arguments, prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        _leave(leaving.exit_code)
    except click.ClickException as problem:
        _complain(problem, given)
        _leave(problem.exit_code)
    except (click.Abort, KeyboardInterrupt) as leaving:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are leaving: another changes nothing
        why = leaving.__cause__ or leaving  # Click turns an interrupt into an Abort
        _leave(TERMINATED if isinstance(why, _TerminatedError) else INTERRUPTED)
    except BrokenPipeError:  # the reader has closed the pipe: nothing needs to be said
        _leave(1)
    except OSError as error:
        _complain(click.ClickException(describe_os_error(error)), given)
        _leave(1)
    except Exception as error:
        from rl_toolkit.envs import game_failure

        failed = game_failure(error)  # a mistake in a game of the user's
        if failed is None:
            raise
        _complain(click.ClickException(str(failed)), given)
        _leave(1)
    _leave(code if isinstance(code, int) else 0)


class _TerminatedError(KeyboardInterrupt):
    """SIGTERM, from ``kill``, ``timeout`` or a cluster."""


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, unless the caller ignores or handles it."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TerminatedError

    is_ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    )
    if is_ours:
        signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _warn(message: Warning | str, *where: object, **more: object) -> None:
    """Write a warning as a sentence on stderr; the line of our code that gave it helps nobody."""
    with suppress(OSError):
        click.echo(f"Warning: {_sentence(str(message))}", err=True)


def describe_os_error(error: OSError) -> str:
    """``game.json: No such file or directory``; writing does not name its file."""
    reason = error.strerror or str(error)
    if error.filename:
        return f"{error.filename}: {reason}"
    return f"cannot write: {reason}" if error.errno in _WRITING else reason


def _replace_closed_streams() -> None:
    """Open what the caller has closed (``>&-``), so that no other file takes its number.

    Nothing can be read from stdin, and writing to stdout is an error; messages are lost.
    """
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_RDONLY))  # noqa: SIM115 - used until the end
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.open(os.devnull, os.O_WRONLY), "w")  # noqa: SIM115


def _complain(problem: click.ClickException, given: Sequence[str]) -> None:
    """Say on stderr what is wrong, if that can be written to: one sentence and one example.

    ``given`` are the arguments of the command.

    A command that needs another word after it shows its help.
    """
    with suppress(OSError):
        if isinstance(problem, _WITHOUT_A_WORD):
            click.echo(problem.format_message(), err=True)
            return
        if isinstance(problem, click.NoSuchOption) and "--help" in (problem.possibilities or ()):
            # The next line names it anyway, and the other guesses are worse.
            problem = click.NoSuchOption(problem.option_name, ctx=problem.ctx)
        lines = [f"Error: {_sentence(problem.format_message())}"]
        if isinstance(problem, click.UsageError) and problem.ctx is not None:
            example = _example(problem.ctx, given)
            more = f"{problem.ctx.command_path} --help"
            lines.append(f"Example: {example}   (more: {more})" if example else f"Help: {more}")
        for line in lines:
            click.echo(_fitted(line) if sys.stderr.isatty() else line, err=True)


def _example(context: click.Context, given: Sequence[str]) -> str:
    """An example of the command, about the game that was asked for if one was."""
    shown: tuple[str, ...] = getattr(context.command.callback, "examples", ("",))
    arguments = [p for p in context.command.params if isinstance(p, click.Argument)]
    if not any(argument.name == "game" for argument in arguments):
        return shown[0]
    from rl_toolkit.envs.registry import family_of

    asked = next(filter(None, map(family_of, given)), None)
    if asked is None:
        return shown[0]
    for line in shown:
        if any(family_of(word) == asked for word in line.split()):
            return line
    if not {"engine", "engines"} & {argument.name for argument in arguments}:
        return f"{context.command_path} {asked.name}"
    return " ".join(asked.name if family_of(word) else word for word in shown[0].split())


def _fitted(line: str) -> str:
    """The line in pieces that fit the terminal, with every word whole."""
    width = shutil.get_terminal_size().columns
    if len(line) <= width:
        return line
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _sentence(text: str) -> str:
    """The message as one line that ends like a sentence."""
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!", "`", "'")) else f"{text}."


def _can_flush(stream: TextIO) -> bool:
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True


def _leave(code: int) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        if not _can_flush(stream):
            # Python would try again at its end, and complain.
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            code = code or int(stream is sys.stdout)
    if code in (INTERRUPTED, TERMINATED) and threading.active_count() > 1:
        os._exit(code)  # a thread that is compiling cannot be stopped
    sys.exit(code)
