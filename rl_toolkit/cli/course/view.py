"""How the course scripts show a game: the words of the courses."""

from __future__ import annotations

from rl_toolkit.analysis import Analysis, words_for
from rl_toolkit.cli.course.table import LEGEND, course_table, numbered
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.play.view import GameView, move_form, result_text
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Player
from rl_toolkit.records import GameRecord
from rl_toolkit.utils import rows_top_down
from rl_toolkit.utils.position_utils import column_letters


class CourseView(GameView):
    """Says "You" and "AI" to one person; X and O to two people, or of two engines.

    Attributes:
        best_first: in the table of moves, the best come first; else they are in board order.
    """

    best_first = False

    def begin(self, session: Session) -> None:
        """Welcome, and who is who."""
        env = session.env
        length = getattr(env, "win_length", 3)
        self.say(f"Welcome to {env.traits.title}! {env.rows}×{env.cols}, {length} in a row wins.")
        self.say(self._who(session) + self._colours(env))
        if session.has_human:
            self.say(f"Type {self._ways(env)},")
            self.say("or one of the words undo, hint, history, help, quit.")

    def _ways(self, env: BaseGameEnv) -> str:
        """The ways to type a move, each with an example."""
        if env.traits.move_by == "column":
            return "a column (d or 4)"
        cell = env.cols + 2  # second row, third column
        name, number = env.move_name(cell), self.cells.number(env, cell)
        return f"a cell by number ({number}), name ({name}) or row and column from 1 (2 3)"

    def _who(self, session: Session) -> str:
        people = [player for player in (1, -1) if session.side(player).is_human]
        if len(people) != 1:
            return f"{'You' if people else 'AI'} are X (Player 1) and O (Player -1)"
        you, ai = people[0], -people[0]
        return f"You are {SIDES[you]} (Player {you}), AI is {SIDES[ai]} (Player {ai})"

    def _colours(self, env: BaseGameEnv) -> str:
        """The names of the pieces, where they are not X and O."""
        names = words_for(env)
        colours = {SIDES[player]: names.side(player) for player in SIDES}
        if all(letter == colour for letter, colour in colours.items()):
            return ""
        return "; " + ", ".join(f"{letter} is {colour}" for letter, colour in colours.items())

    def board(self, session: Session) -> None:
        """The board and, before a person's move, the legal moves."""
        super().board(session)
        if not session.is_over and session.to_move.is_human:
            self.say()
            self.say("Available positions:")
            for row in available_rows(session.env, self.cells):
                self.say(row)

    def prompt(self, session: Session) -> str:
        """The prompt of the courses."""
        env = session.env
        if session.is_over:
            return "Game over (new, undo, save FILE, quit): "
        who = "Your" if self.is_alone(session) else f"{SIDES[env.current_player]}'s"
        if env.traits.move_by == "column":
            return f"{who} move ({move_form(env)}): "
        numbers = sorted(self.cells.number(env, cell) for cell in (0, env.rows * env.cols - 1))
        if self.cells.kind == "numpad":
            return f"{who} move (numpad 1-9 or algebraic like 'a1'): "
        return f"{who} move ({numbers[0]}-{numbers[1]} or algebraic like 'a1'): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played: ``You played: b2 (4)``."""
        last = numbered(session.env, session.env.history[-1], self.cells)
        self.say(f"{self._name(session, by)} played: {last}")

    def think(self, session: Session, player: Player) -> Analysis:
        """Say who is thinking, then think."""
        self.say()
        self.say(f"{self._name(session, session.env.current_player)} is thinking...")
        return self._think(session.env, player, "", claims=self.show_thinking)

    def candidates(self, session: Session, analysis: Analysis) -> None:
        """The table of the courses, moves in the order of the board."""
        ai = next((p for p in SIDES if not session.side(p).is_human), 0)
        ai = ai if self.is_alone(session) else 0
        width, fit = self.screen.width, self.screen.fit
        for line in course_table(
            session.env,
            analysis,
            ai=ai,
            cells=self.cells,
            best_first=self.best_first,
            width=width,
            fit=fit,
        ):
            self.screen.row(line)

    def legend(self, session: Session) -> None:
        """The words of the table, then those of hints and of the search tree."""
        for words, meaning in LEGEND:
            self.say(f"{words}: {meaning}")
        self.say()
        super().legend(session)

    def history(self, session: Session) -> None:
        """The moves so far, one line each."""
        for line in history_lines(session, self.cells) or ["No move has been played yet."]:
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


def available_rows(env: BaseGameEnv, cells: Cells) -> list[str]:
    """The legal moves where they are on the board: ``b2( 4)``; blanks where one is not legal.

    Column letters are above, row numbers at the left.
    """
    legal = set(env.get_legal_moves())
    if env.traits.move_by == "column":
        return ["  ".join(f"{env.move_name(move)}({move + 1})" for move in sorted(legal))]
    digits = max(2, len(str(env.rows * env.cols)))
    names = {move: f"{env.move_name(move)}({cells.number(env, move):>{digits}})" for move in legal}
    width = max(len(name) for name in names.values())
    margin = len(str(env.rows))
    letters = column_letters(env.cols)
    table = [[" " * margin, *(letter.ljust(width) for letter in letters)]]
    for row in rows_top_down(env.rows, env.traits.row_one_at):
        here = range(row * env.cols, (row + 1) * env.cols)
        blanks = (names.get(cell, "").ljust(width) for cell in here)
        table.append([f"{row + 1:>{margin}}", *blanks])
    return ["  ".join(line).rstrip() for line in table]


def history_lines(session: Session, cells: Cells) -> list[str]:
    """One line for each move: ``Turn 4: AI (O) → b2 (4)``."""
    person = "You" if CourseView.is_alone(session) else "Human"
    positions = GameRecord.from_env(session.env).positions()
    lines = []
    for turn, (env, move) in enumerate(zip(positions, session.env.history, strict=False), 1):
        by = env.current_player
        who = person if session.side(by).is_human else "AI"
        lines.append(f"Turn {turn}: {who} ({SIDES[by]}) → {numbered(env, move, cells)}")
    return lines
