"""Checks of the rules lab: the start, lines on any board, moves, laws, and games side by side."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from rl_toolkit.envs import TicTacToe
from rl_toolkit.labs.catalogue.l02_rules.boards import (
    Size,
    board_picture,
    cell_names,
    is_line,
    lines_of,
    state_of,
    tempting_boards,
    two_boards,
    why_no_line,
)
from rl_toolkit.labs.checking import Check, Picture, after, position, probe, side, signed

_SIZES: tuple[tuple[Size, int], ...]
_SIZES = (3, 3), ((3, 4), 3), (4, 4), ((4, 3), 3), (5, 4), ((4, 6), 4)
#: Boards of one side only, or with numbers of pieces that no game reaches: rules read the board.
_NINE = (
    ("x2/x2/x2 o", "X has the first column"),
    ("1o1/1o1/1o1 x", "O has the second column"),
    ("2o/2o/2o x", "O has the third column"),
    ("xxx/3/3 o", "X has the top row"),
    ("3/xxx/3 o", "X has the middle row"),
    ("3/3/xxx o", "X has the bottom row"),
    ("x2/1x1/2x o", "X has the diagonal from the top left"),
    ("2o/1o1/o2 x", "O has the diagonal from the top right"),
    ("oxo/xxo/oox x", "the board is full and nobody has a line"),
)
_NINE_BOARDS = [list(position(text).cells) for text, _ in _NINE]
_WRAPPED = [0, 0, 1, 1, 1, 0, 0, 0, 0]  # c1, a2, b2: neighbours by number only
_ON_3_BY_4 = ((0, 1, 2), (4, 5, 6), (1, 5, 9), (0, 5, 10), (3, 6, 9), (3, 4, 5), (2, 5, 8))
_ON_4_BY_4 = ((0, 1, 2), (0, 5, 10), (3, 4, 5, 6), (0, 5, 10, 15), (3, 6, 9, 12))
_GAMES: dict[str, list[int]] = {
    "X wins with the top row": [0, 3, 1, 4, 2],
    "O wins with the first column": [1, 0, 4, 3, 8, 6],
    "X wins with the diagonal": [0, 1, 4, 2, 8],
    "nobody wins": [0, 1, 2, 4, 3, 5, 7, 6, 8],
    "the last move fills the board and wins": [0, 1, 2, 3, 4, 5, 7, 6, 8],
}
#: What the probe calls otherwise than the sheet.
_OWN = {
    "mover": "current_player",
    "line": "winning_line",
    "count": "move_count",
    "last": "last_move",
}


def _marked(size: int, *cells: int) -> list[int]:
    """A board with X on these cells."""
    return [int(cell in cells) for cell in range(size)]


PANELS = {
    1: [
        probe("start", 3, None, 1),
        probe("start", [3, 4], None, -1),
        probe("again", [1, 1, 1, -1, -1, 0, 0, 0, 0]),
        probe("twins", [1, -1, 0, 0, 0, 0, 0, 0, 0], -1),
        probe("keys", [[[1, 0, 0, 0, 0, 0, 0, 0, 0], side] for side in (1, -1)]),
        probe("legal", 3, None, [1, -1, 0, 0, 1, 0, 0, 0, 0], -1),
    ],
    2: [
        probe("judged", 3, None, [*_NINE_BOARDS, [0] * 9, _WRAPPED]),
        probe("judged", [3, 4], 3, [_marked(12, *cells) for cells in _ON_3_BY_4]),
        probe("judged", 4, 4, [_marked(16, *cells) for cells in _ON_4_BY_4]),
    ],
    3: [
        *(probe("walk", 3, None, moves) for moves in _GAMES.values()),
        probe("refused", [4], 4),
        probe("refused", [4], -1),
        probe("refused", [4], 9),
        probe("refused", [0, 3, 1, 4, 2], 8),
    ],
    4: [probe("results", 3, None, moves) for moves in ([0], *_GAMES.values())],
}


# ------------------------------------------------------------------ task 1


def task_1(check: Check) -> None:
    """Start state, reset, free cells, a copy of its own, keys."""
    for size, length in _SIZES:
        for first in (1, -1):
            _check_start(check, size, length, first)
    answer = check.probe("again", [1, 1, 1, -1, -1, 0, 0, 0, 0])
    case = check.case(shown="reset() after a finished game")
    for name, right in state_of(TicTacToe()).items():
        own, value = _OWN.get(name, name), answer.value[name]
        sentence = f"After reset {own} still is {value}, from the game before."
        case.require(value == right, sentence, "", f"{own} = {value}", f"{own} = {right}")
    drawn = [(3, None, _some_cells(check.rng), check.rng.choice([1, -1])) for _ in range(6)]
    check.compare(
        "legal",
        drawn,
        lambda size, length, cells, mover: [cell for cell in range(9) if not cells[cell]],
        lambda value, right, *_: (
            f"The legal moves are the {len(right)} free cells, as a list of numbers."
        ),
        ask=probe,
        shown=lambda value, right, size, length, cells, mover: {
            "shown": "get_legal_moves()",
            "picture": board_picture(cells, 3),
        },
    )
    ended = check.probe("legal_at_the_end", [0, 3, 1, 4, 2], may_raise=True)
    if ended.error is None:  # step belongs to a later task
        sentence = "The game is over here, so the list of legal moves must be empty."
        shown = "get_legal_moves() after X has won"
        check.case(shown=shown).require(ended.value == [], sentence, "", ended.value, "[]")
    _check_copy(check)
    _check_keys(check)


def _check_start(check: Check, size: Size, length: int, first: int) -> None:
    value = check.probe("start", _plain(size), length, first).value
    game = TicTacToe(size, length)
    game.reset(first_player=first)
    rows, cols, right = game.rows, game.cols, state_of(game)
    shown = f"reset({'' if first == 1 else first}) on {rows} × {cols}"
    case = check.case(shown=shown)
    for name, expected in right.items():
        sentence = f"At the start {_OWN.get(name, name)} is {expected}, not {value[name]}."
        case.require(value[name] == expected, sentence, "", value[name], expected)
    returned = value["returned"]
    sentence = "reset must return a copy of the empty board."
    case.require(returned == right["board"], sentence, said=str(returned))
    sentence = (
        "reset returned the board of the game itself, and writing into it changed the game: "
        "return a copy."
    )
    then = f"board = {shown}, then board[0] = 1"
    case.require(value["kept"] == right["board"], sentence, shown=then)
    cells = rows * cols
    sentence = f"On an empty board of {rows} × {cols} all {cells} cells are legal, smallest first."
    legal = value["legal"]
    case.require(legal == list(range(cells)), sentence, said=legal, shown="get_legal_moves()")


def _check_copy(check: Check) -> None:
    cells = _some_cells(check.rng)
    twins = check.probe("twins", cells, -1).value
    case = check.case(picture=board_picture(cells, 3))
    check.require(
        not twins["same"], None, "copy returned the game itself.", shown="game.copy() is game"
    )
    names = ("board", "current_player", "move_count")
    rights = (cells, -1, sum(map(abs, cells)))
    for name, value, right in zip(names, twins["copied"], rights, strict=True):
        sentence = f"A copy is in the same position: its {name} must be {right}."
        case.require(value == right, sentence, "", value, right, shown=f"game.copy().{name}")
    sentence = "A mark on the copy shows up in the game itself: they share one board."
    shown, picture = "game.copy(), then a mark on the copy", board_picture(twins["after"], 3)
    case.require(twins["after"] == cells, sentence, shown=shown, picture=picture)


def _check_keys(check: Check) -> None:
    cells = _some_cells(check.rng)
    moved = list(cells)
    moved[cells.index(0)] = -1
    numbers = check.probe("keys", [[cells, 1], [cells, -1], [moved, 1], [cells, 1]]).value
    case = check.case(shown="get_state_hash()")
    sentence = "The key is the same with the other side to move. Board and mover belong to it."
    shown = "get_state_hash() with X and with O to move"
    case.require(numbers[1] != 0, sentence, shown=shown, picture=board_picture(cells, 3))
    first, second = [1, -1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, -1]
    sentence = (
        "Two boards with the same number of marks have the same key: where they stand belongs "
        "to it."
    )
    others = check.probe("keys", [[first, 1], [second, 1]]).value
    case.require(others == [0, 1], sentence, picture=board_picture(second, 3))
    sentence = "Two boards that differ have the same key, or the same position has two."
    case.require(numbers == [0, 1, 2, 0], sentence)


def _some_cells(rng: random.Random) -> list[int]:
    """A board in the middle of a game: some marks, no line."""
    game = TicTacToe()
    for _ in range(rng.randint(1, 4)):
        game.step(rng.choice(game.get_legal_moves()))
    return [int(cell) for cell in game.board]


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The nine boards, boards that tempt, then boards drawn anew of every size."""
    _check_judged(check, 3, 3, _NINE_BOARDS, [f"Here {what}." for _, what in _NINE])
    _check_judged(check, 3, 3, [[0] * 9], ["Empty cells are not a line."])
    checked = 0
    for size, length in _SIZES:
        boards = list(tempting_boards(check.rng, size, length, 24))
        _check_judged(check, size, length, boards, [""] * len(boards))
        checked += len(boards)
    check.note(f"{checked + 10} boards of {len(_SIZES)} sizes judged right")


