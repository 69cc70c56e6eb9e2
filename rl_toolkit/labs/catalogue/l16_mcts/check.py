"""Checks of the MCTS lab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import e, inf, log, sqrt
from random import Random
from typing import Any

from rl_toolkit.labs.checking import Answer, Check, LabBoard, Other, after, probe, side, signed
from rl_toolkit.labs.checking.session import ENDING
from rl_toolkit.labs.truth import tictactoe as truth
from rl_toolkit.utils import counted

#: A child of a tree that a check builds: [move, total, visits, children].
Child = list[Any]

TTT, C4 = "TicTacToe", "ConnectFour"
NAMES = {TTT: "tictactoe", C4: "connect-four"}
HAND = [(3.0, 5), (1.0, 2), (2.0, 3)]
#: X on a1, O on c1: the centre has the best average, but a2, a3 and c3 win.
TRAP = [0, 2]
#: Wins in one: game, moves so far, winning move.
WINS = [(TTT, [0, 3, 1, 4], 2), (TTT, [0, 3, 2, 4, 8], 5)]
WINS += [(C4, [6, 2, 6, 3, 6, 4], 6), (C4, [3, 4, 3, 4, 3, 4, 0], 4)]
#: Games that are over, or have one move left: X wins, O wins, draws.
ENDED = [[0, 3, 1, 4, 2], [0, 3, 1, 4, 8, 5], [0, 1, 2, 4, 3, 5, 7, 6, 8]]
NEARLY = [[0, 1, 3, 2, 4, 5, 7, 6], [0, 1, 2, 4, 3, 5, 7, 6]]

#: A root of which nothing is untried, with a grown branch: X on a1, O on b1, X b2, O c3, four left.
LATE = [0, 1, 4, 8]
GROWN: list[Child] = [
    [2, 1.0, 4, [[3, -1.0, 2, []]]],
    [3, -1.0, 3, []],
    [5, 2.0, 6, [[2, 1.0, 2, []], [3, 0.0, 2, []], [6, -2.0, 1, []], [7, 0.5, 1, []]]],
    [6, -2.0, 2, []],
    [7, 0.0, 2, []],
]

#: The visits on the way from a root to a node, all different, and the node's total.
CHAIN, CHAIN_TOTAL = [90, 40, 12, 5], 2.0

#: Children of the same board: the most visits, the highest total and the best mean are different.
SPREAD: list[Child] = [
    [2, -4.0, 12, []],
    [3, 4.5, 9, []],
    [5, 2.4, 3, []],
    [6, 0.0, 4, []],
    [7, -2.0, 2, []],
]

PANELS = {
    1: [
        probe("uct", 10, HAND, 1.41),
        probe("uct", 50, [(0, 0), (10, 40), (-2, 9)], 0.7),
        probe("uct_below", CHAIN, CHAIN_TOTAL, 1.41),
        probe("uct_below", CHAIN, CHAIN_TOTAL, 0.5),
    ],
    2: [probe("select", TTT, LATE, 17, GROWN, c) for c in (0.1, 1.41, 9.0)]
    + [
        probe("select", TTT, LATE, 8, [GROWN[0], GROWN[2]], 1.41),
        probe("select", TTT, [], 0, [], 1.41),
        probe("select", TTT, ENDED[0], 5, [], 1.41),
        probe("select", TTT, LATE, 30, SPREAD, 0.1),
        probe("select", TTT, LATE, 30, SPREAD, 1.41),
    ],
    3: [probe("expand", TTT, [0, 1, 4, 8, 2, 6, 5, 3], 1)],
    4: [probe("playout", TTT, moves, 1, seconds=0.3) for moves in (*ENDED, *NEARLY)],
    5: [
        probe("backup", TTT, moves, [result])
        for moves in ([4], [4, 0], [4, 0, 8])
        for result in (1, -1)
    ],
    6: [
        probe("best", 100, [(30, 60), (0.6, 1), (38, 39)]),
        probe("best", 93, [(10, 60), (20, 30), (3, 3)]),
        probe("best", 93, [(3, 3), (20, 30), (10, 60)]),
    ],
}


# ------------------------------------------------------------------------------ task 1


#: A bonus, from the visits on the way down to a node and c.
Bonus = Callable[[list[int], float], float]


def _scores_like(*bonuses: Bonus) -> Callable[[Sequence[Answer]], bool]:
    """Whether a node below others is scored with one of these bonuses, for two values of c."""
    mean = CHAIN_TOTAL / CHAIN[-1]

    def shows(answers: Sequence[Answer]) -> bool:
        pairs = [(answer.value - mean, answer.call.arguments[2]) for answer in answers[2:]]
        return any(
            all(abs(value - bonus(CHAIN, c)) < 1e-6 for value, c in pairs) for bonus in bonuses
        )

    return shows


def _bonus(place: int = -2, base: float = e, c: float | None = None) -> Bonus:
    """The bonus with the visits of another node, another base, or a c that does not change."""

    def bonus(counts: list[int], given: float) -> float:
        return (c or given) * sqrt(log(counts[place], base) / counts[-1])

    return bonus


WITNESSES: dict[int, dict[str, Callable[[Sequence[Answer]], bool]]] = {
    1: {
        "wrong-parent": _scores_like(_bonus(place=0), _bonus(place=1)),
        "own-count": _scores_like(_bonus(place=-1)),
        "no-root": _scores_like(lambda counts, c: c * log(counts[-2]) / counts[-1]),
        "fixed-c": _scores_like(*(_bonus(c=fixed) for fixed in (1.41, sqrt(2), 1.0, 2.0))),
        "no-bonus": _scores_like(lambda counts, c: 0.0),
        "log-base": _scores_like(_bonus(base=10), _bonus(base=2)),
        "two-under-root": _scores_like(
            lambda counts, c: c * sqrt(2 * log(counts[-2]) / counts[-1])
        ),
        "c-under-root": _scores_like(lambda counts, c: sqrt(c * log(counts[-2]) / counts[-1])),
    }
}


def task_1(check: Check) -> None:
    """The score: by hand, without visits, at random."""
    cases = [(10, HAND, 1.41), (10, [(0.0, 0), *HAND], 1.41)]
    for _ in range(40):
        counts = [check.rng.randint(1, 60) for _ in range(check.rng.randint(1, 7))]
        drawn = [(check.rng.uniform(-n, n), n) for n in counts]
        cases.append((sum(counts) + 1, drawn, round(check.rng.uniform(0.2, 3), 2)))
    answers = check.calls([probe("uct", *case) for case in cases])
    for answer, (parent, children, c) in zip(answers, cases, strict=True):
        for value, (total, visits) in zip(answer.value, children, strict=True):
            shown = f"uct(node, {c}): total {total:.4g}, visits {visits}, parent {parent}"
            _scored(check, answer, value, (total, visits, parent, c), shown)
    for c in (1.41, 0.5):
        answer = check.probe("uct_below", CHAIN, CHAIN_TOTAL, c)
        shown = f"uct(node, {c}) three levels below the root"
        before = f"The visits from the root down to this node are {CHAIN}. "
        node = (CHAIN_TOTAL, CHAIN[-1], CHAIN[-2], c)
        _scored(check, answer, answer.value, node, shown, before)
    check.note("1.557, 2.013 and 1.902 in the example, and 42 more")


def _scored(
    check: Check,
    answer: Answer,
    value: Any,
    node: tuple[float, int, int, float],
    shown: str,
    before: str = "",
) -> None:
    """One score; a node is its total, its visits, those of its parent, and c."""
    right = _uct(*node)
    is_right = isinstance(value, (int, float)) and (value == right or abs(value - right) < 1e-6)
    case = check.case(answer, shown=shown)
    case.require(is_right, before + _uct_sentence(*node), "", _short(value), f"{right:.3f}")


def _uct(total: float, visits: int, parent: int, c: float) -> float:
    return inf if visits == 0 else total / visits + c * sqrt(log(parent) / visits)


def _uct_sentence(total: float, visits: int, parent: int, c: float) -> str:
    if visits == 0:
        return "A node that was never visited must come first: its score is infinite, math.inf."
    mean, bonus = total / visits, c * sqrt(log(parent) / visits)
    return (
        f"The mean is {mean:.3f} and the bonus {c} · √(ln {parent} / {visits}) = {bonus:.3f}; "
        "the score is their sum."
    )


# ------------------------------------------------------------------------------ task 2


def task_2(check: Check) -> None:
    """Where the walk ends, in trees drawn at random."""
    cases: list[tuple[list[int], int, list[Child], float]] = [([], 0, [], 1.41)]
    cases += [(LATE, 17, GROWN, c) for c in (0.1, 1.41, 9.0)]
    for _ in range(30):
        moves = _random_moves(check.rng, check.rng.randint(4, 7))
        visits = check.rng.randint(20, 200)
        children = _random_tree(check.rng, after(moves), visits)
        cases.append((moves, visits, children, check.rng.choice([0.3, 1.41, 3.0])))
    cases.append((ENDED[0], 5, [], 1.41))
    answers = check.calls([probe("select", TTT, *case) for case in cases], may_raise=True)
    for answer, (moves, visits, children, c) in zip(answers, cases, strict=True):
        right = _select(moves, visits, children, c)
        end, error = after([*moves, *right]), answer.error
        if error is not None and end.over and error.kind not in ENDING:
            sentence = f"select stopped with {error.kind} where the game is over."
            shown = "select(root) on a tree with this board below"
            check.fail(answer, sentence, board=end, shown=shown)
        check.refuse_error(answer)
        if answer.value != right:
            sentence = _select_sentence(answer.value, right, moves, visits, children, c)
            shown = f"select(root, {c}) on a tree below this board"
            value, expected = (_path(moves, path) for path in (answer.value, right))
            check.fail(
                answer, sentence, board=after(moves), shown=shown, said=value, right=expected
            )
    check.note(f"{len(cases)} trees, all walks right")


def _select(moves: list[int], visits: int, children: list[Child], c: float) -> list[int]:
    """The right walk, as moves."""
    board, path = after(moves), list[int]()
    while children and len(children) == len(board.moves):
        parent = visits
        move, _, visits, children = max(
            children, key=lambda child: _uct(child[1], child[2], parent, c)
        )
        board = board.play(move)
        path.append(move)
    return path


def _select_sentence(
    value: Any, right: list[int], moves: list[int], visits: int, children: list[Child], c: float
) -> str:
    if not isinstance(value, list):
        return "select must return a node of the tree."
    same = 0
    while same < min(len(value), len(right)) and value[same] == right[same]:
        _, _, visits, children = next(child for child in children if child[0] == value[same])
        same += 1
    node = f"the node after {_path(moves, right[:same])}" if same else "the root"
    board = after([*moves, *right[:same]])
    if same == len(value):
        return f"{node.capitalize()} has no untried moves, so the walk goes on from there."
    if same == len(right):
        if board.over:
            return f"The game is over at {node}: the walk ends there."
        return f"{node.capitalize()} has untried moves, so the walk ends there."
    scores = {child[0]: _uct(child[1], child[2], visits, c) for child in children}
    listed = ", ".join(f"{board.name(move)} {score:.2f}" for move, score in scores.items())
    return f"At {node} the uct scores are {listed}. Go to the highest."


def _random_tree(rng: Random, board: LabBoard, visits: int) -> list[Child]:
    """Children with random counts; sometimes a move is missing, so that the walk must stop."""
    moves = list(board.moves)
    if not moves or visits < 2:
        return []
    if visits < len(moves) or rng.random() < 0.25:
        moves = rng.sample(moves, min(visits - 1, len(moves) - 1))
    children: list[Child] = []
    for move in moves:
        share = max(1, round(visits / len(moves) * rng.uniform(0.3, 1.7)))
        total = rng.uniform(-share, share)
        children.append([move, total, share, _random_tree(rng, board.play(move), share)])
    return children


def _path(moves: list[int], path: Any) -> str:
    if not isinstance(path, list):
        return str(path)
    board = after(moves)
    return " ".join(board.name(move) for move in path) or "the root"


# ------------------------------------------------------------------------------ task 3


def task_3(check: Check) -> None:
    """Children one by one, until nothing is untried."""
    for moves in (TRAP, _random_moves(check.rng, check.rng.randint(0, 6))):
        start = after(moves)
        answer = check.probe("expand", TTT, moves, len(start.moves))
        _expanded(check, answer, start)
    draws = [probe("expand", TTT, TRAP, 1, seed=check.rng.randrange(10**6)) for _ in range(30)]
    firsts = {answer.value[0]["move"] for answer in check.calls(draws)}
    sentence = "In 30 new nodes your expand took the same move first. Take a random one."
    check.require(len(firsts) > 1, None, sentence, board=after(TRAP), shown="expand(node)")
    check.note("every move gets one child")


def _expanded(check: Check, answer: Answer, start: LabBoard) -> None:
    case = check.case(answer, board=start, shown="expand(node)")
    case.require(isinstance(answer.value, list), "expand must return the new node.")
    left = list(start.moves)
    for number, made in enumerate(answer.value, 1):
        move, children, untried = made["move"], made["children"], made["untried"]
        sentence = "The new node does not know its move: pass it on as the third argument of Node."
        case.require(move is not None, sentence, "forgets-move", "move None")
        sentence = (
            f"The move {move} has a child already, or is not legal: it must come from untried."
        )
        mistake = "keeps-move" if move in start.moves else ""
        case.require(move in left, sentence, mistake, f"move {move}")
        left.remove(move)
        name, board = start.name(move), list(start.play(move).cells)
        sentence = f"One call of expand must add one child; after {number} there are {children}."
        value = f"{children} children"
        case.require(children <= number, sentence, "all-at-once", value, number)
        sentence = f"The new node {name} must be in node.children."
        case.require(made["listed"] == 1, sentence, "forgets-child", "not there")
        sentence = f"The parent of the new node {name} must be the node that was expanded."
        case.require(made["parent"], sentence, "forgets-parent", "another parent")
        sentence = f"{name} has a child now, so untried must be what is left: {left}."
        mistake = "keeps-move" if move in untried else ""
        case.require(untried == left, sentence, mistake, untried, left)
        sentence = (
            f"The game of the new node must be the game after {name}, and it has no visits yet."
        )
        is_new = made["board"] == board and made["visits"] == 0
        case.require(is_new, sentence, "", made["board"], board)


# ------------------------------------------------------------------------------ task 4


def task_4(check: Check) -> None:
    """X's result at the end, and the averages of random play."""
    for moves in (*ENDED, *NEARLY):
        board = after(moves)
        right = board.winner if board.over else board.play(board.moves[0]).winner
        assert right is not None
        answer = check.probe("playout", TTT, moves, 1, seconds=0.3)
        sentence = (
            f"This game ends with {signed(right)} for X. playout returns X's result, whoever moves."
        )
        case = check.case(answer, board=board, shown="playout(game)")
        case.require(answer.value == [right], sentence, "", str(answer.value[0]), right)
    times = 1500
    for moves in (TRAP, [4], _random_moves(check.rng, 2), _random_moves(check.rng, 3)):
        seed = check.rng.randrange(10**6)
        answer = check.probe("playout", TTT, moves, times, seed=seed, seconds=4)
        _averages(check, answer, after(moves), times)
    check.probe("playout", C4, [3, 3], 20, seconds=2)
    check.note(f"the averages of {times:,} playouts fit random play")


