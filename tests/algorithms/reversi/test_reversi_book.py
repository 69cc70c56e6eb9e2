"""Books of Reversi: true, the same in every mirror, refused when damaged, and built in pieces."""

import itertools
import random
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from stopping import StopAfterProgress

from rl_toolkit.algorithms.by_game import books
from rl_toolkit.algorithms.by_game.books import BookPlan
from rl_toolkit.algorithms.by_game.books import build_book as build_any_book
from rl_toolkit.algorithms.reversi import book as reversi_book
from rl_toolkit.algorithms.reversi import expand_book as book_expander
from rl_toolkit.algorithms.reversi.book import (
    Book,
    canonical,
    play_canonical,
    rules_of,
    shipped_book,
)
from rl_toolkit.algorithms.reversi.build_book import build_book, layers
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.expand_book import expand_book
from rl_toolkit.algorithms.reversi.reference import reference_scores
from rl_toolkit.algorithms.reversi.search import book_candidates
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Reversi
from rl_toolkit.players import make_engine, make_player
from rl_toolkit.utils.atomic_file import BookError
from rl_toolkit.utils.executors import InProcess

RUNS = 200  # more than any build here is interrupted


def position_of(env):
    words = rules_of(env.rows).encode(np.asarray(env.board), env.current_player)
    return int(words[0]), int(words[1])


def played(size, plies, chance):
    """A running game after so many random moves."""
    while True:
        env = Reversi(size)
        for _ in range(plies):
            if env.is_terminal():
                break
            env.step(chance.choice(env.get_legal_moves()))
        if not env.is_terminal():
            return env


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """The book of 4×4 up to ply 6, as a file."""
    path = tmp_path_factory.mktemp("book") / "four.book"
    build_book(path, 6, size=4)
    return path


@pytest.fixture(scope="module")
def opening(tmp_path_factory):
    """A small opening book of 8×8, as a file."""
    path = tmp_path_factory.mktemp("book") / "opening.book"
    expand_book(path, 8, 15, 2)
    return path


class StopsLater:
    """A stop signal that is set when it has been asked so many times."""

    def __init__(self, times):
        self.times = times

    def is_set(self):
        self.times -= 1
        return self.times < 0


# --- positions -----------------------------------------------------------------------------------


def test_mirror_images_are_one_position():
    chance = random.Random(1)
    for size in (4, 6, 8):
        for _ in range(5):
            env = played(size, chance.randrange(5, 9), chance)
            images = set()
            for symmetry in env.symmetries():
                image = Reversi(size)
                image.set_position(symmetry.apply_to_board(env.board), env.current_player)
                images.add(canonical(position_of(image)))
            assert len(images) == 1
            assert images.pop() == canonical(canonical(position_of(env)))


def test_layers_hold_every_position_once():
    # Ply by ply as the games of `envs` play, with mirror images and forced passes told apart there.
    seen = [{canonical(position_of(Reversi(4)))}]
    games = [Reversi(4)]
    for _ in range(5):
        following = {}
        for env in games:
            for move in env.get_legal_moves():
                after = env.copy()
                after.step(move)
                if not after.is_terminal() and after.get_legal_moves() == [after.pass_move]:
                    after.step(after.pass_move)
                if not after.is_terminal():
                    following[canonical(position_of(after))] = after
        games = list(following.values())
        seen.append(set(following))
    assert [set(layer) for layer in layers(4, 5)] == seen
    assert [len(layer) for layer in layers(6, 5)] == [1, 1, 3, 14, 60, 314]


# --- exact scores --------------------------------------------------------------------------------


def test_a_built_book_is_true(four):
    book, chance = Book.load(four), random.Random(2)
    assert book.exact
    assert len(book) == sum(len(layer) for layer in layers(4, 6))
    assert book.score(position_of(Reversi(4))) == -10
    for plies in (4, 5, 6) * 3:
        env = played(4, plies, chance)
        scores = reference_scores(env)
        if env.get_legal_moves() != [env.pass_move]:
            assert book.score(position_of(env)) in (max(scores.values()), None)
        for move, score in scores.items():
            assert book.score_of_move(position_of(env), move) in (score, None)


def test_every_ply_follows_from_the_next(four):
    book, rules = Book.load(four), rules_of(4)
    solver = ReversiSolver(book=None)
    for layer in layers(4, 6)[:-1]:
        for position in layer:
            env = Reversi(4)
            env.set_position(rules.decode(np.array(position, np.uint64), 1), 1)
            assert book.score(position) == max(solver.score_moves(env).values())


