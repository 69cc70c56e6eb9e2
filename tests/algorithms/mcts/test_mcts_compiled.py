"""Compiled tree search held to the readable one, to slow rules and to brute force."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from search_checks import check_proofs, exact, late_position, middle_position
from stopping import HeardStop

from rl_toolkit.algorithms.mcts import MCTSSolver, growth
from rl_toolkit.algorithms.mcts.compiled_tree import CompiledTree, compiled_tree
from rl_toolkit.algorithms.mcts.tree import PythonTree, Settings, forced_moves
from rl_toolkit.algorithms.simple.tactics import immediate_wins, wins_if_to_move
from rl_toolkit.analysis import Analysis, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.kernels.jit import i64, offset, pointer, word_array
from rl_toolkit.kernels.jit import kernel as compiled
from rl_toolkit.kernels.rules.compiled import CompiledRules, compiled_rules, operations
from rl_toolkit.kernels.rules.nth_move import COUNT_SHIFT
from rl_toolkit.kernels.rules.playout_large import has_long_line, later_line
from rl_toolkit.kernels.search import mcts as kernel
from rl_toolkit.kernels.search.mcts_node import NODE, UNIT
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

GAMES = (
    "tictactoe",
    "tictactoe-3x4x3",
    "tictactoe-5x5x4",
    "tictactoe-7x7x6",
    "tictactoe-9x9x4",
    "connect-four",
    "connect-four-4x4",
    "gomoku-9",
    "gomoku-15",
    "gomoku-15-standard",
    "gomoku-20",
    "reversi-4",
    "reversi-6",
    "reversi",
)
LINE_GAMES = tuple(game for game in GAMES if not game.startswith("reversi"))
SCRATCH = 4096


@compiled(i64(i64, word_array, word_array, word_array, i64, i64))
def run_pick(address, state, shape, scratch, turn, k):  # type: ignore[no-untyped-def]
    """Call a ``pick`` operation from Python."""
    return operations.call_pick(address, pointer(state), pointer(shape), pointer(scratch), turn, k)


@compiled(i64(i64, word_array, word_array, word_array, word_array, i64))
def run_playout(address, state, shape, chance, scratch, plies):  # type: ignore[no-untyped-def]
    """Call a ``playout`` operation from Python."""
    return operations.call_playout(
        address, pointer(state), pointer(shape), pointer(chance), pointer(scratch), plies
    )


def rules_of(env: BaseGameEnv) -> CompiledRules:
    spec = env.kernel_spec()
    rules = compiled_rules(spec) if spec is not None else None
    assert rules is not None
    return rules


def pick_all(env: BaseGameEnv, operation: int, turn: int) -> list[int]:
    """All moves that a pick operation gives, in its order."""
    rules = rules_of(env)
    state, scratch = rules.encode(env.board, env.current_player), np.zeros(SCRATCH, np.uint64)
    moves, count = [], 1
    while len(moves) < count:
        picked = run_pick(operation, state, rules.geometry, scratch, turn, len(moves))
        count, move = picked >> COUNT_SHIFT, picked & 0xFFFF
        moves.append(move)
    return moves


# --------------------------------------------------------------- moves to try


@pytest.mark.parametrize("game", GAMES)
def test_pick_goes_round_all_legal_moves_once(game: str) -> None:
    rng = random.Random(game)
    for _ in range(5):
        env = middle_position(game, rng)
        legal, starts = env.get_legal_moves(), set()
        for turn in (0, 100, 255):
            moves = pick_all(env, rules_of(env).operations.pick.address, turn)
            assert sorted(moves) == legal
            at = moves.index(legal[0])
            assert moves[at:] + moves[:at] == legal  # in order, from some place on
            starts.add(moves[0])
        assert len(legal) < 10 or len(starts) == 3


@pytest.mark.parametrize("game", LINE_GAMES)
def test_forced_picks_are_the_wins_or_else_the_blocks(game: str) -> None:
    rng, forced = random.Random(game), 0
    for _ in range(60 if len(make_game(game).board) < 100 else 40):
        env = middle_position(game, rng)
        moves = pick_all(env, rules_of(env).operations.forced_pick.address, rng.randrange(256))
        expected = forced_moves(env)
        assert sorted(moves) == (expected or env.get_legal_moves()), env.board_2d
        forced += bool(expected)
    assert forced > 0


# -------------------------------------------------------------------- playouts


def playout(
    env: BaseGameEnv, seed: int, *, forced: bool, plies: int = 1 << 40
) -> tuple[int, np.ndarray]:
    rules = rules_of(env)
    operation = rules.operations.forced_playout if forced else rules.operations.playout
    state = rules.encode(env.board, env.current_player)
    chance = np.array([seed * 0x9E3779B97F4A7C15 % 2**64], np.uint64)
    scratch = np.zeros(SCRATCH, np.uint64)
    status = run_playout(operation.address, state, rules.geometry, chance, scratch, plies)
    return status, state


def python_playout(env: BaseGameEnv, rng: random.Random, *, forced: bool) -> float:
    """The result for the side to move, by the readable tree's playout."""
    tree = PythonTree(env, Settings(tactics=forced), rng.randrange(2**32))
    result = tree._simulate(env.copy())
    assert result is not None
    return result * env.current_player


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    "game",
    ["tictactoe", "tictactoe-3x4x3", "connect-four", "gomoku-9", "tictactoe-9x9x4", "reversi-6"],
)
def test_playouts_end_as_often_in_each_way_as_the_readable_ones(game: str, forced: bool) -> None:
    rng = random.Random(game)
    env = middle_position(game, rng, 0.4)
    count = 250
    slow = [python_playout(env, rng, forced=forced) for _ in range(count)]
    fast = [playout(env, seed, forced=forced)[0] for seed in range(2000)]
    for status, result in ((WON, 1), (DRAWN, 0), (LOST, -1)):
        share = fast.count(status) / len(fast)
        # Four standard deviations of the smaller sample.
        allowed = 4 * (max(share * (1 - share), 0.01) / count) ** 0.5
        assert slow.count(result) / count == pytest.approx(share, abs=allowed)


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_a_cut_playout_leaves_a_position_so_many_plies_on(game: str, forced: bool) -> None:
    rng, running = random.Random(game), 0
    for seed in range(30):
        env = middle_position(game, rng, 0.3)
        plies = rng.randrange(4)
        status, state = playout(env, seed, forced=forced, plies=plies)
        if status != RUNNING:
            continue
        running += 1
        rules = rules_of(env)
        player = env.current_player * (-1) ** plies
        board = rules.decode(state, player)
        assert rules.status(state) == RUNNING
        placed = np.count_nonzero(board) - np.count_nonzero(env.board)
        assert placed == plies or (game.startswith("reversi") and placed < plies)
        if not game.startswith("reversi"):
            kept = env.board != 0
            assert (board[kept] == env.board[kept]).all()
            assert board.sum() - env.board.sum() == env.current_player * (plies % 2)
    assert running > 5


