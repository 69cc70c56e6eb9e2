"""`GomocupEngine`: a program that speaks the protocol of Gomocup, as an engine.

Programs of Gomocup are used to a manager that is slow. Rapfi writes its move and still takes itself
to be thinking for a moment: a word that arrives then is dropped, and the rest of its line is an
unknown command. So we write no earlier than 50 ms after the last line of a program, and nothing
that it knows already. That pause is on neither player's clock.
"""

from __future__ import annotations

import re

from rl_toolkit.analysis import Analysis, Limit, StopSignal
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.protocols.gomocup.messages import names_squares, read_claim
from rl_toolkit.protocols.gomocup.squares import can_play, is_exact, move_of, square_of
from rl_toolkit.protocols.program import Deadline, Program, ProgramSilentError, ProtocolError
from rl_toolkit.protocols.program_engine import Caller, ProgramEngine, analysis, checked, known

#: The messages of one move that are read, and how much of each.
_MESSAGES, _LONGEST = 200, 2000
#: Milliseconds for a move, where no limit is given: the usual ones of a short game.
_MILLISECONDS = 5000
_NO_END = 2**31 - 1
#: Lines that a program may write at any time.
_REMARKS = ("MESSAGE", "DEBUG", "SUGGEST")
#: Lines that say that it did not understand.
_COMPLAINTS = ("ERROR", "UNKNOWN")
#: The answer to ABOUT.
_ABOUT = re.compile(r'name\s*=\s*"([^"]{1,40})')
_SQUARE = re.compile(r"\s*[0-9]+\s*,\s*[0-9]+\s*")


class GomocupEngine(ProgramEngine):
    """A program of Gomocup, the tournament of five-in-a-row programs.

    Where a game continues with the program's own move and one answer, it is told that answer
    (``TURN``), so that it can go on with its tree; otherwise the whole board (``BOARD``). A limit
    on time becomes ``INFO timeout_turn``, five seconds by default. What the program says about its
    move (`Claim`) is shown as its own claim; the value of every move is unknown.

    A program that answers ``ERROR`` or ``UNKNOWN`` is asked once more, with the whole board. If it
    does not understand that either, it raises `ProtocolError`: it has not lost by that.
    """

    name = "gomocup"
    farewell = "END"
    quiet = 0.06  # 50 ms, and a margin for the time that a line takes to arrive

    def _shake_hands(self, program: Program, env: BaseGameEnv, deadline: Deadline) -> None:
        self._deadline = deadline
        self._started = ""
        self._board: BaseGameEnv | None = None
        self._told: dict[str, int] = {}
        self._messages: list[str] = []
        self._called = ""
        program.send("ABOUT")  # the answer is skipped wherever it comes, so nobody waits for it
        self._start_game(program, env)

    def _ask(self, program: Program, env: BaseGameEnv, limit: Limit, caller: Caller) -> Analysis:
        self._deadline, self._messages = Deadline(self.start), []
        turn = self._answer_to_us(env)
        if turn is None:
            self._start_game(program, env)
        milliseconds = _MILLISECONDS if limit.time is None else max(1, int(1000 * limit.time))
        question = _board_lines(env)
        if turn is not None:
            question = [f"TURN {square_of(env, turn)}"]
        elif not env.board.any():
            question = ["BEGIN"]
        self._inform(program, timeout_turn=milliseconds, time_left=_NO_END)
        self._write(program, *question)
        self._board = None
        self._deadline = Deadline(milliseconds / 1000 + self.patience)
        answer, asked_again = self._next(program, caller.stop), False
        if _is_complaint(answer):
            asked_again = True
            self._write(program, *_board_lines(env))
            answer = self._next(program, caller.stop)
        if _is_complaint(answer):
            raise ProtocolError(program.name, f"answered {answer[:80]!r}, also to BOARD")
        try:
            named: int | None = move_of(env, answer) if _SQUARE.fullmatch(answer) else None
        except ValueError:
            named = None
        move = checked(program, env, answer, named)
        if asked_again:
            self._started = ""  # whatever it thinks of the game: START begins another one
        else:
            self._board = env.copy()
            self._board.step(move)
        return self._analysis(env, move, self._called or program.name)

    def _analysis(self, env: BaseGameEnv, move: int, program: str) -> Analysis:
        claim = read_claim(env, move, self._messages)
        sentence = claim.sentence(program)
        plain = [text for text in self._messages if text and not names_squares(text)]
        notes = (f"{program}: {plain[-1][:200]}",) if plain and not sentence else ()
        played = known(env, move, line=claim.line, claim=sentence or None)
        work = {"depth": claim.depth, "nodes": claim.nodes}
        return analysis(env, self.name, [played], notes=notes, **work)

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
            raise ProtocolError(program.name, f"plays five in a row, not {env.name}")
        if self._started == env.name and self._board is not None:
            self._write(program, "RESTART")
            try:
                answer = self._next(program)
            except ProgramSilentError as error:
                reason = f"{error.reason} to RESTART (start= sets the seconds)"
                raise ProgramSilentError(error.engine, reason, by=error.by) from error
            if answer.upper().startswith("OK"):
                self._board = None
                return
        elif self._started == env.name:
            return  # nothing was played yet
        square = env.rows == env.cols
        self._write(program, f"START {env.rows}" if square else f"RECTSTART {env.cols},{env.rows}")
        answer = self._next(program)
        if answer.upper().startswith("UNKNOWN") and not self._called:
            answer = self._next(program)  # that was about ABOUT
        while _SQUARE.fullmatch(answer):  # a late answer to an earlier question
            answer = self._next(program)
        if not answer.upper().startswith("OK"):
            raise ProtocolError(program.name, f"refused {env.name}: {answer[:80]}")
        self._started, self._board = env.name, None
        self._told = {}
        rule = int(is_exact(env))
        self._inform(program, timeout_match=0, max_memory=0, game_type=1, rule=rule)

    def _inform(self, program: Program, **values: int) -> None:
        """Send the values that the program does not know yet."""
        for name, value in values.items():
            if self._told.get(name) != value:
                self._write(program, f"INFO {name} {value}")
                self._told[name] = value

    def _write(self, program: Program, *lines: str) -> None:
        """Write to the program once it has been quiet for a moment."""
        self.paused += program.wait_for_quiet(self.quiet)
        for line in lines:
            program.send(line)

    def _next(self, program: Program, stop: StopSignal | None = None) -> str:
        """The next line that is an answer, or a complaint; messages are kept."""
        while True:
            line = program.receive(self._deadline, stop).strip()
            word, _, rest = line.partition(" ")
            if word.upper() in _REMARKS:
                if word.upper() == "MESSAGE":
                    self._messages = [*self._messages[1 - _MESSAGES :], rest.strip()[:_LONGEST]]
            elif about := _ABOUT.match(line):
                self._called = about[1]
            elif line:
                return line


def _is_complaint(answer: str) -> bool:
    return answer.partition(" ")[0].upper() in _COMPLAINTS


def _board_lines(env: BaseGameEnv) -> list[str]:
    """The whole board: 1 is the side to move, 2 the other one; oldest first if that is known."""
    known_order = {move: number for number, move in enumerate(env.history)}
    cells = [cell for cell, piece in enumerate(env.board.tolist()) if piece]
    cells.sort(key=lambda cell: known_order.get(cell, -1))
    player = env.current_player
    stones = [f"{square_of(env, cell)},{1 if env.board[cell] == player else 2}" for cell in cells]
    return ["BOARD", *stones, "DONE"]
