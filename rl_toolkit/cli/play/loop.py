"""The game loop: it asks the side to move and acts on what was typed.

It neither draws (that is `GameView`) nor knows rules (those are the game's).
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import click

from rl_toolkit.adapting import typed_name
from rl_toolkit.analysis import Analysis, EngineError
from rl_toolkit.cli.library_options import Keeper
from rl_toolkit.cli.play.autosave import Autosave
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.play.prompt import help_lines, meant_word, read_line, split_word
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.setup import GameSetup
from rl_toolkit.cli.play.view import GameView
from rl_toolkit.cli.program.exit_codes import describe_os_error
from rl_toolkit.records import RecordError, format_of, read_games, to_transcript, write_games
from rl_toolkit.utils import as_typed, counted, shown


class PlayLoop:
    """Plays games until the person leaves, or the two engines are done.

    Args:
        session: the first game.
        view: shows the games.
        setup: makes the next games.
        autosave: saves the game after every move.
        keeper: saves finished games in the library.
    """

    def __init__(
        self,
        session: Session,
        view: GameView,
        setup: GameSetup,
        autosave: Autosave | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        self.session, self.view, self._say = session, view, view.screen.say
        self._setup, self._autosave = setup, autosave or Autosave()
        self._own_files: set[str] = set()
        self._keeper = keeper
        self._leaving = self._complained = False
        self._is_new = False  # whether the game changed since it was put into the library

    def run(self) -> None:
        """Play until the person leaves; the game is saved even after a KeyboardInterrupt."""
        self.view.begin(self.session)
        self._show()
        while not self._leaving:
            self._turn()
        self._put_into_library()

    def _put_into_library(self) -> None:
        """Save a game that is over and that somebody leaves, as it is then."""
        session = self.session
        if self._keeper is not None and self._is_new and session.is_over:
            self._is_new = False
            x, o = (side.player is not None for side in session.sides)
            record = session.record()
            dated = {"date": time.strftime("%Y-%m-%d"), **record.headers}
            self._keeper.game(replace(record, headers=dated), (x, o))

    def _turn(self) -> None:
        session = self.session
        player = session.to_move.player
        if session.is_over or player is None:
            self._ask()
            return
        try:
            analysis = self.view.think(session, player)
        except click.ClickException as problem:
            if not (session.has_human and isinstance(problem.__cause__, EngineError)):
                raise
            self._say(_sentence(problem.message), "red")
            self._say("Press Enter to ask it again, or type a move for it, undo, new or quit.")
            self._ask()
            return
        move = analysis.best_move
        assert move is not None  # the game is not over
        self.view.thought(session, analysis)
        self._play(move, analysis)

    def _play(self, move: int, analysis: Analysis | None = None) -> None:
        session = self.session
        by, name = session.env.current_player, session.env.move_name(move)
        session.play(move, analysis)
        self._keep()
        self.view.played(session, name, by, analysis)
        self._show()

    def _changed(self) -> None:
        self._keep()
        self._show()

    def _show(self) -> None:
        self.view.board(self.session)
        if self.session.is_over:
            self._finish()

    def _finish(self) -> None:
        self.view.ended(self.session)
        if not self.session.has_human:
            self._leaving = True

    def _keep(self) -> None:
        self._is_new = True
        self._autosave.save(self.session.record())
        if self._autosave.problem is None:
            self._complained = False
        elif not self._complained:
            self._complained = True
            problem = describe_os_error(self._autosave.problem)
            self._say(f"The game cannot be saved: {problem}. Type save FILE to keep it.", "red")

    # ----------------------------------------------------------------------- a person
    #
    # ``_do_NAME`` answers the word NAME of `WORDS`; ``rest`` is what was typed after it.

    def _ask(self) -> None:
        try:
            text = read_line(self.view.screen.fit(self.view.prompt(self.session)))
        except (EOFError, KeyboardInterrupt) as leaving:
            self._say("")
            self._do_quit("")
            if isinstance(leaving, KeyboardInterrupt):
                raise
            return
        try:
            if command := split_word(text):
                word, rest = command
                getattr(self, f"_do_{word}")(rest)
            else:
                self._move(text)
        except ValueError as error:
            self._say(_sentence(str(error)), "red")
        except OSError as error:
            self._say(f"{describe_os_error(error)}.", "red")

    def _move(self, text: str) -> None:
        session = self.session
        if session.is_over:
            if text.strip():
                raise ValueError("the game is over; type new, undo, save FILE or quit")
            return
        env = session.env
        if not text.strip():
            if env.must_pass():
                self._play(env.get_legal_moves()[0])
            return
        try:
            move = self.view.cells.read(env, text)
        except ValueError as error:
            word = meant_word(text)
            if word is not None:
                raise ValueError(f"{shown(text)} is not a move; did you mean {word}?") from error
            hint = "" if ";" in str(error) else "; or type help"
            raise ValueError(f"{error}{hint}") from error
        self._play(move)

    def _do_undo(self, rest: str) -> None:
        taken = self.session.undo()
        names = ", ".join(self.session.env.line_names(taken[::-1])[::-1])
        self._say(f"Taken back: {names}." if names else "The resignation is taken back.")
        self._changed()

    def _do_redo(self, rest: str) -> None:
        begun = self.session.env.copy()
        names = ", ".join(begun.line_names(self.session.redo()))
        self._say(f"Played again: {names}.")
        self._changed()

    def _do_hint(self, rest: str) -> None:
        self._check_running()
        self.view.hint(self.session)

    def _do_eval(self, rest: str) -> None:
        self._check_running()
        self.view.evaluate(self.session)

    def _do_why(self, rest: str) -> None:
        self.view.why(self.session)

    def _do_legend(self, rest: str) -> None:
        self.view.legend(self.session)

    def _do_rules(self, rest: str) -> None:
        self.view.rules(self.session)

    def _do_levels(self, rest: str) -> None:
        self.view.levels(self.session)

    def _do_cells(self, rest: str) -> None:
        if rest:
            cells = Cells.named(rest)
            cells.check(self.session.env)
            self.view.cells = cells
        self.view.show_cells(self.session)

    def _do_history(self, rest: str) -> None:
        self.view.history(self.session)

    def _do_board(self, rest: str) -> None:
        self.view.board(self.session)

    def _do_flip(self, rest: str) -> None:
        self.view.flipped = not self.view.flipped
        self.view.board(self.session)

    def _do_swap(self, rest: str) -> None:
        self._check_running()
        x, o = self.session.sides
        self.session.sides = (o, x)
        self.view.begin(self.session)
        self._changed()

    def _do_resign(self, rest: str) -> None:
        self.session.resign()
        self._keep()
        self._finish()

    def _do_new(self, rest: str) -> None:
        self._begin(self._setup.again(self.session))

    def _do_save(self, rest: str) -> None:
        path, _, word = rest.rpartition(" ")
        overwrite = bool(path) and word.lower() == "overwrite"
        path = path.strip() if overwrite else rest
        if not path:
            raise ValueError("save where? Type save FILE")
        path = os.path.expanduser(path)
        is_own = os.path.realpath(path) in self._own_files
        if os.path.exists(path) and not (overwrite or is_own):
            raise ValueError(f"{path} already exists; to replace it, type save {path} overwrite")
        form = format_of(Path(path).suffix)
        try:
            write_games(path, [self.session.record()], form.name if form else "json")
        except RecordError as error:
            other = Path(path).with_suffix(".json")
            raise ValueError(f"{error.problem}; type save {other}") from error
        self._own_files.add(os.path.realpath(path))
        self._say(f"Saved as {path}.")

    def _do_load(self, rest: str) -> None:
        if not rest:
            raise ValueError("load what? Type load FILE")
        path, number = os.path.expanduser(rest), None
        match = re.fullmatch(r"(.+?) +([0-9]{1,6})", path, re.ASCII)
        if match is not None and not os.path.exists(path):
            path, number = match[1], int(match[2])
        try:
            records = read_games(path)
        except RecordError as error:
            raise ValueError(f"{path} cannot be loaded: {error}") from error
        number = number or (1 if len(records) == 1 else 0)
        if not 1 <= number <= len(records):
            raise ValueError(f"{path} has {counted(len(records), 'game')}; type load {path} NUMBER")
        session = self._setup.session(records[number - 1])
        if len(records) == 1:  # saving over many games would lose the others
            self._own_files.add(os.path.realpath(path))
        self._begin(session)

    def _begin(self, session: Session) -> None:
        self._put_into_library()
        self.session, self._autosave = session, Autosave()
        self.view.begin(session)
        self._changed()
        self._is_new = False

    def _do_help(self, rest: str) -> None:
        self._say("Type a move, or one of these:")
        for line in help_lines():
            self._say(line)

    def _do_quit(self, rest: str) -> None:
        self._leaving = True
        if self.session.is_over or not self.session.env.history:
            return
        if self._autosave.problem is None:
            env = self.session.env
            typed = typed_name(env)  # a file must be named again
            game = "" if typed == env.name else f"{as_typed(typed)} "
            self._say(f"Game saved. Continue with `rl-toolkit play {game}--resume`.")
        else:
            moves = to_transcript(self.session.env)
            self._say(f"The game is not saved. Its moves were {moves}", "red")

    def _check_running(self) -> None:
        if self.session.is_over:
            raise ValueError("the game is over; type undo or new")


def _sentence(text: str) -> str:
    if text.partition(" ")[0].isalpha():  # a2 stays lower case
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?")) else text + "."
