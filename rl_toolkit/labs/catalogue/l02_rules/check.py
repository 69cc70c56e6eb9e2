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
    side_name,
    state_of,
    tempting_boards,
    two_boards,
    why_no_line,
)
from rl_toolkit.labs.checking import Answer, Check, Picture, after, position, probe, signed

_SIZES: tuple[tuple[Size, int], ...] = (
    (3, 3),
    ((3, 4), 3),
    (4, 4),
    ((4, 3), 3),
    (5, 4),
    ((4, 6), 4),
)
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
_PANEL_BOARDS = [list(position(text).cells) for text, _ in _NINE] + [[0] * 9]
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
        probe("judged", 3, None, [*_PANEL_BOARDS, _WRAPPED]),
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
    fresh = {**state_of(TicTacToe())}
    for name, wanted in fresh.items():
        if answer.value[name] != wanted:
            what = {"mover": "current_player", "line": "winning_line", "count": "move_count"}
            own = what.get(name, "last_move" if name == "last" else name)
            check.fail(
                None,
                f"After reset {own} still is {answer.value[name]}, from the game before.",
                shown="reset() after a finished game",
                said=f"{own} = {answer.value[name]}",
                right=f"{own} = {wanted}",
            )
    for _ in range(6):
        _check_free(check)
    ended = check.probe("legal_at_the_end", [0, 3, 1, 4, 2], may_raise=True)
    if ended.error is None:  # step belongs to a later task
        check.require(
            ended.value == [],
            None,
            "The game is over here, so the list of legal moves must be empty.",
            shown="get_legal_moves() after X has won",
            said=str(ended.value),
            right="[]",
        )
    cells = _some_cells(check.rng)
    answer = check.probe("twins", cells, -1)
    twins = answer.value
    copied = dict(zip(("board", "current_player", "move_count"), twins["copied"], strict=True))
    right = {"board": cells, "current_player": -1, "move_count": sum(map(abs, cells))}
    check.require(
        not twins["same"], None, "copy returned the game itself.", shown="game.copy() is game"
    )
    for name, wanted in right.items():
        check.require(
            copied[name] == wanted,
            None,
            f"A copy is in the same position: its {name} must be {wanted}.",
            shown=f"game.copy().{name}",
            said=str(copied[name]),
            right=str(wanted),
            picture=board_picture(cells, 3),
        )
    check.require(
        twins["after"] == cells,
        None,
        "A mark on the copy shows up in the game itself: they share one board.",
        shown="game.copy(), then a mark on the copy",
        picture=board_picture(twins["after"], 3),
    )
    _check_keys(check)


def _check_start(check: Check, size: Size, length: int, first: int) -> None:
    answer = check.probe("start", _plain(size), length, first)
    game = TicTacToe(size, length)
    game.reset(first_player=first)
    found = answer.value
    rows, cols = game.rows, game.cols
    shown = f"reset({'' if first == 1 else first}) on {rows} × {cols}"
    right = state_of(game)
    for name in right:
        check.require(
            found[name] == right[name],
            None,
            f"At the start {_OWN.get(name, name)} is {right[name]}, not {found[name]}.",
            shown=shown,
            said=str(found[name]),
            right=str(right[name]),
        )
    check.require(
        found["returned"] == right["board"],
        None,
        "reset must return a copy of the empty board.",
        shown=shown,
        said=str(found["returned"]),
    )
    check.require(
        found["kept"] == right["board"],
        None,
        "reset returned the board of the game itself, and writing into it changed the game: "
        "return a copy.",
        shown=f"board = {shown}, then board[0] = 1",
    )
    check.require(
        found["legal"] == list(range(rows * cols)),
        None,
        f"On an empty board of {rows} × {cols} all {rows * cols} cells are legal, smallest first.",
        shown="get_legal_moves()",
        said=str(found["legal"]),
    )


def _check_free(check: Check) -> None:
    cells, mover = _some_cells(check.rng), check.rng.choice([1, -1])
    answer = check.probe("legal", 3, None, cells, mover)
    right = [cell for cell in range(9) if not cells[cell]]
    check.require(
        answer.value == right,
        None,
        f"The legal moves are the {len(right)} free cells, as a list of numbers.",
        shown="get_legal_moves()",
        said=str(answer.value),
        right=str(right),
        picture=board_picture(cells, 3),
    )


