"""The opening book of `reversi`: size, worst choice by its own scores, variety, and strength.

    python -m benchmarks reversi_book
    python -m benchmarks.reversi_book --against old.book --pairs 100 --nodes 20000

For every position whose moves are all in the book: which moves may the engine play with some seed,
and how many discs does the worst of them lose by the scores of the book? With ``--against`` both
books play each other from the first move, each game with another seed; once its book ends, a player
searches so many nodes per move. The two games of a pair have the same seeds and swapped colours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from importlib.resources import files
from pathlib import Path

import numpy as np

from benchmarks import Row
from benchmarks.reversi_strength import Mover, play, summary
from rl_toolkit.algorithms.reversi.book import SHIPPED, Book, Discs, canonical, rules_of
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.search import book_candidates
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import Reversi

SHIPPED_BOOK = Path(str(files("rl_toolkit"))) / "data" / SHIPPED[8]
SEEDS = 100
#: Time enough to look into the book, too little for a search.
GLANCE = Limit(time=1e-6)


def positions_with_all_moves(book: Book) -> list[Reversi]:
    """The positions in which the engine plays by the book."""
    rules, found = rules_of(8), []
    for position in book.sixteenths:
        moves = rules.moves(np.array(position, dtype=np.uint64))
        if all(book.score_of_move(position, move) is not None for move in moves):
            found.append(_game(position))
    return found


def _game(position: Discs) -> Reversi:
    env = Reversi(8)
    env.set_position(rules_of(8).decode(np.array(position, dtype=np.uint64), 1), 1)
    return env


def _position(env: Reversi) -> Discs:
    words = rules_of(8).encode(np.asarray(env.board), env.current_player)
    return int(words[0]), int(words[1])


def worst_loss(env: Reversi, book: Book) -> float:
    """By the scores of the book: the discs lost by the worst move that some seed may choose."""
    position = _position(env)
    shown, scores = dict[int, float](), dict[int, float]()
    for candidate in book_candidates(env, book):
        score = book.score_of_move(position, candidate.move)
        assert score is not None, "the book has all moves"
        assert candidate.score is not None, "and scores each"
        scores[candidate.move], shown[candidate.move] = score, candidate.score
    best = max(shown.values())  # equal ones are chosen among by the seed
    return max(scores.values()) - min(scores[move] for move in shown if shown[move] == best)


def by_the_book(engine: ReversiEngine, env: Reversi) -> Analysis | None:
    """The book's answer; ``None`` if the engine would search."""
    found = engine.analyse(env, GLANCE)
    return found if found.notes == ("From the opening book",) else None


def opening(book: Book, seed: int) -> Reversi:
    """The end of the opening that the engine plays against itself by the book."""
    env = Reversi(8)
    while found := by_the_book(ReversiEngine(book=book, seed=100 * seed + env.move_count), env):
        assert found.best_move is not None
        env.step(found.best_move)
    return env


def describe(path: Path) -> Row:
    """Everything but strength."""
    begin = time.process_time()
    book = Book.load(path)
    seconds = time.process_time() - begin
    whole = positions_with_all_moves(book)
    openings = [opening(book, seed) for seed in range(SEEDS)]
    lengths = [env.move_count for env in openings]
    return {
        "book": path.name,
        "positions": len(book),
        "kB": path.stat().st_size / 1000,
        "plies searched": book.depth,
        "ms to load": 1000 * seconds,
        "with all moves": len(whole),
        "worst choice, discs lost": max(worst_loss(env, book) for env in whole),
        f"openings of {SEEDS} seeds": len({canonical(_position(env)) for env in openings}),
        "moves by the book, mean": sum(lengths) / len(lengths),
        "fewest": min(lengths),
    }


def mover(book: Book, nodes: int, seed: int) -> Mover:
    """The engine with a book, then with so many nodes per move."""
    reader, searcher = ReversiEngine(book=book, seed=seed), ReversiEngine(book=None)

    def best(env: Reversi) -> int:
        found = by_the_book(reader, env) or searcher.analyse(env, Limit(nodes=nodes))
        assert found.best_move is not None
        return found.best_move

    return best


def match(ours: Path, theirs: Path, pairs: int, nodes: int) -> Row:
    """Pairs of games between two books."""
    books, games = (Book.load(ours), Book.load(theirs)), []
    for pair in range(pairs):
        for colour in (1, -1):
            players = [mover(book, nodes, 2 * pair + k) for k, book in enumerate(books)]
            lead = play(Reversi(8), *players[::colour])
            games.append(
                {"player": ours.name, "opponent": theirs.name, "seconds": 0.0}
                | {"opening": pair, "colour": colour, "margin": colour * lead}
            )
        if pair % 5 == 4:
            print(json.dumps(summary(games)), file=sys.stderr, flush=True)
    return summary(games)


def run() -> list[Row]:
    return [describe(SHIPPED_BOOK)]


def main() -> int:
    shape = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--book", type=Path, default=SHIPPED_BOOK)
    parser.add_argument("--against", type=Path, help="another book")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of games")
    parser.add_argument("--nodes", type=int, default=20_000, help="nodes per move")
    options = parser.parse_args()
    print(json.dumps(describe(options.book)), flush=True)
    if options.against:
        print(json.dumps(describe(options.against)), flush=True)
        print(json.dumps(match(options.book, options.against, options.pairs, options.nodes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
