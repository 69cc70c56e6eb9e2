"""The opening book: true, refused when it is not what it should be, and built in pieces."""

import hashlib
import random
import shutil
import threading

import numpy as np
import pytest
from connect_four_positions import random_game
from connect_four_reference import reference_score
from stopping import PATIENCE, StopAfterProgress

from rl_toolkit.algorithms.by_game import books
from rl_toolkit.algorithms.connect_four import book as connect_four_book
from rl_toolkit.algorithms.connect_four import build_book as book_builder
from rl_toolkit.algorithms.connect_four.book import Book, shipped_book
from rl_toolkit.algorithms.connect_four.build_book import build_book
from rl_toolkit.algorithms.connect_four.position import position_of
from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.envs import ConnectFour
from rl_toolkit.kernels.connect_four.layers import Layers
from rl_toolkit.kernels.connect_four.solver import Solver
from rl_toolkit.records import from_transcript, position_from_text
from rl_toolkit.utils import atomic_file
from rl_toolkit.utils.atomic_file import BookError
from rl_toolkit.utils.executors import InProcess, LocalProcesses


@pytest.fixture(scope="module")
def small_book(tmp_path_factory):
    """A book of the 4 × 5 board, as a file."""
    path = tmp_path_factory.mktemp("book") / "small.book"
    build_book(path, 8, rows=4, cols=5)
    return path


# --- layers --------------------------------------------------------------------------------------


def test_layers_list_every_running_position_once_per_mirror_pair():
    # Published counts of positions by ply, won ones and mirror images included.
    published = [1, 7, 49, 238, 1120, 4263, 16422]
    layers = Layers(6, 7)
    for stones, count in enumerate(published):
        layer = layers[stones]
        assert (layer[1:] > layer[:-1]).all()
        mirror_images = sum(
            layers.key(int(m), int(t)) != _key_of_mirror(int(m) + int(t))
            for m, t in zip(*layers.positions(stones), strict=True)
        )
        assert layer.size + mirror_images == count  # nobody has won with three stones each


def _key_of_mirror(key):
    columns = [(key >> 7 * col) & 127 for col in range(7)]
    return sum(column << 7 * (6 - col) for col, column in enumerate(columns))


def test_a_position_and_its_mirror_image_stand_in_one_place():
    layers, chance = Layers(6, 7), random.Random(2)
    for _ in range(50):
        env = random_game(chance, chance.randrange(8))
        image = ConnectFour()
        for move in env.history:
            image.step(6 - move)
        place = layers.place(*position_of(env))
        assert place is not None
        assert place == layers.place(*position_of(image))


def test_a_position_that_play_cannot_reach_is_in_no_layer():
    env = position_from_text("connect-four", "7/7/7/7/x6/o6 x")  # o cannot have begun
    assert Layers(6, 7).place(*position_of(env)) is None


# --- the shipped book ----------------------------------------------------------------------------


def test_the_shipped_book_knows_the_opening():
    book = shipped_book()
    assert (book.rows, book.cols) == (6, 7)
    engine = ConnectFourSolver()
    assert list(engine.score_moves(ConnectFour()).values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert engine.nodes == 0
    assert len(book.to_bytes()) <= 2_000_000


@pytest.mark.parametrize("count", [6, pytest.param(150, marks=pytest.mark.full)])
def test_the_shipped_book_agrees_with_the_search(count):
    book, chance, solver = shipped_book(), random.Random(7), Solver()
    for number in range(count):
        position = position_of(random_game(chance, book.plies - number % 2))
        assert book.score(*position) == solver.solve(*position)


def test_every_ply_of_the_shipped_book_follows_from_the_next():
    book, chance = shipped_book(), random.Random(8)
    for _ in range(300):
        env = random_game(chance, chance.randrange(book.plies))
        best = max(ConnectFourSolver().score_moves(env).values())
        assert book.score(*position_of(env)) == best


def test_beyond_its_plies_the_book_is_silent():
    book = shipped_book()
    env = random_game(random.Random(1), book.plies + 1)
    assert book.score(*position_of(env)) is None


@pytest.mark.parametrize("weak", [False, True])
def test_one_ply_beyond_its_plies_the_book_saves_work_and_changes_no_score(weak):
    book, chance = shipped_book(), random.Random(11)
    games = [random_game(chance, book.plies + 1) for _ in range(25)]
    results, nodes = [], []
    for engine in (ConnectFourSolver(weak=weak), ConnectFourSolver(book=None, weak=weak)):
        results.append([engine.solve(env) for env in games])
        nodes.append(engine.nodes)
    assert results[0] == results[1]
    assert nodes[0] < nodes[1]


def test_a_line_does_not_wait_for_a_move_that_is_slightly_worse():
    """After c e g c the best move is g; that two more central ones are worse takes 39 M nodes."""
    engine, env = ConnectFourSolver(), from_transcript("connect-four", "23225557")
    analysis = engine.analyse(env)
    assert analysis.nodes < 15_000_000
    assert all(len(c.line) == c.distance for c in analysis.candidates)
    for move in analysis.best.line[:4]:
        scores = engine.score_moves(env)
        assert scores[move] == max(scores.values())
        env.step(move)


def test_a_book_of_another_board_is_not_asked(small_book):
    engine = ConnectFourSolver(book=small_book)
    assert engine.book_problem is None
    assert engine.solve(from_transcript("connect-four", "4455")) == 18


# --- files ---------------------------------------------------------------------------------------


def test_a_book_survives_its_file(small_book, tmp_path):
    book = Book.load(small_book)
    again = tmp_path / "again.book"
    book.save(again)
    assert again.read_bytes() == small_book.read_bytes()


def test_the_file_is_laid_out_as_documented(small_book):
    data = small_book.read_bytes()
    assert data[:8] == b"C4BOOK\r\n"
    assert list(data[8:12]) == [1, 4, 5, 8]
    assert data[12:44] == hashlib.sha256(data[44:]).digest()
    assert int.from_bytes(data[44:48], "little") == 1  # the empty board
    assert Book.load(small_book).positions == sum(Layers(4, 5)[n].size for n in range(9))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda data: b"", "not an opening book"),
        (lambda data: b"hello" + data, "not an opening book"),
        (lambda data: data[:30], "not an opening book"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:], "damaged"),
        (lambda data: data[:8] + b"\2" + data[9:], "version 2"),
    ],
)
def test_a_damaged_or_foreign_book_is_refused_and_done_without(small_book, tmp_path, spoil, words):
    path = tmp_path / "bad.book"
    path.write_bytes(spoil(small_book.read_bytes()))
    with pytest.raises(BookError, match=words):
        Book.load(path)
    engine = ConnectFourSolver(book=path)
    assert words in engine.book_problem
    env = random_game(random.Random(3), 20)
    assert any(words in note for note in engine.analyse(env).notes)
    assert engine.solve(env) == ConnectFourSolver(book=None).solve(env)


