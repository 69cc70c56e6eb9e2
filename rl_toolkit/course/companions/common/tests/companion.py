"""What the tests of the companions share: your functions, and the truth about Tic-Tac-Toe.

You need not read this file. `rl-toolkit course start` renews it.
"""

import builtins
import contextlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

#: Where the files lie, if not under their own names.
PLACES = {}
#: A program of your own with names of its own, checked as it is.
OWN = None
#: A longer value is not printed in a sentence.
_LONG = 60
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
    if OWN is not None:
        return OWN.take(file, name, session)
    place = PLACES.get(file, file)
    module = module_of(file, session)
    if not hasattr(module, name):
        what = "class" if name[0].isupper() else "function"
        raise NotYet(f"{place} has no {what} {name} yet: session {session} writes it")
    return getattr(module, name)


def module_of(file, session):
    """Your file, imported."""
    if OWN is not None:
        return OWN.module(file)
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
    yours, right = plain(answer), plain(right)
    if yours != right:
        raise Wrong(f"{what}: {_difference(yours, right)}")


def _difference(yours, right):
    """How two values differ; of two long lists the first different entry."""
    both = isinstance(yours, list) and isinstance(right, list) and len(yours) == len(right)
    if both and len(repr(right)) > _LONG:
        index = next(i for i in range(len(right)) if yours[i] != right[i])
        where = "row" if isinstance(right[index], list) else "cell"
        return f"your {where} {index} is {yours[index]!r}, right is {right[index]!r}"
    return f"your answer is {yours!r}, right is {right!r}"


def left_alone(call, board, before, sentence):
    """The answer of a call; fail with a sentence if it has changed the board."""
    try:
        answer = call()
    except Exception:
        require(plain(board()) == plain(before), sentence)
        raise
    require(plain(board()) == plain(before), sentence)
    return answer


def refuses(call, what):
    """Fail unless the call raises ValueError."""
    try:
        answer = call()
    except ValueError:
        return
    except (NotImplementedError, NotYet):
        raise
    except Exception as error:
        raise Wrong(f"{what} must raise ValueError, not {type(error).__name__}") from None
    said = repr(plain(answer))
    is_brief = len(said) < _LONG and " object at " not in said
    end = f"your answer is {said}" if is_brief else "your program accepts it"
    raise Wrong(f"{what} must raise ValueError; {end}")


def plain(value):
    """A value without NumPy: lists and numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {plain(key): plain(each) for key, each in value.items()}
    return value


# ------------------------------------------------- games that are played by typing

#: Ways to type a cell, counted from 0: tried in turn on a program of your own.
WAYS = (
    lambda cell: [str(cell + 1)],
    lambda cell: [str(cell)],
    lambda cell: [f"{cell // 3 + 1} {cell % 3 + 1}"],
    lambda cell: [f"{cell // 3 + 1},{cell % 3 + 1}"],
    lambda cell: [f"{cell // 3} {cell % 3}"],
    lambda cell: [f"{cell // 3},{cell % 3}"],
    lambda cell: [str(cell // 3 + 1), str(cell % 3 + 1)],
    lambda cell: [str(cell // 3), str(cell % 3)],
)
_WIN = (0, 3, 1, 4, 2)
_known = {}


class EndOfLines(Exception):
    """The program asks for more although everything was typed."""


def typed(play, lines):
    """What a game prints for these inputs, and whether it asked for more."""
    given, printed = iter(lines), io.StringIO()
    before = builtins.input

    def scripted(prompt=""):
        printed.write(f"{prompt}\n")
        try:
            return next(given)
        except StopIteration:
            raise EndOfLines from None

    builtins.input = scripted
    try:
        with contextlib.redirect_stdout(printed):
            play()
    except EndOfLines:
        return printed.getvalue(), True
    finally:
        builtins.input = before
    return printed.getvalue(), False


def way_to_type(play):
    """How cells are typed, and what is typed before the game: 1 to 9, unless your game differs."""
    if OWN is None:
        return WAYS[0], []
    if not _known:
        _known["way"] = WAYS[0], []
        tries = [(way, first) for first in ([], ["1"], ["2"]) for way in WAYS]
        for way, first in tries:
            try:
                said, _ = typed(play, [*first, *(line for cell in _WIN for line in way(cell))])
            except Exception:
                continue
            if results_in(said)[-1:] == ["X"]:
                _known["way"] = way, first
                break
    return _known["way"]


def results_in(said):
    """The results that a game announces: "X", "O" and "Draw", in any of the usual words."""
    found = []
    for line in said.splitlines():
        low = line.lower()
        if re.search(r"\b(draw|tie|tied|nul|nulle|[ée]galit[ée])\b", low):
            found.append("Draw")
        elif re.search(r"winner|wins|won\b|gagn|vainqueur|victoire", low):
            names = re.findall(r"\b([XOxo])\b", line) or re.findall(r"[12]", line)
            if names:
                found.append({"1": "X", "2": "O"}.get(names[-1], names[-1].upper()))
    return found


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
    if done.returncode < 0 and "memory" in done.stderr:
        raise OpenTest("Node.js does not start within the memory that a test has here")
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if re.match(r"\w*Error: ", line)]
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
