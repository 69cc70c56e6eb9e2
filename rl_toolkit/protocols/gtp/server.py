"""`GtpServer`: an engine of ours behind GTP 2, for programs that show and referee games."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import BaseGameEnv, game_families, make_game
from rl_toolkit.envs.registry import family_of
from rl_toolkit.protocols.gtp.client import POSITION
from rl_toolkit.protocols.gtp.vertices import COLOURS, PLAYERS, can_name, move_of, vertex_of
from rl_toolkit.protocols.serving import (
    NAME,
    EngineFactory,
    answer_of,
    for_one_move,
    lines_of,
    share_of,
)
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import shown

#: What GTP ignores in a line: comments and control characters other than tabs.
_COMMENT = re.compile(r"#.*")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_WORDS = re.compile(r"\s*(?P<id>[0-9]{1,18})?(?(id)(?:\s+|$))\s*(?P<command>\S*)\s*(?P<rest>.*)")


class GtpError(ValueError):
    """A command that cannot be done; the message is the answer."""


class GtpServer:
    """Answers GTP commands with the engine that ``make_engine`` gives for a game.

    ``game`` is the game at the start; ``boardsize`` and ``set_game`` choose another. Raises
    ``ValueError`` if there is no engine for it, and `GtpError` if its board has more columns than
    GTP has letters.
    """

    def __init__(
        self, game: str, make_engine: EngineFactory, version: str = "", name: str = ""
    ) -> None:
        self._make_engine, self._version_text, self._name_text = make_engine, version, name or NAME
        self._env = make_game(game)
        if not can_name(self._env):
            raise GtpError(f"GTP has no letters for {self._env.cols} columns")
        self._engine: Engine = make_engine(self._env.name)
        self._clock = _Clock()
        self.has_quit = False

    def serve(self, reader: TextIO, writer: TextIO) -> None:
        """Answer every line until ``quit`` or the end of the input."""
        for line in lines_of(reader):
            answer = self.answer(line)
            if answer is not None:
                writer.write(answer)
                writer.flush()
            if self.has_quit:
                return

    def answer(self, line: str) -> str | None:
        r"""The answer to a line, with its two line ends; ``None`` for a line without a command.

        >>> from rl_toolkit.algorithms.simple import FirstMoveEngine
        >>> GtpServer("reversi", lambda game: FirstMoveEngine()).answer("7 genmove black")
        '=7 D3\n\n'
        """
        match = _WORDS.match(_COMMENT.sub("", _CONTROL.sub("", line)))
        if match is None or not match[0].strip():
            return None
        number, words = match["id"] or "", match["rest"].split()
        try:
            handler = _COMMANDS.get(match["command"])
            if handler is None:
                raise GtpError("unknown command")
            mark, text = "=", handler(self, words)
        except Exception as error:  # an engine may raise anything, and the program must go on
            mark, text = "?", str(error) or type(error).__name__
        # An empty line would end the answer.
        first, *more = (_CONTROL.sub(" ", line).rstrip() for line in text.split("\n"))
        return "\n".join([f"{mark}{number} {first}".rstrip(), *filter(None, more)]) + "\n\n"

    # ---------------------------------------------------------------- about itself

    def _protocol_version(self, words: list[str]) -> str:
        return "2"

    def _name(self, words: list[str]) -> str:
        return self._name_text

    def _version(self, words: list[str]) -> str:
        return self._version_text

    def _known_command(self, words: list[str]) -> str:
        return "true" if _one(words, "the name of a command") in _COMMANDS else "false"

    def _list_commands(self, words: list[str]) -> str:
        return "\n".join(_COMMANDS)

    def _quit(self, words: list[str]) -> str:
        self.has_quit = True
        return ""

    # ------------------------------------------------------------------- the game

    def _begin(self, env: BaseGameEnv) -> None:
        """Begin a game; nothing changes if there is no engine for it."""
        if not can_name(env):
            raise GtpError(f"GTP has no letters for {env.cols} columns")
        if self._env.name != env.name:
            self._engine = self._make_engine(env.name)
        self._env = env

    def _set_game(self, words: list[str]) -> str:
        self._begin(make_game(" ".join(words)))
        return ""

    def _list_games(self, words: list[str]) -> str:
        return "\n".join(family.name for family in game_families())

    def _boardsize(self, words: list[str]) -> str:
        side = _whole(_one(words, "a size"))
        self._resize(side, side)
        return ""

    def _rectangular_boardsize(self, words: list[str]) -> str:
        if len(words) != 2:
            raise GtpError("rectangular_boardsize takes columns and rows")
        cols, rows = map(_whole, words)
        self._resize(rows, cols)
        return ""

    def _resize(self, rows: int, cols: int) -> None:
        if (self._env.rows, self._env.cols) == (rows, cols):
            self._clear_board([])
            return
        self._begin(_resized(self._env, rows, cols))

    def _clear_board(self, words: list[str]) -> str:
        self._begin(make_game(self._env.name))
        self._clock.restart()
        return ""

    def _komi(self, words: list[str]) -> str:
        if not math.isfinite(_number(_one(words, "a number"))):
            raise GtpError("syntax error")
        return ""

    def _position(self, words: list[str]) -> str:
        self._env = position_from_text(make_game(self._env.name), " ".join(words))
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise GtpError("play takes a colour and a vertex")
        game = self._to_move(_player(words[0]))
        try:
            game.step(move_of(game, words[1]))
        except ValueError as error:
            raise GtpError(f"illegal move: {error}") from error
        self._env = game
        return ""

    def _undo(self, words: list[str]) -> str:
        if not self._env.history:
            raise GtpError("cannot undo")
        self._env.undo()
        return ""

    def _to_move(self, player: int) -> BaseGameEnv:
        """A copy of the game with ``player`` to move; others pass if they must, or may."""
        game = self._env.copy()
        if game.is_terminal() or game.current_player == player:
            return game
        if game.must_pass():
            assert game.pass_move is not None
            game.step(game.pass_move)
        elif not game.history and not game.traits.passes:
            game.reset(first_player=player)  # White may begin
        if game.current_player != player:
            raise GtpError(f"illegal move: it is not {COLOURS[player]}'s turn")
        return game

    # ------------------------------------------------------------------- thinking

    def _genmove(self, words: list[str]) -> str:
        game, move = self._choose(words)
        vertex = vertex_of(game, move)
        game.step(move)
        self._env = game
        return vertex

    def _reg_genmove(self, words: list[str]) -> str:
        return vertex_of(*self._choose(words))

    def _choose(self, words: list[str]) -> tuple[BaseGameEnv, int]:
        player = _player(_one(words, "a colour"))
        game = self._to_move(player)
        if game.is_terminal():
            raise GtpError("the game is over")
        began = time.monotonic()
        seconds = self._clock.seconds(player, game)
        analysis = answer_of(self._engine, game.copy(), Limit(time=seconds))
        self._clock.spend(player, time.monotonic() - began)
        if analysis.best_move is None:
            raise GtpError("the engine has no move")
        return game, analysis.best_move

    def _time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise GtpError("time_settings takes main time, byo-yomi time and byo-yomi stones")
        main, extra = (_number(word) for word in words[:2])
        stones = _whole(words[2])
        if not (0 <= main < math.inf and 0 <= extra < math.inf):
            raise GtpError("syntax error")
        self._clock = _Clock(main, extra, stones)
        return ""

    def _time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise GtpError("time_left takes a colour, a time and a number of stones")
        seconds, stones = _number(words[1]), _whole(words[2])
        if not math.isfinite(seconds):
            raise GtpError("syntax error")
        self._clock.set(_player(words[0]), max(0.0, seconds), stones)
        return ""

    # -------------------------------------------------------------------- looking

    def _showboard(self, words: list[str]) -> str:
        board = self._env.render(mode="ansi") or ""
        if self._env.is_terminal():
            return f"\n{board}\nThe game is over: {self._score()}"
        return f"\n{board}\n{COLOURS[self._env.current_player]} to move"

    def _final_score(self, words: list[str]) -> str:
        if not self._env.is_terminal():
            raise GtpError("the game is not over")
        return self._score()

    def _score(self) -> str:
        """``B+12``: by pieces where they are counted, otherwise by 1."""
        env = self._env
        if not env.winner:
            return "0"
        lead = abs(env.piece_count(1) - env.piece_count(-1)) if env.traits.score_unit else 1
        return f"{'B' if env.winner > 0 else 'W'}+{lead}"


class _Clock:
    """The time of both players: main time, then ``extra`` seconds for every ``stones`` moves."""

    def __init__(self, main: float = 0.0, extra: float = 0.0, stones: int = 0) -> None:
        self._main, self._extra, self._stones = main, extra, stones
        # Byo-yomi time without stones means no limit, says the protocol.
        self._is_on = (main > 0 or extra > 0) and not (extra > 0 and stones == 0)
        self.restart()

    def restart(self) -> None:
        self._left = {1: (self._main, 0), -1: (self._main, 0)}

    def set(self, player: int, seconds: float, stones: int) -> None:
        """What the other program says is left: of main time if ``stones`` is 0."""
        self._is_on = True
        self._left[player] = (seconds, stones)

    def spend(self, player: int, seconds: float) -> None:
        left, stones = self._left[player]
        self._left[player] = (max(0.0, left - seconds), max(0, stones - 1))

    def seconds(self, player: int, env: BaseGameEnv) -> float | None:
        """The time for the next move, ``None`` without a limit."""
        if not self._is_on:
            return None
        left, stones = self._left[player]
        if stones > 0:
            return for_one_move(left / stones)
        if self._stones > 0 and left <= 0:
            return for_one_move(self._extra / self._stones)
        return share_of(left, env)


def _resized(env: BaseGameEnv, rows: int, cols: int) -> BaseGameEnv:
    """A game of the same family in another size; games write sizes as 9, as 6x7, or as either."""
    family = family_of(env.name)
    assert family is not None
    for variant in (*([str(rows)] if rows == cols else []), f"{rows}x{cols}"):
        with suppress(ValueError):
            game = make_game(f"{family.name}-{variant}")
            if (game.rows, game.cols) == (rows, cols):
                return game
    raise GtpError("unacceptable size")


# ------------------------------------------------------------------------ arguments


def _one(words: list[str], what: str) -> str:
    if len(words) != 1:
        raise GtpError(f"syntax error: this takes {what}")
    return words[0]


def _player(word: str) -> int:
    if word.lower() not in PLAYERS:
        raise GtpError(f"syntax error: {shown(word)} is not a colour")
    return PLAYERS[word.lower()]


def _whole(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise GtpError(f"syntax error: {shown(word)} is not a whole number")
    return int(word)


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError as error:
        raise GtpError(f"syntax error: {shown(word)} is not a number") from error


_COMMANDS: dict[str, Callable[[GtpServer, list[str]], str]] = {
    "protocol_version": GtpServer._protocol_version,
    "name": GtpServer._name,
    "version": GtpServer._version,
    "known_command": GtpServer._known_command,
    "list_commands": GtpServer._list_commands,
    "quit": GtpServer._quit,
    "list_games": GtpServer._list_games,
    "set_game": GtpServer._set_game,
    "boardsize": GtpServer._boardsize,
    "rectangular_boardsize": GtpServer._rectangular_boardsize,
    "clear_board": GtpServer._clear_board,
    "komi": GtpServer._komi,
    POSITION: GtpServer._position,
    "play": GtpServer._play,
    "genmove": GtpServer._genmove,
    "reg_genmove": GtpServer._reg_genmove,
    "undo": GtpServer._undo,
    "time_settings": GtpServer._time_settings,
    "time_left": GtpServer._time_left,
    "final_score": GtpServer._final_score,
    "showboard": GtpServer._showboard,
}