def test_the_solver_reads_the_book(four):
    book = Book.load(four)
    with_book, without = ReversiSolver(book=book), ReversiSolver(book=None)
    chance = random.Random(3)
    for plies in (0, 2, 4, 5, 6, 7):
        env = played(4, plies, chance)
        assert with_book.solve(env) == without.solve(env)
        assert with_book.score_moves(env) == without.score_moves(env)
        said, known = with_book.analyse(env), without.analyse(env)
        assert [c.score for c in said.candidates] == [c.score for c in known.candidates]
        assert said.proven
        for candidate in said.candidates:  # each line keeps what it promises
            game = env.copy()
            for move in candidate.line:
                game.step(move)
            ahead = 1 if game.current_player == env.current_player else -1
            assert game.is_terminal() or ahead * without.solve(game) == candidate.score
    assert with_book.analyse(Reversi(4)).nodes == 0


def test_only_exact_books_are_good_enough_for_the_solver(opening):
    with pytest.raises(ValueError, match="estimates"):
        ReversiSolver(book=Book.load(opening))


# --- the shipped books ---------------------------------------------------------------------------


def scores_after(book, position):
    """What the book knows of each move of a position."""
    moves = rules_of(book.size).moves(np.array(position, np.uint64))
    return [book.score_of_move(position, move) for move in moves]


def follows(book, position):
    """Whether a position's score is that of its best move, by the book alone."""
    return book.score(position) == max(scores_after(book, position))


def test_the_shipped_book_of_six_by_six_is_whole_and_follows_ply_by_ply():
    book = shipped_book(6)
    assert book.exact
    assert book.plies >= 4
    assert book.score(position_of(Reversi(6))) == -4
    found = layers(6, book.plies)
    assert sum(map(len, found)) == len(book)
    assert all(follows(book, position) for layer in found[:-1] for position in layer)


@pytest.mark.full
def test_a_sample_of_the_shipped_book_is_solved_again():
    book, chance = shipped_book(6), random.Random(6)
    solver = ReversiSolver(book=None, max_memory_mb=1024)
    for _ in range(2):
        env = played(6, book.plies, chance)
        assert solver.solve(env) == book.score(position_of(env))


def test_the_first_plies_of_six_by_six_take_no_search():
    chance = random.Random(7)
    for plies in range(shipped_book(6).plies):
        env = played(6, plies, chance)
        analysis = ReversiSolver().analyse(env)
        assert analysis.nodes == 0
        assert all(c.proven and c.score is not None for c in analysis.candidates)
    assert make_player("reversi-6", "perfect").analyse(Reversi(6)).candidates[0].score == -4
    known = ReversiEngine().analyse(Reversi(6), Limit(time=60))  # the same book, the same lines
    assert known.line == ReversiSolver().analyse(Reversi(6)).line
    assert len(known.line) == shipped_book(6).plies


def test_the_shipped_opening_book_is_small_and_plays_sound_moves():
    book = shipped_book(8)
    assert not book.exact
    assert len(book) > 29_300
    assert len(book.to_bytes()) < 2_000_000
    assert all(follows(book, position) for layer in layers(8, 2) for position in layer)
    early = [
        position for position in book.sixteenths if (position[0] | position[1]).bit_count() <= 10
    ]
    whole = [position for position in early if None not in scores_after(book, position)]
    assert len(whole) > 50
    assert all(follows(book, position) for position in whole)
    env, engine = Reversi(), ReversiEngine()
    plies = 0
    while (said := engine.analyse(env, Limit(time=0.01))).notes:
        assert abs(said.candidates[0].score) < 6  # good play by both keeps the balance
        env.step(said.best_move)
        plies += 1
    assert plies >= 8


@pytest.mark.parametrize("count", [25, pytest.param(None, marks=pytest.mark.full)])
def test_no_seed_loses_half_a_disc_by_the_scores_of_the_shipped_book(count):
    book, rules, chance = shipped_book(8), rules_of(8), random.Random(3)
    engines = [ReversiEngine(book=book, seed=seed) for seed in range(4)]
    positions = list(book.sixteenths)
    chance.shuffle(positions)
    whole = (p for p in positions if None not in scores_after(book, p))
    varied = 0
    for position in itertools.islice(whole, count):
        env = Reversi(8)
        env.set_position(rules.decode(np.array(position, np.uint64), 1), 1)
        played_ = {engine.analyse(env, Limit(time=1)).best_move for engine in engines}
        scores = {m: book.score_of_move(position, m) for m in env.get_legal_moves()}
        assert max(scores.values()) - min(scores[m] for m in played_) < 0.5
        varied += len({scores[m] for m in played_}) > 1
    assert varied


