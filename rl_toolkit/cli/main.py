"""``rl-toolkit``: the command line.

Every command has a file in `rl_toolkit.cli.commands`, which is imported when the command is called:
``--version`` needs nothing but Click, and ``--help`` not even that.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from os import environ
from pathlib import Path
from shutil import get_terminal_size
from typing import NoReturn

from rl_toolkit.cli.program.overview import overview

#: The widest help, and the narrowest.
_WIDEST, _NARROWEST = 100, 50


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with the right code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if (
        given in (["--help"], ["-h"])
        and "_RL_TOOLKIT_COMPLETE" not in environ
        and _write_overview()
    ):
        sys.exit(0)
    _tell_of_other_package(given)
    if not given and "_RL_TOOLKIT_COMPLETE" not in environ and _on_terminal() and _write_welcome():
        sys.exit(0)
    from rl_toolkit.cli.program.exit_codes import run_command
    from rl_toolkit.cli.program.group import cli

    run_command(cli, arguments, prog_name="rl-toolkit")


def _tell_of_other_package(given: Sequence[str]) -> None:
    """Say on stderr that a folder ``rl_toolkit/`` here is not what runs."""
    here = Path.cwd()
    if "--as-typed" in given or "_RL_TOOLKIT_COMPLETE" in environ or not _has_package(here):
        return
    from rl_toolkit_notice import notice

    if text := notice([here]):
        with suppress(AttributeError, OSError, ValueError):
            sys.stderr.write(f"Note: {text}\n")


def _has_package(folder: Path) -> bool:
    return (folder / "rl_toolkit").is_dir()


def _on_terminal() -> bool:
    """Whether a person types the commands and reads what they write."""
    with suppress(AttributeError, ValueError):
        return sys.stdin.isatty() and sys.stdout.isatty()
    return False


def _write_welcome() -> bool:
    from rl_toolkit.cli.program.welcome import has_saved_game, welcome

    return _write(welcome(has_saved_game=has_saved_game()))


def _write_overview() -> bool:
    return _write(overview(max(min(get_terminal_size().columns, _WIDEST) - 2, _NARROWEST)))


def _write(text: str) -> bool:
    """Write ``text`` to stdout; ``False`` if that is closed, or cannot be written to."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (AttributeError, OSError, ValueError):
        return False
    return True


if __name__ == "__main__":
    main()
