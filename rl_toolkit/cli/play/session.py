"""A game being played: its sides, its moves, what was taken back. Prints nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rl_toolkit.analysis import Analysis
from rl_toolkit.cli.play.sides import Side
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import GameRecord

First = Literal["x", "o", "random"]


class SessionError(ValueError):
    """An action that is not possible now; the message says why."""


class Session:
    """One game between two sides; moves taken back are kept for `redo`.

    Attributes:
        env: the position; change it through the methods here.
        sides: who plays X and who O.
        resigned: the player who gave up, or ``None``.
    """

    def __init__(
        self,
        env: BaseGameEnv,
        sides: tuple[Side, Side],
        *,
        headers: Mapping[str, str] | None = None,
        analyses: Sequence[dict[str, Any] | None] = (),
        resigned: int | None = None,
    ) -> None:
        self.env, self.sides = env, sides
        self.headers = dict(headers or {})
        self.resigned = resigned
        self._analyses = list(analyses) or [None] * len(env.history)
        self._taken_back: list[tuple[int, dict[str, Any] | None]] = []

    @classmethod
    def from_record(cls, record: GameRecord, sides: tuple[Side, Side]) -> Session:
        """The game of a record, to be continued.

        A resigned game stays resigned; one that ended by the clock or by a decision is played on.
        """
        loser = -record.result if record.ended_by == "resignation" and record.result else None
        return cls(
            record.replay(),
            sides,
            headers=record.headers,
            analyses=[dict(entry) if entry else None for entry in record.analyses],
            resigned=loser,
        )

    # --------------------------------------------------------------------- questions

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.resigned is not None or self.env.is_terminal()

    @property
    def winner(self) -> int | None:
        """``None`` while the game runs, 0 for a draw, else the player who won."""
        return -self.resigned if self.resigned is not None else self.env.winner

    @property
    def to_move(self) -> Side:
        """Who is to move."""
        return self.side(self.env.current_player)

    @property
    def has_human(self) -> bool:
        """Whether a person plays."""
        return any(side.is_human for side in self.sides)

    def side(self, player: int) -> Side:
        """Who plays +1 or −1."""
        return self.sides[0 if player > 0 else 1]

    def last_analysis(self) -> tuple[BaseGameEnv, int, Analysis | None] | None:
        """The position before the last move, the move, and its analysis."""
        if not self.env.history:
            return None
        before = self.env.copy()
        move = before.undo()
        thought = self._analyses[-1]
        return before, move, Analysis.from_dict(thought) if thought else None

    # --------------------------------------------------------------------- play

    def play(self, move: int, analysis: Analysis | None = None) -> None:
        """Play ``move`` for the side to move; ``ValueError`` if it cannot be played."""
        if self.resigned is not None:
            raise SessionError("the game is over; no more moves can be played")
        self.env.step(move)
        self._analyses.append(analysis.to_dict() if analysis else None)
        self._taken_back.clear()

    def resign(self) -> None:
        """Resign for the side to move."""
        if self.is_over:
            raise SessionError("the game is over already")
        self.resigned = self.env.current_player

    def undo(self) -> list[int]:
        """Take back moves until a person is to move; returns them, the latest first.

        A resignation is taken back alone.
        """
        if self.resigned is not None:
            self.resigned = None
            return []
        taken: list[int] = []
        while self.env.history and not (taken and self.to_move.is_human):
            taken.append(self.env.undo())
            self._taken_back.append((taken[-1], self._analyses.pop()))
        if taken and not self.to_move.is_human and self.has_human:
            self._play_again(len(taken))
            taken = []
        if not taken:
            raise SessionError("there is no move of yours to take back")
        return taken

    def redo(self) -> list[int]:
        """Play moves again until a person is to move; returns them in order."""
        if not self._taken_back:
            raise SessionError("there is nothing to play again")
        first = len(self.env.history)
        self._play_again(1)
        while self._taken_back and not self.to_move.is_human:
            self._play_again(1)
        return self.env.history[first:]

    def _play_again(self, count: int) -> None:
        for _ in range(count):
            move, analysis = self._taken_back.pop()
            self.env.step(move)
            self._analyses.append(analysis)

    # --------------------------------------------------------------------- record

    def record(self) -> GameRecord:
        """The game so far as a record."""
        resigned = self.resigned is not None
        return GameRecord.from_env(
            self.env,
            players=[side.text for side in self.sides],
            headers=self.headers,
            analyses=self._analyses,
            result=self.winner if resigned else None,
            ended_by="resignation" if resigned else "",
        )
