"""The numbers of a search in its block: what they mean, by index."""

from __future__ import annotations

from rl_toolkit.kernels.connect_four.board import field
from rl_toolkit.kernels.connect_four.table import TABLE_WORDS

# The indices: fixed numbers …
IDEAS, RULES, LANE_COUNT, ENHANCED, SCRATCH_AT, FLAG_AT, NODE_LIMIT = range(
    TABLE_WORDS, TABLE_WORDS + 7
)
# … and those that change: nodes so far, when to check the stop flag next, the bounds found.
NODES, LOOK_AT, LOW, HIGH = range(TABLE_WORDS + 7, TABLE_WORDS + 11)
# For several threads: the stones up to which they divide moves, and the address of their list.
SPLIT, BUSY_AT = range(TABLE_WORDS + 11, TABLE_WORDS + 13)
BLOCK_WORDS = TABLE_WORDS + 16

#: Techniques that can be switched off one by one, to measure their gain.
FORCED_REPLIES, FORESIGHT, TABLE, ORDER, VECTOR, PREFETCH = 1, 2, 4, 8, 16, 32

ideas, rules = field(IDEAS), field(RULES)
lane_count, enhanced, scratch_at = field(LANE_COUNT), field(ENHANCED), field(SCRATCH_AT)
split, busy_at = field(SPLIT), field(BUSY_AT)
