"""`GomocupServer`: an engine of ours behind the protocol of Gomocup, for Piskvork and others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TextIO

from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import BaseGameEnv, Gomoku, make_game
from rl_toolkit.protocols.gomocup.squares import can_play, move_of, square_of
from rl_toolkit.protocols.serving import (
    NAME,
    EngineFactory,
    answer_of,
    for_one_move,
    lines_of,
    share_of,
)
from rl_toolkit.utils import shown

#: The rules of ``INFO rule`` that our game has, with the variant's name.
_RULES = {0: "", 1: "-standard"}
_STONE = re.compile(r"\s*([0-9]+\s*,\s*[0-9]+)\s*,\s*([123])\s*")


class GomocupError(ValueError):
    """A command that cannot be done; the message follows the word ERROR."""


class GomocupServer:
    """Answers the commands of Gomocup with the engine that ``make_engine`` gives for a board."""

    def __init__(self, make_engine: EngineFactory, version: str = "") -> None:
        self._make_engine, self._version = make_engine, version
        self._engines: dict[str, Engine] = {}
        self._env: BaseGameEnv | None = None
        self._variant = ""
        self._times: dict[str, int] = {}
        self._stones: list[tuple[int, int]] | None = None  # while a board is being sent
        self._problem: GomocupError | None = None  # the first one of that board
        self.has_quit = False

    def serve(self, reader: TextIO, writer: TextIO) -> None:
        """Answer every line until ``END`` or the end of the input."""
        for line in lines_of(reader):
            answer = self.answer(line)
            if answer is not None:
                writer.write(f"{answer}\n")
                writer.flush()
            if self.has_quit:
                return

    def answer(self, line: str) -> str | None:
        """The answer to a line; ``None`` for those that the protocol leaves without one.

        These are ``INFO``, ``END``, empty lines, and the lines of a board before ``DONE``: one that
        is wrong is answered by one error after it.

        >>> from rl_toolkit.algorithms.simple import FirstMoveEngine
        >>> server = GomocupServer(lambda game: FirstMoveEngine())
        >>> server.answer("START 15"), server.answer("BEGIN"), server.answer("TURN 1,1")
        ('OK', '0,14', '1,14')
        """
        text = "".join(c if c.isprintable() else " " for c in line).strip()
        if not text:
            return None
        try:
            word, _, rest = text.partition(" ")
            if self._stones is not None and word.upper() not in _ENDS_A_BOARD:
                return self._board_line(text)
            self._stones = None
            handler = _COMMANDS.get(word.upper())
            if handler is None:
                return f"UNKNOWN there is no command {shown(word)}"
            return handler(self, rest.strip())
        except Exception as error:  # an engine may raise anything, and the program must go on
            self._stones = None
            return "ERROR " + " ".join((str(error) or type(error).__name__).split())

    # --------------------------------------------------------------------- the game

    def _start(self, rest: str) -> str:
        if not re.fullmatch(r"[0-9]{1,3}", rest):
            raise GomocupError("START takes a size")
        self._begin(rest)
        return "OK"

    def _rectstart(self, rest: str) -> str:
        sides = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", rest)
        if sides is None or sides[1] != sides[2]:
            raise GomocupError("only square boards are supported")
        self._begin(sides[1])
        return "OK"

    def _begin(self, size: str) -> None:
        env = make_game(f"{Gomoku.traits.name}-{size}{self._variant}")
        self._engine_for(env)
        self._env = env

    def _restart(self, rest: str) -> str:
        self._env = make_game(self._game().name)
        return "OK"

    def _info(self, rest: str) -> None:
        """Information that we have no use for is skipped, as the protocol wants."""
        key, _, value = rest.partition(" ")
        key = key.lower()
        if key not in ("rule", "timeout_turn", "timeout_match", "time_left"):
            return
        if not re.fullmatch(r"-?[0-9]{1,18}", value.strip()):
            raise GomocupError(f"INFO {key} takes a whole number")
        number = int(value)
        if key != "rule":
            self._times[key] = number
            return
        if number not in _RULES:
            raise GomocupError(f"rule {number} is not supported")
        self._variant = _RULES[number]
        env = self._env
        if env is not None and not env.board.any():
            self._begin(str(env.rows))

    def _turn(self, rest: str) -> str:
        game = self._game().copy()
        game.step(move_of(game, rest))
        return self._reply(game)

    def _play(self, rest: str) -> str:
        game = self._game().copy()
        move = move_of(game, rest)
        game.step(move)
        self._env = game
        return square_of(game, move)

    def _takeback(self, rest: str) -> str:
        game = self._game()
        move = move_of(game, rest)
        if not game.history or game.history[-1] != move:
            raise GomocupError("only the last move can be taken back")
        game.undo()
        return "OK"

    def _opening(self, rest: str) -> str:
        return self._reply(self._game().copy())

    def _board(self, rest: str) -> None:
        self._game()
        self._stones, self._problem = [], None

    def _board_line(self, text: str) -> str | None:
        """A line of the board; nothing is said about it before ``DONE``."""
        stones, problem = self._stones, self._problem
        assert stones is not None
        if text.upper().split()[0] == "DONE":
            self._stones = None
            if problem is not None:
                raise problem
            return self._reply(self._placed(stones))
        if problem is None:
            try:
                stones.append(self._stone(text))
                if len(stones) > self._game().board.size:
                    raise GomocupError("there are more stones than squares")
            except ValueError as error:
                self._problem = GomocupError(str(error))
        return None

    def _stone(self, text: str) -> tuple[int, int]:
        match = _STONE.fullmatch(text)
        if match is None:
            raise GomocupError(f"{shown(text)} is not x,y,field of a board")
        return move_of(self._game(), match[1]), int(match[2])

    def _placed(self, stones: list[tuple[int, int]]) -> BaseGameEnv:
        """The board that was sent, with us to move: own stones are 1, the others 2 or 3."""
        game = make_game(self._game().name)
        own = sum(field == 1 for _, field in stones)
        us = 1 if len(stones) - own == own else -1
        board = game.board.copy()
        for cell, field in stones:
            if board[cell]:
                raise GomocupError(f"{square_of(game, cell)} is on the board twice")
            board[cell] = us if field == 1 else -us
        game.set_position(board, us)
        return game

    # --------------------------------------------------------------------- thinking

    def _reply(self, game: BaseGameEnv) -> str:
        """Our move in ``game``, which becomes the game that is played."""
        if game.is_terminal():
            self._env = game
            raise GomocupError("the game is over")
        analysis = answer_of(self._engine_for(game), game.copy(), Limit(time=self._seconds(game)))
        if analysis.best_move is None:
            raise GomocupError("the engine has no move")
        game.step(analysis.best_move)
        self._env = game
        return square_of(game, analysis.best_move)

    def _seconds(self, game: BaseGameEnv) -> float | None:
        """The time for a move; 0 for a turn means as fast as possible, 0 for a match no limit."""
        bounds = []
        if "timeout_turn" in self._times:
            bounds.append(for_one_move(max(0, self._times["timeout_turn"]) / 1000))
        if self._times.get("timeout_match", 0) > 0:
            left = self._times.get("time_left", self._times["timeout_match"])
            bounds.append(share_of(max(0, left) / 1000, game))
        return min(bounds, default=None)

    def _engine_for(self, env: BaseGameEnv) -> Engine:
        if not can_play(env):
            raise GomocupError(f"{env.name} is not five in a row")
        if env.name not in self._engines:
            self._engines[env.name] = self._make_engine(env.name)
        return self._engines[env.name]

    def _game(self) -> BaseGameEnv:
        if self._env is None:
            raise GomocupError("no game was started")
        return self._env

    # ------------------------------------------------------------------ about itself

    def _about(self, rest: str) -> str:
        return f'name="{NAME}", version="{self._version}", author="rl_toolkit", country="-"'

    def _end(self, rest: str) -> None:
        self.has_quit = True


_COMMANDS: dict[str, Callable[[GomocupServer, str], str | None]] = {
    "START": GomocupServer._start,
    "RECTSTART": GomocupServer._rectstart,
    "RESTART": GomocupServer._restart,
    "BEGIN": GomocupServer._opening,
    "TURN": GomocupServer._turn,
    "BOARD": GomocupServer._board,
    "PLAY": GomocupServer._play,
    "TAKEBACK": GomocupServer._takeback,
    "INFO": GomocupServer._info,
    "ABOUT": GomocupServer._about,
    "END": GomocupServer._end,
}

#: The commands after which a board that was begun is forgotten; all others belong to it.
_ENDS_A_BOARD = {"START", "RECTSTART", "RESTART", "BOARD", "END"}
