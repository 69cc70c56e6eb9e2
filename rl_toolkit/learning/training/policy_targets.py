"""Which moves an analysis recommends, and how much: what self-play draws and training learns."""

from __future__ import annotations

from rl_toolkit.analysis import Analysis, Candidate


def recommended(analysis: Analysis) -> tuple[list[Candidate], list[float] | None]:
    """The moves worth playing with their weights: visits, else priors, else all best ones equally.

    A result that is proven is never given away: beside a proven win there are only other proven
    wins, and a proven loss only if there is nothing better. ``None`` stands for equal weights.
    """
    best = analysis.candidates[0]
    kept = [candidate for candidate in analysis.candidates if not _gives_away(candidate, best)]
    for weights in ([float(c.visits or 0) for c in kept], [c.prior or 0.0 for c in kept]):
        if any(weights):
            return kept, weights
    return [c for c in kept if _worth(c) == _worth(best)], None


def _gives_away(candidate: Candidate, best: Candidate) -> bool:
    """Whether ``best`` is a proven win and ``candidate`` is not, or only ``candidate`` loses."""
    mine, others = (c.outcome if c.proven else None for c in (best, candidate))
    return mine != others and (mine == "win" or others == "loss")


def _worth(candidate: Candidate) -> tuple[object, ...]:
    """What makes two candidates equally good; draws may take longer or shorter."""
    distance = None if candidate.outcome == "draw" else candidate.distance
    return candidate.value, candidate.outcome, candidate.proven, candidate.score, distance
