"""Checks of the tournament lab."""

from __future__ import annotations

from itertools import combinations, product
from math import isfinite, sqrt
from typing import Any

from rl_toolkit.labs.catalogue.l14_tournament.league import WIN, play_league, results
from rl_toolkit.labs.checking import Answer, Check, LabBoard, after, call, decimals, probe
from rl_toolkit.labs.truth import connect_four as truth
from rl_toolkit.labs.truth.connect_four import COLS, GAME

MARKS = after([0, 1], GAME)
#: X has three, O two discs at one edge; each board with its mirror image.
THREES = [
    after(m, GAME) for m in ([2, 0, 3, 0, 4], [4, 6, 3, 6, 2], [3, 0, 3, 0, 3], [3, 6, 3, 6, 3])
]
OPEN_THREE = THREES[0]
SPREAD = [after(moves, GAME) for moves in ([], [3], [2, 3, 2, 4])] + THREES
#: Results of made-up games: openings with first as X, then the same with second as X.
SCRIPT = [(n * n + n // 3) % 3 - 1 for n in range(98)]
NAMES = ["mine", "windows", "centre"]
MADE_UP = {"mine-windows": [40, 9, 49], "mine-centre": [80, 4, 14], "windows-centre": [20, 10, 68]}

PANELS = {
    1: [probe("my_evaluate", MARKS, ["." * 42] * 60, seconds=0.2)],
    2: [probe("league", SCRIPT)],
    3: [call("interval", *numbers) for numbers in ((40, 9, 49), (90, 4, 4), (1, 0, 1))],
    4: [probe("report", NAMES, MADE_UP)],
}


# ------------------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Finite numbers, the same each time, the board untouched, quick, and better than none."""
    boards = [*SPREAD, *truth.random_positions(check.rng, 40, range(4, 34))]
    texts = ["".join(".xo"[cell] for cell in board.cells) for board in boards]
    check.probe("my_evaluate", MARKS, (texts * 2)[:60], seconds=0.2)
    values = {}
    for answer in check.calls([call("my_evaluate", board) for board in boards]):
        _is_value(check, answer)
        values[answer.call.board] = answer.value
    check.rng.shuffle(boards)
    check.compare(
        "my_evaluate",
        boards,
        [values[board] for board in boards],
        ("The same board got another value the first time.", "by-luck"),
        fits=lambda value, right: value == right,
        seed=check.rng.randrange(10**6),
    )
    empty = values[SPREAD[0]]
    case = check.case(board=SPREAD[2], shown="my_evaluate(board) for many boards")
    is_varied, sentence = len(set(values.values())) > 1, "All boards have the same value."
    case.require(is_varied, sentence, "knows-nothing", f"always {empty}", "different values")
    sentence = (
        "X threatens to win here, yet the board is worth less to you than the empty one. High must "
        "be good for X."
    )
    case = check.case(board=OPEN_THREE, shown="my_evaluate(board)", said=f"{values[OPEN_THREE]}")
    is_high = any(values[board] >= empty for board in THREES)
    right = f"more than {empty}, the value of the empty board"
    case.require(is_high, sentence, "wrong-sign", right=right)
    _beats_none(check)


def _is_value(check: Check, answer: Answer) -> None:
    value, case = answer.value, check.case(answer)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    sentence = "The value of a board is a finite number."
    case.require(is_number, sentence, "", repr(value), "a number")
    sentence = "The value of a board must stay below that of a win, 100,000."
    right = "a number from -100,000 to 100,000"
    case.require(abs(value) < WIN, sentence, "louder-than-a-win", f"{value:,}", right)
    is_kept, sentence = not answer.changed, "The board is not as it was before."
    case.require(is_kept, sentence, "changes-the-board", "a changed board", "the same board")


def _beats_none(check: Check) -> None:
    def values(boards: list[str]) -> list[float]:
        asked = [boards[i : i + 1000] for i in range(0, len(boards), 1000)]
        answers = check.calls([probe("my_evaluate", MARKS, part, seconds=3) for part in asked])
        own = [value for answer in answers for value in answer.value]
        sentence = "The value of a board is a number between -100,000 and 100,000."
        for text, value in zip(boards, own, strict=True):
            if not (isinstance(value, (int, float)) and abs(value) < WIN):
                case = check.case(board=_position(text), shown="my_evaluate(board)")
                case.fail(sentence, said=repr(value))
        return own

    games = play_league(values, lambda cells: 0)
    wins, draws, losses = results(games)
    score, low, high = _interval(wins, draws, losses)
    told = f"{wins} won, {draws} drawn, {losses} lost: score {score:.2f} ({low:.2f} to {high:.2f})"
    sentence = (
        "Your evaluation must be clearly better than none, which only sees wins two moves ahead. "
        "One of the games that it lost is shown."
    )
    lost = next((game for game in games if (game.winner or 0) * game.seat < 0), None)
    moves = lost.moves if lost else []
    end = truth.board(tuple(lost.cells), lost.mover) if lost else None
    case = check.case(shown="98 games against none, both two moves ahead", moves=moves, board=end)
    case.require(low > 0.5, sentence, "", told, "an interval above 0.5")
    check.note(f"against none {told}")


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """All openings, both seats, and results on the right side."""
    right: list[int] = []
    while len(set(right)) < 3:  # equal numbers would hide which is which
        script = [check.rng.choice((1, 1, 0, -1)) for _ in range(98)]
        turned = [*script[:49], *(-result for result in script[49:])]
        right = [turned.count(result) for result in (1, 0, -1)]
    answer = check.probe("league", script)
    value, games = answer.value
    case = check.case(answer, shown="league(first, second)")
    for seat, opener in (("X", "first"), ("O", "second")):
        played = [(one, two) for x, _, one, two in games if x == opener]
        missing = sorted({*product(range(COLS), repeat=2)}.difference(played))
        if missing:
            sentence = (
                f"First must play all 49 openings as {seat}; {len(missing)} of them are missing."
            )
            counts = f"{len(games)} games, {len(played)} with first as {seat}"
            board = after(missing[0], GAME)
            case.fail(sentence, "", counts, "98 games, 49 in each seat", board=board)
    sentence = "Every opening is played once in each seat."
    case.require(len(games) == 98, sentence, "", f"{len(games)} games", "98 games")
    sentence = (
        f"As X first won {script[:49].count(1)} games, as O {script[49:].count(-1)}: results of "
        "play_game are X's."
    )
    case.require(value == right, sentence, "", repr(value), right)
    check.note("98 games: 49 openings, both seats")


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Score and margin."""
    draw = check.rng.randint
    cases = [(40, 9, 49), (1, 0, 1), (90, 4, 4)]
    cases += [(draw(1, 60), draw(1, 60), draw(1, 60)) for _ in range(30)]

    def numbers(value: Any) -> bool:
        is_three = isinstance(value, list) and len(value) == 3
        return is_three and all(isinstance(number, (int, float)) for number in value)

    def fits(value: Any, right: list[float]) -> bool:
        return numbers(value) and all(abs(a - b) < 0.001 for a, b in zip(value, right, strict=True))

    def shown(value: Any, right: list[float], *_: int) -> dict[str, str]:
        words = decimals(value) if numbers(value) else repr(value)
        return {"said": words, "right": decimals(right)}

    check.compare("interval", cases, _interval, _interval_sentence, fits=fits, shown=shown)
    check.note("40 : 49 with 9 draws: 0.454, from 0.360 to 0.548")


def _interval(wins: int, draws: int, losses: int) -> list[float]:
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    squares = wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2
    margin = 1.96 * sqrt(squares / games / games)
    return [score, score - margin, score + margin]


def _interval_sentence(value: Any, right: list[float], *numbers: int) -> str:
    games, margin = sum(numbers), right[2] - right[0]
    variance = (margin / 1.96) ** 2 * games
    return (
        f"{games} games give the score {right[0]:.3f}; one game has the variance {variance:.3f}, "
        f"so the margin is 1.96 · √({variance:.3f} / {games}) = {margin:.3f}."
    )


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Each pair once, with the verdict that the interval allows."""
    names = ["mine", "windows", "centre", "none"]
    made_up = {"mine-windows": [40, 9, 49], "windows-centre": [20, 10, 68]}
    pairs = list(combinations(names, 2))
    for first, second in pairs:
        wins = check.rng.randint(20, 90)
        draws = check.rng.randint(0, 98 - wins)
        made_up.setdefault(f"{first}-{second}", [wins, draws, 98 - wins - draws])
    answer = check.probe("report", names, made_up)
    rows = answer.value[0]
    case = check.case(answer, shown=f"report with the players {', '.join(names)}")
    sentence = "Four players make six pairs: one row for each."
    value = f"{len(rows)} rows" if isinstance(rows, list) else repr(rows)
    is_six = isinstance(rows, list) and len(rows) == len(pairs)
    case.require(is_six, sentence, "", value, f"{len(pairs)} rows")
    for row, (first, second) in zip(rows, pairs, strict=True):
        numbers = made_up[f"{first}-{second}"]
        _, low, high = _interval(*numbers)
        verdict = "better" if low > 0.5 else "worse" if high < 0.5 else "not clear"
        sentence = f"The interval of {numbers} goes from {low:.2f} to {high:.2f}: {verdict}."
        expected = [first, second, numbers, verdict]
        case.require(row == expected, sentence, "", str(row), expected)
    check.note("six pairs, each with a verdict that its interval allows")


def _position(text: str) -> LabBoard:
    cells = tuple({".": 0, "x": 1, "o": -1}[letter] for letter in text)
    return truth.board(cells, 1 if sum(cells) == 0 else -1)
