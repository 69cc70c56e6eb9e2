"""Find out by play how a plain class writes its board, players, moves and winners.

`learn` looks for the parts of a game by their usual names, then plays: the first moves show which
mark belongs to which player and whether a move is a cell or a column, and a few random games show
how winners are told. Every question that stays open becomes a sentence in an `AdaptationError`.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import random
import sys
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from rl_toolkit.adapting import spellings
from rl_toolkit.adapting.boards import BoardFormatError, Cells, is_rows_of_text, read_cells
from rl_toolkit.adapting.failures import error_text
from rl_toolkit.adapting.form import Form
from rl_toolkit.adapting.objects import Reading, Snapshot, holds, plain_symbol
from rl_toolkit.adapting.spellings import ask, first_name, method, question
from rl_toolkit.envs import AdaptationError, GameError
from rl_toolkit.envs.validation import as_sides
from rl_toolkit.utils import shown

_GAMES, _MOST_PLIES = 12, 400
_EMPTY = (0, None, "", " ", ".", "-", "_", "·", "*", "#", "E", "empty", -1)
_PLAYERS = ("player", "piece", "symbol", "mark", "token", "who", "side", "color", "colour")
_KNOWN_PAIRS: tuple[dict[Hashable, int], ...] = ({1: 1, -1: -1}, {"X": 1, "O": -1}, {1: 1, 2: -1})


class _UnclearError(Exception):
    """Something could not be found out; the message is a sentence for people."""


def learn(title: str, start: Any) -> Reading:
    """How to read and play objects like ``start``, which is in its starting position.

    Raises `AdaptationError` with one sentence for each thing that could not be derived.
    """
    with _undisturbed() as printed:
        _require_parts(title, start)
        try:
            reading = _first_look(title, start)
            _trust_copies(reading)
            _watch_first_moves(reading)
            _watch_games(reading)
        except _UnclearError as error:
            raise AdaptationError(title, (str(error),)) from error.__cause__
        except GameError as error:
            raise AdaptationError(title, (str(error),)) from error
        except EOFError as error:
            raise AdaptationError(title, ("it asks for input while it is played",)) from error
        except Exception as error:
            what = f"playing it raised {error_text(error, type(start))}"
            raise AdaptationError(title, (what,)) from error
        reading.prints = bool(printed.getvalue())
        return reading


@contextlib.contextmanager
def _undisturbed() -> Iterator[io.StringIO]:
    """Nothing is printed, and nothing can be read from stdin."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            yield printed
    finally:
        sys.stdin = before


# --------------------------------------------------------------------------- by their names


def _require_parts(title: str, start: Any) -> None:
    """Raise `AdaptationError` that names all parts that are missing."""
    problems = []
    if first_name(start, spellings.BOARD) is None:
        problems.append(
            "it has no attribute `board` with the pieces, such as [0] * 9; "
            "a game without a board is a class on TextGame (`rl-toolkit help write_a_game`)."
        )
    if question(start, spellings.LEGAL) is None and not _is_legal_method(start):
        problems.append("it does not say which moves are legal: add get_legal_moves(self).")
    if _step_method(start) is None:
        problems.append("it has no method step(self, move) that plays a move.")
    if problems:
        raise AdaptationError(title, tuple(problems))


def _is_legal_method(start: Any) -> str | None:
    return method(start, spellings.IS_LEGAL, 1) or method(start, spellings.IS_LEGAL, 2)


def _step_method(start: Any) -> str | None:
    for name in spellings.STEP:
        value = getattr(start, name, None)
        if callable(value) and any(spellings.accepts(value, count) for count in (1, 2, 3)):
            return name
    return None


