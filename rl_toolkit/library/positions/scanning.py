"""Packs in memory, and the scans over them: compiled where that is possible."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.library.database import Database
from rl_toolkit.library.kinds import NO_STONE, Kind
from rl_toolkit.library.positions.packs import Pack, joined, read_loose, read_packs
from rl_toolkit.library.positions.plain import Hit, find_plainly, match_plainly, tally_plainly
from rl_toolkit.library.positions.targets import PatternTables, Target

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
    """One way to look at the games of a kind, compiled or plain; makes the buffers once."""

    def __init__(self, kind: Kind, *, plainly: bool = False) -> None:
        self.kind = kind
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
            for pack in packs:
                chosen = None if wanted is None else among(wanted, pack)
                yield pack, Hits.of(find_plainly(pack, target, chosen))
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
        if self._rules is None:
            for pack in packs:
                chosen = None if wanted is None else among(wanted, pack)
                yield pack, Hits.of(match_plainly(pack, tables, chosen))
            return
        from rl_toolkit.kernels.archive import scan

        plan = np.array([0, tables.alive, 0, self.kind.first, 0], np.int64)
        eight = np.arange(8, dtype=np.uint8)
        # Eight bytes to a word, one for each symmetry.
        adds = ((tables.wanted.ravel()[:, None] >> eight) & 1).astype(np.uint8).view(np.uint64)
        needs = np.array([[tables.needs] * 8, tables.begun], np.uint8).view(np.uint64).ravel()
        start, moves, words = self._start, self._move_of_cell, np.empty(0, np.uint64)
        if self.kind.flips:
            words = self._pattern_words(tables)
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
            if count and self.kind.flips:
                count = scan.confirm_pattern(
                    self._rules.operations.advance.address,
                    self._rules.geometry,
                    start,
                    words,
                    moves,
                    flat,
                    plan,
                    count,
                    hits.rows,
                    hits.alive,
                    hits.plies,
                    np.empty_like(start),
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

    def _pattern_words(self, tables: PatternTables) -> NDArray[np.uint64]:
        assert self._rules is not None
        side, parts = self._rules.words_per_side, []
        for image in tables.images():
            stones = np.where(np.abs(image) == 1, image, 0).astype(np.int8)
            free = np.where(image == 0, 1, 0).astype(np.int8)
            parts += [self._rules.encode(stones, 1), self._rules.encode(free, 1)[:side]]
        parts += parts[:2] * (8 - len(tables.images()))
        return np.concatenate(parts)


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
