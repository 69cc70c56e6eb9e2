"""Every sentence about a cut is true: read back from its words, against plain minimax."""

from __future__ import annotations

import math
import random
import re
from dataclasses import asdict
from typing import Any

import pytest
from brute_force import random_positions
from tree_game import TreeGame, random_bush

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.minimax.negamax import WIN, Options
from rl_toolkit.algorithms.traces import Trace, events, trace_search
from rl_toolkit.algorithms.traces.events import steps_of
from rl_toolkit.algorithms.traces.mcts import Simulation, tallies
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain.traces import tell
from rl_toolkit.explain.traces.minimax import SENTENCES
from rl_toolkit.explain.traces.trees import tell_ends, tell_steps
from rl_toolkit.learning.alphazero.engine import AlphaZeroEngine
from rl_toolkit.records import read_position

_LEFT = r"(?P<left>\d+) moves?(?: \((?P<saved>[\d,]+) positions?\))? left out\."
_OWNED = re.compile(
    r"Cut: α = (?P<alpha>\S+) ≥ β = (?P<beta>\S+)\. Here (?:"
    r"(?P<o>\w+) holds (?P<x>\w+) to (?P<less>.+?) or less|"
    r"(?P<x2>\w+) gets (?P<more>.+?) or more|"
    r"(?P<winner>\w+) wins); but (?P<where>.+?) (?P<other>\w+) already has (?P<move>\w+), "
    r"(?P<worth>.+?)\. (?P<gains>\w+) gains nothing by coming here: " + _LEFT
)
_BEST = re.compile(
    r"Cut: α = (?P<alpha>\S+) ≥ β = (?P<beta>\S+)\. (?P<other>\w+) already wins with "
    r"(?P<move>\w+) (?P<where>.+?)\. Nothing is better for (?P<gains>\w+), so (?P=gains) need not "
    r"look here any further: " + _LEFT
)
_NULL = re.compile(
    r"Cut: here (?P<who>\w+) (?:(?:holds \w+ to|gets) (?P<value>.+?) or (?P<way>less|more)|"
    r"wins)\. The question was only: (?P<asked>less|more) than (?P<bound>.+?)\? Yes, so stop: "
)
#: Where a won game stands on the scale of points.
FAR = 1e6
_HIT = re.compile(
    r"(?:Seen before|A symmetric position was seen), (?P<where>.+?): the table says "
    r"(?P<sign>[≤≥]?) ?(?P<value>\S+)\."
)
_TERMS = re.compile(r"mean for \w+ (\S+) \+ bonus (\S+) = (\S+?)(?:;|\.(?: |$))")
_WORDS = {"a win": 1.0, "win": 1.0, "a draw": 0.0, "a loss": -1.0, "loss": -1.0}


def number(text: str) -> float:
    """A value in a sentence or in a trace, read by itself: ``a draw``, ``−3``, ``60 points``."""
    if text in _WORDS:
        return _WORDS[text]
    return float(text.replace("−", "-").removesuffix(" points"))


class Truth:
    """Plain minimax for player +1; with a depth limit won games count 1000, as in the search."""

    def __init__(self, env: BaseGameEnv, depth: int | None) -> None:
        self.env, self.depth = env, depth
        self._known: dict[Any, tuple[float, int]] = {}

    def value(self, path: tuple[int, ...]) -> float:
        return self._after(path)[0]

    def size(self, path: tuple[int, ...]) -> int:
        """The nodes of plain minimax."""
        return self._after(path)[1]

    def _after(self, path: tuple[int, ...]) -> tuple[float, int]:
        if path not in self._known:
            env = self.env.copy()
            for move in path:
                env.step(move)
            self._known[path] = self._solved(env, len(path))
        return self._known[path]

    def _solved(self, env: BaseGameEnv, ply: int) -> tuple[float, int]:
        if env.is_terminal():
            return env.get_result(1) * (1 if self.depth is None else WIN), 1
        if ply == self.depth:
            return max(-1.0, min(1.0, env.evaluate_heuristic(1))), 1
        key = (env.get_state_hash(), ply)
        if key not in self._known:
            pick, found = max if env.current_player == 1 else min, []
            for move in env.get_legal_moves():
                env.step(move)
                found.append(self._solved(env, ply + 1))
                env.undo()
            values, sizes = zip(*found, strict=True)
            self._known[key] = pick(values), 1 + sum(sizes)
        return self._known[key]


