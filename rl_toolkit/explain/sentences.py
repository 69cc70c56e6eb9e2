"""One sentence per move, made only of facts on the board and the verdict of the search.

"In N moves" counts the moves of the winner: "a win in 3 moves" is five plies, this move included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.tactics import Win
from rl_toolkit.explain.facts import (
    AllowsWin,
    Blocks,
    BoardView,
    EndsGame,
    Fact,
    LineFact,
    MissesWin,
    Threatens,
)
from rl_toolkit.explain.games import explainer_of
from rl_toolkit.explain.phrases import listed, squares
from rl_toolkit.explain.verdicts import (
    Estimate,
    NoOpinion,
    PriorOnly,
    Proven,
    margin_of,
    verdict_of,
)
from rl_toolkit.records import position_to_text
from rl_toolkit.utils.messages import counted

#: The moves of a line that are shown.
_LONGEST_LINE = 8

#: Words for a value that is not proven, by the least value they are used for.
_BY_VALUE = (
    (0.9, "probably winning"),
    (0.4, "clearly better"),
    (0.1, "slightly better"),
    (-0.1, "about even"),
    (-0.4, "slightly worse"),
    (-0.9, "clearly worse"),
)
_LOWEST = "probably losing"

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")


def explain(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with a sentence about each candidate in its ``note``.

    Raises ``ValueError`` if ``env`` is not in the analysed position.
    """
    position = (env.name, env.current_player, position_to_text(env))
    if (analysis.game, analysis.player, analysis.position) != position:
        raise ValueError("this is an analysis of another position")
    view, best = BoardView(env), analysis.candidates[:1]
    explained = replace(
        analysis,
        candidates=tuple(
            replace(candidate, note=_sentence(env, candidate, view.facts_of(candidate.move), best))
            for candidate in analysis.candidates
        ),
    )
    return explainer_of(env).remark(env, explained)


def explain_move(env: BaseGameEnv, candidate: Candidate) -> str:
    """One sentence about ``candidate`` in the position of ``env``.

    Raises ``ValueError`` if the move is illegal.

    >>> from rl_toolkit.records import position_from_text
    >>> env = position_from_text("tictactoe", "xx1/oo1/3 x")
    >>> explain_move(env, Candidate(2, "c1", 1.0))
    'Completes a1, b1 and c1 and wins.'
    >>> explain_move(env, Candidate(8, "c3", -1.0))
    'Misses the win at c1 and lets the opponent win at c2.'
    """
    return _sentence(env, candidate, BoardView(env).facts_of(candidate.move))


def _sentence(
    env: BaseGameEnv,
    candidate: Candidate,
    facts: tuple[Fact, ...],
    best: Sequence[Candidate] = (),
) -> str:
    """What the board shows, then the verdict of the search, then how much better ``best`` is."""
    words, verdict = _Words(env), verdict_of(env, candidate)
    if isinstance(verdict, Proven) and verdict.margin is not None:
        # The margin says more than whether the game could end with the next move.
        facts = tuple(fact for fact in facts if not isinstance(fact, (MissesWin, AllowsWin)))
    clauses = words.of_facts([fact for fact in facts if not isinstance(fact, AllowsWin)])
    warnings = [words.of_fact(fact) for fact in facts if isinstance(fact, AllowsWin)]
    if warnings:
        against = (MissesWin, AllowsWin, *explainer_of(env).unwelcome)
        welcome = any(not isinstance(fact, against) for fact in facts)
        joined_by = ", but " if welcome else " and "
        text = joined_by.join([listed(clauses), *warnings] if clauses else warnings)
    elif any(isinstance(fact, EndsGame) for fact in facts):
        text = listed(clauses)
    else:
        # Only here: where the board shows the end, an estimate could only contradict it.
        if isinstance(verdict, NoOpinion):
            opinion = "not searched further" if clauses else "not searched"
        else:
            opinion = words.of_verdict(verdict)
        text = f"{listed(clauses)}; {opinion}" if clauses else opinion
    text += "".join(_worse_than(env, candidate, other) for other in best)
    return text[0].upper() + text[1:] + "."


def _worse_than(env: BaseGameEnv, candidate: Candidate, best: Candidate) -> str:
    """How many pieces worse than the best move this one is, where both scores are proven."""
    mine, most = margin_of(env, candidate), margin_of(env, best)
    if mine is None or most is None or most <= mine:
        return ""
    return f", {counted(most - mine, env.traits.score_unit)} worse than {best.name}"


