"""How the course scripts look: their words, their tables, the same game underneath.

The outcome of a move is worded as the AI sees it, whichever side it plays.
"""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv, ConnectFour
from rl_toolkit.explain import assessment, exploration, format_outcome
from rl_toolkit.players import Player
from rl_toolkit.terminal.face import SIDES, Face, result_text
from rl_toolkit.terminal.session import Session

_BEST = "⭐ YES"
#: The most that is said of a value that nobody proved: an advantage, however large.
_UNPROVEN = 0.89


class CourseFace(Face):
    """Speaks to one person of "You" and "AI"; to two people, or of two engines, of X and O."""

    def begin(self, session: Session) -> None:
        """Welcome, and who is who."""
        env = session.env
        title = "Connect Four" if isinstance(env, ConnectFour) else "Tic-Tac-Toe"
        length = getattr(env, "win_length", 3)
        self.say(f"Welcome to {title}! {env.rows}×{env.cols}, {length} in a row wins.")
        self.say(self._who(session))
        if session.has_human:
            self.say("Besides moves you may type undo, hint, history, help or quit.")

    def _who(self, session: Session) -> str:
        people = [player for player in (1, -1) if session.seat(player).is_human]
        if len(people) == 1:
            human = people[0]
            return (
                f"You are {SIDES[human]} (Player {human}), AI is {SIDES[-human]} (Player {-human})"
            )
        kind = "You" if people else "AI"
        return f"{kind} are X (Player 1) and O (Player -1)"

    def board(self, session: Session) -> None:
        """The board and, before a person's move, what can be played."""
        super().board(session)
        if not session.is_over and session.to_move.is_human:
            self.screen.say()
            self.screen.say("Available positions:")
            for row in available_rows(session.env):
                self.screen.say(row)

    def prompt(self, session: Session) -> str:
        """The prompt of the courses."""
        env = session.env
        if session.is_over:
            return "Game over (new, undo, save FILE, quit): "
        who = "Your" if self.is_alone(session) else f"{SIDES[env.current_player]}'s"
        if isinstance(env, ConnectFour):
            last = env.move_name(env.cols - 1)
            return f"{who} move (a-{last} or 1-{env.cols}): "
        return f"{who} move (0-{env.num_moves - 1} or algebraic like 'a1'): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played: ``You played: b2 (4)``."""
        self.say(
            f"{self._name(session, by)} played: {numbered(session.env, session.env.history[-1])}"
        )

    def think(self, session: Session, player: Player) -> Analysis:
        """Announce the thinking, then think."""
        self.screen.say()
        self.say(f"{self._name(session, session.env.current_player)} is thinking...")
        return super().think(session, player)

    def candidates(self, env: BaseGameEnv, analysis: Analysis) -> None:
        """The table of the courses, moves in the order of the board."""
        for line in course_table(env, analysis, self.screen.fit):
            self.screen.row(line)

    def history(self, session: Session) -> None:
        """The moves so far, a line for each."""
        for line in history_lines(session) or ["No move has been played yet."]:
            self.say(line)

    def ended(self, session: Session) -> None:
        """The result, then the moves."""
        winner = session.winner
        if winner and self.is_alone(session):
            verdict = "You win!" if session.seat(winner).is_human else "AI wins!"
            self.say(f"{verdict} {result_text(session)}")
        else:
            self.say(result_text(session))
        self.history(session)

    @staticmethod
    def is_alone(session: Session) -> bool:
        """Whether one person plays against an engine."""
        return sum(seat.is_human for seat in session.seats) == 1

    def _name(self, session: Session, player: int) -> str:
        if self.is_alone(session):
            return "You" if session.seat(player).is_human else "AI"
        return f"{'AI ' if not session.has_human else ''}{SIDES[player]}"


def numbered(env: BaseGameEnv, move: int) -> str:
    """A move by name and by the number that people may type for it: ``b2 (4)``."""
    first = 1 if isinstance(env, ConnectFour) else 0
    return f"{env.move_name(move)} ({move + first})"


def available_rows(env: BaseGameEnv) -> list[str]:
    """The legal moves where they are on the board: ``b2( 4)``; blanks where one is not legal."""
    legal = set(env.get_legal_moves())
    if isinstance(env, ConnectFour):
        return ["  ".join(f"{env.move_name(move)}({move + 1})" for move in sorted(legal))]
    digits = len(str(env.num_moves - 1))
    names = {move: f"{env.move_name(move)}({move:>{max(2, digits)}})" for move in legal}
    width = max(len(name) for name in names.values())
    rows = []
    for row in range(env.rows):
        cells = range(row * env.cols, (row + 1) * env.cols)
        rows.append("  ".join(names.get(cell, "").ljust(width) for cell in cells).rstrip())
    return rows


def course_table(
    env: BaseGameEnv, analysis: Analysis, fit: Callable[[str], str] = str
) -> list[str]:
    """Position, Outcome, Assessment, Best; for tree search the visits as well.

    Candidates are seen by the side to move, and that is the AI whose thinking is shown.
    """
    best = analysis.candidates[0] if analysis.candidates else None
    searched = any(candidate.visits is not None for candidate in analysis.candidates)
    rows = [["Position", "Outcome", *(["Visits"] if searched else []), "Assessment", "Best"]]
    for c in sorted(analysis.candidates, key=lambda candidate: candidate.move):
        words = assessment(c.value, c.distance, proven=c.proven)
        if searched and not c.proven:
            words = exploration(c.visits or 0, c.value)
        visits = [f"{c.visits or 0:,}"] if searched else []
        rows.append(
            [
                numbered(env, c.move),
                fit(format_outcome(_said(c), perspective="ai")),
                *visits,
                words,
                fit(_BEST) if c is best else "",
            ]
        )
    widths = [max(cell_len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        " | ".join(cell + " " * (w - cell_len(cell)) for cell, w in zip(row, widths, strict=True))
        for row in rows
    ]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return [line.rstrip() for line in lines]


def _said(candidate: Candidate) -> float:
    """The value to be put into words: "wins" is said of proven wins only."""
    if candidate.proven:
        return candidate.value
    return max(-_UNPROVEN, min(_UNPROVEN, candidate.value))


def history_lines(session: Session) -> list[str]:
    """One line for each move: ``Turn 4: AI (O) → b2 (4)``."""
    person = "You" if CourseFace.is_alone(session) else "Human"
    env = session.env.copy()
    moves = env.history
    for _ in moves:
        env.undo()
    lines = []
    for turn, move in enumerate(moves, 1):
        by = env.current_player
        who = person if session.seat(by).is_human else "AI"
        lines.append(f"Turn {turn}: {who} ({SIDES[by]}) → {numbered(env, move)}")
        env.step(move)
    return lines