def _first_look(title: str, start: Any) -> Reading:
    """The parts of a game by their names, and the form of its board."""
    board, step = first_name(start, spellings.BOARD), _step_method(start)
    assert board is not None
    assert step is not None
    try:
        like = ask(start, board)
        cells = read_cells(like)
    except BoardFormatError as error:
        raise _UnclearError(f"its {board} {error}.") from error
    empty = _empty_mark(cells)
    legal = question(start, spellings.LEGAL)
    rows, cols = _sides(start, cells, _count_moves(start, legal, len(cells.marks)))
    needed = _needed(getattr(start, step))
    takes_player = len(needed) > 1 and any(word in needed[-1].lower() for word in _PLAYERS)
    reading = Reading(
        title=title,
        start=start,
        form=Form(rows, cols, like, empty, texts_are_rows=is_rows_of_text(like)),
        board=board,
        step=step,
        player=question(start, spellings.PLAYER),
        legal=legal,
        is_legal=None if legal is not None else _is_legal_method(start),
        done=question(start, spellings.DONE),
        winner=question(start, spellings.WINNER) or method(start, spellings.HAS_WON, 0),
        result=method(start, spellings.RESULT, 1),
        line=question(start, spellings.LINE),
        heuristic=method(start, ("evaluate_heuristic",), 1),
        takes_player=takes_player,
        takes_pair=len(needed) - takes_player == 2,
    )
    if reading.winner is None:
        reading.has_won = method(start, spellings.HAS_WON, 1)
    return reading


def _count_moves(start: Any, legal: str | None, cells: int) -> int:
    """How many legal moves there are at the start, 0 if that cannot be said."""
    if legal is not None:
        return len(list(ask(start, legal)))
    check = method(start, spellings.IS_LEGAL, 1)
    return sum(holds(getattr(start, check), move) for move in range(cells)) if check else 0


def _needed(function: Any) -> list[str]:
    """The names of the parameters that must be given."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind in kinds and p.default is p.empty] or ["move"]


def _sides(start: Any, cells: Cells, moves: int) -> tuple[int, int]:
    """Rows and columns of the board."""
    count = len(cells.marks)
    guesses = [cells.sides] if cells.sides else []
    for names in spellings.SIDES:
        pair = tuple(getattr(start, name, None) for name in names)
        if all(isinstance(side, (int, np.integer)) for side in pair):
            guesses.append((int(pair[0]), int(pair[1])))  # type: ignore[arg-type]
    for name in ("board_size", "size", "n"):
        size = getattr(start, name, None)
        pair = tuple(size) if isinstance(size, (tuple, list)) else (size, size)
        if len(pair) == 2 and all(isinstance(side, (int, np.integer)) for side in pair):
            guesses.append((int(str(pair[0])), int(str(pair[1]))))
    side = round(count**0.5)
    guesses.append((side, side))
    if moves and count % moves == 0 and moves < count:  # a move is a column
        guesses.append((count // moves, moves))
    fitting = next(((r, c) for r, c in guesses if r * c == count), (1, count))
    try:
        return as_sides(fitting)
    except ValueError as error:
        raise _UnclearError(f"its board is too large: {error}.") from error


def _empty_mark(cells: Cells) -> Hashable:
    """The mark of an empty cell: the one that is everywhere, or a usual one, or the most common."""
    counts = Counter(cells.marks)
    if len(counts) > 3:
        few = ", ".join(shown(mark) for mark in list(counts)[:5])
        raise _UnclearError(
            f"its board holds {few}, …: a board has empty cells and the pieces of two players."
        )
    usual = next((mark for mark in _EMPTY if mark in counts and len(counts) > 1), None)
    return usual if len(counts) > 1 and usual in counts else counts.most_common(1)[0][0]


# ------------------------------------------------------------------------------- by play


def _trust_copies(reading: Reading) -> None:
    """Use the class's own copy if it shares nothing; refuse classes whose objects share a board."""
    own = method(reading.start, spellings.COPY, 0)
    for copies in ([own] if own else []) + [None]:
        reading.copies = copies
        try:
            before = reading.marks_of(reading.start)
            twin = reading.copy_of(reading.start)
            if type(twin) is not type(reading.start) or reading.marks_of(twin) != before:
                continue
            _step_somehow(reading, twin)
            if reading.marks_of(reading.start) == before:
                return
        except (GameError, EOFError):
            raise
        except Exception as error:
            if copies is None:
                raise _UnclearError(
                    f"{reading.step}({shown(_first_move(reading))}) raised "
                    f"{error_text(error, type(reading.start))}."
                ) from error
    raise _UnclearError(
        f"all its objects share one {reading.board}: make it in __init__, as self.{reading.board}."
    )


