"""Why a game of Connect Four is decided long before its end: the threat behind the zugzwang.

When all other columns are full, somebody must play below a cell where the opponent completes four.
Who that is depends on whether the cell is in an odd or an even row. Only what the rules of
`kernels.connect_four.proofs` prove is said.
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
    """``winner`` completes four on ``cell`` in the end, as nobody else can play below it.

    ``first`` tells whether the winner is the player who moved first in the game, who needs a
    threat in an odd row; the other needs one in an even row.
    """

    cell: int
    winner: int
    first: bool


def zugzwang_of(env: BaseGameEnv) -> Zugzwang | None:
    """The zugzwang that decides a running game, where one is proven; the game stays as it is."""
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
    """One sentence on what decides the game after a move, ``None`` where nothing is proven to.

    Said only where it agrees with what the search proved of the move.
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
    kind, who = ("odd", "first") if fact.first else ("even", "second")
    return f"{kind.capitalize()} threat on {cell}: the {who} player wins the zugzwang."


def add_zugzwang(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with that sentence after the note of each candidate it is true of."""

    def told(candidate: Candidate) -> Candidate:
        sentence = zugzwang_sentence(env, candidate)
        if sentence is None:
            return candidate
        note = f"{candidate.note} {sentence}" if candidate.note else sentence
        return replace(candidate, note=note)

    return replace(analysis, candidates=tuple(told(c) for c in analysis.candidates))