def _check_judged(
    check: Check, size: Size, length: int, boards: list[list[int]], words: Sequence[str]
) -> None:
    """Lines, wins and ends on boards; ``words`` say what is on them."""
    game = TicTacToe(size, length)
    judged = check.probe("judged", _plain(size), length, boards).value
    for cells, found, what in zip(boards, judged, words, strict=True):
        complaint = _complaint(game, cells, found, what)
        if complaint is not None:
            sentence, shown, value, right = complaint
            case = check.case(shown=shown, picture=board_picture(cells, game.cols))
            case.fail(sentence, "", str(value), str(right))


def _complaint(
    game: TicTacToe, cells: list[int], value: Any, what: str
) -> tuple[str, str, Any, Any] | None:
    """What is wrong about a judged board: sentence, call, answer, right answer; None if nothing."""
    length, any_line = game.win_length, False
    for player, line, wins in zip((1, -1), value["lines"], value["wins"], strict=True):
        lines = lines_of(cells, game.rows, game.cols, length, player)
        any_line |= bool(lines)
        shown = f"find_line({player}) on {game.rows} × {game.cols}, {length} in a row"
        if lines and line is None:
            names = cell_names(lines[0], game)
            return what or f"{side(player)} has {length} in a row: {names}.", shown, None, lines[0]
        if line is not None and not is_line(line, lines):
            sentence = why_no_line(line, cells, game, player, length)
            return sentence, shown, line, lines[0] if lines else None
        if wins != bool(lines):
            sentence = f"check_win must say whether {side(player)} has a line."
            return sentence, f"check_win({player})", wins, bool(lines)
    over = any_line or 0 not in cells
    if value["over"] is None or bool(value["over"]) != over:
        sentence = "Nobody has a line and a cell is free: the game goes on."
        if over:
            sentence = "The game is over when a side has a line or no cell is free."
        return sentence, "is_terminal()", value["over"], over
    return None


