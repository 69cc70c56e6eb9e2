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


def python() -> str:
    return shlex.quote(sys.executable)


def served(*arguments: str) -> str:
    """The command of one of our own servers."""
    return f"{python()} -m rl_toolkit {shlex.join(arguments)}"
