"""No example in README or docs calls a private name: what people copy is what stays."""

import ast

from markdown_examples import blocks
from paths import ROOT

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


def private_names(code):
    """The private attributes that the code uses, except of ``self`` and ``super()``."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and node.attr[1] != "_":
            owner = node.value.func if isinstance(node.value, ast.Call) else node.value
            if not (isinstance(owner, ast.Name) and owner.id in ("self", "super")):
                yield ast.unparse(node)


def code_of(block):
    """The Python of a block, without prompts and what they print."""
    if ">>>" not in block.text:
        return block.text
    lines = [line.lstrip() for line in block.text.splitlines()]
    return "\n".join(line[4:] for line in lines if line[:3] in (">>>", "..."))


def test_examples_call_public_names_only():
    found = [
        f"{page.name}, line {block.line}: {name}"
        for page in PAGES
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.mark in ("python", "pycon")
        for name in private_names(code_of(block))
    ]
    assert found == []


def test_private_names_are_found():
    assert set(private_names("solver._minimax(env)\nf()._x")) == {"solver._minimax", "f()._x"}
    assert set(private_names("self._a + super()._b + c.__name__")) == set()
