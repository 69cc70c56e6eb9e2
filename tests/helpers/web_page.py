"""Looking at a page in tests: squares by name, pieces, and patience."""

#: Milliseconds for what takes a moment on a quiet machine: others may be using this one, and the
#: first search of a kind may have to be compiled.
PATIENCE = 90_000

#: Seconds of a search that has to be ended: no machine is so slow that it ends by itself.
FOREVER = 36_000


def choose(page, selector, value):
    """Choose a value that the page itself does not offer."""
    page.locator(selector).evaluate("(menu, value) => menu.add(new Option(value, value))", value)
    page.select_option(selector, value)


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
