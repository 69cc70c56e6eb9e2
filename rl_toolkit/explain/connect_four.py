"""Zugzwang in Connect Four: the threat that decides a game long before its end.

When all other columns are full, one side must play below a cell where the opponent completes four.
Which side depends on whether the cell is in an odd or an even row. Sentences state only what the
rules of `kernels.connect_four.proofs` prove.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.connect_four.board import position_words
from rl_toolkit.kernels.connect_four.solver import deciding_threat
from rl_toolkit.kernels.spec import fits_connect_four_solver
from rl_toolkit.utils.position_utils import index_to_algebraic


@dataclass(frozen=True, slots=True)
class Zugzwang:
    """``winner`` completes four on ``cell`` in the end, because the opponent must play below it.

    ``first`` is whether the winner is the player who moved first in the game, and so needs a
    threat in an odd row; the second player needs one in an even row.
    """

    cell: int
    winner: int
    first: bool


def zugzwang_of(env: BaseGameEnv) -> Zugzwang | None:
    """The zugzwang proven to decide the game, ``None`` if there is none or the game is over."""
    if not fits_connect_four_solver(env.kernel_spec()) or env.is_terminal():
        return None
    words = position_words(env.board, env.current_player, env.rows, env.cols)
    threat = deciding_threat(env.rows, env.cols, *words)
    if threat is None:
        return None
    col, row = divmod(threat.cell, env.rows + 1)
    winner = env.current_player if threat.owner_to_move else -env.current_player
    return Zugzwang(row * env.cols + col, winner, threat.odd)


def zugzwang_sentence(env: BaseGameEnv, candidate: Candidate) -> str | None:
    """One sentence on the zugzwang that decides the game after a move.

    ``None`` where none is proven, or where it contradicts what the search proved about the move.
    """
    if not candidate.proven:
        return None
    after = env.copy()
    after.step(candidate.move)
    fact = zugzwang_of(after)
    if fact is None:
        return None
    outcome = "win" if fact.winner == env.current_player else "loss"
    if candidate.outcome != outcome:
        return None
    cell = index_to_algebraic(fact.cell, (env.rows, env.cols))
    row, side = ("Odd", "first") if fact.first else ("Even", "second")
    return f"{row} threat on {cell}: the {side} player wins the zugzwang."


def add_zugzwang(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with `zugzwang_sentence` appended to the note of each candidate that has one."""

    def with_sentence(candidate: Candidate) -> Candidate:
        sentence = zugzwang_sentence(env, candidate)
        if sentence is None:
            return candidate
        note = f"{candidate.note} {sentence}" if candidate.note else sentence
        return replace(candidate, note=note)

    return replace(analysis, candidates=tuple(map(with_sentence, analysis.candidates)))
