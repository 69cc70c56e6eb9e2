"""The incremental board of Gomoku against its definition, on boards of all sizes and both rules."""

import random

import numpy as np
import pytest

from rl_toolkit.kernels.gomoku import cell_tables, codes, layout
from rl_toolkit.kernels.gomoku.geometry import MARGIN, keys, places
from rl_toolkit.kernels.gomoku.reference import code_with_stone, patterns_of
from rl_toolkit.kernels.gomoku.state import Evaluation, State
from rl_toolkit.kernels.spec import FREESTYLE, STANDARD

SIZES = range(5, 21)
RULES = {rule.name: rule for rule in (FREESTYLE, STANDARD)}


def some_evaluation():
    """Different numbers for every pair, so that a wrong sum cannot hide."""
    chance = np.random.default_rng(3)
    tables = [chance.integers(-90, 90, cell_tables.KINDS).astype(float) for _ in range(4)]
    return Evaluation(*tables, tempo=17), tables


EVALUATION, (OWN_VALUES, OTHER_VALUES, *_) = some_evaluation()


def check(state, board):
    """Everything that the block says of a position follows from the board alone."""
    size, block = state.size, state.block
    patterns = patterns_of(board, size, state.rule)
    assert state.patterns.tolist() == patterns
    hashed, stones = 0, np.flatnonzero(board).tolist()
    for cell in stones:
        hashed ^= int(keys()[2 * cell + board[cell] - 1])
    assert block[layout.HASH] == hashed
    assert block[layout.PLY] == len(stones)
    index = cell_tables.kind_index()
    for side in (0, 1):
        halves = {
            cell: pattern >> (16 * side) & 0xFFFF
            for cell, pattern in enumerate(patterns)
            if not board[cell]
        }
        kinds = {cell: int(cell_tables.classes()[half]) for cell, half in halves.items()}
        fives = [c for c, kind in kinds.items() if kind == cell_tables.A_FIVE]
        open_fours = [c for c, kind in kinds.items() if kind == cell_tables.OPEN_FOUR]
        fours = [c for c, kind in kinds.items() if 6 <= kind <= 8]
        threes = [c for c, kind in kinds.items() if 3 <= kind <= 5]
        assert state.cells_of(side, cell_tables.FIVES) == fives
        assert state.cells_of(side, cell_tables.OPEN_FOURS) == open_fours
        assert state.cells_of(side, cell_tables.FOURS) == fours
        assert state.cells_of(side, cell_tables.THREES) == threes
        assert state.count(side, cell_tables.COUNT_FIVES) == len(fives)
        assert state.count(side, cell_tables.COUNT_OPEN_FOURS) == len(open_fours)
        assert state.count(side, cell_tables.COUNT_FOURS) == len(fours)
        assert state.count(side, cell_tables.COUNT_THREES) == len(threes)
        both = [c for c, kind in kinds.items() if kind == cell_tables.FOUR_THREE]
        assert state.count(side, cell_tables.COUNT_FOUR_THREES) == len(both)
        own = sum(int(OWN_VALUES[index[half]]) for half in halves.values())
        other = sum(int(OTHER_VALUES[index[half]]) for half in halves.values())
        total = int(block[layout.SUMS + side])
        low = (total + 2**31) % 2**32 - 2**31
        empty = len(halves)
        assert low == own - empty * int(OWN_VALUES[0])
        assert (total - low) >> 32 == other - empty * int(OTHER_VALUES[0])


def saved(state):
    """The part of the block that a move changes, without the log."""
    return state.block[layout.SAVED : layout.LOG].copy()


def walk(state, chance, steps, every):
    """Random stones and take-backs; checks the position every few steps and at the end."""
    size = state.size
    board, snapshots = [0] * (size * size), [saved(state)]
    row, col, reach = chance.randrange(size), chance.randrange(size), chance.choice((2, 3, size))
    rows, cols = (range(max(0, at - reach), min(size, at + reach + 1)) for at in (row, col))
    for step in range(steps):
        cell = chance.choice(rows) * size + chance.choice(cols)
        if state.moves and (board[cell] or chance.random() < 0.2):
            cell, _ = state.moves[-1]
            state.take_back()
            board[cell] = 0
            snapshots.pop()
            assert (saved(state) == snapshots[-1]).all()
        else:
            side = chance.randrange(2) if reach == 2 else step & 1
            state.place(cell, side)
            board[cell] = 1 + side
            snapshots.append(saved(state))
        if step % every == 0:
            check(state, board)
    check(state, board)
    while state.moves:
        state.take_back()
        snapshots.pop()
        assert (saved(state) == snapshots[-1]).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_a_walk_agrees_with_the_definition(size, rule):
    state, chance = State(size, RULES[rule], EVALUATION), random.Random(f"{size} {rule}")
    for _ in range(2):
        walk(state, chance, 30, 15)


