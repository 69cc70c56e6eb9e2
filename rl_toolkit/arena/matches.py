"""Matches: two engines, paired openings, colours swapped.

Every opening is played twice, once with each engine moving first, so that neither the opening nor
the first move favours an engine. The two games of a pair depend on each other; the confidence
interval is therefore computed over pairs.

The seed determines the openings and all randomness of the engines, so a match can be repeated, and
any worker can play any game.

A pair in a file names the networks and the code that played it. If an engine has a new network when
the match is resumed, its pairs are played again. If its code has changed, the caller decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from rl_toolkit.arena.arbiter.limits import warnings
from rl_toolkit.arena.arbiter.play_game import EngineFailedError
from rl_toolkit.arena.arbiter.worker_engines import check_versions, new_engine
from rl_toolkit.arena.runs.growing_list import SoFar
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.match_results import (
    Forfeit,
    Match,
    MatchResult,
    PlayedGame,
    UnplayedGame,
)
from rl_toolkit.arena.runs.openings.choice import with_openings
from rl_toolkit.arena.runs.openings.drawing import Openings
from rl_toolkit.arena.runs.openings.opening import Opening
from rl_toolkit.arena.runs.playing import Pair, Planned, Run, Tell, play_pairs
from rl_toolkit.arena.runs.saved_pairs import GAME_BYTES, SavedPairs, check_if_changed
from rl_toolkit.arena.runs.stamps import ChangedCodeError, IfChanged
from rl_toolkit.envs import make_game
from rl_toolkit.players import portable
from rl_toolkit.utils.executors import Executor

__all__ = [
    "ChangedCodeError",
    "EngineFailedError",
    "Forfeit",
    "IfChanged",
    "Match",
    "MatchResult",
    "OnPair",
    "Openings",
    "PlayedGame",
    "draw_openings",
    "match_pairs",
    "play_match",
]

#: Called with the result so far: at the start if there are saved games, then after every pair.
OnPair = Callable[[MatchResult], object]


def play_match(
    match: Match,
    *,
    executor: Executor | None = None,
    on_pair: OnPair | None = None,
    on_news: Tell | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
) -> MatchResult:
    """Play a match; with ``save`` games are written to a file, and an interrupted run resumes.

    Pairs in the file that were played by other networks are ignored, and ``on_news`` is called. For
    pairs that were played by other code of an engine ``if_changed`` decides: ``refuse`` raises
    `ChangedCodeError`, ``replay`` plays them again, ``keep`` counts them. ``on_news`` is also
    called at once when an engine forfeits its first game.

    If the match leaves its openings open, those of the file are played, else fair ones
    (`fair_openings`); the match of the result names them.
    """
    match = with_openings(match, save)
    games: list[PlayedGame] = []
    unplayed: list[UnplayedGame] = []
    with closing(match_pairs(match, executor, on_news, save, if_changed)) as run:
        for pairs in run:
            games += [game for pair in pairs for game in pair.games]
            unplayed += [game for pair in pairs for game in pair.unplayed]
            if on_pair is not None:
                on_pair(MatchResult(match, SoFar(games), SoFar(unplayed)))
    in_order = sorted(games, key=lambda game: (game.pair, game.first))
    return MatchResult(match, in_order, sorted(unplayed, key=lambda game: (game.pair, game.first)))


def match_pairs(
    match: Match,
    executor: Executor | None = None,
    tell: Tell | None = None,
    save: Path | None = None,
    if_changed: IfChanged = "refuse",
) -> Run:
    """The pairs of a match as `play_pairs` yields them; what cannot be played is refused at once.

    The arguments are those of `play_match`.
    """
    check_if_changed(if_changed)
    match = with_openings(match, save)
    players = {engine: new_engine(match.game, engine) for engine in match.engines}
    both = [players[engine] for engine in match.engines]
    for warning in warnings(match.engines, both, match.rules, make_game(match.game)):
        if tell is not None:
            tell(warning)
    check_versions(match.game, both)
    schedule, saved = _OneMatch(match), None
    if save is not None:
        journal = Journal(save, "match", _work(match), room=2 * match.pairs * GAME_BYTES)
        saved = SavedPairs(journal, match, players, if_changed, tell, name=None, pairs=match.pairs)
    return play_pairs(schedule, executor=executor, saved=saved, tell=tell)


class _OneMatch:
    """The schedule of a match: one stage."""

    def __init__(self, match: Match) -> None:
        self._match, self._openings = match, Openings(match)
        _ = self._openings[0]  # raises an error if there is none, before anything is written

    def stages(self) -> Iterator[Sequence[Planned]]:
        yield [Planned(self._match, number) for number in range(self._match.pairs)]

    def opening(self, planned: Planned) -> Opening:
        return self._openings[planned.number]

    def count(self, pair: Pair) -> None:
        """No stage depends on it."""


def _work(match: Match) -> dict[str, Any]:
    """The description that a file of games must match; without pairs, so that a match can grow.

    A bot is known by its code, wherever its file is.
    """
    work = {name: value for name, value in match.to_dict().items() if name != "pairs"}
    return work | {"engines": tuple(map(portable, match.engines))}


def draw_openings(match: Match) -> list[list[int]]:
    """The openings of a match, in the order of its pairs.

    A longer match begins with the openings of a shorter one, unless it leaves them open and needs
    more than the shipped ones.
    """
    openings = Openings(with_openings(match))
    return [list(openings[pair]) for pair in range(match.pairs)]
