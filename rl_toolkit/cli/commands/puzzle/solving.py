"""One puzzle at the prompt: the board, moves, hints, refutations; and the attempt that it was."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from rl_toolkit.cli.play.prompt import read_line
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.puzzles import Attempt, Puzzle, PuzzleError, answer, hints, story, task

#: The words besides moves.
_WORDS = {
    "hint": "a step towards the move; three or four of them end with the move itself",
    "why": "show what follows the last wrong move",
    "solution": "show the solution, and go on",
    "board": "show the board again",
    "quit": "leave",
}


class QuitError(Exception):
    """The player wants to leave."""


@dataclass(slots=True)
class Clock:
    """Seconds since 1970; tests put another one in its place."""

    now: Callable[[], float] = time.time


CLOCK = Clock()


class Solving:
    """A puzzle that somebody is solving in the terminal.

    Args:
        tries: wrong moves after which it is over, ``None`` for as many as one likes.

    Attributes:
        judged: the seconds in which the engine judged moves; they are not the player's.
    """

    def __init__(
        self, puzzle: Puzzle, screen: Screen, mode: str, *, tries: int | None = None
    ) -> None:
        self._puzzle, self._screen, self._mode, self._tries = puzzle, screen, mode, tries
        self._ply, self._began, self.judged = 0, CLOCK.now(), 0.0
        self._wrong: tuple[BaseGameEnv, int, tuple[int, ...]] | None = None
        self._missed, self._hints, self._given = 0, 0, 0

    def run(self, until: float | None = None) -> Attempt:
        """Ask until the puzzle is solved, given up, or out of time; what the attempt was.

        Raises `QuitError`, or `KeyboardInterrupt` after Ctrl-C; `so_far` is then what it was.
        """
        self._began = CLOCK.now()
        self._show()
        done = False
        try:
            while not done:
                done = self._turn(until)
        except EOFError as error:
            raise QuitError from error
        return self._attempt()

    def so_far(self) -> list[Attempt]:
        """The attempt of a player who leaves now: one that failed, or none without a wrong move."""
        return [self._attempt()] if self._missed else []

    def _attempt(self) -> Attempt:
        now, puzzle = CLOCK.now(), self._puzzle
        return Attempt(
            puzzle.name,
            puzzle.kind,
            puzzle.rating,
            now,
            not self._missed,
            round(now - self._began - self.judged, 1),
            self._hints,
            self._mode,
        )

    # ------------------------------------------------------------------------------ asking

    @property
    def _env(self) -> BaseGameEnv:
        return self._puzzle.env().after(self._puzzle.line[: self._ply])

    def _show(self) -> None:
        self._screen.say(draw_board(self._env, self._screen.width))
        if self._ply == 0:
            about = f"{self._puzzle.name} · {self._puzzle.rating}"
            asked = task(self._puzzle, letters=True)
            self._screen.say(f"{asked} {story(self._puzzle)}".strip(), "bold")
            self._screen.say(about, "dim")

    def _turn(self, until: float | None) -> bool:
        """One line at the prompt; whether the puzzle is over. What comes late does not count."""
        words = dict(_WORDS)
        if self._tries == 1:
            del words["why"]  # a wrong move ends the puzzle
        offered = ", ".join(word for word in words if word != "board")
        text = read_line(f"Your move (or {offered}): ").strip()
        if until is not None and CLOCK.now() - self.judged >= until:
            self._screen.say("The time is up.")
            raise QuitError
        word = text.lower()
        if word in ("quit", "exit", "q"):
            raise QuitError
        if word in ("help", "?"):
            for name, help_ in words.items():
                self._screen.say(f"  {name:<9} {help_}")
        elif word == "board":
            self._show()
        elif word == "hint":
            self._hint()
        elif word == "why":
            self._why()
        elif word in ("solution", "give up"):
            return self._give_up()
        elif word:
            return self._move(text)
        return False

    def _move(self, text: str) -> bool:
        begun = CLOCK.now()
        try:
            move = self._env.parse_move(text)
            found = answer(self._puzzle, self._puzzle.line[: self._ply], move)
        except (GameError, PuzzleError) as error:
            self._screen.tell(f"{error}.")
            return False
        finally:
            self.judged += CLOCK.now() - begun
        if not found.right:
            self._missed += 1
            self._wrong = (self._env, move, found.refutation)
            self._screen.say(f"✗ {found.sentence}", "red")
            if self._tries is not None and self._missed >= self._tries:
                return True
            self._screen.say("`why` shows it; try another move.", "dim")
            return False
        self._given = 0
        self._screen.say(f"✓ {found.sentence}", "green")
        if found.solved:
            return True
        reply = self._env.after([move]).move_name(self._puzzle.line[self._ply + 1])
        self._ply += 2
        self._screen.say(f"The reply is {reply}.")
        self._show()
        return False

    def _hint(self) -> None:
        steps = hints(self._puzzle, self._ply)
        self._screen.say(steps[min(self._given, len(steps) - 1)].sentence)
        self._given += 1
        self._hints += 1

    def _why(self) -> None:
        if self._wrong is None:
            self._screen.say("No move was wrong yet.")
            return
        env, move, line = self._wrong
        whole = (move, *line)
        self._screen.say(" ".join(env.line_names(whole)))
        self._screen.say(draw_board(env.after(whole), self._screen.width))

    def _give_up(self) -> bool:
        self._missed += 1
        names = self._env.line_names(self._puzzle.line[self._ply :])
        self._screen.say(f"The solution: {' '.join(names)}")
        return True
