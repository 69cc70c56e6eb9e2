"""Every claim about a move is true: checked against naive rules and exhaustive solving."""

import random
import re

import numpy as np
import pytest

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import GreedyEngine, RandomEngine
from rl_toolkit.analysis import Analysis, Candidate, Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.explain import (
    assessment,
    explain,
    explain_move,
    exploration,
    facts_of,
    format_outcome,
    verdict_of,
)
from rl_toolkit.explain.facts import (
    AllowsWin,
    Blocks,
    EndsGame,
    GivesCorner,
    LeavesNoMove,
    MissesWin,
    TakesCorner,
    Threatens,
)
from rl_toolkit.explain.verdicts import Estimate, NoOpinion, Proven
from rl_toolkit.records import position_from_text
from rl_toolkit.testing.scene import view
from rl_toolkit.utils.position_utils import algebraic_to_index

# Small enough to be solved to the end from the first position looked at: plies played by then.
SMALL_GAMES = {
    "tictactoe": 0,
    "tictactoe-3x4x3": 4,
    "connect-four-4x4x4": 6,
    "reversi-4": 0,
}
# Games with how many positions of them are looked at; the naive rules are slow on large boards.
LINE_GAMES = {
    "tictactoe": 60,
    "tictactoe-3x4x3": 60,
    "connect-four-4x4x4": 60,
    "connect-four": 25,
    "gomoku-9x9x4": 7,
    "gomoku-9x9x4-standard": 7,
}


def random_positions(name, count, least=0):
    """Positions of random games that are not over, at least so many plies old."""
    rng, found = random.Random(name), []
    while len(found) < count:
        env = make_game(name)
        env.reset(first_player=rng.choice((1, -1)) if "reversi" not in name else 1)
        target = rng.randrange(least, env.rows * env.cols)
        while env.move_count < target and not env.is_terminal():
            env.step(rng.choice(env.get_legal_moves()))
        if not env.is_terminal():
            found.append(env)
    return found


