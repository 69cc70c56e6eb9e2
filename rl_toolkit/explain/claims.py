"""What a bot claims, in sentences: about each move, and about the table as a whole."""

from __future__ import annotations

from dataclasses import replace

from rl_toolkit.analysis import Analysis, Candidate, Words, words_for
from rl_toolkit.analysis.claims import Claim, Claims
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import counted, listed

#: Moves that a note names.
_MOST_NAMED = 6
#: Results of the side to move, from worst to best.
_RANKS = {"loss": 0, "draw": 1, "win": 2, None: 1}


def with_sentences(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with a claim for each candidate, in words, and notes about the whole.

    An analysis without claims, or with the notes already, stays as it is.
    """
    claims = analysis.claims
    if claims is None:
        return analysis
    words = words_for(env)

    def said(move: int) -> str:
        claim = claims.of(move)
        return _nothing(claims) if claim is None else claim_sentence(claim, words)

    candidates = analysis.candidates
    if claims.moves:
        candidates = tuple(replace(each, claim=said(each.move)) for each in candidates)
    notes = [note for note in claim_notes(env, claims) if note not in analysis.notes]
    return replace(analysis, candidates=candidates, notes=(*notes, *analysis.notes))


def claim_sentence(claim: Claim, words: Words) -> str:
    """``claims a draw (“Balanced position”), but it loses in 3 moves``, without its end.

    >>> from rl_toolkit.analysis import Candidate
    >>> from rl_toolkit.envs import TicTacToe
    >>> truth = Candidate(1, "b1", -1.0, "loss", proven=True, distance=4)
    >>> claim_sentence(Claim(1, "b1", 0.0, says="Balanced", truth=truth), words_for(TicTacToe()))
    'claims a draw (“Balanced”), but it loses in 2 moves'
    """
    quoted = f" (“{claim.says.rstrip('.')}”)" if claim.says else ""
    visits = "" if claim.visits is None else f" after {counted(claim.visits, 'visit')}"
    text = f"claims {_what(claim)}{visits}{quoted}"
    if claim.truth is None:
        return text
    return f"{text}{', but' if claim.is_wrong else ';'} it {_does(claim.truth, words)}"


def _what(claim: Claim) -> str:
    if claim.number is None:
        return "no value"
    if claim.value is None:
        return f"{claim.number:g} on a scale of its own"
    if claim.outcome is not None:
        return f"a {claim.outcome}"
    return claim.text


def _does(truth: Candidate, words: Words) -> str:
    """What a move does, after its name: ``draws``, ``loses in 2 moves``."""
    return "draws" if truth.outcome == "draw" else words.short(truth)


def _nothing(claims: Claims) -> str:
    return f"no claim by {claims.engine}"


def claim_notes(env: BaseGameEnv, claims: Claims) -> list[str]:
    """How the claims were read and what is wrong with them, the most important first."""
    notes = []
    if claims.all_turned:
        notes.append(_turned(env, claims))
    if claims.problem:
        notes.append(f"{claims.engine}: {claims.problem}")
    if claims.moves:
        notes.append(_how_read(env, claims))
    if claims.wrong and not claims.all_turned:
        names = [claim.name for claim in claims.wrong]
        more = len(names) - _MOST_NAMED
        named = names if more < 2 else [*names[:_MOST_NAMED], f"{more} more"]
        known = sum(claim.truth is not None for claim in claims.moves)
        verb = "is" if len(names) == 1 else "are"
        notes.append(f"{len(names)} of {counted(known, 'claim')} {verb} wrong: {listed(named)}")
    if claims.counts_visits and not claims.all_turned:
        notes += [_wrong_end(claim) for claim in claims.wrong if claim.ends_game][:1]
    if missed := _missed(env, claims):
        notes.append(missed)
    if claims.prefers_another:
        best = [claim.name for claim in claims.moves if claim.is_best]
        calls = listed(best[:_MOST_NAMED])
        played = env.move_name(claims.played)
        notes.append(
            f"It played {played}, and its table calls {calls} best: this is a second search"
        )
    elif claims.is_second_search:
        notes.append("Its table comes from a second search: the visits are not those of its tree")
    return notes


def _missed(env: BaseGameEnv, claims: Claims) -> str:
    """That the move it plays throws the result away, if it does."""
    played = claims.of(claims.played)
    known = [(_RANKS[c.truth.outcome], c.name, c.truth) for c in claims.moves if c.truth]
    if played is None or played.truth is None:
        return ""
    rank, name, better = max(known, key=lambda each: each[0])
    if rank <= _RANKS[played.truth.outcome]:
        return ""
    words = words_for(env)
    wrong, right = _does(played.truth, words), _does(better, words)
    return f"It plays {played.name}, which {wrong}; {name} {right}"


def _wrong_end(claim: Claim) -> str:
    """That a move which ends the game has the sign of the other result."""
    assert claim.truth is not None
    ends = "wins" if claim.truth.outcome == "win" else "loses"
    return (
        f"{claim.name} {ends} at once, and its {counted(claim.visits or 0, 'visit')} say the "
        "opposite: the result is backed up for the wrong player"
    )


def _turned(env: BaseGameEnv, claims: Claims) -> str:
    said = f"All signs of {claims.engine} are turned: it calls wins losses, and losses wins"
    if claims.player == 1:
        side = env.traits.side(1)
        return f"{said}. {side} is to move, so no view explains it: which result is backed up?"
    other = "first" if claims.view == "mover" else "mover"
    return f'{said}. Is a sign wrong in its search, or is its value_view "{other}"?'


def _how_read(env: BaseGameEnv, claims: Claims) -> str:
    whose = "the side to move" if claims.view == "mover" else env.traits.side(1)
    if claims.declared:
        why = "as its value_view says"
    elif claims.counts_visits:
        why = 'because it counts visits; value_view = "first" in its class changes that'
    else:
        why = 'because it counts no visits; value_view = "mover" in its class changes that'
    return f"Values are claims of {claims.engine}, read as results for {whose} {why}"
