"""What in a submission is worth a look by the teacher: code that no task of the lab needs.

A remark is not a verdict. Student code can import the toolkit, whose solver knows the answers, or
read files; both are seen here if they are written plainly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from rl_toolkit.labs.model.lab import Lab
from rl_toolkit.utils import listed

#: Module → why its import is worth a look.
_MODULES = {
    "rl_toolkit": "the toolkit's own solver could answer for the student",
    "os": "files and processes",
    "sys": "the interpreter itself",
    "subprocess": "other programs",
    "multiprocessing": "other processes",
    "socket": "the network",
    "urllib": "the network",
    "http": "the network",
    "requests": "the network",
    "pathlib": "files",
    "shutil": "files",
    "glob": "files",
    "tempfile": "files",
    "io": "files",
    "ctypes": "memory",
    "inspect": "the code that calls it",
    "gc": "objects of other code",
    "importlib": "imports by name",
    "builtins": "Python's own functions",
    "signal": "limits on time",
    "resource": "limits",
    "threading": "threads",
    "atexit": "code after the end",
    "pickle": "data that runs code",
}
_CALLS = {
    "open": "opens files",
    "exec": "runs text as code",
    "eval": "runs text as code",
    "compile": "runs text as code",
    "__import__": "imports by name",
    "globals": "reads all names of a module",
}
_HIDDEN = (
    "__globals__",
    "__subclasses__",
    "__builtins__",
    "__code__",
    "f_back",
    "f_globals",
    "_getframe",
)


def remarks_on(lab: Lab, files: Mapping[str, str]) -> list[str]:
    """Sentences for the teacher, none if there is nothing to look at."""
    given: set[str] = set()
    for name, text in lab.start_files().items():
        if name.endswith(".py"):
            given |= {found for found, _, _ in _found(text)}
    value: dict[str, str] = {}
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        for found, line, sentence in _found(text):
            if found not in given:
                value.setdefault(f"{name} {found}", f"{name}, line {line}: {sentence}")
    return list(value.values())[:12]


def _found(text: str) -> Iterator[tuple[str, int, str]]:
    """What is used, the line, and a sentence."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            is_plain = isinstance(node, ast.Import)
            modules = [alias.name for alias in node.names] if is_plain else [_module(node)]
            for module in modules:
                top = module.partition(".")[0]
                if top in _MODULES:
                    yield top, node.lineno, f"imports {module[:60]} ({_MODULES[top]})."
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in _CALLS:
                yield name, node.lineno, f"calls {name}, which {_CALLS[name]}."
        hidden = getattr(node, "attr", None) or getattr(node, "id", None)
        if isinstance(node, (ast.Attribute, ast.Name)) and hidden in _HIDDEN:
            yield hidden, node.lineno, f"uses {hidden}, which reaches into other code."


def _module(node: ast.stmt) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else ""


def short(remarks: list[str]) -> str:
    """The remarks in one cell of a table."""
    return listed(remarks) if len(remarks) < 2 else f"{remarks[0]} (and {len(remarks) - 1} more)"
