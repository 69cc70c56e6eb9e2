"""The window network in the engine `gomoku`: its file, its place in the search, and its absence."""

import ctypes
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from rl_toolkit.algorithms.gomoku import window_weights
from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.gomoku.weights import (
    WeightsError,
    checksum_of,
    save_weights,
    shipped_checksum,
    shipped_weights,
)
from rl_toolkit.algorithms.gomoku.window_weights import load_windows, save_windows, shipped_windows
from rl_toolkit.analysis import Limit
from rl_toolkit.arena.engine_code import code_of
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.kernels.gomoku import layout
from rl_toolkit.kernels.gomoku.cell_tables import KINDS, OPEN_FOUR
from rl_toolkit.kernels.gomoku.pvs import MOST, WIN
from rl_toolkit.kernels.gomoku.reference_windows import points_of, rank_of
from rl_toolkit.kernels.gomoku.window_sums import fill_windows
from rl_toolkit.kernels.gomoku.windows import WindowNetwork, canonical
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.players import SpecError, make_engine, make_player

BOTH_RULES = pytest.mark.parametrize("exactly", [False, True], ids=["freestyle", "standard"])


@cache
def network_of(seed=1, points=40, rank_scale=12):
    """Random numbers; about ``points`` for the size of what it adds, 0 for nothing."""
    chance = np.random.default_rng(seed)
    return WindowNetwork(
        rows=chance.integers(-20, 30, (len(canonical()), 16)).astype(np.int8),
        w1=chance.integers(-60, 60, (16, 32)).astype(np.int16),
        b1=chance.integers(-3000, 3000, 16).astype(np.int32),
        w2=chance.integers(-points, points + 1, 16).astype(np.int16),
        b2=0,
        rank_scale=rank_scale,
    )


def position(size, stones, seed=0):
    """A game with random stones near the centre."""
    env, chance, middle = Gomoku(size), random.Random(seed), size // 2
    rows = range(middle - 2, middle + 3)
    for cell in chance.sample([r * size + c for r in rows for c in rows], stones):
        env.step(cell)
    assert not env.is_terminal()
    return env


def found(engine, env, nodes):
    """Everything that an engine says of a position, but its time."""
    engine.forget()
    analysis = engine.analyse(env, Limit(nodes=nodes))
    return analysis.nodes, analysis.depth, analysis.candidates


# --------------------------------------------------------------------------- the search


def quiet_space(seed, exactly=False, network=None):
    space = Workspace(9, exactly, shipped_weights(exactly), 1, network)
    board, chance = [0] * 81, random.Random(seed)
    for k, cell in enumerate(chance.sample(range(81), 5)):
        space.place(cell, k & 1)
        board[cell] = 1 + (k & 1)
    return space, board


@BOTH_RULES
@pytest.mark.parametrize("seed", range(6))
def test_points_are_added_at_the_horizon(seed, exactly):
    network = network_of(points=900)
    (without, board), (space, _) = (quiet_space(seed, exactly, n) for n in (None, network))
    for side in (0, 1):
        value, corrected = (each.think(side, -WIN, WIN, 0, 1) for each in (without, space))
        expected = value + points_of(network, board, 9, side)
        assert corrected == max(-MOST, min(MOST, expected))
        assert corrected != value


@BOTH_RULES
@pytest.mark.parametrize("seed", range(4))
def test_ranks_are_added_below_the_open_fours(seed, exactly):
    chance, network = random.Random(seed), network_of()
    spaces = [Workspace(9, exactly, shipped_weights(exactly), 1, n) for n in (None, network)]
    board, kept = [0] * 81, 0
    middle = [row * 9 + col for row in range(2, 7) for col in range(2, 7)]
    for k, cell in enumerate(chance.sample(middle, 15)):
        for space in spaces:
            space.place(cell, k % 3 == 0)
        board[cell] = 1 + (k % 3 == 0)
    for side in (0, 1):
        plain, ranks = (space.near(side) for space in spaces)
        for cell, rank in plain.items():
            high = any(spaces[0].class_of(cell, s) >= OPEN_FOUR for s in (0, 1))
            kept += high
            added = 0 if high else rank_of(network, board, 9, cell, side)
            assert ranks[cell] == rank + added
    assert kept


