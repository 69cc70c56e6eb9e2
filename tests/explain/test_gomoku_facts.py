"""Facts and sentences about Gomoku moves, checked by the definition and by playing replies."""

import random
from dataclasses import replace

import pytest
from gomoku_positions import (
    BOTH_RULES,
    board_of,
    five_cells,
    game_with,
    random_board,
    space_for,
)

from rl_toolkit.algorithms.gomoku.proofs import proof_by_fours
from rl_toolkit.analysis import Analysis, Candidate, analysis_of
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.explain import explain, explain_move
from rl_toolkit.explain.gomoku.facts import (
    BlocksThrees,
    GomokuView,
    Makes,
    MustReply,
    lines_of,
    three_of,
)
from rl_toolkit.explain.gomoku.lines import DIRECTIONS
from rl_toolkit.explain.gomoku.verdicts import are_continuous_fours
from rl_toolkit.kernels.gomoku import codes, geometry
from rl_toolkit.kernels.gomoku.reference import patterns_of
from rl_toolkit.records import position_to_text


def boards(seed, count, size=9, least=14, most=34):
    """Boards with the stones in the middle, so that there are many shapes."""
    chance = random.Random(seed)
    for _ in range(count):
        yield random_board(chance, size, 2 * chance.randrange(least // 2, most // 2)), chance


@BOTH_RULES
def test_shapes_are_those_of_the_definition(rule):
    """The reference twin says what a stone makes on each line; so do fours and threes here."""
    assert tuple(geometry.DIRECTIONS) == DIRECTIONS
    seen = dict.fromkeys(("fives", "fours", "threes"), 0)
    for board, _ in boards(1, 12):
        lines = lines_of(game_with(board, 9, rule))
        patterns = patterns_of(board, 9, rule)
        for cell in [c for c, stone in enumerate(board) if not stone]:
            for side, player in ((0, 1), (1, -1)):
                for direction in range(4):
                    code = patterns[cell] >> (16 * side + 4 * direction) & 15
                    with lines.stone(cell, player):
                        if lines.is_five(cell, direction):
                            assert code == codes.FIVE
                            seen["fives"] += 1
                            continue
                        fives = lines.five_cells(cell, direction)
                        fours = lines.open_four_cells(cell, direction)
                    assert (len(fives) >= 2) == (code == codes.OPEN_FOUR)
                    assert (len(fives) == 1) == (code == codes.FOUR)
                    open_three = code in (codes.OPEN_THREE_1, codes.OPEN_THREE_2)
                    assert (bool(fours) and not fives) == open_three
                    seen["fours"] += bool(fives)
                    seen["threes"] += open_three
    assert all(seen.values())


@BOTH_RULES
def test_every_other_reply_lets_the_threat_happen(rule):
    """What is not among the forced replies, nor a four, leaves two cells for five."""
    forced = 0
    for board, chance in boards(2, 8, least=16, most=30):
        env = game_with(board, 9, rule)
        view = GomokuView(env)
        wins = five_cells(board, 9, 0, rule)
        for move in env.get_legal_moves():
            for fact in view.facts_of(env, move):
                if isinstance(fact, MustReply) and move not in wins:
                    forced += 1
                    check_replies(list(board), move, fact, rule, chance)
        assert [(0, 1, -1)[stone] for stone in board] == view._lines.board
    assert forced > 10


def check_replies(board, move, fact, rule, chance):
    board[move] = 1
    fives = five_cells(board, 9, 0, rule)
    for reply in fact.cells:  # a four is stopped, and nothing else wins at once
        board[reply] = 2
        assert not five_cells(board, 9, 0, rule)
        board[reply] = 0
    others = [c for c, stone in enumerate(board) if not stone and c not in fact.cells]
    for reply in chance.sample(others, 4):
        board[reply] = 2
        if fives:
            assert five_cells(board, 9, 0, rule)
        elif not five_cells(board, 9, 1, rule):  # a four comes first
            assert any(makes_two(board, cell, rule) for cell in range(81) if not board[cell])
        else:
            assert fact.or_four
        board[reply] = 0


def makes_two(board, cell, rule):
    board[cell] = 1
    found = five_cells(board, 9, 0, rule)
    board[cell] = 0
    return len(found) >= 2


@BOTH_RULES
def test_a_blocked_three_could_become_an_open_four_and_no_longer_can(rule):
    blocked = 0
    for board, _ in boards(3, 14):
        env = game_with(board, 9, rule)
        before, view = patterns_of(board, 9, rule), GomokuView(env)
        for move in env.get_legal_moves():
            for fact in view.facts_of(env, move):
                if isinstance(fact, BlocksThrees):
                    after = list(board)
                    after[move] = 1
                    now = patterns_of(after, 9, rule)
                    for three in fact.threes:
                        blocked += 1
                        shift = 16 + 4 * direction_of(three.stones)
                        assert all(board[stone] == 2 for stone in three.stones)
                        for cell in three.cells:
                            assert before[cell] >> shift & 15 == codes.OPEN_FOUR
                            assert now[cell] >> shift & 15 != codes.OPEN_FOUR
    assert blocked > 10


def direction_of(stones):
    (r1, c1), (r2, c2) = (divmod(stone, 9) for stone in stones[:2])
    step = ((r2 > r1) - (r2 < r1), (c2 > c1) - (c2 < c1))
    return DIRECTIONS.index(step)


@BOTH_RULES
def test_lines_of_continuous_fours_are_recognised_and_others_not(rule):
    found = 0
    for board, chance in boards(4, 60, least=20, most=36):
        space = space_for(board, 9, rule)
        plies, _ = space.fours(0, 5000)
        if plies < 5 or five_cells(board, 9, 1, rule):
            continue
        found += 1
        line = proof_by_fours(space, 0).line
        lines = lines_of(game_with(board, 9, rule))
        assert are_continuous_fours(lines, 1, line)
        assert not are_continuous_fours(lines, 1, line[:-1])
        assert not are_continuous_fours(lines, -1, line)
        elsewhere = chance.choice([c for c in range(81) if not board[c] and c not in line])
        assert not are_continuous_fours(lines, 1, (line[0], elsewhere, *line[2:]))
        assert lines.board == [(0, 1, -1)[stone] for stone in board]
    assert found > 2


def test_the_other_side_may_not_win_in_between():
    board, size = board_of("""
        oooo.....
        .........
        .xxx.....
        .........
        .........
        .........
        .........
        .........
        .........""")
    line = [6 * 9 + 4, 6 * 9 + 0, 6 * 9 + 5]
    assert not are_continuous_fours(lines_of(game_with(board, size)), 1, line)
    board[8 * 9] = 0  # only three white stones
    assert are_continuous_fours(lines_of(game_with(board, size)), 1, line)


# ------------------------------------------------------------------------------- sentences

SHAPES = """
    .........
    .........
    ....x....
    ....x....
    ..xx.....
    ......o..
    ......o..
    ......o..
    ........."""
ROWS = "......... " * 8


@pytest.mark.parametrize(
    ("rows", "move", "sentence"),
    [
        (
            SHAPES,
            "e5",
            "Makes a double threat: an open three (b5 or f5) and an open three (e4 or e8), "
            "which White cannot stop except by a four",
        ),
        (SHAPES, "g5", "Blocks White's open three g2, g3 and g4"),
        (SHAPES, "e8", "Makes an open three, so White must reply at e4, e5 or e9 or make a four"),
        ("oxxx..... " + ROWS, "e9", "Makes a four, so White must reply at f9"),
        ("..xxx.... " + ROWS, "f9", "Makes an open four, which White cannot stop"),
        ("..xx..... " + ROWS, "f9", "Makes a broken three, so White must reply at b9, e9 or g9"),
        ("x.xx..x.. " + ROWS, "e9", "Makes a double four, which White cannot stop"),
        ("..x...... " + ROWS, "f9", "Not searched"),
    ],
)
def test_sentences_name_the_shapes(rows, move, sentence):
    board, size = board_of(rows)
    env = game_with(board, size)
    assert explain_move(env, Candidate(env.parse_move(move), move)).startswith(sentence)


def test_a_win_by_fours_is_told_with_its_line():
    env = make_game("gomoku-9")
    for name in ("e5", "e6", "d5", "d6", "f5", "f6"):
        env.step(env.parse_move(name))
    line = tuple(env.parse_move(name) for name in ("c5", "b5", "g5"))
    win = Candidate(line[0], "c5", 1.0, "win", True, 3, line=line)
    assert explain_move(env, win) == (
        "Makes an open four, which White cannot stop; "
        "a proven win in 2 moves by continuous fours: c5 (b5) g5."
    )
    wrong = replace(win, line=(line[0], env.parse_move("a1"), line[2]))
    assert "continuous fours: c5 (a1) g5" in explain_move(env, wrong)  # any reply: two cells
    other = replace(win, distance=5)
    assert "continuous" not in explain_move(env, other)
    lost = (env.parse_move("a1"), *(env.parse_move(name) for name in ("c6", "b6", "g6")))
    loss = Candidate(lost[0], "a1", -1.0, "loss", True, 4, line=lost)
    assert explain_move(env, loss).endswith(
        "White wins in 2 moves by continuous fours: c6 (b6) g6."
    )


def analysis_with(env, threat, **known):
    best = Candidate(env.get_legal_moves()[0], env.move_name(env.get_legal_moves()[0]), **known)
    return analysis_of(env, position_to_text(env), "gomoku", [best], threat=threat)


def test_a_threat_is_told_in_the_notes():
    env = make_game("gomoku-9")
    line = tuple(env.parse_move(name) for name in ("c6", "b6", "g6"))
    found = analysis_with(env, line, value=0.0)
    assert explain(env, found).notes == ("White threatens to win from c6: c6 (b6) g6.",)
    alone = line[:1]
    assert explain(env, analysis_with(env, alone, value=0.0)).notes == (
        "White threatens to win from c6.",
    )
    for name in ["a1", "d6", "a3", "e6", "b1", "f6", "b4", "g6"]:
        env.step(env.parse_move(name))
    assert explain(env, analysis_with(env, alone, value=0.0)).notes == (
        "White threatens to win at c6.",
    )
    won = analysis_with(env, line, value=1.0, outcome="win", proven=True, distance=1)
    assert explain(env, won).notes == explain(env, analysis_with(env, ())).notes == ()
    assert Analysis.from_json(found.to_json()).threat == line


def test_lines_of_four_have_no_such_words():
    env = Gomoku(9, win_length=4)
    for name in ("e5", "e6", "d5"):
        env.step(env.parse_move(name))
    said = explain_move(env, Candidate(0, "a1", 0.0))
    assert "three" not in said
    assert not [f for f in GomokuView(env).facts_of(env, 0) if isinstance(f, Makes)]


def test_a_three_needs_room():
    board, size = board_of("oxxx...oo " + "......... " * 8)
    lines = lines_of(game_with(board, size))
    assert three_of(lines, 8 * 9 + 1, 0) is None
