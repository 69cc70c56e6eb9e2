"""Checks of the lab on measuring: intervals, matches, exact chances, grades."""

from __future__ import annotations

from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, probe, same, signed
from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.utils import wilson_interval

#: A player of the checks: groups of cells; it plays any free cell of the first group that has one.
Groups = list[list[int]]

_MARK = {1: "X", -1: "O", 0: " "}
_EMPTY = position("3/3/3 x")
_RANDOM: Groups = [list(range(9))]
_IN_ORDER: Groups = [[cell] for cell in range(9)]
_CENTRE_FIRST: Groups = [[4], [0, 2, 6, 8], [1, 3, 5, 7]]
_BACKWARDS: Groups = _IN_ORDER[::-1]
#: Two players whose game is a draw if the first of them is X.
_DRAWERS: tuple[Groups, Groups] = (
    [[0], [4], [5], [6], [7], [1], [2], [3], [8]],
    [[3], [1], [2], [8], [0], [4], [5], [6], [7]],
)
_LATE = ("xx1/oo1/x2 o", "x1o/1o1/x2 x", "xox/1o1/3 x", "o1x/1x1/3 o")


def _cells(board: LabBoard) -> list[str]:
    return [_MARK[cell] for cell in board.cells]


def _exact_call(player: Groups | str, seat: int, board: LabBoard) -> Any:
    arguments = player, _MARK[seat], _cells(board), _MARK[board.mover]
    return probe("exact", *arguments, memo=["exact_vs_random"], seconds=10)


def _pairs(positions: list[LabBoard]) -> list[Any]:
    return [[_cells(board), _MARK[board.mover]] for board in positions]


_SOME = [position(text) for text in _LATE]
_MIXED = [position(text) for text in ("3/3/3 x", "x2/3/3 o", "xx1/oo1/3 x", "xxo/oo1/x2 x")]
PANELS = {
    1: [
        call("wilson", wins, games, z)
        for wins, games in ((3, 5), (5, 5), (0, 4), (0, 0), (2.5, 4))
        for z in (1.96, 1.0)
    ],
    2: [
        probe("match", a, b, games)
        for a, b, games in (
            (_IN_ORDER, _IN_ORDER, 3),
            (_IN_ORDER, _BACKWARDS, 4),
            (*_DRAWERS, 5),
            (*reversed(_DRAWERS), 2),
        )
    ],
    3: [
        _exact_call(player, seat, board)
        for player in (_IN_ORDER, _CENTRE_FIRST)
        for seat in (1, -1)
        for board in _SOME
    ],
    4: [
        probe("grade", player, _pairs(some))
        for player in (_IN_ORDER, _RANDOM)
        for some in (_SOME, _MIXED, _SOME[:1], _SOME[1:2])
    ],
}


# ------------------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Known intervals, no games, then many drawn anew."""
    cases: list[tuple[float, int, float]] = [(3, 5, 1.96), (60, 100, 1.96), (5, 5, 1.96)]
    cases += [(0, 4, 1.96), (2.5, 4, 1.96), (0, 0, 1.96)]
    for _ in range(60):
        games = check.rng.randint(1, 400)
        wins = check.rng.randint(0, 2 * games) / 2
        cases.append((wins, games, check.rng.choice([1.0, 1.645, 1.96, 2.576])))
    check.compare("wilson", cases, _wilson, _wilson_sentence)
    check.note(f"{len(cases)} intervals, all right")


def _wilson(wins: float, games: int, z: float) -> list[float]:
    return list(wilson_interval(wins / games if games else 0.0, games, z))


