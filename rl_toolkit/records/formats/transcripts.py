"""A game as a sequence of moves: ``4453`` · ``f5d6c3`` · ``h8i9`` · ``b2a1``.

=====================  =========================================================================
moves are columns      numbered from 1; letters if there are more than nine columns
games with passes      squares; a pass is omitted, since a side without a move must pass
other games            `BaseGameEnv.move_name`, separated by spaces where necessary
=====================  =========================================================================

A transcript starts from the usual starting position. To read one that starts elsewhere, or with
the other side to move, pass that position: ``from_transcript(start, text)``.
"""

from __future__ import annotations

import re

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.position import Game, fresh_game
from rl_toolkit.records.errors import TranscriptError
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.move_names import move_named
from rl_toolkit.utils import shown

MOST_DIGIT_COLUMNS = 9

_WORD = r"[^\s,]+"
_LETTER = r"[a-z]"
_SQUARE = r"[a-z][0-9]+"
# A move number stands at the start of a word and is followed by a move: "1. f5", "2... d6".
_COUNT = r"(?<![^\s,])([0-9]+)\.+(?=\s*[^\s,.])"


def to_transcript(game: BaseGameEnv | GameRecord) -> str:
    """The moves of a game or a record, from its starting position.

    Passes are omitted, except one at the very end (``--``), which no later move implies.

    >>> to_transcript(from_transcript("connect-four", "d d, e c"))
    '4453'
    """
    env = game.replay() if isinstance(game, GameRecord) else game
    moves = env.history
    if env.pass_move is not None and not env.names_vary:
        return "".join(
            "--" if move == env.pass_move else env.move_name(move)
            for number, move in enumerate(moves, 1)
            if move != env.pass_move or number == len(moves)
        )
    if _by_digits(env):
        return "".join(str(move + 1) for move in moves)
    names = env.history_names()
    return ("" if _common_form(env) else " ").join(names)


def from_transcript(game: Game, text: str) -> BaseGameEnv:
    """A game after the moves in ``text``, from the start or from the given position.

    Spaces, commas, line breaks and move numbers (``1.``) may separate moves; case does not matter.
    Connect Four accepts digits, letters and squares (``d1``), Reversi accepts written passes
    (``--``, ``pass``). Raises `TranscriptError` with the number of the move, from 1 as written.

    >>> from_transcript("reversi", "1. F5 d6 2. C3").history
    [37, 43, 18]
    """
    env = fresh_game(game)
    if not isinstance(text, str):
        raise TranscriptError(f"a transcript is text, not {shown(text)}")
    # Everything between separators matches as a move number or a move: nothing is skipped.
    scanner = re.compile(rf"{_COUNT}|(?P<move>{_move_pattern(env)})", re.IGNORECASE | re.ASCII)
    number = 1
    for match in scanner.finditer(text):
        word = match["move"]
        if word is None:
            _check_count(match[1], env, number)
            continue
        try:
            _play(env, word)
        except ValueError as error:
            refused = TranscriptError(str(error), f"move {number} ({shown(word)})")
            refused.reached, refused.word = env, word
            raise refused from error
        number += 1
    return env


def _by_digits(env: BaseGameEnv) -> bool:
    """Whether moves are columns that can be written as single digits."""
    return env.traits.move_by == "column" and env.cols <= MOST_DIGIT_COLUMNS


def _common_form(env: BaseGameEnv) -> str | None:
    """The pattern that separates the names of moves without spaces, ``None`` if there is none."""
    if not env.traits.has_grid:
        return None  # its names depend on the position
    names = [env.move_name(move) for move in range(env.num_moves)]
    for form in (_SQUARE, _LETTER):
        if all(re.fullmatch(form, name) for name in names):
            return form
    return None


def _move_pattern(env: BaseGameEnv) -> str:
    """The pattern of one move, or of a whole word if nothing better matches."""
    if env.traits.move_by == "column":
        return f"{_LETTER}[0-9]*|[0-9]|{_WORD}" if _by_digits(env) else f"{_LETTER}[0-9]*|{_WORD}"
    if env.pass_move is not None and not env.names_vary:
        return f"--|pass|pa|{_SQUARE}|{_WORD}"
    form = _common_form(env)
    return f"{form}|{_WORD}" if form else _WORD


def _check_count(digits: str, env: BaseGameEnv, number: int) -> None:
    """Reject a move number that is too large, such as a row of columns that ends in a dot."""
    next_move = env.move_count + 1
    if len(digits) > 4 or int(digits) > next_move:
        raise TranscriptError(
            f"{shown(digits + '.')} is not its number: it is move {next_move} of the game",
            f"move {number}",
        )


def _play(env: BaseGameEnv, word: str) -> None:
    move = env.parse_move(word) if _by_digits(env) else move_named(env, word)
    if env.pass_move not in (None, move) and env.must_pass():
        env.step(env.pass_move)
    env.step(move)
