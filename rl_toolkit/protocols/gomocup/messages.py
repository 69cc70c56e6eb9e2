"""What a Gomocup program says about its move: depth, evaluation and line, in our squares.

The protocol leaves the text after ``MESSAGE`` to the program. These are usual forms::

    Depth 12-19 | Eval 35 | Time 231ms | H8 G7 G8            Rapfi
    Speed 1.2M | Depth 12-19 | Eval +M7 | Node 980K          Rapfi, at the end
    Bestline H8 G7 G8
    depth 10-14 ev 123 n 1M n/ms 900 tm 1000 pv h8 g7 g8     programs that write as in UCI
    BESTLINE: [7,7] [6,8]                                    column and row, counted from 0

Programs count rows from the top or from the bottom. A line begins with the move that is played,
which shows how its squares are meant; a line that begins with another one is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.protocols.gomocup.squares import move_of

_DEPTH = re.compile(r"(?i)\bdepth\s*[:=]?\s*([0-9]{1,3})\b")
_EVALUATION = re.compile(
    r"(?i)\b(?:evaluation|eval|ev|score)\s*[:=]?\s*([+-]?M?[0-9]{1,9}(?:\.[0-9]{1,6})?)(?![\w.])"
)
_NODES = re.compile(r"(?i)\b(?:nodes?|n)\s*[:=]?\s*([0-9]{1,15}(?:\.[0-9]+)?)\s?([KMG]?)\b")
_THOUSANDS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
#: A square: ``H8``, ``[7,7]`` or ``7,7``; not the 7 plies of ``+M7``.
_SQUARE = (
    r"(?<![\w+,-])(?:[A-Za-z][0-9]{1,2}|\[[0-9]{1,2},[0-9]{1,2}\]|[0-9]{1,2},[0-9]{1,2})(?![\w,])"
)
_LINE = re.compile(rf"{_SQUARE}(?:[\s-]+{_SQUARE})*")
#: What it says while the other side thinks is about another position.
_PONDERING = "[pondering]"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a program says about the move that it plays; what it did not say is empty."""

    depth: int | None = None
    evaluation: str = ""
    nodes: int | None = None
    line: tuple[int, ...] = ()

    def sentence(self, program: str) -> str:
        """The claim as a sentence without its end; empty if there is none.

        >>> Claim(12, "35").sentence("Rapfi")
        'Rapfi claims an evaluation of 35 at depth 12'
        """
        at_depth = "" if self.depth is None else f" at depth {self.depth}"
        if self.evaluation:
            return f"{program} claims an evaluation of {self.evaluation}{at_depth}"
        if self.depth is not None:
            return f"{program} says that it searched to depth {self.depth}"
        return f"{program} expects this line" if len(self.line) > 1 else ""


def read_claim(env: BaseGameEnv, move: int, messages: Iterable[str]) -> Claim:
    """What messages say about ``move``, which is played in ``env``; the latest of each part."""
    depth: int | None = None
    nodes: int | None = None
    evaluation, line = "", tuple[int, ...]()
    for message in messages:
        if message.lower().startswith(_PONDERING):
            continue
        if match := _DEPTH.search(message):
            depth = int(match[1])
        if match := _EVALUATION.search(message):
            evaluation = match[1]
        if match := _NODES.search(message):
            nodes = int(float(match[1]) * _THOUSANDS[match[2].upper()])
        line = max(_lines(env, move, message), key=len, default=()) or line
    return Claim(depth, evaluation, nodes, line)


def names_squares(message: str) -> bool:
    """Whether a message names squares, which may be other squares for us."""
    return _LINE.search(message) is not None


def _lines(env: BaseGameEnv, move: int, message: str) -> Iterable[tuple[int, ...]]:
    """The lines of a message that begin with ``move``, as far as their moves are legal."""
    for match in _LINE.finditer(message):
        squares = re.findall(_SQUARE, match[0])
        for from_top in (True, False):
            moves = _legal_moves(env, squares, from_top)
            if moves[:1] == (move,):
                yield moves
                break


def _legal_moves(env: BaseGameEnv, squares: Iterable[str], from_top: bool) -> tuple[int, ...]:
    game, moves = env.copy(), list[int]()
    for square in squares:
        try:
            move = _meant(game, square, from_top)
            game.step(move)
        except GameError:
            break
        moves.append(move)
    return tuple(moves)


def _meant(env: BaseGameEnv, square: str, from_top: bool) -> int:
    """The move that a square names, its row counted from the top or from the bottom."""
    if not square[0].isalpha():
        return move_of(env, square.strip("[]"))
    col, row = ord(square[0].lower()) - ord("a"), int(square[1:]) - 1
    return move_of(env, f"{col},{row if from_top else env.rows - 1 - row}")