def _averages(check: Check, answer: Answer, board: LabBoard, times: int) -> None:
    case = check.case(answer, board=board, shown=f"{times:,} times playout(game)")
    stopped = answer.value.count(None)
    sentence = "Some playouts answer None: they stop before the game is over."
    value = f"None in {stopped} of {times:,}"
    case.require(not stopped, sentence, "stops-early", value, "1, 0 or −1")
    wins, losses = _random_play(board.cells, board.mover)
    x_share, o_share = (answer.value.count(result) / times for result in (1, -1))
    value, right = (
        f"X wins {x_share:.0%}, O wins {o_share:.0%}",
        f"about {wins:.0%} and {losses:.0%}",
    )
    sentence = "Every playout from here ends the same way. Choose the moves at random."
    case.require(max(x_share, o_share) < 1, sentence, "first-move", value, right)
    sentence = "If both sides choose every legal move with the same chance, other shares come out."
    fits = max(abs(x_share - wins), abs(o_share - losses)) < 5 * sqrt(0.25 / times)
    case.require(fits, sentence, "", value, right)


@cache
def _random_play(cells: tuple[int, ...], mover: int) -> tuple[float, float]:
    """The probabilities that X and that O win if both move at random."""
    won = truth.result(LabBoard(cells, mover))
    if won:
        return float(won == 1), float(won == -1)
    free = [cell for cell in range(9) if not cells[cell]]
    if not free:
        return 0.0, 0.0
    below = [_random_play((*cells[:i], mover, *cells[i + 1 :]), -mover) for i in free]
    return sum(x for x, _ in below) / len(below), sum(o for _, o in below) / len(below)


