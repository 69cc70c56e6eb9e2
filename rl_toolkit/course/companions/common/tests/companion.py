"""What the tests of the companions share: your functions, and the truth about Tic-Tac-Toe.

You need not read this file. `rl-toolkit course start` renews it.
"""

import importlib
import json
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

#: Where the files lie, if not under their own names.
PLACES = {}
#: A program that runs JavaScript.
NODE = os.environ.get("NODE", "node")

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


class Wrong(AssertionError):
    """Your program answered something else; the message says what is right."""


class NotYet(AssertionError):
    """Something is not written yet."""


class OpenTest(Exception):
    """It cannot be tested on this machine."""


def take(file, name, session):
    """A function or class of your file; `NotYet` while there is none."""
    place = PLACES.get(file, file)
    module = module_of(file, session)
    if not hasattr(module, name):
        what = "class" if name[0].isupper() else "function"
        raise NotYet(f"{place} has no {what} {name} yet: session {session} writes it")
    return getattr(module, name)


def module_of(file, session):
    """Your file, imported."""
    place = PLACES.get(file, file)
    name = place.removesuffix(".py").replace("/", ".")
    if not Path(os.getcwd(), place).is_file() and not _beside(place).is_file():
        raise NotYet(f"there is no {file} yet: session {session} writes it")
    return importlib.import_module(name)


def method(owner, name, session):
    """A method of your object; `NotYet` while there is none."""
    if not hasattr(owner, name):
        kind = owner.__name__ if isinstance(owner, type) else type(owner).__name__
        raise NotYet(f"{kind} has no method {name} yet: session {session} writes it")
    return getattr(owner, name)


def require(condition, sentence):
    """Fail with a sentence unless the condition holds."""
    if not condition:
        raise Wrong(sentence)


def equal(answer, right, what):
    """Fail unless an answer is right; arrays are compared as lists."""
    if plain(answer) != plain(right):
        raise Wrong(f"{what}: your answer is {plain(answer)!r}, right is {plain(right)!r}")


def refuses(call, what):
    """Fail unless the call raises ValueError."""
    try:
        answer = call()
    except ValueError:
        return
    except NotImplementedError:
        raise
    except Exception as error:
        raise Wrong(f"{what} must raise ValueError, not {type(error).__name__}") from None
    raise Wrong(f"{what} must raise ValueError; your answer is {plain(answer)!r}")


def plain(value):
    """A value without NumPy: lists and numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return value


def _beside(place):
    return Path(__file__).resolve().parent.parent / place


# ----------------------------------------------------------------- JavaScript


def javascript(files, code):
    """What ``code`` leaves in ``answer`` after your scripts have run, as plain data."""
    for file in files:
        if not _beside(file).is_file():
            raise NotYet(f"there is no {file} yet")
    sources = [_beside(file).read_text("utf-8") for file in files]
    program = "\n".join([*sources, "let answer;", code, _REPORT])
    try:
        done = subprocess.run(
            [NODE, "-"], input=program, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        if isinstance(error, subprocess.TimeoutExpired):
            raise Wrong("your script was still running after 20 s: a loop without end?") from None
        raise OpenTest("Node.js is not installed here, so this cannot be tested") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "Error" in line]
        problem = lines[0].strip() if lines else done.stderr.strip()[-200:]
        if "not written yet" in problem:
            raise NotYet(problem.partition("Error: ")[2])
        missing = problem.removesuffix(" is not defined").removeprefix("ReferenceError: ")
        if problem.startswith("ReferenceError"):
            raise NotYet(f"{files[0]} has no {missing} yet")
        raise Wrong(f"your script stopped with {problem}")
    return json.loads(done.stdout.splitlines()[-1])


_REPORT = "console.log(JSON.stringify(answer === undefined ? null : answer));"


# ------------------------------------------- Tic-Tac-Toe: all 5,478 positions

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = [f"{letter}{row}" for row in "123" for letter in "abc"]


def position(text):
    """Cells and mover of ``xx1/oo1/3 x``: +1 is X, −1 is O, 0 is empty."""
    rows, mover = text.split()
    cells = []
    for sign in rows.replace("/", ""):
        cells += [0] * int(sign) if sign.isdigit() else [1 if sign == "x" else -1]
    return tuple(cells), 1 if mover == "x" else -1


def drawn(cells):
    """A board as text."""
    rows = ["".join(".XO"[cell] for cell in cells[row : row + 3]) for row in (0, 3, 6)]
    return " / ".join(rows)


def winner(cells):
    """+1 or −1 if there are three in a row, else 0."""
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return 0


def over(cells):
    """Whether the game has ended."""
    return bool(winner(cells)) or 0 not in cells


def played(cells, move, mover):
    """The board after a move."""
    return (*cells[:move], mover, *cells[move + 1 :])


@lru_cache(maxsize=None)
def value(cells, mover):
    """The result with best play, in X's view."""
    if over(cells):
        return winner(cells)
    values = [value(played(cells, move, mover), -mover) for move in free(cells)]
    return max(values) if mover == 1 else min(values)


def free(cells):
    """The empty cells."""
    return [cell for cell in range(9) if not cells[cell]]


def best_moves(cells, mover):
    """The moves that keep the value."""
    best = value(cells, mover)
    return [m for m in free(cells) if value(played(cells, m, mover), -mover) == best]


@lru_cache(maxsize=1)
def open_positions():
    """The 4,520 positions of games that X opens in which a move can be made."""
    found, waiting = {}, [((0,) * 9, 1)]
    while waiting:
        cells, mover = waiting.pop()
        if (cells, mover) in found or over(cells):
            continue
        found[cells, mover] = None
        waiting += [(played(cells, move, mover), -mover) for move in free(cells)]
    return sorted(found, key=lambda each: (each[0].count(0), each[0]))


def late_positions(most_free, step):
    """Every ``step``-th of the positions with at most so many free cells."""
    return [p for p in open_positions() if p[0].count(0) <= most_free][::step]


def every_reply(choose, seat):
    """The first lost game of a player against every reply, as moves; None if it loses none."""
    waiting = [((), (0,) * 9, 1)]
    chosen = {}
    while waiting:
        moves, cells, mover = waiting.pop()
        if over(cells):
            if winner(cells) == -seat:
                return moves
            continue
        if mover == seat:
            if cells not in chosen:
                chosen[cells] = choose(cells, mover)
            require(
                chosen[cells] in free(cells),
                f"{drawn(cells)}: your move {chosen[cells]!r} is not a free cell",
            )
            following = [chosen[cells]]
        else:
            following = free(cells)
        for move in following:
            waiting.append(((*moves, move), played(cells, move, mover), -mover))
    return None