def paths_of(trace: Trace) -> list[tuple[int, ...]]:
    """The moves to every node."""
    moves, paths, path = trace.data["nodes"]["move"], list[tuple[int, ...]](), list[int]()
    for step in steps_of(trace.data):
        if step.node == len(paths):
            path = [*path[: max(0, step.ply - 1)], moves[step.node]] if step.ply else []
            paths.append(tuple(path))
    return paths


def named(trace: Trace, where: str) -> tuple[int, ...]:
    """The moves that a sentence names: ``after c2 b3``, ``at the start``."""
    moves = {name: int(move) for move, name in trace.data["names"].items()}
    return () if where == "at the start" else tuple(map(moves.__getitem__, where.split()[1:]))


def check(env: BaseGameEnv, options: Options, depth: int | None = None) -> dict[str, int]:
    """Tell a search, and hold every sentence about a cut or the best move to the truth."""
    solver = MinimaxSolver(depth, **{f"use_{name}": on for name, on in asdict(options).items()})
    trace = trace_search(env, solver)
    truth, paths = Truth(env, depth), paths_of(trace)
    lines = {line.event: line for line in tell(trace) if line.event >= 0}
    seen = dict.fromkeys(
        ("cuts", "ties", "null", "deep", "table", "bounds", "best", "best possible", "hits"), 0
    )
    seen["nodes"] = len(paths)
    data = trace.data
    scores = [float(value) for value in data["values"]]
    unit = 1.0 if depth is not None else WIN
    for node, path in enumerate(paths):
        low, high = scores[data["nodes"]["lo"][node]], scores[data["nodes"]["hi"][node]]
        assert low <= truth.value(path) * unit <= high
        seen["bounds"] += low != high
    tried: dict[int, list[int]] = {}
    last: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    open_nodes: list[int] = []
    for step in steps_of(data):
        text = lines[step.number].text
        here, path = data["nodes"]["side"][step.node], paths[step.node]
        if step.kind in events.ENTRIES:
            open_nodes = [*open_nodes[: step.ply], step.node]
            if step.ply:
                children.setdefault(open_nodes[-2], []).append(step.node)
        sign = 1 if here == "X" else -1
        if step.kind in events.OFFERS:
            child = children[step.node][-1]
            move = paths[child][-1]
            assert trace.name(move) in text.split()[0]
            if step.kind == events.BETTER and "best so far" in text:
                seen["best"] += 1
                mine = sign * truth.value(paths[child])
                if step.alpha < step.beta:  # else it is only good enough
                    assert all(
                        mine > sign * truth.value((*path, o)) for o in tried.get(step.node, ())
                    )
            tried.setdefault(step.node, []).append(move)
            last[step.node] = move
        if step.kind == events.HIT and depth is None:
            seen["hits"] += 1
            found = _HIT.match(text)
            assert found, text
            told, true = number(found["value"]), truth.value(path)
            assert {"": true == told, "≤": true <= told, "≥": true >= told}[found["sign"]], text
        if step.kind == events.CUT:
            seen["cuts"] += 1
            _check_cut(trace, truth, path, here, text, data["cuts"][str(step.number)], seen)
            left = set(data["cuts"][str(step.number)]["left"])
            position = env.copy()
            for move in path:
                position.step(move)
            if not options.threats:
                assert left | set(tried[step.node]) == set(position.get_legal_moves())
        elif lines[step.number].is_cut:
            raise AssertionError(text)
    return seen