def test_forced_playouts_take_a_win_and_block_a_threat() -> None:
    env = make_game("gomoku-15")
    env.board[[0, 1, 2, 3]] = 1
    env.board[[30, 60, 90, 121]] = -1
    assert {playout(env, seed, forced=True)[0] for seed in range(50)} == {WON}
    env.current_player = -1  # the four is answered: the game goes on
    for seed in range(50):
        status, state = playout(env, seed, forced=True, plies=1)
        assert status == RUNNING
        assert rules_of(env).decode(state, 1)[4] == -1


def test_the_first_of_two_lines_in_one_deal_wins() -> None:
    """Both sides complete a line before anybody looks: dealing stone by stone is the truth."""
    env = make_game("gomoku-9")
    rules, rng = rules_of(env), random.Random(3)
    disagreements = 0
    for _ in range(300):
        order = rng.sample(range(81), 81)
        state = rules.encode(np.zeros(81, np.int8), 1)
        words, status, ply = state, RUNNING, 0
        while status == RUNNING and ply < 81:
            words, status = rules.play(words, order[ply])
            ply += 1
        expected = DRAWN if status == DRAWN else WON if ply % 2 == 1 else LOST
        disagreements += dealt(rules, order) != expected
    assert disagreements == 0


def dealt(rules: CompiledRules, order: list[int]) -> int:
    """What the whole-board test after every 24 stones, with taking back, makes of an order."""
    side = rules.words_per_side
    scratch = np.zeros(SCRATCH, np.uint64)
    for ply, move in enumerate(order):
        bit = rules.cell_bits[move]
        scratch[ply % 2 * side + bit // 64] |= np.uint64(1 << bit % 64)
        scratch[2 * side + ply] = bit
        if (ply + 1) % 24 and ply != 80:
            continue
        lines = [run_long_line(scratch, start, rules.geometry) for start in (0, side)]
        if sum(lines) == 2:
            later = run_later_line(scratch, rules.geometry, ply + 1, side, 81)
            return WON if later else LOST
        if sum(lines):
            return WON if lines[0] else LOST
    return DRAWN


@compiled(i64(word_array, i64, word_array))
def run_long_line(scratch, start, shape):  # type: ignore[no-untyped-def]
    """Whether the side at ``start`` has a line."""
    words = pointer(scratch)
    return has_long_line(words, start, pointer(shape), offset(words, 1000))


@compiled(i64(word_array, word_array, i64, i64, i64))
def run_later_line(scratch, shape, dealt, side, count):  # type: ignore[no-untyped-def]
    """The side whose line came later."""
    return later_line(pointer(scratch), pointer(shape), dealt, side, count)


# ------------------------------------------------------------------------ tree


def grown(
    game: str, simulations: int, env: BaseGameEnv | None = None, **options: Any
) -> CompiledTree:
    tree = compiled_tree(env or make_game(game), Settings(**options), 7)
    assert tree is not None
    tree.run(simulations)
    return tree


@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_the_tree_adds_up(game: str, tactics: bool) -> None:
    """Every node: children's visits and totals are its own, values as stored, moves distinct."""
    tree = grown(game, 3000, tactics=tactics)
    nodes = tree._nodes
    waiting, inner = [0], 0
    while waiting:
        node = nodes[waiting.pop()]
        first, tried = int(node["first"]), int(node["tried"])
        if not tried:
            continue
        inner += 1
        block = nodes[first : first + tried]
        assert len(set(block["move"])) == tried <= node["moves"]
        own = int(node["visits"]) - int(block["visits"].sum())
        if node["proof"]:  # visited again without looking further down
            assert own >= 0
        else:
            assert own in (0, 1)  # its own playout; the root has none
        if not node["proof"] and not block["proof"].any():
            assert abs(int(node["total"]) + int(block["total"].sum())) <= own * UNIT
        plain = block[block["proof"] == RUNNING]
        assert np.allclose(plain["value"], plain["total"] / plain["visits"], atol=1)
        assert np.allclose(block["inverse_sqrt_visits"], UNIT / np.sqrt(block["visits"]), atol=1)
        waiting.extend(range(first, first + tried))
    assert inner > 10
    assert nodes["visits"][0] == tree.simulations
    assert NODE.itemsize == 32


def test_the_exploration_table_is_close_to_the_formula() -> None:
    table = kernel.exploration_table(1.41)
    for visits in [*range(1, 200), 999, 12_345, 10**6, 2**31 - 1]:
        exponent = visits.bit_length() - 1
        step = ((visits << 5) >> exponent) - 32
        exact_value = 1.41 * np.log(visits) ** 0.5
        tolerance = 1e-6 if visits < 64 else 0.004 * exact_value
        assert table[exponent * 32 + step] / UNIT == pytest.approx(exact_value, abs=tolerance)


@pytest.mark.parametrize("game", ["tictactoe", "tictactoe-3x4x3", "connect-four-4x4", "reversi-4"])
@pytest.mark.parametrize("tactics", [False, True])
def test_what_is_proven_is_true(game: str, tactics: bool) -> None:
    rng, proven = random.Random(game), 0
    for _ in range(12):
        env = late_position(game, rng, 7)
        solver = MCTSSolver(4000, seed=4, compiled=True, tactics=tactics)
        proven += check_proofs(env, solver.analyse(env))
    assert proven > 24


def test_python_and_machine_code_agree_on_values() -> None:
    rng = random.Random(1)
    for game, empty in (("tictactoe", 8), ("connect-four-4x4", 10), ("reversi-4", 9)):
        for _ in range(2):
            env = late_position(game, rng, empty)
            analyses = [
                MCTSSolver(1500, seed=2, compiled=compiled, tactics=False).analyse(env)
                for compiled in (False, True)
            ]
            slow, fast = analyses
            if slow.proven and fast.proven:
                assert slow.outcome == fast.outcome
            else:
                assert slow.value == pytest.approx(fast.value, abs=0.25)


def test_values_approach_the_true_ones() -> None:
    rng = random.Random(8)
    for game in ("tictactoe", "connect-four-4x4", "reversi-4"):
        for _ in range(10):
            env = late_position(game, rng, 7)
            solver = MCTSSolver(40_000, seed=1, compiled=True, tactics=False)
            assert solver.analyse(env).value == pytest.approx(exact(env), abs=0.1)


@pytest.mark.parametrize("max_depth", [0, 1, 2, 5])
@pytest.mark.parametrize("game", ["connect-four", "gomoku-9", "reversi-6"])
def test_cut_playouts_are_judged_by_the_same_heuristic(game: str, max_depth: int) -> None:
    env = middle_position(game, random.Random(4), 0.3)
    settings = Settings(max_depth=max_depth, tactics=False)
    slow, fast = PythonTree(env, settings, 1), compiled_tree(env, settings, 1)
    assert fast is not None
    moves = len(env.get_legal_moves())
    slow.run(moves if max_depth == 0 else 4 * moves)
    fast.run(moves if max_depth == 0 else 4 * moves)
    tolerance = 1e-6 if max_depth == 0 else 0.06
    for tree in (slow, fast):
        assert tree.nodes >= moves
    if max_depth == 0:  # one look at every move: nothing is left to chance
        for move, node in fast.root.children.items():
            assert node.total_value == pytest.approx(
                slow.root.children[move].total_value, abs=tolerance
            )
    mean = [tree.root.total_value / tree.root.visit_count for tree in (slow, fast)]
    assert mean[0] == pytest.approx(mean[1], abs=tolerance)


# --------------------------------------------------------------------- manners


def test_the_same_seed_gives_the_same_answer_in_a_fresh_solver() -> None:
    for game in ("connect-four", "gomoku-15", "reversi"):
        env = middle_position(game, random.Random(2), 0.2)
        seen = [MCTSSolver(3000, seed=5, compiled=True).analyse(env).candidates for _ in range(2)]
        used = MCTSSolver(3000, seed=5, compiled=True)
        used.analyse(make_game(game))
        seen.append(used.analyse(env, on_progress=lambda analysis: None).candidates)
        assert seen[0] == seen[1] == seen[2]
        assert MCTSSolver(3000, seed=6, compiled=True).analyse(env).candidates != seen[0]


def test_a_full_tree_is_searched_on_and_says_so() -> None:
    for game in ("connect-four", "gomoku-15"):
        analysis = MCTSSolver(20_000, max_memory_mb=0.05, compiled=True, seed=1).analyse(
            make_game(game)
        )
        assert analysis.simulations == 20_000
        assert analysis.nodes is not None
        assert analysis.nodes * NODE.itemsize <= 0.05 * 2**20
        assert "cap of 0.05 MB" in analysis.notes[0]
        assert sum(c.visits or 0 for c in analysis.candidates) in (19_999, 20_000)


def test_node_and_time_limits() -> None:
    solver = MCTSSolver(compiled=True, seed=1)
    assert solver.analyse(make_game("connect-four"), Limit(nodes=77)).nodes == 77
    assert solver.analyse(make_game("gomoku-20"), Limit(time=0.1)).elapsed >= 0.1


def test_progress_shows_the_tree_as_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "_REPORT_EVERY", 0.0)  # after every slice of work
    seen: list[Analysis] = []
    enough = HeardStop()

    def look(partial: Analysis) -> None:
        seen.append(partial)
        if len(seen) == 3:
            enough.set()

    solver = MCTSSolver(compiled=True, seed=1)
    found = solver.analyse(make_game("gomoku-20"), Limit(simulations=10**6), look, enough)
    assert len(seen) == 3
    assert found.simulations is not None
    assert found.simulations < 10**6
    assert all(len(partial.candidates) == 400 for partial in seen)
    visits = [partial.tree(0).visits for partial in seen]
    assert visits == sorted(set(visits))  # each one a picture of its moment


