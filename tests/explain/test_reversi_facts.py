"""What is said of a move in Reversi: every clause checked by hand, and no clause unchecked."""

import math
import re

import pytest
from explain_positions import random_positions
from reversi_by_hand import ever_turned, placements, regions, won_at_once

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.reversi.engine import ReversiEngine
from rl_toolkit.algorithms.reversi.reference import reference_scores
from rl_toolkit.algorithms.reversi.solver import ReversiSolver
from rl_toolkit.algorithms.simple import GreedyEngine
from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.envs import make_game
from rl_toolkit.explain import explain, explain_move, facts_of
from rl_toolkit.explain.facts import AllowsWin, EndsGame, MissesWin
from rl_toolkit.explain.reversi.facts import (
    LATE,
    DeniesCorner,
    GivesCorner,
    LeavesCorner,
    LeavesNoMove,
    Mobility,
    MustPass,
    NextToCorner,
    Parity,
    Secures,
    TakesCorner,
    stable_discs,
)
from rl_toolkit.kernels.jit import kernel, pointer, u64, word_array
from rl_toolkit.kernels.reversi.endgame import Solver
from rl_toolkit.kernels.reversi.stability import stable_discs as stable_words
from rl_toolkit.records import position_to_text
from rl_toolkit.utils.position_utils import algebraic_to_index


@kernel(u64(u64, u64, word_array))
def compiled_stable(mine, theirs, block):
    return stable_words(mine, theirs, pointer(block))


def corners(side):
    return {0, side - 1, side * side - side, side * side - 1}


