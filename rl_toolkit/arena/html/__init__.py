"""Reports as one HTML file each: no script, nothing loaded, light and dark.

::

    page.py      the document and its style, tables, sections
    charts.py    bars with intervals, points, columns, as SVG in the colours of the page
"""
