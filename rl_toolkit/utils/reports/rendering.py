"""Templates filled with the values of a report; whatever they write is escaped."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rl_toolkit.utils.statistics import percent
from rl_toolkit.utils.svg import PAGE, Plot
from rl_toolkit.utils.svg.canvas import plain_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_FOLDER = Path(__file__).parent


def render_report(template: str, **values: Any) -> str:
    """The report that a template of this folder makes of these values."""
    return _templates().get_template(template).render(**values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from rl_toolkit import __version__

    def readable(value: object) -> object:
        """What is written: text without characters that no page can show."""
        if isinstance(value, Markup) or value is None:
            return value if value is not None else ""
        return plain_text(str(value))

    templates = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=readable,
    )
    templates.globals |= {
        "figure": _figure,
        "today": lambda: date.today().isoformat(),
        "version": __version__,
        "style": Markup((_FOLDER / "report.css").read_text("utf-8")),
    }
    templates.filters |= {
        "percent": percent,
        "cut": cut,
        "image": _image,
        "as_html": Markup,  # only for what Python has made and escaped
        "sentence": lambda text: f"{text[:1].upper()}{text[1:]}.",
    }
    return templates


def cut(text: object, most: int = 4000) -> str:
    """The text, or its beginning if it is long.

    >>> cut("abcdef", 3)
    'abc …'
    """
    written = str(text)
    return written if len(written) <= most else f"{written[:most]} …"


def _figure(plot: Plot, description: str) -> Markup:
    """A plot in the colours of the page, for wide and for narrow screens."""
    from markupsafe import Markup

    pictures = [
        plot.to_svg(theme=PAGE, narrow=narrow, description=description) for narrow in (False, True)
    ]
    sizes = ("wide", "narrow")
    parts = [
        f'<div class="{size}">{picture}</div>'
        for size, picture in zip(sizes, pictures, strict=True)
    ]
    return Markup(f"<figure>{''.join(parts)}</figure>")


def _image(svg: str, alt: str) -> Markup:
    """An SVG as an image, in which no script can run."""
    from markupsafe import Markup

    data = base64.b64encode(svg.encode()).decode()
    return Markup('<img src="data:image/svg+xml;base64,{}" alt="{}">').format(data, cut(alt, 300))


class Scale:
    """Places of values between two ends, in per cent; values beyond them are at the ends."""

    def __init__(self, ticks: Sequence[float]) -> None:
        self.low, self.high = ticks[0], ticks[-1]

    def place(self, value: float) -> float:
        """The place of a value.

        >>> Scale([-100, 0, 100]).place(50)
        75.0
        """
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)
