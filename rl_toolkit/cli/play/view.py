"""How a game is shown while it is played: board, prompt, search, result.

`GameView` is the view of ``rl-toolkit play``; the course scripts have their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rl_toolkit.analysis import Analysis, Limit, words_for
from rl_toolkit.cli.play.cells import Cells, form_of_moves
from rl_toolkit.cli.play.game_review import review_game, review_lines
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import HUMAN, SIDES, sides_of
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    headline,
    show_candidates,
    thinking_picture,
    work_text,
    worth,
)
from rl_toolkit.cli.ui.first_answer import FirstAnswers
from rl_toolkit.cli.ui.reference import legend_table, level_table
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.cli.ui.search_tree import show_tree
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import explain
from rl_toolkit.players import Player, levels_for
from rl_toolkit.players.advisers import adviser, usual_limit
from rl_toolkit.records import to_transcript
from rl_toolkit.utils.position_utils import index_to_algebraic

#: Candidates, and moves of each node of the search tree, that are shown while playing.
_TOP, _TREE_TOP = 7, 4


class GameView:
    """Shows a game on a screen.

    Attributes:
        show_thinking: after each move of an engine, show its candidates.
        show_tree: and the top of its search tree, if it keeps one.
        cells: how cells are numbered where people type a number.
        flipped: whether the board is turned upside down.
        first_answers: answers for an engine that is not prepared; ``None`` to wait for it.
    """

    def __init__(
        self, screen: Screen, *, show_thinking: bool = False, show_tree: bool = False
    ) -> None:
        self.screen, self.say = screen, screen.say
        self.cells = Cells()
        self.show_thinking, self.show_tree = show_thinking, show_tree
        self.flipped = False
        self.first_answers: FirstAnswers | None = None
        self._interrupts = Interrupts()

    # ----------------------------------------------------------------------- a game

    def begin(self, session: Session) -> None:
        """Say who plays what."""
        side = session.env.traits.side
        names = " · ".join(f"{side(p)}: {session.side(p).title}" for p in (1, -1))
        self.say(f"{session.env.name} · {names}", "bold")
        if self.first_answers is not None:
            for side_of in session.sides:
                if side_of.player is not None:
                    self.first_answers.begin(side_of.player, session.env)
        if session.has_human:
            if stronger := self._stronger(session):
                self.say(f"The strongest opponent: {stronger}", "dim")
            self.say("Type a move, or hint, why, undo, rules, legend; help lists all words.", "dim")

    def _stronger(self, session: Session) -> str:
        """The command for the strongest level, if a person plays against a lower one."""
        levels = list(levels_for(session.env.name))
        for player, option in ((1, "--x"), (-1, "--o")):
            if session.side(player).text in levels[:-1] and session.side(-player).text == HUMAN:
                return f"rl-toolkit play {session.env.name} {option} {levels[-1]}"
        return ""

    def board(self, session: Session) -> None:
        """Show the position."""
        self.say()
        self.say(draw_board(session.env, self.screen.width, flipped=self.flipped))
        if session.env.traits.score_unit:
            env = session.env
            discs = (f"{env.traits.side(player)} {env.piece_count(player)}" for player in (1, -1))
            self.say(f"   {' · '.join(discs)}", "dim")

    def prompt(self, session: Session) -> str:
        """The text before the cursor when a person is to move."""
        if session.is_over:
            return "Game over (new, undo, save, quit): "
        env = session.env
        side = env.traits.side(env.current_player)
        if env.must_pass():
            return f"{side} has no move (Enter passes): "
        return f"{side} to move ({form_of_moves(env, self.cells)}): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played, ``by`` which player, and how much an engine searched."""
        work = "" if analysis is None else f"   [{work_text(analysis)}]"
        side = session.env.traits.side(by).removesuffix(")").partition(" (")
        who = ", ".join(filter(None, (side[2], session.side(by).text)))  # O (easy), Red (X, easy)
        self.say(f"{side[0]} ({who}) plays {move}{work}")

    def think(self, session: Session, player: Player) -> Analysis:
        """Let an engine think about the position, and show it."""
        side = session.env.traits.side(session.env.current_player)
        return self._think(session.env, player, side, claims=self.show_thinking or self.show_tree)

    def thought(self, session: Session, analysis: Analysis) -> None:
        """Show the analysis of an engine, as far as that was asked for."""
        self.screen.notes(analysis.notes)
        if self.show_thinking:
            self.candidates(session, analysis)
        if self.show_tree:
            show_tree(analysis, self.screen, _TREE_TOP)

    def ended(self, session: Session) -> None:
        """Say how the game ended."""
        sides = sides_of(session.env)
        self.say(result_text(session, sides), "bold")
        self.say(f"Moves: {moves_text(session)}", "dim")
        reviewed = review_game(session.env, self.screen, self._interrupts)
        if reviewed is not None:
            complete = len(reviewed.moves) == len(session.env.history)
            resigned = session.resigned if complete else None
            for line in review_lines(reviewed, session.env.traits, resigned, sides=sides):
                self.say(line)

    # -------------------------------------------------------------------- on request

    def candidates(self, session: Session, analysis: Analysis) -> None:
        """The table of candidates and a sentence about the best."""
        explained = explain(session.env, analysis)
        show_candidates(session.env, explained, self.screen, _TOP)
        self._remarks(explained, analysis)

    def why(self, session: Session) -> None:
        """One sentence about the last move."""
        last = session.last_analysis()
        if last is None:
            self.say("No move has been played yet.")
            return
        before, move, analysis = last
        if analysis is None or not analysis.candidate(move).proven:  # as `eval` would
            analysis = self.advise(before)
        explained, words = explain(before, analysis), words_for(before, analysis)
        candidate, best = explained.candidate(move), explained.candidates[0]
        who = before.traits.side(before.current_player)
        self.say(f"{who} played {candidate.name}. {worth(before, explained, candidate)}")
        if move not in analysis.best_moves and words.short(best) != words.short(candidate):
            prefers = f"{analysis.engine} prefers {best.name}"
            self.say(f"{prefers}. {worth(before, explained, best)}")

    def legend(self, session: Session) -> None:
        """What the words and marks for values mean."""
        self.say(legend_table(session.env, self.screen))

    def rules(self, session: Session) -> None:
        """The rules, and how moves are typed."""
        for sentence in session.env.traits.rules:
            self.say(sentence)
        self.say(f"Type a move as {form_of_moves(session.env, self.cells)}, or help.", "dim")

    def levels(self, session: Session) -> None:
        """The levels of the game and what each is."""
        self.say(level_table(session.env.name, self.screen))

    def show_cells(self, session: Session) -> None:
        """The numbers that can be typed, where they are on the board."""
        env = session.env
        if env.traits.has_grid and env.traits.move_by != "column":
            for line in self.cells.grid(env):
                self.say(line)
        self.say(f"Moves are {form_of_moves(env, self.cells)}.", "dim")

    def hint(self, session: Session) -> None:
        """The move that the adviser would play, and why."""
        env, analysis = session.env, self.advise(session.env)
        explained = explain(env, analysis)
        self.say(headline(env, explained, with_line=True))
        self._remarks(explained, analysis)

    def _remarks(self, explained: Analysis, analysis: Analysis) -> None:
        """The notes that `explain` added; those of the search itself have been shown."""
        self.screen.notes(note for note in explained.notes if note not in analysis.notes)

    def evaluate(self, session: Session) -> None:
        """The candidates with the values of the adviser."""
        self.candidates(session, self.advise(session.env))

    def advise(self, env: BaseGameEnv) -> Analysis:
        """The analysis of a strong engine within a few seconds."""
        engine = adviser(env)
        limit = usual_limit(engine)
        analysis = self._think(env, engine.on_all_cores(limit), engine.name, limit)
        self.screen.notes(analysis.notes)
        return analysis

    def _think(
        self,
        env: BaseGameEnv,
        player: Player,
        who: str,
        limit: Limit | None = None,
        *,
        claims: bool = False,
    ) -> Analysis:
        """Think within the limit; ``who`` is named where there is no live picture."""

        def ask(asked: Player, within: Limit | None) -> Analysis:
            return think(
                asked,
                env,
                self.screen,
                limit=within,
                picture=partial(thinking_picture, env, self.screen),
                interrupts=self._interrupts,
                who=who,
                claims=claims,
            )

        if self.first_answers is None:
            return ask(player, limit)
        return self.first_answers.answer(player, env, limit, ask)[0]

    def history(self, session: Session) -> None:
        """The moves so far."""
        self.say(moves_text(session) or "No move has been played yet.")


