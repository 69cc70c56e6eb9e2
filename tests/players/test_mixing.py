"""``mix``: two engines and a lot for each move."""

import pickle

import pytest

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, make_engine, make_player
from rl_toolkit.players.kinds.mixing import Mix
from rl_toolkit.players.spec import Spec, reaches_outside

GAME = "connect-four"


def positions(count):
    """Positions of random games, no two of them after the same moves."""
    found = []
    for seed in range(count):
        env = make_game(GAME)
        for _ in range(seed % 12):
            env.step(make_engine(f"random:seed={seed}").analyse(env).best_move)
            if env.is_terminal():
                env.undo()
                break
        found.append(env)
    return found


def slips(spec, count):
    notes = [make_engine(spec).analyse(env).notes for env in positions(count)]
    return sum("Left to first, the weaker of two engines" in note for note in notes)


def test_the_weak_engine_plays_its_share_of_the_moves():
    assert slips("mix:strong=random,weak=first,slips=0,seed=1", 20) == 0
    assert slips("mix:strong=random,weak=first,slips=1,seed=1", 20) == 20
    assert 75 <= slips("mix:strong=random,weak=first,slips=0.3,seed=1", 300) <= 105


def test_a_mix_in_a_mix_draws_lots_of_its_own():
    inner = Mix(Spec("random"), Spec("first"), 0.4).spec
    outer = make_engine(Mix(inner, Spec("greedy"), 0.5).spec.with_(seed=1))
    notes = [outer.analyse(env).notes for env in positions(300)]
    by_inner = [note for note in notes if "Left to greedy, the weaker of two engines" not in note]
    assert 120 <= len(by_inner) <= 180
    slipped = sum("Left to first, the weaker of two engines" in note for note in by_inner)
    assert 0.3 <= slipped / len(by_inner) <= 0.5


def test_each_move_is_that_of_the_engine_that_the_lot_chose():
    mixed = make_engine("mix:strong=greedy,weak=first,slips=0.5,seed=4")
    greedy, first = make_engine("greedy:seed=4"), make_engine("first")
    by_weak = set()
    for env in positions(40):
        analysis = mixed.analyse(env)
        is_slip = bool(analysis.notes)
        by_weak.add(is_slip)
        assert analysis.engine == "mix"
        assert analysis.best_move == (first if is_slip else greedy).analyse(env).best_move
    assert by_weak == {True, False}


def test_the_same_seed_gives_the_same_moves_and_another_seed_others():
    spec = "mix:strong=greedy:slips=0.5,weak=random,slips=0.5"
    seeds = (7, 7, 8)
    games = [
        [make_player(GAME, spec, seed=s).analyse(e).best_move for e in positions(30)] for s in seeds
    ]
    assert games[0] == games[1] != games[2]


def test_both_engines_keep_their_limits_and_a_tighter_one_that_is_given():
    player = make_engine("mix:strong=minimax:depth=3,weak=minimax:depth=3,slips=0.5")
    assert player.analyse(make_game(GAME)).depth == 3
    assert player.analyse(make_game(GAME), Limit(depth=2)).depth == 2
    assert player.analyse(make_game(GAME), Limit(depth=9)).depth == 3


@pytest.mark.parametrize("choice", [None, True, False])
def test_the_parts_use_machine_code_if_the_mix_does_unless_they_were_told(choice):
    player = make_engine("mix:strong=minimax:depth=1,weak=minimax:depth=1,slips=0.5,seed=1")
    told = make_engine("mix:strong=minimax:depth=1,weak=first,slips=0")
    told.engine.strong.engine.compiled = not choice
    for mix in (player, told):
        mix.engine.compiled = choice
        for env in positions(8):
            mix.analyse(env)
    parts = player.engine.strong.engine, player.engine.weak.engine
    assert [part.compiled for part in parts] == [choice, choice]
    assert told.engine.strong.engine.compiled is not choice


def test_mixes_can_be_mixed_and_pickled():
    inner = Mix(Spec("greedy"), Spec("random"), 0.2).spec
    outer = Mix(Spec.read("minimax:depth=2"), inner, 0.5)
    player = make_engine(outer.spec.with_(seed=3))
    assert Mix.of(player.spec) == outer
    assert player.engine.weak.spec == inner.with_(seed=4)
    copy = pickle.loads(pickle.dumps(player))
    env = make_game(GAME)
    assert copy.spec == player.spec
    assert copy.analyse(env).best_move == player.analyse(env).best_move


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("mix:strong=gredy", "there is no engine 'gredy'; did you mean greedy"),
        ("mix:weak=minimax:depth=0", "depth is a whole number from 1"),
        ("mix:slips=2", "slips is a number from 0 to 1, not '2'"),
    ],
)
def test_a_mix_of_what_does_not_exist_is_refused(spec, sentence):
    with pytest.raises(SpecError, match=sentence):
        make_engine(spec)


def test_a_mix_that_names_a_file_reaches_outside():
    assert reaches_outside("mix:strong=greedy,weak=my_bot.py")
    assert not reaches_outside("mix")
