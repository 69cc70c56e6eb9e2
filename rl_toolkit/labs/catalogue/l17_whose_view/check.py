"""Checks of the bug hunt for points of view."""

from __future__ import annotations

from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, OneOf, after, call, position, probe
from rl_toolkit.labs.truth import connect_four
from rl_toolkit.labs.truth import tictactoe as truth

C4 = connect_four.GAME
_MARK = {1: "X", -1: "O", 0: " "}
#: A board with its player and what a program says about it, in the form of the sheet.
Row = tuple[list[str], str, float]
#: O to move wins at e.
WIN_AT_E = [3, 4, 3, 4, 3, 4, 0]
#: X to move wins at g.
WIN_AT_G = [6, 2, 6, 3, 6, 4]
#: X to move must stop O at d, or loses.
BLOCK_AT_D = [0, 3, 1, 3, 0, 3]
_SIMULATIONS = 200

_LATE = ("o1o/x1x/3 x", "x1x/o1o/3 o", "xox/1o1/3 x", "xx1/oo1/x2 o", "ox1/3/ox1 x", "x2/oo1/1xo x")
_FIXED: list[Row] = [
    (["X", "X", " ", "O", "O", " ", " ", " ", " "], "X", 1.0),
    (["O", "O", " ", "X", "X", " ", " ", " ", " "], "O", -1.0),
    (["O", "O", " ", "X", "X", " ", " ", " ", " "], "X", 1.0),
    (["X", "X", " ", "O", "O", " ", " ", " ", " "], "O", 0.5),
    (["X", " ", " ", " ", " ", " ", " ", " ", " "], "O", 0.0),
    (["O", " ", " ", " ", " ", " ", " ", " ", " "], "X", 0.25),
    (["O", " ", " ", " ", " ", " ", " ", " ", " "], "O", 0.0),
    (["X", " ", " ", " ", " ", " ", " ", " ", " "], "X", 0.25),
]

PANELS = {
    1: [
        *(call("swap", position(text)) for text in ("xx1/oo1/3 x", "xo1/1x1/o2 x")),
        probe("swap_test", _FIXED, [row[:2] for row in _FIXED]),
    ],
    2: [
        call("words", value, ai)
        for ai in (1, -1)
        for value in (1, 0.9, 0.6, 0.3, 0.1, 0, -0.1, -0.3, -0.6, -0.9, -1)
    ],
    3: [call("ai_move", position(text), memo=["minimax"]) for text in _LATE],
    4: [
        probe("backup", [], first, path, result)
        for first in (1, -1)
        for path in ([3], [3, 3])
        for result in (1, -1)
    ],
}


# ------------------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Swapped boards, then the positions that break the law."""
    for answer in check.calls([call("swap", here) for here in truth.drawn(check.rng, 60)]):
        if answer.value is None:
            check.fail(answer, "swap is not written yet: it returns None.", said="None")
        check.require(not answer.changed, answer, "swap must not change the board that it gets.")
        sentence = "Every X becomes an O, every O an X, and empty cells stay empty."
        if not isinstance(answer.value, list):
            sentence = "swap must return a board: a list of nine marks."
        check.equal(answer, list(truth.swapped(answer.call.arguments[0]).cells), sentence)
    for table in (_FIXED, *(_drawn_table(check.rng) for _ in range(15))):
        pairs = [[board, player] for board, player, _ in table]
        answer = check.probe("swap_test", table, pairs)
        if answer.value is None:
            check.fail(answer, "swap_test is not written yet.", shown="swap_test(value, positions)")
        _compare_lists(check, answer, table)
    check.note("16 value functions tested")