# ------------------------------------------------------------------------------ task 5


def task_5(check: Check) -> None:
    """Visits and signs on the way up."""
    paths = [[4], [4, 0], [4, 0, 8], *(_random_moves(check.rng, n) for n in (3, 4, 5))]
    cases = [(path, [result]) for path in paths for result in (1, -1, 0)]
    cases += [(path, [1, 1, -1, 0, 1]) for path in paths]
    answers = check.calls([probe("backup", TTT, *case) for case in cases])
    for answer, (path, results) in zip(answers, cases, strict=True):
        shown = f"backup(node, {results[0]})"
        if len(results) > 1:
            shown = f"backup(node, result) with the results {results}"
        for depth, (visits, total) in enumerate(answer.value):
            board = after(path[:depth])
            case = check.case(answer, board=board, shown=shown)
            node = f"the node after {_path([], path[:depth])}" if depth else "the root"
            came, has = counted(len(results), "result"), counted(len(results), "visit")
            sentence = f"{came} came through {node}, so it has {has}."
            is_right, value = visits == len(results), f"visits {visits}"
            case.require(is_right, sentence, "", value, f"visits {len(results)}")
            if depth == 0:
                continue  # nobody moved into the root: its total is never used
            right = sum(results) * -board.mover
            is_right = isinstance(total, (int, float)) and abs(total - right) < 1e-9
            sentence = (
                f"{side(-board.mover)} moved into {node}. X's {_results(results)}, "
                f"so its total in that player's view is {signed(right)}."
            )
            value = f"total {_short(total)}"
            case.require(is_right, sentence, "", value, f"total {signed(right)}")
    check.note(f"{len(cases)} ways up, all visits and signs right")


