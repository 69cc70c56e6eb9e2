"""The site: pages made from the code, plain Markdown as Sphinx reads it, and what is explained."""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from markdown_examples import blocks
from paths import ROOT

import rl_toolkit
from rl_toolkit.envs import game_families
from rl_toolkit.players import levels_for
from rl_toolkit.records import FORMATS
from rl_toolkit.utils import installation

sys.path.insert(0, str(ROOT))

from tools.site import generated, reading
from tools.site.addresses import About
from tools.site.former import FORMER

DOCS = ROOT / "docs"
KINDS = ("start", "howto", "guides", "reference", "explanation", "learn")


@cache
def made():
    return generated.pages()


# --- pages made from the code --------------------------------------------------------------------


def test_every_name_of_a_front_door_is_on_its_page():
    for door in generated.doors():
        page = made()[f"names_{door.rpartition('.')[2]}"]
        for name in import_module(door).__all__:
            assert re.search(rf"(auto\w+|py:data):: {name}\n|``{name}``: ", page), (door, name)


def test_every_command_and_every_option_is_on_a_page():
    from rl_toolkit.cli.program.group import cli

    context = generated.click.Context(cli, info_name="rl-toolkit")
    commands = list(generated.walk(cli, context))
    assert len(commands) > 60
    for name, command, _ in commands:
        assert re.search(rf"^#+ {name}$", made()["commands"], re.MULTILINE), name
        section = re.split(rf"^#+ {name}$", made()["commands"], flags=re.MULTILINE)[1]
        section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
        for option in command.params:
            shown = [text for text in option.opts if text.startswith("--")]
            if shown and not option.hidden:
                assert shown[0] in section, (name, shown)


def test_levels_and_formats_are_those_of_the_package():
    for family in game_families():
        for level, spec in levels_for(family.name).items():
            assert re.search(rf"^\| {re.escape(level)} \|.*`{re.escape(spec)}`", made()["levels"],
                             re.MULTILINE), level  # fmt: skip
    for name in FORMATS:
        assert f"| `{name}` |" in made()["formats"]


def test_every_address_of_the_api_is_on_a_page():
    from rl_toolkit.web.api.openapi import TAKES

    for address in TAKES:
        assert f"## POST /api/{address}\n" in made()["http"]


# --- reading -------------------------------------------------------------------------------------


def read(text, name="guides/page", about=None):
    return reading.as_page(text, name, DOCS, about or About())


def test_links_that_leave_docs_lose_their_frame_or_lead_to_the_repository():
    text = "[a](../start/install.md#extras) [b](../../CHANGELOG.md) [c](https://example.org)"
    assert read(text) == "[a](../start/install.md#extras) b [c](https://example.org)"
    about = About(repository="https://example.org/r")
    assert "[b](https://example.org/r/blob/main/CHANGELOG.md)" in read(text, about=about)


def test_marks_for_the_tests_are_left_out():
    assert read("```output\n1\n```\n") == "```text\n1\n```\n"
    assert read("```python fragment\nx\n```\n") == "```python\nx\n```\n"
    assert read("```csv file=a.csv\nx\n```\n") == "```text\nx\n```\n"


def test_a_chapter_says_how_to_open_it_live():
    page = read('# UCT\n\n![A](images/live/uct.svg "live: uct n=1")\n', "learn/uct")
    assert "![A](images/live/uct.svg)" in page
    assert "learn/theory/uct" in page
    assert "theory" not in read("# A\n\n![A](b.svg)\n", "learn/a")


def test_the_chapters_are_in_the_order_of_their_list():
    page = read((DOCS / "learn" / "README.md").read_text("utf-8"), "learn/README")
    listed = page.partition("{toctree}")[2].split()
    assert listed.index("game_trees") < listed.index("alpha_beta") < listed.index("uct")
    assert {path.stem for path in (DOCS / "learn").glob("*.md")} - {"README"} <= set(listed)


def test_pages_link_to_their_source_on_any_host(monkeypatch):
    about = About(repository="https://example.org/r", branch="next")
    monkeypatch.setattr("tools.site.addresses.read_about", lambda: about)
    conf = runpy.run_path(str(ROOT / "tools" / "site" / "conf.py"))
    link = conf["html_theme_options"].pop("source_view_link")
    assert link.format(filename="a/b.md") == "https://example.org/r/blob/next/docs/a/b.md"
    assert conf["html_theme_options"] == {"top_of_page_buttons": ["view"]}
    for page, suffix in (("reference/generated/names", ""), ("start/tour", ".md")):
        context = {"page_source_suffix": ".md"}
        conf["without_source"](None, page, "page.html", context, None)
        assert context["page_source_suffix"] == suffix


# --- layout --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "learn"])
def test_the_front_page_of_a_kind_lists_its_pages(kind):
    text = (DOCS / kind / "index.md").read_text("utf-8")
    shown, _, hidden = text.partition("{toctree}")
    listed = set(re.findall(r"^([a-z_]+)$", hidden, re.MULTILINE))
    there = {path.stem for path in (DOCS / kind).glob("*.md")} - {"index"}
    assert there == listed
    for page in there:
        assert f"({page}.md" in shown, page


