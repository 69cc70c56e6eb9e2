"""The document of a report: its style, sections and tables, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from rl_toolkit import __version__
from rl_toolkit.utils.svg import element, escaped

_STYLE = """
:root {
  color-scheme: light dark;
  --paper: #f6f5f1; --panel: #ffffff; --line: #dcdad2; --ink: #1d2129; --soft: #595f6b;
  --bar: #2f6fde; --bar-2: #b9c0cc; --bar-3: #d9416f; --good: #10a37f; --bad: #e8743b;
  font: 100%/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171d; --panel: #1c2129; --line: #333b48; --ink: #e9ecf1; --soft: #a5aebd;
    --bar: #6aa5ff; --bar-2: #5b6577; --bar-3: #ff7d9f; --good: #1fb58f; --bad: #e8743b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere; }
main { max-width: 70rem; margin: 0 auto;
  padding: clamp(1rem, 4vw, 2.5rem) clamp(0.8rem, 3vw, 2rem); }
h1 { font-size: 1.8rem; line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 0.3rem; }
h2 { font-size: 1.15rem; margin: 0 0 0.6rem; }
h3 { font-size: 1rem; margin: 1rem 0 0.4rem; }
p { margin: 0 0 0.6rem; }
.lead, .fine, figcaption, caption { color: var(--soft); }
.fine, figcaption, caption { font-size: 0.88rem; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 0.8rem;
  padding: 1rem clamp(0.7rem, 2.5vw, 1.3rem); margin: 1rem 0; }
.scroll { overflow-x: auto; }
.scroll + p, .scroll + .scroll { margin-top: 0.7rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.4rem; }
th, td { padding: 0.3rem 0.55rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; overflow-wrap: normal; }
thead th { color: var(--soft); font-weight: 600; font-size: 0.86rem; vertical-align: bottom;
  white-space: normal; }
tbody th { font-weight: 600; }
.text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
.heat td, .heat thead th:not(.text) { text-align: center; }
.bars td:last-child { width: 60%; min-width: 7rem; padding-inline: 0; }
.bars svg { display: block; width: 100%; height: 1.3rem; }
.axis { display: flex; justify-content: space-between; color: var(--soft); font-size: 0.82rem; }
figure { margin: 0; }
figure > svg { display: block; width: 100%; max-width: 40rem; height: auto; }
.chart text { fill: var(--ink); font: 14px system-ui, sans-serif; }
.chart .soft { fill: var(--soft); }
.key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 0.2em;
  margin: 0 0.3em 0 0.8em; }
.boards { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(10rem, 100%), 15rem)); }
.boards svg { width: 100%; height: auto; }
.boards .dark { display: none; }
@media (prefers-color-scheme: dark) {
  .boards .dark { display: block; }
  .boards .light { display: none; }
}
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.9em; }
details { margin-top: 0.8rem; }
summary { cursor: pointer; color: var(--soft); }
@media print { section { break-inside: avoid; } }
"""


@dataclass(frozen=True, slots=True)
class Html:
    """HTML that is ready to be put into a page; plain text is escaped."""

    text: str


#: A cell of a table, or a paragraph.
Content = str | Html


def html_of(content: Content) -> str:
    """The content as HTML."""
    return content.text if isinstance(content, Html) else escaped(content)


def paragraph(content: Content, style: str = "") -> str:
    """A paragraph; ``style`` is ``lead`` or ``fine``."""
    words = html_of(content)
    return f'<p class="{style}">{words}</p>' if style else f"<p>{words}</p>"


def section(title: str, *parts: str) -> str:
    """A part of the report under a heading."""
    return "\n".join(("<section>", f"<h2>{escaped(title)}</h2>", *parts, "</section>"))


def folded(summary: str, *parts: str) -> str:
    """Parts that are shown when the reader opens them."""
    return f"<details><summary>{escaped(summary)}</summary>{''.join(parts)}</details>"


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[Content]],
    *,
    names: Iterable[int] = (0,),
    kind: str = "",
) -> str:
    """A table that can be scrolled sideways.

    Each row begins with its heading; the columns in ``names`` hold words, the others numbers.
    """
    words = set(names)

    def cell(tag: str, number: int, content: Content, **more: str) -> str:
        classes = {"class": "text"} if number in words else {}
        if isinstance(content, Html) and content.text.startswith("<td"):
            return content.text
        return element(tag, html_of(content), **more, **classes)

    head = "".join(cell("th", number, text, scope="col") for number, text in enumerate(heads))
    body = []
    for row in rows:
        cells = [cell("th", 0, row[0], scope="row")]
        cells += [cell("td", number, content) for number, content in enumerate(row[1:], 1)]
        body.append(f"<tr>{''.join(cells)}</tr>")
    inner = (
        f"<caption>{escaped(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody>"
    )
    shown = element("table", inner, **({"class": kind} if kind else {}))
    scrolled = {"class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption}
    return element("div", shown, **scrolled)


def heat_cell(content: str, share: float) -> Html:
    """A cell whose colour says how good ``share`` is, from 0 to 1; ½ has no colour."""
    colour = "good" if share >= 0.5 else "bad"
    strength = round(70 * abs(2 * share - 1))
    style = f"background: color-mix(in srgb, var(--{colour}) {strength}%, transparent)"
    return Html(element("td", escaped(content), style=style))


def document(title: str, lead: str, sections: Iterable[str]) -> str:
    """The whole page."""
    made = f"Made by rl-toolkit {__version__} on {date.today().isoformat()}."
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escaped(title)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            "<main>",
            f"<h1>{escaped(title)}</h1>",
            paragraph(lead, "lead"),
            *sections,
            paragraph(made, "fine"),
            "</main>",
            "</body>",
            "</html>",
            "",
        )
    )
