"""How a game is shown while it is played: board, prompt, search, result.

`GameView` is the view of ``rl-toolkit play``; the course scripts have their own.
"""

from __future__ import annotations

from functools import partial

from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.cli.play.game_review import review_game, review_lines
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    headline,
    show_candidates,
    show_tree,
    thinking_picture,
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

#: Candidates, and moves of each node of the search tree, that are shown while playing.
_TOP, _TREE_TOP = 7, 4


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
        self.screen, self.say = screen, screen.say
        self.show_thinking, self.show_tree = show_thinking, show_tree
        self.flipped = False
        self._interrupts = Interrupts()

    # ----------------------------------------------------------------------- a game

    def begin(self, session: Session) -> None:
        """Say who plays what."""
        names = " · ".join(f"{SIDES[p]}: {session.side(p).title}" for p in (1, -1))
        self.say(f"{session.env.name} · {names}", "bold")
        if session.has_human:
            self.say("Type a move, or help for everything else.", "dim")

    def board(self, session: Session) -> None:
        """Show the position."""
        self.say()
        self.say(draw_board(session.env, self.screen.width, flipped=self.flipped))
        if session.env.traits.score_unit:
            discs = (f"{SIDES[player]} {session.env.piece_count(player)}" for player in (1, -1))
            self.say(f"   {' · '.join(discs)}", "dim")

    def prompt(self, session: Session) -> str:
        """The text before the cursor when a person is to move."""
        if session.is_over:
            return "Game over (new, undo, save, quit): "
        env, side = session.env, SIDES[session.env.current_player]
        if env.must_pass():
            return f"{side} has no move (Enter passes): "
        return f"{side} to move ({move_form(env)}): "

    def played(self, session: Session, move: str, by: int, analysis: Analysis | None) -> None:
        """Say what was played, ``by`` which player, and how much an engine searched."""
        work = "" if analysis is None else f"   [{work_text(analysis)}]"
        self.say(f"{SIDES[by]} ({session.side(by).text}) plays {move}{work}")

    def think(self, session: Session, player: Player) -> Analysis:
        """Let an engine think about the position, and show it."""
        return self._think(session.env, player, SIDES[session.env.current_player])

    def thought(self, session: Session, analysis: Analysis) -> None:
        """Show the analysis of an engine, as far as that was asked for."""
        self.screen.notes(analysis.notes)
        if self.show_thinking:
            self.candidates(session, analysis)
        if self.show_tree:
            show_tree(analysis, self.screen, _TREE_TOP)

    def ended(self, session: Session) -> None:
        """Say how the game ended."""
        self.say(result_text(session), "bold")
        self.say(f"Moves: {moves_text(session)}", "dim")
        reviewed = review_game(session.env, self.screen, self._interrupts)
        if reviewed is not None:
            complete = len(reviewed.moves) == len(session.env.history)
            resigned = session.resigned if complete else None
            in_discs = bool(session.env.traits.score_unit)
            for line in review_lines(reviewed, resigned, in_discs=in_discs):
                self.say(line)

    # -------------------------------------------------------------------- on request

    def candidates(self, session: Session, analysis: Analysis) -> None:
        """The table of candidates and a sentence about the best."""
        show_candidates(session.env, explain(session.env, analysis), self.screen, _TOP)

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
        analysis = self._think(env, engine, engine.name, usual_limit(engine))
        self.screen.notes(analysis.notes)
        return analysis

    def _think(
        self, env: BaseGameEnv, player: Player, who: str, limit: Limit | None = None
    ) -> Analysis:
        """Think within the limit; ``who`` is named where there is no live picture."""
        return think(
            player,
            env,
            self.screen,
            limit=limit,
            picture=partial(thinking_picture, env, self.screen),
            interrupts=self._interrupts,
            who=who,
        )

    def history(self, session: Session) -> None:
        """The moves so far."""
        self.say(moves_text(session) or "No move has been played yet.")


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
