"""Direction codes: what a stone on an empty cell makes on one line, as a table per rule.

The *code* of an empty cell on a line, for one side, says what a stone of that side there makes on
this line. Only fives through the cell count. It is defined by adding one more stone at a time:

====================  ============================================================
`FIVE`                the stone completes five
`OPEN_FOUR`           two or more cells then complete five
`FOUR`                one cell then completes five
`OPEN_THREE_2`, `_1`  two or more cells, or one, then make `OPEN_FOUR`
`THREE`               some cell then makes `FOUR`
`OPEN_TWO_3` … `_1`   three or more cells, two, or one, then make an open three
`TWO`                 some cell then makes `THREE`
`OPEN_ONE`, `ONE`     some cell then makes an open two; `TWO`
`DEAD`                no five through this cell is possible
====================  ============================================================

A window holds the neighbours of a cell on a line. Freestyle needs four on each side; with exactly
five a fifth on each side shows overlines. Which rows win is asked of a `LineRule` alone::

      -5 -4 -3 -2 -1  x  +1 +2 +3 +4 +5        offset
       0  1  2  3  4      5  6  7  8  9        digit k of a window in base 3, worth 3**k
                                               0 empty, 1 own stone, 2 enemy stone or edge

In a line word of `kernels.gomoku.board` a cell takes two bits (00 empty, 01 black, 10 white,
11 edge). The key of a cell is its window without the centre, the lowest offset in the lowest bits,
and ``line_table[key]`` is the code for black in the low half of a byte and for white in the high.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rl_toolkit.kernels.spec import LineRule

Codes = npt.NDArray[np.uint8]

DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO_1, OPEN_TWO_2, OPEN_TWO_3 = range(7)
THREE, OPEN_THREE_1, OPEN_THREE_2, FOUR, OPEN_FOUR, FIVE = range(7, 13)
CODES = 13

#: Neighbours on each side that a window shows.
REACH = 5
_DIGITS = 2 * REACH
_POWERS = 3 ** np.arange(_DIGITS)


def radius(rule: LineRule) -> int:
    """How many neighbours on each side of a cell its code depends on."""
    return 4 + (rule.least if rule.most is None else rule.most + 1)


@cache
def window_codes(rule: LineRule) -> Codes:
    """The code of every window of ten neighbours, by its number in base 3."""
    windows = np.arange(3**_DIGITS)
    digits = (windows[:, None] // _POWERS) % 3
    own = digits == 1
    run = 1 + _leading(own[:, REACH:]) + _leading(own[:, REACH - 1 :: -1])
    five = rule.wins(run, 5)
    codes = np.where(five, FIVE, DEAD).astype(np.uint8)
    empties = (digits == 0).sum(axis=1)
    for count in range(1, _DIGITS + 1):  # a window depends on those with one more stone
        at = np.flatnonzero((empties == count) & ~five)
        after = np.zeros((len(at), CODES), dtype=np.int64)
        for k in range(1, _DIGITS - 1):  # no five through the cell reaches further than four
            free = np.flatnonzero(digits[at, k] == 0)
            np.add.at(after, (free, codes[at[free] + _POWERS[k]]), 1)
        codes[at] = _code(after)
    return codes


def _leading(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """The number of true values at the beginning of each row."""
    counted: npt.NDArray[np.int64] = np.cumprod(flags, axis=1, dtype=np.int64).sum(axis=1)
    return counted


def _code(after: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The code of windows from the number of further moves to each code."""
    fives, open_fours, fours = after[:, FIVE], after[:, OPEN_FOUR], after[:, FOUR]
    open_threes = after[:, OPEN_THREE_1] + after[:, OPEN_THREE_2]
    open_twos = after[:, OPEN_TWO_1 : OPEN_TWO_3 + 1].sum(axis=1)
    cases = [
        (fives >= 2, OPEN_FOUR),
        (fives == 1, FOUR),
        (open_fours >= 2, OPEN_THREE_2),
        (open_fours == 1, OPEN_THREE_1),
        (fours > 0, THREE),
        (open_threes >= 3, OPEN_TWO_3),
        (open_threes == 2, OPEN_TWO_2),
        (open_threes == 1, OPEN_TWO_1),
        (after[:, THREE] > 0, TWO),
        (open_twos > 0, OPEN_ONE),
        (after[:, TWO] > 0, ONE),
    ]
    return np.select([case for case, _ in cases], [code for _, code in cases], DEAD)


@cache
def line_table(rule: LineRule) -> Codes:
    """The codes of both sides by the key of a cell: 2^16 bytes, or 2^20 with exactly five."""
    reach, codes = radius(rule), window_codes(rule)
    keys = np.arange(4**reach)
    cells = (keys[:, None] >> (2 * np.arange(reach))) & 3
    both = np.zeros(len(keys) ** 2, dtype=np.uint8)
    for side in (0, 1):
        digit = np.where(cells == 0, 0, np.where(cells == 1 + side, 1, 2))
        outside = 2 * int(_POWERS[0] + _POWERS[-1]) if reach < REACH else 0
        before = digit @ _POWERS[REACH - reach : REACH]
        behind = digit @ _POWERS[REACH : REACH + reach]
        found = codes[behind[:, None] + before[None, :] + outside]
        both |= found.ravel() << np.uint8(4 * side)
    return both


@cache
def five_table(rule: LineRule) -> Codes:
    """1 for every set of own stones among 11 cells of a line with a five through the middle one."""
    sets = np.arange(1 << (_DIGITS + 1))
    own = (sets[:, None] >> np.arange(_DIGITS + 1)) & 1 == 1
    run = 1 + _leading(own[:, REACH + 1 :]) + _leading(own[:, REACH - 1 :: -1])
    five = rule.wins(run, 5)
    found: Codes = (five & own[:, REACH]).astype(np.uint8)
    return found
