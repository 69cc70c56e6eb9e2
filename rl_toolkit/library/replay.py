"""Games replayed in batches: are they legal, who won, where did the stones go?

`replay_games` uses the compiled rules where a game has them, and `replay_plainly` otherwise; both
give the same answers. The *twin* of a game is the sum of (2 ply + 1) · hash of position, modulo
2⁶⁴: a game and its mirror images have the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.library.kinds import NO_MOVE, NO_STONE, Kind, to_move

#: ``winner`` of a game that its moves do not end.
UNDECIDED = 2
_SPACE = 1 << 64

#: The moves of each game: numbers, or a byte for each.
Games = Sequence[Sequence[int] | NDArray[np.unsignedinteger]]


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a batch of games turned out to be; row g of each array is about game g.

    Attributes:
        bad: the index of the first illegal move, −1 if all are legal.
        plies: the number of moves, with the passes that were added.
        winner: +1, −1, 0, or `UNDECIDED`.
        stones: the stones of X and O at the end.
        moves: the moves, as `Kind.move_type`; what is behind the last one means nothing.
        cells: the cell of each stone as in packs, `NO_MOVE` behind the last one.
        twins: the hash of the game.
    """

    bad: NDArray[np.int64]
    plies: NDArray[np.int64]
    winner: NDArray[np.int64]
    stones: NDArray[np.int64]
    moves: NDArray[np.unsignedinteger]
    cells: NDArray[np.unsignedinteger]
    twins: NDArray[np.uint64]


def replay_games(kind: Kind, games: Games, *, add_passes: bool = False) -> Replayed:
    """Replay games of a kind; with ``add_passes`` the passes that a file leaves out are added."""
    rules = _Compiled.of(kind)
    if rules is None:
        return replay_plainly(kind, games, add_passes=add_passes)
    return rules.replay(games, add_passes)


def position_hash(kind: Kind, env: BaseGameEnv) -> int:
    """The hash of a position of ``kind``, the same for its mirror images.

    Where pieces move, it is made from the board, or from the moves of a game without one.
    """
    if kind.is_packed:
        return kind.hash_of(env.board, to_move(env))
    if env.traits.has_grid:
        board = np.asarray(env.board)
        images = [symmetry.apply_to_board(board).tobytes() for symmetry in kind.symmetries]
        text = min(images) + bytes([to_move(env)])
    else:
        text = env.moves_text().encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def replay_plainly(kind: Kind, games: Games, *, add_passes: bool = False) -> Replayed:
    """`replay_games` by the rules in Python."""
    rows = [_replay_one(kind, moves, add_passes) for moves in games]
    width = max((len(row.moves) for row in rows), default=0)
    played = np.zeros((len(rows), width), kind.move_type)
    cells = np.full((len(rows), width), NO_MOVE, kind.cell_type)
    for g, row in enumerate(rows):
        played[g, : len(row.moves)] = row.moves
        cells[g, : len(row.moves)] = row.cells
    return Replayed(
        np.array([row.bad for row in rows], np.int64),
        np.array([len(row.moves) for row in rows], np.int64),
        np.array([row.winner for row in rows], np.int64),
        np.array([row.stones for row in rows], np.int64).reshape(-1, 2),
        played,
        cells,
        np.array([row.twin for row in rows], np.uint64),
    )


@dataclass(slots=True)
class _Row:
    bad: int
    moves: list[int]
    cells: list[int]
    winner: int
    stones: tuple[int, int]
    twin: int


def _replay_one(
    kind: Kind, moves: Sequence[int] | NDArray[np.unsignedinteger], add_passes: bool
) -> _Row:
    env, bad = kind.begun.copy(), -1
    twin = position_hash(kind, env)
    played: list[int] = []
    cells: list[int] = []

    def step(move: int) -> None:
        nonlocal twin
        before = np.array(env.board)
        env.step(move)
        placed = np.flatnonzero((before == 0) & (env.board != 0))
        played.append(move)
        cells.append(kind.shift + int(placed[0]) if placed.size and kind.is_packed else NO_STONE)
        twin = (twin + position_hash(kind, env) * (2 * len(played) + 1)) % _SPACE

    for number, move in enumerate(moves):
        try:
            must = add_passes and not env.is_terminal() and env.must_pass()
            if must and int(move) != env.pass_move and env.pass_move is not None:
                step(env.pass_move)
            step(int(move))
        except GameError:
            bad = number
            break
    over = env.is_terminal()
    winner = UNDECIDED if not over or env.winner is None else int(env.winner)
    board = np.asarray(env.board)
    stones = int(np.count_nonzero(board == 1)), int(np.count_nonzero(board == -1))
    return _Row(bad, played, cells, winner, stones, twin)