def test_a_search_leaves_the_sums_as_they_were():
    network = network_of()
    space, _ = quiet_space(3, network=network)
    fill_windows(space.block)

    def numbers():
        start, cells = int(space.block[layout.WINDOW_SUMS_AT]), []
        stones = int(space.block[layout.PLY])
        places = (ctypes.c_int64 * 81).from_address(int(space.block[layout.CELL_PLACES_AT]))
        for address in (start + 64 * stones, *places):
            cells.append(list((ctypes.c_int16 * 32).from_address(address)))
        return cells

    before = numbers()
    assert space.think(1, -WIN, WIN, 6, 1) is not None
    assert space.nodes > 300
    assert space.block[layout.SHIFTED] == space.block[layout.PLY]
    assert numbers() == before
    space.allow(200)  # stopped in the middle
    assert space.think(1, -WIN, WIN, 12, 1) is None
    assert numbers() == before


@pytest.mark.parametrize("size", [9, 15])
def test_a_network_of_zeros_changes_nothing(size, tmp_path):
    """It is followed everywhere, and the search is node for node that without a network."""
    path = tmp_path / "nothing.weights"
    save_windows(path, network_of(points=0, rank_scale=0), exactly=False)
    engines = [GomokuEngine(max_memory_mb=2, network=each) for each in ("off", path)]
    for seed in range(3):
        env = position(size, 4 + seed, seed)
        without, zeros = (found(engine, env, 4000) for engine in engines)
        assert zeros == without


def test_a_network_changes_the_search_and_is_repeatable(tmp_path):
    path = tmp_path / "own.weights"
    save_windows(path, network_of(), exactly=False)
    own, other, none = (GomokuEngine(max_memory_mb=2, network=n) for n in (path, path, "off"))
    env = position(15, 5)
    assert found(own, env, 3000) == found(own, env, 3000) == found(other, env, 3000)
    assert found(own, env, 3000) != found(none, env, 3000)


@pytest.mark.parametrize(
    ("size", "stones", "exactly", "expected"),
    [  # score, nodes, best move
        (9, 4, False, (381, 3869, 39)),
        (15, 5, False, (-459, 6651, 157)),
        (15, 6, True, (354, 7401, 114)),
        (20, 6, False, (275, 2120, 229)),
    ],
)
def test_without_a_network_the_search_is_as_it_was(size, stones, exactly, expected):
    """Measured before there were networks; only a change of the search itself may change this."""
    space = Workspace(size, exactly, shipped_weights(exactly), 2)
    chance, middle = random.Random(stones), size // 2
    rows = range(middle - 2, middle + 3)
    for k, cell in enumerate(chance.sample([r * size + c for r in rows for c in rows], stones)):
        space.place(cell, k & 1)
    score = space.think(stones & 1, -WIN, WIN, 7, 1)
    assert (score, space.nodes, space.remembered(stones & 1)) == expected


# ----------------------------------------------------------------------------- the file


@BOTH_RULES
def test_a_network_is_kept(tmp_path, exactly):
    path, network = tmp_path / "own.weights", network_of()
    save_windows(path, network, exactly)
    kept = load_windows(path, exactly)
    for name in ("rows", "w1", "b1", "w2"):
        assert (getattr(kept, name) == getattr(network, name)).all()
    assert (kept.b2, kept.rank_scale) == (network.b2, network.rank_scale)
    assert kept.base == shipped_checksum(exactly) != shipped_checksum(not exactly)
    assert path.stat().st_size < 2 * 2**20
    assert load_windows(path, None).base == kept.base


def test_damaged_networks_are_refused_before_a_game(tmp_path):
    path = tmp_path / "own.weights"
    save_windows(path, network_of(), exactly=False)
    data = path.read_bytes()
    GomokuEngine(network=path)
    for changed, sentence in (
        (data[:-3] + b"abc", r"own\.weights: .*damaged: its checksum is wrong"),
        (data[:1000], "its checksum is wrong"),
        (data[:8] + b"\2" + data[9:], "has version 2; only version 1 can be read"),
        (b"nothing", "not a file of a Gomoku window network"),
        (window_weights._SEAL.close((0, 0, 0), b"text"), "cannot be decompressed"),
        (
            window_weights._SEAL.close((0, 0, 0), b"x\x9c\x03\x00\x00\x00\x00\x01"),
            "numbers missing, or too many",
        ),
        (window_weights._SEAL.close((7, 0, 0), b"text"), "not 7"),
    ):
        path.write_bytes(changed)
        with pytest.raises(WeightsError, match=sentence):
            GomokuEngine(network=path)
    with pytest.raises(WeightsError, match="cannot be read"):
        GomokuEngine(network=tmp_path / "missing")


