"""How a game looks while it is played: the board, the prompt, the thinking, the end.

`GameView` is the look of ``rl-toolkit play``; the course scripts have one of their own.
"""

from __future__ import annotations

from rl_toolkit.analysis import Analysis
from rl_toolkit.cli.play.game_review import counts_discs, review_game, review_lines
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.ui._move_list import numbered_turns
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
from rl_toolkit.envs import BaseGameEnv, ConnectFour, Reversi
from rl_toolkit.explain import explain
from rl_toolkit.players import Player
from rl_toolkit.players._advice import adviser, usual_limit
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
        flipped: whether the board is turned round.
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
        names = " · ".join(f"{SIDES[p]}: {session.seat(p).title}" for p in (1, -1))
        self.screen.say(f"{session.env.name} · {names}", "bold")
        if session.has_human:
            self.screen.say("Type a move, or help for everything else.", "dim")

    def board(self, session: Session) -> None:
        """Show the position."""
        self.screen.say()
        self.screen.say(draw_board(session.env, self.screen.width, flipped=self.flipped))
        if isinstance(session.env, Reversi):
            discs = (f"{SIDES[player]} {session.env.disc_count(player)}" for player in (1, -1))
            self.screen.say(f"   {' · '.join(discs)}", "dim")

    def prompt(self, session: Session) -> str:
        """What stands before the cursor when a person is to move."""
        if session.is_over:
            return "Game over (new, undo, save, quit): "
        env, side = session.env, SIDES[session.env.current_player]
        if session.must_pass:
            return f"{side} cannot place a disc (Enter passes): "
        return f"{side} to move ({move_form(env)}): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played; ``by`` whom, and what was thought if it was an engine."""
        seat = session.seat(by)
        text = f"{SIDES[by]} ({seat.text}) plays {move}"
        if analysis is not None:
            text += f"   [{work_text(analysis)}]"
        self.screen.say(text)

    def think(self, session: Session, player: Player) -> Analysis:
        """Let an engine think about the position, visibly."""
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
        """Who thinks, for people who see nothing move; empty where they know already."""
        return SIDES[session.env.current_player]

    def thought(self, session: Session, analysis: Analysis) -> None:
        """Show what an engine thought of the position, as far as that was asked for."""
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
        looked_back = review_game(session.env, self.screen, self._interrupts)
        if looked_back is not None:
            complete = len(looked_back.moves) == len(session.env.history)
            resigned = session.resigned if complete else None
            discs = counts_discs(session.env)
            for line in review_lines(looked_back, resigned, in_discs=discs):
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
        if analysis is None:  # a person's move: an engine has to look at it first
            analysis = self.advise(before)
        explained = explain(before, analysis)
        candidate, best = explained.candidate(move), explained.candidates[0]
        who = SIDES[before.current_player]
        self.say(f"{who} played {candidate.name}. {candidate.note}")
        gained = (best.value - candidate.value, (best.score or 0.0) - (candidate.score or 0.0))
        if gained > (0.0, 0.0):
            self.say(f"{analysis.engine} prefers {best.name}. {best.note}")

    def hint(self, session: Session) -> None:
        """The move an adviser would play, and why."""
        env = session.env
        self.say(headline(env, explain(env, self.advise(env))))

    def evaluate(self, session: Session) -> None:
        """The candidates as an adviser sees them."""
        self.candidates(session, self.advise(session.env))

    def advise(self, env: BaseGameEnv) -> Analysis:
        """What a strong engine says of a position within a few seconds."""
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
        """A sentence to the person at the keyboard."""
        self.screen.say(text)

    def complain(self, text: str) -> None:
        """A sentence about something that cannot be done."""
        self.screen.say(text, "red")


def move_form(env: BaseGameEnv) -> str:
    """How moves may be written: ``a1 to c3``."""
    if isinstance(env, ConnectFour):
        return f"a-{env.move_name(env.cols - 1)} or 1-{env.cols}"
    return f"a1 to {index_to_algebraic(env.rows * env.cols - 1, (env.rows, env.cols))}"


def result_text(session: Session) -> str:
    """How the game ended: ``X wins with a1 b1 c1.``."""
    env, winner = session.env, session.winner
    if session.resigned is not None:
        return f"{SIDES[session.resigned]} resigns: {SIDES[-session.resigned]} wins."
    if winner is None:
        return "The game goes on."
    score = ""
    if isinstance(env, Reversi):
        first = winner or 1  # the winner's discs are named first
        score = f" {env.disc_count(first)} to {env.disc_count(-first)}"
    if winner == 0:
        return f"It is a draw{score}."
    if env.winning_line:
        shape = (env.rows, env.cols)
        names = " ".join(index_to_algebraic(cell, shape) for cell in env.winning_line)
        return f"{SIDES[winner]} wins with {names}."
    return f"{SIDES[winner]} wins{score}."


def moves_text(session: Session) -> str:
    """The moves so far, numbered by turn: ``1. b2 a1 2. c3``, with the transcript after it."""
    env = session.env
    names = [env.move_name(move) for move in env.history]
    if not names:
        return ""
    return f"{numbered_turns(names)}   ({to_transcript(env)})"
