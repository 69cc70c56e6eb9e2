"""How Sphinx builds the site. Nothing on its pages is loaded from elsewhere."""

from __future__ import annotations

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
html_theme_options = (
    {
        "source_repository": f"{_ABOUT.repository}/",
        "source_branch": _ABOUT.branch,
        "source_directory": "docs/",
    }
    if _ABOUT.repository
    else {}
)
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_use_unqualified_type_names = True
