"""`Claims`: what a bot says about the moves of a position, beside what is true.

A claim is shown as the bot's own and never as a fact. Numbers are for the side to move, as far as
they could be read that way: courses print values in two views, and a bot seldom says in which.
Where a solver knows the truth about a move, the claim has it too, and `Claim.is_wrong` compares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from rl_toolkit.analysis.reading import Outcome
from rl_toolkit.analysis.words import UNKNOWN, estimate

if TYPE_CHECKING:
    from rl_toolkit.analysis.results import Analysis, Candidate, TreeView

#: Whose results the values of a bot are: those of the side to move, or those of player +1.
View = Literal["mover", "first"]
VIEWS: tuple[View, ...] = ("mover", "first")

#: From here on a value says "win" or "loss"; up to the second number it says "draw".
_DECIDED, _LEVEL = 0.9, 0.1
#: An estimate on the other side of these contradicts a win or a loss, if it has some visits.
_STRONG, _FEW_VISITS = 0.3, 10
#: Turned signs are a pattern only if so many moves show it.
_PATTERN = 2


@dataclass(frozen=True, slots=True)
class Claim:
    """What a bot says about one move; ``None`` where it says nothing.

    Attributes:
        number: the value for the side to move, in the bot's own scale.
        visits, uct: as in a `Candidate`. says: its sentence. is_best: whether it calls the move
            best.
        truth: what is proven about the move, ``None`` if that is not known.
    """

    move: int
    name: str
    number: float | None = None
    visits: int | None = None
    uct: float | None = None
    says: str = ""
    is_best: bool = False
    truth: Candidate | None = None

    @property
    def value(self) -> float | None:
        """The number as an expected result; ``None`` if it cannot be one."""
        number = self.number
        return number if number is not None and -1 <= number <= 1 else None

    @property
    def outcome(self) -> Outcome | None:
        """The result that the value says; an average of playouts is an estimate and says none."""
        if self.value is None or self.visits is not None:
            return None
        if abs(self.value) >= _DECIDED:
            return "win" if self.value > 0 else "loss"
        return "draw" if abs(self.value) <= _LEVEL else None

    @property
    def text(self) -> str:
        """The claim in a list of moves: ``win``, ``draw``, ``≈ 62 %``, ``300``, ``?``."""
        if self.number is None:
            return UNKNOWN
        if self.value is None:
            return f"{self.number:g}"
        return self.outcome or estimate(self.value, self.visits)

    @property
    def is_wrong(self) -> bool:
        """Whether the truth contradicts it."""
        true = None if self.truth is None else self.truth.outcome
        if true is None or self.value is None:
            return False
        if self.visits is None and self.outcome is not None:
            return self.outcome != true
        if self.visits is not None and self.visits < _FEW_VISITS and not self.ends_game:
            return False
        against = {"win": -self.value, "loss": self.value}.get(true, 0.0)
        return against > _STRONG

    @property
    def ends_game(self) -> bool:
        """Whether the move ends the game, so that each visit has seen the true result."""
        return self.truth is not None and self.truth.distance == 1

    @property
    def is_turned(self) -> bool | None:
        """Whether it calls a win a loss, or a loss a win; ``None`` if no side is taken."""
        true = None if self.truth is None else self.truth.outcome
        if true not in ("win", "loss") or self.number is None or abs(self.number) <= _LEVEL:
            return None
        return (self.number > 0) != (true == "win")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a bot says about the moves of a position, one claim for each move that it spoke of.

    Attributes:
        player: the side to move. played: the move that the bot plays.
        view: in which view its values were read. declared: whether the bot says so itself
            (``value_view``); else the view follows from whether it counts visits.
        problem: why there are none or not all, as a sentence without its end.
        differs_from_tree: whether they count other visits than the tree that it has kept.
        proven: what is proven about the moves, also about those without a claim.
    """

    engine: str
    player: int
    played: int
    moves: tuple[Claim, ...] = ()
    view: View = "mover"
    declared: bool = False
    problem: str = ""
    differs_from_tree: bool = False
    proven: tuple[Candidate, ...] = ()

    def of(self, move: int) -> Claim | None:
        """The claim about a move, ``None`` if the bot says nothing about it."""
        return next((claim for claim in self.moves if claim.move == move), None)

    def truth_of(self, move: int) -> Candidate | None:
        """What is proven about a move, ``None`` if that is not known."""
        return next((each for each in self.proven if each.move == move), None)

    @property
    def counts_visits(self) -> bool:
        """Whether they come from a tree search."""
        return any(claim.visits is not None for claim in self.moves)

    @property
    def wrong(self) -> tuple[Claim, ...]:
        """The claims that the truth contradicts."""
        return tuple(claim for claim in self.moves if claim.is_wrong)

    @property
    def all_turned(self) -> bool:
        """Whether every sign is turned against the truth, so that the view or a sign is wrong.

        In a lost position a weak search may well hope for the best at every move; that is no
        pattern, so that estimates must be turned for wins and for losses.
        """
        sided = [claim for claim in self.moves if claim.is_turned is not None]
        if len(sided) < _PATTERN or not all(claim.is_turned for claim in sided):
            return False
        true = {claim.truth.outcome for claim in sided if claim.truth is not None}
        return len(true) > 1 or not self.counts_visits

    @property
    def is_second_search(self) -> bool:
        """Whether the move that it played and its claims come from two searches."""
        return self.differs_from_tree or self.prefers_another

    @property
    def prefers_another(self) -> bool:
        """Whether it calls other moves best than the one that it played."""
        best = [claim.move for claim in self.moves if claim.is_best]
        return bool(best) and self.played not in best

    def beside(self, truth: Analysis) -> Claims:
        """The claims with what ``truth`` has proven about their moves."""
        proven = {c.move: c for c in truth.candidates if c.proven and c.outcome is not None}
        moves = tuple(replace(claim, truth=proven.get(claim.move)) for claim in self.moves)
        return replace(self, moves=moves, proven=tuple(proven.values()))

    def texts(self) -> dict[int, str]:
        """The claims in a list of moves, by move."""
        return {claim.move: claim.text for claim in self.moves}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for pages and programs; it is not read back."""
        return {
            "engine": self.engine,
            "view": self.view,
            "declared": self.declared,
            "problem": self.problem,
            "all_turned": self.all_turned,
            "second_search": self.is_second_search,
            "moves": [
                {
                    "move": claim.move,
                    "name": claim.name,
                    "text": claim.text,
                    "value": claim.number,
                    "visits": claim.visits,
                    "uct": claim.uct,
                    "says": claim.says,
                    "is_best": claim.is_best,
                    "is_wrong": claim.is_wrong,
                    "truth": None
                    if claim.truth is None
                    else {"outcome": claim.truth.outcome, "distance": claim.truth.distance},
                }
                for claim in self.moves
            ],
        }


def with_tree(analysis: Analysis, tree: TreeView) -> Analysis:
    """The analysis with a tree that the bot has kept."""
    from rl_toolkit.analysis.results import KeptTree

    return replace(analysis, tree_source=KeptTree(tree))


def analysis_with(analysis: Analysis, claims: Claims) -> Analysis:
    """The analysis of a bot that only says which move it plays, with its claims as values.

    The move that it played stays first; the others follow by visits, else by value, and those of
    which it says nothing come last.
    """

    def claimed(candidate: Candidate) -> Candidate:
        claim = claims.of(candidate.move)
        if claim is None:
            return candidate
        return replace(candidate, value=claim.value, visits=claim.visits, uct=claim.uct)

    def order(candidate: Candidate) -> tuple[bool, bool, float, float]:
        unknown = claims.of(candidate.move) is None or candidate.value is None
        value = 0.0 if candidate.value is None else candidate.value
        return candidate.move != claims.played, unknown, -(candidate.visits or 0), -value

    candidates = tuple(sorted(map(claimed, analysis.candidates), key=order))
    total = sum(claim.visits or 0 for claim in claims.moves)
    return replace(
        analysis,
        candidates=candidates,
        value=candidates[0].value if candidates else analysis.value,
        simulations=analysis.simulations or total or None,
        claims=claims,
    )
