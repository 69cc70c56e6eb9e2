"""The rules as addresses: one set of operations per family, all called in the same way.

A search that takes the rules as a set of addresses is compiled once for all games::

    moves        (state, geometry, out)   → number of legal moves, which are written to out
    play         (state, geometry, move)  → status for the player who moved; sides are swapped
    status       (state, geometry)        → status for the side to move
    perft        (state, geometry, depth) → number of leaves
    evaluate     (state, geometry, evaluation) → heuristic value
    advance      (state, geometry, move)  → plays a move known not to end the game: no status
    pick         (state, geometry, scratch, move_offset, k) → the k-th move to try, see `nth_move`
    playout      (state, geometry, chance, scratch, plies) → status
    forced_moves (state, geometry, scratch, out) → number of moves to consider
    can_win      (state, geometry, scratch) → which sides can still win, see `forced_moves`

``state`` and ``geometry`` point to words whose meaning only the family knows; a search copies
states and passes geometries on. Kernels call an address with `call_moves`, `call_play`,
`call_status` or `call_perft`; Python uses `moves`, `play`, `status` and `perft`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.jit import (
    Kernel,
    address_call,
    f64,
    i64,
    kernel,
    number_array,
    numbers,
    pointer,
    word_array,
    words,
)
from rl_toolkit.kernels.rules import (
    evaluate,
    forced_moves,
    large_lines,
    nth_move,
    playout,
    playout_large,
    reversi,
    small_lines,
)
from rl_toolkit.kernels.rules import perft as perfts

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

call_moves = address_call(i64, words, words, numbers)
call_play = call_perft = address_call(i64, words, words, i64)
call_status = address_call(i64, words, words)
call_evaluate = address_call(f64, words, words, numbers)
call_pick = address_call(i64, words, words, words, i64, i64)
call_forced_moves = address_call(i64, words, words, words, numbers)
call_can_win = address_call(i64, words, words, words)
call_playout = address_call(i64, words, words, words, words, i64)


@dataclass(frozen=True)
class Operations:
    """The operations of a family of games; each is compiled when its ``address`` is first read."""

    moves: Kernel[..., Any]
    play: Kernel[..., Any]
    status: Kernel[..., Any]
    perft: Kernel[..., Any]
    evaluate: Kernel[..., Any]
    advance: Kernel[..., Any]
    pick: Kernel[..., Any]
    playout: Kernel[..., Any]
    forced_pick: Kernel[..., Any]
    forced_playout: Kernel[..., Any]
    forced_moves: Kernel[..., Any]
    can_win: Kernel[..., Any]


NARROW = Operations(
    small_lines.moves,
    small_lines.play,
    small_lines.status,
    perfts.small_perft,
    evaluate.line_evaluate,
    small_lines.advance,
    nth_move.small_pick,
    playout.small_playout,
    nth_move.small_forced_pick,
    playout.small_forced_playout,
    forced_moves.small_forced_moves,
    forced_moves.small_can_win,
)
WIDE = Operations(
    large_lines.moves,
    large_lines.play,
    large_lines.status,
    perfts.large_perft,
    evaluate.line_evaluate,
    large_lines.advance,
    nth_move.large_pick,
    playout_large.large_playout,
    nth_move.large_forced_pick,
    playout_large.large_forced_playout,
    forced_moves.large_forced_moves,
    forced_moves.large_can_win,
)
REVERSI = Operations(
    reversi.moves,
    reversi.play,
    reversi.status,
    perfts.reversi_perft,
    evaluate.reversi_evaluate,
    reversi.advance,
    nth_move.reversi_pick,
    playout.reversi_playout,
    # In Reversi hardly any move wins immediately, so there are no forced moves.
    nth_move.reversi_pick,
    playout.reversi_playout,
    forced_moves.reversi_forced_moves,
    forced_moves.reversi_can_win,
)


@kernel(i64(i64, word_array, word_array, number_array))
def moves(address: int, state: Words, shape: Words, out: Numbers) -> int:
    """Call a ``moves`` operation."""
    return int(call_moves(address, pointer(state), pointer(shape), pointer(out)))


@kernel(i64(i64, word_array, word_array, i64))
def play(address: int, state: Words, shape: Words, move: int) -> int:
    """Call a ``play`` operation; ``state`` is changed."""
    return int(call_play(address, pointer(state), pointer(shape), move))


@kernel(i64(i64, word_array, word_array))
def status(address: int, state: Words, shape: Words) -> int:
    """Call a ``status`` operation."""
    return int(call_status(address, pointer(state), pointer(shape)))


@kernel(i64(i64, word_array, word_array, i64))
def perft(address: int, state: Words, shape: Words, depth: int) -> int:
    """Call a ``perft`` operation; ``state`` is restored."""
    return int(call_perft(address, pointer(state), pointer(shape), depth))


@kernel(f64(i64, word_array, word_array, number_array))
def run_evaluate(address: int, state: Words, shape: Words, numbers_of: Numbers) -> float:
    """Call an ``evaluate`` operation."""
    return float(call_evaluate(address, pointer(state), pointer(shape), pointer(numbers_of)))
