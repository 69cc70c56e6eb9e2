"""`Spec`: an engine with its options and limit as a value, and its text."""

import ast
import copy
import math
import pickle
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import rl_toolkit
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import (
    BOT,
    Spec,
    SpecError,
    engine_kind,
    engine_kinds,
    levels_for,
    make_engine,
    make_player,
    registry,
    resolve,
)
from rl_toolkit.players.advisers import (
    adviser_spec,
    exact_spec,
    perfect_spec,
    prover_spec,
    reviewer_spec,
)
from rl_toolkit.players.levels.ladders import LADDERS, STEPS
from rl_toolkit.players.levels.ratings import rated_games, rated_ladder
from rl_toolkit.players.notation import stating

PACKAGE = Path(rl_toolkit.__file__).parent


# ------------------------------------------------------------------------------- values


def test_a_spec_has_a_kind_options_and_a_limit():
    spec = Spec.read("Minimax: time=2, symmetry=OFF, depth=06")
    assert spec.kind == "minimax"
    assert spec.options == (("symmetry", False),)
    assert spec.limit == Limit(depth=6, time=2.0)
    assert (spec["symmetry"], spec["pvs"], spec["depth"], spec["nodes"]) == (False, True, 6, None)
    assert spec.takes("seed")
    assert not spec.takes("simulations")
    with pytest.raises(SpecError, match="minimax has no option 'simulations'"):
        spec["simulations"]
    with pytest.raises(SpecError, match="minimax has no option 'c'"):
        spec.with_(c=1.0)


@pytest.mark.parametrize(
    ("typed", "text", "shown"),
    [
        ("Greedy: seed=07", "greedy:seed=7", "greedy:seed=7"),
        ("mcts:c=1.41", "mcts", "mcts:c=1.41"),
        ("reversi:every=off,time=1.0", "reversi:time=1", "reversi:time=1,every=off"),
        ("gomoku:Proofs=ON", "gomoku", "gomoku:proofs=on"),
        ("file-bot:name=Bot,file=bots/b.py", "bots/b.py:Bot", "bots/b.py:Bot"),
        ("b.py:time=10", "b.py", "b.py:time=10"),
        ('gtp:cmd="a, b",start=10', 'gtp:cmd="a, b"', 'gtp:cmd="a, b",start=10'),
        ("mix:slips=0.25,weak=first", "mix", "mix:weak=first,slips=0.25"),
        ("mix:strong=mcts:c=1.41", "mix:strong=mcts", "mix:strong=mcts:c=1.41"),
    ],
)
def test_equality_ignores_typed_defaults_and_what_is_shown_does_not(typed, text, shown):
    spec = Spec.read(typed)
    assert (spec.text, str(spec), repr(spec)) == (text, shown, f"Spec({shown!r})")
    for other in (Spec.read(text), Spec.read(shown), Spec.read(spec)):
        assert (other, hash(other), other.text) == (spec, hash(spec), text)


def test_a_spec_with_other_values():
    spec = Spec.read("reversi:depth=3")
    assert spec.with_(every=True, time=1.5).text == "reversi:depth=3,time=1.5,every=on"
    assert spec.with_(depth=None).text == "reversi"
    assert spec.with_(every=False) == spec
    assert str(spec.with_(every=False)) == "reversi:depth=3,every=off"
    assert str(spec.with_(every=False).with_(every=None)) == "reversi:depth=3"
    assert spec.text == "reversi:depth=3"  # it is frozen
    assert spec.seeded(None) is spec
    assert spec.seeded(5).seeded(6)["seed"] == 5
    assert Spec("first").seeded(5) == Spec("first")


def test_specs_are_hashable_and_can_be_pickled():
    specs = {Spec.read("mix:strong=minimax:depth=2,weak=greedy"), Spec.read("mcts")}
    assert pickle.loads(pickle.dumps(specs)) == copy.deepcopy(specs) == specs
    typed = pickle.loads(pickle.dumps(Spec.read("mcts:c=1.41")))
    assert str(typed) == "mcts:c=1.41"