@pytest.mark.full
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_ten_thousand_walks_agree_with_the_definition(size, rule):
    state, chance = State(size, RULES[rule], EVALUATION), random.Random(f"{size} {rule} full")
    for _ in range(10_000):
        walk(state, chance, chance.randrange(5, 60), 1000)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 6, 20])
def test_a_board_can_be_filled(size, rule):
    state, chance = State(size, RULES[rule], EVALUATION), random.Random(size)
    cells = chance.sample(range(size * size), size * size)
    board = [0] * (size * size)
    for ply, cell in enumerate(cells):
        state.place(cell, ply & 1)
        board[cell] = 1 + (ply & 1)
    check(state, board)
    assert not state.patterns.any()


@pytest.mark.parametrize("rule", [FREESTYLE, STANDARD])
def test_the_code_table_is_the_definition(rule):
    """Random windows, looked up and worked out."""
    chance = random.Random(7)
    for _ in range(1500):
        digits = [chance.choice((0, 0, 0, 1, 1, 2)) for _ in range(10)]
        line = (*digits[:5], 1, *digits[5:])
        number = sum(digit * 3**k for k, digit in enumerate(digits))
        assert codes.window_codes(rule)[number] == code_with_stone(line, 5, rule)


@pytest.mark.parametrize(
    ("line", "freestyle", "standard"),
    [  # x own stones, o the other side's, * the cell
        (".xxx*......", codes.OPEN_FOUR, codes.OPEN_FOUR),
        ("xxxx*......", codes.FIVE, codes.FIVE),
        ("oxxx*......", codes.FOUR, codes.FOUR),
        (".xxxx*x....", codes.FIVE, codes.DEAD),  # six in a row
        ("..xx.*.....", codes.OPEN_THREE_1, codes.OPEN_THREE_1),
        ("...xx*.....", codes.OPEN_THREE_2, codes.OPEN_THREE_2),
        ("..oxx*.....", codes.THREE, codes.THREE),
        ("x.xxx*.....", codes.OPEN_FOUR, codes.FOUR),  # the left cell would make six
        (".....*o....", codes.ONE, codes.ONE),
        ("...o.*.o...", codes.DEAD, codes.DEAD),
        (".o...*....o", codes.OPEN_ONE, codes.OPEN_ONE),
    ],
)
def test_shapes_that_players_know(line, freestyle, standard):
    at = line.index("*")
    stones = tuple({"x": 1, "*": 1, "o": 2, ".": 0}[c] for c in line)
    assert code_with_stone(stones, at, FREESTYLE) == freestyle
    assert code_with_stone(stones, at, STANDARD) == standard
    size, row = 11, 5
    for rule, expected in ((FREESTYLE, freestyle), (STANDARD, standard)):
        state = State(size, rule)
        for col, stone in enumerate(stones):
            if stone and col != at:
                state.place(row * size + col, stone - 1)
        assert state.patterns[row * size + at] & 15 == expected


def test_every_line_of_every_board_fits_its_word():
    for size in SIZES:
        where, empty = places(size, 4)
        assert len(empty) == 6 * size - 2
        for cell in range(size * size):
            for direction in range(4):
                place = int(where[4 * cell + direction])
                word = int(empty[place & 255])
                assert word >> 2 * ((place >> 8 & 255) + MARGIN) & 3 == 0


def test_sizes_outside_are_refused():
    for size in (4, 21):
        with pytest.raises(ValueError, match=f"5 to 20 rows, not {size}"):
            State(size)


def test_setting_up_shares_the_beginning():
    state = State(9)
    state.set_up([(40, 0), (41, 1), (42, 0)])
    before = saved(state)
    state.set_up([(40, 0), (31, 1)])
    assert state.moves == [(40, 0), (31, 1)]
    state.set_up([(40, 0), (41, 1), (42, 0)])
    assert (saved(state) == before).all()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_stone_of_the_other_side_never_makes_a_four(rule):
    chance, lost = random.Random(8), 0
    for _ in range(60):
        state = State(9, rule)
        cells = chance.sample(range(81), 45)
        state.set_up([(cell, chance.randrange(2)) for cell in cells[:40]])
        before = fours_of(state)
        for cell in cells[40:]:
            with state.stone(cell, 1):
                after = fours_of(state)
            assert after <= before
            lost += len(before - after - {cell})
    assert lost > 10


def fours_of(state):
    """The cells where side 0 makes a four or five."""
    tiers = (cell_tables.FOURS, cell_tables.OPEN_FOURS, cell_tables.FIVES)
    return {cell for tier in tiers for cell in state.cells_of(0, tier)}
