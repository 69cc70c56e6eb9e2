"""The course as the page lists it: labs with progress, theory, and how they belong together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rl_toolkit.labs import Lab, labs, read_lab
from rl_toolkit.labs.folder import Progress, how_far, pictures_of, started_labs
from rl_toolkit.web.learn.theory import TheoryPage, theory


@dataclass(frozen=True, slots=True)
class LabRow:
    """A lab in the list.

    Attributes:
        state: how far the student is, in words; "" if not started or not known.
        needs: the labs to do before, where there are such.
    """

    lab: Lab
    state: str
    is_done: bool
    needs: tuple[Lab, ...]


def all_labs(own: Lab | None) -> list[Lab]:
    """The labs of the package, and a teacher's own that the server was started for."""
    known = list(labs())
    return known if own is None or own.id in {lab.id for lab in known} else [*known, own]


def lab_rows(own: Lab | None, folder: Path | None) -> list[LabRow]:
    """The labs in order, with the progress in a student's folder and in those beside it."""
    done = {} if folder is None else {**started_labs(folder.parent), **started_labs(folder)}
    known = all_labs(own)
    by_id = {lab.id: lab for lab in known}
    rows: list[LabRow] = []
    for lab in known:
        _, progress = done.get(lab.id, (None, None))
        needs = tuple(by_id[name] for name in lab.needs if name in by_id)
        rows.append(LabRow(lab, _state(progress, lab), _is_done(progress), needs))
    return rows


def theory_of(lab: Lab) -> list[TheoryPage]:
    """The theory pages that belong to a lab."""
    return [page for page in theory().pages if lab.id in page.labs]


@lru_cache(maxsize=64)
def pictures_in(folder: Path) -> dict[str, str]:
    """The pictures of the sheet of the lab in a folder: name → SVG, drawn once."""
    return pictures_of(read_lab(folder))


def _state(progress: Progress | None, lab: Lab) -> str:
    return "" if progress is None else how_far(progress, lab.points)


def _is_done(progress: Progress | None) -> bool:
    return progress is not None and bool(progress.finished)
