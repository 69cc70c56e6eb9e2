"""The transcripts of docs/protocols.md: what is sent gets the answers that the page shows."""

import doctest
import shlex

import pytest
from markdown_examples import blocks
from paths import ROOT

PAGE = ROOT / "docs" / "protocols.md"
TRANSCRIPTS = [
    block.text.splitlines()
    for block in blocks(PAGE.read_text(encoding="utf-8"))
    if block.mark == "transcript"
]
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
