"""An exception of the student's code, cut to the lines of their own files."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rl_toolkit.labs.host.limits import IdleError, OutOfTimeError

#: The most frames that are shown.
_MOST = 6


def described(error: BaseException, sources: Mapping[str, str]) -> dict[str, Any]:
    """The exception as data: ``kind``, ``message``, ``lines`` (file, line, code), ``line``."""
    kind = type(error).__name__
    if isinstance(error, OutOfTimeError):
        kind = "Idle" if isinstance(error, IdleError) else "OutOfTime"
    message = " ".join(str(error).split())[:300]
    if isinstance(error, SyntaxError):
        return _syntax(error, kind)
    frames = [
        (Path(frame.filename).name, frame.lineno or 0, frame.name)
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name in sources and Path(frame.filename).parent == Path.cwd()
    ]
    lines: list[str] = []
    for file, number, function in _shortened(frames):
        if not file:
            lines.append(function)
            continue
        code = sources[file].splitlines()
        text = code[number - 1].strip() if 0 < number <= len(code) else ""
        where = "" if function == "<module>" else f", in {function}"
        lines += [f"{file}, line {number}{where}", f"    {text}"]
    return {
        "kind": kind,
        "message": message,
        "lines": lines,
        "line": frames[-1][1] if frames else 0,
    }


def _syntax(error: SyntaxError, kind: str) -> dict[str, Any]:
    lines = [f"{Path(error.filename or '').name}, line {error.lineno}"]
    if error.text:
        text = error.text.rstrip("\n")
        lines.append(f"    {text.strip()}")
        if error.offset and text.isascii():
            indent = len(text) - len(text.lstrip())
            lines.append("    " + " " * max(0, error.offset - 1 - indent) + "^")
    return {"kind": kind, "message": error.msg, "lines": lines, "line": error.lineno or 0}


def _shortened(frames: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """The first and last frames; equal ones in a row, as in a recursion, are said once."""
    kept: list[tuple[str, int, str]] = []
    repeated = 0
    for index, frame in enumerate(frames):
        if index and frame == frames[index - 1]:
            repeated += 1
            continue
        if repeated:
            kept.append(("", 0, f"  … {repeated} more calls at the same line"))
            repeated = 0
        kept.append(frame)
    if repeated:
        kept.append(("", 0, f"  … {repeated} more calls at the same line"))
    if len(kept) <= _MOST:
        return kept
    left = len(kept) - _MOST
    return [*kept[:2], ("", 0, f"  … {left} more calls …"), *kept[-(_MOST - 2) :]]
