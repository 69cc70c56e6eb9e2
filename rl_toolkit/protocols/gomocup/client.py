"""`GomocupEngine`: a program that speaks the protocol of Gomocup, as an engine."""

from __future__ import annotations

import re

from rl_toolkit.analysis import Analysis, Limit, ProgressCallback, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.protocols.gomocup.squares import can_play, is_exact, move_of, square_of
from rl_toolkit.protocols.program import Deadline, Program, ProgramError
from rl_toolkit.protocols.program_engine import ProgramEngine, analysis, checked, known

#: Milliseconds for a move, where no limit is given: the usual ones of a short game.
_MILLISECONDS = 5000
_NO_END = 2**31 - 1
#: Lines that a program may write at any time.
_REMARKS = ("MESSAGE", "DEBUG", "SUGGEST")
#: The answer to ABOUT.
_ABOUT = re.compile(r'name\s*=\s*"([^"]{1,40})')
_SQUARE = re.compile(r"\s*[0-9]+\s*,\s*[0-9]+\s*")


class GomocupEngine(ProgramEngine):
    """A program of Gomocup, the tournament of five-in-a-row programs.

    Where a game continues with the program's own move and one answer, it is told that answer
    (``TURN``), so that it can go on with its tree; otherwise the whole board (``BOARD``). A limit
    on time becomes ``INFO timeout_turn``, five seconds by default. The program says only which
    move it plays: everything else is unknown. Its last message is a note of the analysis.
    """

    name = "gomocup"
    farewell = "END"

    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        self._deadline = deadline
        self._started = ""
        self._board: BaseGameEnv | None = None
        self._note = self._called = ""
        program.send("ABOUT")  # the answer is skipped wherever it comes, so nobody waits for it
        self._start_game(program, env)

    def _ask(
        self,
        program: Program,
        env: BaseGameEnv,
        limit: Limit,
        on_progress: ProgressCallback | None,
        stop: StopSignal | None,
    ) -> Analysis:
        self._deadline, self._note = Deadline(self.start), ""
        turn = self._answer_to_us(env)
        if turn is None:
            self._start_game(program, env)
        milliseconds = _MILLISECONDS if limit.time is None else max(1, int(1000 * limit.time))
        program.send(f"INFO timeout_turn {milliseconds}")
        program.send(f"INFO time_left {_NO_END}")
        if turn is not None:
            program.send(f"TURN {square_of(env, turn)}")
        elif not env.board.any():
            program.send("BEGIN")
        else:
            for line in _board_lines(env):
                program.send(line)
        self._board = None
        self._deadline = Deadline(milliseconds / 1000 + self.patience)
        answer = self._next(program, stop)
        try:
            named: int | None = move_of(env, answer) if _SQUARE.fullmatch(answer) else None
        except ValueError:
            named = None
        move = checked(program, env, answer, named)
        self._board = env.copy()
        self._board.step(move)
        notes = (f"{self._called or program.name}: {self._note}",) if self._note else ()
        return analysis(env, self.name, [known(env, move)], notes=notes)

    def _answer_to_us(self, env: BaseGameEnv) -> int | None:
        """The move by which ``env`` continues the game that the program has, if one does."""
        if self._board is None or self._board.name != env.name or self._board.is_terminal():
            return None
        history = env.history
        if not history or history[:-1] != self._board.history:
            return None
        after = self._board.copy()
        after.step(history[-1])
        return history[-1] if after.get_state_hash() == env.get_state_hash() else None

    def _start_game(self, program: Program, env: BaseGameEnv) -> None:
        """A new game on an empty board, where the program has another one."""
        if not can_play(env):
            raise ProgramError(program.name, f"plays five in a row, not {env.name}")
        if self._started == env.name and self._board is not None:
            program.send("RESTART")
            if self._next(program).upper().startswith("OK"):
                self._board = None
                return
        elif self._started == env.name:
            return  # nothing was played yet
        square = env.rows == env.cols
        program.send(f"START {env.rows}" if square else f"RECTSTART {env.cols},{env.rows}")
        answer = self._next(program)
        if answer.upper().startswith("UNKNOWN") and not self._called:
            answer = self._next(program)  # that was about ABOUT
        if not answer.upper().startswith("OK"):
            raise ProgramError(program.name, f"refused {env.name}: {answer[:80]}")
        self._started, self._board = env.name, None
        for line in (
            "timeout_match 0",
            "max_memory 0",
            "game_type 1",
            f"rule {int(is_exact(env))}",
        ):
            program.send(f"INFO {line}")

    def _next(self, program: Program, stop: StopSignal | None = None) -> str:
        """The next line that is an answer; remarks are kept, and errors raised."""
        while True:
            line = program.receive(self._deadline, stop).strip()
            word, _, rest = line.partition(" ")
            if word.upper() == "ERROR":
                raise ProgramError(program.name, f"answered {line[:80]!r}")
            if word.upper() in _REMARKS:
                if word.upper() == "MESSAGE":
                    self._note = rest.strip()[:200]
            elif about := _ABOUT.match(line):
                self._called = about[1]
            elif line:
                return line


def _board_lines(env: BaseGameEnv) -> list[str]:
    """The whole board: 1 is the side to move, 2 the other one; oldest first if that is known."""
    known_order = {move: number for number, move in enumerate(env.history)}
    cells = [cell for cell, piece in enumerate(env.board.tolist()) if piece]
    cells.sort(key=lambda cell: known_order.get(cell, -1))
    player = env.current_player
    stones = [f"{square_of(env, cell)},{1 if env.board[cell] == player else 2}" for cell in cells]
    return ["BOARD", *stones, "DONE"]