def _check_cut(
    trace: Trace,
    truth: Truth,
    path: tuple[int, ...],
    here: str,
    text: str,
    cut: dict[str, Any],
    seen: dict[str, int],
) -> None:
    pieces = trace.data["sides"]
    seen["table"] += "The table's bound" in text
    value = truth.value(path)
    points = trace.data.get("points", 1)
    close = 6e-1 if points > 1 else 1e-9

    def shown(true: float) -> float:
        """A true value as sentences show it: won games as 1, estimates in points."""
        return true * points if abs(true) <= 1 and truth.depth is not None else _result(true)

    def _result(true: float) -> float:
        return true if truth.depth is None else true / WIN * FAR

    def read(text: str) -> float:
        """A value of the sentence, comparable with `shown`."""
        told = number(text)
        return told * FAR if truth.depth is not None and text in _WORDS and told else told

    if found := _NULL.match(text):
        seen["null"] += 1
        sign = 1 if here == "X" else -1
        assert found["asked"] == ("more" if here == "X" else "less")
        assert found["way"] in (None, found["asked"])
        assert found["who"] == pieces[here]
        told = read(found["value"]) if found["value"] else sign * (FAR if truth.depth else 1)
        assert sign * told > sign * read(found["bound"])
        assert sign * shown(value) >= sign * told - close
        return
    at_max = here == "X"
    mine, other = ("X", "O") if at_max else ("O", "X")
    sign = 1 if at_max else -1
    won = FAR if truth.depth is not None else 1.0
    found = _OWNED.match(text) or _BEST.match(text)
    assert found, text
    assert found["other"] == found["gains"] == pieces[other]
    elsewhere = named(trace, found["where"])
    assert elsewhere == path[: len(elsewhere)], "the other move is on the way here"
    side = truth.env.copy()
    for move in elsewhere:
        side.step(move)
    assert ("X" if side.current_player == 1 else "O") == other
    moves = {name: int(move) for move, name in trace.data["names"].items()}
    alternative = shown(truth.value((*elsewhere, moves[found["move"]])))
    if "worth" not in found.groupdict():
        seen["best possible"] += 1
        assert alternative == -sign * won, "the other side wins there, as the sentence says"
    else:
        # What the sentence says of this node, and of the move that the other side has elsewhere.
        held = found["more"] if at_max else found["less"]
        assert found["winner"] in (None, pieces[mine])
        told = sign * won if found["winner"] else read(held)
        assert sign * shown(value) >= sign * told - close
        worth = found["worth"]
        if worth == "which loses too":
            assert alternative == sign * won
        else:
            worth = re.sub(r"^(worth |which holds \w+ to )|( for \w+)? by the estimate$", "", worth)
            assert abs(alternative - read(worth)) < close, text
            assert sign * told >= sign * read(worth)  # so the other side gains nothing here
    seen["ties"] += "tie" in cut["how"]
    assert ("tie" in cut["how"]) == (found["alpha"] == found["beta"])
    seen["deep"] += len(elsewhere) < len(path) - 1
    assert int(found["left"]) == len(cut["left"])
    if found["saved"]:
        saved = sum(truth.size((*path, move)) for move in cut["left"])
        assert int(found["saved"].replace(",", "")) == saved


def total(counts: list[dict[str, int]]) -> dict[str, int]:
    return {key: sum(count[key] for count in counts) for key in counts[0]}


@pytest.mark.parametrize(
    ("seed", "trees"), [(7, 90), pytest.param(9, 1_500, marks=pytest.mark.full)]
)
def test_cuts_on_random_trees(seed: int, trees: int) -> None:
    rng = random.Random(seed)
    counts = []
    for _ in range(trees):
        env = TreeGame(random_bush(rng, 5), rng.choice((1, -1)))
        if not env.is_terminal():
            counts.append(check(env, Options(memoization=False)))
    seen = total(counts)
    assert min(seen["cuts"], seen["ties"], seen["deep"], seen["best"], seen["bounds"]) > 80
    assert seen["null"] == 0