def _first_move(reading: Reading) -> Any:
    moves = reading.own_moves(reading.start)
    if not moves:
        raise _UnclearError("it has no legal move at the start.")
    return moves[0]


def _step_somehow(reading: Reading, game: Any) -> Any:
    """Play the first legal move in the object itself; returns what its step returned."""
    own = _first_move(reading)
    arguments = list(own) if reading.takes_pair and isinstance(own, tuple) else [own]
    if reading.takes_player:
        arguments.append(_opener_symbol(reading))
    return getattr(game, reading.step)(*arguments)


def _opener_symbol(reading: Reading) -> Hashable:
    if reading.player is not None:
        return reading.symbol_of(reading.start)
    return "X" if isinstance(reading.form.empty, str) else 1


def _watch_first_moves(reading: Reading) -> None:
    """Learn marks, symbols and the kind of moves from the first moves of the game."""
    _find_player(reading)
    first = _opener_symbol(reading) if reading.player or reading.takes_player else 1
    guess = {"X": "O", "O": "X", 1: -1, 0: 1}.get(first, "other")  # until it is seen
    reading.note(symbols={first: 1, guess: -1})
    start = reading.start
    own = _first_move(reading)
    after, answer = reading.play_own(start, own, 1)
    again, _ = reading.play_own(start, own, 1)
    if reading.marks_of(after) != reading.marks_of(again):
        raise _UnclearError(f"{reading.step}({shown(own)}) does not always do the same.")
    mark = _new_mark(reading, start, after, own, answer)
    second = _second_symbol(reading, after, first)
    reading.note(symbols={first: 1, second: -1})
    if reading.switch is not None:
        after, answer = reading.play_own(start, own, 1)
    replies = reading.own_moves(after)
    if not replies:
        raise _UnclearError(f"after {reading.step}({shown(own)}) there is no legal move.")
    answered, reply = reading.play_own(after, replies[0], -1)
    other = _new_mark(reading, after, answered, replies[0], reply)
    if mark == other:
        raise _UnclearError(f"both players put down {shown(mark)}, so their pieces look the same.")
    reading.note(marks={mark: 1, other: -1})
    reading.opener = 1
    _choose_opener(reading, first, second, mark, other)
    _kind_of_moves(reading)


def _find_player(reading: Reading) -> None:
    """Prefer a name for the side to move whose value a move changes."""
    after = reading.copy_of(reading.start)
    _step_somehow(reading, after)
    for name in spellings.PLAYER:
        if question(after, (name,)) is not None:
            symbols = [plain_symbol(ask(game, name)) for game in (reading.start, after)]
            if symbols[0] != symbols[1] and not isinstance(ask(after, name), (list, np.ndarray)):
                reading.player = name
                return


def _new_mark(reading: Reading, before: Any, after: Any, own: Any, answer: Any) -> Hashable:
    """The mark that a move has put on an empty cell."""
    pairs = list(zip(reading.marks_of(before), reading.marks_of(after), strict=True))
    new = {mark for old, mark in pairs if old == reading.form.empty and mark != reading.form.empty}
    told = f"{reading.step}({shown(own)})"
    if not new:
        refused = f" and returned {shown(answer)}" if answer is not None else ""
        raise _UnclearError(f"{told} put no piece on its {reading.board}{refused}.")
    if len(new) > 1:
        raise _UnclearError(f"{told} put down pieces of both players; a step is one player's move.")
    return new.pop()


def _second_symbol(reading: Reading, after: Any, first: Hashable) -> Hashable:
    """The symbol of the player who moves second, where the class tells whose turn it is."""
    if reading.player is None:
        return next(symbol for symbol, side in reading.form.symbols.items() if side == -1)
    second = reading.symbol_of(after)
    if second != first:
        return second
    reading.switch = method(after, spellings.SWITCH, 0)
    if reading.switch is not None:
        trial = reading.copy_of(after)
        getattr(trial, reading.switch)()
        return reading.symbol_of(trial)
    if reading.takes_player:
        return next(symbol for symbol, side in reading.form.symbols.items() if side == -1)
    raise _UnclearError(
        f"after a move {reading.player} is still {shown(first)}: let step pass the turn to the "
        "other player."
    )


