"""Checks of the tournament lab."""

from __future__ import annotations

from itertools import combinations, product
from math import isfinite, sqrt
from random import Random
from typing import Any

from rl_toolkit.envs import make_game
from rl_toolkit.labs.catalogue.l14_tournament.league import (
    COLS,
    WIN,
    LeagueGame,
    play_league,
    results,
)
from rl_toolkit.labs.checking import Answer, Check, LabBoard, after, call, from_env, probe

GAME = "connect-four"
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
    boards = [*SPREAD, *_random_positions(check.rng, 40)]
    texts = ["".join(".xo"[cell] for cell in board.cells) for board in boards]
    check.probe("my_evaluate", MARKS, (texts * 2)[:60], seconds=0.2)
    values = {}
    for answer in check.calls([call("my_evaluate", board) for board in boards]):
        _is_value(check, answer)
        values[answer.call.board] = answer.value
    check.rng.shuffle(boards)
    seed = check.rng.randrange(10**6)
    for answer in check.calls([call("my_evaluate", board, seed=seed) for board in boards]):
        check.require(
            answer.value == values[answer.call.board],
            answer,
            "The same board got another value the first time.",
            mistake="by-luck",
            right=values[answer.call.board],
        )
    check.require(
        len(set(values.values())) > 1,
        None,
        "All boards have the same value.",
        mistake="knows-nothing",
        board=SPREAD[2],
        shown="my_evaluate(board) for many boards",
        said=f"always {values[SPREAD[0]]}",
        right="different values",
    )
    check.require(
        any(values[board] >= values[SPREAD[0]] for board in THREES),
        None,
        "X threatens to win here, yet the board is worth less to you than the empty one. High must "
        "be good for X.",
        mistake="wrong-sign",
        board=OPEN_THREE,
        shown="my_evaluate(board)",
        said=f"{values[OPEN_THREE]}",
        right=f"more than {values[SPREAD[0]]}, the value of the empty board",
    )
    _beats_none(check)


def _is_value(check: Check, answer: Answer) -> None:
    value = answer.value
    check.require(
        isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value),
        answer,
        "The value of a board is a finite number.",
        right="a number",
        said=repr(value),
    )
    check.require(
        abs(value) < WIN,
        answer,
        "The value of a board must stay below that of a win, 100,000.",
        mistake="louder-than-a-win",
        said=f"{value:,}",
        right="a number from -100,000 to 100,000",
    )
    check.require(
        not answer.changed,
        answer,
        "The board is not as it was before.",
        mistake="changes-the-board",
        said="a changed board",
        right="the same board",
    )