def _drawn_table(rng: Random) -> list[Row]:
    """A value function on a few positions and their twins that sometimes breaks the law."""
    table: list[Row] = []
    used: set[tuple[int, ...]] = set()
    for here in truth.drawn(rng, rng.randint(3, 6)):
        twin = truth.swapped(here)
        if here.cells in used:
            continue
        used |= {here.cells, twin.cells}
        value = rng.choice([-1.0, -0.5, 0.25, 1.0])
        says = -value if rng.random() < 0.5 else rng.choice([value, 0.0, 0.125])
        # With the other player to move they are other positions: a test that mixes them up fails.
        rows = ((here, 1, value), (twin, 1, says), (here, -1, value + 0.0625))
        for board, sign, number in (*rows, (twin, -1, -value - 0.0625)):
            cells = [_MARK[cell] for cell in board.cells]
            table.append((cells, _MARK[sign * board.mover], number))
    return table


def _compare_lists(check: Check, answer: Answer, table: list[Row]) -> None:
    values = {("".join(board), player): value for board, player, value in table}
    swapped = str.maketrans("XO", "OX")

    def twin_value(board: list[str], player: str) -> float:
        return values["".join(board).translate(swapped), player.translate(swapped)]

    pairs = [[board, player] for board, player, _ in table]
    right = [
        [board, player] for board, player, value in table if twin_value(board, player) != -value
    ]
    said, case = answer.value, check.case(answer, shown="swap_test(value, positions)")
    is_list = isinstance(said, list) and all(pair in pairs for pair in said)
    case.require(is_list, "swap_test must return a list of pairs (board, player).")
    for board, player, value in table:
        is_listed, breaks = [board, player] in said, [board, player] in right
        other, twin = player.translate(swapped), twin_value(board, player)
        fits = "so it keeps the law" if is_listed else "so it breaks the law"
        sentence = (
            f"With {player} to move this board has the value {value:+g}, and the swapped board "
            f"with {other} to move {twin:+g}: {fits}."
        )
        own = "in your list" if is_listed else "not in your list"
        expected = "in the list" if breaks else "not in the list"
        shown = _position(board, player)
        case.require(is_listed == breaks, sentence, "", own, expected, board=shown)
    case.require(said == right, "Keep the positions in their order, each one once.")


def _position(board: list[str], player: str) -> LabBoard:
    number = {mark: value for value, mark in _MARK.items()}
    return LabBoard(tuple(number[mark] for mark in board), number[player])


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The words for both sides, at the limits and between them."""
    values = [1, -1, 0.9, -0.9, 0.3, -0.3, 0, 0.6, -0.6, 0.29, -0.29, 0.89, -0.89]
    values += [round(check.rng.uniform(-1, 1), 2) for _ in range(40)]
    cases = [(value, ai) for value in values for ai in (-1, 1)]
    check.compare("words", cases, _words, _words_sentence)
    check.note(f"{len(values)} values for the AI as X and as O")


def _words(value: float, ai: int) -> str:
    own = value * ai
    if own >= 0.9:
        return "AI wins"
    if own >= 0.3:
        return "AI advantage"
    return "Draw" if own > -0.3 else "Human advantage" if own > -0.9 else "Human wins"


def _words_sentence(said: Any, right: str, value: float, ai: int) -> str:
    stands, own = (f"{number:g}".replace("-", "−") for number in (value, value * ai + 0))
    return f"The value {stands} is X's and the AI is {_MARK[ai]}: in the AI's view it is {own}."


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Every position and its twin, then every reply in both seats."""
    known = [position("o1o/x1x/3 x"), position("ox1/3/ox1 x")]
    for some in (known, truth.drawn(check.rng, 200, range(8))):
        boards = [board for here in some for board in (here, truth.swapped(here))]
        check.compare(
            "ai_move",
            boards,
            lambda here: OneOf(truth.best_moves(here)),
            _move_sentence,
            memo=["minimax"],
        )
    sentence = "Your AI, {side}, loses this game."
    as_x, as_o = check.never_loses("ai_move", sentence, memo=["minimax"])
    check.note(f"{as_x} games as X and {as_o} as O against every reply, none lost")


