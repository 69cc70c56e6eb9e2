"""Who beat a player, and how: for each lost game the move that gave the result away.

Exact play judges the game from its end backwards. The last position in which the loser still had a
win or a draw is the one that counts: whatever was played there lost the game, and nothing later
could save it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rl_toolkit.arena.exact_scores import NotSolvedError, results, scores_of
from rl_toolkit.arena.labelled_samples import Labelled
from rl_toolkit.arena.runs.match_results import Match, PlayedGame
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.samples import OnProgress
from rl_toolkit.arena.scorecard.positions import ShownPosition, shown_position
from rl_toolkit.arena.tournaments.report_accuracy import is_solved, own_plies
from rl_toolkit.arena.tournaments.results import TournamentResult
from rl_toolkit.envs import make_game
from rl_toolkit.players.advisers import solves_from
from rl_toolkit.records import position_to_text
from rl_toolkit.utils.executors import Executor, InProcess

#: Lost games of each player that are judged unless the caller says otherwise.
MOST = 20

#: What exact play says about a lost game.
Verdict = Literal["turn", "opening", "unproven", "unsolved", "forfeit", "not judged"]


@dataclass(frozen=True, slots=True)
class Loss:
    """A game that a player lost.

    Attributes:
        verdict: ``turn``: a move gave the result away, it is in ``turn``. ``opening``: the opening
            was lost already. ``unproven``: no such move as far back as positions can be proven.
            ``unsolved``: the game has no exact solver. ``forfeit``: it was lost without the board.
            ``not judged``: there were more lost games than were to be judged.
        turn: the position before that move, the move and those that were better.
        ply: how many moves were played before it.
    """

    player: str
    opponent: str
    match: Match
    game: PlayedGame
    verdict: Verdict = "not judged"
    turn: ShownPosition | None = None
    ply: int = 0

    @property
    def opening(self) -> str:
        """The moves of the opening by name."""
        return " ".join(self._names()[: len(self.game.opening)])

    @property
    def moves(self) -> str:
        """The moves after the opening by name."""
        return " ".join(self._names()[len(self.game.opening) :])

    def _names(self) -> list[str]:
        return list(self.game.record(self.match).replay().history_names())

    @property
    def moved_first(self) -> bool:
        """Whether the loser moved first."""
        return self.match.engines[self.game.first] == self.player

    @property
    def sentence(self) -> str:
        """What happened, for the one who lost."""
        if self.verdict == "forfeit":
            assert self.game.forfeit is not None
            return f"It {self.game.forfeit.reason}."
        if self.turn is not None:
            return f"Move {self.ply + 1} lost the game. {self.turn.sentence}"
        return _SENTENCES[self.verdict]


_SENTENCES: dict[Verdict, str] = {
    "opening": "The opening was lost already: against best play no move could save it.",
    "unproven": "The moves that can be proven were no mistakes: the game was lost before them.",
    "unsolved": "This game has no exact solver, so no move is named.",
    "not judged": "This game was not judged.",
}

#: A game to judge: its name, its start, its line, and the plies at which the loser moved.
_Task = tuple[str, str, tuple[int, ...], tuple[int, ...]]
_Found = tuple[Verdict, ShownPosition | None, int]


def lost_games(
    result: TournamentResult,
    most: int = MOST,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
) -> dict[str, list[Loss]]:
    """The lost games of each player, of which at most ``most`` are judged.

    Games that an opponent won on the board come first, those that were lost by a failure last.
    """
    lost: dict[str, list[Loss]] = {player: [] for player in result.plan.players}
    for loss in _each_loss(result):
        lost[loss.player].append(loss)
    solved = solves_from(make_game(result.plan.game)) is not None
    judged: list[tuple[str, int, _Task]] = []
    for player, games in lost.items():
        games.sort(key=lambda each: each.game.forfeit is not None)
        for number, game in enumerate(games):
            if game.game.forfeit is not None:
                games[number] = _with(game, ("forfeit", None, 0))
            elif not solved:
                games[number] = _with(game, ("unsolved", None, 0))
            elif number < most:
                judged.append((player, number, _task(game)))
    tasks = [task for _, _, task in judged]
    for done, (at, found) in enumerate((executor or InProcess()).map(_judge, tasks), 1):
        player, number, _ = judged[at]
        lost[player][number] = _with(lost[player][number], found)
        if on_progress is not None:
            on_progress("judging lost games", done, len(tasks))
    return lost


def _each_loss(result: TournamentResult) -> Iterator[Loss]:
    for match in result.in_order().matches:
        for game in match.games:
            if game.result:
                loser, winner = match.match.engines[:: -game.result]
                yield Loss(loser, winner, match.match, game)


def _with(loss: Loss, found: _Found) -> Loss:
    return Loss(loss.player, loss.opponent, loss.match, loss.game, *found)


def _task(loss: Loss) -> _Task:
    game, mine = loss.game, loss.match.engines.index(loss.player)
    plies = tuple(own_plies(loss.match.game, game, mine))
    return loss.match.game, game.start, (*game.opening, *game.moves), plies


def _judge(task: _Task) -> _Found:
    """What exact play says about one game: the work of a worker."""
    game, start, line, plies = task
    for ply in reversed(plies):
        env = Opening(line[:ply], start).position(game)
        try:
            if solves_from(env) != "start" and not is_solved(env):
                return "unproven", None, 0
            scores = scores_of(env)
        except NotSolvedError:
            return "unproven", None, 0
        if max(results(scores).values()) >= 0:
            labelled = Labelled(position_to_text(env), scores)
            return "turn", shown_position(game, labelled, line[ply]), ply
    return "opening", None, 0
