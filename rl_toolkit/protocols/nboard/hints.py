"""Hints: ``search`` and ``book`` lines of NBoard, and the candidates that they describe.

An evaluation is in discs for the side to move. The depth ``100%`` marks an exact score, ``100%W`` a
proven winner; everything else is an estimate.
"""

from __future__ import annotations

import math
import re
from typing import Any

from rl_toolkit.analysis import Analysis, Candidate, outcome_of
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.protocols.nboard.ggf import move_of, square_of

#: An estimated lead of this many discs has the value tanh(1) ≈ 0.76, as our own engine has it.
_DISCS_FOR_SURE = 10
#: Moves of a line that are sent.
_LONGEST_LINE = 12
EXACT, WINNER = "100%", "100%W"


def read_hint(env: BaseGameEnv, line: str) -> Candidate | None:
    """The candidate that a line describes, ``None`` if it describes none."""
    kind, *words = line.split()
    if kind not in ("search", "book") or len(words) < 4:
        return None
    discs = read_discs(words[1])
    moves = _line(env, words[0])
    if discs is None or not moves:
        return None
    note = f"from its book of {words[2]} games" if kind == "book" and words[2] != "0" else None
    return Candidate(
        moves[0],
        env.move_name(moves[0]),
        line=tuple(moves),
        note="from its book" if kind == "book" and note is None else note,
        **meaning(discs, words[3]),
    )


def meaning(discs: float, depth: str) -> dict[str, Any]:
    """Value, outcome, proof and score of an evaluation at a depth."""
    if depth not in (EXACT, WINNER):
        return {"value": math.tanh(discs / _DISCS_FOR_SURE), "score": discs}
    sign = (discs > 0) - (discs < 0)
    proof = {"value": float(sign), "outcome": outcome_of(sign), "proven": True}
    return proof | ({"score": discs} if depth == EXACT else {})


def read_discs(text: str) -> float | None:
    """``+3.5``, or the middle of ``-1,1`` (a draw as a win for either side)."""
    parts = text.split(",")
    if len(parts) > 2 or not all(re.fullmatch(r"[+-]?[0-9]{1,5}(\.[0-9]*)?", p) for p in parts):
        return None
    return sum(map(float, parts)) / len(parts)


def _line(env: BaseGameEnv, text: str) -> list[int]:
    """The legal moves at the start of ``F5d6C3`` or ``F5-D6-C3``."""
    game, moves = env.copy(), list[int]()
    for name in re.findall(r"(?i)pass|pa|[a-h][1-8]", text):
        try:
            move = move_of(game, name)
            game.step(move)
        except ValueError:
            break
        moves.append(move)
    return moves


def write_hint(env: BaseGameEnv, candidate: Candidate, analysis: Analysis) -> str:
    """A ``search`` line for a candidate; one that is unknown has the depth 0."""
    game, names = env.copy(), []
    for move in (candidate.line or (candidate.move,))[:_LONGEST_LINE]:
        names.append(square_of(game, move))
        game.step(move)
    discs = discs_of(candidate)
    if candidate.proven:
        counts = candidate.exact_score is not None
        depth = EXACT if counts else WINNER
    else:
        depth = "0" if discs is None else str(analysis.depth or 1)
    return f"search {'-'.join(names)} {discs or 0.0:.2f} 0 {depth}"


def discs_of(candidate: Candidate) -> float | None:
    """What a candidate is worth in discs, ``None`` if it is unknown."""
    if candidate.score is not None:
        return candidate.score
    if candidate.value is None:
        return None
    if candidate.proven:
        return math.copysign(1.0, candidate.value) if candidate.value else 0.0
    return _DISCS_FOR_SURE * math.atanh(max(-0.99, min(0.99, candidate.value)))
