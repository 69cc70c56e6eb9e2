"""The order of labs: what comes before and after one, and the way through a handout."""

from __future__ import annotations

from collections.abc import Iterable

from rl_toolkit.labs.model.finding import lab_by_id, labs
from rl_toolkit.labs.model.lab import Lab, LabError
from rl_toolkit.utils import listed, shown

#: The handouts to which labs belong: their letter, and what they are.
HANDOUTS = {
    "A": "textbook lab: Tic-Tac-Toe from scratch",
    "B": "Connect Four and Monte Carlo tree search",
    "C": "bot battle: an opponent that cannot be beaten",
    "D": "Python lab sheet: Tic-Tac-Toe, minimax, Connect Four",
    "E": "browser game and game trees",
}


def handout_named(letter: str) -> str:
    """The letter of a handout in upper case; raises `LabError` if there is no such handout."""
    found = letter.strip().upper()
    if found not in HANDOUTS:
        raise LabError(f"there is no handout {shown(letter)}; there are {listed(HANDOUTS)}")
    return found


def sections_of(lab: Lab, letter: str) -> tuple[str, ...]:
    """The sections of a handout that a lab belongs to: ``("2.1", "2.2")``."""
    pairs = (source.partition(" ") for source in lab.sources)
    return tuple(section for handout, _, section in pairs if handout == letter)


def labs_for(letter: str) -> list[Lab]:
    """The labs of a handout by its sections, and those that they need, each after what it needs."""
    found = [lab for lab in labs() if sections_of(lab, letter)]
    expected = sorted(found, key=lambda lab: (sections_of(lab, letter)[0], lab.id))
    ordered: dict[str, Lab] = {}
    for lab in expected:
        for name in (*sorted(before(lab.id)), lab.id):
            _add(name, ordered)
    return list(ordered.values())


def _add(name: str, ordered: dict[str, Lab]) -> None:
    if name not in ordered:
        lab = lab_by_id(name)
        for needed in lab.needs:
            _add(needed, ordered)
        ordered[name] = lab


def before(name: str) -> frozenset[str]:
    """The labs that must be done before a lab; a lab that is not known needs none."""
    try:
        needs = lab_by_id(name).needs
    except LabError:
        return frozenset()
    return frozenset(needs).union(*(before(need) for need in needs))


def missing_before(name: str, done: Iterable[str]) -> tuple[str, ...]:
    """What a lab still needs if these are done, with all that they need themselves."""
    known = set(done)
    for lab in tuple(known):
        known |= before(lab)
    return tuple(sorted(before(name) - known))
