"""Search by position and by pattern, and the explorer, against replaying every game."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from library_games import key_of, mirrored, places, random_records, some_positions

from rl_toolkit.envs import BaseGameEnv, PositionError, make_game
from rl_toolkit.kernels.compiling import objects
from rl_toolkit.library import Filter, Library, Pattern
from rl_toolkit.library.kinds import kind_of
from rl_toolkit.library.positions import scanning, searching
from rl_toolkit.library.positions.searching import Searcher
from rl_toolkit.library.positions.targets import ANY
from rl_toolkit.records import GameRecord

GAMES = ("tictactoe", "tictactoe-3x4x3", "connect-four", "gomoku-9", "reversi-6", "reversi-8")
WIDE = "gomoku-16"


def filled(path: Path, records: list[GameRecord]) -> tuple[Library, list[int]]:
    library = Library(path / "library.db")
    library.add_run(records, "test")
    ids = sorted(library.ids())
    assert len(ids) == len(records)
    return library, ids


def compare_searches(path: Path, game: str, games: int, queries: int, seed: int) -> int:
    """Ask for positions; returns how many of them were in no game."""
    rng = random.Random(seed)
    records = random_records(game, games, seed)
    library, ids = filled(path, records)
    known, absent = places(records), 0
    with library:
        for env in some_positions(records, queries, rng):
            want = {ids[k]: ply for k, ply in known.get(key_of(env), {}).items()}
            absent += not want
            numbers, plies = library._searcher.having(env)
            assert dict(zip(numbers.tolist(), plies.tolist(), strict=True)) == want
            assert numbers.tolist() == sorted(want, reverse=True)
            compare_explored(library, env, records, known)
    return absent


def compare_explored(
    library: Library,
    env: BaseGameEnv,
    records: list[GameRecord],
    known: dict[tuple[bytes, int], dict[int, int]],
) -> None:
    here = known.get(key_of(env), {})
    want: Counter[object] = Counter()
    ended = 0
    ratings: dict[object, list[int]] = {}
    last: dict[object, str] = {}
    for k, ply in here.items():
        record = records[k]
        if ply == len(record.moves):
            ended += 1
            continue
        child = key_of(BaseGameEnv.after(record.starting_position(), record.moves[: ply + 1]))
        want[child, record.result] += 1
        mover = "black rating" if env.current_player == 1 else "white rating"
        if mover in record.headers:
            ratings.setdefault(child, []).append(int(record.headers[mover]))
        last[child] = max(last.get(child, ""), record.headers.get("date", ""))
    explored = library.explore(env)
    got: Counter[object] = Counter()
    for row in explored.moves:
        after = env.copy()
        after.step(row.move)
        child = key_of(after)
        undecided = row.games - row.x_won - row.drawn - row.o_won
        ends = {1: row.x_won, 0: row.drawn, -1: row.o_won, None: undecided}
        got += Counter({(child, result): count for result, count in ends.items()})
        assert row.rating == (np.mean(ratings[child]) if child in ratings else None)
        assert (row.last or "") == last[child]
        for same in row.same:  # each of the merged moves leads to the same position
            other = env.copy()
            other.step(same)
            assert key_of(other) == child
    assert got == want
    assert explored.ended == ended
    assert explored.games == len(here)
    children = [row.move for row in explored.moves]
    assert len({min(row.same) for row in explored.moves}) == len(children)


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_found_in_the_games_that_have_it(tmp_path: Path, game: str) -> None:
    absent = compare_searches(tmp_path, game, 40, 30, seed=len(game))
    assert absent or game.startswith("tictactoe")  # there nearly everything was played


@pytest.mark.full
@pytest.mark.parametrize("game", [*GAMES, WIDE])
def test_thousands_of_positions_are_found(tmp_path: Path, game: str) -> None:
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        compare_searches(folder, game, 250, 960, seed)


@pytest.mark.parametrize("game", [*GAMES, WIDE])
def test_plain_search_and_compiled_search_agree(tmp_path: Path, game: str) -> None:
    rng = random.Random(5)
    records = random_records(game, 12, seed=9)
    library, ids = filled(tmp_path, records)
    known = places(records)
    with library:
        plain = Searcher(library._database, plainly=True)
        for env in some_positions(records, 8, rng):
            one, other = plain.having(env), library._searcher.having(env)
            assert [part.tolist() for part in one] == [part.tolist() for part in other]
            assert set(one[0].tolist()) == {ids[k] for k in known.get(key_of(env), {})}
            assert plain.explore(env) == library.explore(env)
        folded = Searcher(library._database, unfolded=0)
        for pattern in some_patterns(records, 4, rng):
            one, other = plain.matching(pattern), library._searcher.matching(pattern)
            assert [part.tolist() for part in one] == [part.tolist() for part in other]
            other = folded.matching(pattern)
            assert [part.tolist() for part in one] == [part.tolist() for part in other]


def save_machine_code(*, wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the kernel that replays games saved, or else behave as if it was not."""
    assert scanning.match_function(lightly=False) is not None
    if not wanted:
        monkeypatch.setattr(objects, "load", lambda name: None)
    elif objects.HAS_OBJECTS:
        assert scanning.match_function(lightly=True) is not None


