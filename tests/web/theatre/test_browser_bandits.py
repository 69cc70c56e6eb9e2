"""Bandits in a browser: pulls by hand, the sums of a policy on stage, regret; and how it looks."""

import re

import pytest
from web_page import PATIENCE, axe, hangs_out

from rl_toolkit.algorithms.bandits import UCB1, BernoulliArms
from rl_toolkit.algorithms.traces import trace_bandit

pytest_plugins = ["web_browser"]
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect  # noqa: E402

expect.set_options(timeout=PATIENCE)
PAGE = "/theatre/bandits"


def card(page, arm):
    return page.locator(f'.arm[data-arm="{arm}"]')


def known(page, arm):
    """Pulls, paid and mean of an arm, as they are shown."""
    return card(page, arm).locator("dd").all_inner_texts()


def watching(page, policy):
    page.click("#by-policy")
    page.select_option("#policy", policy)
    expect(page.locator(f'#arms[data-policy="{policy}"]')).to_be_visible()
    expect(page.locator("#transport .moment")).to_have_text("moment 1 of 101")


def test_arms_are_pulled_by_hand_and_revealed(open_page):
    page = open_page(f"{PAGE}?seed=7&arms=3")
    for number, key in enumerate("1233", 1):
        page.keyboard.press(key)
        expect(page.locator("#sentence")).to_contain_text(f"Pull {number}: arm {key} pays")
    assert [known(page, arm)[0] for arm in range(3)] == ["1", "1", "2"]
    expect(page.locator("#regret-now")).to_have_text(
        "Your regret is known once the arms are revealed."
    )
    expect(page.locator(".meter .truth").first).to_be_hidden()
    page.click("#reveal")
    arms = BernoulliArms.drawn(3, 7)
    regret = sum(arms.gap(arm) for arm in (0, 1, 2, 2))
    expect(page.locator("#regret-now")).to_have_text(f"You: {regret:.2f} after 4 pulls (dashed).")
    expect(page.locator(".meter .truth").first).to_be_visible()
    page.click("#again")
    expect(page.locator("#sentence")).to_have_text("Pull an arm.")


def test_chances_that_make_no_sense_are_named(open_page):
    page = open_page(f"{PAGE}?means=abc&arms=4&seed=x")
    wrong = "Not understood in the address: seed=x, means=abc."
    expect(page.locator("#problem")).to_have_text(wrong)
    expect(page.locator(".arm:visible")).to_have_count(4)


def test_the_sums_on_stage_are_those_of_the_policy(open_page):
    page = open_page(f"{PAGE}?means=0.2,0.5,0.8&seed=3")
    watching(page, "ucb1")
    data = trace_bandit(BernoulliArms((0.2, 0.5, 0.8)), UCB1(1.41), 100, seed=3).data
    counts, sums = [0, 0, 0], [0, 0, 0]
    for number, (arm, reward, regret, scores) in enumerate(data["pulls"][:7]):
        expect(page.locator("#transport .moment")).to_have_text(f"moment {number + 1} of 101")
        shown = page.locator(".arm .sum").all_inner_texts()
        for each in range(3):
            mean = sums[each] / counts[each] if counts[each] else None
            assert known(page, each)[:2] == [str(counts[each]), str(sums[each])]
            if scores[each] is None:
                assert shown[each] == "not tried: first"
            else:
                bonus = scores[each] - mean
                assert shown[each] == f"{mean:.2f} + {bonus:.2f} = {scores[each]:.2f}"
        assert page.locator(".arm.chosen").get_attribute("data-arm") == str(arm)
        assert page.locator(".arm.chosen .paid").inner_text() == f"pays {reward}"
        assert f"regret {regret:.2f}." in page.locator("#sentence").inner_text()
        counts[arm] += 1
        sums[arm] += reward
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(page.locator("#sentence")).to_contain_text("paid in 100 pulls; regret")
    assert [known(page, arm)[0] for arm in range(3)] == [str(n) for n in data["answer"]["counts"]]


@pytest.mark.parametrize(("scheme", "width"), [
    ("dark", 390),
    *(
        pytest.param(scheme, width, marks=pytest.mark.full)
        for scheme, width in (("light", 390), ("dark", 1440), ("light", 1440))
    ),
])  # fmt: skip
def test_the_page_fits_is_accessible_and_light(open_page, scheme, width):
    look = {"color_scheme": scheme, "reduced_motion": "reduce"}  # colours change at once
    page = open_page(f"{PAGE}?means=0.2,0.5,0.8", width=width, alone=True, **look)
    watching(page, "thompson")
    expect(card(page, 0).locator(".sum")).to_contain_text("draw 0.")
    page.click("#run-many")
    expect(page.locator("#many-table tbody tr")).to_have_count(5)
    assert axe(page) == []
    assert hangs_out(page) <= 0
    weight = page.evaluate(
        """() => [...performance.getEntriesByType('resource'),
                  ...performance.getEntriesByType('navigation')]
                 .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""
    )
    assert 20_000 < weight < 250_000
    page.get_by_role("link", name="Watch this tree grow").click()
    expect(page).to_have_url(re.compile("/theatre/mcts"))
    page.wait_for_selector("body[data-ready]")
