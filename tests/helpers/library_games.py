"""Games for tests of the library, and the positions of games by replaying them, one by one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.records import GameRecord

#: A position up to symmetry: the smallest image of the board, and who is to move.
Key = tuple[bytes, int]


def random_records(
    game: str, count: int, seed: int, start: str = "", finished: float = 0.8
) -> list[GameRecord]:
    """Random games that share openings, some cut off, with players, dates and ratings."""
    rng = random.Random(seed)
    records = []
    for number in range(count):
        env = GameRecord(game, start=start).starting_position()
        length = 1000 if rng.random() < finished else rng.randrange(0, 30)
        while not env.is_terminal() and len(env.history) < length:
            legal = env.get_legal_moves()
            few = legal[: 2 if len(env.history) < 3 else len(legal)]
            env.step(rng.choice(few))
        headers = {"date": str(1990 + number % 30)} if number % 3 else {}
        if number % 4 == 0:
            headers |= {"black rating": str(1500 + number), "white rating": str(1700 - number)}
        names = rng.sample(["Ada", "Max", "Eva", "Ötzi", "hard"], 2)
        over = env.is_terminal()
        resigned = not over and number % 2 == 0
        records.append(
            GameRecord.from_env(
                env,
                players=names,
                headers=headers,
                result=rng.choice((1, -1)) if resigned else None,
                ended_by="resignation" if resigned else "",
            )
        )
    return records


def key_of(env: BaseGameEnv) -> Key:
    """The position up to symmetry, made by turning the board."""
    board = np.asarray(env.board)
    player = -env.current_player if env.is_terminal() else env.current_player
    return min(s.apply_to_board(board).tobytes() for s in env.symmetries()), player


def places(records: Sequence[GameRecord]) -> dict[Key, dict[int, int]]:
    """For each position the games that have it, by index, with the ply."""
    found: dict[Key, dict[int, int]] = defaultdict(dict)
    for k, record in enumerate(records):
        for ply, env in enumerate(record.positions()):
            found[key_of(env)].setdefault(k, ply)
    return found


def mirrored(env: BaseGameEnv, rng: random.Random) -> BaseGameEnv:
    """The same position in another orientation, without the moves that led there."""
    symmetry = rng.choice(env.symmetries())
    image = make_game(env.name)
    image.board = symmetry.apply_to_board(np.asarray(env.board))
    image.current_player = env.current_player
    return image


def some_positions(
    records: Sequence[GameRecord], count: int, rng: random.Random
) -> list[BaseGameEnv]:
    """Positions to ask for: of these games, early and late, turned, and some of other games."""
    asked = []
    for _ in range(count):
        record = rng.choice(records)
        ply = rng.choice([0, 1, 2, 3, 4, rng.randrange(0, len(record.moves) + 1)])
        env = BaseGameEnv.after(record.starting_position(), record.moves[:ply])
        if rng.random() < 0.25 and not env.is_terminal():  # perhaps in no game
            for _ in range(rng.randrange(1, 4)):
                if not env.is_terminal():
                    env.step(rng.choice(env.get_legal_moves()))
        asked.append(mirrored(env, rng) if rng.random() < 0.6 else env)
    return asked