def test_no_page_lies_beside_the_kinds():
    assert {path.name for path in DOCS.glob("*.md")} == {
        "index.md",
        *(f"{old}.md" for old in FORMER),
    }
    assert {path.name for path in DOCS.iterdir() if path.is_dir()} == {*KINDS, "images"}


@pytest.mark.parametrize("old", FORMER)
def test_a_former_address_leads_to_the_page_of_today(old):
    stub = (DOCS / f"{old}.md").read_text("utf-8").splitlines()
    title = (DOCS / f"{FORMER[old]}.md").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert stub[0].startswith("# ")
    assert stub[1:] == ["", f"This page is now [{title}]({FORMER[old]}.md)."]


@pytest.mark.parametrize("pattern", ["rl_toolkit/**/*.py", "tests/**/*.py", "tools/**/*", "*.toml"])
def test_a_page_that_a_file_names_is_there(pattern):
    named = re.compile(r"(?<![\w/])docs/[a-z_/]+\.md")
    for file in ROOT.glob(pattern):
        if file.suffix in (".py", ".toml", "") and file.is_file() and file != Path(__file__):
            for address in named.findall(file.read_text("utf-8")):
                former = address.removeprefix("docs/").removesuffix(".md")
                assert (ROOT / address).is_file() or former in FORMER, (file, address)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_the_folders_that_an_uninstallation_leaves_are_named(monkeypatch, tmp_path):
    for variable in ("CACHE_HOME", "DATA_HOME", "STATE_HOME"):
        monkeypatch.delenv(f"XDG_{variable}", raising=False)
    for variable in (installation.CACHE_VARIABLE, installation.STATE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    text = (DOCS / "start" / "install.md").read_text("utf-8")
    folders = (installation.cache_folder(), installation.data_folder(), installation.games_folder())
    named = {f"~/{folder.relative_to(tmp_path)}".removesuffix("/games") for folder in folders}
    assert set(re.findall(r"^\| `(~/[^`]+)` \|", text, re.MULTILINE)) == named


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_pictures_show_what_their_caption_says(page):
    caption = re.search(
        r"^\*In the first picture.*?\*$", (ROOT / page).read_text("utf-8"), re.M | re.S
    )
    proven, _, estimated = caption[0].partition("In the third")
    assert (marks := re.findall(r"`(.+?)`", proven))
    assert set(marks) <= set(marks_on("connect-four"))
    assert not any("≈" in mark for mark in marks_on("connect-four"))
    assert "`≈`" in estimated
    assert all(mark.startswith("≈") for mark in marks_on("reversi-6"))


def marks_on(board):
    """What is written on the cells of a picture, without its coordinates."""
    texts = re.findall(
        r"<text[^>]*>([^<]+)</text>", (DOCS / "images" / f"{board}.svg").read_text("utf-8")
    )
    return [text for text in texts if not re.fullmatch(r"[a-z]|\d", text)]


# --- what is explained ---------------------------------------------------------------------------

#: What courses type, beside the names of `rl_toolkit` itself.
CONTRACT = re.findall(
    r"\w+",
    """
    BaseGameEnv TicTacToe ConnectFour Gomoku Reversi
    MinimaxSolver MCTSNode MCTSSolver minmax TreeNode

    reset step get_legal_moves get_legal_actions is_terminal check_win get_result copy
    get_state_hash get_state_value evaluate_heuristic render board current_player winner done
    move_count last_move rows cols board_size win_length

    get_best_action get_candidate_evaluations nodes_evaluated cache_hits memo reset_stats search
    get_stats nodes_explored max_tree_depth parent children move_from_parent visit_count total_value
    untried_moves uct_score is_fully_expanded best_child expand

    index_to_algebraic algebraic_to_index tuple_to_index index_to_tuple tuple_to_algebraic
    algebraic_to_tuple validate_position render_board_ascii get_position_name_rect
    get_index_from_name_rect format_outcome

    create_board print_board check_winner get_available_moves make_move utility minimax
    find_best_move alpha_beta find_best_move_ab node_count
    """,
)


@cache
def names_in_examples():
    """Every name that an example of a page or of a docstring uses."""
    code = []
    for page in [ROOT / "README.md", *DOCS.rglob("*.md"), *ROOT.glob("projects/*/*.md")]:
        for block in blocks(page.read_text("utf-8")):
            if block.mark.split()[:1] in (["python"], ["pycon"]):
                code.append(block.text)
    for module in (ROOT / "rl_toolkit").rglob("*.py"):
        text = module.read_text("utf-8")
        if ">>>" in text:
            code += re.findall(r"^ *(?:>>>|\.\.\.) (.*)$", text, re.MULTILINE)
    return set(re.findall(r"[A-Za-z_]\w*", "\n".join(code)))


@pytest.mark.parametrize("name", [*rl_toolkit.__all__, *CONTRACT])
def test_a_name_that_people_type_has_an_example(name):
    assert name in names_in_examples()


def test_every_name_of_a_front_door_says_what_it_is():
    """A docstring of its own with a sentence; a plain value has its sentence at the door."""
    silent = []
    for door in generated.doors():
        module = import_module(door)
        said = generated.sentences(module)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                about = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
                about = about or ""
                if len(about.split()) < 3 or about.startswith(f"{name}("):
                    silent.append(f"{door}.{name}")
            elif len(said.get(name, "").split()) < 2:
                silent.append(f"{door}.{name}")
    assert silent == []
