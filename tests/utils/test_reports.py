"""Reports from templates: escaped, and in the colours of the web pages."""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

import rl_toolkit
from rl_toolkit.utils.reports import Scale, rendering
from rl_toolkit.utils.svg import Axis, Plot, Series

PACKAGE = Path(rl_toolkit.__file__).parent


def filled(template, **values):
    return rendering._templates().from_string(template).render(**values)


def test_everything_is_escaped_and_readable():
    assert filled("{{ name }}", name="<script>&\x00\x1b") == "&lt;script&gt;&amp;��"
    assert filled("{{ a }}{{ b }}{{ c }}", a=None, b=0, c=0.5) == "00.5"
    assert filled("{{ text | cut(2) }}", text="<b>bold</b>") == "&lt;b …"
    drawn = filled("{{ svg | image(alt) }}", svg="<svg><script>x</script></svg>", alt='"<x>"')
    assert "script" not in drawn
    assert 'alt="&#34;&lt;x&gt;&#34;"' in drawn
    with pytest.raises(UndefinedError):
        filled("{{ forgotten }}")


def test_a_figure_is_there_for_both_widths_and_says_what_it_shows():
    plot = Plot("", [Series("<a>", [(0, 1)], "bars")], Axis(names=["x"]), Axis())
    html = filled("{{ figure(plot, words) }}", plot=plot, words="one <bar>")
    assert html.count('aria-label="one &lt;bar&gt;"') == 2
    assert "&lt;a&gt;" in html


def test_places_beyond_a_scale_are_at_its_ends():
    scale = Scale([0.0, 50.0, 200.0])
    assert [scale.place(value) for value in (-5, 50, 900)] == [0.0, 25.0, 100.0]


def colours_of(path):
    return dict(re.findall(r"(--[\w-]+): (light-dark\([^)]*\));", path.read_text("utf-8")))


def test_reports_and_pages_have_the_same_colours():
    report = colours_of(PACKAGE / "utils" / "reports" / "report.css")
    pages = colours_of(PACKAGE / "web" / "static" / "css" / "base.css")
    shared = report.keys() & pages.keys()
    assert shared >= {
        "--paper",
        "--panel",
        "--line",
        "--ink",
        "--soft",
        "--accent",
        "--good",
        "--bad",
    }
    assert {name: report[name] for name in shared} == {name: pages[name] for name in shared}
    folder = PACKAGE / "utils" / "reports"
    sources = [path.read_text("utf-8") for path in folder.iterdir() if path.is_file()]
    used = set(re.findall(r"var\((--[\w-]+)\)", "".join(sources)))
    assert used <= report.keys()
