"""Gomoku: proofs by threats, and the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rl_toolkit.utils.front_door import front_door

if TYPE_CHECKING:
    from rl_toolkit.algorithms.gomoku.opening_proof import (
        Opening,
        OpeningProver,
        check_opening,
        opening_of,
    )
    from rl_toolkit.algorithms.gomoku.proof_data import proof_from_rows, proof_to_rows
    from rl_toolkit.algorithms.gomoku.weights import (
        SHIPPED,
        load_weights,
        save_weights,
        shipped_weights,
    )

__all__ = [
    "SHIPPED",  # The files that come with the package: for five or more, and for exactly five
    # An opening on a board of ``size`` rows; the side that made the last move is the
    # attacker
    "Opening",
    "OpeningProver",  # Proves the replies to an opening one by one
    # A line that the proof after ``reply`` does not answer, and the replies that were
    # played
    "check_opening",
    "load_weights",  # Load the evaluation for a rule, or for any rule with ``None``
    "opening_of",  # The moves played in ``env`` as an opening; ``ValueError`` if they are not one
    "proof_from_rows",  # The proof of `proof_to_rows`; raises ``ValueError`` for anything else
    "proof_to_rows",  # The rows of a proof
    # Write an evaluation to a file atomically; ``tables`` has four rows of numbers per kind
    "save_weights",
    "shipped_weights",  # The evaluation that comes with the package for a rule
]
__getattr__, __dir__ = front_door(__name__)