def test_cuts_of_null_windows_on_random_trees() -> None:
    rng = random.Random(8)
    counts = [
        check(TreeGame(random_bush(rng, 4, least=2)), Options(memoization=False, pvs=True))
        for _ in range(40)
    ]
    seen = total(counts)
    assert min(seen["cuts"], seen["null"]) > 100


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(ordering=True, symmetry=True),
        Options(ordering=True, symmetry=True, pvs=True),
        Options(threats=True, dead_lines=True),
    ],
    ids=["table", "symmetry", "pvs", "threats"],
)
def test_cuts_on_positions(options: Options) -> None:
    positions = [
        *random_positions("tictactoe", 7, 7, seed=5),
        *random_positions("connect-four-4x4x3", 7, 4, seed=6),
        *random_positions("reversi-4", 6, 3, seed=7),
    ]
    seen = total([check(env, options) for env in positions])
    assert seen["cuts"] > 50
    assert seen["best possible"] > 10  # against a win elsewhere, which nothing can exceed
    if not options.threats:
        assert seen["table"] > 0


#: What the sentences of Tic-Tac-Toe are told about, six ways to search.
SIX_WAYS = (
    Options(memoization=False),
    Options(),
    Options(ordering=True),
    Options(symmetry=True, ordering=True),
    Options(pvs=True),
    Options(symmetry=True, ordering=True, pvs=True, dead_lines=True),
)


@pytest.mark.full
@pytest.mark.parametrize("part", range(10))
def test_every_sentence_of_many_positions(part: int) -> None:
    """Ten parts of 12,100 nodes, 3,060 cuts and 1,530 hits of the table, and no false sentence."""
    seen = {"nodes": 0, "cuts": 0, "hits": 0}
    for seed in range(1_000 * part, 1_000 * (part + 1)):
        (env,) = random_positions("tictactoe", 7, 1, seed=seed)
        counts = [check(env, options) for options in SIX_WAYS]
        seen = {name: seen[name] + total(counts)[name] for name in seen}
        if seen["nodes"] > 12_100 and seen["cuts"] > 3_060 and seen["hits"] > 1_530:
            return
    raise AssertionError(seen)


@pytest.mark.full
def test_every_selection_of_many_searches_of_uct() -> None:
    """Own sums of every choice: the greatest is taken, and the sentence has its terms."""
    chosen = told = 0
    for seed in range(200):
        rng = random.Random(seed)
        game = ("tictactoe", "connect-four-4x4x3", "reversi-4")[seed % 3]
        (env,) = random_positions(game, 9, 1, seed=seed)
        c = (0.0, 0.5, 1.41, 4.0)[rng.randrange(4)]
        solver = MCTSSolver(300, c, seed=seed, tactics=False, proofs=False, compiled=False)
        trace = trace_search(env, solver)
        nodes = trace.data["nodes"]
        visits, totals = [0] * len(nodes["move"]), [0.0] * len(nodes["move"])
        children: dict[int, list[int]] = {}
        steps = tell_steps(trace, 0, 300)
        for fields, texts in zip(trace.data["simulations"], steps, strict=True):
            one = Simulation(*fields)
            for place, (above, below) in enumerate(zip(one.path, one.path[1:], strict=False)):
                if below == one.new:
                    children.setdefault(above, []).append(below)
                    continue
                sign = 1 if nodes["side"][above] == "X" else -1
                means = {k: sign * totals[k] / visits[k] for k in children[above]}
                bonus = {
                    k: c * math.sqrt(math.log(visits[above]) / visits[k]) for k in children[above]
                }
                sums = {k: means[k] + bonus[k] for k in means}
                assert sums[below] > max(sums.values()) - 1e-12
                chosen += 1
                if len(children[above]) == 1:
                    assert "the only move" in texts[place]
                    continue
                found = re.search(_TERMS, texts[place])
                assert found, texts[place]
                told += 1
                for text, terms in zip(found.groups(), (means, bonus, sums), strict=True):
                    assert number(text) == pytest.approx(terms[below], abs=0.011)
            for node in one.path:
                visits[node] += 1
                totals[node] += one.result
        if chosen > 26_300:
            break
    assert chosen > 26_300
    assert told > 19_000