def test_moves_less_than_half_a_disc_behind_the_best_are_equally_good():
    env = Reversi(8)
    env.step(env.get_legal_moves()[0])
    moves, scores = env.get_legal_moves(), [35, 28, 27]  # in sixteenths of a disc
    after = [play_canonical(rules_of(8), position_of(env), move)[0] for move in moves]
    book = Book(8, 4, 2, dict(zip(after, [-s for s in scores], strict=True)))
    analysis = ReversiEngine(book=book).analyse(env)
    assert {c.move: c.score for c in analysis.candidates} == dict(
        zip(moves, [2.0, 2.0, 1.5], strict=True)
    )
    assert {c.score for c in book_candidates(env, book)} == {2.0, 1.5}
    best = {ReversiEngine(book=book, seed=seed).analyse(env).best_move for seed in range(9)}
    assert best == set(moves[:2])


# --- files ---------------------------------------------------------------------------------------


def test_a_book_of_estimates_is_described_by_what_it_holds(opening, run):
    deepest = max((mine | theirs).bit_count() for mine, theirs in Book.load(opening).sixteenths) - 4
    assert deepest < Book.load(opening).plies
    assert f"positions up to ply {deepest}, estimated" in run("book", "show", str(opening)).words


def test_a_book_survives_its_file(four, tmp_path):
    again = tmp_path / "again.book"
    Book.load(four).save(again)
    assert again.read_bytes() == four.read_bytes()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda data: b"", "not a book of Reversi"),
        (lambda data: b"hello" + data, "not a book of Reversi"),
        (lambda data: data[:30], "not a book of Reversi"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "damaged"),
        (lambda data: data[:8] + b"\7" + data[9:], "version 7"),
        (lambda data: data[:9] + b"\5" + data[10:], "5 × 5"),
        (lambda data: reversi_book.SEAL.close((4, 6, 0), b"rubbish"), "cannot be decompressed"),
    ],
)
def test_a_damaged_or_foreign_book_is_refused(four, tmp_path, spoil, words):
    path = tmp_path / "bad.book"
    path.write_bytes(spoil(four.read_bytes()))
    with pytest.raises(BookError, match=words):
        Book.load(path)


@pytest.mark.parametrize("position", [(1, 1), (1 << 63, 0)])
def test_positions_that_the_board_has_not_are_refused(position):
    with pytest.raises(BookError, match="impossible on 4×4"):
        Book.from_bytes(Book(4, 6, 0, {position: 0}).to_bytes())
    with pytest.raises(BookError, match="impossible on 4×4"):
        Book.from_bytes(Book(4, 6, 0, {(1 << 27, 1 << 28): 17 * 16}).to_bytes())


def test_a_spoilt_package_goes_on_without_a_book(monkeypatch, caplog):
    monkeypatch.setattr(reversi_book, "SHIPPED", {6: "no such file"})
    monkeypatch.setattr("rl_toolkit.algorithms.reversi.solver.SHIPPED", {6: "no such file"})
    shipped_book.cache_clear()
    try:
        analysis = ReversiSolver().analyse(played(6, 22, random.Random(4)))
        assert analysis.proven
        assert "cannot be used" in analysis.notes[0]
        assert "without a book" in caplog.text
    finally:
        shipped_book.cache_clear()


# --- building ------------------------------------------------------------------------------------


def test_a_build_that_was_stopped_goes_on_where_it_was(four, tmp_path, monkeypatch):
    monkeypatch.setattr(books, "_POLL_EVERY", 0.0005)
    monkeypatch.setattr(books, "_REPORT_EVERY", 0)
    path, part = tmp_path / "resumed.book", tmp_path / "resumed.book.part"
    finished, runs = None, 0
    while finished is None:
        assert part.exists() == (runs > 0)
        stop = StopAfterProgress()
        finished = build_book(path, 6, 1, stop, size=4, stop=stop)
        runs += 1
    assert path.read_bytes() == four.read_bytes()
    assert not part.exists()


def test_several_workers_build_the_same_book(four, tmp_path):
    told = []
    build_book(tmp_path / "two.book", 6, 2, told.append, size=4, table_mb=1)
    assert (tmp_path / "two.book").read_bytes() == four.read_bytes()
    assert told[-1].solved == told[-1].positions == len(layers(4, 6)[-1])


def test_an_executor_builds_the_same_book(four, tmp_path):
    executor = InProcess()
    build_book(tmp_path / "by.book", 6, size=4, table_mb=1, executor=executor)
    assert (tmp_path / "by.book").read_bytes() == four.read_bytes()
    assert executor.account.tasks == len(layers(4, 6)[-1])


def test_the_book_of_the_large_board_is_not_built_by_an_executor(tmp_path):
    plan = BookPlan(6, executor=InProcess())
    with pytest.raises(ValueError, match="in this process only"):
        build_any_book(Reversi(), plan, tmp_path / "large.book", print)


