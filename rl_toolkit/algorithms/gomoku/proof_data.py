"""Proof trees as plain data for files: equal parts are written once.

``[[move, otherwise, reply, proof, reply, proof …] …]``: a row for each different position of the
tree, later rows using earlier ones by their number; the last row is the proof itself. ``otherwise``
is −1 for a move that completes five.
"""

from __future__ import annotations

from typing import Any

from rl_toolkit.algorithms.gomoku.proofs import Proof

Rows = list[list[int]]


def proof_to_rows(proof: Proof) -> Rows:
    """The rows of a proof. Replies that lead to the same as all others are left out."""
    rows, numbers, known = Rows(), dict[tuple[int, ...], int](), dict[int, int]()

    def number_of(part: Proof) -> int:
        if id(part) in known:
            return known[id(part)]
        otherwise = -1 if part.otherwise is None else number_of(part.otherwise)
        row = [part.move, otherwise]
        for reply, after in sorted(part.replies.items(), key=lambda item: item[0]):
            if (number := number_of(after)) != otherwise:
                row += [reply, number]
        found = numbers.setdefault(tuple(row), len(rows))
        if found == len(rows):
            rows.append(row)
        known[id(part)] = found
        return found

    number_of(proof)
    return rows


def proof_from_rows(rows: Any) -> Proof:
    """The proof of `proof_to_rows`; raises ``ValueError`` for anything else."""
    proofs: list[Proof] = []
    if not isinstance(rows, list) or not rows:
        raise ValueError("a proof must be a list of rows")
    for row in rows:
        whole = isinstance(row, list) and all(type(number) is int for number in row)
        if not whole or len(row) < 2 or len(row) % 2:
            raise ValueError("a row of a proof must hold an even number of whole numbers")
        move, otherwise, *pairs = row
        if not all(0 <= number < len(proofs) for number in pairs[1::2]):
            raise ValueError("a row of a proof must use earlier rows")
        if not -1 <= otherwise < len(proofs) or (otherwise < 0 and pairs):
            raise ValueError("a row of a proof must use earlier rows")
        replies = {
            reply: proofs[number] for reply, number in zip(pairs[::2], pairs[1::2], strict=True)
        }
        proofs.append(Proof(move, replies, None if otherwise < 0 else proofs[otherwise]))
    return proofs[-1]
