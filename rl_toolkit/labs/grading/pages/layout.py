"""What all pages share: the frame, the style, and how text and pictures are put in."""

from __future__ import annotations

import base64
from html import escape

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566070; --paper: #f6f7f9; --card: #fff;
  --line: #d9dee6; --good: #136c34; --bad: #b3261e; --open: #7a5200; --todo: #566070;
  --link: #0b57d0; --wash: #eef1f6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adba; --paper: #12161c;
  --card: #1b2129; --line: #333c48; --good: #6fd08c; --bad: #ff9a91; --open: #f0c060;
  --todo: #a3adba; --link: #9cc2ff; --wash: #232b36; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 68rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.02rem; margin: 0 0 .4rem; }
p { margin: .3rem 0 .6rem; }
a { color: var(--link); }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.15rem; margin: .8rem 0; }
.wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem;
  border-bottom: 1px solid var(--line); }
tr:last-child > td { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; background: var(--wash); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name { font-weight: 600; min-width: 8rem; }
.right { color: var(--good); } .wrong { color: var(--bad); }
.open { color: var(--open); } .todo { color: var(--todo); }
.big { font-size: 1.5rem; font-weight: 700; }
.fill { display: inline-block; min-width: 3.2rem; border-bottom: 1.5px solid var(--open); }
pre { background: var(--wash); border-radius: 8px; padding: .6rem .8rem; margin: .4rem 0;
  overflow-x: auto; font: .84rem/1.45 ui-monospace, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.case { display: flex; gap: 1.1rem; flex-wrap: wrap; align-items: flex-start; }
.case img { width: 13rem; max-width: 100%; height: auto; border-radius: 8px; background: #fff; }
.case > div { flex: 1 1 18rem; min-width: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .4rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .8rem; }
.two > div { min-width: 0; }
.label { font-size: .8rem; color: var(--soft); text-transform: uppercase; letter-spacing: .04em; }
.own { white-space: pre-wrap; overflow-wrap: anywhere; }
ul { margin: .3rem 0 .6rem; padding-left: 1.2rem; }
details > summary { cursor: pointer; color: var(--link); margin: .3rem 0; }
@media print { body { max-width: none; background: #fff; } .card, .wide { break-inside: avoid; } }
"""


def page(title: str, body: str) -> str:
    """A whole page; ``body`` is HTML, ``title`` is text."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">"
        f"<title>{text(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def text(value: object, most: int = 4000) -> str:
    """Text for a page: escaped, without control characters, and cut if it is long."""
    said = str(value)
    said = said if len(said) <= most else said[:most] + " …"
    kept = "".join(char if char.isprintable() or char in "\n\t" else "�" for char in said)
    return escape(kept)


def picture(svg: str, alt: str) -> str:
    """An SVG as an image, in which no script can run."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{text(alt, 300)}">'


def bullets(sentences: list[str] | tuple[str, ...]) -> str:
    """Sentences as a list; nothing if there are none."""
    return (
        f"<ul>{''.join(f'<li>{text(each)}</li>' for each in sentences)}</ul>" if sentences else ""
    )


def table(label: str, heading: list[str], rows: list[str], numbers: tuple[int, ...] = ()) -> str:
    """A table that scrolls by itself on a narrow screen; ``rows`` are HTML, the rest is text.

    ``label`` is its name for screen readers, another one for each table of a page.
    """
    cells = "".join(
        f'<th scope="col"{_right(at in numbers)}>{text(each)}</th>'
        for at, each in enumerate(heading)
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{text(label)}">'
        f"<table><thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _right(yes: bool) -> str:
    return ' class="n"' if yes else ""


def number(value: float) -> str:
    """A number of points without a needless fraction."""
    return f"{value:g}"