@pytest.mark.parametrize("game", ["connect-four", "reversi-6", "gomoku-9"])
def test_the_tree_is_reused_when_the_game_goes_on(game: str) -> None:
    env = make_game(game)
    solver = MCTSSolver(20_000, seed=1, compiled=True, reuse_tree=True, tactics=False)
    first = solver.analyse(env)
    before = first.tree(4, 100)
    reply = before.children[0].children[0]
    for node in (before.children[0], reply):
        assert node.move is not None
        env.step(node.move)
    second = solver.analyse(env, Limit(simulations=1))
    assert second.tree(0).visits == reply.visits + 1
    assert second.simulations == 1
    again = {child.move: child.visits for child in second.tree(1, 100).children}
    gained = sum(again.values()) - sum(child.visits for child in reply.children)
    assert gained in (0, 1)
    for child in reply.children:
        assert 0 <= again[child.move or 0] - child.visits <= 1
    assert first.tree(4, 100) == before  # an analysis keeps the tree it was made of
    solver.analyse(env)
    check_tree_below(solver, env)


def check_tree_below(solver: MCTSSolver, env: BaseGameEnv) -> None:
    """A tree that was moved and grown on has only legal moves in it."""
    assert solver._last is not None
    waiting = [(solver._last.tree.root, env.copy())]
    checked = 0
    while waiting and checked < 300:
        node, position = waiting.pop()
        assert set(node.children) <= set(position.get_legal_moves())
        checked += 1
        for move, child in node.children.items():
            after = position.copy()
            after.step(move)
            assert child.ended == after.is_terminal()
            waiting.append((child, after))


