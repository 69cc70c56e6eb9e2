"""The site of the documentation: what Sphinx needs beside the Markdown of docs/.

::

    generated.py   pages of the reference that are made from the code: names, commands, levels
    reading.py     a Markdown file as Sphinx reads it: links out of docs/, fences, live chapters
    conf.py        what Sphinx is told     __main__.py    builds the site
    former.py      old addresses of pages, and where each page is now
    addresses.py   about.toml: the repository and whom to write to, once somebody has filled it in
"""
