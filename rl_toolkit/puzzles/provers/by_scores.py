"""Puzzles of games in which every move of a position can be scored exactly.

A score is positive if the move wins, 0 if it draws, negative if it loses; a better move has a
higher one. The rules for nice puzzles that all such games share stand here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable

import numpy as np

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.puzzles.provers.prover import TOO_EARLY, Find, Judged
from rl_toolkit.puzzles.puzzle import WINNING

Scores = dict[int, int]

#: A win must be seen within this many plies, and a wrong move must have lost within `MOST_LOSS`.
MOST_WIN, MOST_LOSS = 11, 10
#: A turn with fewer legal moves is not a thought.
CHOICES = 3
#: Own moves of a line at most, where the answer is not a win.
MOST_HELD = 3


class ByScores(ABC):
    """A `Prover` by exact scores; a subclass knows one game."""

    players: tuple[str, ...] = ("greedy:slips=0.85", "greedy:slips=0.3", "minimax:depth=2")
    glance = "minimax:depth=2"
    opening = 2
    #: Plies of the line of a win at most.
    longest = MOST_WIN
    #: Legal moves of a puzzle at least.
    choices = 4

    @abstractmethod
    def scores(self, env: BaseGameEnv) -> Scores:
        """The exact score of every legal move, for the side to move."""

    @abstractmethod
    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""

    @abstractmethod
    def distance(self, env: BaseGameEnv, score: int) -> int | None:
        """Plies to the end of the game for a move with that score; ``None`` if it does not say."""

    @abstractmethod
    def best_line(self, env: BaseGameEnv) -> tuple[int, ...]:
        """Best play of both sides from here."""

    # --------------------------------------------------------------------------- finding

    def find(self, env: BaseGameEnv) -> Find | str:
        """The puzzle in a position, or why there is none."""
        if self.is_forced(env):
            return "forced"
        reason = self.hopeless(env)
        if reason:
            return reason
        scores = self.scores(env)
        if len(scores) < self.choices:
            return "few choices"
        only = self.only_move(scores)
        if only is None:
            return "several moves are right"
        kind, move = only
        reason = self.pointless(env, kind, scores)
        if reason:
            return reason
        line = self._line(env, kind, move)
        reason = self.too_short(env, kind, line, scores)
        if reason:
            return reason
        if kind == "win" and len(self.wins_at_once(env.after([move]), env.current_player)) > 1:
            kind = "fork"
        return Find(kind, line)

    def hopeless(self, env: BaseGameEnv) -> str:
        """Why the scores of a position cannot make a puzzle, if that is seen without them all."""
        return ""

    def only_move(self, scores: Scores) -> tuple[str, int] | None:
        """Kind and move, if exactly one move is right; ``None`` otherwise."""
        best = max(scores.values())
        kind = "win" if best > 0 else "hold"
        right = [move for move in scores if self.is_right(kind, scores, move)]
        return (kind, right[0]) if best >= 0 and len(right) == 1 and len(scores) > 1 else None

    def is_right(self, kind: str, scores: Scores, move: int) -> bool:
        """Whether a move does what a puzzle of that kind asks for."""
        best = max(scores.values())
        if kind == "discs":
            return scores[move] == best
        if kind in WINNING:
            return scores[move] > 0
        return _sign(scores[move]) == _sign(best)

    def is_forced(self, env: BaseGameEnv) -> bool:
        """Whether a side could win at once: to win, or to block, is not a puzzle."""
        player = env.current_player
        return bool(self.wins_at_once(env, player)) or bool(self.wins_at_once(env, -player))

    def wins_at_once(self, env: BaseGameEnv, player: int) -> list[int]:
        """The moves that complete a row for a player, if it were their turn."""
        return [] if env.is_terminal() else list(env.winning_moves(player))

    def pointless(self, env: BaseGameEnv, kind: str, scores: Scores) -> str:
        """Why nobody could see the point of it; "" if it can be shown."""
        if kind == "win":
            plies = self.distance(env, max(scores.values()))
            return "no end in sight" if plies is not None and plies > MOST_WIN else ""
        losses = [self.distance(env, score) for score in scores.values() if score < 0]
        slowest = max((plies for plies in losses if plies is not None), default=0)
        return "the refutation is too long" if slowest > MOST_LOSS else ""

    def too_short(self, env: BaseGameEnv, kind: str, line: tuple[int, ...], scores: Scores) -> str:
        """Why a line is too short; "" if it is long enough."""
        return "the line is too short" if kind == "win" and _thoughts(env, line) < 2 else ""

    def _line(self, env: BaseGameEnv, kind: str, move: int) -> tuple[int, ...]:
        """The line while exactly one move is right, against the most stubborn replies."""
        line, game = [move], env.after([move])
        most = self.longest if kind in WINNING else 2 * MOST_HELD - 1
        while not game.is_terminal() and len(line) < most:
            step = self._step(game, kind)
            if step is None:
                break
            reply, answer = step
            line += step
            game.step(reply)
            game.step(answer)
        while len(line) > 1 and kind not in WINNING and not _is_thought(env, line):
            del line[-2:]
        return tuple(line)

    def _step(self, game: BaseGameEnv, kind: str) -> tuple[int, int] | None:
        """The most stubborn reply and the only answer; ``None`` where several answers are right.

        Of equally stubborn replies one that leaves a single answer comes first, then one that stops
        a threat.
        """
        replies = self.scores(game)
        most = max(replies.values())
        threats = set(self.wins_at_once(game, -game.current_player))
        best: tuple[tuple[bool, bool], int, int] | None = None
        for reply in sorted(move for move, score in replies.items() if score == most):
            after = game.after([reply])
            if after.is_terminal() or after.get_legal_moves() == [after.pass_move]:
                continue
            wins = self.wins_at_once(after, after.current_player) if kind == "win" else []
            only = self.only_move(self.scores(after))
            if only is not None and only[0] == kind and not wins:
                found = ((True, reply in threats), reply, only[1])
            elif wins:
                found = ((False, reply in threats), reply, wins[0])
            else:
                continue
            if best is None or found[0] > best[0]:
                best = found
        return None if best is None else best[1:]

    # --------------------------------------------------------------------------- judging

    def judge(self, env: BaseGameEnv, kind: str, move: int) -> Judged:
        """What a legal move is worth, for a puzzle of that kind."""
        scores = self.scores(env)
        score = scores[move]
        distance = self.distance(env, score)
        after = env.after([move])
        line = () if after.is_terminal() else self.best_line(after)
        return Judged(
            self.is_right(kind, scores, move),
            _sign(score),
            None if distance is None else distance - 1,
            score if env.traits.score_unit else None,
            max(scores.values()) if env.traits.score_unit else None,
            line,
        )

    def mistake(self, env: BaseGameEnv, move: int) -> Find | str:
        """What was right where ``move`` gives the result away, or why that is no puzzle."""
        if not self.solves(env):
            return TOO_EARLY
        scores = self.scores(env)
        best = max(scores.values())
        if _sign(scores[move]) == _sign(best):
            return ""
        if not self._is_seen(env, best, scores[move]):
            return f"the point shows only after more than {MOST_WIN} plies"
        found = self.find(env)
        if isinstance(found, Find):
            return found
        right = max(sorted(scores), key=lambda each: scores[each])
        return Find("win" if best > 0 else "hold", (right,))

    def _is_seen(self, env: BaseGameEnv, best: int, played: int) -> bool:
        """Whether the point of a mistake can be shown: a win that was near, or a loss that is."""
        win = self.distance(env, best) if best > 0 else None
        loss = self.distance(env, played) if played < 0 else None
        known = [plies for plies in (win, loss) if plies is not None]
        return not known or min(known) <= MOST_WIN

    def solves(self, env: BaseGameEnv) -> bool:
        """Whether the scores of a position are found soon."""
        return True

    def motif(self, env: BaseGameEnv, find: Find) -> Hashable:
        """The cells of the own moves of the line, up to symmetry."""
        cells, game = np.zeros(env.board.size, dtype=np.int8), env.copy()
        for ply, move in enumerate(find.line):
            game.step(move)
            if ply % 2 == 0 and game.last_cell is not None:
                cells[game.last_cell] = 1 + ply // 2
        images = (symmetry.apply_to_board(cells).tobytes() for symmetry in env.symmetries())
        return find.kind, min(images)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _is_thought(env: BaseGameEnv, line: list[int]) -> bool:
    """Whether the last own move of a line is chosen among several."""
    return len(env.after(line[:-1]).get_legal_moves()) >= CHOICES


def _thoughts(env: BaseGameEnv, line: tuple[int, ...]) -> int:
    """The own moves of a line that are chosen among several."""
    return sum(_is_thought(env, list(line[: k + 1])) for k in range(0, len(line), 2))
