"""The transcripts of docs/reference/protocols.md: what is sent gets the answers shown there."""

import doctest
import json
import queue
import shlex
import sys
import threading

import pytest
from markdown_examples import blocks
from paths import ROOT

from rl_toolkit.cli.commands import protocols

PAGE = ROOT / "docs" / "reference" / "protocols.md"
TRANSCRIPTS, SESSIONS = (
    [
        block.text.splitlines()
        for block in blocks(PAGE.read_text(encoding="utf-8"))
        if block.mark == mark
    ]
    for mark in ("transcript", "session")
)
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_there_is_a_transcript_for_every_server():
    assert [lines[0].split()[2] for lines in TRANSCRIPTS] == ["gtp", "gomocup", "nboard", "service"]


@pytest.mark.parametrize("lines", TRANSCRIPTS, ids=lambda lines: lines[0].split()[2])
def test_a_transcript(lines, run):
    dollar, program, *arguments = shlex.split(lines[0])
    assert (dollar, program) == ("$", "rl-toolkit")
    sent = [line[2:] for line in lines[1:] if line.startswith("> ")]
    shown = "\n".join(line for line in lines[1:] if not line.startswith("> "))
    ran = run(*arguments, stdin="\n".join(sent))
    assert (ran.code, ran.err) == (0, "")
    if arguments[0] == "service":  # refusals come at once, analyses when they are found
        said, expected = sorted(ran.out.splitlines()), sorted(shown.splitlines())
    else:
        said, expected = [ran.out], [shown]
    for one, other in zip(said, expected, strict=True):
        assert doctest.OutputChecker().check_output(f"{other}\n", one, SAME), f"{one}\n\n{other}"


class Spoken:
    """A stream whose lines are spoken one by one, and heard one by one."""

    def __init__(self):
        self._lines = queue.Queue()

    def say(self, line):
        self._lines.put(f"{line}\n")

    def write(self, text):
        if text:
            self._lines.put(text)

    def flush(self):
        pass

    def readline(self, limit=-1):
        return self._lines.get(timeout=300)


def test_a_conversation(monkeypatch):
    """Each line is sent when the lines before it have been answered as the page shows."""
    (lines,) = SESSIONS
    asked, told = Spoken(), Spoken()
    monkeypatch.setattr(sys, "stdin", asked)
    monkeypatch.setattr(sys, "stdout", told)
    command = protocols.service.make_context("service", shlex.split(lines[0])[3:])
    serving = threading.Thread(target=protocols.service.invoke, args=(command,))
    serving.start()
    seen = set()
    for line in lines[1:]:
        if line.startswith("> "):
            asked.say(line[2:])
            continue
        while True:
            heard = told.readline()
            answer = json.loads(heard)
            report = answer.get("isDuringSearch") and answer["id"]
            if not report or report not in seen:  # only the first one of a query is on the page
                break
        seen.add(report)
        assert doctest.OutputChecker().check_output(f"{line}\n", heard, SAME), f"{heard}\n{line}"
    asked.write("\n")
    asked._lines.put("")  # the end of the input
    serving.join(300)
    assert not serving.is_alive()
    assert told._lines.empty()
    assert answer["candidates"]
    assert sum(candidate["visits"] for candidate in answer["candidates"]) > 0
