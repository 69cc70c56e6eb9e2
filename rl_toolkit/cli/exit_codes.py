"""Exit codes: 0 done, 1 failed, 2 misused, 130 interrupted; commands never end in a traceback."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import click

from rl_toolkit.cli.ui.ascii import speaks_unicode

INTERRUPTED = 130


def run_command(
    command: click.Command, arguments: Sequence[str] | None = None, *, prog_name: str
) -> NoReturn:
    """Run a command and exit with the right code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if speaks_unicode(stream, os.environ) else "ascii"
            # Characters that the terminal cannot show are replaced.
            stream.reconfigure(encoding=encoding, errors="replace")
    try:
        code = command.main(arguments, prog_name=prog_name, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leaving:
        _leave(leaving.exit_code)
    except click.ClickException as problem:
        problem.show()
        _leave(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # we are leaving: another changes nothing
        _leave(INTERRUPTED)
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain again while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(1)
    _leave(code if isinstance(code, int) else 0)


def _leave(code: int) -> NoReturn:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code == INTERRUPTED and threading.active_count() > 1:
        os._exit(code)  # a thread that is compiling cannot be stopped
    sys.exit(code)
