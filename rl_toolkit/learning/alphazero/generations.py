"""What a network said of every position of a small game, generation by generation of its training.

`learning.training.record_generations` makes such a record, and the chapter on self-play shows it.
A record is small, because positions that are images of each other share an entry: the mean of what
the network says of all of them::

    one generation    value, prior, prior, …    value, prior, …        one entry for each class
    in bytes          −100 … 100, 0 … 255       of positions, in the order of `image_of`

The priors of an entry belong to the legal moves in order. `Generations.evaluator` reads it as a
network, so a search can be guided by any generation.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.value_iteration import state_space
from rl_toolkit.envs import BaseGameEnv, Symmetry, make_game
from rl_toolkit.learning.alphazero.features import planes_of
from rl_toolkit.learning.alphazero.inference import GRAIN, Evaluation, Network, evaluate
from rl_toolkit.learning.alphazero.puct_tree import Evaluator

#: A class of positions: the cells (0 empty, 1 for player +1, 2 for player −1) and the side to move.
Image = tuple[bytes, int]
Table = npt.NDArray[np.uint8]

#: The most positions of a game whose record is kept.
MOST_POSITIONS = 20_000

_VALUES, _PRIORS = 100, 255


@dataclass(frozen=True)
class Generations:
    """What the generations of a run said.

    Attributes:
        game: the name of the game.
        numbers: the iterations of the run after which the network was asked; 0 is before the first.
        tables: the bytes of each; see the module.
        settings: the settings of the run. log: for each iteration what its log says.
    """

    game: str
    numbers: tuple[int, ...]
    tables: tuple[bytes, ...]
    settings: dict[str, Any] = field(default_factory=dict, repr=False)
    log: tuple[dict[str, float], ...] = field(default=(), repr=False)

    def as_json(self) -> str:
        """The record as text; `from_json` reads it back."""
        tables = [base64.b64encode(table).decode() for table in self.tables]
        data = {
            "game": self.game, "numbers": self.numbers, "tables": tables, "log": self.log,
            "settings": self.settings,
        }  # fmt: skip
        return json.dumps(data, indent=None, separators=(",", ":")) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Generations:
        """The record from the text of `as_json`."""
        data = json.loads(text)
        tables = tuple(base64.b64decode(table) for table in data["tables"])
        numbers, log = tuple(data["numbers"]), tuple(data["log"])
        return cls(data["game"], numbers, tables, data["settings"], log)

    def said(self, number: int, env: BaseGameEnv) -> tuple[float, dict[int, float]]:
        """The value of a position for its side to move, and the prior of each move."""
        image, symmetry = image_of(env)
        place, moves = self._places[image]
        entry = self.tables[self.numbers.index(number)][place : place + 1 + len(moves)]
        priors = dict(zip(moves, entry[1:], strict=True))
        total = sum(entry[1:])
        value = _signed(entry[0]) / _VALUES
        own = [(move, symmetry.apply_to_move(move)) for move in env.get_legal_moves()]
        return value, {move: priors[there] / total for move, there in own}

    def evaluator(self, number: int, env: BaseGameEnv) -> Evaluator:
        """A generation in the place of a network, for positions of the game of ``env``."""

        def evaluated(
            planes: npt.NDArray[np.float32], allowed: npt.NDArray[np.bool_]
        ) -> Evaluation:
            priors, results = np.zeros(allowed.shape), np.zeros((len(planes), 3))
            for row, position in enumerate(_positions(planes, env)):
                value, said = self.said(number, position)
                total = sum(prior for move, prior in said.items() if allowed[row, move])
                for move, prior in said.items():
                    if allowed[row, move]:
                        priors[row, move] = np.rint(prior / total / GRAIN) * GRAIN
                results[row] = max(value, 0.0), 1 - abs(value), max(-value, 0.0)
            return Evaluation(priors, results)

        return evaluated

    @cached_property
    def _places(self) -> dict[Image, tuple[int, list[int]]]:
        """Where each class of positions begins in a table, and its legal moves."""
        images, place = {}, 0
        for image, moves in classes(self.game):
            images[image] = place, moves
            place += 1 + len(moves)
        return images


def shipped_generations(game: str) -> Generations:
    """The record that comes with the package; `FileNotFoundError` if there is none."""
    file = files("rl_toolkit").joinpath("data", "generations", f"{game}.json")
    return Generations.from_json(file.read_text("utf-8"))


def image_of(env: BaseGameEnv) -> tuple[Image, Symmetry]:
    """The least image of a position, and the first symmetry that leads to it."""
    boards = [(_cells(s.apply_to_board(env.board)), at) for at, s in enumerate(env.symmetries())]
    cells, at = min(boards)
    return (cells, env.current_player), env.symmetries()[at]


def asked(network: Network, game: str) -> bytes:
    """What a network says of every class of positions, as the bytes of a table."""
    table = bytearray()
    for (cells, player), moves in classes(game):
        env = _position(make_game(game), cells, player)
        symmetries = env.symmetries()
        boards = [symmetry.apply_to_board(env.board) for symmetry in symmetries]
        images = [_position(env.copy(), _cells(board), player) for board in boards]
        allowed = np.zeros((len(images), env.num_moves), dtype=bool)
        for row, image in zip(allowed, images, strict=True):
            row[image.get_legal_moves()] = True
        answer = evaluate(network, planes_of(images), allowed)
        rows = list(zip(answer.priors, symmetries, strict=True))
        priors = [sum(row[s.apply_to_move(move)] for row, s in rows) / len(rows) for move in moves]
        value = round(_VALUES * float(answer.values.mean()))
        table += bytes([value % 256, *shares(priors)])
    return bytes(table)


def shares(priors: Sequence[float]) -> list[int]:
    """Priors as bytes: the greatest is 255, and none is 0.

    >>> shares([0.5, 0.25, 0.0])
    [255, 128, 1]
    """
    most = max(priors)
    return [max(1, round(_PRIORS * prior / most)) for prior in priors]


@cache
def classes(game: str) -> list[tuple[Image, list[int]]]:
    """The classes of positions in which somebody can move, in order, with their legal moves.

    `ValueError` for a game with more than `MOST_POSITIONS`.
    """
    images: dict[Image, list[int]] = {}
    seen: set[Any] = set()
    space = state_space(make_game(game), most=MOST_POSITIONS)

    def visit(env: BaseGameEnv) -> None:
        if env.get_state_hash() in seen or env.is_terminal():
            return
        seen.add(env.get_state_hash())
        image, _ = image_of(env)
        if image not in images:
            images[image] = _position(env.copy(), *image).get_legal_moves()
        for move in space[env].moves:
            env.step(move)
            visit(env)
            env.undo()

    visit(make_game(game))
    return sorted(images.items())


def _cells(board: npt.NDArray[np.int8]) -> bytes:
    return (board % 3).astype(np.uint8).tobytes()


def _position(env: BaseGameEnv, cells: bytes, player: int) -> BaseGameEnv:
    """``env`` with this board: a set-up position."""
    board = np.frombuffer(cells, dtype=np.uint8).astype(np.int8)
    board[board == 2] = -1
    env.reset()
    env.set_position(board, player)
    return env


def _positions(planes: npt.NDArray[np.float32], env: BaseGameEnv) -> Iterator[BaseGameEnv]:
    """The positions that planes show."""
    turned = slice(None, None, -1 if env.traits.row_one_at == "bottom" else 1)
    for seen in planes:
        mine, theirs = (seen[turned, :, plane].reshape(-1) > 0 for plane in (0, 1))
        player = 1 if mine.sum() == theirs.sum() else -1
        cells = np.where(mine, player, np.where(theirs, -player, 0)).astype(np.int8)
        yield _position(env.copy(), _cells(cells), player)


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte
