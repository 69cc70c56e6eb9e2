"""One sentence per move, made of facts and of the search's verdict, and of nothing else.

"In N moves" counts the moves of the winner: "a win in 3 moves" is five plies away, this one
included.
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
    Verdict,
    margin_of,
    verdict_of,
)
from rl_toolkit.records import position_to_text
from rl_toolkit.utils.messages import counted

#: A longer line is cut off: nobody reads on.
_LONGEST_LINE = 8

#: Words for a value nobody proved: floor, how the move looks.
_LOOKS = (
    (0.9, "winning"),
    (0.5, "strong"),
    (0.1, "slightly better"),
    (-0.1, "balanced"),
    (-0.5, "slightly worse"),
    (-0.9, "bad"),
)


def explain(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The same analysis with a sentence about each candidate in its ``note``.

    ``env`` is in the position analysed and stays there; ``ValueError`` if it is another position.
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
    """One sentence about ``candidate`` in the position of ``env``; ``ValueError`` if illegal.

    >>> from rl_toolkit.records import position_from_text
    >>> env = position_from_text("tictactoe", "xx1/oo1/3 x")
    >>> explain_move(env, Candidate(2, "c1", 1.0))
    'Completes a1, b1 and c1 and wins.'
    >>> explain_move(env, Candidate(8, "c3", -1.0))
    'Misses the win at c1 and lets the opponent win at once at c2.'
    """
    return _sentence(env, candidate, BoardView(env).facts_of(candidate.move))


def _sentence(
    env: BaseGameEnv,
    candidate: Candidate,
    facts: tuple[Fact, ...],
    best: Sequence[Candidate] = (),
) -> str:
    """What the board shows, then what follows from it, then how much ``best`` is better."""
    words, verdict = _Words(env, env.move_name(candidate.move)), verdict_of(env, candidate)
    if isinstance(verdict, Proven) and verdict.margin is not None:
        # By how many discs the game is won says more than whether it could end here and now.
        facts = tuple(fact for fact in facts if not isinstance(fact, (MissesWin, AllowsWin)))
    clauses = words.of_facts([fact for fact in facts if not isinstance(fact, AllowsWin)])
    warnings = [words.of_fact(fact) for fact in facts if isinstance(fact, AllowsWin)]
    if warnings:
        against = (MissesWin, AllowsWin, *explainer_of(env).unwelcome)
        welcome = any(not isinstance(fact, against) for fact in facts)
        joint = ", but " if welcome else " and "
        text = joint.join([listed(clauses), *warnings] if clauses else warnings)
    elif any(isinstance(fact, EndsGame) for fact in facts):
        text = listed(clauses)
    else:
        # Only here: where the board itself shows the end, an estimate could but contradict it.
        opinion = words.of_verdict(verdict)
        text = f"{listed(clauses)}; {opinion}" if clauses else opinion
    text += "".join(_behind(env, candidate, other) for other in best)
    return text[0].upper() + text[1:] + "."


def _behind(env: BaseGameEnv, candidate: Candidate, best: Candidate) -> str:
    """How many discs fewer than the best move this one gets, where both are proven."""
    mine, most = margin_of(env, candidate), margin_of(env, best)
    if mine is None or most is None or most <= mine:
        return ""
    return f", {counted(most - mine, env.traits.score_unit)} short of {best.name}"


class _Words:
    """Facts and verdicts about one move of one game, in words that continue "this move …"."""

    def __init__(self, env: BaseGameEnv, move_name: str) -> None:
        self._env, self._move_name = env, move_name

    def of_facts(self, facts: Sequence[Fact]) -> list[str]:
        """A clause for each fact; those of the game's own make one together, at the end."""
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
                kind = "makes a double threat" if len(wins) > 1 else "threatens to win"
                return f"{kind} {self._at(wins, 'and')}"
            case AllowsWin(wins):
                return f"lets the opponent win at once {self._at(wins, 'or')}"

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

    def of_verdict(self, verdict: Verdict) -> str:
        match verdict:
            case Proven(margin=int(margin)):
                return self._margin(margin)
            case Proven("draw"):
                return "balanced: best play draws"
            case Proven(outcome, moves, line, ends, bound=bound):
                who = "forces a win" if outcome == "win" else "the opponent can force a win"
                when = f" in {counted(moves)}" if moves else ""
                by = f", {bound}" if bound else ""
                return who + when + by + self._line(line, ends)
            case Estimate(value, discs, bound):
                looks = next((word for floor, word in _LOOKS if value >= floor), "lost")
                near = round(value, 2) + 0.0  # never "-0.00"
                unit = self._env.traits.score_unit
                by = (bound or f"{near:+.2f}") if discs is None else _estimated(discs, unit)
                return f"looks {looks}, by an estimate of {by}"
            case PriorOnly(prior):
                return f"not looked into; the network gives it {prior:.0%}"
            case NoOpinion():
                return f"plays {self._move_name}; nothing more is known of it"

    def _margin(self, margin: int) -> str:
        """``wins 37–27 with best play``; empty squares are the winner's."""
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
        """``at c1 or c3``; ``with`` the moves' names where they place no piece."""
        cells = [win.cell for win in wins if win.cell is not None]
        if len(cells) == len(wins):
            return f"at {squares(self._env, cells, joined_by)}"
        return f"with {listed((self._env.move_name(win.move) for win in wins), joined_by)}"


def _estimated(score: float, unit: str) -> str:
    """``+3 discs``, and no sign before a zero."""
    number = math.floor(abs(score) + 0.5)  # a half goes up, as on the pages
    return f"{'+' if score > 0 else '-'}{counted(number, unit)}" if number else f"0 {unit}s"