def move_form(env: BaseGameEnv) -> str:
    """How moves are written: ``a1-c3 or 0-8``."""
    return form_of_moves(env, Cells())


def result_text(session: Session, sides: Mapping[int, str] = SIDES) -> str:
    """How the game ended: ``X wins with a1 b1 c1.``; ``sides`` names the players."""
    env, winner = session.env, session.winner
    if session.resigned is not None:
        return f"{sides[session.resigned]} resigns: {sides[-session.resigned]} wins."
    if winner is None:
        return "The game is not over."
    score = ""
    if env.traits.score_unit:
        first = winner or 1  # the winner's discs come first
        score = f" {env.piece_count(first)} to {env.piece_count(-first)}"
    if winner == 0:
        return f"It is a draw{score}."
    if env.winning_line:
        shape = (env.rows, env.cols)
        names = " ".join(index_to_algebraic(cell, shape) for cell in env.winning_line)
        return f"{sides[winner]} wins with {names}."
    return f"{sides[winner]} wins{score}."


def moves_text(session: Session) -> str:
    """The moves so far, numbered by turn, and the transcript: ``1. b2 a1 2. c3   (b2a1c3)``."""
    env = session.env
    names = env.history_names()
    if not names:
        return ""
    return f"{numbered_turns(names)}   ({to_transcript(env)})"