def _check_keys(check: Check) -> None:
    cells = _some_cells(check.rng)
    moved = list(cells)
    moved[cells.index(0)] = -1
    numbers = check.probe("keys", [[cells, 1], [cells, -1], [moved, 1], [cells, 1]]).value
    if numbers[1] == 0:
        check.fail(
            None,
            "The key is the same with the other side to move. Board and mover belong to it.",
            shown="get_state_hash() with X and with O to move",
            picture=board_picture(cells, 3),
        )
    first, second = [1, -1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0, -1]
    check.require(
        check.probe("keys", [[first, 1], [second, 1]]).value == [0, 1],
        None,
        "Two boards with the same number of marks have the same key: where they stand belongs "
        "to it.",
        shown="get_state_hash()",
        picture=board_picture(second, 3),
    )
    check.require(
        numbers == [0, 1, 2, 0],
        None,
        "Two boards that differ have the same key, or the same position has two.",
        shown="get_state_hash()",
    )


def _some_cells(rng: random.Random) -> list[int]:
    """A board in the middle of a game: some marks, no line."""
    game = TicTacToe()
    for _ in range(rng.randint(1, 4)):
        game.step(rng.choice(game.get_legal_moves()))
    return [int(cell) for cell in game.board]


# ------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """The nine boards, boards that tempt, then boards drawn anew of every size."""
    nine = [list(position(text).cells) for text, _ in _NINE]
    for (_, what), cells, found in zip(_NINE, nine, _judged(check, 3, 3, nine), strict=True):
        _check_judged(check, 3, 3, cells, found, f"Here {what}.")
    cells = [0] * 9
    _check_judged(
        check, 3, 3, cells, _judged(check, 3, 3, [cells])[0], "Empty cells are not a line."
    )
    checked = 0
    for size, length in _SIZES:
        boards = list(tempting_boards(check.rng, size, length, 24))
        for cells, found in zip(boards, _judged(check, size, length, boards), strict=True):
            _check_judged(check, size, length, cells, found, "")
        checked += len(boards)
    check.note(f"{checked + 10} boards of {len(_SIZES)} sizes judged right")


def _judged(check: Check, size: Size, length: int, boards: Sequence[list[int]]) -> Any:
    return check.probe("judged", _plain(size), length, list(boards)).value


def _check_judged(
    check: Check, size: Size, length: int, cells: list[int], found: Any, what: str
) -> None:
    game = TicTacToe(size, length)
    complaint = _complaint(game, cells, found, what)
    if complaint is not None:
        sentence, shown, said, right = complaint
        picture = board_picture(cells, game.cols)
        check.fail(None, sentence, shown=shown, said=str(said), right=str(right), picture=picture)


def _complaint(
    game: TicTacToe, cells: list[int], found: Any, what: str
) -> tuple[str, str, Any, Any] | None:
    """What is wrong about a judged board: sentence, call, answer, right answer; None if nothing."""
    length, any_line = game.win_length, False
    for player, line, wins in zip((1, -1), found["lines"], found["wins"], strict=True):
        side = side_name(player)
        lines = lines_of(cells, game.rows, game.cols, length, player)
        any_line |= bool(lines)
        shown = f"find_line({player}) on {game.rows} × {game.cols}, {length} in a row"
        if lines and line is None:
            sentence = what or f"{side} has {length} in a row: {cell_names(lines[0], game)}."
            return sentence, shown, None, lines[0]
        if line is not None and not is_line(line, lines):
            sentence = why_no_line(line, cells, game, player, length)
            return sentence, shown, line, lines[0] if lines else None
        if wins != bool(lines):
            sentence = f"check_win must say whether {side} has a line."
            return sentence, f"check_win({player})", wins, bool(lines)
    over = any_line or 0 not in cells
    if found["over"] is None or bool(found["over"]) != over:
        sentence = "Nobody has a line and a cell is free: the game goes on."
        if over:
            sentence = "The game is over when a side has a line or no cell is free."
        return sentence, "is_terminal()", found["over"], over
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
    answer = check.probe("walk", _plain(size), length, moves, first)
    _compare(check, size, length, moves, first, answer, what)