def _choose_opener(
    reading: Reading, first: Hashable, second: Hashable, mark: Hashable, other: Hashable
) -> None:
    """Decide who is player +1, and whether either side may open."""
    reading.can_choose_opener = _can_give_turn(reading, other)
    known = next((pair for pair in _KNOWN_PAIRS if {*pair} == {first, second}), None)
    side = 1 if known is None or not reading.can_choose_opener else known[first]
    reading.note(symbols={first: side, second: -side}, marks={mark: side, other: -side})
    reading.opener = side


def _can_give_turn(reading: Reading, other: Hashable) -> bool:
    """Whether the second player opens after the turn was assigned."""
    if reading.player is None:
        return reading.takes_player
    try:
        game = reading.copy_of(reading.start)
        if callable(getattr(game, reading.player)):
            return False
        raw = getattr(game, reading.player)
        if plain_symbol(raw) is not raw and not isinstance(raw, np.generic):
            return False  # players are objects, of which copies are made
        reading.give_turn(game, -1)
        own = reading.own_moves(game)[0]
        after, answer = reading.play_own(game, own, -1)
        return _new_mark(reading, game, after, own, answer) == other
    except Exception:  # whatever goes wrong, the turn cannot be assigned
        return False


def _kind_of_moves(reading: Reading) -> None:
    """Learn whether moves are cells, columns, pairs or something else."""
    start, side = reading.start, reading.opener
    own = reading.own_moves(start)
    landing = {}
    for move in own[:40]:
        try:
            hash(move)
        except TypeError as error:
            raise _UnclearError(
                f"its move {shown(move)} is neither a number nor a pair."
            ) from error
        after, _ = reading.play_own(start, move, side)
        new = [k for k, (a, b) in enumerate(_pairs(reading, start, after)) if a != b]
        fresh = [k for k in new if reading.marks_of(start)[k] == reading.form.empty]
        landing[move] = fresh[0] if fresh else None
    rows, cols = reading.form.rows, reading.form.cols
    cells = rows * cols
    for offset in (0, 1):
        reading.note(first=offset)
        if all(isinstance(m, tuple) and [type(part) for part in m] == [int, int] for m in own):
            reading.note(moves="pair")
        elif not all(isinstance(m, int) and not isinstance(m, bool) for m in own):
            break
        elif len(own) == cols < cells and _all_columns(landing, offset, cols):
            reading.note(moves="column")
            return
        elif len(own) == rows < cells and _all_columns_of(landing, offset, cols):
            reading.note(moves="column", is_transposed=True, rows=cols, cols=rows)
            return
        else:
            reading.note(moves="cell")
        if all(cell is None or reading.number(m) == cell for m, cell in landing.items()):
            return
    letters = all(isinstance(m, str) and len(m) == 1 and m.isalpha() for m in own)
    if letters and all(
        cell is not None and ord(m.lower()) - ord("a") == cell % cols for m, cell in landing.items()
    ):
        reading.note(moves="letter" if len(own) <= cols < cells else "other")
        return
    reading.note(moves="other", first=0)
    known = [cell for cell in landing.values() if cell is not None]
    if not known or len(set(known)) < len(known):
        raise _UnclearError(
            f"its moves, such as {shown(own[0])}, could not be read: a move is a cell, a column, "
            "or a pair (row, column)."
        )


def _pairs(reading: Reading, before: Any, after: Any) -> list[tuple[Hashable, Hashable]]:
    return list(zip(reading.marks_of(before), reading.marks_of(after), strict=True))


def _all_columns(landing: dict[Any, int | None], offset: int, cols: int) -> bool:
    return all(cell is not None and cell % cols == m - offset for m, cell in landing.items())


