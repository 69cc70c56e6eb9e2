"""Answers: every right move counts, every wrong one is refuted by a line on the board."""

from functools import cache

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.puzzles import (
    MistakeFinder,
    NoPuzzlesError,
    Puzzle,
    PuzzleError,
    answer,
    hints,
    number_of,
    prover_of,
    shipped,
    small_set,
    story,
    task,
)
from rl_toolkit.puzzles.making import Maker

GAMES = ("connect-four", "reversi-8", "gomoku-15", "tictactoe-5x5x4", "tictactoe")


def some(game, count=3):
    """Puzzles of a game, evenly from easy to hard."""
    ranked = sorted(shipped(game), key=lambda each: (each.rating, each.number))
    return [ranked[(2 * k + 1) * len(ranked) // (2 * count)] for k in range(count)]


@pytest.mark.parametrize("game", GAMES)
def test_the_line_is_right_and_wrong_moves_are_refuted(game):
    for puzzle in some(game):
        for ply in range(0, len(puzzle.line), 2):
            found = answer(puzzle, puzzle.line[:ply], puzzle.line[ply])
            last = ply == len(puzzle.line) - 1
            assert (found.right, found.solved) == (True, last)
            assert found.reply == (None if last else puzzle.line[ply + 1])
        env = puzzle.env()
        for move in puzzle.wrong[:2]:
            found = answer(puzzle, (), move)
            assert not found.right
            assert not found.solved
            assert found.sentence.endswith(".")
            assert env.move_name(move) in found.sentence
            env.after([move, *found.refutation])  # it can be played
            if " wins " in found.sentence:
                assert found.refutation


def test_a_refutation_of_a_lost_move_ends_the_game():
    puzzle = next(each for each in shipped("connect-four") if each.kind == "hold")
    env = puzzle.env()
    for move in env.get_legal_moves():
        if move != puzzle.line[0]:
            found = answer(puzzle, (), move)
            after = env.after([move, *found.refutation])
            assert after.is_terminal()
            assert after.winner == -env.current_player


def test_a_win_off_the_stored_line_is_accepted():
    other = make_game("tictactoe").after([0, 1, 6, 3])
    two = Puzzle("tictactoe", number_of(other), tuple(other.history), (4,), "win", 300)
    found = [move for move in other.get_legal_moves() if answer(two, (), move).right]
    assert found == _winning(other)
    assert len(found) > 1
    assert "too" in answer(two, (), next(m for m in found if m != 4)).sentence


def _winning(env):
    """By search without any cleverness."""

    @cache
    def value(history):
        game = make_game("tictactoe").after(history)
        if game.is_terminal():
            return -abs(game.get_result(game.current_player)) if game.winner else 0
        return max(-value((*history, move)) for move in game.get_legal_moves())

    history = tuple(env.history)
    return [move for move in env.get_legal_moves() if value((*history, move)) < 0]


def test_moves_that_are_not_the_solution_cannot_come_before():
    puzzle = shipped("connect-four")[0]
    with pytest.raises(PuzzleError, match="not the beginning"):
        answer(puzzle, (puzzle.line[0],), 3)
    with pytest.raises(PuzzleError, match="column 99 is off the board"):
        answer(puzzle, (), 99)


def test_positions_that_take_too_long_are_refused():
    puzzle = Puzzle("reversi-8", "00000000", (), (19,), "win", 300)
    with pytest.raises(PuzzleError, match="too much left"):
        answer(puzzle, (), 26)


def test_hints_come_in_steps_and_end_with_the_move():
    for game in GAMES:
        puzzle = some(game, 1)[0]
        steps = hints(puzzle)
        name = puzzle.env().move_name(puzzle.line[0])
        assert len(steps) >= 3
        assert steps[-1].sentence == f"Play {name}."
        assert all(f"Play {name}" not in step.sentence for step in steps[:-1])
        assert puzzle.env().traits.pieces[puzzle.env().current_player < 0] in task(puzzle)
        if puzzle.missed:
            assert puzzle.env().move_name(puzzle.played) in story(puzzle)


# ------------------------------------------------------------------------------- Tic-Tac-Toe


def test_tictactoe_has_25_puzzles_and_each_is_shipped():
    kinds = [each.kind for each in shipped("tictactoe")]
    assert len(kinds) - kinds.count("take") - kinds.count("block") == 25
    assert kinds.count("hold") == 6
    for puzzle in shipped("tictactoe"):
        if puzzle.kind in ("win", "fork", "take"):
            assert _winning(puzzle.env()) == [puzzle.line[0]]


@pytest.mark.full
def test_the_shipped_set_is_all_that_is_found():
    assert tuple(small_set("tictactoe", 50).puzzles) == shipped("tictactoe")


def test_the_maker_finds_a_shipped_puzzle_again_in_its_game():
    """The puzzle is the same in every field: its line, what tempts, and what was played."""
    puzzle = next(each for each in shipped("reversi-8") if each.tempting and each.missed)
    games = Maker("reversi-8").in_game([*puzzle.moves, puzzle.played])
    assert puzzle in games


# ------------------------------------------------------------------------------ own mistakes


def test_a_mistake_becomes_a_puzzle_and_a_good_game_has_none():
    finder = MistakeFinder("connect-four")
    game = [0, 6, 1, 6, 2, 6, 3]  # Red has a, b, c in a row, and Yellow plays elsewhere
    (puzzle,) = finder.in_game(game, [-1]).puzzles
    assert (puzzle.moves, puzzle.played) == ((0, 6, 1, 6, 2), 6)
    assert answer(puzzle, (), 3).right
    assert not answer(puzzle, (), 6).right
    assert not finder.in_game([3, 3, 3, 3, 3, 1], [1, -1]).reasons.total()
    seen = finder.in_game([0, 6, 3], [-1])  # a1 loses, and g1 is not the answer
    assert seen.puzzles == []
    assert seen.sentences == (
        "1 mistake makes no puzzle: the point shows only after more than 11 plies.",
    )


def test_a_missed_win_in_gomoku_is_a_puzzle_also_if_several_moves_win():
    env = make_game("gomoku")
    for cell in (112, 0, 113, 2, 114, 4, 30, 60):
        env.step(cell)
    found = MistakeFinder("gomoku").in_game([*env.history, 200, 6], [1])
    (puzzle,) = found.puzzles
    assert puzzle.played == 200
    assert puzzle.line[0] in (111, 115)
    assert answer(puzzle, (), 111).right
    assert answer(puzzle, (), 115).right
    assert not answer(puzzle, (), 200).right


def test_five_in_a_row_that_nobody_stops_is_named_and_no_puzzle():
    moves = [0, 112, 2, 113, 4, 114, 6, 115, 200, 116]
    found = MistakeFinder("gomoku").in_game(moves, [1])
    assert found.puzzles == []
    assert any("five in a row" in sentence for sentence in found.sentences)


def test_a_game_without_proofs_has_no_puzzles():
    with pytest.raises(NoPuzzlesError, match="no engine proves"):
        prover_of("tictactoe-9x9x5")


def test_narrow_questions_find_the_same_puzzles_as_all_scores(monkeypatch):
    """`hopeless` only saves time: a position that it turns away has no puzzle."""
    prover, found = prover_of("connect-four"), 0
    for puzzle in shipped("connect-four")[:6]:
        env = make_game("connect-four")
        for move in puzzle.moves:
            if prover.wanted(env):
                quick = prover.find(env)
                with monkeypatch.context() as slow:
                    slow.setattr(type(prover), "hopeless", lambda self, env: "")
                    whole = prover.find(env)
                assert isinstance(quick, str) == isinstance(whole, str)
                if not isinstance(quick, str):
                    assert quick == whole
                    found += 1
            env.step(move)
        assert prover.find(env).line == puzzle.line
