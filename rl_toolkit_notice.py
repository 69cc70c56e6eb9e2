"""One line for people whose own folder ``rl_toolkit/`` is not what Python imports.

Handouts say "create ``rl_toolkit/envs/tictactoe.py``". Where the package is installed such a file
is never imported, and tests of it pass or fail on another class. This module notices that, for
pytest (as a plugin) and for the command line. It needs only the standard library.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_PACKAGE = "rl_toolkit"
#: The most files of a foreign folder that are looked at.
_MOST = 200


def notice(folders: Iterable[Path]) -> str:
    """What to know about a folder ``rl_toolkit/`` in one of these folders; "" if nothing."""
    for folder in dict.fromkeys(path.absolute() for path in folders):
        tree = folder / _PACKAGE
        if not tree.is_dir():
            continue
        text = _hidden_in_clone(tree) if is_package(tree) else _foreign(tree)
        if text:
            return text
    return ""


def pytest_report_header(config: object) -> list[str]:
    """The notice in pytest's header."""
    root = getattr(config, "rootpath", None)
    text = notice([*([root] if isinstance(root, Path) else []), Path.cwd()])
    return [text] if text else []


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """The same at the end where ``-q`` hides the header."""
    if config.get_verbosity() < 0:
        for line in pytest_report_header(config):
            terminalreporter.write_line(line)


def is_package(tree: Path) -> bool:
    """Whether a folder is this package itself: an installation or a clone."""
    return (tree / "cli" / "main.py").is_file() and (tree / "labs" / "catalogue").is_dir()


def _hidden_in_clone(tree: Path) -> str:
    """A module beside a package of the same name is never imported."""
    for file in sorted(tree.glob("*/*.py")):
        if (file.with_suffix("") / "__init__.py").is_file():
            place = file.relative_to(tree.parent).as_posix()
            return (
                f"{place} is never imported: the package {file.stem}/ beside it wins. Name your "
                f"file my_{file.name}, in a folder of its own (`rl-toolkit course start A`)."
            )
    return ""


def _foreign(tree: Path) -> str:
    files = [path for _, path in zip(range(_MOST), sorted(tree.rglob("*.py")), strict=False)]
    files = [path for path in files if path.name != "__init__.py"]
    if not files:
        return ""
    place = files[0].relative_to(tree.parent).as_posix()
    instead = f"my_{files[0].name}"
    imported = _imported_from()
    if imported is not None and imported == tree:
        what = (
            f"Python imports {_PACKAGE} from your folder, which hides the installed package: "
            "what your folder lacks is not found."
        )
    else:
        where = f" ({imported})" if imported is not None else ""
        what = f"{place} is not imported: tests use the classes of the installed package{where}."
        if len(files) > 1:
            others = "1 more file" if len(files) == 2 else f"{len(files) - 1} more files"
            what += f" The same holds for {others} of yours."
    return (
        f"{what} Name your file {instead}, outside of {_PACKAGE}/ (`rl-toolkit course start A` "
        "makes a folder), or test it as it is: rl-toolkit course check --as-typed ."
    )


def _imported_from() -> Path | None:
    """The folder of the package that ``import rl_toolkit`` gives here."""
    try:
        spec = importlib.util.find_spec(_PACKAGE)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).absolute().parent if spec is not None and spec.origin else None