def _move_sentence(move: Any, best: OneOf, board: LabBoard) -> str:
    values = truth.after_values(board)
    if isinstance(move, bool) or move not in values:
        return "ai_move must return the number of a free cell."
    results = {1: "wins", 0: "draws", -1: "loses"}
    could = results[truth.value(board) * board.mover]
    reached = results[values[move] * board.mover]
    name = board.name(best[0])
    sentence = f"{_MARK[board.mover]} {could} here with {name}, but {reached} after your move."
    if sum(board.cells) != (0 if board.mover > 0 else 1):  # O has opened: a swapped board
        sentence += " With colours swapped the same cells are best: does your AI know its side?"
    return sentence


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """The swap test on searches, wins in one for both sides, and games as O."""
    for moves in (WIN_AT_E, WIN_AT_G, *(_drawn_moves(check.rng) for _ in range(3))):
        seed = check.rng.randrange(10**6)
        mine, twin = check.calls(
            [probe("visits", moves, first, _SIMULATIONS, seed=seed) for first in (1, -1)]
        )
        _compare_visits(check, mine, twin, moves)
    _most_visits(check, WIN_AT_E, 1, 4, 800, "wins at once")
    _most_visits(check, WIN_AT_G, 1, 6, 800, "wins at once")
    for first in (1, -1):
        _most_visits(check, BLOCK_AT_D, first, 3, 500, "must stop four in a row")
    _play_random(check)


def _compare_visits(check: Check, mine: Answer, twin: Answer, moves: list[int]) -> None:
    counts = [{move: seen[0] for move, seen in answer.value.items()} for answer in (mine, twin)]
    most = [max(sorted(count), key=lambda move: count[move]) for count in counts]
    what = "a different move" if most[0] != most[1] else "different visits"
    sentence = (
        f"The swapped board gives {what}. With the colours of this board exchanged and the same "
        "random numbers, every column must get the same visits."
    )
    own, swapped = (
        f"column {'abcdefg'[move]}, {count[move]} visits"
        for move, count in zip(most, counts, strict=True)
    )
    shown = f"search(game, {_SIMULATIONS}) on this board and on the swapped one"
    case = check.case(mine, board=after(moves, C4), shown=shown)
    value = f"{own}; swapped: {swapped}"
    case.require(counts[0] == counts[1], sentence, "", value, "the same visits twice")


def _most_visits(
    check: Check, moves: list[int], first: int, column: int, fewest: int, why: str
) -> None:
    answer = check.probe("visits", moves, first, 1000, seed=check.rng.randrange(10**6))
    visits = answer.value.get(column, [0])[0]
    start, name = after(moves, C4), "abcdefg"[column]
    board = connect_four.board(tuple(first * cell for cell in start.cells), first * start.mover)
    sentence = (
        f"{_MARK[board.mover]} is to move and {why} in column {name}, so most of the visits belong "
        "there."
    )
    value, case = f"{visits} visits in column {name}", check.case(answer, board=board)
    right, shown = f"more than {fewest}", "search(game, 1000)"
    case.require(visits > fewest, sentence, "", value, right, shown=shown)


def _play_random(check: Check) -> None:
    seed = check.rng.randrange(10**6)
    answer = check.probe("games", -1, 20, 100, seed=seed, seconds=8)
    lost = [moves for moves, winner in answer.value if winner != -1]
    won = 20 - len(lost)
    if len(lost) > 2:
        sentence = (
            f"As O your search wins {won} of 20 games against random moves; this one it does not "
            "win."
        )
        shown = "20 games as O, 100 simulations for each move"
        case = check.case(answer, board=after(lost[0], C4), shown=shown)
        case.fail(sentence, "", f"{won} won", "at least 18 of 20")
    check.note(f"{won} of 20 games won as O against random moves")


def _drawn_moves(rng: Random) -> list[int]:
    """A position after a few random moves, nobody having won."""
    while True:
        env = connect_four.random_game(rng, rng.randint(3, 12))
        if not env.is_terminal():
            return list(env.history)