@pytest.mark.parametrize("most", [0, 3, 100, "machine code"])
@pytest.mark.parametrize("game", ["connect-four", "reversi-6"])
def test_a_first_search_without_the_compiler_finds_the_same(
    tmp_path: Path, game: str, most: int | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_machine_code(wanted=most == "machine code", monkeypatch=monkeypatch)
    most = most if isinstance(most, int) else 0
    monkeypatch.setattr(searching, "_FEW", most)
    monkeypatch.setattr(searching, "_REPLAYED", most)
    records = random_records(game, 30, seed=2)
    library, _ = filled(tmp_path, records)
    with library:
        library.remove([3, 4])
        light = Searcher(library._database)
        monkeypatch.setattr(light, "_is_light", lambda: True)
        where = Filter(player="Ada")
        for env in some_positions(records, 12, random.Random(4)):
            for asked in (None, where):
                one, other = light.having(env, asked), library._searcher.having(env, asked)
                assert [part.tolist() for part in one] == [part.tolist() for part in other]
        for pattern in some_patterns(records, 12, random.Random(5)):
            for asked in (None, where):
                light._asked.clear()  # as if each was the first one
                one = light.matching(pattern, asked)
                other = library._searcher.matching(pattern, asked)
                assert [part.tolist() for part in one] == [part.tolist() for part in other]


QUESTION = """
import sys
from rl_toolkit import Library, Position
from rl_toolkit.library import Pattern
with Library(sys.argv[1]) as library:
    found = library.search(position=Position("reversi-6").after(int(sys.argv[2]))).total
    begun = library.search(pattern=Pattern.read("reversi-6", "*/*/??ox/??xo")).total
from rl_toolkit.kernels.compiling import objects
print(found, begun, "numba" in sys.modules, len(objects._loaded))
"""


def test_a_command_with_one_question_loads_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_machine_code(wanted=True, monkeypatch=monkeypatch)
    records = random_records("reversi-6", 10, seed=2)
    library, _ = filled(tmp_path, records)
    library.close()
    words = [sys.executable, "-c", QUESTION, str(library.path), str(records[0].moves[0])]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    kernels = str(int(objects.HAS_OBJECTS))
    # Every first move is a mirror image of it.
    assert done.stdout.split() == ["10", "10", "False", kernels]


def some_patterns(records: list[GameRecord], count: int, rng: random.Random) -> list[Pattern]:
    """Parts of positions of games, some of them changed."""
    patterns = []
    while len(patterns) < count:
        record = rng.choice(records)
        env = BaseGameEnv.after(
            record.starting_position(), record.moves[: rng.randrange(0, len(record.moves) + 1)]
        )
        board = np.asarray(mirrored(env, rng).board)
        cells = [ANY] * len(board)
        for cell in rng.sample(range(len(board)), min(len(board), rng.randrange(1, 9))):
            cells[cell] = int(board[cell]) if rng.random() < 0.9 else rng.choice((0, 1, -1))
        patterns.append(Pattern(record.game, tuple(cells)))
    return patterns


def first_ply(record: GameRecord, pattern: Pattern) -> int | None:
    wanted = np.array(pattern.cells)
    images = [wanted[symmetry.cells] for symmetry in make_game(record.game).symmetries()]
    for ply, env in enumerate(record.positions()):
        board = np.asarray(env.board)
        if any(((image == ANY) | (image == board)).all() for image in images):
            return ply
    return None


@pytest.mark.parametrize("game", GAMES)
def test_a_pattern_is_found_where_it_first_appears(tmp_path: Path, game: str) -> None:
    rng = random.Random(3)
    records = random_records(game, 25, seed=4)
    library, ids = filled(tmp_path, records)
    found_any = missed_any = False
    with library:
        for pattern in some_patterns(records, 8, rng):
            want = {ids[k]: first_ply(record, pattern) for k, record in enumerate(records)}
            numbers, plies = library._searcher.matching(pattern)
            got = dict(zip(numbers.tolist(), plies.tolist(), strict=True))
            assert got == {number: ply for number, ply in want.items() if ply is not None}
            found_any, missed_any = found_any or bool(got), missed_any or len(got) < len(ids)
    assert found_any
    assert missed_any


@pytest.mark.parametrize("game", ["reversi-4", "reversi-6", "reversi-8"])
def test_unfolded_games_have_the_patterns_that_replayed_ones_have(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare_unfolded(tmp_path, game, 60, 60, 11, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_patterns_are_found_without_the_compiler(
    tmp_path: Path, game: str, saved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_machine_code(wanted=saved, monkeypatch=monkeypatch)
    monkeypatch.setattr("rl_toolkit.library.positions.packs.GAMES", 256)
    records = random_records(game, 700, 21)
    library, ids = filled(tmp_path, records)
    with library:
        library.remove([ids[0], ids[350], ids[-1]])
        light = Searcher(library._database)
        monkeypatch.setattr(light, "_is_light", lambda: True)
        wheres = (None, Filter(player="Ada"))
        for k, pattern in enumerate(some_patterns(records, 1_000, random.Random(6))):
            light._asked.clear()
            one = light.matching(pattern, wheres[k % 2])
            other = library._searcher.matching(pattern, wheres[k % 2])
            assert [part.tolist() for part in one] == [part.tolist() for part in other], pattern


@pytest.mark.full
@pytest.mark.parametrize("game", ["reversi-6", "reversi-8"])
def test_thousands_of_patterns_are_found_in_unfolded_games(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare_unfolded(tmp_path, game, 700, 3_000, 12, monkeypatch)


def compare_unfolded(
    path: Path,
    game: str,
    games: int,
    patterns: int,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Packs, loose games, removed ones, and a filter, for searches that replay and that do not."""
    monkeypatch.setattr("rl_toolkit.library.positions.packs.GAMES", max(16, games // 3))
    records = random_records(game, games, seed)
    library, ids = filled(path, records)
    rng = random.Random(seed)
    with library:
        library.remove([ids[0], ids[games // 2], ids[-1]])
        folded = Searcher(library._database, unfolded=0)
        wheres = (None, Filter(player="Ada"))
        hits = 0
        for k, pattern in enumerate(some_patterns(records, patterns, rng)):
            one = folded.matching(pattern, wheres[k % 2])
            other = library._searcher.matching(pattern, wheres[k % 2])
            assert [part.tolist() for part in one] == [part.tolist() for part in other], pattern
            hits += len(one[0])
        packs = library._searcher._shelves.packs(1, kind_of(records[0].game))
        assert all(pack.timelines is not None for pack in packs)
        assert 0 < hits < games * patterns


def test_games_from_several_starts_are_searched_together(tmp_path: Path) -> None:
    start = "1x1/1o1/3 x"
    records = random_records("tictactoe", 30, 1) + random_records("tictactoe", 30, 2, start)
    library, ids = filled(tmp_path, records)
    known = places(records)
    with library:
        env = BaseGameEnv.after(records[-1].starting_position(), records[-1].moves[:1])
        rng = random.Random(1)
        for asked in (env, mirrored(env, rng), make_game("tictactoe")):
            want = {ids[k]: ply for k, ply in known.get(key_of(asked), {}).items()}
            assert want
            numbers, plies = library._searcher.having(asked)
            assert dict(zip(numbers.tolist(), plies.tolist(), strict=True)) == want


def test_packs_loose_games_and_removed_ones_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rl_toolkit.library.positions.packs.GAMES", 16)
    records = random_records("connect-four", 70, 3)
    library, ids = filled(tmp_path, records)
    known = places(records)
    rng = random.Random(2)
    with library:
        assert library._database.one("SELECT count(*) FROM pack") == (4,)
        assert library._database.one("SELECT count(*) FROM loose") == (6,)
        gone = set(rng.sample(ids, 20)) | {ids[0], ids[15], ids[-1]}
        assert library.remove(gone) == len(gone)
        assert library.remove(gone) == 0
        for env in some_positions(records, 40, rng):
            want = {ids[k] for k in known.get(key_of(env), {})} - gone
            assert set(library._searcher.having(env)[0].tolist()) == want
        report = library.check()
        assert not report.problems
        assert report.games == len(records) - len(gone)


def test_a_filter_chooses_among_the_games_with_a_position(tmp_path: Path) -> None:
    records = random_records("reversi-6", 50, 6)
    library, ids = filled(tmp_path, records)
    with library:
        start = make_game("reversi-6")
        for where, fits in (
            (Filter(player="ada"), lambda r: "Ada" in r.players),
            (Filter(player="Ada", side="x"), lambda r: r.players[0] == "Ada"),
            (Filter(player="Ada", opponent="Max"), lambda r: set(r.players) == {"Ada", "Max"}),
            (Filter(player="Ada", result="won"), _ada_won),
            (Filter(result="draw"), lambda r: r.result == 0),
            (
                Filter(since="2000", until="2005"),
                lambda r: "2000" <= r.headers.get("date", "") < "2006",
            ),
        ):
            want = [ids[k] for k, record in enumerate(records) if fits(record)]
            assert library.ids(where) == want[::-1]
            assert library.search(where, position=start).total == len(want)
            assert library.explore(start, where=where).games == len(want)


def _ada_won(record: GameRecord) -> bool:
    winner = {1: record.players[0], -1: record.players[1]}.get(record.result or 0)
    return winner == "Ada"


def test_the_start_of_reversi_has_one_row_for_four_moves(tmp_path: Path) -> None:
    library, _ = filled(tmp_path, random_records("reversi-8", 12, 8, finished=1))
    with library:
        (row,) = library.explore("reversi").moves
        assert [make_game("reversi").move_name(move) for move in row.same] == [
            "d3",
            "c4",
            "f5",
            "e6",
        ]
        assert row.games == 12


def test_patterns_are_text(tmp_path: Path) -> None:
    assert Pattern.read("connect-four", "*/*/*/*/*/xo?.2").cells[:7] == (1, -1, ANY, 0, 0, 0, ANY)
    for text, words in (
        ("", "at least one"),
        ("xxxx", "has more"),
        ("x/x/x/x", "has 3 rows"),
        ("z", "is not a cell of a pattern"),
    ):
        with pytest.raises(PositionError, match=words):
            Pattern.read("tictactoe", text)


@pytest.mark.parametrize("plainly", [False, True])
def test_the_side_to_move_belongs_to_a_position(tmp_path: Path, plainly: bool) -> None:
    records = random_records("reversi-6", 30, 1, finished=1)
    library, ids = filled(tmp_path, records)
    known, passes = places(records), 0
    with library:
        searcher = Searcher(library._database, plainly=plainly)

        def found(env: BaseGameEnv) -> dict[int, int]:
            numbers, plies = searcher.having(env)
            return dict(zip(numbers.tolist(), plies.tolist(), strict=True))

        for k, record in enumerate(records):
            positions = list(record.positions())
            for ply, move in enumerate(record.moves):
                if move == positions[0].pass_move and passes < 6:
                    passes += 1
                    for at in (ply, ply + 1):  # the same discs, the other side to move
                        env = positions[at]
                        want = {ids[n]: p for n, p in known[key_of(env)].items()}
                        assert found(env) == want
                        assert want[ids[k]] == at
        assert passes == 6
        other = make_game("reversi-6")
        other.current_player = -1  # White to move at the start: in no game
        assert found(other) == {}