def crowded_positions(name, count):
    """Positions of games on a large board whose stones lie together, so that lines come about."""
    rng, found = random.Random(name), []
    while len(found) < count:
        env = make_game(name)
        near = [m for m in range(env.num_moves) if env.cols < 9 or (m % 9 < 6 and m // 9 < 3)]
        for _ in range(rng.randrange(8, 18)):
            moves = [move for move in env.get_legal_moves() if move in near]
            if moves:
                env.step(rng.choice(moves))
        if not env.is_terminal():
            found.append(env)
    return found


# --- facts of line games, against the rules written out naively ----------------------------------


class NaiveLines:
    """A line game as a list of cells, with nothing but loops."""

    def __init__(self, env):
        self.rows, self.cols, self.k = env.rows, env.cols, env.win_length
        self.gravity = "connect" in env.name
        self.exactly = env.exactly

    def landing(self, board, move):
        if not self.gravity:
            return move
        return next(
            r * self.cols + move for r in range(self.rows) if not board[r * self.cols + move]
        )

    def moves(self, board):
        if not self.gravity:
            return [cell for cell, piece in enumerate(board) if not piece]
        return [col for col in range(self.cols) if not board[(self.rows - 1) * self.cols + col]]

    def played(self, board, move, player):
        after = list(board)
        after[self.landing(board, move)] = player
        return after

    def has_line(self, board, player):
        for row in range(self.rows):
            for col in range(self.cols):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    length = self.reach(board, row, col, dr, dc, player)
                    starts = self.piece(board, row - dr, col - dc) != player
                    if starts and (length == self.k or (length > self.k and not self.exactly)):
                        return True
        return False

    def piece(self, board, row, col):
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return board[row * self.cols + col] if inside else None

    def reach(self, board, row, col, dr, dc, player):
        length = 0
        while self.piece(board, row + length * dr, col + length * dc) == player:
            length += 1
        return length

    def winning_cells(self, board, player):
        return {
            self.landing(board, move)
            for move in self.moves(board)
            if self.has_line(self.played(board, move, player), player)
        }


def cells_by_kind(facts):
    return {type(fact): {win.cell for win in fact.wins} for fact in facts}


@pytest.mark.parametrize("name", LINE_GAMES)
def test_facts_of_line_games_are_exactly_those_of_the_naive_rules(name):
    drawn_from = random_positions if name in SMALL_GAMES else crowded_positions
    positions = drawn_from(name, LINE_GAMES[name])
    rng, kinds_seen = random.Random(1), set()
    for env in positions:
        naive, board, player = NaiveLines(env), env.board.tolist(), env.current_player
        own, enemy = (naive.winning_cells(board, side) for side in (player, -player))
        moves = env.get_legal_moves()
        if len(moves) > 20:
            moves = [*rng.sample(moves, 5), *own, *enemy]
        for move in moves:
            facts = facts_of(env, move)
            after = naive.played(board, move, player)
            if naive.has_line(after, player) or 0 not in after:
                (end,) = facts
                assert isinstance(end, EndsGame)
                assert end.outcome == ("win" if naive.has_line(after, player) else "draw")
                assert (end.line is not None) == (end.outcome == "win")
                if end.line:
                    only_the_line = [player if i in end.line else 0 for i in range(len(after))]
                    assert all(after[cell] == player for cell in end.line)
                    assert naive.landing(board, move) in end.line
                    assert naive.has_line(only_the_line, player)
                kinds_seen.add((EndsGame, end.outcome))
                continue
            replies, threats = (naive.winning_cells(after, side) for side in (-player, player))
            expected = {
                MissesWin: own,
                Blocks: enemy - replies,
                Threatens: threats if threats - own else set(),
                AllowsWin: replies,
            }
            assert cells_by_kind(facts) == {
                kind: cells for kind, cells in expected.items() if cells
            }
            kinds_seen |= {type(fact) for fact in facts}
    assert {MissesWin, Blocks, Threatens, AllowsWin, (EndsGame, "win")} <= kinds_seen


def test_the_two_wins_of_one_column_are_told_apart():
    # X holds a2 b2 c2 and a3 b3 c3; column d is filled up to row 1. O plays on d2.
    env = make_game("connect-four")
    env.board = np.array(
        [[-1, 1, -1, -1, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0]] + [[0] * 7] * 3
    ).ravel()
    env.current_player = -1
    facts = cells_by_kind(facts_of(env, env.parse_move("d2")))
    assert facts[Blocks] == {cell_named("d2")}
    assert facts[AllowsWin] == {cell_named("d3"), cell_named("b4")}


def cell_named(square):
    return algebraic_to_index(square, (6, 7))


# --- facts of Reversi ----------------------------------------------------------------------------


def naive_placements(board, side, player):
    """Where ``player`` can place, and the board afterwards, by walking in all eight directions."""
    found = {}
    for row in range(side):
        for col in range(side):
            if board[row * side + col]:
                continue
            flips = []
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    r, c, run = row + dr, col + dc, []
                    while 0 <= r < side and 0 <= c < side and board[r * side + c] == -player:
                        run.append(r * side + c)
                        r, c = r + dr, c + dc
                    if 0 <= r < side and 0 <= c < side and board[r * side + c] == player:
                        flips += run
            if flips:
                after = list(board)
                for cell in [row * side + col, *flips]:
                    after[cell] = player
                found[row * side + col] = after
    return found


def test_facts_of_reversi_are_exactly_those_of_the_naive_rules():
    kinds_seen = set()
    for env in random_positions("reversi-4", 60) + random_positions("reversi-6", 30):
        side, player, board = env.rows, env.current_player, env.board.tolist()
        corners = {0, side - 1, side * side - side, side * side - 1}
        placements = naive_placements(board, side, player)
        enemy_corners = corners & naive_placements(board, side, -player).keys()
        for move in env.get_legal_moves():
            after = board if move == side * side else placements[move]
            replies = naive_placements(after, side, -player)
            facts = facts_of(env, move)
            kinds_seen |= {type(fact) for fact in facts}
            if not replies and not naive_placements(after, side, player):
                own, enemy = after.count(player), after.count(-player)
                outcome = "win" if own > enemy else "loss" if own < enemy else "draw"
                assert facts == (EndsGame(outcome, None, (own, enemy)),)
                continue
            expected = set()
            wins = won_at_once(board, placements, side, player)
            if wins:
                expected.add((MissesWin, wins))
            if move in corners:
                expected.add((TakesCorner, frozenset([move])))
            if not replies:
                expected.add((LeavesNoMove, frozenset()))
            if given := (corners & replies.keys()) - enemy_corners:
                expected.add((GivesCorner, frozenset(given)))
            if lost := won_at_once(after, replies, side, -player):
                expected.add((AllowsWin, lost))
            assert {(type(fact), reversi_cells(fact)) for fact in facts} == expected
    assert {MissesWin, TakesCorner, LeavesNoMove, GivesCorner, AllowsWin, EndsGame} <= kinds_seen


def won_at_once(board, placements, side, player):
    return frozenset(
        move
        for move, after in placements.items()
        if not naive_placements(after, side, player)
        and not naive_placements(after, side, -player)
        and after.count(player) > after.count(-player)
    )


def reversi_cells(fact):
    match fact:
        case TakesCorner(cell):
            return frozenset([cell])
        case GivesCorner(cells):
            return frozenset(cells)
        case LeavesNoMove():
            return frozenset()
    return frozenset(win.cell for win in fact.wins)


# --- verdicts and sentences, against exhaustive solving ------------------------------------------


class Solver:
    """Every position below solved to the end, the plain way: value and plies with best play."""

    def __init__(self):
        self.known = {}

    def solve(self, env):
        key = env.get_state_hash()
        if key not in self.known:
            if env.is_terminal():
                raise AssertionError("only asked of positions with a move")
            self.known[key] = max((self.of_move(env, m) for m in env.get_legal_moves()), key=rank)
        return self.known[key]

    def of_move(self, env, move):
        """Value for the side to move, and plies to the end, this move included."""
        player = env.current_player
        env.step(move)
        if env.is_terminal():
            answer = env.get_result(player), 1
        else:
            value, plies = self.solve(env)
            answer = -value, plies + 1
        env.undo()
        return answer


def rank(answer):
    """Sooner is better for a win, later for a loss."""
    value, plies = answer
    return value, -value * plies


SOLVERS = {name: Solver() for name in SMALL_GAMES}
TO_THE_END = Limit(depth=40)
ENGINES = {
    "greedy": (GreedyEngine(), None),
    "strong": (MinimaxSolver.strong(compiled=False), TO_THE_END),
    "shallow": (MinimaxSolver.strong(compiled=False), Limit(depth=3)),
    "mcts": (MCTSSolver(seed=1, compiled=False), Limit(simulations=150)),
    "textbook": (MinimaxSolver(compiled=False), TO_THE_END),
}
CLAIMS = {
    r"and wins\b": lambda value, plies, n: value == 1 and plies == 1,
    r"ends the game and draws": lambda value, plies, n: value == 0 and plies == 1,
    r"ends the game and loses": lambda value, plies, n: value == -1 and plies == 1,
    r"lets the opponent win at once": lambda value, plies, n: value == -1 and plies == 2,
    r"best play draws": lambda value, plies, n: value == 0,
    r"(?<!can )forces? a win in (\d+) moves?": lambda value, plies, n: (
        value == 1 and (plies + 1) // 2 == n
    ),
    r"opponent can force a win in (\d+) moves?": lambda value, plies, n: (
        value == -1 and plies // 2 == n
    ),
    r"(?<!can )forces? a win(?! in)": lambda value, plies, n: value == 1,
    r"opponent can force a win(?! in)": lambda value, plies, n: value == -1,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_whatever_is_said_of_the_outcome_is_true(name, engine):
    solver, (thinker, limit) = SOLVERS[name], ENGINES[engine]
    proofs = 0
    for env in random_positions(name, 25, least=SMALL_GAMES[name]):
        for candidate in explain(env, thinker.analyse(env, limit)).candidates:
            value, plies = solver.of_move(env, candidate.move)
            sentence = candidate.note.lower()
            claims = [(re.search(words, sentence), holds) for words, holds in CLAIMS.items()]
            claims = [(found, holds) for found, holds in claims if found]
            for found, holds in claims:
                number = int(found[1]) if found.groups() else None
                assert holds(value, plies, number), (env.board_2d, candidate, value, plies)
            proofs += len(claims)
            # A sentence that claims nothing must say that it does not know.
            assert bool(claims) != bool(re.search(r"estimate|nothing more is known", sentence))
            check_line(solver, env, verdict_of(env, candidate), (value, plies))
    assert proofs > (25 if limit == TO_THE_END else 0)


def check_line(solver, env, verdict, answer):
    """A line shown keeps the outcome claimed at every step, and ends when it says it ends."""
    if not isinstance(verdict, Proven):
        return
    game, player = env.copy(), env.current_player
    for move in verdict.line:
        value, _ = solver.of_move(game, move)
        assert value * game.current_player * player == answer[0]
        game.step(move)
    assert verdict.ends == game.is_terminal()
    if verdict.ends and verdict.moves is not None:
        assert len(verdict.line) == answer[1]


def test_sentences_are_the_same_every_time_and_leave_the_game_alone():
    for name in SMALL_GAMES:
        for env in random_positions(name, 5):
            before = view(env)
            notes = [
                [c.note for c in explain(env, GreedyEngine().analyse(env)).candidates]
                for _ in range(2)
            ]
            assert notes[0] == notes[1]
            assert view(env) == before


def test_explain_changes_nothing_but_the_notes():
    env = position_from_text("tictactoe", "x1o/1x1/2o x")
    analysis = MinimaxSolver.strong().analyse(env, Limit(depth=9))
    explained = explain(env, analysis)
    assert all(candidate.note for candidate in explained.candidates)
    assert [explain_move(env, c) for c in analysis.candidates] == [
        c.note for c in explained.candidates
    ]
    plain = explained.to_dict()
    for entry in plain["candidates"]:
        entry["note"] = None
    assert plain == analysis.to_dict()


def test_an_analysis_of_another_position_is_refused():
    env = make_game("tictactoe")
    analysis = RandomEngine(1).analyse(env)
    env.step(4)
    with pytest.raises(ValueError, match="another position"):
        explain(env, analysis)
    with pytest.raises(ValueError, match="b2 is taken"):
        explain_move(env, Candidate(4, "b2", 0.0))


def test_a_finished_game_has_nothing_to_explain():
    env = position_from_text("tictactoe", "xxx/oo1/3 x")
    analysis = GreedyEngine().analyse(env)
    assert explain(env, analysis) == analysis
    assert isinstance(analysis, Analysis)
    assert analysis.candidates == ()


@pytest.mark.parametrize(
    ("game", "position", "candidate", "sentence"),
    [
        (
            "tictactoe",
            "xx1/oo1/3 x",
            Candidate(2, "c1", 0.0),
            "Completes a1, b1 and c1 and wins.",
        ),
        (
            "tictactoe",
            "xx1/1o1/3 o",
            Candidate(2, "c1", 0.0, "draw", True),
            "Blocks the opponent's win at c1 and threatens to win at a3; "
            "balanced: best play draws.",
        ),
        (
            "tictactoe",
            "x2/1o1/2x o",
            Candidate(2, "c1", -1.0, "loss", True, 4, line=(2, 6, 3, 7)),
            "Threatens to win at a3; the opponent can force a win in 2 moves (c1 a3 a2 b3).",
        ),
        (
            "tictactoe",
            "x1o/3/o2 x",
            Candidate(1, "b1", 0.31, visits=40),
            "Lets the opponent win at once at b2.",
        ),
        (
            "tictactoe",
            "3/3/3 x",
            Candidate(4, "b2", 0.31, visits=40),
            "Looks slightly better, by an estimate of +0.31.",
        ),
        (
            "tictactoe",
            "3/3/3 x",
            Candidate(4, "b2", 0.0),
            "Plays b2; nothing more is known of it.",
        ),
        (
            "connect-four",
            "7/7/7/7/3o3/2xx2o x",
            Candidate(4, "e", 1.0, "win", True, 3, line=(4, 5, 1)),
            "Makes a double threat at b1 and f1; forces a win in 2 moves (e f b).",
        ),
    ],
)
def test_sentences_by_example(game, position, candidate, sentence):
    assert explain_move(position_from_text(game, position), candidate) == sentence


@pytest.mark.parametrize(
    "line",
    [
        (8, 0),  # begins with another move
        (4, 4),  # is not legal
        (4, 0, 1, 2, 5, 3),  # goes on longer than the proof says
        (4, 2, 0, 1),  # still running
    ],
)
def test_a_line_is_shown_only_as_far_as_it_can_be_trusted(line):
    env = make_game("tictactoe")
    claimed = Candidate(4, "b2", 1.0, "win", True, 5, line=line)
    verdict = verdict_of(env, claimed)
    assert verdict == Proven("win", 3, line if line == (4, 2, 0, 1) else (), False)


def test_a_line_that_ends_in_another_outcome_is_not_shown():
    env = make_game("tictactoe")
    to_a_win = (0, 3, 1, 4, 2)
    assert verdict_of(env, Candidate(0, "a1", 1.0, "win", True, line=to_a_win)) == Proven(
        "win", None, to_a_win, True
    )
    assert verdict_of(env, Candidate(0, "a1", 0.0, "draw", True, line=to_a_win)).line == ()


def test_an_outcome_that_is_not_proven_is_an_estimate():
    env = make_game("tictactoe")
    assert verdict_of(env, Candidate(4, "b2", 1.0, "win", False, 5)) == Estimate(1.0)
    assert verdict_of(env, Candidate(4, "b2", 0.0, visits=3)) == Estimate(0.0)
    assert verdict_of(env, Candidate(4, "b2", 0.0)) == NoOpinion()
    sentence = explain_move(env, Candidate(4, "b2", 1.0, "win", False, 5, line=(4, 0)))
    assert sentence == "Looks winning, by an estimate of +1.00."


# --- games of eight methods ----------------------------------------------------------------------


class Sticks(BaseGameEnv):
    """Take one to three sticks (move 0 to 2); who takes the last one wins. No lines, no squares."""

    def __init__(self):
        super().__init__((1, 7))

    def reset(self, first_player=1):
        self.board = np.ones(7)
        self.current_player, self.winner, self.done = first_player, None, False
        return self.board.copy()

    def step(self, move):
        if move not in self.get_legal_moves():
            raise ValueError("there are not so many sticks")
        left = int(self.board.sum()) - move - 1
        self.board = [1] * left + [0] * (7 - left)
        self.done = left == 0
        if self.done:
            self.winner = self.current_player
        else:
            self.current_player = -self.current_player
        info = {"winner": self.winner, "winning_line": None, "move_count": 0, "last_move": None}
        return self.board.copy(), float(self.winner or 0), self.done, info

    def get_legal_moves(self):
        return [] if self.done else list(range(min(3, int(self.board.sum()))))

    def is_terminal(self):
        return self.done

    def check_win(self, player):
        return self.winner == player

    def get_result(self, player):
        return float(self.winner * player)

    def copy(self):
        twin = Sticks()
        twin.board, twin.current_player = self.board, self.current_player
        twin.winner, twin.done = self.winner, self.done
        return twin

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player


class Corner(Sticks):
    """The same game, in which the last stick is said to be a line: a win with a line, no square."""

    def copy(self):
        twin = Corner()
        twin.board, twin.current_player = self.board, self.current_player
        twin.winner, twin.done = self.winner, self.done
        return twin

    def step(self, move):
        board, reward, done, info = super().step(move)
        return board, reward, done, info | {"winning_line": [0, 1] if done else None}


@pytest.mark.parametrize("game", [Sticks, Corner])
def test_a_game_of_eight_methods_is_explained_too(game):
    solver, env = Solver(), game()
    env.reset()
    while not env.is_terminal():
        for thinker in (GreedyEngine(), RandomEngine(3), MinimaxSolver.strong()):
            for candidate in explain(env, thinker.analyse(env)).candidates:
                value, plies = solver.of_move(env, candidate.move)
                said = candidate.note.lower()
                assert said.endswith(".")
                assert ("lets the opponent win at once" in said) == ((value, plies) == (-1, 2))
                assert ("and wins" in said) == ((value, plies) == (1, 1))
        env.step(0)


def test_wins_without_a_square_are_named_by_their_moves():
    env = Sticks()
    env.reset()
    env.step(2)  # four sticks are left
    assert explain_move(env, Candidate(0, "a1", 0.0)) == "Lets the opponent win at once with c1."


# --- the words of the courses --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "distance", "words"),
    [
        (1.0, 1, "Forces immediate win"),
        (1.0, 3, "Forces a win in 2 moves"),
        (0.9, 5, "Forces a win in 3 moves"),
        (0.9, None, "Seems to be winning"),
        (0.89, None, "Creates strong winning threats"),
        (0.5, None, "Creates strong winning threats"),
        (0.49, None, "Slight advantage"),
        (0.1, None, "Slight advantage"),
        (0.09, None, "Balanced position"),
        (-0.09, None, "Balanced position"),
        (-0.1, None, "Slight disadvantage"),
        (-0.49, None, "Slight disadvantage"),
        (-0.5, None, "Defensive necessity"),
        (-0.89, None, "Defensive necessity"),
        (-0.9, None, "Seems to be losing"),
        (-1.0, 2, "Cannot prevent loss in 1 move"),
        (-1.0, 6, "Cannot prevent loss in 3 moves"),
        (-1.0, 1, "Cannot prevent loss"),
        (0.0, 9, "Balanced position: best play draws"),
    ],
)
def test_assessment(value, distance, words):
    assert assessment(value, distance) == words


def test_an_assessment_may_be_proven_without_a_distance_and_estimated_with_one():
    assert assessment(1.0, proven=True) == "Forces a win"
    assert assessment(-1.0, proven=True) == "Cannot prevent loss"
    assert assessment(0.0, proven=True) == "Balanced position: best play draws"
    assert assessment(1.0, 1, proven=False) == "Seems to be winning"


@pytest.mark.parametrize(
    ("visits", "value", "words"),
    [
        (201, 0.31, "heavily explored, strong position"),
        (200, 0.3, "moderately explored, balanced position"),
        (51, -0.29, "moderately explored, balanced position"),
        (50, -0.3, "lightly explored, weak position"),
    ],
)
def test_exploration(visits, value, words):
    assert exploration(visits, value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "✓ AI wins"),
        (0.9, "✓ AI wins"),
        (0.3, "🟢 AI advantage"),
        (0.29, "⚖️ Draw"),
        (0.0, "⚖️ Draw"),
        (-0.29, "⚖️ Draw"),
        (-0.3, "🔴 Human advantage"),
        (-0.9, "❌ Human wins"),
    ],
)
def test_format_outcome(value, words):
    assert format_outcome(value) == words
    assert format_outcome(-value, perspective="human") == words


def test_format_outcome_knows_two_perspectives():
    with pytest.raises(ValueError, match="'ai' or 'human', not 'x'"):
        format_outcome(0.0, perspective="x")
