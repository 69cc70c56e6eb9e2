"""The tournament of a class: the bots of its students, by the one run of the arena.

::

    bots/ada.py                    a bot in a file, named after its student; or
    a hand-in of L05, L13, …       the player that its lab asks for
    .class/tournament/bots/…       their code, each bot in a folder of its own, named by a mark
    .class/tournament/GAME.jsonl   the games, under these marks: no name of a student is in it
    .class/results.db              which mark is whose (kind `player`)

So a game stays when a student is forgotten, and nothing in it says whose it was. All bots play
confined, each in a process of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from rl_toolkit.arena.runs import MatchResult, PlayedGame, Task, UnplayedGame, play_paired_game
from rl_toolkit.arena.tournaments import Tournament, TournamentResult, play_tournament
from rl_toolkit.classroom.class_folder import BOTS, ClassFolder
from rl_toolkit.classroom.entrants import KEPT, Bot, enter, entrants, former_players, why_not
from rl_toolkit.classroom.gradebook import Gradebook
from rl_toolkit.classroom.settings import ClassError
from rl_toolkit.envs import UnknownGameError, make_game
from rl_toolkit.labs.grading import REFERENCES, Results, class_seed
from rl_toolkit.players import SpecError
from rl_toolkit.utils import listed
from rl_toolkit.utils.executors import Executor

#: More players than this do not all meet, unless the teacher says so.
EVERYBODY = 16
#: What the name of an engine of a server cannot have, and how long it is at most.
_NO_NAME, _LONGEST = re.compile(r"[:=/\\]+"), 40

Failed = TypeVar("Failed", PlayedGame, UnplayedGame)


@dataclass(frozen=True, slots=True)
class ClassTournament:
    """A tournament of a class, before and after it is played.

    Attributes:
        bots: those who play, and former players with games.
        absent: names of those who cannot play, and why.
        others: engines that play along, by the text that names them.
    """

    plan: Tournament
    bots: Sequence[Bot]
    absent: Mapping[str, str]
    others: Mapping[str, str]
    save: Path

    def engines(self) -> list[str]:
        """The bots as a server takes engines, ``NAME=SPEC``; former players do not play."""
        present = [bot for bot in self.bots if bot.student]
        return [f"{_NO_NAME.sub(' ', bot.name).strip()[:_LONGEST]}={bot.spec}" for bot in present]

    @property
    def names(self) -> dict[str, str]:
        """The text that names a player → what readers call it."""
        return {**self.others, **{bot.spec: bot.name for bot in self.bots}}

    def _readable(self, text: str) -> str:
        """A text with the names of students and of their files in the place of marks."""
        for spec, name in self.names.items():
            text = text.replace(spec, name)
        for bot in self.bots:
            text = text.replace(f"{bot.mark}.py", bot.file)
        return text

    def readable(self, result: TournamentResult) -> TournamentResult:
        """The result, with reasons of failures that name the files of students."""

        def with_reason(game: Failed) -> Failed:
            if game.forfeit is None:
                return game
            reason = self._readable(game.forfeit.reason)
            return replace(game, forfeit=replace(game.forfeit, reason=reason))

        matches = [
            MatchResult(m.match, [*map(with_reason, m.games)], [*map(with_reason, m.unplayed)])
            for m in result.matches
        ]
        return TournamentResult(result.plan, matches)

    def play(
        self,
        executor: Executor | None = None,
        on_pair: Callable[[TournamentResult], object] | None = None,
        on_news: Callable[[str], object] | None = None,
    ) -> TournamentResult:
        """Play what has not been played; run it again to resume.

        Games of a bot that has not changed count, also if the toolkit has changed since.
        """

        def tell(sentence: str) -> None:
            if on_news is not None:
                on_news(self._readable(sentence))

        self.save.parent.mkdir(parents=True, exist_ok=True)
        result = play_tournament(
            self.plan,
            executor=executor,
            on_pair=on_pair,
            on_news=tell,
            save=self.save,
            if_changed="keep",
            play=_play,
        )
        return self.readable(result)


def plan_tournament(
    folder: ClassFolder,
    book: Gradebook | None,
    *,
    game: str | None = None,
    games: int = 4,
    schedule: str | None = None,
    rounds: int = 0,
    others: Sequence[str] | None = None,
) -> ClassTournament:
    """The tournament of the bots that a class has now; raises `ClassError`.

    ``game`` may be left out if the labs of the class have one game with bots. ``games``,
    ``schedule`` and ``rounds`` are those of a `Tournament`; by default everybody meets everybody,
    or with many players some rounds are played. ``others`` are engines that play along; by default
    random moves and a shallow search.
    """
    the_game = _game(folder, game)
    with Results(folder.kept) as results:
        seed = class_seed(results, None)
        entries, absent = entrants(folder, book, the_game, results)
        bots = []
        for each in entries:
            bot = enter(folder, results, each)
            if why := why_not(bot.spec, the_game):
                absent[each.name] = why
                continue
            bots.append(bot)
        former = former_players(folder, results)
    along = REFERENCES if others is None else {text: text for text in others}
    playing = {text: name for name, text in along.items()}
    if not bots:
        reasons = "".join(f"; {name} cannot play: {why}" for name, why in absent.items())
        raise ClassError(
            f"there is no bot for {the_game}: put files such as {BOTS}/ada.py into {folder.path}, "
            f"or grade a lab that asks for a player{reasons}"
        )
    try:
        count = len(bots) + len(playing)
        plan = Tournament(
            the_game,
            (*(bot.spec for bot in bots), *playing, *(bot.spec for bot in former)),
            games,
            schedule or ("round-robin" if count <= EVERYBODY else "swiss"),  # type: ignore[arg-type]
            seed=seed,
            rounds=rounds,
            retired=frozenset(bot.spec for bot in former),
        )
    except (SpecError, ValueError) as error:
        raise ClassError(str(error)) from error
    save = folder.kept / KEPT / f"{make_game(the_game).name}.jsonl"
    return ClassTournament(plan, (*bots, *former), absent, playing, save)


def _play(task: Task) -> dict[str, Any]:
    """A game; it stands here because a worker that imports this module knows the engine `lab`."""
    return play_paired_game(task)


def _game(folder: ClassFolder, game: str | None) -> str:
    if game is not None:
        try:
            return make_game(game).name
        except UnknownGameError as error:
            raise ClassError(str(error)) from error
    labs = [each.lab for each in folder.settings.assignments if each.lab and each.lab.bot]
    games = sorted({lab.game for lab in labs})
    if len(games) == 1:
        return games[0]
    some = listed(games or ["tictactoe", "connect-four"], "or")
    raise ClassError(f"name the game of the tournament: --game {some}")
