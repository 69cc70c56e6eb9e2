"""Checks of the lab on measuring: intervals, matches, exact chances, grades."""

from __future__ import annotations

from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, call, position, probe, same
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


def _cells(here: LabBoard) -> list[str]:
    return [_MARK[cell] for cell in here.cells]


def _exact_call(player: Groups | str, seat: int, here: LabBoard) -> Any:
    arguments = player, _MARK[seat], _cells(here), _MARK[here.mover]
    return probe("exact", *arguments, memo=["exact_vs_random"], seconds=10)


def _pairs(positions: list[LabBoard]) -> list[Any]:
    return [[_cells(here), _MARK[here.mover]] for here in positions]


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
        _exact_call(player, seat, here)
        for player in (_IN_ORDER, _CENTRE_FIRST)
        for seat in (1, -1)
        for here in _SOME
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
    check.each("wilson", cases, _wilson, _wilson_sentence)
    check.note(f"{len(cases)} intervals, all right")


def _wilson(wins: float, games: int, z: float) -> list[float]:
    return list(wilson_interval(wins / games if games else 0.0, games, z))


def _wilson_sentence(answer: Answer, right: list[float]) -> str:
    wins, games, z = answer.call.arguments
    if games == 0:
        return "Without games nothing is known: the interval is (0.0, 1.0)."
    if not isinstance(answer.value, list) or len(answer.value) != 2:
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
    cases += [
        (_drawn_order(check.rng), _drawn_order(check.rng), check.rng.randint(1, 12))
        for _ in range(30)
    ]
    answers = check.calls([probe("match", *case) for case in cases])
    for answer, (a, b, games) in zip(answers, cases, strict=True):
        _compare_match(check, answer, a, b, games)
    odd = check.probe("match", _RANDOM, _RANDOM, 41, seed=check.rng.randrange(10**6)).value
    total = odd["result"]
    check.require(
        isinstance(total, list) and sum(total) == 41,
        None,
        "Wins, draws and losses of 41 games must add up to 41.",
        shown="match(randomly, randomly, 41)",
        said=str(total),
    )
    check.note(f"{len(cases)} matches, both seats")


def _compare_match(check: Check, answer: Answer, a: Groups, b: Groups, games: int) -> None:
    said = answer.value
    as_x, as_o = _result(a, b), -_result(b, a)
    results = [as_x if game % 2 == 0 else as_o for game in range(games)]
    right = [results.count(result) for result in (1, 0, -1)]
    shown: dict[str, Any] = {"shown": f"match(a, b, {games})", "right": str(right)}
    played = said["a"] + said["b"]
    check.require(
        played == games,
        answer,
        f"{played} games were played instead of {games}.",
        said=f"{played} games",
        shown=shown["shown"],
        right=f"{games} games",
    )
    check.require(
        said["a"] == (games + 1) // 2,
        answer,
        f"a was X in {said['a']} of {games} games. It should be X in every second one, beginning "
        "with the first.",
        mistake="all-as-x" if said["a"] == games else "",
        said=f"{said['a']} games as X",
        shown=shown["shown"],
        right=f"{(games + 1) // 2} games as X",
    )
    words = {1: "wins", 0: "draws", -1: "loses"}
    check.require(
        same(said["result"], right),
        answer,
        f"Here a {words[as_x]} every game as X and {words[as_o]} every game as O.",
        said=str(said["result"]),
        **shown,
    )


def _drawn_order(rng: Random) -> Groups:
    return [[cell] for cell in rng.sample(range(9), 9)]


def _result(x: Groups, o: Groups) -> int:
    """X's result in the game of two players that have no choice."""
    here = _EMPTY
    while not truth.over(here):
        here = truth.play(here, _moves(x if here.mover > 0 else o, here)[0])
    return truth.result(here)


def _moves(player: Groups, here: LabBoard) -> list[int]:
    """The moves that a player of the checks might play."""
    for group in player:
        free = [cell for cell in group if not here.cells[cell]]
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
    for seat, won, drawn in ((1, 191 / 192, 1 / 192), (-1, 254 / 315, 61 / 315)):
        answer = check.calls([_exact_call("perfect", seat, _EMPTY)])[0]
        counts = "191 of 192" if seat > 0 else "254 of 315"
        _chances(
            check,
            answer,
            [won, drawn, 0.0],
            f"As {_MARK[seat]} the perfect player wins {counts} games and never loses.",
            _EMPTY,
            f"exact_vs_random(perfect, {_MARK[seat]!r}, board, 'X')",
        )
    for _ in range(6):
        here = check.rng.choice([p for p in truth.open_positions() if p.cells.count(0) <= 6])
        player = check.rng.choice([_drawn_order(check.rng), _CENTRE_FIRST, _RANDOM])
        _compare_exact(check, player, check.rng.choice([1, -1]), here)
    _compare_exact(check, _RANDOM, 1, _EMPTY)
    check.note("perfect: 191/192 as X, 254/315 as O; random: 58.5 %, 12.7 %, 28.8 %")


