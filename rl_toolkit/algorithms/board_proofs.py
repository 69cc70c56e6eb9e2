"""Proofs that the board shows without a search, for every engine that thinks.

A move that ends the game has that result, and a move after which the opponent can win at once is
lost, whatever an engine estimates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rl_toolkit.analysis import Candidate, outcome_of
from rl_toolkit.envs.tactics import PlainResult


def proven_candidate(move: int, name: str, plain: PlainResult) -> Candidate:
    """The candidate of a move whose result the board shows."""
    return with_proof(Candidate(move, name), plain)


def with_proof(candidate: Candidate, plain: PlainResult) -> Candidate:
    """The candidate with the result that the board shows; its visits and prior stay."""
    return replace(
        candidate,
        value=plain.result,
        outcome=outcome_of(plain.result),
        proven=True,
        distance=len(plain.line),
        uct=None,
        line=plain.line,
    )


def with_proofs(
    candidates: Sequence[Candidate], plain: Mapping[int, PlainResult]
) -> list[Candidate]:
    """The candidates in the same order, with every result that the board shows."""
    return [with_proof(c, plain[c.move]) if c.move in plain else c for c in candidates]
