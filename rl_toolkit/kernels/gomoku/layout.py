"""The memory that all Gomoku kernels share: one block of 64-bit numbers, and tables elsewhere.

::

    0        numbers about the board, counters of a search, addresses of tables
    SAVED    hash, sums, counters, bit sets: what `make` saves and `undo` restores as a whole
    OCCUPIED the cells with a stone, as a bit set
    LINES    one word per line, see `kernels.gomoku.board`
    PATTERNS one number per cell, see `kernels.gomoku.cell_tables`
    LOG      one record per stone, for `undo`

Everything is ``int64``, bit sets too: their bits are only tested, combined and counted from the low
end, for which the sign does not matter. Bit ``c % 64`` of word ``c // 64`` of a bit set stands for
the cell ``c = row · size + column``.
"""

from __future__ import annotations

from typing import Any

from rl_toolkit.kernels.jit import i64, instruction, ir, numbers

MOST_CELLS = 400
MOST_WORDS = 7  # of a bit set
MOST_LINES = 118

# The board …
SIZE = 0
CELLS = 1
WORDS = 2  # of a bit set
RADIUS = 3  # neighbours on each side that a code depends on
PLY = 4  # stones on the board
STEPS = 5  # four: the difference in cells along each direction
# … addresses of tables …
CODES_AT = 9  # bytes: `codes.line_table`
SHARES_AT = 10  # pairs of numbers: `cell_tables.shares`
CLASSES_AT = 13  # bytes
ORDER_AT = 14  # shorts: `cell_tables.plain_order`
PLACES_AT = 15  # numbers: `geometry.places`
KEYS_AT = 16  # numbers: for the hash
NEAR_AT = 17  # numbers: `geometry.near_cells`
FIVES_AT = 18  # bytes: `codes.five_table`
FRAMES_AT = 19  # numbers: scratch memory, `FRAME` of them for each ply of a search
# … counters and signals of a search …
NODES = 20
NODE_LIMIT = 21
FLAG_AT = 22
STOPPED = 23  # 1 once the search has noticed that it must stop
FOUR_NODES = 24  # of the current search by fours
FOUR_LIMIT = 25
# … its memory …
FOUR_TABLE_AT = 26
FOUR_TABLE_MASK = 27
PROOF_TABLE_AT = 28
PROOF_TABLE_MASK = 29
TABLE_AT = 30
TABLE_MASK = 31
HISTORY_AT = 32
REDUCTIONS_AT = 33
# … and the evaluation.
TEMPO = 34
PER_EMPTY = 35
# The key of a stone that was not there when a similar position was proven, or 0.
EXTRA_STONE = 36
BUSY_AT = 37  # words: the `kernels.threads.busy_list` of several threads, 0 for one
SPLIT = 38  # the depth from which they divide moves

SAVED = 40
HASH = SAVED
SUMS = SAVED + 1  # two: of black's cells, of white's
COUNTS = SAVED + 3  # two
SETS = SAVED + 5  # the set of tier t of side s begins at (5 s + t) · words
OCCUPIED = SAVED + 80
LINES = OCCUPIED + 8
PATTERNS = LINES + 120
LOG = PATTERNS + MOST_CELLS
RECORD = 128  # numbers per stone: those saved, the end of the list, the list of changed patterns
LIST = 80
BLOCK = LOG + RECORD * (MOST_CELLS + 1)

FRAME = 416
"""Scratch numbers per ply: 404 for a list of moves, then a bit set."""
DEFENCES = 404
FRAMES = 256
"""Plies for which there is scratch memory."""


def _load(build: Any, address: Any, index: Any, bits: int) -> Any:
    place = build.inttoptr(address, ir.IntType(bits).as_pointer())
    return build.load(build.gep(place, [index]))


@instruction(i64(i64, i64))
def byte_at(build: Any, address: Any, index: Any) -> Any:
    """The byte number ``index`` of a table."""
    return build.zext(_load(build, address, index, 8), ir.IntType(64))


@instruction(i64(i64, i64))
def short_at(build: Any, address: Any, index: Any) -> Any:
    """The signed 16-bit number ``index`` of a table."""
    return build.sext(_load(build, address, index, 16), ir.IntType(64))


@instruction(numbers(i64))
def numbers_at(build: Any, address: Any) -> Any:
    """The numbers that begin at an address."""
    return build.inttoptr(address, ir.IntType(64).as_pointer())


@instruction(i64(i64))
def lowest(build: Any, word: Any) -> Any:
    """Index of the lowest set bit; 64 for an empty word."""
    return build.cttz(word, ir.Constant(ir.IntType(1), 0))