def test_a_reused_tree_keeps_within_its_cap() -> None:
    env = make_game("connect-four")
    solver = MCTSSolver(30_000, seed=1, compiled=True, reuse_tree=True, max_memory_mb=0.5)
    while not env.is_terminal():
        analysis = solver.analyse(env)
        assert solver._last is not None
        tree = solver._last.tree
        assert isinstance(tree, CompiledTree)
        assert tree._control[kernel.FREE] <= 0.5 * 2**20 / NODE.itemsize
        assert analysis.best_move is not None
        env.step(analysis.best_move)


# --------------------------------------------------------------------- tactics


def tactical_misses(game: str, positions: int, *, compiled: bool = True) -> tuple[int, int]:
    """(positions with a win in one or one single threat, those where the right move was missed)."""
    rng, met, missed = random.Random(game), 0, 0
    solver = MCTSSolver(200, compiled=compiled, seed=1)
    for _ in range(positions):
        env = middle_position(game, rng)
        right = {win.move for win in immediate_wins(env)}
        if not right:
            right = {win.move for win in wins_if_to_move(env, -env.current_player)}
        if len(right) == 0 or (len(right) > 1 and not immediate_wins(env)):
            continue
        met += 1
        missed += solver.search(env) not in right
    return met, missed


@pytest.mark.parametrize("game", ["tictactoe", "tictactoe-5x5x4", "connect-four", "gomoku-15"])
def test_no_win_in_one_and_no_single_threat_is_missed(game: str) -> None:
    met, missed = tactical_misses(game, 100)
    assert missed == 0
    assert met > 8


@pytest.mark.full
@pytest.mark.parametrize("game", LINE_GAMES)
def test_no_win_in_one_and_no_single_threat_is_missed_in_a_thousand(game: str) -> None:
    met, missed = tactical_misses(game, 1000)
    assert missed == 0
    assert met > 80


def test_more_simulations_play_better() -> None:
    points = 0.0
    strong, weak = (MCTSSolver(n, compiled=True, seed=3) for n in (2000, 50))
    for number in range(20):
        env = make_game("connect-four")
        env.step(number // 2 % 7)
        ours = 1 if number % 2 else -1
        while not env.is_terminal():
            env.step((strong if env.current_player == ours else weak).search(env))
        points += (env.get_result(ours) + 1) / 2
    assert points >= 14