def _compare_exact(check: Check, player: Groups, seat: int, here: LabBoard) -> None:
    answer = check.calls([_exact_call(player, seat, here)])[0]
    name = {str(_IN_ORDER): "first_free", str(_RANDOM): "randomly"}.get(str(player), "player")
    right = _exact(player, seat, here, {})
    _chances(
        check,
        answer,
        right,
        _exact_sentence(answer, player, seat, here),
        here,
        f"exact_vs_random({name}, {_MARK[seat]!r}, board, {_MARK[here.mover]!r})",
    )


def _chances(
    check: Check, answer: Answer, right: list[float], sentence: str, here: LabBoard, shown: str
) -> None:
    said = answer.value
    if isinstance(said, list) and len(said) == 3 and same(said, right):
        return
    if not isinstance(said, list) or len(said) != 3:
        sentence = "The answer is three numbers: the chances to win, to draw and to lose."
    elif all(isinstance(each, (int, float)) for each in said) and abs(sum(said) - 1) > 1e-6:
        sentence = f"The three chances must add up to 1; yours add up to {sum(said):.4g}."
    check.fail(
        answer, sentence, board=here, shown=shown, said=_rounded(said), right=_rounded(right)
    )


def _exact(
    player: Groups, seat: int, here: LabBoard, known: dict[tuple[int, ...], list[float]]
) -> list[float]:
    """The right chances."""
    if here.cells not in known:
        if truth.over(here):
            result = truth.result(here) * seat
            known[here.cells] = [float(result == each) for each in (1, 0, -1)]
        else:
            moves = _moves(player if here.mover == seat else _RANDOM, here)
            below = [_exact(player, seat, truth.play(here, move), known) for move in moves]
            known[here.cells] = [sum(column) / len(moves) for column in zip(*below, strict=True)]
    return known[here.cells]


def _exact_sentence(answer: Answer, player: Groups, seat: int, here: LabBoard) -> str:
    side = _MARK[here.mover]
    moves = _moves(player if here.mover == seat else _RANDOM, here)
    who = "the player" if here.mover == seat else "the random side"
    wins = [_exact(player, seat, truth.play(here, move), {})[0] for move in moves]
    listed = ", ".join(
        f"{here.name(move)} {win:.3g}" for move, win in zip(moves, wins, strict=True)
    )
    if len(moves) == 1:
        return f"{side} is to move, {who}: it plays {here.name(moves[0])}; chance to win {listed}."
    return (
        f"{side} is to move, {who}, with {len(moves)} moves of the same chance. The player's "
        f"chance to win after each: {listed}. Take the average."
    )


def _rounded(said: Any) -> str:
    if isinstance(said, list):
        return ", ".join(
            f"{each:.4f}" if isinstance(each, (int, float)) else str(each) for each in said
        )
    return str(said)


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Single positions first, then all 4,520."""
    samples = [*_SOME, *_MIXED, *check.rng.sample(truth.open_positions(), 80)]
    players = [_IN_ORDER, _RANDOM, _CENTRE_FIRST]
    singles = [(player, here) for here in samples for player in players]
    calls = [probe("grade", player, _pairs([here])) for player, here in singles]
    for answer, (player, here) in zip(check.calls(calls), singles, strict=True):
        right = _share(player, here)
        if not same(answer.value, right):
            _fail_share(check, answer, player, here, right)
    for player in (*players, _drawn_order(check.rng)):
        answer = check.probe("grade", player, [], seconds=4)
        right = sum(_share(player, here) for here in truth.open_positions()) / 4520
        check.require(
            isinstance(answer.value, (int, float)) and abs(answer.value - right) < 1e-6,
            answer,
            "Every single position is right, but not the average: add up the shares of all "
            "positions and divide by their number.",
            shown="grade(player, all_positions())",
            said=str(answer.value),
            right=f"{right:.4f}",
        )
    check.note("graded over all 4,520 positions")


def _share(player: Groups, here: LabBoard) -> float:
    moves = _moves(player, here)
    best = truth.best_moves(here)
    return sum(move in best for move in moves) / len(moves)


def _fail_share(check: Check, answer: Answer, player: Groups, here: LabBoard, right: float) -> None:
    words = {1: "X wins", 0: "a draw", -1: "O wins"}
    values = truth.after_values(here)
    listed = ", ".join(f"{here.name(m)} {values[m]:+d}" for m in _moves(player, here))
    listed = listed.replace("+0", "0").replace("-", "−")
    check.fail(
        answer,
        f"With best play: {words[truth.value(here)]}, value {truth.value(here)}. After the moves "
        f"that the player might play the value is: {listed}. What share keeps it?".replace(
            "-", "−"
        ),
        board=here,
        shown=f"grade(player, [(board, {_MARK[here.mover]!r})])",
        said=_rounded([answer.value]),
        right=f"{right:.4f}",
    )
