"""What a figure may show: Python, its page and its files refuse the same words and values."""

import shutil
from itertools import product

import pytest

from rl_toolkit.web.learn.figure_fields import FigureError, figure_choices, figure_fields
from rl_toolkit.web.learn.figures import FIGURE_KINDS, Figure

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

#: The fields whose text is a word out of a few, as the buttons of the figures offer them.
CHOICES = [
    ("arms", "policy", ["greedy", "epsilon", "ucb1"]),
    ("graph", "game", ["tictactoe", "connect-four-4x4"]),
    ("uct", "rule", ["visits", "mean", "mixture"]),
    ("whole", "guess", ["cells", "centre", "killers", "history", "all"]),
]
#: What the page says of a state: its sentence and choices, or what is wrong.
SAID = """async (asked) => {
  const { loadKind } = await import('/static/figures/kinds.js');
  const { changesOf } = await import('/static/figures/frame/state.js');
  const { inkOf } = await import('/static/figures/frame/ink.js');
  const { boxOf } = await import('/static/figures/frame/picture.js');
  const box = boxOf(900, 500, inkOf(document.body));
  const said = [];
  for (const [name, given] of asked) {
    const kind = await loadKind(name);
    try {
      const changes = changesOf(kind, Object.entries(given), { strict: true });
      const state = { ...kind.start, ...changes };
      const model = kind.think(state);
      kind.check?.(state, model);
      kind.draw(state, model, box);
      kind.paint?.(document.createElement('canvas'), state, model, box, inkOf(document.body));
      const offered = kind.controls(state, model).filter((each) => each.kind === 'choice');
      const words = Object.fromEntries(offered.map((each) => [each.name, each.options]));
      said.push({ sentence: kind.sentence(state, model), words });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      said.push({ wrong: error.message });
    }
  }
  return said;
}"""
NINE = "9/4o1x2/1xx3x2/3xxo1o1/3x3o1/2o1o2o1/3oo2x1/4x4/9 x"
RIGHT = [
    ("graph", {"position": "x1o/1x1/2o x"}),
    ("graph", {"game": "connect-four-4x4", "position": "3o/1x1x/1o1o/xxox o"}),
    ("generations", {"position": "xo1/2x/3 o"}),
    ("uct", {"position": "3/3/3 x"}),
    ("threats", {"position": NINE, "at": "3"}),
    ("priors", {"position": "xx1/oo1/3 x", "priors": "1 2 3 4 5"}),
    ("arms", {"arms": "0 1 0.5"}),
    ("mixture", {"game": "2 -1 / -1 0.5"}),
    ("gridworld", {"look": "c1"}),
    ("tree", {"tree": "(3 12) (2 4)", "at": "B2"}),
    ("proof", {"tree": "(3 12) (2 4)", "at": "0"}),
]
WRONG = [
    ("graph", {"position": "x1o/1x1/2o o"}),
    ("graph", {"position": "xxx/oo1/3 o"}),
    ("graph", {"position": "3/3/3 x"}),  # the tree would be a blot
    ("graph", {"game": "connect-four-4x4", "position": "x1o/1x1/2o x"}),
    ("graph", {"game": "connect-four-4x4", "position": "x3/4/4/4 o"}),  # it floats
    ("uct", {"position": "xxx/oo1/3 o"}),
    ("uct", {"position": "3/3/3 z"}),
    ("uct", {"position": "3/3/3 o"}),
    ("threats", {"position": NINE.replace(" x", " o")}),
    ("generations", {"position": "4/3/3 x"}),
    ("threats", {"position": "x1o/1x1/2o x"}),
    ("priors", {"priors": "1 2 3"}),
    ("priors", {"priors": "1 2 3 4 0"}),
    ("arms", {"arms": "0.5"}),
    ("arms", {"arms": "0.5 1.5"}),
    ("mixture", {"game": "1 -1 / -1"}),
    ("mixture", {"game": "4 -1 / -1 1"}),
    ("gridworld", {"look": "b2"}),  # a wall
    ("tree", {"tree": "(3 12"}),
    ("tree", {"tree": "(3 12) (2 4)", "at": "C"}),
    ("tree", {"at": "cut0"}),
    ("proof", {"at": "cut"}),
    ("whole", {"order": "inf"}),
    ("whole", {"order": "0_1"}),
    ("whole", {"pruning": "yes"}),
]


