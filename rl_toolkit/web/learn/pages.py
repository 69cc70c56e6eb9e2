"""The addresses under ``/learn``: the course, theory pages, and the sheets of labs."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, url_for
from markupsafe import Markup

from rl_toolkit.envs.registry import family_of
from rl_toolkit.labs import STAGES, Lab
from rl_toolkit.labs.folder import folder_name, full_sheet
from rl_toolkit.web.learn.chapters import ChapterReader, is_chapter
from rl_toolkit.web.learn.course import all_labs, lab_rows, pictures_in, theory_of
from rl_toolkit.web.learn.live import workspace
from rl_toolkit.web.learn.markdown import Picture, Renderer
from rl_toolkit.web.learn.theory import TheoryPage, theory
from rl_toolkit.web.learn.workspace import PROGRAM, Workspace

_HOUR = 3600
#: The chapters with which a reader begins.
_FIRST = ("game_trees", "alpha_beta", "order")

learn = Blueprint("learn", __name__, url_prefix="/learn")


@learn.get("")
def course() -> str:
    """The course: labs in order with progress, theory in order."""
    student = workspace()
    rows = lab_rows(*((None, None) if student is None else (student.lab, student.folder)))
    return render_template(
        "learn/course.html",
        rows=rows,
        done=sum(row.is_done for row in rows),
        here=student,
        first=folder_name(rows[0].lab),
        pages=theory().pages,
        chapters=[page for name in _FIRST if (page := theory().page(name))],
    )


# ------------------------------------------------------------------------------- theory


@learn.get("/theory/<name>")
def theory_page(name: str) -> str:
    """A page of docs/learn; one with live figures is a chapter."""
    page = theory().page(name) or abort(404)
    before, after = _neighbours(page)
    around = {
        "page": page,
        "labs": [lab for lab in _labs() if lab.id in page.labs],
        "before": before,
        "after": after,
    }
    addresses = _theory_link, _theory_picture, _lab_link
    if is_chapter(page.text):
        chapter = ChapterReader(*addresses).chapter(page.text)
        return render_template("learn/chapter.html", chapter=chapter, **around)
    html = Markup(Renderer(*addresses).html(page.text))  # HTML in the text was escaped
    return render_template("learn/theory.html", html=html, **around)


@learn.get("/images/<path:name>")
def theory_picture(name: str) -> Response:
    """A figure of the theory pages, looked up by its name."""
    return _svg(theory().picture(name))


def _neighbours(page: TheoryPage) -> tuple[TheoryPage | None, TheoryPage | None]:
    """The pages before and after one of the course."""
    pages = [each for each in theory().pages if each.in_order]
    if page not in pages:
        return None, None
    place = pages.index(page)
    return (
        pages[place - 1] if place else None,
        pages[place + 1] if place + 1 < len(pages) else None,
    )


def _theory_link(file: str) -> str | None:
    """An address for a link of a theory page; other guides are not on this server."""
    if file == "README.md":
        return url_for("learn.course")
    page = theory().page(file.removesuffix(".md"))
    return None if page is None else url_for("learn.theory_page", name=page.name)


def _theory_picture(target: str) -> Picture | None:
    name = target.removeprefix("images/")
    drawn = theory().picture(name)
    if drawn is None:
        return None
    return Picture(url_for("learn.theory_picture", name=name), drawn)


# --------------------------------------------------------------------------------- labs


@learn.get("/labs/<lab_id>")
def lab_page(lab_id: str) -> str:
    """The sheet of a lab; beside it the live result, where the server has the student's folder."""
    lab = _lab(lab_id)
    student = workspace()
    mine = student if student is not None and student.lab.id == lab.id else None
    renderer = Renderer(
        lambda file: None,  # sheets have no other files
        lambda target: _sheet_picture(lab, target),
        lambda name: None if name == lab.id else _lab_link(name),
    )
    return render_template(
        "learn/lab.html",
        lab=lab,
        is_live=mine is not None,
        html=Markup(renderer.html(full_sheet(lab))),  # HTML in the text was escaped
        pages=theory_of(lab),
        folder=folder_name(lab) if mine is None else mine.folder.name,
        stages=STAGES,
        play=_play(mine),
    )


@learn.get("/labs/<lab_id>/pictures/<name>")
def sheet_picture(lab_id: str, name: str) -> Response:
    """A picture of a sheet, looked up by its name."""
    return _svg(pictures_in(_lab(lab_id).folder).get(name))


def _labs() -> list[Lab]:
    student = workspace()
    return all_labs(None if student is None else student.lab)


def _lab(lab_id: str) -> Lab:
    """The lab of exactly that id, else a 404."""
    return next((lab for lab in _labs() if lab.id == lab_id), None) or abort(404)


def _lab_link(name: str) -> str | None:
    known = any(lab.id == name for lab in _labs())
    return url_for("learn.lab_page", lab_id=name) if known else None


def _sheet_picture(lab: Lab, target: str) -> Picture | None:
    name = target.removeprefix("pictures/")
    drawn = pictures_in(lab.folder).get(name)
    if drawn is None:
        return None
    return Picture(url_for("learn.sheet_picture", lab_id=lab.id, name=name), drawn)


def _play(mine: Workspace | None) -> str:
    """The address of a game against the student's program, "" if it does not play."""
    family = None if mine is None or not mine.engine else family_of(mine.lab.game)
    if mine is None or family is None:
        return ""
    return url_for("game_page", name=family.name, game=mine.lab.game, x="human", o=PROGRAM)


def _svg(picture: str | None) -> Response:
    if picture is None:
        abort(404)
    response = Response(picture, mimetype="image/svg+xml")
    response.cache_control.max_age = _HOUR
    return response
