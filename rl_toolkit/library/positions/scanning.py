"""Packs in memory, and the scans over them: compiled where that is possible."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.kernels.archive.calling import match_function
from rl_toolkit.library.database import Database
from rl_toolkit.library.kinds import NO_STONE, Kind
from rl_toolkit.library.positions.lanes import Lanes, has_lanes
from rl_toolkit.library.positions.packs import Pack, joined, read_loose, read_packs
from rl_toolkit.library.positions.plain import Finder, Hit, match_plainly, tally_plainly
from rl_toolkit.library.positions.targets import PatternTables, Target
from rl_toolkit.library.positions.windows import Windows, can_match

_MEMO = 4096
#: More small packs of loose games than this are joined.
_FEW = 16


@dataclass(slots=True)
class _Shelf:
    """The packs of one kind."""

    states: dict[int, tuple[int, int, int]] = field(default_factory=dict)  # by thread
    packs: dict[int, Pack] = field(default_factory=dict)
    loose: list[Pack] = field(default_factory=list)


class Shelves:
    """The packs of a library, read when they are first needed and kept in memory.

    A change of the file by any program is seen at the next question; only what is new is read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shelves: dict[int, _Shelf] = {}
        self._lock = threading.Lock()

    def packs(self, number: int, kind: Kind) -> list[Pack]:
        """All games of a kind."""
        with self._lock:
            shelf = self._shelves.setdefault(number, _Shelf())
            thread, state = threading.get_ident(), self._database.state()
            if shelf.states.get(thread) != state:
                self._refresh(shelf, number, kind)
                shelf.states[thread] = state
            return [*shelf.packs.values(), *shelf.loose]

    def _refresh(self, shelf: _Shelf, number: int, kind: Kind) -> None:
        known = {int(game) for pack in shelf.loose for game in pack.ids}
        with self._database.reading() as connection:
            found = read_packs(connection, number, shelf.packs.keys(), kind)
            ids, new = read_loose(connection, number, known, kind)
            if not known <= set(ids):  # some were packed or removed
                shelf.loose = []
                ids, new = read_loose(connection, number, (), kind)
        shelf.packs = {n: pack or shelf.packs[n] for n, pack in found.items()}
        if new is not None:
            shelf.loose.append(new)
        if len(shelf.loose) > _FEW:
            shelf.loose = [joined(shelf.loose)]


