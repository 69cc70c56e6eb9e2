"""Every move valued: those that leave a threat of the other side are proven to lose."""

import json
from pathlib import Path

import pytest

from rl_toolkit.algorithms.gomoku.engine import GomokuEngine
from rl_toolkit.algorithms.gomoku.proof_check import ProofChecker
from rl_toolkit.algorithms.gomoku.proofs import ProofBuilder
from rl_toolkit.algorithms.gomoku.root import RootSearch
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import FREESTYLE
from rl_toolkit.records import position_from_text

HELD = Path(__file__).parents[3] / "benchmarks" / "gomoku_defences.jsonl"


def held_position(place: int) -> dict:
    return json.loads(HELD.read_text("utf-8").splitlines()[place])


@pytest.mark.parametrize(
    ("place", "nodes"),
    [
        (20, 12_000),
        (21, 12_000),
        *(pytest.param(place, 150_000, marks=pytest.mark.full) for place in (1, 20, 22)),
    ],
)
def test_every_move_that_leaves_a_threat_is_called_lost(place, nodes):
    """The held positions say after which moves the other side wins by fours or threats."""
    held = held_position(place)
    env = position_from_text(f"gomoku-15-{held['rule']}", held["position"])
    found = GomokuEngine(every_move=True).analyse(env, Limit(nodes=nodes))
    called = {each.name for each in found.candidates if each.outcome == "loss"}
    others = {*held["saved"], *held["unasked"]}
    assert found.threat
    assert called >= {each.name for each in found.candidates} - others
    assert not called & set(held["saved"])
    assert found.candidates[0].name in others
    assert all(each.proven for each in found.candidates if each.name in called)


@pytest.mark.full
@pytest.mark.parametrize("place", range(24))
def test_the_held_positions_are_true(place):
    """Each loss is proven again, and each proof replayed against every reply."""
    held = held_position(place)
    rule = Gomoku.rules[held["rule"]]
    env = position_from_text(f"gomoku-15-{held['rule']}", held["position"])
    side = 0 if env.current_player == 1 else 1
    space = Workspace(15, rule, None, 64)
    stones = [(c, 0 if s == 1 else 1) for c, s in enumerate(env.board.tolist()) if s]
    losing = [m for m in env.get_legal_moves() if env.move_name(m) not in held["saved"]]
    losing = [move for move in losing if env.move_name(move) not in held["unasked"]]
    for number, move in enumerate(losing):
        space.set_up([*stones, (move, side)])
        with space.allowing(200_000):
            assert space.prove(1 - side)
        if number % 40 == 0:
            proof = ProofBuilder(space, 1 - side, only_fours=False).build()
            board = [stone % 3 for stone in env.board.tolist()]
            board[move] = side + 1
            assert ProofChecker(15, rule=rule).refute(board, 2 - side, proof) is None


def test_what_won_before_is_tried_first_and_proves_the_same():
    """With the stone that is new named, the same moves are lost, with far fewer nodes."""
    held = held_position(21)
    env = position_from_text(f"gomoku-15-{held['rule']}", held["position"])
    side = 0 if env.current_player == 1 else 1
    stones = [(c, 0 if s == 1 else 1) for c, s in enumerate(env.board.tolist()) if s]
    names = {*held["saved"], *held["unasked"]}
    losing = [m for m in env.get_legal_moves() if env.move_name(m) not in names][::4]
    safe = [m for m in env.get_legal_moves() if env.move_name(m) in held["saved"]]
    used = []
    for told in (False, True):
        space = Workspace(15, Gomoku.rules[held["rule"]], None, 16)
        space.set_up(stones)
        assert space.prove(1 - side)
        before = space.nodes
        for move in losing:
            with space.stone(move, side):
                assert space.prove(1 - side, extra=move if told else None)
        used.append(space.nodes - before)
        for move in safe:
            with space.stone(move, side), space.allowing(5000):
                assert not space.prove(1 - side, extra=move if told else None)
    assert used[1] < used[0] / 2


@pytest.mark.parametrize(
    "moves",
    [  # j6, then i7, look best and lose to threats
        "k8 f10 g8 i10 e10 i8 i7 f9 j7 f11 f12 h7 l9 m10 j9 j10",
        "h6 g6 e11 k5 f8 i5 f7 j5 h5",
    ],
)
def test_a_short_search_sees_whether_its_move_leaves_the_threat(moves):
    env = make_game("gomoku-15")
    for name in moves.split():
        env.step(env.parse_move(name))
    side = 0 if env.current_player == 1 else 1
    found = GomokuEngine(max_memory_mb=16).analyse(env, Limit(nodes=85_000))
    lost = [each for each in found.candidates if each.outcome == "loss"]
    assert found.threat
    assert lost
    assert found.candidates[0] not in lost
    env.step(found.best_move)
    space = Workspace(15, FREESTYLE, None, 16)
    space.set_up([(c, 0 if s == 1 else 1) for c, s in enumerate(env.board.tolist()) if s])
    with space.allowing(100_000):
        assert not space.prove(1 - side)


def test_a_move_known_to_be_lost_keeps_its_line():
    """Moves that the first look proves lost are asked about, too, but are known better by it."""
    held = held_position(20)
    env = position_from_text(f"gomoku-15-{held['rule']}", held["position"])
    space = Workspace(15, Gomoku.rules[held["rule"]], None, 4)
    root = RootSearch(env, space)
    assert root.look_once()
    root.find_threat(10_000)
    lost = {move: known for move, known in root.known.items() if known.is_loss}
    others = [move for move in root.losable() if move not in lost]
    assert lost
    assert others
    assert all(root.refute(move, whole=False) for move in lost)
    assert lost == {move: root.known[move] for move in lost}
    space.allow(0)
    assert None in {root.refute(move, whole=False) for move in others}