def test_cuts_by_estimates_at_a_depth_limit() -> None:
    connect_four = check(make_game("connect-four-5x5x4"), Options(), 4)
    reversi = check(make_game("reversi-6"), Options(), 3)
    assert connect_four["cuts"] > 20
    assert reversi["cuts"] > 0
    # Points of the heuristic, as the theory counts them, and words for what is certain.
    trace = trace_search(read_position("connect-four", "4453"), MinimaxSolver(3))
    assert trace.data["points"] == 4200
    told = " ".join(line.text for line in tell(trace))
    assert " points for Red by the estimate." in told
    assert "points or more; but" in told
    assert not re.search(r"\b0\.\d", told)
    assert not [text for text in trace.data["texts"] if "." in text]
    assert "win" in trace.data["texts"]
    assert "Here Red wins; but after g Yellow already has a, which loses too." in told


def test_every_template_is_used_and_complete() -> None:
    told = set()
    for env in [
        read_position("tictactoe", "xox/1x1/1o1 o"),
        read_position("tictactoe", "x2/1o1/1x1 o"),
        TreeGame([[0.1, 0.2], [0.5, 0.3], [0.4, 0.9]]),
    ]:
        for options in (
            {},
            {"use_pvs": True, "use_symmetry": True},
            {"use_pruning": False},
            {"use_dead_lines": True, "use_distance": True},
            {"max_depth": 2},
        ):
            told |= {line.text for line in tell(trace_search(env, MinimaxSolver(**options)))}
    every = "\n".join(told)
    assert not re.search(r"[{}]|None|\bnan\b|-0|−0(?!\.)", every)
    for beginning in ("O tries", "Seen before", "A symmetric position", "It may be", "Plain"):
        assert beginning in every
    assert set(SENTENCES) >= {"cut_min", "cut_max", "cut_null_min", "cut_null_max"}


def test_the_shown_terms_of_selection_add_up_and_the_highest_is_taken() -> None:
    trace = trace_search(make_game("tictactoe"), MCTSSolver(150, seed=2, tactics=False))
    choices = 0
    for line in tell(trace):
        if line.text.startswith("Select") and "mean" in line.text:
            found = re.search(
                r"mean for \w (\S+) \+ bonus (\S+) = (\S+); (?:next \w+ (\S+)|a tie with (.+): "
                r"of equal sums the first that was made is taken)\.",
                line.text,
            )
            assert found, line.text
            mean, bonus, score = map(number, found.groups()[:3])
            assert round(mean + bonus, 4) == score
            if found[4]:
                assert score >= number(found[4])  # shown with as many digits as that takes
            choices += 1
    assert choices > 100


def test_every_tie_of_selection_is_named() -> None:
    env = read_position("tictactoe", "a1")
    trace = trace_search(env, MCTSSolver(120, seed=0, tactics=False))
    named = 0
    for fields, told in zip(trace.data["simulations"], tell_steps(trace, 0, 120), strict=True):
        one = Simulation(*fields)
        for terms, below, text in zip(one.terms or (), one.path[1:], told, strict=False):
            sums = {int(child): (visits, mean) for child, visits, mean, _ in terms}
            equal = [child for child, of in sums.items() if of == sums[below]]
            moves = {trace.name(trace.data["nodes"]["move"][child]) for child in equal[1:]}
            found = re.search(r"; a tie with (.+?): of equal sums", text)
            assert (set(re.split(", | and ", found[1])) if found else set()) == moves
            assert equal[0] == below
            named += bool(found)
    assert named > 20


