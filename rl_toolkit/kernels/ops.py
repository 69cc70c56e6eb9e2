"""The rules behind addresses: one row of operations per family, one way to call them.

A search that takes its game as a row of addresses is compiled once for all games::

    moves  (state, geometry, out)   → number of legal moves, which are written to out
    play   (state, geometry, move)  → status for the player who moved; sides are swapped
    status (state, geometry)        → status for the side to move
    perft  (state, geometry, depth) → see `kernels.perft`
    evaluate (state, geometry, evaluation) → heuristic value, see `kernels.evaluate`
    advance  (state, geometry, move) → play for a move known not to end the game: no status
    pick     (state, geometry, scratch, turn, k) → the k-th move to try, see `kernels.pick`
    playout  (state, geometry, chance, scratch, plies) → status, see `kernels.playout`
    forced_moves (state, geometry, scratch, out) → number of moves to consider, `kernels.forcing`
    room     (state, geometry, scratch) → who can still win, see `kernels.forcing`

``state`` and ``geometry`` point at words whose meaning only the family knows; a search copies
states and hands geometries on. In a kernel an address is called with `call_moves`, `call_play`,
`call_status` or `call_perft`; for Python there are `moves`, `play`, `status` and `perft`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels import evaluate, forcing, narrow, pick, playout, playout_wide, reversi, wide
from rl_toolkit.kernels import perft as perfts
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

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

call_moves = address_call(i64, words, words, numbers)
call_play = call_perft = address_call(i64, words, words, i64)
call_status = address_call(i64, words, words)
call_evaluate = address_call(f64, words, words, numbers)
call_pick = address_call(i64, words, words, words, i64, i64)
call_forced_moves = address_call(i64, words, words, words, numbers)
call_room = address_call(i64, words, words, words)
call_playout = address_call(i64, words, words, words, words, i64)


@dataclass(frozen=True)
class Operations:
    """What a family of games can do; the code behind an ``address`` is made when it is asked."""

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
    room: Kernel[..., Any]


NARROW = Operations(
    narrow.moves,
    narrow.play,
    narrow.status,
    perfts.narrow_perft,
    evaluate.line_evaluate,
    narrow.advance,
    pick.narrow_pick,
    playout.narrow_playout,
    pick.narrow_forced_pick,
    playout.narrow_forced_playout,
    forcing.narrow_forced_moves,
    forcing.narrow_room,
)
WIDE = Operations(
    wide.moves,
    wide.play,
    wide.status,
    perfts.wide_perft,
    evaluate.line_evaluate,
    wide.advance,
    pick.wide_pick,
    playout_wide.wide_playout,
    pick.wide_forced_pick,
    playout_wide.wide_forced_playout,
    forcing.wide_forced_moves,
    forcing.wide_room,
)
REVERSI = Operations(
    reversi.moves,
    reversi.play,
    reversi.status,
    perfts.reversi_perft,
    evaluate.reversi_evaluate,
    reversi.advance,
    pick.reversi_pick,
    playout.reversi_playout,
    # In Reversi hardly any move wins at once: there are no forced moves to speak of.
    pick.reversi_pick,
    playout.reversi_playout,
    forcing.reversi_forced_moves,
    forcing.reversi_room,
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
    """Call a ``perft`` operation; ``state`` ends as it began."""
    return int(call_perft(address, pointer(state), pointer(shape), depth))


@kernel(f64(i64, word_array, word_array, number_array))
def run_evaluate(address: int, state: Words, shape: Words, numbers_of: Numbers) -> float:
    """Call an ``evaluate`` operation."""
    return float(call_evaluate(address, pointer(state), pointer(shape), pointer(numbers_of)))
