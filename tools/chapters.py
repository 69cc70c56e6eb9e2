"""The chapters of docs/learn: compute every number in them, and draw their still pictures.

``python tools/chapters.py`` says what is wrong; ``--write`` puts the computed numbers into the
texts, ``--stills`` draws the pictures that other sites show in place of the live figures.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rl_toolkit.web.learn.chapters import Chapter, ChapterReader, Part, is_chapter
from rl_toolkit.web.learn.figures import Figure, computed
from rl_toolkit.web.learn.markdown import Picture

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "learn"
#: The size of a still picture.
STILL = (720, 470)
#: A number in the source that a comment binds, in the order of the claims.
_BOUND = re.compile(r"([+\u2212]?\d[\d,]*(?:\.\d+)?(?: ?%)?|[+\u2212]∞|\w+)(<!--\s*[=~])")


def chapters() -> dict[Path, Chapter]:
    """The chapters by file."""
    reader = ChapterReader(lambda file: file, lambda target: Picture(target, ""), lambda lab: None)
    texts = {path: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.md"))}
    return {path: reader.chapter(text) for path, text in texts.items() if is_chapter(text)}


def live_parts(chapter: Chapter) -> list[Part]:
    """The sections with a figure; one without has nothing to compute."""
    for part in chapter.parts:
        if part.claims and not part.figure:
            raise ValueError(f"the section {part.heading!r} has claims and no figure")
    return [part for part in chapter.parts if part.figure]


def as_json(chapter: Chapter) -> list[dict[str, object]]:
    """The figures and claims of a chapter, as frame/claims.js takes them."""
    return [
        {"figure": part.figure, "start": part.start, "claims": [asdict(c) for c in part.claims]}
        for part in live_parts(chapter)
    ]


def verdicts(found: dict[Path, Chapter]) -> dict[Path, list[dict[str, str]]]:
    """For each chapter its claims, with what is wrong and what was computed."""
    data = json.dumps([as_json(chapter) for chapter in found.values()]).replace("<", "\\u003c")
    script = (
        'import { judged } from "figures/frame/claims.js";'
        f"const all = []; for (const parts of {data}) all.push(await judged(parts));"
        'document.getElementById("written").textContent = JSON.stringify(all);'
    )
    return dict(zip(found, json.loads(computed(script)), strict=True))


def written(text: str, judged: list[dict[str, str]]) -> str:
    """The text with the computed numbers."""
    numbers: Iterator[str] = (
        each.get("computed") or each["written"] for each in judged if each.get("mark") in ("=", "~")
    )
    return _BOUND.sub(lambda match: next(numbers) + match[2], text)


def main() -> int:
    """Check the chapters, and write what is asked for; 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put computed numbers into the texts")
    parser.add_argument("--stills", action="store_true", help="draw the still pictures")
    given = parser.parse_args()
    found = chapters()
    wrong = 0
    for path, judged in verdicts(found).items():
        if given.write:
            path.write_text(written(path.read_text("utf-8"), judged), "utf-8")
            judged = [each for each in judged if "computed" not in each]
        for each in judged:
            if each.get("wrong"):
                wrong += 1
                sys.stdout.write(f"{path.name}: {json.dumps(each, ensure_ascii=False)}\n")
    if given.stills:
        for path, chapter in found.items():
            for part in live_parts(chapter):
                picture = Figure(part.figure, part.start).svg(*STILL)
                still = path.parent / part.still
                still.parent.mkdir(exist_ok=True)
                still.write_text(picture, "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
