"""How Sphinx builds the site. Nothing on its pages is loaded from elsewhere."""

from __future__ import annotations

from typing import Any

from rl_toolkit import __version__
from tools.site.addresses import read_about

_ABOUT = read_about()

project = "rl_toolkit"
author = ", ".join(_ABOUT.authors)
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
smartquotes = False  # it would make one dash of the two before an option
html_theme = "furo"
html_title = f"rl_toolkit {__version__}"
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_baseurl = f"{_ABOUT.documentation}/" if _ABOUT.documentation else ""
# Not `source_repository`: with that the theme warns of each host that it does not know.
html_theme_options: dict[str, Any] = (
    {"source_view_link": _ABOUT.file("docs/{filename}"), "top_of_page_buttons": ["view"]}
    if _ABOUT.repository
    else {}
)
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True


def without_source(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Leave out the link to its source on a page that is made from the code: it has none."""
    if page.startswith("reference/generated/"):
        context["page_source_suffix"] = ""


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("html-page-context", without_source)