@pytest.mark.parametrize("options", [{}, {"max_depth": 2}, {"tactics": True}])
def test_every_step_of_a_simulation_is_told(options: dict[str, Any]) -> None:
    solver = MCTSSolver(70, seed=5, **{"tactics": False} | options)
    trace = trace_search(read_position("tictactoe", "b2a1"), solver)
    whole = tell_steps(trace, 0, 70)
    assert len(whole) == trace.answer["simulations"]
    for place, (fields, told) in enumerate(zip(trace.data["simulations"], whole, strict=True)):
        one, after = Simulation(*fields), tallies(trace.data, place + 1)
        assert one.terms is not None
        phases = [text.split(":")[0].split(" ")[0].rstrip(",") for text in told]
        assert phases == (
            ["Select"] * len(one.terms)
            + ["Expand"] * (one.new >= 0)
            + (["Playout"] * len(one.moves) or ["No"])
            + ["Back"] * len(one.path)
        )
        for node, text in zip(reversed(one.path), told[-len(one.path) :], strict=True):
            visits, mean = re.search(r"(\d+) visits?, mean (\S+?)\.(?: |$)", text).groups()  # type: ignore[union-attr]
            assert int(visits) == after[node].visits
            assert number(mean) == pytest.approx(after[node].total / after[node].visits, abs=0.006)
            assert ("proven" in text) == any(node == proven for proven, _ in one.proven)
    assert tell_steps(trace, 30, 5) == whole[30:35]


def test_an_only_move_is_told_apart_from_the_only_one_not_proven_lost() -> None:
    """Of every such choice: the legal moves, and which of the others were proven lost by then."""
    seen = dict.fromkeys(("the only move.", "the only move not yet proven lost."), 0)
    for env in (read_position("tictactoe", "x1o/1x1/2o x"), make_game("reversi-4")):
        trace = trace_search(env, MCTSSolver(300, seed=3, tactics=False))
        nodes, proven = trace.data["nodes"], dict[int, float]()
        for fields, told in zip(trace.data["simulations"], tell_steps(trace, 0, 300), strict=True):
            one = Simulation(*fields)
            position = env.copy()
            for place, (above, below) in enumerate(zip(one.path, one.path[1:], strict=False)):
                for words in seen:
                    if told[place].startswith("Select") and told[place].endswith(words):
                        seen[words] += 1
                        legal = position.get_legal_moves()
                        sign = 1 if nodes["side"][above] == "X" else -1
                        lost = [
                            child
                            for child, parent in enumerate(nodes["parent"])
                            if parent == above and child != below and proven.get(child) == -sign
                        ]
                        assert len(lost) == len(legal) - 1
                        assert (len(legal) == 1) == (words == "the only move.")
                position.step(nodes["move"][below])
            proven.update((int(node), value) for node, value in one.proven)
    assert min(seen.values()) > 10


def test_the_only_move_that_tactics_leave_is_not_called_the_only_move() -> None:
    env = read_position("tictactoe", "xx1/o2/2o o")
    assert len(env.get_legal_moves()) > 1
    told = tell_steps(trace_search(env, MCTSSolver(20, seed=1)), 0, 20)
    only = [text for steps in told for text in steps if "Select: O takes c1, the only" in text]
    assert only
    assert set(only) == {"Select: O takes c1, the only move that the tactics leave."}


def test_the_end_of_a_tree_search_names_at_most_eight_moves() -> None:
    few = tell_ends(trace_search(read_position("tictactoe", "x1o/1x1/2o x"), MCTSSolver(30)))
    assert "more" not in few[1]
    many = trace_search(make_game("tictactoe"), MCTSSolver(200, seed=1, tactics=False))
    start, end = tell_ends(many)
    assert start.endswith("200 simulations, c = 1.41.")
    named = re.search(r"Visits: (.*) and 1 more\.$", end)
    assert named
    shown = [int(move.split()[1]) for move in named[1].split(", ")]
    assert shown == sorted(many.answer["visits"].values(), reverse=True)[:8]
    one = trace_search(make_game("tictactoe"), MCTSSolver(1, seed=1, tactics=False))
    assert ": 1 simulation, c" in tell_ends(one)[0]


def test_a_move_that_is_not_the_most_visited_one_is_explained_by_the_rule() -> None:
    engine = AlphaZeroEngine(num_simulations=16, seed=1, backend="numpy", tactics=False)
    trace = trace_search(read_position("tictactoe", "b2"), engine)
    visits = {int(move): count for move, count in trace.answer["visits"].items()}
    most = max(visits.values())
    assert most / 4 <= visits[trace.answer["move"]] < most
    _, end = tell_ends(trace)
    assert "which has the best mean of all moves with at least a quarter of the visits of" in end