def _wilson_sentence(value: Any, right: list[float], wins: float, games: int, z: float) -> str:
    if games == 0:
        return "Without games nothing is known: the interval is (0.0, 1.0)."
    if not isinstance(value, list) or len(value) != 2:
        return "wilson must return two numbers, low and high."
    centre, half = (right[0] + right[1]) / 2, (right[1] - right[0]) / 2
    return (
        f"The share is {wins / games:.3f}, the centre {centre:.4f} and the half width {half:.4f} "
        f"with z = {z:g}."
    )


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """Players without chance, so that the result is known, in both seats."""
    cases: list[tuple[Groups, Groups, int]] = [(_IN_ORDER, _IN_ORDER, 10), (*_DRAWERS, 7)]
    for _ in range(30):
        a, b = _drawn_order(check.rng), _drawn_order(check.rng)
        cases.append((a, b, check.rng.randint(1, 12)))
    for answer in check.calls([probe("match", *case) for case in cases]):
        _compare_match(check, answer, *answer.call.arguments)
    odd = check.probe("match", _RANDOM, _RANDOM, 41, seed=check.rng.randrange(10**6)).value
    total = odd["result"]
    sentence = "Wins, draws and losses of 41 games must add up to 41."
    case = check.case(shown="match(randomly, randomly, 41)")
    case.require(isinstance(total, list) and sum(total) == 41, sentence, said=str(total))
    check.note(f"{len(cases)} matches, both seats")


def _compare_match(check: Check, answer: Answer, a: Groups, b: Groups, games: int) -> None:
    case = check.case(answer, shown=f"match(a, b, {games})")
    own, played = answer.value["a"], answer.value["a"] + answer.value["b"]
    sentence = f"{played} games were played instead of {games}."
    case.require(played == games, sentence, "", f"{played} games", f"{games} games")
    sentence = (
        f"a was X in {own} of {games} games. It should be X in every second one, beginning "
        "with the first."
    )
    half, mistake = (games + 1) // 2, "all-as-x" if own == games else ""
    case.require(own == half, sentence, mistake, f"{own} games as X", f"{half} games as X")
    as_x, as_o = _result(a, b), -_result(b, a)
    results = [as_x if game % 2 == 0 else as_o for game in range(games)]
    right = [results.count(result) for result in (1, 0, -1)]
    words = {1: "wins", 0: "draws", -1: "loses"}
    sentence = f"Here a {words[as_x]} every game as X and {words[as_o]} every game as O."
    value = answer.value["result"]
    case.require(same(value, right), sentence, "", str(value), right)


def _drawn_order(rng: Random) -> Groups:
    return [[cell] for cell in rng.sample(range(9), 9)]


def _result(x: Groups, o: Groups) -> int:
    """X's result in the game of two players that have no choice."""
    board = _EMPTY
    while not truth.over(board):
        board = truth.play(board, _moves(x if board.mover > 0 else o, board)[0])
    return truth.result(board)


def _moves(player: Groups, board: LabBoard) -> list[int]:
    """The moves that a player of the checks might play."""
    for group in player:
        free = [cell for cell in group if not board.cells[cell]]
        if free:
            return free
    return []


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """The perfect player in both seats, players drawn anew, random against random."""
    for text in _LATE:
        for seat in (1, -1):
            for player in (_IN_ORDER, _CENTRE_FIRST):
                _compare_exact(check, player, seat, position(text))
    for seat, won, of in ((1, 191, 192), (-1, 254, 315)):
        sentence = f"As {_MARK[seat]} the perfect player wins {won} of {of} games and never loses."
        right = [won / of, 1 - won / of, 0.0]
        _chances(check, "perfect", "perfect", seat, _EMPTY, right, sentence)
    for _ in range(6):
        board = check.rng.choice([p for p in truth.open_positions() if p.cells.count(0) <= 6])
        player = check.rng.choice([_drawn_order(check.rng), _CENTRE_FIRST, _RANDOM])
        _compare_exact(check, player, check.rng.choice([1, -1]), board)
    _compare_exact(check, _RANDOM, 1, _EMPTY)
    check.note("perfect: 191/192 as X, 254/315 as O; random: 58.5 %, 12.7 %, 28.8 %")


def _compare_exact(check: Check, player: Groups, seat: int, board: LabBoard) -> None:
    name = {str(_IN_ORDER): "first_free", str(_RANDOM): "randomly"}.get(str(player), "player")
    right = _exact(player, seat, board, {})
    _chances(check, player, name, seat, board, right, _exact_sentence(player, seat, board))


