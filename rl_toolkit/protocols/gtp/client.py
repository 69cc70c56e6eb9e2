"""`GtpEngine`: a program that speaks GTP 2 as an engine."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rl_toolkit.analysis import Analysis, Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.protocols.gtp.vertices import COLOURS, can_name, move_of, vertex_of
from rl_toolkit.protocols.moves_to import moves_to
from rl_toolkit.protocols.program import Deadline, Program, ProgramError, ProtocolError
from rl_toolkit.protocols.program_engine import Caller, ProgramEngine, analysis, checked, known
from rl_toolkit.records import position_to_text

#: The command of our own server that sets up any position.
POSITION = "rl_toolkit-position"


class GtpEngine(ProgramEngine):
    """A program that speaks GTP 2, the protocol of Go programs, in any game.

    A program that plays several games is told which (``set_game``, as Quarry does), then the size
    of the board, then the moves. It is asked with ``reg_genmove``, which plays nothing, or else
    with ``genmove``. A limit on time becomes ``time_settings``; other limits do not apply. The
    program says only which move it plays: everything else is unknown.
    """

    name = "gtp"
    farewell = "quit"

    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        self._talk = _Conversation(program, deadline)

    def _ask(self, program: Program, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        talk = self._talk
        talk.deadline = Deadline(self.patience)
        talk.follow(env)
        talk.set_clock(limit.time)
        talk.deadline = Deadline(self._wait_for(limit))
        move = talk.move(env, caller.stop)
        return analysis(env, self.name, [known(env, move)])


class _RefusedError(Exception):
    """The answer of a program that begins with ``?``."""


class _Conversation:
    """What the program knows: its commands, the game, and the moves played in it."""

    def __init__(self, program: Program, deadline: Deadline) -> None:
        self.program, self.deadline = program, deadline
        version = self.ask("protocol_version")
        if version != "2":
            raise ProtocolError(program.name, f"speaks GTP {version[:20]!r}, not GTP 2")
        self._commands = set(self.ask("list_commands").split())
        self._passes_by_itself = False
        self._seconds: float | None = None
        self._board: BaseGameEnv | None = None  # the game as the program has it

    # -------------------------------------------------------------------- commands

    def ask(self, command: str, stop: StopSignal | None = None) -> str:
        """Send a command; gives the answer, and raises `ProtocolError` for a refusal."""
        try:
            return self._exchange(command, stop)
        except _RefusedError as refusal:
            message = f"refused {command[:60]!r}: {refusal}"
            raise ProtocolError(self.program.name, message) from refusal

    def _accepts(self, command: str) -> bool:
        try:
            self._exchange(command)
        except _RefusedError:
            return False
        return True

    def _exchange(self, command: str, stop: StopSignal | None = None) -> str:
        self.program.send(command)
        lines = self._lines(stop)
        first = next(line for line in lines if line.startswith(("=", "?")))
        answer = [first[1:].strip()]
        for line in lines:
            if not line:
                break
            answer.append(line)
        text = "\n".join(answer).strip()
        if first.startswith("?"):
            raise _RefusedError(" ".join(text.split())[:200])
        return text

    def _lines(self, stop: StopSignal | None) -> Iterator[str]:
        while True:
            yield self.program.receive(self.deadline, stop).strip()

    # -------------------------------------------------------------------- position

    def follow(self, env: BaseGameEnv) -> None:
        """Tell the program what it does not know yet about the position."""
        board = self._board
        if board is not None and board.name == env.name:
            sent, history = board.history, env.history
            if history[: len(sent)] == sent and self._play(history[len(sent) :], env):
                return
        self._board = None
        if board is None or board.name != env.name:
            self._choose_game(env)
        self.ask("clear_board")
        moves = moves_to(env)
        if moves is None and POSITION in self._commands:
            self.ask(f"{POSITION} {position_to_text(env)}")
            self._board = env.copy()
            return
        self._board = make_game(env.name)
        if moves is None or not self._play(moves, env):
            self._board = None
            raise ProtocolError(
                self.program.name, "can only be asked about positions reached from the start"
            )

    def _play(self, moves: list[int], env: BaseGameEnv) -> bool:
        """Play on; whether that leads to the position of ``env``, otherwise nothing is played."""
        board = self._board
        assert board is not None
        commands = []
        try:
            for move in moves:
                name = vertex_of(board, move)
                commands.append(f"play {COLOURS[board.current_player]} {name}")
                board.step(move)
        except ValueError:
            return False
        if board.get_state_hash() != env.get_state_hash():
            return False
        for command in commands:
            if not command.endswith(" pass"):
                self.ask(command)
            elif not self._passes_by_itself:
                self._passes_by_itself = not self._accepts(command)
        return True

    def _choose_game(self, env: BaseGameEnv) -> None:
        if not can_name(env):
            raise ProtocolError(self.program.name, f"speaks GTP, which has no {env.cols} columns")
        if "set_game" in self._commands:
            if self._accepts(f"set_game {env.name}"):
                return
            self.ask(f"set_game {self._its_name(env)}")
        if env.rows == env.cols:
            self.ask(f"boardsize {env.rows}")
        elif "rectangular_boardsize" in self._commands:
            self.ask(f"rectangular_boardsize {env.cols} {env.rows}")
        else:
            raise ProtocolError(self.program.name, "takes square boards only")

    def _its_name(self, env: BaseGameEnv) -> str:
        """What the program calls the game: ``Othello``."""
        traits = env.traits
        ours = {_letters(name) for name in (traits.name, traits.title, *traits.aliases)}
        games = self.ask("list_games").split("\n") if "list_games" in self._commands else []
        for game in games:
            if _letters(game) in ours:
                return game.strip()
        plays = ", ".join(game.strip() for game in games) or "another game"
        raise ProtocolError(self.program.name, f"plays {plays}, not {traits.title}")

    # ------------------------------------------------------------------------ move

    def set_clock(self, seconds: float | None) -> None:
        """Give the program this time for each move, or as long as it likes."""
        if seconds == self._seconds or "time_settings" not in self._commands:
            return
        if seconds is None:
            self._accepts("time_settings 0 1 0")  # no limit
        elif not self._accepts(f"time_settings 0 {seconds:g} 1"):
            self._accepts(f"time_settings 0 {math.ceil(seconds)} 1")  # it wants whole seconds
        self._seconds = seconds

    def move(self, env: BaseGameEnv, stop: StopSignal | None) -> int:
        """The move that the program plays."""
        asks = "reg_genmove" if "reg_genmove" in self._commands else "genmove"
        answer = self.ask(f"{asks} {COLOURS[env.current_player]}", stop)
        if answer.lower() == "resign":
            raise ProgramError(self.program.name, "resigned")
        try:
            named: int | None = move_of(env, answer)
        except ValueError:
            named = None
        move = checked(self.program, env, answer, named)
        if asks == "genmove" and self._board is not None:
            self._board.step(move)  # the program has played it
        return move


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