class Scan:
    """One way to look at the games of a kind, compiled or plain.

    With ``most`` a plain scan is for a command that asks one question. For a position it is one by
    columns that replays at most so many different beginnings of games (see `plain.Finder`). For a
    pattern it uses the machine code of one kernel, which is loaded without Numba (see `lanes`), or
    replays at most so many games (see `windows.Windows`).
    """

    def __init__(self, kind: Kind, *, plainly: bool = False, most: int | None = None) -> None:
        self.kind, self._most = kind, most
        self._rules = None
        if kind.spec is not None and not kind.is_wide and not plainly:
            from rl_toolkit.kernels.rules.compiled import compiled_rules

            self._rules = compiled_rules(kind.spec)

    def find(
        self, packs: list[Pack], target: Target, wanted: NDArray[np.bool_] | None = None
    ) -> Iterator[tuple[Pack, Hits]]:
        """The games of each pack that have a position; ``wanted`` is indexed by their numbers."""
        if target.stones < 0 or not target.alive:
            return
        if self._rules is None:
            finder = Finder(target, self._most)
            for pack in packs:
                chosen = None if wanted is None else among(wanted, pack)
                yield pack, Hits(*finder.find(pack, chosen))
            return
        from rl_toolkit.kernels.archive import scan

        plan = np.array([0, target.alive, target.stones, self.kind.first, target.to_move], np.int64)
        masks = target.masks.ravel()
        memo, known = np.zeros(_MEMO, np.uint64), np.zeros(_MEMO, np.uint8)
        is_exact = not self.kind.flips or not target.stones
        start, moves = self._start, self._move_of_cell
        targets = np.empty(0, np.uint64) if is_exact else self._targets(target)
        for pack in packs:
            plan[scan.WIDTH] = pack.cells.shape[1]
            hits = Hits.empty(len(pack.cells))
            flat = pack.cells.reshape(-1)
            count = scan.find(
                flat, masks, plan, _chosen(wanted, pack), hits.rows, hits.alive, hits.plies
            )
            if count and not is_exact:
                count = scan.confirm(
                    self._rules.operations.advance.address,
                    self._rules.geometry,
                    start,
                    targets,
                    moves,
                    flat,
                    pack.cells.shape[1],
                    count,
                    hits.rows,
                    hits.alive,
                    hits.plies,
                    np.empty_like(start),
                    memo,
                    known,
                )
            yield pack, hits.first(count)

    def match(
        self, packs: list[Pack], tables: PatternTables, wanted: NDArray[np.bool_] | None = None
    ) -> Iterator[tuple[Pack, Hits]]:
        """The games of each pack that come to have a pattern."""
        lanes = self._lanes(tables)
        if self._rules is None:
            every = [None if wanted is None else among(wanted, pack) for pack in packs]
            if lanes is not None:
                for pack, chosen in zip(packs, every, strict=True):
                    yield pack, Hits(*lanes.match(pack, chosen))
            elif self._most is not None and can_match(self.kind):
                for pack, found in Windows(tables, self._most).match(packs, every):
                    yield pack, Hits(*found)
            else:
                for pack, chosen in zip(packs, every, strict=True):
                    yield pack, Hits.of(match_plainly(pack, tables, chosen))
            return
        folded = []
        for pack in packs:
            if pack.timelines is not None:
                hits = Hits.empty(len(pack.cells))
                found = hits.rows, hits.alive, hits.plies
                count = pack.timelines.match(pack.cells, tables, _chosen(wanted, pack), *found)
                yield pack, hits.first(count)
            elif lanes is not None:
                chosen = None if wanted is None else among(wanted, pack)
                yield pack, Hits(*lanes.match(pack, chosen))
            else:
                folded.append(pack)
        if folded:
            yield from self._match_folded(folded, tables, wanted)

    def _lanes(self, tables: PatternTables) -> Lanes | None:
        """The replay of all games, if it suits them and its machine code can be had."""
        lightly = self._rules is None
        if not has_lanes(self.kind) or (lightly and self._most is None):
            return None
        function = match_function(lightly=lightly)
        return None if function is None else Lanes(tables, function)

    def unfold(self, packs: list[Pack]) -> None:
        """Make the timelines of packs: more memory, and later patterns are found at once.

        Only where stones change colour; in other games a scan alone finds a pattern.
        """
        from rl_toolkit.library.positions.timelines import Timelines, can_unfold

        if self._rules is not None and can_unfold(self.kind, self._rules):
            start, moves = self._start, self._move_of_cell
            for pack in packs:
                if pack.timelines is None:
                    pack.timelines = Timelines.of(self.kind, self._rules, start, moves, pack.cells)

    def _match_folded(
        self, packs: list[Pack], tables: PatternTables, wanted: NDArray[np.bool_] | None
    ) -> Iterator[tuple[Pack, Hits]]:
        """The games of each pack that come to have a pattern: their stones keep their colour."""
        from rl_toolkit.kernels.archive import scan

        plan = np.array([0, tables.alive, 0, self.kind.first, 0], np.int64)
        eight = np.arange(8, dtype=np.uint8)
        # Eight bytes to a word, one for each symmetry.
        adds = ((tables.wanted.ravel()[:, None] >> eight) & 1).astype(np.uint8).view(np.uint64)
        needs = np.array([[tables.needs] * 8, tables.begun], np.uint8).view(np.uint64).ravel()
        kills = tables.kills.ravel()
        for pack in packs:
            plan[scan.WIDTH] = pack.cells.shape[1]
            hits = Hits.empty(len(pack.cells))
            flat = pack.cells.reshape(-1)
            count = scan.match(
                flat,
                kills,
                adds.ravel(),
                needs,
                plan,
                _chosen(wanted, pack),
                hits.rows,
                hits.alive,
                hits.plies,
            )
            yield pack, hits.first(count)

    def tally(
        self,
        pack: Pack,
        hits: Hits,
        rows: NDArray[np.int64],
        to_move: int,
        counts: NDArray[np.int64],
    ) -> None:
        """Count the next moves of games that were found, into ``counts``; see the kernel."""
        if self._rules is None:
            tally_plainly(pack, hits.listed(), rows, to_move, counts)
            return
        from rl_toolkit.kernels.archive import scan

        scan.tally(
            pack.cells.reshape(-1),
            pack.cells.shape[1],
            len(hits.rows),
            hits.rows,
            hits.alive,
            hits.plies,
            rows.reshape(-1),
            pack.heads.reshape(-1),
            to_move,
            counts.reshape(-1),
        )

    # ------------------------------------------------------------------------ tables

    @property
    def _start(self) -> NDArray[np.uint64]:
        assert self._rules is not None
        begun = self.kind.begun
        return self._rules.encode(np.asarray(begun.board, np.int8), begun.current_player)

    @property
    def _move_of_cell(self) -> NDArray[np.int64]:
        """The moves of cells, where stones change colour: such games move by cells."""
        moves = np.zeros(256, np.int64)
        moves[: self.kind.cells] = np.arange(self.kind.cells)
        passing = self.kind.begun.pass_move
        moves[NO_STONE] = 0 if passing is None else passing
        return moves

    def _targets(self, target: Target) -> NDArray[np.uint64]:
        assert self._rules is not None
        player = 1 if target.to_move == 0 else -1
        words = [self._rules.encode(image, player) for image in target.images()]
        words += words[:1] * (8 - len(words))
        return np.concatenate(words)


@dataclass(frozen=True, slots=True)
class Hits:
    """Games of a pack that were found: their rows, the symmetries and the plies."""

    rows: NDArray[np.int64]
    alive: NDArray[np.uint8]
    plies: NDArray[np.int64]

    @classmethod
    def empty(cls, most: int) -> Hits:
        """Room for ``most`` games."""
        return cls(np.empty(most, np.int64), np.empty(most, np.uint8), np.empty(most, np.int64))

    @classmethod
    def of(cls, found: list[Hit]) -> Hits:
        """The hits of a plain scan."""
        rows, alive, plies = zip(*found, strict=True) if found else ((), (), ())
        return cls(np.array(rows, np.int64), np.array(alive, np.uint8), np.array(plies, np.int64))

    def first(self, count: int) -> Hits:
        """The first ``count`` of them."""
        return Hits(self.rows[:count], self.alive[:count], self.plies[:count])

    def listed(self) -> list[Hit]:
        """The hits as a plain scan gives them."""
        parts = (self.rows.tolist(), self.alive.tolist(), self.plies.tolist())
        return list(zip(*parts, strict=True))


def _chosen(wanted: NDArray[np.bool_] | None, pack: Pack) -> NDArray[np.uint8]:
    if wanted is None:
        return np.empty(0, np.uint8)
    return among(wanted, pack).view(np.uint8)


def among(wanted: NDArray[np.bool_], pack: Pack) -> NDArray[np.bool_]:
    """For each game of a pack whether it is wanted; a game that came later is not."""
    known = pack.ids < len(wanted)
    return wanted[np.where(known, pack.ids, 0)] & known