def _chances(
    check: Check,
    player: Groups | str,
    name: str,
    seat: int,
    board: LabBoard,
    right: list[float],
    sentence: str,
) -> None:
    (answer,) = check.calls([_exact_call(player, seat, board)])
    value = answer.value
    if not isinstance(value, list) or len(value) != 3:
        sentence = "The answer is three numbers: the chances to win, to draw and to lose."
    elif all(isinstance(item, (int, float)) for item in value) and abs(sum(value) - 1) > 1e-6:
        sentence = f"The three chances must add up to 1; yours add up to {sum(value):.4g}."
    shown = f"exact_vs_random({name}, {_MARK[seat]!r}, board, {_MARK[board.mover]!r})"
    case = check.case(answer, board=board, shown=shown)
    case.require(same(value, right), sentence, "", _rounded(value), _rounded(right))


def _exact(
    player: Groups, seat: int, board: LabBoard, known: dict[tuple[int, ...], list[float]]
) -> list[float]:
    """The right chances."""
    if board.cells not in known:
        if truth.over(board):
            result = truth.result(board) * seat
            known[board.cells] = [float(result == outcome) for outcome in (1, 0, -1)]
        else:
            moves = _moves(player if board.mover == seat else _RANDOM, board)
            below = [_exact(player, seat, truth.play(board, move), known) for move in moves]
            known[board.cells] = [sum(column) / len(moves) for column in zip(*below, strict=True)]
    return known[board.cells]


def _exact_sentence(player: Groups, seat: int, board: LabBoard) -> str:
    mover = _MARK[board.mover]
    moves = _moves(player if board.mover == seat else _RANDOM, board)
    who = "the player" if board.mover == seat else "the random side"
    wins = {board.name(m): _exact(player, seat, truth.play(board, m), {})[0] for m in moves}
    listed = ", ".join(f"{name} {win:.3g}" for name, win in wins.items())
    if len(moves) == 1:
        return (
            f"{mover} is to move, {who}: it plays {board.name(moves[0])}; chance to win {listed}."
        )
    return (
        f"{mover} is to move, {who}, with {len(moves)} moves of the same chance. The player's "
        f"chance to win after each: {listed}. Take the average."
    )


def _rounded(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    is_number = (int, float)
    return ", ".join(f"{item:.4f}" if isinstance(item, is_number) else str(item) for item in value)


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Single positions first, then all 4,520."""
    players = [_IN_ORDER, _RANDOM, _CENTRE_FIRST]
    samples = [*_SOME, *_MIXED, *truth.drawn(check.rng, 80)]
    singles = [(player, board) for board in samples for player in players]
    answers = check.calls([probe("grade", player, _pairs([board])) for player, board in singles])
    for answer, (player, board) in zip(answers, singles, strict=True):
        value, right = _rounded([answer.value]), _share(player, board)
        shown = f"grade(player, [(board, {_MARK[board.mover]!r})])"
        case = check.case(answer, board=board, shown=shown, said=value, right=f"{right:.4f}")
        case.require(same(answer.value, right), _share_sentence(player, board))
    sentence = (
        "Every single position is right, but not the average: add up the shares of all "
        "positions and divide by their number."
    )
    for player in (*players, _drawn_order(check.rng)):
        answer = check.probe("grade", player, [], seconds=4)
        right = sum(_share(player, board) for board in truth.open_positions()) / 4520
        is_right = isinstance(answer.value, (int, float)) and abs(answer.value - right) < 1e-6
        case = check.case(answer, shown="grade(player, all_positions())")
        case.require(is_right, sentence, "", str(answer.value), f"{right:.4f}")
    check.note("graded over all 4,520 positions")


def _share(player: Groups, board: LabBoard) -> float:
    moves = _moves(player, board)
    best = truth.best_moves(board)
    return sum(move in best for move in moves) / len(moves)


def _share_sentence(player: Groups, board: LabBoard) -> str:
    values, value = truth.after_values(board), truth.value(board)
    listed = ", ".join(
        f"{board.name(move)} {signed(values[move])}" for move in _moves(player, board)
    )
    result = {1: "X wins", 0: "a draw", -1: "O wins"}[value]
    stands = str(value).replace("-", "−")
    return (
        f"With best play: {result}, value {stands}. After the moves that the player might play the "
        f"value is: {listed}. What share keeps it?"
    )