# ------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """The games of the sheet, refusals, and games on 4 × 4."""
    for what, moves in _GAMES.items():
        _check_walk(check, 3, 3, moves, 1, f"In this game {what}")
    for moves, move, why in (
        ([4], 4, "b2 is taken"),
        ([4], -1, "there is no cell -1"),
        ([4], 9, "there is no cell 9"),
        ([0, 3, 1, 4, 2], 8, "the game is over"),
        (_GAMES["nobody wins"], 0, "the game is over"),
    ):
        _check_refused(check, moves, move, why)
    _check_walk(check, 4, 4, [0, 4, 1, 5, 2, 6, 3], 1, "On 4 × 4, four in the top row win")
    _check_walk(check, 3, 3, [4, 0, 8], -1, "O opens here")


def _check_walk(
    check: Check, size: Size, length: int, moves: list[int], first: int, what: str
) -> None:
    """The student's game beside the reference, move by move."""
    answer = check.probe("walk", _plain(size), length, moves, first)
    game = TicTacToe(size, length)
    game.reset(first_player=first)
    for number, move in enumerate(moves):
        _, reward, done, info = game.step(move)
        found, right = answer.value[number], state_of(game)
        told = found["told"]
        when = f"After move {number + 1} ({game.move_name(move)})"
        shown = f"step({move}) after {moves[:number]}" if number else f"step({move})"
        picture = two_boards(found["board"], right["board"], game.cols)
        case = check.case(shown=shown, picture=picture)
        for name, expected in right.items():
            own, value = _OWN.get(name, name), found[name]
            sentence = f"{when} {own} should be {expected}. {what}."
            is_right = _agrees(name, value, expected, game)
            case.require(is_right, sentence, "", f"{own} = {value}", str(expected))
        if told is None:
            sentence = "step must return four things: board, reward, done, info."
            case.fail(sentence, said="not a tuple of four")
        why = "The reward is X's: +1 if X has won, -1 if O has won, else 0."
        legal, own_legal = game.get_legal_moves(), found["legal"]
        rows: list[tuple[Any, Any, str]] = [
            (told["board"], right["board"], f"{when} step returned another board."),
            (told["reward"], reward, f"{when} the reward is {signed(reward)}. {why}"),
            (bool(told["done"]), done, f"{when} done is {done}."),
        ]
        for value, expected, sentence in rows:
            case.require(value == expected, sentence, "", value, str(expected))
        for name in ("winner", "winning_line", "move_count", "last_move"):
            value, sentence = told["info"][name], f'{when} info["{name}"] is {info[name]}.'
            case.require(
                _agrees(name, value, info[name], game), sentence, "", str(value), str(info[name])
            )
        sentence = "Writing into the board that step returned changes the game: return a copy."
        is_copy = found["kept"] == right["board"]
        case.require(is_copy, sentence, "", "the game's own board", "a copy")
        case.require(
            own_legal == legal, f"{when} the legal moves are {legal}.", "", own_legal, legal
        )


