"""Build the site: ``python -m tools.site [FOLDER]``, by default into build/site.

Sphinx reads a copy of docs/, in which links and fences are as it needs them and the generated pages
lie; docs/ itself stays as it is. Every warning is an error.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tools.site import addresses, generated, reading
from tools.site.former import FORMER

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def main(folder: str = "build/site") -> int:
    """Make the copy, build it, and add the addresses of earlier versions."""
    from sphinx.cmd.build import build_main

    out = ROOT / folder
    source, html = out / "source", out / "html"
    fill(source)
    told = ["-W", "-E", "--keep-going", "-q", "-c", str(ROOT / "tools" / "site")]
    failed = build_main([*told, "-d", str(out / "doctrees"), str(source), str(html)])
    if not failed:
        for old, new in FORMER.items():
            (html / f"{old}.html").write_text(_forward(old, new), "utf-8")
        print(f"The site is in {html.relative_to(ROOT)}; open index.html there.")
    return int(failed)


def fill(source: Path) -> None:
    """Write the copy of docs/ that Sphinx reads; files that are no longer there are removed."""
    about = addresses.read_about()
    texts = {}
    for path in sorted(DOCS.rglob("*")):
        name = path.relative_to(DOCS)
        if (path.suffix == ".md" and path.parent != DOCS) or path.name == "index.md":
            texts[name] = reading.as_page(
                path.read_text("utf-8"), name.with_suffix("").as_posix(), DOCS, about
            ).encode()
        elif path.is_file() and path.suffix != ".md":
            texts[name] = path.read_bytes()
    for page, text in generated.pages().items():
        texts[Path("reference", "generated", f"{page}.md")] = text.encode()
    for name, content in texts.items():
        copy = source / name
        if not copy.is_file() or copy.read_bytes() != content:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    for path in sorted(source.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(source) not in texts:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)


def _forward(old: str, new: str) -> str:
    return (
        f'<!doctype html><meta charset="utf-8"><title>{old}</title>'
        f'<meta http-equiv="refresh" content="0; url={new}.html">'
        f'<p>This page is now <a href="{new}.html">{new}</a>.</p>\n'
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