def _beats_none(check: Check) -> None:
    def values(boards: list[str]) -> list[float]:
        asked = [boards[i : i + 1000] for i in range(0, len(boards), 1000)]
        answers = check.calls([probe("my_evaluate", MARKS, part, seconds=3) for part in asked])
        found = [value for answer in answers for value in answer.value]
        for text, value in zip(boards, found, strict=True):
            check.require(
                isinstance(value, (int, float)) and abs(value) < WIN,
                None,
                "The value of a board is a number between -100,000 and 100,000.",
                board=_position(text),
                shown="my_evaluate(board)",
                said=repr(value),
            )
        return found

    games = play_league(values, lambda cells: 0)
    wins, draws, losses = results(games)
    score, low, high = _interval(wins, draws, losses)
    told = f"{wins} won, {draws} drawn, {losses} lost: score {score:.2f} ({low:.2f} to {high:.2f})"
    lost = next((game for game in games if (game.winner or 0) * game.seat < 0), None)
    check.require(
        low > 0.5,
        None,
        "Your evaluation must be clearly better than none, which only sees wins two moves ahead. "
        "One of the games that it lost is shown.",
        shown="98 games against none, both two moves ahead",
        said=told,
        right="an interval above 0.5",
        moves=lost.moves if lost else [],
        board=_end(lost) if lost else None,
    )
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
    said, games = answer.value
    shown: dict[str, Any] = {"shown": "league(first, second)"}
    openings = set(product(range(COLS), repeat=2))
    as_x = [(one, two) for x, _, one, two in games if x == "first"]
    as_o = [(one, two) for x, _, one, two in games if x == "second"]
    for seat, played in (("X", as_x), ("O", as_o)):
        missing = sorted(openings.difference(played))
        check.require(
            not missing,
            answer,
            f"First must play all 49 openings as {seat}; {len(missing)} of them are missing.",
            board=after(missing[0], GAME) if missing else None,
            said=f"{len(games)} games, {len(played)} with first as {seat}",
            right="98 games, 49 in each seat",
            **shown,
        )
    check.require(
        len(games) == 98,
        answer,
        "Every opening is played once in each seat.",
        said=f"{len(games)} games",
        right="98 games",
        **shown,
    )
    check.require(
        said == right,
        answer,
        f"As X first won {script[:49].count(1)} games, as O {script[49:].count(-1)}: results of "
        "play_game are X's.",
        said=repr(said),
        right=str(right),
        **shown,
    )
    check.note("98 games: 49 openings, both seats")


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Score and margin."""
    draw = check.rng.randint
    cases = [(40, 9, 49), (1, 0, 1), (90, 4, 4)]
    cases += [(draw(1, 60), draw(1, 60), draw(1, 60)) for _ in range(30)]
    for answer in check.calls([call("interval", *case) for case in cases]):
        right = _interval(*answer.call.arguments)
        said = answer.value
        fits = isinstance(said, list) and len(said) == 3
        fits = fits and all(isinstance(n, (int, float)) for n in said)
        check.require(
            fits and all(abs(a - b) < 0.001 for a, b in zip(said, right, strict=True)),
            answer,
            _interval_sentence(answer.call.arguments, right),
            said=_decimals(said) if fits else repr(said),
            right=_decimals(right),
        )
    check.note("40 : 49 with 9 draws: 0.454, from 0.360 to 0.548")


def _interval(wins: int, draws: int, losses: int) -> list[float]:
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    squares = wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2
    margin = 1.96 * sqrt(squares / games / games)
    return [score, score - margin, score + margin]


def _interval_sentence(numbers: tuple[int, ...], right: list[float]) -> str:
    games = sum(numbers)
    variance = ((right[2] - right[0]) / 1.96) ** 2 * games
    return (
        f"{games} games give the score {right[0]:.3f}; one game has the variance {variance:.3f}, "
        f"so the margin is 1.96 · √({variance:.3f} / {games}) = {right[2] - right[0]:.3f}."
    )


def _decimals(values: list[float]) -> str:
    return "[" + ", ".join(f"{value:.3f}" for value in values) + "]"


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Each pair once, with the verdict that the interval allows."""
    names = ["mine", "windows", "centre", "none"]
    found = {"mine-windows": [40, 9, 49], "windows-centre": [20, 10, 68]}
    for first, second in combinations(names, 2):
        wins = check.rng.randint(20, 90)
        draws = check.rng.randint(0, 98 - wins)
        found.setdefault(f"{first}-{second}", [wins, draws, 98 - wins - draws])
    answer = check.probe("report", names, found)
    rows = answer.value[0]
    right = [(a, b, found[f"{a}-{b}"]) for a, b in combinations(names, 2)]
    shown: dict[str, Any] = {"shown": f"report with the players {', '.join(names)}"}
    check.require(
        isinstance(rows, list) and len(rows) == len(right),
        answer,
        "Four players make six pairs: one row for each.",
        said=f"{len(rows)} rows" if isinstance(rows, list) else repr(rows),
        right=f"{len(right)} rows",
        **shown,
    )
    for row, (first, second, numbers) in zip(rows, right, strict=True):
        _, low, high = _interval(*numbers)
        wanted = [first, second, numbers, _verdict(numbers)]
        check.require(
            row == wanted,
            answer,
            f"The interval of {numbers} goes from {low:.2f} to {high:.2f}: {wanted[3]}.",
            said=str(row),
            right=str(wanted),
            **shown,
        )
    check.note("six pairs, each with a verdict that its interval allows")


def _verdict(numbers: list[int]) -> str:
    _, low, high = _interval(*numbers)
    return "better" if low > 0.5 else "worse" if high < 0.5 else "not clear"


# ------------------------------------------------------------------------------ positions


def _random_positions(rng: Random, count: int) -> list[LabBoard]:
    """Positions of random games that are still running."""
    found: list[LabBoard] = []
    while len(found) < count:
        env = make_game(GAME)
        stop = rng.randrange(4, 34)
        while not env.is_terminal() and env.move_count < stop:
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            found.append(from_env(env))
    return found


def _position(text: str) -> LabBoard:
    cells = tuple({".": 0, "x": 1, "o": -1}[letter] for letter in text)
    return LabBoard(cells, 1 if sum(cells) == 0 else -1, GAME, 6, COLS)


def _end(game: LeagueGame) -> LabBoard:
    return LabBoard(tuple(game.cells), game.mover, GAME, 6, COLS)
