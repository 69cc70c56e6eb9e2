"""Looking at a page in tests: squares by name, pieces, and patience."""

#: Milliseconds for what takes a moment on a quiet machine: others may be using this one, and the
#: first search of a kind may have to be compiled.
PATIENCE = 45_000


def cell(page, name):
    """The square of that name, by its label for screen readers."""
    return page.locator(f'.cell[aria-label^="{name},"]')


def pieces(page):
    """``{"b2": "x", …}``."""
    return page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.cell')]
            .filter(c => c.querySelector('.piece'))
            .map(c => [c.getAttribute('aria-label').split(',')[0],
                       c.querySelector('.piece').classList.contains('x') ? 'x' : 'o']))"""
    )