def test_the_part_of_another_book_is_not_overwritten(tmp_path):
    stop = threading.Event()
    stop.set()
    path = tmp_path / "a.book"
    assert build_book(path, 6, size=4, stop=stop) is None
    with pytest.raises(BookError, match="a different book"):
        build_book(path, 5, size=4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"plies": -1}, "plies"),
        ({"plies": 32}, "plies"),
        ({"plies": 2, "workers": 0}, "worker"),
        ({"plies": 2, "size": 8}, "8×8"),
    ],
)
def test_what_cannot_be_built(tmp_path, arguments, words):
    with pytest.raises(ValueError, match=words):
        build_book(tmp_path / "a.book", **arguments)


# --- the opening book ----------------------------------------------------------------------------


def test_an_opening_book_is_reasoned_back(opening):
    book, rules = Book.load(opening), rules_of(8)
    inner = 0
    for position, score in book.sixteenths.items():
        moves = rules.moves(np.array(position, np.uint64))
        after = [play_canonical(rules, position, move) for move in moves]
        if all(book.score(p) is not None for p, _ in after):
            inner += 1
            assert score / 16 == max(side * book.score(p) for p, side in after)
    assert inner >= 15
    assert all((mine | theirs).bit_count() <= 12 for mine, theirs in book.sixteenths)


def test_an_interrupted_opening_book_goes_on(opening, tmp_path, monkeypatch):
    path = tmp_path / "resumed.book"
    for _ in range(RUNS):
        if expand_book(path, 8, 15, 2, stop=StopsLater(4)) is not None:
            break
    assert path.read_bytes() == opening.read_bytes()
    monkeypatch.setattr(book_expander, "_SAVE_EVERY", 0)

    def interrupt(progress):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        expand_book(tmp_path / "b.book", 8, 15, 2, interrupt)
    with pytest.raises(BookError, match="a different book"):
        expand_book(tmp_path / "b.book", 8, 15, 3)
    for bad in ((0, 1, 1), (1, 0, 1), (1, 1, 41)):
        with pytest.raises(ValueError, match="a number from 1"):
            expand_book(tmp_path / "c.book", *bad)


def test_the_opening_book_does_not_depend_on_the_number_of_threads(opening, tmp_path):
    path = tmp_path / "threads.book"
    while expand_book(path, 8, 15, 2, stop=StopsLater(6), workers=4) is None:
        pass
    assert path.read_bytes() == opening.read_bytes()


def test_the_time_left_is_told_by_the_looks_of_this_run(tmp_path, monkeypatch):
    path, told = tmp_path / "resumed.book", []
    assert expand_book(path, 8, 15, 2, stop=StopsLater(10)) is None
    monkeypatch.setattr(book_expander, "_SAVE_EVERY", 0)
    clock = SimpleNamespace(perf_counter=itertools.count().__next__)  # a second with each glance
    monkeypatch.setattr(book_expander, "time", clock)
    expand_book(path, 8, 15, 2, told.append)
    assert told[0].solved > 10
    assert all(progress.seconds_left >= progress.positions - progress.solved for progress in told)


def test_a_deep_look_scores_every_move_for_the_book(tmp_path):
    """Play is content to know that a move is worse; a book wants to know by how much."""
    book = expand_book(tmp_path / "deep.book", 8, 2, 6)
    env = Reversi()
    env.step(env.get_legal_moves()[0])
    mine, theirs = rules_of(8).encode(np.asarray(env.board), env.current_player)
    position = int(mine), int(theirs)
    scores = [book.score_of_move(position, move) for move in env.get_legal_moves()]
    assert len(set(scores)) == len(scores) == 3


def test_the_engine_plays_by_the_book_where_only_the_clock_counts(opening):
    book = Book.load(opening)
    engine = ReversiEngine(book=book, threads=2)
    said = engine.analyse(Reversi())
    assert (said.nodes, said.notes, said.depth) == (0, ("From the opening book",), 2)
    assert said.threads == 1
    assert not said.proven
    assert len(said.line) >= 4
    assert {c.score for c in said.candidates} == {said.candidates[0].score}  # mirror images
    engines = [ReversiEngine(book=book, seed=n) for n in range(9)]
    assert len({engine.analyse(Reversi()).best_move for engine in engines}) > 1
    for limit in (Limit(depth=1), Limit(nodes=50)):
        assert engine.analyse(Reversi(), limit).notes == ()
    assert ReversiEngine(book=None).analyse(Reversi(), Limit(time=0.01)).notes == ()
    assert make_engine("reversi:book=off,time=0.01").analyse(Reversi()).notes == ()
    late = played(8, 30, random.Random(5))
    assert engine.analyse(late, Limit(time=0.01)).notes == ()
