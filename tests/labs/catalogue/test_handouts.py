"""Labs and handouts: sections on the sheets, an order for each handout, no next step too early."""

import pytest

from rl_toolkit.envs import make_game
from rl_toolkit.labs import HANDOUTS, labs, labs_for, missing_before, sections_of
from rl_toolkit.labs.folder import full_sheet


@pytest.mark.parametrize("letter", HANDOUTS)
def test_every_lab_of_a_handout_comes_after_what_it_needs(letter):
    order = [lab.id for lab in labs_for(letter)]
    assert {lab.id for lab in labs() if sections_of(lab, letter)} <= set(order)
    for place, lab in enumerate(labs_for(letter)):
        assert set(lab.needs) <= set(order[:place])


def test_the_order_of_a_handout():
    order = [lab.id for lab in labs_for("B")]
    assert order.index("L11") < order.index("L13")
    assert order.index("L15") < order.index("L16") < order.index("L17")


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_a_sheet_names_its_handouts_and_no_next_lab_too_early(lab):
    sheet = full_sheet(lab)
    assert f"**Handouts:** {', '.join(lab.sources)}" in sheet
    line = next((each for each in sheet.splitlines() if each.startswith("**Next:**")), "")
    for name in lab.next:
        missing = missing_before(name, [lab.id])
        assert (f"{name} " in line) != bool(missing)
        assert all(f"(after {missing[0]}" in sheet for _ in missing)


def test_the_command_orders_and_refuses(run):
    shown = run("lab", "list", "--handout", "b").out
    assert shown.startswith("Handout B, Connect Four")
    assert "2.1, 2.2, 2.3" in shown
    assert "(needed)" in shown
    refused = run("lab", "list", "--handout", "F")
    assert refused.code == 2
    assert "there is no handout 'F'" in refused.err


def test_french_names():
    assert make_game("morpion").name == "tictactoe"
    assert make_game("Puissance 4").name == "connect-four"
    assert make_game("puissance4-6x8x4").cols == 8
