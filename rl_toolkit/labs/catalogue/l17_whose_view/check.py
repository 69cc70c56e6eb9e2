"""Checks of the bug hunt for points of view."""

from __future__ import annotations

from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, after, call, position, probe
from rl_toolkit.labs.truth import tictactoe as truth

C4 = "connect-four"
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
    drawn = check.rng.sample(truth.open_positions(), 60)
    for answer in check.calls([call("swap", here) for here in drawn]):
        here = answer.call.board
        assert here is not None
        if answer.value is None:
            check.fail(answer, "swap is not written yet: it returns None.", said="None")
        check.require(not answer.changed, answer, "swap must not change the board that it gets.")
        check.equal(answer, list(_twin(here).cells), _swap_sentence)
    for table in (_FIXED, *(_drawn_table(check.rng) for _ in range(15))):
        pairs = [[board, player] for board, player, _ in table]
        answer = check.probe("swap_test", table, pairs)
        if answer.value is None:
            check.fail(answer, "swap_test is not written yet.", shown="swap_test(value, positions)")
        _compare_lists(check, answer, table)
    check.note("16 value functions tested")


def _swap_sentence(answer: Answer, right: list[int]) -> str:
    if not isinstance(answer.value, list):
        return "swap must return a board: a list of nine marks."
    return "Every X becomes an O, every O an X, and empty cells stay empty."


def _twin(here: LabBoard) -> LabBoard:
    return _swapped(here, -1)


def _drawn_table(rng: Random) -> list[Row]:
    """A value function on a few positions and their twins that sometimes breaks the law."""
    table: list[Row] = []
    used: set[tuple[int, ...]] = set()
    for here in rng.sample(truth.open_positions(), rng.randint(3, 6)):
        if here.cells in used:
            continue
        used |= {here.cells, _twin(here).cells}
        value = rng.choice([-1.0, -0.5, 0.25, 1.0])
        says = -value if rng.random() < 0.5 else rng.choice([value, 0.0, 0.125])
        twin = _twin(here)
        table.append(([_MARK[cell] for cell in here.cells], _MARK[here.mover], value))
        table.append(([_MARK[cell] for cell in twin.cells], _MARK[twin.mover], says))
        # The same boards with the other player to move: a test that mixes them up must fail.
        table.append(([_MARK[cell] for cell in here.cells], _MARK[-here.mover], value + 0.0625))
        table.append(([_MARK[cell] for cell in twin.cells], _MARK[-twin.mover], -value - 0.0625))
    return table


def _compare_lists(check: Check, answer: Answer, table: list[Row]) -> None:
    values = {("".join(board), player): value for board, player, value in table}
    swapped = str.maketrans("XO", "OX")
    right: list[list[Any]] = []
    for board, player, value in table:
        twin = values["".join(board).translate(swapped), player.translate(swapped)]
        if twin != -value:
            right.append([board, player])
    said = answer.value
    if said == right:
        return
    shown = "swap_test(value, positions)"
    if not isinstance(said, list) or any(
        each not in [[b, p] for b, p, _ in table] for each in said
    ):
        check.fail(answer, "swap_test must return a list of pairs (board, player).", shown=shown)
    for board, player, value in table:
        pair = [board, player]
        if (pair in said) != (pair in right):
            twin = values["".join(board).translate(swapped), player.translate(swapped)]
            fits = "so it keeps the law" if pair in said else "so it breaks the law"
            check.fail(
                answer,
                f"With {player} to move this board has the value {value:+g}, and the swapped board "
                f"with {player.translate(swapped)} to move {twin:+g}: {fits}.",
                board=_position(board, player),
                shown=shown,
                said="in your list" if pair in said else "not in your list",
                right="in the list" if pair in right else "not in the list",
            )
    check.fail(answer, "Keep the positions in their order, each one once.", shown=shown)


