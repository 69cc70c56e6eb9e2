"""How commands end: 0 done, 1 failed, 2 misused, 130 interrupted, and never with a traceback."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, TextIO

import click

from rl_toolkit.cli.ui.ascii import speaks_unicode

INTERRUPTED = 130


def run_command(
    command: click.Command, arguments: Sequence[str] | None = None, *, prog_name: str
) -> NoReturn:
    """Run a command and leave with the right exit code."""
    for stream in (sys.stdout, sys.stderr):
        _match_terminal_encoding(stream)
    try:
        code = command.main(arguments, prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        _leave(leaving.exit_code)
    except click.ClickException as problem:
        problem.show()
        _leave(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are leaving: once more changes nothing
        _leave(INTERRUPTED)
    except BrokenPipeError:
        # Whoever reads has had enough. Python would complain once more while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(1)
    _leave(code if isinstance(code, int) else 0)


def _match_terminal_encoding(stream: TextIO) -> None:
    """Write nothing that cannot be shown: a letter that is replaced is no reason to stop a game."""
    if isinstance(stream, io.TextIOWrapper):
        encoding = None if speaks_unicode(stream, os.environ) else "ascii"
        stream.reconfigure(encoding=encoding, errors="replace")


def _leave(code: int) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code == INTERRUPTED and threading.active_count() > 1:
        os._exit(code)  # a thread deep in compilation cannot be asked to end
    sys.exit(code)
