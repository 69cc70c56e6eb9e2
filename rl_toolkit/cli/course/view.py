"""How the course scripts show a game: the words of the courses."""

from __future__ import annotations

from rl_toolkit.analysis import Analysis
from rl_toolkit.cli.course.table import course_table, numbered
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.play.view import GameView, move_form, result_text
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player
from rl_toolkit.records import GameRecord


class CourseView(GameView):
    """Says "You" and "AI" to one person; X and O to two people, or of two engines."""

    def begin(self, session: Session) -> None:
        """Welcome, and who is who."""
        env = session.env
        length = getattr(env, "win_length", 3)
        self.say(f"Welcome to {env.traits.title}! {env.rows}×{env.cols}, {length} in a row wins.")
        self.say(self._who(session))
        if session.has_human:
            self.say("Besides moves you may type undo, hint, history, help or quit.")

    def _who(self, session: Session) -> str:
        people = [player for player in (1, -1) if session.side(player).is_human]
        if len(people) != 1:
            return f"{'You' if people else 'AI'} are X (Player 1) and O (Player -1)"
        you, ai = people[0], -people[0]
        return f"You are {SIDES[you]} (Player {you}), AI is {SIDES[ai]} (Player {ai})"

    def board(self, session: Session) -> None:
        """The board and, before a person's move, the legal moves."""
        super().board(session)
        if not session.is_over and session.to_move.is_human:
            self.say()
            self.say("Available positions:")
            for row in available_rows(session.env):
                self.say(row)

    def prompt(self, session: Session) -> str:
        """The prompt of the courses."""
        env = session.env
        if session.is_over:
            return "Game over (new, undo, save FILE, quit): "
        who = "Your" if self.is_alone(session) else f"{SIDES[env.current_player]}'s"
        if env.traits.move_by == "column":
            return f"{who} move ({move_form(env)}): "
        return f"{who} move (0-{env.num_moves - 1} or algebraic like 'a1'): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played: ``You played: b2 (4)``."""
        last = numbered(session.env, session.env.history[-1])
        self.say(f"{self._name(session, by)} played: {last}")

    def think(self, session: Session, player: Player) -> Analysis:
        """Say who is thinking, then think."""
        self.say()
        self.say(f"{self._name(session, session.env.current_player)} is thinking...")
        return self._think(session.env, player, "")

    def candidates(self, session: Session, analysis: Analysis) -> None:
        """The table of the courses, moves in the order of the board."""
        ai = next((p for p in SIDES if not session.side(p).is_human), 0)
        ai = ai if self.is_alone(session) else 0
        width, fit = self.screen.width, self.screen.fit
        for line in course_table(session.env, analysis, ai=ai, width=width, fit=fit):
            self.screen.row(line)

    def history(self, session: Session) -> None:
        """The moves so far, one line each."""
        for line in history_lines(session) or ["No move has been played yet."]:
            self.say(line)

    def ended(self, session: Session) -> None:
        """The result, then the moves."""
        winner, verdict = session.winner, ""
        if winner and self.is_alone(session):
            verdict = "You win! " if session.side(winner).is_human else "AI wins! "
        self.say(verdict + result_text(session))
        self.history(session)

    @staticmethod
    def is_alone(session: Session) -> bool:
        """Whether one person plays against an engine."""
        return sum(side.is_human for side in session.sides) == 1

    def _name(self, session: Session, player: int) -> str:
        if self.is_alone(session):
            return "You" if session.side(player).is_human else "AI"
        return f"{'AI ' if not session.has_human else ''}{SIDES[player]}"


def available_rows(env: BaseGameEnv) -> list[str]:
    """The legal moves where they are on the board: ``b2( 4)``; blanks where one is not legal."""
    legal = set(env.get_legal_moves())
    if env.traits.move_by == "column":
        return ["  ".join(f"{env.move_name(move)}({move + 1})" for move in sorted(legal))]
    digits = len(str(env.num_moves - 1))
    names = {move: f"{env.move_name(move)}({move:>{max(2, digits)}})" for move in legal}
    width = max(len(name) for name in names.values())
    rows = []
    for row in range(env.rows):
        cells = range(row * env.cols, (row + 1) * env.cols)
        rows.append("  ".join(names.get(cell, "").ljust(width) for cell in cells).rstrip())
    return rows


def history_lines(session: Session) -> list[str]:
    """One line for each move: ``Turn 4: AI (O) → b2 (4)``."""
    person = "You" if CourseView.is_alone(session) else "Human"
    positions = GameRecord.from_env(session.env).positions()
    lines = []
    for turn, (env, move) in enumerate(zip(positions, session.env.history, strict=False), 1):
        by = env.current_player
        who = person if session.side(by).is_human else "AI"
        lines.append(f"Turn {turn}: {who} ({SIDES[by]}) → {numbered(env, move)}")
    return lines