def _position(board: list[str], player: str) -> LabBoard:
    number = {mark: value for value, mark in _MARK.items()}
    return LabBoard(tuple(number[mark] for mark in board), number[player])


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The words for both sides, at the limits and between them."""
    values = [1, -1, 0.9, -0.9, 0.3, -0.3, 0, 0.6, -0.6, 0.29, -0.29, 0.89, -0.89]
    values += [round(check.rng.uniform(-1, 1), 2) for _ in range(40)]
    cases = [(value, ai) for value in values for ai in (-1, 1)]
    check.each("words", cases, _words, _words_sentence)
    check.note(f"{len(values)} values for the AI as X and as O")


def _words(value: float, ai: int) -> str:
    own = value * ai
    if own >= 0.9:
        return "AI wins"
    if own >= 0.3:
        return "AI advantage"
    return "Draw" if own > -0.3 else "Human advantage" if own > -0.9 else "Human wins"


def _words_sentence(answer: Answer, right: str) -> str:
    value, ai = answer.call.arguments
    stands = f"{value:g}".replace("-", "−")
    own = f"{value * ai + 0:g}".replace("-", "−")
    return f"The value {stands} is X's and the AI is {_MARK[ai]}: in the AI's view it is {own}."


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Every position and its twin, then every reply in both seats."""
    known = [position("o1o/x1x/3 x"), position("ox1/3/ox1 x")]
    drawn = [p for p in truth.open_positions() if p.cells.count(0) <= 7]
    for some in (known, check.rng.sample(drawn, 200)):
        boards = [each for here in some for each in (here, _twin(here))]
        for answer in check.calls([call("ai_move", each, memo=["minimax"]) for each in boards]):
            _compare_move(check, answer)
    counts = []
    for seat in (1, -1):
        games = check.every_reply("ai_move", seat=seat, memo=["minimax"])
        lost = [game.moves for game in games if game.winner == -seat]
        if lost:
            sentence = f"Your AI, {_MARK[seat]}, loses this game."
            check.fail(None, sentence, moves=lost[0], board=after(lost[0]))
        counts.append(len(games))
    check.note(f"{counts[0]} games as X and {counts[1]} as O against every reply, none lost")


def _compare_move(check: Check, answer: Answer) -> None:
    here = answer.call.board
    assert here is not None
    has_opened = sum(here.cells) == (0 if here.mover > 0 else 1)  # else it is a swapped board
    known = here if has_opened else _twin(here)
    best, values = truth.best_moves(known), truth.after_values(known)
    if answer.value in best:
        return
    side, move = _MARK[here.mover], answer.value
    if isinstance(move, bool) or move not in values:
        check.fail(answer, "ai_move must return the number of a free cell.", right=best[0])
    results = {1: "wins", 0: "draws", -1: "loses"}
    could = results[truth.value(known) * known.mover]
    reached = results[values[move] * known.mover]
    sentence = f"{side} {could} here with {here.name(best[0])}, but {reached} after your move."
    if not has_opened:
        sentence += " With colours swapped the same cells are best: does your AI know its side?"
    check.fail(answer, sentence, right=best[0])


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
    here = after(moves, C4)
    counts = [{move: seen[0] for move, seen in each.value.items()} for each in (mine, twin)]
    if counts[0] == counts[1]:
        return
    most = [max(sorted(count), key=lambda move: count[move]) for count in counts]
    what = "a different move" if most[0] != most[1] else "different visits"
    named = ["abcdefg"[move] for move in most]
    check.fail(
        mine,
        f"The swapped board gives {what}. With the colours of this board exchanged and the same "
        "random numbers, every column must get the same visits.",
        board=here,
        shown=f"search(game, {_SIMULATIONS}) on this board and on the swapped one",
        said=f"column {named[0]}, {counts[0][most[0]]} visits; swapped: column {named[1]}, "
        f"{counts[1][most[1]]} visits",
        right="the same visits twice",
    )


def _most_visits(
    check: Check, moves: list[int], first: int, column: int, fewest: int, why: str
) -> None:
    answer = check.probe("visits", moves, first, 1000, seed=check.rng.randrange(10**6))
    visits = answer.value.get(column, [0])[0]
    here, name = _swapped(after(moves, C4), first), "abcdefg"[column]
    check.require(
        visits > fewest,
        answer,
        f"{_MARK[here.mover]} is to move and {why} in column {name}, so most of the visits belong "
        "there.",
        board=here,
        shown="search(game, 1000)",
        said=f"{visits} visits in column {name}",
        right=f"more than {fewest}",
    )


def _swapped(here: LabBoard, sign: int) -> LabBoard:
    cells = tuple(sign * cell for cell in here.cells)
    return LabBoard(cells, sign * here.mover, here.game, here.rows, here.cols)


def _play_random(check: Check) -> None:
    seed = check.rng.randrange(10**6)
    answer = check.probe("games", -1, 20, 100, seed=seed, seconds=8)
    lost = [moves for moves, winner in answer.value if winner != -1]
    if len(lost) > 2:
        check.fail(
            answer,
            f"As O your search wins {20 - len(lost)} of 20 games against random moves; this one it "
            "does not win.",
            board=after(lost[0], C4),
            shown="20 games as O, 100 simulations for each move",
            said=f"{20 - len(lost)} won",
            right="at least 18 of 20",
        )
    check.note(f"{20 - len(lost)} of 20 games won as O against random moves")


def _drawn_moves(rng: Random) -> list[int]:
    """A position after a few random moves, nobody having won."""
    while True:
        env = after([], C4).env()
        moves: list[int] = []
        for _ in range(rng.randint(3, 12)):
            moves.append(rng.choice(env.get_legal_moves()))
            env.step(moves[-1])
            if env.is_terminal():
                break
        else:
            return moves