def test_a_missing_book_is_done_without(tmp_path):
    assert "cannot be read" in ConnectFourSolver(book=tmp_path / "none.book").book_problem


def test_a_spoilt_package_goes_on_without_a_book_and_says_why(monkeypatch):
    monkeypatch.setattr(connect_four_book, "SHIPPED", "no such file")
    shipped_book.cache_clear()
    try:
        engine = ConnectFourSolver()
        assert engine.solve(from_transcript("connect-four", "4455")) == 18
        (note,) = engine.analyse(from_transcript("connect-four", "1" * 6 + "2" * 6)).notes
        assert note == engine.book_problem
        assert "without an opening book" in note
        assert "no such file" in note
    finally:
        shipped_book.cache_clear()


# --- building ------------------------------------------------------------------------------------


def test_a_built_book_is_true(small_book):
    book, chance = Book.load(small_book), random.Random(5)
    for _ in range(1):
        env = random_game(chance, 8, 4, 5)
        assert book.score(*position_of(env)) == reference_score(env)
    solver = Solver(4, 5)
    for stones in range(9):
        positions = list(zip(*Layers(4, 5).positions(stones), strict=True))
        for mine, taken in chance.sample(positions, min(25, len(positions))):
            assert book.score(int(mine), int(taken)) == solver.solve(int(mine), int(taken))


def test_a_book_to_the_last_ply(tmp_path):
    book = build_book(tmp_path / "all.book", 7, rows=2, cols=4)
    assert book.score(0, 0) == reference_score(ConnectFour(2, 4))


def test_a_build_that_was_stopped_goes_on_where_it_was(small_book, tmp_path, monkeypatch):
    monkeypatch.setattr(books, "_POLL_EVERY", 0.0005)
    monkeypatch.setattr(books, "_REPORT_EVERY", 0)
    monkeypatch.setattr(book_builder, "_SLICE", 200)
    solve_many = Solver.solve_many

    def solve_and_wait(self, *arguments):
        """One slice; the next when the build has been stopped, however slow its main thread is."""
        slices.append(1)
        assert len(slices) == 1 or stop.heard.wait(PATIENCE)
        return solve_many(self, *arguments)

    monkeypatch.setattr(Solver, "solve_many", solve_and_wait)
    path, part = tmp_path / "resumed.book", tmp_path / "resumed.book.part"
    positions, solved, runs, finished = Layers(4, 5)[8].size, 0, 0, None
    while finished is None:
        assert part.exists() == (runs > 0)
        assert not path.exists()
        stop, slices = StopAfterProgress(), []
        finished = build_book(path, 8, 1, stop, stop, rows=4, cols=5)
        assert stop.solved[0] == solved  # nothing was lost
        solved, runs = stop.solved[-1], runs + 1
    assert solved == positions
    assert runs > 1
    assert path.read_bytes() == small_book.read_bytes()
    assert not part.exists()


