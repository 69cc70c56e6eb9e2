"""How a game is shown while it is played: board, prompt, search, result.

`GameView` is the view of ``rl-toolkit play``; the course scripts have their own.
"""

from __future__ import annotations

from rl_toolkit.analysis import Analysis
from rl_toolkit.cli.play.game_review import counts_discs, review_game, review_lines
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    headline,
    thinking_picture,
    tree_lines,
    work_text,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, think
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import explain
from rl_toolkit.players import Player
from rl_toolkit.players.advisers import adviser, usual_limit
from rl_toolkit.records import to_transcript
from rl_toolkit.utils.position_utils import index_to_algebraic

SIDES = {1: "X", -1: "O"}
#: Candidates shown while playing.
_TOP = 7
#: Plies and moves of the search tree that are shown.
_TREE_DEPTH, _TREE_TOP = 2, 4


class GameView:
    """Shows a game on a screen.

    Attributes:
        show_thinking: after each move of an engine, show its candidates.
        show_tree: and the top of its search tree, if it keeps one.
        flipped: whether the board is turned upside down.
    """

    def __init__(
        self, screen: Screen, *, show_thinking: bool = False, show_tree: bool = False
    ) -> None:
        self.screen = screen
        self.show_thinking, self.show_tree = show_thinking, show_tree
        self.flipped = False
        self._interrupts = Interrupts()

    # ----------------------------------------------------------------------- a game

    def begin(self, session: Session) -> None:
        """Say who plays what."""
        names = " · ".join(f"{SIDES[p]}: {session.side(p).title}" for p in (1, -1))
        self.screen.say(f"{session.env.name} · {names}", "bold")
        if session.has_human:
            self.screen.say("Type a move, or help for everything else.", "dim")

    def board(self, session: Session) -> None:
        """Show the position."""
        self.screen.say()
        self.screen.say(draw_board(session.env, self.screen.width, flipped=self.flipped))
        if session.env.traits.score_unit:
            discs = (f"{SIDES[player]} {session.env.piece_count(player)}" for player in (1, -1))
            self.screen.say(f"   {' · '.join(discs)}", "dim")

    def prompt(self, session: Session) -> str:
        """The text before the cursor when a person is to move."""
        if session.is_over:
            return "Game over (new, undo, save, quit): "
        env, side = session.env, SIDES[session.env.current_player]
        if session.must_pass:
            return f"{side} has no move (Enter passes): "
        return f"{side} to move ({move_form(env)}): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played, ``by`` which player, and how much an engine searched."""
        side = session.side(by)
        text = f"{SIDES[by]} ({side.text}) plays {move}"
        if analysis is not None:
            text += f"   [{work_text(analysis)}]"
        self.screen.say(text)

    def think(self, session: Session, player: Player) -> Analysis:
        """Let an engine think about the position, and show it."""
        env = session.env
        return think(
            player,
            env,
            self.screen,
            picture=lambda analysis: thinking_picture(env, self.screen, analysis),
            interrupts=self._interrupts,
            who=self.thinker(session),
        )

    def thinker(self, session: Session) -> str:
        """Who is thinking, for terminals without a live picture; empty where it is known."""
        return SIDES[session.env.current_player]

    def thought(self, session: Session, analysis: Analysis) -> None:
        """Show the analysis of an engine, as far as that was asked for."""
        for note in analysis.notes:
            self.screen.tell(f"({note})", "dim")
        if self.show_thinking:
            self.candidates(session, analysis)
        if self.show_tree:
            self.tree(analysis)

    def ended(self, session: Session) -> None:
        """Say how the game ended."""
        self.screen.say(result_text(session), "bold")
        self.screen.say(f"Moves: {moves_text(session)}", "dim")
        reviewed = review_game(session.env, self.screen, self._interrupts)
        if reviewed is not None:
            complete = len(reviewed.moves) == len(session.env.history)
            resigned = session.resigned if complete else None
            discs = counts_discs(session.env)
            for line in review_lines(reviewed, resigned, in_discs=discs):
                self.screen.say(line)

    # -------------------------------------------------------------------- on request

    def candidates(self, session: Session, analysis: Analysis) -> None:
        """The table of candidates and a sentence about the best."""
        env = session.env
        explained = explain(env, analysis)
        self.screen.say(candidate_table(env, explained, self.screen, _TOP))
        hidden = len(explained.candidates) - _TOP
        if hidden > 0:
            self.screen.say(f"… and {hidden} more", "dim")
        self.screen.say(headline(env, explained))

    def tree(self, analysis: Analysis) -> None:
        """The top of the search tree."""
        try:
            view = analysis.tree(_TREE_DEPTH, _TREE_TOP)
        except ValueError as error:
            self.screen.tell(f"No search tree: {error}.", "dim")
            return
        for line in tree_lines(view):
            self.screen.row(line)

    def why(self, session: Session) -> None:
        """One sentence about the last move."""
        last = session.last_analysis()
        if last is None:
            self.say("No move has been played yet.")
            return
        before, move, analysis = last
        if analysis is None:  # a person's move, which no engine has analysed yet
            analysis = self.advise(before)
        explained = explain(before, analysis)
        candidate, best = explained.candidate(move), explained.candidates[0]
        who = SIDES[before.current_player]
        self.say(f"{who} played {candidate.name}. {candidate.note}")
        gained = (
            best.value - candidate.value,
            (best.exact_score or 0.0) - (candidate.exact_score or 0.0),
        )
        if gained > (0.0, 0.0):
            self.say(f"{analysis.engine} prefers {best.name}. {best.note}")

    def hint(self, session: Session) -> None:
        """The move that the adviser would play, and why."""
        env = session.env
        self.say(headline(env, explain(env, self.advise(env))))

    def evaluate(self, session: Session) -> None:
        """The candidates with the values of the adviser."""
        self.candidates(session, self.advise(session.env))

    def advise(self, env: BaseGameEnv) -> Analysis:
        """The analysis of a strong engine within a few seconds."""
        engine = adviser(env)
        analysis = think(
            engine,
            env,
            self.screen,
            limit=usual_limit(engine),
            picture=lambda analysis: thinking_picture(env, self.screen, analysis),
            interrupts=self._interrupts,
            who=engine.name,
        )
        for note in analysis.notes:
            self.screen.tell(f"({note})", "dim")
        return analysis

    def history(self, session: Session) -> None:
        """The moves so far."""
        self.say(moves_text(session) or "No move has been played yet.")

    def say(self, text: str) -> None:
        """Say a sentence to the person."""
        self.screen.say(text)

    def complain(self, text: str) -> None:
        """Say why something cannot be done."""
        self.screen.say(text, "red")


def move_form(env: BaseGameEnv) -> str:
    """How moves are written: ``a1 to c3``."""
    if env.traits.move_by == "column":
        return f"a-{env.move_name(env.cols - 1)} or 1-{env.cols}"
    return f"a1 to {index_to_algebraic(env.rows * env.cols - 1, (env.rows, env.cols))}"


def result_text(session: Session) -> str:
    """How the game ended: ``X wins with a1 b1 c1.``."""
    env, winner = session.env, session.winner
    if session.resigned is not None:
        return f"{SIDES[session.resigned]} resigns: {SIDES[-session.resigned]} wins."
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
        return f"{SIDES[winner]} wins with {names}."
    return f"{SIDES[winner]} wins{score}."


def moves_text(session: Session) -> str:
    """The moves so far, numbered by turn, and the transcript: ``1. b2 a1 2. c3   (b2a1c3)``."""
    env = session.env
    names = [env.move_name(move) for move in env.history]
    if not names:
        return ""
    return f"{numbered_turns(names)}   ({to_transcript(env)})"