def _check_refused(check: Check, moves: list[int], move: int, why: str) -> None:
    value, board = check.probe("refused", moves, move).value, after(moves)
    case = check.case(shown=f"step({move}) after {moves}", board=board)
    raised, cells = value["raised"], value["board"]
    if raised is None:
        name = f", and {board.name(8)} got a mark" if move == -1 and cells[8] else ""
        sentence = f"The move must be refused with ValueError: {why}."
        case.fail(sentence, said=f"no exception{name}")
    sentence = f"The move must be refused with your own ValueError: {why}."
    case.require(raised == "ValueError", sentence, said=raised)
    sentence = "The move was refused, but the game changed anyway. Test first, write last."
    case.require(not value["changed"], sentence, board=None, picture=board_picture(cells, 3))


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Results, games drawn anew beside the reference, and the laws of all games."""
    for what, played in {"the game has just begun": [0], **_GAMES}.items():
        _check_results(check, played, what)
    for size, length in _SIZES:
        for first in (1, -1):
            game = TicTacToe(size, length)
            game.reset(first_player=first)
            while not game.done:
                game.step(check.rng.choice(game.get_legal_moves()))
            moves = list(game.history)
            _check_walk(check, size, length, moves, first, f"The moves are {moves}")
    broken = check.probe("laws", 2, check.rng.randrange(1000), seconds=8).value
    if broken is not None:
        law, played, message = broken
        lines = str(message).splitlines()
        sentence = f"Your game breaks the law '{law}' of all games: {lines[-1].strip()}"
        shown = f"check_game(MyTicTacToe), after the moves {played}"
        check.fail(None, sentence, shown=shown, picture=Picture("\n".join(lines)))
    check.note("12 games equal to the reference, on 6 boards; all laws of games kept")


def _check_results(check: Check, moves: list[int], what: str) -> None:
    game = TicTacToe()
    for move in moves:
        game.step(move)
    right = [game.get_result(player) for player in (1, -1)] if game.done else ["ValueError"] * 2
    value = check.probe("results", 3, None, moves).value
    for player, expected, result in zip((1, -1), right, value, strict=True):
        sentence = "The game is not over: get_result raises ValueError."
        if game.done:
            sentence = f"In this game {what}: get_result({player}) is {expected}."
        case = check.case(shown=f"get_result({player}) after {moves}", board=after(moves))
        case.require(result == expected, sentence, "", str(result), expected)


# ------------------------------------------------------------------ parts


def _agrees(name: str, value: Any, expected: Any, game: TicTacToe) -> bool:
    """Whether a value is right; where a line is wanted, any line of the winner will do."""
    if name not in ("line", "winning_line") or expected is None:
        return bool(value == expected)
    cells = [int(cell) for cell in game.board]
    lines = lines_of(cells, game.rows, game.cols, game.win_length, game.winner or 0)
    return is_line(value, lines)


def _plain(size: Size) -> Any:
    return list(size) if isinstance(size, tuple) else size