def _compare(
    check: Check, size: Size, length: int, moves: list[int], first: int, answer: Answer, what: str
) -> None:
    """The student's game beside the reference, move by move."""
    game = TicTacToe(size, length)
    game.reset(first_player=first)
    for number, move in enumerate(moves):
        _, reward, done, info = game.step(move)
        found, right = answer.value[number], state_of(game)
        told = found["told"]
        when = f"After move {number + 1} ({game.move_name(move)})"
        shown = f"step({move}) after {moves[:number]}" if number else f"step({move})"

        def fail(
            sentence: str, said: Any, wanted: Any, found: Any = found, shown: str = shown
        ) -> None:
            check.fail(
                None,
                sentence,
                shown=shown,
                said=str(said),
                right=str(wanted),
                picture=two_boards(found["board"], [int(cell) for cell in game.board], game.cols),
            )

        for name, wanted in right.items():
            if not _agrees(name, found[name], wanted, game):
                own = _OWN.get(name, name)
                fail(f"{when} {own} should be {wanted}. {what}.", f"{own} = {found[name]}", wanted)
        if told is None:
            fail(
                "step must return four things: board, reward, done, info.",
                "not a tuple of four",
                "",
            )
        if told["board"] != right["board"]:
            fail(f"{when} step returned another board.", told["board"], right["board"])
        if told["reward"] != reward:
            why = "The reward is X's: +1 if X has won, -1 if O has won, else 0."
            fail(f"{when} the reward is {signed(reward)}. {why}", told["reward"], reward)
        if bool(told["done"]) != done:
            fail(f"{when} done is {done}.", told["done"], done)
        for name in ("winner", "winning_line", "move_count", "last_move"):
            if not _agrees(name, told["info"][name], info[name], game):
                fail(f'{when} info["{name}"] is {info[name]}.', told["info"][name], info[name])
        if found["kept"] != right["board"]:
            text = "Writing into the board that step returned changes the game: return a copy."
            fail(text, "the game's own board", "a copy")
        if found["legal"] != game.get_legal_moves():
            text = f"{when} the legal moves are {game.get_legal_moves()}."
            fail(text, found["legal"], game.get_legal_moves())


def _check_refused(check: Check, moves: list[int], move: int, why: str) -> None:
    answer = check.probe("refused", moves, move)
    found, here = answer.value, after(moves)
    shown = f"step({move}) after {moves}"
    if found["raised"] is None:
        name = f", and {here.name(8)} got a mark" if move == -1 and found["board"][8] else ""
        check.fail(
            None,
            f"The move must be refused with ValueError: {why}.",
            shown=shown,
            said=f"no exception{name}",
            board=here,
        )
    check.require(
        found["raised"] == "ValueError",
        None,
        f"The move must be refused with your own ValueError: {why}.",
        shown=shown,
        said=found["raised"],
        board=here,
    )
    check.require(
        not found["changed"],
        None,
        "The move was refused, but the game changed anyway. Test first, write last.",
        shown=shown,
        picture=board_picture(found["board"], 3),
    )


# ------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """Results, games drawn anew beside the reference, and the laws of all games."""
    for what, played in {"the game has just begun": [0], **_GAMES}.items():
        _check_results(check, played, what)
    for size, length in _SIZES:
        for first in (1, -1):
            game = TicTacToe(size, length)
            game.reset(first_player=first)
            moves: list[int] = []
            while not game.done:
                moves.append(check.rng.choice(game.get_legal_moves()))
                game.step(moves[-1])
            answer = check.probe("walk", _plain(size), length, moves, first)
            what = f"The moves are {moves}"
            _compare(check, size, length, moves, first, answer, what)
    broken = check.probe("laws", 2, check.rng.randrange(1000), seconds=8).value
    if broken is not None:
        law, played, message = broken
        lines = str(message).splitlines()
        check.fail(
            None,
            f"Your game breaks the law '{law}' of all games: {lines[-1].strip()}",
            shown=f"check_game(MyTicTacToe), after the moves {played}",
            picture=Picture("\n".join(lines)),
        )
    check.note("12 games equal to the reference, on 6 boards; all laws of games kept")


def _check_results(check: Check, moves: list[int], what: str) -> None:
    game = TicTacToe()
    for move in moves:
        game.step(move)
    right = [game.get_result(side) for side in (1, -1)] if game.done else ["ValueError"] * 2
    found = check.probe("results", 3, None, moves).value
    for player, wanted, result in zip((1, -1), right, found, strict=True):
        check.require(
            result == wanted,
            None,
            f"In this game {what}: get_result({player}) is {wanted}."
            if game.done
            else "The game is not over: get_result raises ValueError.",
            shown=f"get_result({player}) after {moves}",
            said=str(result),
            right=str(wanted),
            board=after(moves),
        )


# ------------------------------------------------------------------ parts

_OWN = {
    "mover": "current_player",
    "line": "winning_line",
    "count": "move_count",
    "last": "last_move",
}


def _agrees(name: str, found: Any, wanted: Any, game: TicTacToe) -> bool:
    """Whether a value is right; where a line is wanted, any line of the winner will do."""
    if name not in ("line", "winning_line") or wanted is None:
        return bool(found == wanted)
    cells = [int(cell) for cell in game.board]
    lines = lines_of(cells, game.rows, game.cols, game.win_length, game.winner or 0)
    return is_line(found, lines)


def _plain(size: Size) -> Any:
    return list(size) if isinstance(size, tuple) else size
