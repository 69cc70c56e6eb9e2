"""The pairs of a run in a file, each with the stamps of the players who played it.

A line of a match has no names, as its file belongs to two engines; the lines of all other runs do.
Lines of another network do not count, and for lines of older code the caller decides. The stamps
are made before the run begins, off its clock; nothing is hashed in a run without a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Self

from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.match_results import Match
from rl_toolkit.arena.runs.playing import Pair, Planned, Tell
from rl_toolkit.arena.runs.stamps import (
    IF_CHANGED,
    ChangedCodeError,
    IfChanged,
    stamp_of,
)
from rl_toolkit.players import Player, is_rating, portable, tidied

#: Bytes of a game in a file, about.
GAME_BYTES = 500

_Line = Mapping[str, Any]
_Key = tuple[str | int, ...]


@cache  # a run asks for every pair
def short_name(player: str) -> str:
    """What a player is known by in a file of games: a bot by its file, wherever that is.

    >>> short_name("bots/mine.py"), short_name("400.0"), short_name("Hard"), short_name("MCTS:c=2")
    ('mine.py', '400', 'hard', 'mcts:c=2')
    """
    name = player.strip()
    if is_rating(name):
        return f"{float(name):.12g}"
    return portable(tidied(name))


def check_if_changed(if_changed: str) -> None:
    """Raise ``ValueError`` for a decision that does not exist."""
    if if_changed not in IF_CHANGED:
        raise ValueError(f"if_changed must be one of {', '.join(IF_CHANGED)}, not {if_changed!r}")


class SavedPairs:
    """The pairs in the file of a run; raises `ChangedCodeError` if some are of older code.

    Args:
        journal: the file; it is closed if it cannot be used, and at the end of ``with``.
        match: any match of the run, for its game and rules; the match, if the run is one.
        players: who plays, by the texts that name them.
        if_changed: what to do with pairs of older code: ``refuse``, ``replay`` or ``keep``.
        tell: called with a sentence on pairs that will be played again.
        name: what a player is called in the file; ``None`` if its lines have no names.
        pairs: lines with this number of a pair, or a higher one, are left alone.
        seeded: whether two players may have several matches in the file, known by their seeds.
    """

    def __init__(
        self,
        journal: Journal,
        match: Match,
        players: Mapping[str, Player],
        if_changed: IfChanged,
        tell: Tell | None = None,
        *,
        name: Callable[[str], str] | None = short_name,
        pairs: int | None = None,
        seeded: bool = False,
    ) -> None:
        self._journal, self._match, self._name = journal, match, name
        self._texts = {} if name is None else {name(text): text for text in players}
        self._seeded = seeded
        judged = bool(match.rules.adjudicate) or match.balanced  # by engines of the run itself
        try:
            self._stamps = {
                text: stamp_of(match.game, player, judged=judged)
                for text, player in players.items()
            }
            lines = [line for line in journal.done if self._is_of_this_run(line, pairs)]
            self._lines = self._counting(lines, if_changed, tell or (lambda text: None))
        except BaseException:  # then no run begins that would close the file
            journal.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._journal.close()

    def planned(self, match: Callable[[str, str], Match]) -> list[Planned]:
        """All pairs of the file, in the order of play, given the match of two players."""
        lines = self._lines.values()
        return [Planned(match(*self._engines(line)), line["pair"]) for line in lines]

    def find(self, planned: Planned) -> Pair | None:
        """The pair, if the file has it."""
        line = self._lines.get(_key({**self._about(planned.match), "pair": planned.number}))
        return None if line is None else Pair.of(planned, line)

    def add(self, planned: Planned, line: _Line) -> None:
        """Write a pair that was just played."""
        networks, code, versions = zip(
            *(self._stamps[engine] for engine in planned.match.engines), strict=True
        )
        stamps = {"networks": networks, "code": code, "versions": versions}
        about = self._about(planned.match)
        self._journal.add({**about, "pair": planned.number, **line, **stamps})

    def _is_of_this_run(self, line: _Line, pairs: int | None) -> bool:
        if "pair" not in line or (pairs is not None and line["pair"] >= pairs):
            return False
        return self._name is None or set(line["players"]) <= self._texts.keys()

    def _counting(
        self, lines: Sequence[_Line], if_changed: IfChanged, tell: Tell
    ) -> dict[_Key, _Line]:
        """The lines that count, by their pairs; those that were played last are last."""
        known = [line for line in lines if self._has("networks", line)]
        same = [line for line in known if if_changed == "keep" or self._has("code", line)]
        found: dict[_Key, _Line] = {}
        for line in same:
            found.pop(_key(line), None)  # a pair that was played again counts once
            found[_key(line)] = line
        older = {*map(_key, known)} - found.keys()
        if older and if_changed == "refuse":
            changed = {
                engine
                for line in known
                if _key(line) in older
                for engine, code in zip(self._names_of(line), line["code"], strict=True)
                if code != self._stamps[self._texts.get(engine, engine)].code
            }
            raise ChangedCodeError.since(sorted(changed), 2 * len(older), self._journal.path)
        other = {*map(_key, lines)} - {*map(_key, known)}
        for pairs, what in ((older, "older code"), (other, "another network")):
            if pairs:
                games = f"{2 * len(pairs)} games in {self._journal.path}"
                tell(f"{games} were played by {what} and will be replayed.")
        return found

    def _has(self, stamp: str, line: _Line) -> bool:
        """Whether a line has a stamp of today; a line of an older version may lack it."""
        if stamp not in line:
            return True
        now = [self._stamps[engine] for engine in self._engines(line)]
        return bool(line[stamp] == [s.network if stamp == "networks" else s.code for s in now])

    def _about(self, match: Match) -> dict[str, Any]:
        """What a line says about the match of its pair."""
        names = {} if self._name is None else {"players": [*map(self._name, match.engines)]}
        return {**names, "seed": match.seed} if self._seeded else names

    def _names_of(self, line: _Line) -> Sequence[str]:
        return self._match.engines if self._name is None else line["players"]

    def _engines(self, line: _Line) -> tuple[str, str]:
        one, other = (self._texts.get(name, name) for name in self._names_of(line))
        return one, other


def _key(line: _Line) -> _Key:
    """What a line is about: its players and its seed, if it names them, and the number."""
    return (*line.get("players", ()), line.get("seed", 0), line["pair"])