def test_a_network_for_another_rule_is_refused(tmp_path):
    path = tmp_path / "own.weights"
    save_windows(path, network_of(), exactly=True)
    sentence = "window network is for exactly five in a row, not for five or more"
    with pytest.raises(WeightsError, match=sentence):
        load_windows(path, False)
    engine = GomokuEngine(network=path)
    with pytest.raises(WeightsError, match=sentence):
        engine.analyse(make_game("gomoku-9"), Limit(nodes=100))


def test_files_for_another_rule_are_refused_before_the_game(tmp_path):
    network, weights = tmp_path / "own.network", tmp_path / "own.weights"
    save_windows(network, network_of(), exactly=True)
    save_weights(weights, 30, np.ones((4, KINDS)), exactly=True)
    for option in (f"network={network}", f"weights={weights}"):
        with pytest.raises(WeightsError, match="for exactly five in a row, not for five or more"):
            make_player("gomoku-9", f"gomoku:{option},nodes=100")
        assert make_player("gomoku-9-standard", f"gomoku:{option},nodes=100").name == "gomoku"


def test_a_network_corrects_only_the_evaluation_that_it_knows(tmp_path):
    network, weights = tmp_path / "own.network", tmp_path / "own.weights"
    save_weights(weights, 30, np.ones((4, KINDS)), exactly=False)
    save_windows(network, network_of(), exactly=False)
    with pytest.raises(WeightsError, match="trained to correct another evaluation"):
        GomokuEngine(weights=weights, network=network)
    save_windows(network, replace(network_of(), base=checksum_of(weights)), exactly=False)
    GomokuEngine(weights=weights, network=network)
    with pytest.raises(WeightsError, match="trained to correct another evaluation"):
        GomokuEngine(network=network)


@BOTH_RULES
def test_the_shipped_network_is_used_if_there_is_one(exactly, monkeypatch, tmp_path):
    engine, rule = GomokuEngine(max_memory_mb=2), "standard" if exactly else "freestyle"
    game = make_game(f"gomoku-9-{rule}")
    engine.analyse(game, Limit(nodes=100))
    shipped = shipped_windows(exactly)
    assert (engine._space.block[layout.WINDOWS_AT] != 0) == (shipped is not None)
    monkeypatch.setattr(
        "rl_toolkit.algorithms.gomoku.engine.shipped_windows", lambda rule: network_of()
    )
    weights = tmp_path / "own.weights"
    save_weights(weights, 30, np.ones((4, KINDS)), exactly)
    for options, used in (({}, True), ({"network": "off"}, False), ({"weights": weights}, False)):
        engine = GomokuEngine(max_memory_mb=2, **options)
        engine.analyse(game, Limit(nodes=100))
        assert (engine._space.block[layout.WINDOWS_AT] != 0) == used


def test_a_damaged_shipped_network_is_left_out_with_a_warning(monkeypatch, caplog):
    def refuse(path, exactly):
        raise WeightsError("broken")

    monkeypatch.setattr(window_weights, "SHIPPED", {False: "gomoku.weights"})
    monkeypatch.setattr(window_weights, "load_windows", refuse)
    assert shipped_windows.__wrapped__(False) is None
    assert "without its window network: broken" in caplog.text


def test_a_network_is_part_of_the_player(tmp_path):
    path = tmp_path / "own.weights"
    save_windows(path, network_of(), exactly=False)
    assert make_engine("gomoku:network=ON").spec == "gomoku"
    assert make_engine("gomoku:network=off").spec == "gomoku:network=off"
    for word in ("on", "OFF"):  # no file, so the engine does not play other games with it
        with pytest.raises(SpecError, match="gomoku does not play tictactoe"):
            make_player("tictactoe", f"gomoku:network={word}")
    player = make_player("gomoku-9", f"gomoku:network={path}")
    assert player.spec == f"gomoku:network={path}"
    before = code_of("gomoku-9", player)
    assert before != code_of("gomoku-9", make_player("gomoku-9", "gomoku"))
    save_windows(path, network_of(seed=2), exactly=False)
    assert code_of("gomoku-9", player) != before
    with pytest.raises((SpecError, WeightsError), match="cannot be read"):
        make_engine("gomoku:network=nothing-here")