def _results(results: list[int]) -> str:
    return f"results are {results}" if len(results) > 1 else f"result is {results[0]}"


# ------------------------------------------------------------------------------ task 6


def task_6(check: Check) -> None:
    """The most visited move, sums, wins in one, the trap, and the same tree for the same seed."""
    _best(check)
    _sums(check)
    for kind, moves, win in WINS:
        _wins_in_one(check, kind, moves, win)
    seeds = [check.rng.randrange(10**6) for _ in range(20)]
    answer = check.probe("search_often", TTT, TRAP, 1000, seeds, seconds=10)
    board = after(TRAP)
    good = sum(move in truth.best_moves(board) for move in answer.value)
    sentence = (
        "X wins here with a2, a3 or c3, and 1,000 simulations should find one of them nearly "
        f"always; yours did in {good} of 20 searches. The centre has the best average of random "
        "games but only draws: does every node keep the view of the player who moved in?"
    )
    case = check.case(board=board, shown="20 searches with 1,000 simulations")
    case.require(good >= 18, sentence, "", f"{good} right", "at least 18 of 20")
    check.note(f"{good} of 20 searches found a winning move after a1 c1")


def _best(check: Check) -> None:
    for _ in range(30):
        counts = check.rng.sample(range(1, 90), check.rng.randint(2, 7))
        children = [(check.rng.uniform(-n, n), n) for n in counts]
        answer = check.probe("best", sum(counts), children)
        value, right = answer.value, counts.index(max(counts))
        case = check.case(answer, shown="best(root)", said=_short(value), right=str(right))
        sentence = "best returns the child itself. Its move is wanted."
        case.require(not isinstance(value, Other), sentence, "returns-the-child")
        sentence = (
            f"The visits of the moves 0, 1, … are {counts}: the most visits has move {right}."
        )
        case.require(value == right, sentence)


