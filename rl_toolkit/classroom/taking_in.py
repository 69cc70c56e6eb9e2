"""Take hand-ins in: what is new, what is known, and what was handed in once more.

Each is written as it comes, with a mark of the place where it was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rl_toolkit.classroom.gradebook import NOBODY, WhoIsWho
from rl_toolkit.classroom.intake import HandIn, hand_in_from
from rl_toolkit.classroom.roster import plain
from rl_toolkit.labs.grading import Results

#: Among the marks of what came with a download that the teacher named, which may be gone now.
NAMED = "named"
#: Stands for a name that was forgotten.
_FORMER = "former student"


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What was found in the downloads.

    Attributes:
        new, known: how many hand-ins. passed_over: the sources of those of forgotten students.
    """

    new: int
    known: int
    passed_over: tuple[str, ...]


def take_in(results: Results, found: Sequence[HandIn], who: WhoIsWho) -> TakenIn:
    """Keep what was found in the downloads.

    What was not understood is forgotten when it is not there any more; if it came with a download
    that the teacher named (`NAMED`), when that is read again or the student has handed in since.
    """
    kept = _Kept(results, found, who)
    forgotten = results.rows("forgotten")
    passed_over: list[str] = []
    refused: dict[str, HandIn] = {}
    for each in found:
        if forgotten and is_forgotten(results, each, forgotten, who):
            passed_over.append(each.source)
            continue
        if forgotten.keys() & {results.mark_of(word) for word in claimed_words(each)}:
            each = without_foreign_name(each, who)
        if each.problem:
            refused[each.source] = each
        else:
            kept.take(each)
    read = {each.source.partition("/")[0] for each in found if NAMED in each.seen}
    for source, row in results.rows("refused").items():
        former = hand_in_from(row)
        is_elsewhere = NAMED in former.seen and source.partition("/")[0] not in read
        if source not in refused and not (is_elsewhere and _is_last(former, kept)):
            results.remove("refused", source)
    for source, each in refused.items():
        results.put("refused", source, replace(each, number=kept.last).to_dict())
    return TakenIn(kept.new, len(kept.by_key) - kept.new, tuple(passed_over))


def _is_last(refused: HandIn, kept: _Kept) -> bool:
    """Whether its sender has handed in nothing since that was understood."""
    return not any(
        each.claim.name == refused.claim.name and refused.work in ("", each.work)
        for each in kept.by_key.values()
        if each.number > refused.number
    )


class _Kept:
    """The hand-ins of the class while more are taken in.

    Who hands in one work, then another, then the first again means the first. It was handed in once
    more if it lies in another place than before, or has a later time than the other one.
    """

    def __init__(self, results: Results, found: Sequence[HandIn], who: WhoIsWho) -> None:
        self._results, self._who = results, who
        self.by_key = {each.key: each for each in stored_hand_ins(results)}
        self._newest = {_sender(each): each for each in self.by_key.values()}
        self._found = Counter(map(_sender, found))
        self._number = self._before = max((e.number for e in self.by_key.values()), default=0)
        self.new = 0

    @property
    def last(self) -> int:
        """The number of the last hand-in that was taken in."""
        return self._number

    def take(self, each: HandIn) -> None:
        """Keep a hand-in, if it is new or was handed in once more."""
        mark = self._results.mark_of(f"seen {each.source}")
        # A worksheet has the time of the last hand-in only: it is kept with this one now.
        fresh = replace(each, time=self._who.time_of(each), seen=(mark,))
        same: list[HandIn] = []
        while (again := replace(fresh, again=len(same))).key in self.by_key:
            same.append(self.by_key[again.key])
        is_elsewhere = all(mark not in one.seen for one in same)
        if not same or self._is_once_more(again, same[-1], is_elsewhere):
            self._number += 1
            self.new += 1
            self._keep(replace(again, number=self._number))
        elif is_elsewhere:
            self._keep(replace(same[-1], seen=(*same[-1].seen, mark)))

    def _is_once_more(self, again: HandIn, last: HandIn, is_elsewhere: bool) -> bool:
        """Whether ``again`` was handed in after the other work that came after ``last``."""
        newest = self._newest[_sender(last)]
        if newest.key == last.key or not last.seen:  # an earlier version kept no marks
            return False
        if again.time and newest.time and again.time > newest.time:
            return is_elsewhere or self._found[_sender(last)] == 1
        has_times = again.time and newest.time and newest.number <= self._before
        return is_elsewhere and not has_times

    def _keep(self, each: HandIn) -> None:
        self.by_key[each.key] = each
        if each.number >= self._newest.get(_sender(each), each).number:
            self._newest[_sender(each)] = each
        self._results.put("hand-in", each.key, each.to_dict())


def _sender(each: HandIn) -> tuple[str, ...]:
    """The same for all that one sender hands in for one work."""
    claim = each.claim
    entry = each.entry if claim.platform == "file" else ""
    return (claim.platform, claim.name, claim.number, entry, each.work)


def is_forgotten(
    results: Results, each: HandIn, forgotten: Mapping[str, Mapping[str, Any]], who: WhoIsWho
) -> bool:
    """Whether a hand-in is of a forgotten student.

    The teacher's decision comes first. A hand-in that was removed with its student stays out until
    that student is on the roster again. Then the roster decides: others may have the same name,
    but not the same number in Canvas. ``forgotten`` has the marks that `forget` left.
    """
    claim = each.claim
    if who.chosen(each) not in ("", NOBODY):
        return False
    removed = forgotten.get(results.mark_of(each.key))
    if removed is not None:
        present = {results.mark_of(person.id) for person in who.roster.people}
        return removed["student"] not in present
    if who.roster.find(claim.name) or (who.roster.people and who.decide(each)[0]):
        has_left = claim.platform == "canvas" and who.roster.person(claim.number) is None
        return has_left and results.mark_of(claim.number) in forgotten
    words = claimed_words(each) | ({claim.number} - {""})
    return any(results.mark_of(word) in forgotten for word in words)


def claimed_words(each: HandIn) -> set[str]:
    """The name on a hand-in, in the forms in which names are compared."""
    return {plain(each.claim.name), each.claim.name.casefold()} - {""}


def without_foreign_name(each: HandIn, who: WhoIsWho) -> HandIn:
    """A hand-in without a name that is not its student's, if it is known whose it is without."""
    student = who.decide(each)[0]
    person = who.roster.person(student)
    if not student or plain(person.name if person else student) == plain(each.claim.name):
        return each
    nameless = replace(each, claim=replace(each.claim, name=_FORMER))
    return nameless if who.decide(nameless)[0] == student else each


def assigned_students(results: Results) -> dict[str, str]:
    """Source → the id that the teacher assigned it to, or `NOBODY`."""
    return {source: row["student"] for source, row in results.rows("assigned").items()}


def stored_hand_ins(results: Results) -> list[HandIn]:
    """All hand-ins of the class, in the order in which they were taken in."""
    rows = [hand_in_from(row) for row in results.rows("hand-in").values()]
    return sorted(rows, key=lambda each: each.number)
