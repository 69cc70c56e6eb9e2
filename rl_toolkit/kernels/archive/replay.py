"""A batch of games replayed in one call: legality, result, cells, and a hash of the whole game.

The hash of a position is a Zobrist hash, kept for all eight symmetries of the board at once::

    lines[16 · bit + 8 · colour + symmetry]      colour 0 is X, 1 is O

A stone that changes hands XORs eight words into eight running hashes; the hash of the position is
the smallest of the eight, with ``turn`` mixed in if O is to move. No board is rotated. The hash of
a game, its *twin*, is the sum of (2 ply + 1) · hash over its positions, so that a game and its
mirror image have the same one.

`library.replay` has the readable twin of this file.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.bits import ONE, ZERO, lowest_index, popcount
from rl_toolkit.kernels.jit import i64, kernel, number_array, pointer, u64, word_array
from rl_toolkit.kernels.rules.operations import call_moves, call_play
from rl_toolkit.kernels.status import DRAWN, RUNNING, WON

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

#: What is written to ``cells`` for a move that places no stone, and after the last move.
NO_STONE, NO_MOVE = -2, -1
#: ``winner`` of a game that its moves do not end.
UNDECIDED = 2
SYMMETRIES = 8

# The numbers of ``plan``.
SIDE, FIRST, ADD_PASSES, PASS, FREE_CELLS, NUM_MOVES, WIDTH, BEGUN = range(8)
PLAN = 8
# The numbers of a game in ``facts``.
BAD, PLIES, WINNER, STONES_X, STONES_O = range(5)
FACTS = 5

_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel(u64(word_array, i64, u64), inline=True)
def _least(running: Words, player: np.int64, turn: np.uint64) -> np.uint64:
    """The hash of the position: the smallest of the symmetries, and who is to move."""
    best = _MOST
    for s in range(SYMMETRIES):
        if running[s] < best:
            best = running[s]
    return best ^ turn if player == 1 else best


@kernel(
    i64(
        i64,
        i64,
        word_array,
        number_array,
        word_array,
        number_array,
        number_array,
        word_array,
        u64,
        number_array,
        number_array,
        word_array,
        number_array,
        number_array,
        number_array,
        number_array,
        word_array,
    )
)
def replay(
    moves_at: int,
    play_at: int,
    shape: Words,
    plan: Numbers,
    start: Words,
    cell_of_bit: Numbers,
    bit_of_cell: Numbers,
    lines: Words,
    turn: np.uint64,
    moves: Numbers,
    offsets: Numbers,
    scratch: Words,
    legal: Numbers,
    played: Numbers,
    cells: Numbers,
    facts: Numbers,
    twins: Words,
) -> int:
    """Replay every game; returns the number of games with an illegal move.

    Game g has the moves ``moves[offsets[g]:offsets[g + 1]]``. Its moves, with the passes that
    ``ADD_PASSES`` adds where a side has to pass and the next move is another one, go to row g of
    ``played``, the cells of its stones to row g of ``cells``; both are ``WIDTH`` wide. ``BAD`` is
    the index of its first illegal move, −1 if there is none; after that nothing is replayed.

    ``scratch`` has 4 · ``SIDE`` + 16 words, ``legal`` room for every move.
    """
    side, first, width = plan[SIDE], plan[FIRST], plan[WIDTH]
    state, old = scratch[: 2 * side], scratch[2 * side : 4 * side]
    running, begun = scratch[4 * side : 4 * side + 8], scratch[4 * side + 8 : 4 * side + 16]
    for s in range(SYMMETRIES):
        begun[s] = ZERO
    for word in range(2 * side):
        colour = first if word < side else 1 - first
        left = start[word]
        while left != ZERO:
            bit = ((word % side) << 6) + np.int64(lowest_index(left))
            left &= left - ONE
            for s in range(SYMMETRIES):
                begun[s] ^= lines[16 * bit + 8 * colour + s]
    refused = 0
    for g in range(offsets.size - 1):
        for word in range(2 * side):
            state[word] = start[word]
        for s in range(SYMMETRIES):
            running[s] = begun[s]
        player, status, ply, bad = first, plan[BEGUN], np.int64(0), np.int64(-1)
        twin = _least(running, player, turn)
        at, end, row = offsets[g], offsets[g + 1], g * width
        while at < end:
            move = moves[at]
            is_legal = status == RUNNING and ply < width
            taken = 1
            if is_legal and plan[FREE_CELLS] != 0:
                is_legal = 0 <= move < plan[NUM_MOVES]
                if is_legal:
                    bit = bit_of_cell[move]
                    occupied = state[bit >> 6] | state[side + (bit >> 6)]
                    is_legal = (occupied >> np.uint64(bit & 63)) & ONE == ZERO
            elif is_legal:
                count = call_moves(moves_at, pointer(state), pointer(shape), pointer(legal))
                is_legal = False
                for i in range(count):
                    if legal[i] == move:
                        is_legal = True
                        break
                if not is_legal and plan[ADD_PASSES] != 0 and legal[0] == plan[PASS]:
                    # A pass is the only legal move where it is one.
                    move, taken, is_legal = plan[PASS], 0, True
            if not is_legal:
                bad = at - offsets[g]
                refused += 1
                break
            for word in range(2 * side):
                old[word] = state[word]
            status = call_play(play_at, pointer(state), pointer(shape), move)
            cell = np.int64(NO_STONE)
            for word in range(side):
                placed = (state[word] | state[side + word]) & ~(old[word] | old[side + word])
                if placed != ZERO:
                    cell = cell_of_bit[(word << 6) + np.int64(lowest_index(placed))]
                for colour in range(2):
                    # After a move the stones of the side that moved are the second half.
                    if colour == player:
                        left = old[word] ^ state[side + word]
                    else:
                        left = old[side + word] ^ state[word]
                    while left != ZERO:
                        bit = (word << 6) + np.int64(lowest_index(left))
                        left &= left - ONE
                        for s in range(SYMMETRIES):
                            running[s] ^= lines[16 * bit + 8 * colour + s]
            played[row + ply] = move
            cells[row + ply] = cell
            player = 1 - player
            ply += 1
            at += taken
            twin += _least(running, player, turn) * np.uint64(2 * ply + 1)
        fact = g * FACTS
        facts[fact + BAD], facts[fact + PLIES] = bad, ply
        facts[fact + WINNER] = UNDECIDED
        if status == DRAWN:
            facts[fact + WINNER] = 0
        elif status != RUNNING:
            # The status is that of the side that moved, which is not ``player`` any more.
            facts[fact + WINNER] = 1 if (player == 1) == (status == WON) else -1
        mine, theirs = np.int64(0), np.int64(0)
        for word in range(side):
            mine += np.int64(popcount(state[word]))
            theirs += np.int64(popcount(state[side + word]))
        facts[fact + STONES_X] = mine if player == 0 else theirs
        facts[fact + STONES_O] = theirs if player == 0 else mine
        twins[g] = twin
    return refused
