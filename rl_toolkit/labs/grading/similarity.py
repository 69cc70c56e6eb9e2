"""Passages that two submissions share, whatever the names, comments and blanks.

::

    tokens        def  n  (  n  ,  n  )  :  …      comments, names and layout dropped
    shingles      every run of `SHINGLE` tokens, hashed
    winnowing     of every `WINDOW` neighbours the smallest hash is kept
    not counted   what the start files have, and what many of the class have

The percentage says how much of the smaller submission's own code is in the other one. Short tasks
have few right solutions, so a high figure is a reason for a talk, not a proof.
"""

from __future__ import annotations

import hashlib
import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from rl_toolkit.labs.model.lab import Lab

#: Tokens in a shingle, and shingles in a window: a shared passage of 20 tokens is always found.
SHINGLE, WINDOW = 14, 7
#: The percentage from which a pair is shown: four solutions of one's own have 21 to 55 in pairs,
#: five copies that were changed have 91 to 99 (tests/labs/grading/test_likeness.py).
SHOWN_FROM = 70
#: The fewest tokens of one's own that are compared.
FEWEST_TOKENS = 40
#: The most tokens of one submission that are compared.
_MOST_TOKENS = 40_000
#: The most pairs and passages that are shown.
MOST_PAIRS, _MOST_PASSAGES, _MOST_LINES = 40, 3, 14


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of one submission and the lines of another that are alike."""

    first_line: int
    first: str
    second_line: int
    second: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions of one lab that are alike.

    Attributes:
        first, second: their places in the list that was compared.
        percent: how much of the smaller one's own code is in the other.
        identical: whether the code is the same, names included.
    """

    first: int
    second: int
    percent: int
    identical: bool
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


class _Code:
    """The tokens of a submission, and where each shingle stands."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.tokens: list[_Token] = []
        self.lines: list[str] = []
        for name in sorted(files):
            if name.endswith(".py"):
                base = len(self.lines)
                self.lines += files[name].splitlines()
                self.tokens += _tokens(files[name], base)
        del self.tokens[_MOST_TOKENS:]
        kinds = [token.kind for token in self.tokens]
        self.shingles = [_hash(kinds[at : at + SHINGLE]) for at in range(len(kinds) - SHINGLE + 1)]
        self.text = " ".join(token.text for token in self.tokens)

    def winnowed(self) -> set[int]:
        """The shingles that are kept: the smallest of each window."""
        kept: set[int] = set()
        for at in range(max(0, len(self.shingles) - WINDOW + 1)):
            kept.add(min(self.shingles[at : at + WINDOW]))
        return kept

    def covered(self, shared: set[int]) -> set[int]:
        """The places of tokens that lie in one of these shingles."""
        return {
            at + step
            for at, shingle in enumerate(self.shingles)
            if shingle in shared
            for step in range(SHINGLE)
        }


def alike(lab: Lab, works: Sequence[Mapping[str, str]]) -> list[Pair]:
    """The pairs of submissions of a lab that are alike, most alike first."""
    start = _Code(lab.start_files())
    given = set(start.shingles)
    codes = [_Code(files) for files in works]
    kept = [code.winnowed() - given for code in codes]
    holders = Counter(shingle for shingles in kept for shingle in shingles)
    # What many have is how the task is solved; with few students two are not many.
    many = max(4, len(works) // 2)
    common = {shingle for shingle, count in holders.items() if count > many}
    own = [len(code.tokens) - len(code.covered(given)) for code in codes]
    pairs: list[Pair] = []
    for first, second in combinations(range(len(codes)), 2):
        a, b = codes[first], codes[second]
        if min(own[first], own[second]) < FEWEST_TOKENS:
            continue
        identical = a.text == b.text
        if not identical and len(kept[first] & kept[second] - common) < 2:
            continue
        left_out = given if identical else given | common
        shared = (set(a.shingles) & set(b.shingles)) - left_out
        code, size = (a, own[first]) if own[first] <= own[second] else (b, own[second])
        inside = len(code.covered(shared) - code.covered(given))
        percent = 100 if identical else min(99, round(100 * inside / size))
        if percent >= SHOWN_FROM:
            pairs.append(Pair(first, second, percent, identical, _passages(a, b, shared)))
    pairs.sort(key=lambda pair: (-pair.percent, pair.first, pair.second))
    return pairs[:MOST_PAIRS]


def _passages(a: _Code, b: _Code, shared: set[int]) -> tuple[Passage, ...]:
    """The longest runs of shingles that both have, as lines."""
    places: dict[int, int] = {}
    for at, shingle in enumerate(b.shingles):
        places.setdefault(shingle, at)
    runs: list[tuple[int, int, int]] = []  # length, place in a, place in b
    at = 0
    while at < len(a.shingles):
        if a.shingles[at] not in shared or a.shingles[at] not in places:
            at += 1
            continue
        there, length = places[a.shingles[at]], 1
        while (
            at + length < len(a.shingles)
            and there + length < len(b.shingles)
            and a.shingles[at + length] == b.shingles[there + length]
            and a.shingles[at + length] in shared
        ):
            length += 1
        runs.append((length, at, there))
        at += length
    longest = sorted(runs, reverse=True)[:_MOST_PASSAGES]
    return tuple(
        Passage(*_excerpt(a, board, length), *_excerpt(b, there, length))
        for length, board, there in sorted(longest, key=lambda run: run[1])
    )


def _excerpt(code: _Code, at: int, length: int) -> tuple[int, str]:
    first = code.tokens[at].line
    last = code.tokens[min(len(code.tokens), at + length + SHINGLE - 1) - 1].line
    lines = code.lines[first - 1 : last]
    more = ["…"] if len(lines) > _MOST_LINES else []
    return first, "\n".join([*(line[:120] for line in lines[:_MOST_LINES]), *more])


def _hash(kinds: list[str]) -> int:
    return int.from_bytes(hashlib.blake2b(" ".join(kinds).encode(), digest_size=8).digest(), "big")


_DROPPED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)
_LAYOUT = {tokenize.NEWLINE: ";", tokenize.INDENT: "{", tokenize.DEDENT: "}"}


def _tokens(text: str, base: int) -> list[_Token]:
    """The tokens of a file as far as it can be read; docstrings are dropped."""
    tokens: list[_Token] = []
    statement_begins = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in _DROPPED:
                continue
            line = base + token.start[0]
            if token.type in _LAYOUT:
                tokens.append(_Token(_LAYOUT[token.type], _LAYOUT[token.type], line))
                statement_begins = True
                continue
            if token.type == tokenize.STRING and statement_begins:
                continue
            statement_begins = False
            kind = token.string
            if token.type == tokenize.NAME and not keyword.iskeyword(kind):
                kind = "n"
            elif token.type == tokenize.STRING:
                kind = "s"
            elif token.type == tokenize.NUMBER:
                kind = "0"
            tokens.append(_Token(kind, token.string, line))
            if len(tokens) >= _MOST_TOKENS:
                break
    except (tokenize.TokenError, SyntaxError, IndexError, RecursionError):
        pass  # what was read until there is compared
    return tokens