def test_an_engine_in_an_engine_is_a_spec():
    inner = Spec.read("greedy:slips=0.3,seed=2")
    spec = Spec("mix").with_(strong=Spec.read("minimax:depth=4"), weak=inner, slips=0.5)
    assert spec.text == 'mix:strong=minimax:depth=4,weak="greedy:slips=0.3,seed=2",slips=0.5'
    assert Spec.read(spec.text) == spec
    assert spec["weak"] == inner
    twice = Spec("mix").with_(strong=spec, weak=spec)
    assert Spec.read(twice.text) == twice


def test_engines_in_engines_end():
    text = "first"
    for _ in range(4):
        text = f'mix:strong="{text.replace(chr(34), 2 * chr(34))}"'
    assert Spec.read(text)["strong"]["strong"]["strong"]["strong"] == Spec("first")
    with pytest.raises(SpecError, match="a mix of mixes is too deep"):
        Spec.read(f'mix:strong="{text.replace(chr(34), 2 * chr(34))}"')
    with pytest.raises(SpecError, match="a mix of mixes is too deep"):
        Spec.read("mix:strong=" * 500 + "first")


def test_in_asks_for_what_is_set_and_options_have_no_places():
    spec = Spec.read("minimax:depth=4,symmetry=on,pvs=off")
    assert [name in spec for name in ("depth", "symmetry", "pvs", "seed", "c")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert "depth" in Spec("minimax", limit=Limit(depth=2))
    with pytest.raises(TypeError, match="not iterable"):
        list(spec)


def test_a_limit_may_have_a_default():
    assert Spec.read("bot.py").limit == Limit(time=10.0)
    assert Spec.read("bot.py:time=2").with_(time=None).text == "bot.py"


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (Spec(BOT, (("file", "a.py"),)), "a.py"),
        (Spec("minimax", (("seed", 3), ("symmetry", True))), "minimax:seed=3"),
        (
            Spec("minimax", (("seed", 3), ("pvs", False), ("depth", 2))),
            "minimax:depth=2,pvs=off,seed=3",
        ),
        (Spec("mcts", (("c", None),), Limit(time=2)), "mcts:time=2"),
        (Spec("minimax").with_(symmetry="off", depth="4"), "minimax:depth=4,symmetry=off"),
        (Spec("mix").with_(strong="exact"), "mix:strong=exact"),
        (Spec("mix", (("weak", "first"),)), "mix"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_spec_is_the_same_however_it_is_made(made, text):
    read = Spec.read(text)
    assert (made, made.text, made.options, made.limit) == (read, text, read.options, read.limit)
    assert hash(made) == hash(read)


@pytest.mark.parametrize(
    ("kind", "changes", "sentence"),
    [
        ("mcts", {"c": -3}, "c is a number from 0 to 100, not -3"),
        ("mcts", {"c": "x"}, "c is a number from 0 to 100, not 'x'"),
        ("mcts", {"c": float("nan")}, "c is a number from 0 to 100, not nan"),
        ("minimax", {"memory": 0}, "memory is a whole number from 1"),
        ("minimax", {"depth": 2.5}, "depth is a whole number from 1"),
        ("minimax", {"pvs": 1}, "pvs is on or off, not 1"),
        ("random", {"seed": -1}, "seed is a whole number of at least 0, not -1"),
        ("random", {"seed": 10**18}, "seed is a whole number of at least 0"),
        ("random", {"seed": True}, "seed is a whole number of at least 0"),
        ("alphazero", {"backend": "tpu"}, "backend is auto, onnx or numpy, not 'tpu'"),
        ("alphazero", {"weights": 3}, "weights is the name of a file, not 3"),
        ("mix", {"strong": 3}, "strong is an engine, not 3"),
        ("exact", {"depth": 3}, "exact has no option 'depth'"),
    ],
)
def test_a_value_that_cannot_be_read_cannot_be_set(kind, changes, sentence):
    for make in (Spec(kind).with_, lambda **options: Spec(kind, tuple(options.items()))):
        with pytest.raises(SpecError, match=sentence):
            make(**changes)


def test_a_mix_cannot_be_deeper_than_one_that_can_be_read():
    spec = Spec("greedy")
    for _ in range(4):
        spec = Spec("mix").with_(strong=spec)
    assert Spec.read(spec.text) == spec
    with pytest.raises(SpecError, match="a mix of mixes is too deep"):
        Spec("mix").with_(strong=spec)


def values_of(option):
    if option.kind == "switch":
        return st.booleans()
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    if option.kind == "engine":
        return st.sampled_from(["greedy", "minimax:depth=2,seed=3", "mix:slips=0.5", "a.py:choose"])
    if option.is_free:
        return st.text() | st.text("ab.py:,'\" =C\\") | st.just("bots/a.py")
    least, most = max(option.least, -1e9), min(option.most, 1e15)
    if option.kind == "number":
        return st.floats(least, most) | st.integers(math.ceil(least), int(most))
    return st.integers(int(least), int(most))


KINDS = st.sampled_from(engine_kinds(outside=True))


@given(st.data())
@examples(300)
def test_every_spec_can_be_written_and_read(data):
    kind = data.draw(KINDS)
    chosen = {o.name: data.draw(st.none() | values_of(o), o.name) for o in kind.options}
    names = data.draw(st.permutations(list(chosen)))
    spec = Spec(kind.name, tuple((name, chosen[name]) for name in names))
    for same in (Spec.read(spec.text), Spec.read(str(spec)), Spec(kind.name).with_(**chosen)):
        assert (same, hash(same), same.text) == (spec, hash(spec), spec.text)
        assert (same.settings, same.limit) == (spec.settings, spec.limit)
    assert Spec(spec.kind, spec.options, spec.limit) == spec


def test_a_spec_of_an_engine_that_is_not_there_can_be_kept_but_not_read():
    assert repr(Spec("mine")).startswith("Spec('mine', (), Limit(")
    with pytest.raises(SpecError, match="there is no engine 'mine'"):
        Spec.read("mine")
    with pytest.raises(SpecError, match="an engine is described by text, not 3"):
        Spec.read(3)


def shipped_texts():
    ladders = [rated_ladder(game) for game in rated_games()]
    rated = chain.from_iterable(ladder.ratings for ladder in ladders)
    stored = chain.from_iterable(ladder.stored for ladder in ladders)
    steps = chain.from_iterable(STEPS.values())
    yield from (each.spec for each in (*rated, *steps))
    yield from chain.from_iterable(game.players for game in stored)
    yield from chain.from_iterable(levels.values() for levels in LADDERS.values())


def test_all_shipped_specs_are_canonical():
    texts = set(shipped_texts())
    assert len(texts) > 50
    for text in texts:
        assert (Spec.read(text).text, str(Spec.read(text))) == (text, text)


@pytest.mark.parametrize("kind", engine_kinds(outside=True), ids=lambda kind: kind.name)
def test_every_kind_can_be_written_and_read(kind):
    assert Spec(kind.name).text == kind.name
    switched = {o.name: not o.default for o in kind.options if o.kind == "switch"}
    spec = Spec(kind.name).with_(**switched)
    assert Spec.read(spec.text) == spec
    assert dict(spec.options) == switched


# -------------------------------------------------------------------------------- doors


def test_players_are_made_of_text_and_of_specs():
    assert make_engine(Spec.read("minimax:depth=2")).limit == Limit(depth=2)
    player = make_player("connect-four", "Hard", seed=3)
    assert (str(player.spec), player.text) == ("minimax:depth=6,seed=3", "Hard")
    assert make_player("connect-four", player.spec).text == "minimax:depth=6,seed=3"
    assert make_engine("mcts:c=1.41").text == "mcts:c=1.41"
    assert player.within(Limit(time=1)).text == "Hard"
    assert pickle.loads(pickle.dumps(player)).text == "Hard"
    with pytest.raises(SpecError, match="reversi does not play tictactoe"):
        make_player("tictactoe", Spec("reversi"))


def test_no_engine_is_made_to_know_who_plays_advises_or_proves(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("an engine is made")

    kinds = {
        name: type(kind)(
            **{field: getattr(kind, field) for field in kind.__slots__} | {"make": refuse}
        )
        for name, kind in registry._KINDS.items()
    }
    monkeypatch.setattr(registry, "_KINDS", kinds)
    for game in ("tictactoe", "connect-four", "reversi", "reversi-6", "gomoku-9"):
        env = make_game(game)
        for chosen in (exact_spec, adviser_spec, reviewer_spec, prover_spec, perfect_spec):
            spec = chosen(env)
            assert spec is None or engine_kind(spec.kind).can_play(env)
        for level, text in levels_for(game).items():
            assert resolve(game, level) == Spec.read(text)
    assert str(resolve("connect-four", "1200")).startswith("mix:")
    with pytest.raises(AssertionError, match="an engine is made"):
        make_engine("first")


def test_options_of_another_version_are_stated_without_being_known():
    assert stating("hard", seed="3") == "hard:seed=3"
    assert stating("zork:zonk=1", every="off") == "zork:zonk=1,every=off"
    assert stating('gtp:cmd="a, b"', cmd="c", folder="d, e") == 'gtp:cmd="a, b",folder="d, e"'


# ------------------------------------------------------------------------ the whole package


def imported_names(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "rl_toolkit.players.notation":
            yield from (alias.name for alias in node.names)


def test_only_spec_takes_the_text_of_specs_apart():
    own = {"split_spec", "join_spec", "spec_name", "quoted", "unquoted", "split_at_commas"}
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "rl_toolkit.players.notation" in path.read_text("utf-8")
        and own & set(imported_names(path))
    }
    assert users == {"players/spec.py"}


LOADED = """
import sys
{}
print(*(name for name in sys.modules if name.startswith("rl_toolkit")))
"""
#: Modules of engines, or what only engines need.
ENGINES = (
    "rl_toolkit.algorithms.by_game.exact",
    "rl_toolkit.algorithms.minimax",
    "rl_toolkit.algorithms.mcts",
    "rl_toolkit.algorithms.simple",
    "rl_toolkit.algorithms.connect_four",
    "rl_toolkit.algorithms.gomoku",
    "rl_toolkit.algorithms.reversi",
    "rl_toolkit.learning.alphazero.engine",
    "rl_toolkit.learning.alphazero.inference",
    "rl_toolkit.learning.alphazero.onnx_model",
    "rl_toolkit.learning.alphazero.puct_tree",
    "rl_toolkit.players.kinds.mixed_engine",
    "rl_toolkit.players.bots.engine",
    "rl_toolkit.protocols",
)


@pytest.mark.parametrize(
    "code",
    [
        "import rl_toolkit.players",
        "from rl_toolkit.players import engine_kinds, levels_for, resolve\n"
        "for game in ('connect-four', 'reversi', 'gomoku'):\n"
        "    levels_for(game), resolve(game, 'hard'), resolve(game, '500')\n"
        "[kind.to_dict() for kind in engine_kinds()]",
        "from rl_toolkit.learning.alphazero.weights import shipped_games\nassert shipped_games()",
    ],
    ids=["import", "levels", "networks"],
)
def test_no_engine_is_imported_before_one_is_made(code):
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(code)], capture_output=True, text=True, check=True
    )
    modules = done.stdout.split()
    assert [name for name in modules if name.startswith(ENGINES)] == []