class ByHand:
    """A move as the rules show it when they are written out with loops."""

    def __init__(self, env, move, scores=None):
        self.scores = scores
        self.side, self.player, self.move = env.rows, env.current_player, move
        self.before = env.board.tolist()
        self.is_pass = move == self.side**2
        own = placements(self.before, self.side, self.player)
        self.after = self.before if self.is_pass else own[move]
        self.replies = set(placements(self.after, self.side, -self.player))
        self.over = not self.replies and not placements(self.after, self.side, self.player)
        could = set(placements(self.before, self.side, -self.player))
        self.could = len(could)
        open_before, open_now = corners(self.side) & could, corners(self.side) & self.replies
        self.given = open_now - open_before
        self.left = open_now & open_before
        self.denied = open_before - open_now - {move}
        self.sizes = sorted(map(len, regions(self.after, self.side)))
        self.entered = next((len(r) for r in regions(self.before, self.side) if move in r), 0)

    def beside(self):
        """The empty corner beside the move, with the name of such a square."""
        row, col = divmod(self.move, self.side)
        for corner in corners(self.side):
            steps = sorted((abs(row - corner // self.side), abs(col - corner % self.side)))
            if not self.is_pass and not self.after[corner] and steps in ([0, 1], [1, 1]):
                return "X" if steps == [1, 1] else "C", corner
        return None

    def fills_last(self):
        """Whether the mover fills the last square when turns alternate, after a forced pass."""
        turn = self.player if not self.replies else -self.player
        for _ in range(sum(self.sizes) - 1):
            turn = -turn
        return turn == self.player


def names(env, text):
    """The squares listed in ``text``."""
    return {algebraic_to_index(name, env.rows) for name in re.findall(r"[a-h][1-8]", text)}


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("reversi-4", 40),
        ("reversi-6", 20),
        ("reversi", 15),
        *(pytest.param(name, 300, marks=pytest.mark.full) for name in ("reversi-4", "reversi-6")),
        pytest.param("reversi", 200, marks=pytest.mark.full),
    ],
)
def test_facts_are_exactly_those_of_the_naive_rules(name, count):
    kinds_seen = set()
    for env in random_positions(name, count):
        own, board = env.current_player, env.board.tolist()
        for move in env.get_legal_moves():
            hand, facts = ByHand(env, move), facts_of(env, move)
            kinds_seen |= {type(fact) for fact in facts}
            if hand.over:
                discs = hand.after.count(own), hand.after.count(-own)
                outcome = (
                    "win" if discs[0] > discs[1] else "loss" if discs[0] < discs[1] else "draw"
                )
                assert facts == (EndsGame(outcome, None, discs),)
                continue
            expected = {
                MissesWin: won_at_once(board, env.rows, own),
                MustPass: hand.is_pass,
                TakesCorner: {move} & corners(env.rows),
                GivesCorner: hand.given,
                LeavesCorner: hand.left,
                DeniesCorner: hand.denied,
                NextToCorner: hand.beside(),
                LeavesNoMove: not hand.replies,
                Mobility: (hand.replies, hand.could) if hand.replies and not hand.is_pass else None,
                Parity: (hand.sizes, hand.entered) if sum(hand.sizes) <= LATE else None,
                AllowsWin: won_at_once(hand.after, env.rows, -own),
            }
            told = {type(fact): contents(fact) for fact in facts if not isinstance(fact, Secures)}
            assert told == {kind: what for kind, what in expected.items() if what}
    assert kinds_seen >= {GivesCorner, NextToCorner, Mobility, Parity, Secures}
    assert count < 40 or kinds_seen >= {TakesCorner, LeavesCorner, DeniesCorner, LeavesNoMove}
    assert count < 200 or MustPass in kinds_seen


def contents(fact):
    match fact:
        case TakesCorner(cell):
            return {cell}
        case GivesCorner(cells) | LeavesCorner(cells) | DeniesCorner(cells):
            return set(cells)
        case NextToCorner(_, corner, kind):
            return kind, corner
        case Mobility(cells, before):
            return set(cells), before
        case Parity(sizes, entered):
            return list(sizes), entered
        case MissesWin(wins) | AllowsWin(wins):
            return {win.cell for win in wins}
    return True


def test_secured_discs_are_never_turned_however_the_game_goes_on():
    seen, secured = {}, 0
    for env in random_positions("reversi-4", 60, least=6):
        for move in env.get_legal_moves():
            hand = ByHand(env, move)
            for fact in facts_of(env, move):
                if isinstance(fact, Secures):
                    turned = ever_turned(hand.after, 4, -hand.player, seen)
                    assert not turned & set(fact.cells)
                    assert all(hand.after[cell] == hand.player for cell in fact.cells)
                    secured += len(fact.cells)
    assert secured > 100


@pytest.mark.parametrize("size", [4, 6, 8])
def test_stable_discs_are_those_that_the_compiled_rules_find(size):
    block, found = Solver(size, 1).block, 0
    rules = compiled_rules_for(make_game(f"reversi-{size}"))
    for env in random_positions(f"reversi-{size}", 60):
        bits = int(compiled_stable(*rules.encode(env.board, 1)[:2], block))
        words = {cell for cell, bit in enumerate(rules.cell_bits) if bits >> bit & 1}
        assert stable_discs(env, 1) == words
        found += len(words)
    assert found > 50


# --- sentences: each clause is recognised, checked, and taken away; nothing may be left ----------


def is_margin(env, hand, who, lead, most, least):
    score = int(lead) * (1 if who == "mover" else -1)
    count = (int(most) - int(least), int(most) + int(least))
    return score == hand.scores[hand.move] != 0 and count == (abs(score), env.rows**2)


def is_worse_than(env, hand, discs, name):
    best = hand.scores[env.parse_move(name)]
    return best == max(hand.scores.values()) and best - hand.scores[hand.move] == int(discs) > 0


def is_secured(env, hand, discs):
    # That these stay was tested above, for this and for all positions.
    return int(discs) == sum(
        len(fact.cells) for fact in facts_of(env, hand.move) if isinstance(fact, Secures)
    )


def is_beside(env, hand, kind, cell, corner):
    return names(env, cell) == {hand.move} and hand.beside() == (kind, *names(env, corner))


SQUARES = r"((?:[a-h][1-8](?:, | and )?)+)"
CLAUSES = {
    r"must pass": lambda e, h: h.is_pass,
    r"takes the corner (\w+)": lambda e, h, at: names(e, at) == {h.move} & corners(h.side),
    r"gives the opponent the corners? " + SQUARES: lambda e, h, at: names(e, at) == h.given,
    rf"(?:still )?leaves the corners? {SQUARES} open": lambda e, h, at: names(e, at) == h.left,
    r"denies the opponent the corners? " + SQUARES: lambda e, h, at: names(e, at) == h.denied,
    r"plays the ([XC])-square (\w+) next to the empty corner (\w+)": is_beside,
    r"forces the opponent to pass": lambda e, h: not h.replies,
    r"leaves the opponent only (\w+)": lambda e, h, at: names(e, at) == h.replies,
    r"leaves the opponent (\d+) moves?": lambda e, h, n: int(n) == len(h.replies),
    r"(cuts|raises) the opponent's moves from (\d+) to (\d+)": lambda e, h, how, a, b: (
        (int(a), int(b)) == (h.could, len(h.replies)) and (how == "cuts") == (int(b) < int(a))
    ),
    r"stays in line for the last square \((\d+) left\)": lambda e, h, n: (
        sum(h.sizes) == int(n) and h.fills_last()
    ),
    r"leaves the opponent in line for the last square \((\d+) left\)": lambda e, h, n: (
        sum(h.sizes) == int(n) and not h.fills_last()
    ),
    r"leaves only even regions \(([\d, and]+)\)": lambda e, h, sizes: (
        [int(n) for n in re.findall(r"\d+", sizes)] == h.sizes
        and not any(size % 2 for size in h.sizes)
    ),
    r"(\d+)–(\d+) with the empty squares": lambda e, h, own, enemy: (
        h.over and 0 in h.after and int(own) - int(enemy) == h.scores[h.move]
    ),
    r"the (mover|opponent) wins by (\d+) discs? \((\d+)–(\d+)\)": is_margin,
    r"a draw with best play": lambda e, h: h.scores[h.move] == 0,
    r"(\d+) discs? worse than (\w+)": is_worse_than,
    r"secures (\d+) discs? for good": is_secured,
    r"opens an even region of (\d+)": lambda e, h, n: int(n) == h.entered and int(n) % 2 == 0,
    r"ends the game and (wins|loses|draws) (\d+) to (\d+)": lambda e, h, how, own, enemy: (
        h.over
        and (int(own), int(enemy)) == (h.after.count(h.player), h.after.count(-h.player))
        and how == ("wins" if int(own) > int(enemy) else "loses" if own != enemy else "draws")
    ),
}


def anonymous(env, sentence):
    """The sentence with "the mover" and "the opponent" for the names of the colours."""
    mover, opponent = env.traits.pieces[:: env.current_player]
    return sentence.replace(opponent, "the opponent").replace(mover, "the mover")


def unchecked(env, hand, sentence):
    """What is left of a sentence when all that is true and known has been taken away."""
    sentence = anonymous(env, sentence)
    rest = sentence[0].lower() + sentence[1:].rstrip(".")
    for words, holds in CLAUSES.items():
        for found in list(re.finditer(rf"{words}(?=$|;|, | and )", rest)):
            assert holds(env, hand, *found.groups()), (env.board_2d, sentence, found[0])
            rest = rest.replace(found[0], "", 1)
    return re.sub(r", but |, | and |;", "", rest).strip()


@pytest.mark.parametrize(
    ("name", "count", "least"),
    [
        ("reversi-4", 40, 6),
        ("reversi-6", 6, 26),
        ("reversi", 10, 55),
        pytest.param("reversi-4", 400, 4, marks=pytest.mark.full),
        pytest.param("reversi-6", 100, 25, marks=pytest.mark.full),
        pytest.param("reversi", 100, 53, marks=pytest.mark.full),
    ],
)
def test_every_clause_of_an_exact_analysis_is_true(name, count, least):
    engine, clauses_seen = ReversiSolver(), set()
    for env in random_positions(name, count, least=least):
        scores = reference_scores(env)
        for candidate in explain(env, engine.analyse(env)).candidates:
            hand = ByHand(env, candidate.move, scores)
            assert unchecked(env, hand, candidate.note) == "", candidate.note
            best = max(scores.values()) == scores[candidate.move]
            assert best == ("worse than" not in candidate.note)
            note = anonymous(env, candidate.note)
            decided = re.search(r"with best play|the (mover|opponent) wins by", note)
            assert bool(decided) != hand.over
            clauses_seen |= {words for words in CLAUSES if re.search(words, note, re.IGNORECASE)}
    unseen = set(CLAUSES) - clauses_seen
    assert not unseen or count < 400, unseen


BY_VALUE = [
    "probably losing",
    "clearly worse",
    "slightly worse",
    "about even",
    "slightly better",
    "clearly better",
    "probably winning",
]


def test_estimates_are_given_in_discs_and_as_estimates():
    engine = ReversiEngine(every_move=True)
    for env in random_positions("reversi", 8):
        analysis = explain(env, engine.analyse(env, Limit(depth=2)))
        ranks = []
        for candidate in analysis.candidates:
            assert "best play" not in candidate.note or candidate.proven
            if "≈" not in candidate.note:
                continue
            words, number, side = re.search(
                r"(?:^|; )([\w ]+) \(the mover ≈ (?:(\d+) discs? (ahead|behind)|level)\)\.$",
                anonymous(env, candidate.note),
            ).groups()
            lead = int(number or 0) * (1 if side == "ahead" else -1)
            assert abs(lead - candidate.score) <= 0.5
            ranks.append(BY_VALUE.index(words.lower()))
        assert ranks == sorted(ranks, reverse=True)  # a better move never looks worse


def test_sentences_by_example():
    env = make_game("reversi")
    first = Candidate(19, "d3", 0.1, score=1.4)
    assert explain_move(env, first) == (
        "Leaves White 3 moves; slightly better (Black ≈ 1 disc ahead)."
    )
    proven = Candidate(19, "d3", 0.0, "draw", True, score=0.0)
    assert explain_move(env, proven) == "Leaves White 3 moves; a draw with best play."
    bounded = Candidate(19, "d3", -0.2, score=-2.4, score_bound="upper")
    assert explain_move(env, bounded) == (
        "Leaves White 3 moves; slightly worse (Black ≈ at least 2 discs behind)."
    )
    lost = Candidate(19, "d3", -1.0, "loss", True, score=-4, score_bound="upper")
    assert explain_move(env, lost) == ("Leaves White 3 moves; White wins by at least 4 discs.")
    worse = Candidate(26, "c4", -1.0, "loss", True, score=-6.0)
    analysis = Analysis(env.name, position_to_text(env), 1, "exact", (proven, worse))
    assert explain(env, analysis).candidates[1].note == (
        "Leaves White 3 moves; White wins by 6 discs (35–29), 6 discs worse than d3."
    )


@pytest.mark.parametrize(
    ("score", "bound", "words"),
    [
        (3.0, "lower", "at least 3 discs ahead"),
        (1.04, "upper", "at most 2 discs ahead"),
        (-1.6, "lower", "at most 2 discs behind"),
        (-1.6, "upper", "at least 1 disc behind"),
        (0.04, "lower", "level at worst"),
        (-0.04, "upper", "level at best"),
    ],
)
def test_the_words_for_an_estimated_bound(score, bound, words):
    candidate = Candidate(19, "d3", 0.0, score=score, score_bound=bound)
    assert explain_move(make_game("reversi"), candidate) == (
        f"Leaves White 3 moves; about even (Black ≈ {words})."
    )


def test_a_bound_is_given_where_the_score_is_not_known():
    (early,), (late,) = (random_positions("reversi", 1, least=least) for least in (20, 46))
    analysed = [(early, ReversiEngine(selective=False).analyse(early, Limit(depth=6)))]
    ReversiSolver().analyse(late, on_progress=lambda known: analysed.append((late, known)))
    bounds = {True: 0, False: 0}
    for env, analysis in analysed:
        explained = explain(env, analysis)
        for candidate in analysis.candidates:
            if candidate.score_bound != "exact":
                lower = candidate.score_bound == "lower"
                word = abs(math.floor(candidate.score) if lower else math.ceil(candidate.score))
                # An upper bound below zero is a least margin for the opponent.
                least = (candidate.score > 0) == (candidate.score_bound == "lower")
                words = rf"at {'least' if least else 'most'} {word} discs?\b|level at (best|worst)"
                assert re.search(words, explained.candidate(candidate.move).note)
                bounds[candidate.proven] += 1
    assert min(bounds.values()) > 2


OUTCOMES = {
    "win": r"the mover wins\b|ends the game and wins",
    "draw": r"\bdraws\b|a draw with best play",
    "loss": r"\bloses\b|the opponent wins|lets the opponent win\b",
}


@pytest.mark.parametrize("count", [12, pytest.param(150, marks=pytest.mark.full)])
def test_words_never_contradict_the_analysis(count):
    engines = [
        (ReversiSolver(), Limit(nodes=300)),
        (ReversiEngine(), Limit(nodes=2_000)),
        (ReversiEngine(every_move=True), Limit(depth=3)),
        (GreedyEngine(), None),
    ]
    told = {True: 0, False: 0}
    for number, env in enumerate(random_positions("reversi-6", count, least=18)):
        engine, limit = engines[number % len(engines)]
        for candidate in explain(env, engine.analyse(env, limit)).candidates:
            note = anonymous(env, candidate.note).lower()
            said = {outcome for outcome, words in OUTCOMES.items() if re.search(words, note)}
            if candidate.proven:
                assert said == {candidate.outcome}, (env.board_2d, candidate)
                assert "≈" not in note
            else:  # the board may show the end where the engine does not
                assert len(said) == 1 - ("≈" in note), (env.board_2d, candidate)
            told[candidate.proven] += 1
    assert min(told.values()) > count / 2
