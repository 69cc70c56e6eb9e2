"""Statistics of many games: results, lengths, players and openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.tree.variations import names_along

PLAYER_COLUMNS = ("game", "player", "games", "won", "drawn", "lost", "points")


@dataclass(slots=True)
class Score:
    """The numbers of games won, drawn, lost and left undecided, from one side's point of view."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    undecided: int = 0

    def add(self, result: int | None) -> None:
        """Count one game; ``result`` is +1 if it was won."""
        name = {1: "won", 0: "drawn", -1: "lost", None: "undecided"}[result]
        setattr(self, name, getattr(self, name) + 1)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost + self.undecided

    @property
    def share(self) -> float | None:
        """Points for each decided game, a draw half a point; ``None`` if no game is decided."""
        decided = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / decided if decided else None


@dataclass(slots=True)
class GameStats:
    """What is counted of all games of one kind.

    Attributes:
        game: the name of the game.
        results: from the view of X.
        lengths: the number of moves of every game.
        players: by name; a player without a name is not counted.
        openings: the first moves, from the usual start, with the results for X.
        given: the same for openings that no player chose; they are not among ``openings``.
    """

    game: str
    results: Score = field(default_factory=Score)
    lengths: list[int] = field(default_factory=list)
    players: dict[str, Score] = field(default_factory=dict)
    openings: dict[str, Score] = field(default_factory=dict)
    given: dict[str, Score] = field(default_factory=dict)

    def add(self, record: GameRecord, plies: int) -> None:
        """Count one game; an opening is its first ``plies`` moves, or all those of a given one."""
        self.results.add(record.result)
        self.lengths.append(len(record.moves))
        for name, sign in zip(record.players, (1, -1), strict=True):
            if name:
                result = None if record.result is None else sign * record.result
                self.players.setdefault(name, Score()).add(result)
        kept, first = (self.given, record.opening) if record.opening else (self.openings, plies)
        if plies and len(record.moves) >= first and not record.start:
            names = names_along(record.starting_position(), record.moves[:first])
            kept.setdefault(" ".join(names), Score()).add(record.result)

    @property
    def common_openings(self) -> list[tuple[str, Score]]:
        """The openings that players chose, the most frequent first."""
        return _most_frequent(self.openings)

    @property
    def given_openings(self) -> list[tuple[str, Score]]:
        """The openings that no player chose, the most frequent first."""
        return _most_frequent(self.given)

    @property
    def ranking(self) -> list[tuple[str, Score]]:
        """The players, those with most points for each game first."""
        return sorted(self.players.items(), key=lambda item: (-(item[1].share or 0.0), item[0]))

    def to_dict(self, openings: int | None = None) -> dict[str, Any]:
        """The statistics as plain data, with at most so many openings."""
        return {
            "game": self.game,
            "games": self.results.games,
            "x_won": self.results.won,
            "drawn": self.results.drawn,
            "o_won": self.results.lost,
            "undecided": self.results.undecided,
            "moves": {
                "mean": sum(self.lengths) / len(self.lengths),
                "least": min(self.lengths),
                "most": max(self.lengths),
            },
            "players": player_rows([self]),
            "openings": [
                {"moves": moves, **_counts(score)}
                for moves, score in self.common_openings[:openings]
            ],
            "given_openings": [
                {"moves": moves, **_counts(score)}
                for moves, score in self.given_openings[:openings]
            ],
        }


def _most_frequent(openings: Mapping[str, Score]) -> list[tuple[str, Score]]:
    return sorted(openings.items(), key=lambda item: (-item[1].games, item[0]))


def stats_of(records: Iterable[GameRecord], plies: int = 2) -> list[GameStats]:
    """The statistics of each kind of game, the kind with most games first."""
    kinds: dict[str, GameStats] = {}
    for record in records:
        kinds.setdefault(record.game, GameStats(record.game)).add(record, plies)
    order = Counter({game: stats.results.games for game, stats in kinds.items()})
    return [kinds[game] for game, _ in order.most_common()]


def player_rows(stats: Sequence[GameStats]) -> list[dict[str, Any]]:
    """A row for each player, with the columns `PLAYER_COLUMNS`."""
    return [
        {"game": kind.game, "player": name, **_counts(score), "points": score.share}
        for kind in stats
        for name, score in kind.ranking
    ]


def _counts(score: Score) -> dict[str, int]:
    return {
        "games": score.games,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
    }