def test_several_workers_build_the_same_book(small_book, tmp_path):
    path = tmp_path / "threads.book"
    build_book(path, 8, workers=3, rows=4, cols=5)
    assert path.read_bytes() == small_book.read_bytes()


def test_another_process_builds_the_same_book_and_is_stopped_and_resumed(small_book, tmp_path):
    path, stop = tmp_path / "process.book", threading.Event()
    executor = LocalProcesses(1)

    def stop_early(progress):
        if progress.solved:
            stop.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(books, "_REPORT_EVERY", 0)
        assert build_book(path, 8, 1, stop_early, stop, executor=executor, rows=4, cols=5) is None
    assert not path.exists()
    begun = []
    build_book(path, 8, 1, begun.append, executor=InProcess(), rows=4, cols=5)
    assert 0 < begun[0].solved < begun[0].positions  # what the process had solved
    assert executor.account.tasks == 1
    assert path.read_bytes() == small_book.read_bytes()


def test_progress_ends_with_nothing_left(tmp_path):
    said = []
    build_book(tmp_path / "a.book", 5, 1, said.append, rows=4, cols=4)
    assert said[-1].solved == said[-1].positions
    assert said[-1].seconds_left == 0


def test_what_goes_wrong_in_a_worker_is_told_and_what_was_solved_is_kept(tmp_path, monkeypatch):
    solve_many, calls = Solver.solve_many, []

    def fails_later(self, *arguments):
        calls.append(1)
        if len(calls) > 3:
            raise MemoryError("no room")
        return solve_many(self, *arguments)

    monkeypatch.setattr(Solver, "solve_many", fails_later)
    path, said = tmp_path / "a.book", []
    with pytest.raises(MemoryError, match="no room"):
        build_book(path, 5, 1, said.append, rows=4, cols=4)
    assert 0 < said[-1].solved < said[-1].positions
    monkeypatch.undo()
    resumed = []
    assert build_book(path, 5, 1, resumed.append, rows=4, cols=4) is not None
    assert resumed[0].solved == said[-1].solved


def test_the_part_of_another_book_is_not_overwritten(small_book, tmp_path):
    path = tmp_path / "a.book"
    stop = threading.Event()
    stop.set()
    assert build_book(path, 8, stop=stop, rows=4, cols=5) is None
    with pytest.raises(BookError, match="a different book"):
        build_book(path, 7, rows=4, cols=5)
    shutil.copy(small_book, tmp_path / "a.book.part")
    with pytest.raises(BookError, match="a different book"):
        build_book(path, 8, rows=4, cols=5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"plies": -1}, "plies"),
        ({"plies": 42}, "plies"),
        ({"plies": 2, "workers": 0}, "worker"),
        ({"plies": 2, "rows": 9, "cols": 9}, "9 × 9"),
    ],
)
def test_what_cannot_be_built(tmp_path, arguments, words):
    with pytest.raises(ValueError, match=words):
        build_book(tmp_path / "a.book", **arguments)


def test_scores_fit_in_the_bytes_of_a_book():
    assert np.iinfo(np.int8).max > (8 * 7 + 1) // 2


# ------------------------------------------------------------------ right checksum, wrong content


def resealed(data: bytes, **shape: int) -> bytes:
    """The same book with another shape or body, and a checksum that fits."""
    magic, version, rows, cols, plies, _ = atomic_file.HEAD.unpack_from(data)
    body = data[atomic_file.HEAD.size :]
    shape = {"rows": rows, "cols": cols, "plies": plies} | shape
    digest = hashlib.sha256(body).digest()
    return (
        atomic_file.HEAD.pack(magic, version, shape["rows"], shape["cols"], shape["plies"], digest)
        + body
    )


@pytest.mark.parametrize(
    "shape", [{"rows": 0}, {"rows": 255, "cols": 255}, {"plies": 200}, {"plies": 1}, {"plies": 19}]
)
def test_a_book_whose_shape_is_wrong_is_refused(small_book, shape):
    with pytest.raises(BookError, match="opening book"):
        Book.from_bytes(resealed(small_book.read_bytes(), **shape))


def test_a_book_that_cannot_be_unpacked_is_done_without(small_book):
    packed = Book.load(small_book)._packed
    packed[1] = (packed[1][0], b"rubbish")
    game = ConnectFour(4, 5)
    game.step(2)
    analysis = ConnectFourSolver(book=Book(4, 5, packed)).analyse(game)
    assert analysis.proven
    assert "cannot be decompressed" in analysis.notes[0]
    assert ConnectFourSolver(book=Book(4, 5, packed)).solve(game) == analysis.candidates[0].score


def test_only_what_is_asked_for_is_unpacked(small_book):
    book = Book.load(small_book)
    book.prepare(3)
    assert sorted(book._scores) == [0, 1, 2, 3]
    book.prepare(99)
    assert sorted(book._scores) == list(range(book.plies + 1))


def test_one_book_serves_several_threads():
    book = Book.from_bytes(shipped_book().to_bytes())
    failures = []

    def read():
        try:
            book.prepare()
        except BookError as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
