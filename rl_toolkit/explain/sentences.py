"""One sentence per move, made only of facts on the board and the verdict of the search.

"In N moves" counts the moves of the winner: "a win in 3 moves" is five plies, this move included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rl_toolkit.algorithms import Win
from rl_toolkit.analysis import Analysis, Candidate, Words, judgement, words_for
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain.claims import with_sentences
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
from rl_toolkit.explain.places import squares
from rl_toolkit.explain.verdicts import Estimate, Proven, Unknown, margin_of, verdict_of
from rl_toolkit.utils import counted, listed

#: The moves of a line that are shown.
_LONGEST_LINE = 8

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")


def explain(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with a sentence about each candidate in its ``note``.

    Raises ``ValueError`` if ``env`` is not in the analysed position.
    """
    if not analysis.is_of(env):
        raise ValueError("this is an analysis of another position")
    analysis = with_sentences(env, analysis)
    view, best, words = BoardView(env), analysis.candidates[:1], words_for(env, analysis)
    explained = replace(
        analysis,
        candidates=tuple(
            replace(
                candidate,
                note=_sentence(env, candidate, view.facts_of(candidate.move), words, best),
            )
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
    'Misses the win at c1 and lets O win at c2.'
    """
    return _sentence(env, candidate, BoardView(env).facts_of(candidate.move), words_for(env))


def _sentence(
    env: BaseGameEnv,
    candidate: Candidate,
    facts: tuple[Fact, ...],
    values: Words,
    best: Sequence[Candidate] = (),
) -> str:
    """What the board shows, then the verdict of the search, then how much better ``best`` is."""
    words, verdict = _Words(env, values), verdict_of(env, candidate)
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
        text += f"; {candidate.claim}" if candidate.claim and candidate.value is not None else ""
    elif any(isinstance(fact, EndsGame) for fact in facts):
        text = listed(clauses)
        text += f"; {candidate.claim}" if candidate.claim and candidate.value is not None else ""
    else:
        # Only here: where the board shows the end, an estimate could only contradict it.
        if candidate.claim:
            opinion = candidate.claim
        elif isinstance(verdict, Unknown) and verdict.searched:
            opinion = f"undecided as far as it was searched{words.prior(verdict.prior)}"
        elif isinstance(verdict, Unknown):
            further = " further" if clauses else ""
            opinion = f"not searched{further}{words.prior(verdict.prior)}"
        else:
            opinion = words.of_verdict(candidate, verdict)
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

    def __init__(self, env: BaseGameEnv, words: Words) -> None:
        self._env = env
        self._words = words
        self._opponent = self._words.side(-env.current_player)

    def of_facts(self, facts: Sequence[Fact]) -> list[str]:
        """A clause for each fact, and one at the end for all facts that only this game has."""
        explainer = explainer_of(self._env)
        own = [fact for fact in facts if not isinstance(fact, LineFact)]
        together = explainer.phrase(self._env, own) if own else ""
        if together and explainer.says_threats:
            facts = [fact for fact in facts if not isinstance(fact, Threatens)]
        clauses = [self.of_fact(fact) for fact in facts if isinstance(fact, LineFact)]
        return [*clauses, together] if together else clauses

    def of_fact(self, fact: LineFact) -> str:
        match fact:
            case EndsGame():
                return self._end(fact)
            case MissesWin(wins):
                return f"misses the win {self._at(wins, 'or')}"
            case Blocks(wins):
                return f"blocks {self._opponent}'s win {self._at(wins, 'and')}"
            case Threatens(wins):
                return f"threatens to win {self._in_places(wins)}"
            case AllowsWin(wins):
                return f"lets {self._opponent} win {self._at(wins, 'or')}"

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

    def of_verdict(self, candidate: Candidate, verdict: Proven | Estimate) -> str:
        """The verdict in the words of `analysis.words`, with a line or the final count."""
        sentence = self._words.full(candidate, self._env.current_player)
        if isinstance(verdict, Estimate) and candidate.visits == 1:
            return "visited once, so nothing is known yet"
        if isinstance(verdict, Estimate):
            return f"{judgement(verdict.value)} ({sentence})"
        if verdict.outcome == "draw":
            return sentence[0].lower() + sentence[1:]  # "a draw with best play"
        if verdict.margin is not None:
            return sentence + self._count(verdict.margin)
        if how := explainer_of(self._env).proof(self._env, candidate):
            return how
        return sentence + self._line(verdict.line, verdict.ends)

    def prior(self, prior: float | None) -> str:
        """What a network thinks of a move that was not searched."""
        return "" if prior is None else f" (prior {prior * 100:.1f} %)"

    def _count(self, margin: int) -> str:
        """The final count, the winner's pieces first; empty squares go to the winner."""
        area, lead = len(self._env.board), abs(margin)
        return f" ({(area + lead) // 2}–{(area - lead) // 2})"

    def _line(self, line: tuple[int, ...], ends: bool) -> str:
        if len(line) < 2:
            return ""
        names = self._env.line_names(line[:_LONGEST_LINE])
        more = "" if ends and len(line) <= _LONGEST_LINE else " …"
        return f" ({' '.join(names)}{more})"

    def _at(self, wins: tuple[Win, ...], joined_by: str) -> str:
        """``at c1 or c3``, or ``with`` the names of moves that place no piece."""
        cells = [win.cell for win in wins if win.cell is not None]
        if len(cells) == len(wins):
            return f"at {squares(self._env, cells, joined_by)}"
        return f"with {listed((self._env.move_name(win.move) for win in wins), joined_by)}"

    def _in_places(self, wins: tuple[Win, ...]) -> str:
        """``at c1``, or ``in two places: c1 and c3``."""
        where, count = self._at(wins, "and"), len(wins)
        if count == 1:
            return where
        number = _NUMBERS[count - 2] if count - 2 < len(_NUMBERS) else str(count)
        preposition, _, names = where.partition(" ")
        return f"in {number} {'places' if preposition == 'at' else 'ways'}: {names}"
