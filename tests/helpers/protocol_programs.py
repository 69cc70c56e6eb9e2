"""Programs for the tests of protocols: our own servers, and small scripts that misbehave."""

import shlex
import sys
from pathlib import Path

#: A program that answers by a table: each line of the input is looked up by its first word.
SCRIPT = """
import sys
answers = {answers!r}
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    answer = answers.get(line.strip(), answers.get(word))
    if callable(answer):
        answer = answer(line)
    if answer is None:
        answer = {otherwise!r}
    if answer == "die":
        print("out of memory", file=sys.stderr)
        sys.exit(3)
    sys.stdout.write(answer)
    sys.stdout.flush()
"""


def scripted(folder: Path, answers: dict[str, str], otherwise: str = "", name: str = "bot") -> str:
    """The command of a program that answers lines, or first words of lines, from a table."""
    file = folder / f"{name}.py"
    file.write_text(SCRIPT.format(answers=answers, otherwise=otherwise), encoding="utf-8")
    return f"{python()} -I -S {shlex.quote(str(file))}"


#: A Gomocup program with the habit of Rapfi: for 50 ms after its move it still takes itself to be
#: thinking, and drops a word that arrives meanwhile; the rest of that line is an unknown command.
#: It plays the first free square, and keeps what it read in a file.
DREAMER = """
import os, select, time
BUSY = 0.05
log, taken, size, unread, board = open({log!r}, "w"), set(), 0, b"", None

def say(text, is_move=False):
    until = time.monotonic() + BUSY  # before it can be read, so that nobody is blamed too early
    os.write(1, (text + "\\n").encode())
    while is_move and (left := until - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0] and time.monotonic() < until:
            early = os.read(0, 65536).split(maxsplit=1)
            print("DROPPED", early[0].decode(), file=log, flush=True)
            return early[1] if len(early) > 1 else b""
    return b""

def move():
    free = (f"{{x}},{{y}}" for y in range(size) for x in range(size))
    mine = next(each for each in free if each not in taken)
    taken.add(mine)
    return say(mine, is_move=True)

while True:
    while b"\\n" not in unread:
        data = os.read(0, 65536)
        if not data:
            raise SystemExit
        unread += data
    line, _, unread = unread.partition(b"\\n")
    text = line.decode().strip()
    print(text, file=log, flush=True)
    word, _, rest = text.partition(" ")
    if board is not None and word != "DONE":
        board.add(",".join(text.split(",")[:2]))
    elif word in ("START", "RESTART"):
        taken, size = set(), int(rest or size)
        say("OK")
    elif word == "BOARD":
        board = set()
    elif word == "DONE":
        taken, board = board, None
        unread = move() + unread
    elif word in ("BEGIN", "TURN"):
        taken.add(rest)
        unread = move() + unread
    elif word == "END":
        raise SystemExit
    elif word not in ("INFO", "ABOUT"):
        say("ERROR Unknown command: " + word.upper())
"""


def dreamer(folder: Path) -> tuple[str, Path]:
    """The command of a program with the habit of Rapfi, and the file of what it has read."""
    file, log = folder / "dreamer.py", folder / "read.txt"
    file.write_text(DREAMER.format(log=str(log)), encoding="utf-8")
    return f"{python()} -I -S {shlex.quote(str(file))}", log


def python() -> str:
    return shlex.quote(sys.executable)


def served(*arguments: str) -> str:
    """The command of one of our own servers."""
    return f"{python()} -m rl_toolkit {shlex.join(arguments)}"
