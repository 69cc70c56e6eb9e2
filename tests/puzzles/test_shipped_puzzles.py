"""The shipped puzzles, proven again: some in the quick run, all of them in the full one."""

from collections import Counter

import numpy as np
import pytest

from rl_toolkit.puzzles import (
    Puzzle,
    PuzzleSet,
    prover_of,
    shipped,
    shipped_games,
    shipped_puzzle,
)
from rl_toolkit.puzzles.provers import Find
from rl_toolkit.puzzles.puzzle import WARM_UPS, WINNING
from rl_toolkit.puzzles.sets import _FOLDER

GAMES = ["connect-four", "gomoku-15", "reversi-8", "tictactoe", "tictactoe-5x5x4"]
#: Puzzles of each game that the quick run proves: those with the fewest free cells.
QUICK = 20


def proven(puzzle: Puzzle) -> bool:
    """Whether the prover finds the same line in the position, and refutes what tempts there."""
    env, prover = puzzle.env(), prover_of(puzzle.game)
    return prover.find(env) == Find(puzzle.kind, puzzle.line) and not any(
        prover.judge(env, puzzle.kind, move).right for move in puzzle.wrong
    )


def test_every_game_has_puzzles_in_a_small_file():
    assert shipped_games() == GAMES
    assert sum(len(each.read_bytes()) for each in _FOLDER.iterdir()) <= 300_000
    for game in GAMES:
        text = (_FOLDER / f"{game}.txt").read_text("utf-8")
        assert PuzzleSet.from_text(text).to_text() == text


@pytest.mark.parametrize("game", GAMES)
def test_puzzles_are_different_and_for_both_sides(game):
    puzzles = shipped(game)
    assert len({each.number for each in puzzles}) == len(puzzles)
    for puzzle in puzzles[::7]:
        assert puzzle.checked() == puzzle
        assert shipped_puzzle(puzzle.name) == puzzle
    sides = Counter(1 - len(each.moves) % 2 for each in puzzles)
    if game not in ("reversi-8", "tictactoe"):  # with passes, plies do not tell the side
        assert max(sides.values()) <= 0.62 * len(puzzles)
    for puzzle in puzzles:
        if game != "tictactoe":
            assert puzzle.tempting or puzzle.missed
            assert puzzle.kind not in WARM_UPS
        if puzzle.kind in ("win", "fork") and game != "reversi-8":
            assert puzzle.steps >= 2


@pytest.mark.parametrize("game", [game for game in GAMES if game != "tictactoe"])
def test_some_puzzles_are_proven_again(game):
    ready = sorted(shipped(game), key=lambda each: (-len(each.moves), each.number))
    for puzzle in ready[:QUICK]:
        assert proven(puzzle), puzzle.name


@pytest.mark.full
@pytest.mark.parametrize("game", [game for game in GAMES if game != "tictactoe"])
def test_all_puzzles_are_proven_again(game):
    assert [each.name for each in shipped(game) if not proven(each)] == []


# ---------------------------------------------------------------------- by independent programs


@pytest.mark.full
def test_connect_four_against_bitbully():
    bitbully = pytest.importorskip("bitbully")
    peer = bitbully.BitBully()
    for puzzle in shipped("connect-four"):
        env = puzzle.env()
        for ply, move in enumerate(puzzle.line):
            if ply % 2 == 0:
                board = bitbully.Board()
                for played in env.history:
                    assert board.play(played)
                scores = {int(m): int(s) for m, s in peer.score_all_moves(board).items()}
                best = max(scores.values())
                right = {m for m, s in scores.items() if s > 0 or s == best == 0}
                ends = ply == len(puzzle.line) - 1 and ply > 0 and puzzle.kind in WINNING
                assert right == {move} or (ends and move in right), (puzzle.name, ply, scores)
            env.step(move)


def turned(cell: int, mine: int, theirs: int) -> int:
    """The discs that a disc on ``cell`` turns over, cell by cell in eight directions."""
    found, row, col = 0, *divmod(cell, 8)
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
        line, r, c = 0, row + down, col + right
        while 0 <= r < 8 and 0 <= c < 8 and theirs >> (8 * r + c) & 1:
            line |= 1 << (8 * r + c)
            r, c = r + down, c + right
        if 0 <= r < 8 and 0 <= c < 8 and mine >> (8 * r + c) & 1:
            found |= line
    return found


def margin(mine: int, theirs: int, alpha: int, beta: int, passed: bool = False) -> int:
    """The final difference in discs by plain alpha-beta, free cells going to the winner."""
    best, free = -65, ~(mine | theirs) & (2**64 - 1)
    for cell in range(64):
        if free >> cell & 1 and (flips := turned(cell, mine, theirs)):
            score = -margin(theirs & ~flips, mine | flips | 1 << cell, -beta, -max(alpha, best))
            best = max(best, score)
            if best >= beta:
                return best
    if best > -65:
        return best
    if not passed:
        return -margin(theirs, mine, -beta, -alpha, True)
    ahead = mine.bit_count() - theirs.bit_count()
    return ahead + (free.bit_count() if ahead > 0 else -free.bit_count() if ahead < 0 else 0)


@pytest.mark.full
def test_reversi_against_a_plain_alpha_beta():
    checked = 0
    for puzzle in shipped("reversi-8"):
        env = puzzle.env()
        for ply, move in enumerate(puzzle.line):
            if ply % 2 == 0 and np.count_nonzero(env.board == 0) <= 9:
                player = env.current_player
                mine, theirs = (
                    sum(1 << cell for cell in range(64) if env.board[cell] == side)
                    for side in (player, -player)
                )
                scores = {}
                for each in env.get_legal_moves():
                    flips = turned(each, mine, theirs)
                    after = mine | flips | 1 << each
                    scores[each] = -margin(theirs & ~flips, after, -65, 65)
                best = max(scores.values())
                right = [
                    each
                    for each, score in scores.items()
                    if score == best or (puzzle.kind != "discs" and score > 0)
                ]
                assert right == [move], (puzzle.name, ply, scores)
                checked += 1
            env.step(move)
    assert checked > len(shipped("reversi-8")) // 2
