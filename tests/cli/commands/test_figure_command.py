"""`rl-toolkit figure`: lists, a live file, a picture, and what it refuses."""

import shutil
import xml.etree.ElementTree as ET

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def test_figures_and_their_fields_are_listed(run):
    listed = run("figure")
    assert listed.code == 0
    assert "tree         minimax and alpha-beta on a tree whose leaves can be dragged" in listed.out
    fields = run("figure", "tree")
    assert fields.out.splitlines()[1].split() == ["at", "end"]
    assert "pruning    on" in fields.out


def test_a_live_file_needs_no_browser_to_be_written(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    file = tmp_path / "cut.html"
    ran = run("figure", "tree", "tree=(3 12) (2 4)", "at=cut", "--html", str(file))
    assert (ran.code, ran.out) == (0, "")
    text = file.read_text("utf-8")
    assert "(3 12) (2 4)" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    refused = run("figure", "tree", "--svg", str(tmp_path / "cut.svg"))
    assert refused.code == 1
    assert "drawn by Chromium, Chrome or Edge, and none is on the path" in " ".join(
        refused.err.split()
    )


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium on this machine")
def test_a_picture_is_drawn(run, tmp_path):
    file = tmp_path / "cut.svg"
    assert run("figure", "tree", "at=cut", "--svg", str(file), "--width", "600").code == 0
    root = ET.parse(file).getroot()
    assert root.get("width") == "600"
    assert root.find("{http://www.w3.org/2000/svg}title").text.startswith("A tree to change. Cut:")


@pytest.mark.parametrize(("given", "problem"), [
    (["tre"], "'tre' is not a figure: tree, order"),
    (["tree", "colour=red"], "tree has no field 'colour'"),
    (["tree", "red"], "'red' is not a field; write it as name=value"),
    (["tree", "tree=(3 12"], "tree: character 1: this '(' is not closed"),
    (["tree", "tree=A:(3 12) (2 4)"], "a figure names the nodes itself, so leave out the names"),
    (["tree", "at=banana"], "at is the number of a step, end, cut, cut2 and so on, or a node such "
                            "as A, not 'banana'"),
    (["tree", "tree=(3 12) (2 4)", "at=C"], "or a node such as A, not 'C'"),
    (["tree", "at=cut0"], "not 'cut0'"),
    (["graph", "game=chess"], "game is tictactoe or connect-four-4x4, not 'chess'"),
    (["graph", "position=zzz"], "position: 'zzz' is not a position: write the rows"),
    (["whole", "guess="], "guess is cells, centre, killers, history or all, not ''"),
    (["proof", "at=cut"], "at is the number of a step or end, not 'cut'"),
])  # fmt: skip
def test_what_is_not_there_is_refused(run, tmp_path, given, problem):
    ran = run("figure", *given, "--html", str(tmp_path / "refused.html"))
    assert ran.code == 2
    assert problem in " ".join(ran.err.split())
    assert list(tmp_path.iterdir()) == []


def test_a_tree_in_brackets_is_written_as_the_scripts_read_it(run, tmp_path):
    file = tmp_path / "tree.html"
    given = "tree=[[3, 12], [2, 4]]"
    for at in ("0", "12", "end", "cut", "cut2", "A", "B2"):
        assert run("figure", "tree", given, f"at={at}", "--html", str(file)).code == 0
    assert "(3 12) (2 4)" in file.read_text("utf-8")


def test_a_folder_that_is_not_there_is_one_sentence(run, tmp_path):
    file = tmp_path / "none" / "tree.html"
    ran = run("figure", "tree", "--html", str(file))
    assert ran.code == 1
    assert "".join(ran.err.split()).startswith("".join(f"Error: {file}: No such file".split()))
    assert "Errno" not in ran.err