def _sums(check: Check) -> None:
    for kind, simulations in ((TTT, 150), (C4, 120)):
        seed = check.rng.randrange(10**6)
        tree = check.probe("search", kind, [], simulations, seed, seconds=4).value
        root, below = tree["visits"], sum(visits for visits, _ in tree["children"].values())
        case = check.case(shown=f"search(game, {simulations})")
        sentence = (
            f"All {simulations} simulations come through the root, and each through one child."
        )
        is_right = root == below == simulations
        value = f"{root} visits of the root, {below} of its children"
        case.require(is_right, sentence, "", value, f"{simulations} and {simulations}")
        sentence = "Every simulation adds one node, as long as there are moves to try."
        nodes, expected = tree["nodes"], simulations + 1
        case.require(nodes == expected, sentence, "", f"{nodes} nodes", f"{expected} nodes")
        again = check.probe("search", kind, [], simulations, seed, seconds=4).value
        sentence = "The same seed must give the same tree."
        value, right = "two different trees", "the same tree twice"
        case.require(again == tree, sentence, "own-generator", value, right)


def _wins_in_one(check: Check, kind: str, moves: list[int], win: int) -> None:
    answer = check.probe("search", kind, moves, 1000, check.rng.randrange(10**6), seconds=6)
    visits = answer.value["children"].get(win, [0])[0]
    board = after(moves, NAMES[kind])
    name = board.env().move_name(win)
    sentence = (
        f"{side(board.mover)} wins at once with {name}, but few of the 1,000 simulations go there."
    )
    case = check.case(board=board, shown="search(game, 1000)")
    case.require(visits > 800, sentence, "", f"{visits} visits of {name}", "more than 800")


# ------------------------------------------------------------------------------ helpers


def _random_moves(rng: Random, count: int) -> list[int]:
    """A game of Tic-Tac-Toe that is still running after ``count`` moves."""
    while True:
        moves = rng.sample(range(9), count)
        board = after([])
        for move in moves:
            if board.over:
                break
            board = board.play(move)
        if not board.over:
            return moves


def _short(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else repr(value)
