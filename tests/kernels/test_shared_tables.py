"""Tables that threads share: no reader ever gets the facts of another position.

Several threads write and read a handful of positions in a table of one or two buckets. What is
stored is a function of the position, so every answer can be checked.
"""

import threading
import time

import numpy as np
import pytest

from rl_toolkit.kernels.connect_four import table as connect_four
from rl_toolkit.kernels.gomoku import table as gomoku
from rl_toolkit.kernels.jit import i64, kernel, number_array, offset, pointer, u64, word_array
from rl_toolkit.kernels.reversi import table as reversi
from rl_toolkit.kernels.rules.lcg import next_chance
from rl_toolkit.kernels.search import transposition_table as minimax

ONE, WRITE, MIXED = np.uint64(1), np.uint64(1 << 63), np.uint64(0x9E3779B97F4A7C15)
POSITIONS, DRAWN_FROM, BUCKETS = np.uint64(32), np.uint64(40), np.uint64(2)
FACTS = np.uint64((1 << 56) - 1)
THREADS = 4
ROUNDS = 200_000

reversi_find, reversi_keep = reversi.find, reversi.keep
reversi_low, reversi_high = reversi.low_of, reversi.high_of
four_find, four_keep = connect_four.find, connect_four.keep
four_low, four_high = connect_four.low_of, connect_four.high_of
minimax_find, minimax_room, minimax_put = minimax.find, minimax.room_for, minimax.put
gomoku_find, gomoku_keep = gomoku.find, gomoku.keep
gomoku_score, gomoku_move = gomoku.score_of, gomoku.move_of
hammer = kernel(i64(word_array, word_array, i64, u64, number_array))


@hammer
def on_reversi(table, block, rounds, seed, found):
    start, chance = pointer(table), seed
    for _ in range(rounds):
        chance = next_chance(chance)
        number = (chance >> DRAWN_FROM) % POSITIONS
        mine = (number + ONE) * MIXED
        theirs = ~mine ^ (number << np.uint64(20))
        bucket = offset(start, np.int64((number % BUCKETS) * np.uint64(reversi.BUCKET_WORDS)))
        low = np.int64(number) - 16
        if chance & WRITE:
            reversi_keep(bucket, mine, theirs, low, low + 20, number, 7, pointer(block))
        else:
            facts = reversi_find(bucket, mine, theirs)
            if facts != np.uint64(0):
                found[0] += 1
                found[1] += reversi_low(facts) != low or reversi_high(facts) != low + 20
    return 0


@hammer
def on_connect_four(table, block, rounds, seed, found):
    start, chance = pointer(table), seed
    for _ in range(rounds):
        chance = next_chance(chance)
        number = (chance >> DRAWN_FROM) % POSITIONS
        low = np.int64(number) - 20
        if chance & WRITE:
            four_keep(start, number + ONE, low, low + 3, number)
        else:
            entry = four_find(start, number + ONE)
            if entry != np.uint64(0):
                found[0] += 1
                found[1] += four_low(entry) != low or four_high(entry) != low + 3
    return 0


@hammer
def on_minimax(table, block, rounds, seed, found):
    start, chance = pointer(table), seed
    for _ in range(rounds):
        chance = next_chance(chance)
        key = ((chance >> DRAWN_FROM) % POSITIONS + ONE) * MIXED
        if chance & WRITE:
            minimax_put(start, minimax_room(start, 7, key), key, key * key, (key & FACTS) | ONE)
        else:
            score, facts = minimax_find(start, 7, key)
            if facts != np.uint64(0):
                found[0] += 1
                found[1] += score != key * key or facts != (key & FACTS) | ONE
    return 0


@hammer
def on_gomoku(table, block, rounds, seed, found):
    start, chance = pointer(table.view(np.int64)), seed
    for _ in range(rounds):
        chance = next_chance(chance)
        number = np.int64((chance >> DRAWN_FROM) % POSITIONS)
        key = np.int64((np.uint64(number) + ONE) * MIXED)
        entry = offset(start, 2 * (number & 1))
        if chance & WRITE:
            gomoku_keep(entry, key, number - 16, 3, number, number)
        else:
            facts = gomoku_find(entry, key)
            if facts != 0:
                found[0] += 1
                found[1] += gomoku_score(facts) != number - 16 or gomoku_move(facts) != number
    return 0


def answers_of(run, seconds):
    """The answers of a hammered table, and how many of them are false."""
    run.make()
    table, block = np.zeros(64, dtype=np.uint64), np.zeros(256, dtype=np.uint64)
    found = [np.zeros(16, dtype=np.int64) for _ in range(THREADS)]
    end = time.monotonic() + seconds

    def work(number):
        seed = np.uint64(7919 * number + 1)
        while True:
            run(table, block, ROUNDS, seed, found[number])
            seed += np.uint64(12345)
            if time.monotonic() > end:
                break

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(int(counts[0]) for counts in found), sum(int(counts[1]) for counts in found)


@pytest.mark.parametrize("seconds", [0.2, pytest.param(60, marks=pytest.mark.full)])
@pytest.mark.parametrize("run", [on_reversi, on_connect_four, on_minimax, on_gomoku])
def test_threads_never_read_facts_of_another_position(run, seconds):
    answers, false = answers_of(run, seconds)
    assert answers > 0
    assert false == 0