def _all_columns_of(landing: dict[Any, int | None], offset: int, cols: int) -> bool:
    """The same for a board that is a list of columns."""
    return all(cell is not None and cell // cols == m - offset for m, cell in landing.items())


# ------------------------------------------------------------------------- by whole games


#: The end of a game: who moved last, the object, and what its step returned.
_End = tuple[int, Any, Any]


def _watch_games(reading: Reading) -> None:
    """Learn passes, winners and rewards from random games.

    Winners may be named like players or like their pieces. Where these differ, that reading is
    taken in which the last mover has won more often.
    """
    readings: list[tuple[int, list[_End], bool]] = []
    differ = set(reading.form.symbols) != set(reading.form.marks)
    for as_marks in (False, True) if differ else (False,):
        reading.winners_are_marks = as_marks
        if reading.winner_of(reading.start, 1) is not None:
            continue  # nobody has won at the start
        ends: list[_End] = []
        for number in range(_GAMES):
            _watch_game(reading, random.Random(number), ends)
        right = sum(reading.winner_of(game, mover) == mover for mover, game, _ in ends)
        readings.append((right, ends, as_marks))
    if not readings:
        raise _UnclearError("it says that the game is won before the first move.")
    _, ends, reading.winners_are_marks = max(readings, key=lambda each: each[0])
    if reading.winner is None and reading.has_won is None and reading.result is None:
        _watch_rewards(reading, ends)
    if reading.copies is not None and not _copies_everything(reading):
        reading.copies = None


def _watch_game(reading: Reading, rng: random.Random, ends: list[_End]) -> None:
    """Play one random game to its end, and add that to ``ends``."""
    here = reading.opening(reading.opener)
    for _ in range(_MOST_PLIES):
        own = rng.choice(list(here.moves.values()))
        game, answer = reading.play_own(here.game, own, here.player)
        after = reading.position(game, here.player, answer, here)
        _check_change(reading, here, after, own)
        if after.winner is not None:
            ends.append((here.player, game, answer))
            return
        here = after


def _check_change(reading: Reading, before: Snapshot, after: Snapshot, own: Any) -> None:
    new = np.flatnonzero((before.cells == 0) & (after.cells != 0))
    changed = np.flatnonzero(before.cells != after.cells)
    if len(new) != 1 or len(changed) != 1:
        reading.places = False
    if len({int(after.cells[cell]) for cell in new}) > 1:
        raise _UnclearError(
            f"{reading.step}({shown(own)}) put down pieces of both players; "
            "a step is one player's move."
        )


def _watch_rewards(reading: Reading, ends: list[_End]) -> None:
    """Learn from whose view rewards are, for a class that tells winners in no other way."""
    if any("winner" in part for _, _, answer in ends for part in _dicts(answer)):
        return
    rewards = [
        (mover, float(answer[1]))
        for mover, _, answer in ends
        if isinstance(answer, tuple) and len(answer) > 2 and _is_number(answer[1])
    ]
    decided = [(mover, reward) for mover, reward in rewards if reward]
    if not rewards:
        raise _UnclearError("it does not say who has won: add an attribute `winner`.")
    if any(mover == -1 for mover, _ in decided):
        if all(reward > 0 for _, reward in decided):
            reading.rewards = "mover"
            return
        if all(reward * mover > 0 for mover, reward in decided):
            reading.rewards = "first"
            return
    raise _UnclearError(
        "its rewards do not show who has won: add an attribute `winner`, None until the end."
    )


def _copies_everything(reading: Reading) -> bool:
    """Whether a copy made in mid-game plays on like the original."""
    rng = random.Random(0)
    here = reading.opening(reading.opener)
    for _ in range(6):
        if here.winner is not None:
            return True
        twins = [getattr(here.game, str(reading.copies))(), copy.deepcopy(here.game)]
        own = rng.choice(list(here.moves.values()))
        after = []
        for twin in twins:
            game, answer = reading.play_own(twin, own, here.player)
            end = reading.position(game, here.player, answer, here)
            after.append((end.cells.tobytes(), end.player, end.winner, sorted(end.moves)))
        if after[0] != after[1]:
            return False
        here = reading.play(here, next(m for m, o in here.moves.items() if o == own))
    return True


def _dicts(answer: Any) -> list[dict[str, Any]]:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return [part for part in parts if isinstance(part, dict)]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