def refused(kind, state):
    """What Python says of a state; an empty text where it takes it."""
    try:
        Figure(kind, state)
    except FigureError as error:
        return str(error)
    return ""


def test_python_and_the_page_know_the_same_kinds_and_fields(open_page):
    page = open_page("/figures/tree")
    found = page.evaluate(
        """async () => {
             const { KINDS, loadKind } = await import('/static/figures/kinds.js');
             const found = {};
             for (const name of KINDS) {
               const { start, choices = {} } = await loadKind(name);
               const words = Object.entries(choices).map(([key, of]) => [key, Object.keys(of)]);
               found[name] = [start, Object.fromEntries(words)];
             }
             return found;
           }"""
    )
    assert found == {kind: [figure_fields(kind), figure_choices(kind)] for kind in FIGURE_KINDS}
    choices = [(k, name, words) for k in found for name, words in found[k][1].items()]
    assert sorted(choices) == CHOICES


def test_every_declared_word_draws_and_is_a_button(open_page):
    asked = [(kind, {name: word}) for kind, name, words in CHOICES for word in words]
    asked += [(kind, {name: ""}) for kind, name in (("graph", "position"), ("priors", "priors"))]
    assert [refused(kind, state) for kind, state in asked] == [""] * len(asked)
    said = open_page("/figures/tree").evaluate(SAID, asked)
    for (kind, state), found in zip(asked, said, strict=True):
        assert found.get("sentence"), (kind, state, found)
        for name, words in figure_choices(kind).items():
            assert [word for word, _ in found["words"][name]] == words
            assert all(text for _, text in found["words"][name])


def test_a_word_that_is_not_there_is_refused_everywhere(open_page):
    """Every text of every kind: a choice names its words, any other text is read or refused."""
    asked = [
        (kind, {name: word})
        for kind in FIGURE_KINDS
        for (name, usual), word in product(figure_fields(kind).items(), ["zzz", "Tictactoe"])
        if isinstance(usual, str)
    ]
    assert len(asked) == 2 * 18
    said = open_page("/figures/tree").evaluate(SAID, asked)
    for (kind, state), found in zip(asked, said, strict=True):
        assert refused(kind, state), (kind, state)
        assert "wrong" in found, (kind, state, found)
        (name, word) = next(iter(state.items()))
        if words := figure_choices(kind).get(name):
            sentence = f"{name} is {', '.join(words[:-1])} or {words[-1]}, not "
            assert refused(kind, state) == f"{sentence}'{word}'"
            assert found["wrong"] == f"{sentence}“{word}”"


def test_python_and_the_page_take_the_same_values(open_page):
    said = open_page("/figures/tree").evaluate(SAID, [*RIGHT, *WRONG])
    found = [bool(answer.get("wrong")) for answer in said]
    assert found == [False] * len(RIGHT) + [True] * len(WRONG)
    for kind, state in RIGHT:
        assert refused(kind, state) == "", (kind, state)
    for kind, state in WRONG:
        assert refused(kind, state), (kind, state)


def test_the_page_says_in_one_sentence_what_is_wrong(open_page):
    page = open_page("/figures/graph?game=chess&utm_source=x")
    assert page.get_by_role("alert").inner_text() == (
        "game is tictactoe or connect-four-4x4, not “chess”."
    )
    assert page.locator("svg, canvas, .live").count() == 0
    page.get_by_role("link", name="Show the figure as it begins").click()
    page.locator(".stage text").first.wait_for()
    assert page.url.endswith("/figures/graph")


@pytest.mark.skipif(not shutil.which("chromium"), reason="no Chromium on this machine")
def test_what_only_the_browser_sees_is_refused_too(monkeypatch):
    monkeypatch.setattr("rl_toolkit.web.learn.figures.check_state", lambda kind, state: None)
    with pytest.raises(FigureError, match=r"^game is tictactoe or connect-four-4x4, not “chess”$"):
        Figure("graph", {"game": "chess"}).svg()
