"""Run the examples of a Markdown page, from its first block to its last, in one namespace.

A block of ``python`` runs; with prompts (``>>>``) it is compared line by line, as doctest does.
A block of ``output`` right after it is what it prints. A block marked ``python fragment`` is a
piece of something larger: it only has to be Python.
"""

import contextlib
import doctest
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```(?P<mark>[^\n`]*)\n(?P<text>.*?)^```[ ]*$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Block(NamedTuple):
    """A fenced block: what the fence says, the text, and the line where it begins."""

    mark: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page."""
    return [
        Block(match["mark"].strip(), match["text"], page.count("\n", 0, match.start()) + 2)
        for match in FENCE.finditer(page)
    ]


def has_examples(page: str) -> bool:
    """Whether anything on the page runs."""
    return any(block.mark in ("python", "pycon") for block in blocks(page))


def run_page(path: Path) -> dict[str, object]:
    """Run every example of the page; gives the names that it has defined."""
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.mark == "output":
            assert printed.strip() == block.text.strip(), f"{path.name}, line {block.line}"
        elif block.mark == "python fragment":
            compile(block.text, f"{path.name}:{block.line}", "exec")
        elif block.mark in ("python", "pycon"):
            printed = _run(block, path, names)
    return names


def _run(block: Block, path: Path, names: dict[str, object]) -> str:
    """Run one block; gives what it printed."""
    printed = io.StringIO()
    if ">>>" in block.text:
        test = doctest.DocTestParser().get_doctest(
            block.text, names, f"{path.name}", str(path), block.line - 1
        )
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        runner.run(test, out=printed.write, clear_globs=False)
        names.update(test.globs)
        assert runner.failures == 0, printed.getvalue()
        return ""
    # Empty lines in front make the line numbers of a traceback those of the page.
    code = compile("\n" * (block.line - 1) + block.text, str(path), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    return printed.getvalue()


class Guide:
    """A page that is followed in a folder, from its first block to its last.

    Beside the blocks of `run_page`, ``LANGUAGE file=NAME`` is a file to write, ``LANGUAGE
    add=NAME`` is text to add to one, and ``console`` or ``console exit=N`` has commands and what
    they write, which ``session(text, exit_code)`` runs.
    """

    def __init__(self, page: Path, folder: Path, session: Callable[[str, int], None]) -> None:
        self._page, self._folder, self._session = page, folder, session

    def follow(self) -> None:
        """Do every step."""
        names: dict[str, object] = {"__name__": "page"}
        printed = ""
        for block in blocks(self._page.read_text(encoding="utf-8")):
            kind, *words = block.mark.split() or [""]
            more = dict(word.partition("=")[::2] for word in words)
            if "file" in more:
                (self._folder / more["file"]).write_text(block.text, "utf-8")
            elif "add" in more:
                file = self._folder / more["add"]
                file.write_text(file.read_text("utf-8") + block.text, "utf-8")
            elif kind == "console":
                self._session(block.text, int(more.get("exit", 0)))
            elif kind == "output":
                assert printed.strip() == block.text.strip(), f"{self._page.name}, {block.line}"
            elif "fragment" in more:
                compile(block.text, f"{self._page.name}:{block.line}", "exec")
            elif kind in ("python", "pycon"):
                printed = _run(block, self._page, names)