class _Words:
    """Facts and verdicts about one move of one game, in words that continue "this move …"."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._env = env

    def of_facts(self, facts: Sequence[Fact]) -> list[str]:
        """A clause for each fact, and one at the end for all facts that only this game has."""
        clauses = [self.of_fact(fact) for fact in facts if isinstance(fact, LineFact)]
        own = [fact for fact in facts if not isinstance(fact, LineFact)]
        together = explainer_of(self._env).phrase(self._env, own) if own else ""
        return [*clauses, together] if together else clauses

    def of_fact(self, fact: LineFact) -> str:
        match fact:
            case EndsGame():
                return self._end(fact)
            case MissesWin(wins):
                return f"misses the win {self._at(wins, 'or')}"
            case Blocks(wins):
                return f"blocks the opponent's win {self._at(wins, 'and')}"
            case Threatens(wins):
                return f"threatens to win {self._in_places(wins)}"
            case AllowsWin(wins):
                return f"lets the opponent win {self._at(wins, 'or')}"

    def _end(self, end: EndsGame) -> str:
        if end.outcome == "win" and end.line is not None:
            return f"completes {squares(self._env, end.line)} and wins"
        how = {"win": "wins", "draw": "draws", "loss": "loses"}[end.outcome]
        if end.discs is None:
            return f"ends the game and {how}"
        own, enemy = end.discs
        empty = len(self._env.board) - own - enemy
        counts = ""
        if empty and own != enemy:
            whole = (own + empty, enemy) if own > enemy else (own, enemy + empty)
            counts = f", {whole[0]}–{whole[1]} with the empty squares"
        return f"ends the game and {how} {own} to {enemy}{counts}"

    def of_verdict(self, verdict: Proven | Estimate | PriorOnly) -> str:
        match verdict:
            case Proven(margin=int(margin)):
                return self._margin(margin)
            case Proven("draw"):
                return "a draw with best play"
            case Proven(outcome, moves, line, ends, bound=bound):
                who = "forces a win" if outcome == "win" else "the opponent can force a win"
                when = f" in {counted(moves)}" if moves else ""
                by = f" {bound}" if bound else ""
                return who + when + by + self._line(line, ends)
            case Estimate(value, discs, bound):
                how = next((words for least, words in _BY_VALUE if value >= least), _LOWEST)
                if bound is not None:
                    return f"{how} (estimate: {bound})"
                if discs is not None:
                    return f"{how} (estimate: {_lead(discs, self._env.traits.score_unit)})"
                return f"{how} (estimate {round(value, 2) + 0.0:+.2f})"  # never "-0.00"
            case PriorOnly(prior):
                return f"not searched (prior {prior:.0%})"

    def _margin(self, margin: int) -> str:
        """``wins 37–27 with best play``; empty squares count for the winner."""
        how = "wins" if margin > 0 else "loses" if margin < 0 else "draws"
        area = len(self._env.board)
        return f"{how} {(area + margin) // 2}–{(area - margin) // 2} with best play"

    def _line(self, line: tuple[int, ...], ends: bool) -> str:
        if len(line) < 2:
            return ""
        names = [self._env.move_name(move) for move in line[:_LONGEST_LINE]]
        more = "" if ends and len(line) <= _LONGEST_LINE else " …"
        return f" ({' '.join(names)}{more})"

    def _at(self, wins: tuple[Win, ...], joined_by: str) -> str:
        """``at c1 or c3``, or ``with`` the names of moves that place no piece."""
        cells = [win.cell for win in wins if win.cell is not None]
        if len(cells) == len(wins):
            return f"at {squares(self._env, cells, joined_by)}"
        return f"with {listed((self._env.move_name(win.move) for win in wins), joined_by)}"

    def _in_places(self, wins: tuple[Win, ...]) -> str:
        """``at c1``, or ``in two places (c1 and c3)``."""
        where, count = self._at(wins, "and"), len(wins)
        if count == 1:
            return where
        number = _NUMBERS[count - 2] if count - 2 < len(_NUMBERS) else str(count)
        preposition, _, names = where.partition(" ")
        return f"in {number} {'places' if preposition == 'at' else 'ways'} ({names})"


def _lead(score: float, unit: str) -> str:
    """``3 discs ahead``, ``1 disc behind``, ``equal discs``."""
    number = math.floor(abs(score) + 0.5)  # a half goes up, as on the pages
    if not number:
        return f"equal {unit}s"
    return f"{counted(number, unit)} {'ahead' if score > 0 else 'behind'}"