class _Compiled:
    """The compiled rules of a kind, and the tables that the kernel reads."""

    def __init__(self, kind: Kind, rules: object) -> None:
        from rl_toolkit.kernels.archive import replay as kernel
        from rl_toolkit.kernels.rules.compiled import CompiledRules
        from rl_toolkit.kernels.status import LOST, WON

        assert isinstance(rules, CompiledRules)
        self.kind, self.rules, self._kernel = kind, rules, kernel
        begun, spec = kind.begun, rules.spec
        side = rules.words_per_side
        self.start = rules.encode(np.asarray(begun.board, np.int8), begun.current_player)
        self.cell_of_bit = np.zeros(side * 64, np.int64)
        self.cell_of_bit[rules.cell_bits] = np.arange(kind.cells)
        self.bit_of_cell = np.array(rules.cell_bits, np.int64)
        lines = np.zeros((side * 64, 2, 8), np.uint64)
        for s in range(8):
            symmetry = kind.symmetries[s % len(kind.symmetries)]
            lines[rules.cell_bits, :, s] = kind.zobrist[symmetry.cells]
        self.lines = lines.ravel()
        plan = np.zeros(kernel.PLAN, np.int64)
        plan[kernel.SIDE], plan[kernel.FIRST] = side, kind.first
        plan[kernel.PASS] = -1 if begun.pass_move is None else begun.pass_move
        plan[kernel.FREE_CELLS] = spec.free_cells_are_moves
        plan[kernel.NUM_MOVES] = spec.num_moves
        now = rules.status(self.start)  # for the side to move; the kernel asks for the other one
        plan[kernel.BEGUN] = {WON: LOST, LOST: WON}.get(now, now)
        self.plan = plan
        self.moves_at, self.play_at = rules.operations.moves.address, rules.operations.play.address

    @staticmethod
    @lru_cache(maxsize=64)
    def of(kind: Kind) -> _Compiled | None:
        """The compiled rules, ``None`` if the game has none or cannot use them here."""
        if kind.spec is None:
            return None
        from rl_toolkit.kernels.rules.compiled import compiled_rules

        rules = compiled_rules(kind.spec)
        return None if rules is None else _Compiled(kind, rules)

    def replay(self, games: Games, add_passes: bool) -> Replayed:
        kernel, kind = self._kernel, self.kind
        lengths = np.fromiter(map(len, games), np.int64, len(games))
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        flat = np.empty(int(offsets[-1]), np.int64)
        if all(isinstance(game, bytes) for game in games):
            flat[:] = np.frombuffer(b"".join(games), np.uint8)  # type: ignore[arg-type]
        else:
            for g, game in enumerate(games):
                flat[offsets[g] : offsets[g + 1]] = (
                    np.frombuffer(game, np.uint8) if isinstance(game, bytes) else game
                )
        width = int(lengths.max(initial=0)) * (2 if add_passes else 1)
        width = min(width, 2 * kind.cells + 2) if add_passes else width
        plan = self.plan.copy()
        plan[kernel.ADD_PASSES], plan[kernel.WIDTH] = add_passes, width
        count = len(games)
        played = np.zeros(count * width, np.int64)
        cells = np.full(count * width, kernel.NO_MOVE, np.int64)
        facts = np.zeros(count * kernel.FACTS, np.int64)
        twins = np.zeros(count, np.uint64)
        side = self.rules.words_per_side
        kernel.replay(
            self.moves_at,
            self.play_at,
            self.rules.geometry,
            plan,
            self.start,
            self.cell_of_bit,
            self.bit_of_cell,
            self.lines,
            kind.turn,
            flat,
            offsets,
            np.zeros(4 * side + 16, np.uint64),
            np.zeros(self.rules.spec.num_moves + 1, np.int64),
            played,
            cells,
            facts,
            twins,
        )
        facts = facts.reshape(count, kernel.FACTS)
        used = int(facts[:, kernel.PLIES].max(initial=0))
        cells = cells.reshape(count, width)[:, :used]
        packed = np.where(cells >= 0, cells + kind.shift, NO_MOVE)
        packed[cells == kernel.NO_STONE] = NO_STONE
        return Replayed(
            facts[:, kernel.BAD],
            facts[:, kernel.PLIES],
            facts[:, kernel.WINNER],
            facts[:, kernel.STONES_X : kernel.STONES_O + 1],
            played.reshape(count, width)[:, :used].astype(kind.move_type),
            packed.astype(kind.cell_type),
            twins,
        )
