"""What a frame costs while a figure of the chapters is dragged, and what a chapter weighs.

Each figure gets a new value for every frame, as a hand does that drags. What counts is the
processor time of script, styles and layout of the frame, which does not depend on how busy the
machine is; the median should stay below 17 ms. A chapter should weigh less than 80 kB as it is
sent, pictures not counted, and its first figure be alive within 1.2 seconds: that is time by the
clock, so only an idle machine tells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks import Row
from benchmarks.theatre import _COUNTED, _browser

FRAMES = 120
GUESSES = ("cells", "centre", "killers", "history", "all")
#: What is shown at first, and what changes in each frame, by the share of the way from 0 to 1.
DRAGS: dict[str, tuple[str, Callable[[float], dict[str, object]]]] = {
    "a leaf across α": ("tree?at=end", lambda s: {"tree": f"(3 12 8) ({14 * s:.2f} 4 6) (14 5 2)"}),
    "order, 729 leaves": ("order?b=3&d=6", lambda s: {"order": 2 * s - 1}),
    "order, whole game": ("whole", lambda s: {"order": 2 * s - 1}),
    "order, else all three guesses": ("whole?guess=all", lambda s: {"order": 2 * s - 1}),
    "guesses at the order": ("whole", lambda s: {"guess": GUESSES[round(4 * s)]}),
    "depth by depth, killers": ("whole?guess=killers", lambda s: {"depth": round(9 * s)}),
    "true chance of an arm": ("arms?truth=on&n=300", lambda s: {"arms": f"0.2 {s:.2f} 0.8"}),
    "simulations of UCT": ("uct", lambda s: {"n": 1 + round(1999 * s)}),
    "c of UCT, 1,000 simulations": ("uct?n=1000", lambda s: {"c": round(4 * s, 2)}),
    "sweep": ("waves", lambda s: {"sweep": round(6 * s)}),
    "discount": ("waves?sweep=3", lambda s: {"discount": round(0.5 + 0.5 * s, 2)}),
    "a reward": ("gridworld", lambda s: {"near": round(36 * s) / 2 - 9}),
    "discount where it is slippery": (
        "gridworld?slip=0.2",
        lambda s: {"discount": round(0.5 + 0.5 * s, 2)},
    ),
    "chance of heads": ("mixture", lambda s: {"p": round(s, 2)}),
    "step of a proof": ("proof", lambda s: {"at": str(round(6 * s))}),
    "step of a chain of fours": ("threats", lambda s: {"at": str(round(42 * s))}),
    "tree to graph": ("graph?memory=on", lambda s: {"fold": s}),
    "a prior": ("priors?n=100", lambda s: {"priors": f"{0.1 + 90 * s:.1f} 20 20 20 20"}),
    "simulations with own priors": (
        "priors?priors=20 1 20 5 20",
        lambda s: {"n": round(2000 * s)},
    ),
    "generation": ("generations?n=100", lambda s: {"generation": round(100 * s)}),
    "simulations of PUCT": ("generations?generation=10", lambda s: {"n": round(400 * s)}),
}
CHAPTERS = (
    "alpha_beta", "order", "tables", "proofs", "value_iteration", "bandits", "uct", "alphazero",
)  # fmt: skip
_SET = """async (changes) => {
  const { figure } = await import('/static/figures/alone.js');
  figure.set(changes);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}"""
_SENT = """() => [...performance.getEntriesByType('resource'),
  ...performance.getEntriesByType('navigation')].filter((e) => e.initiatorType !== 'img')
  .reduce((sum, entry) => sum + entry.transferSize, 0)"""
_ALIVE = "() => document.querySelector('.stage text') && performance.now()"


def _frames(page: Any, at: Callable[[float], dict[str, object]]) -> list[float]:
    """Milliseconds of each frame, sorted; the first ones warm the page up."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    times, before = [], 0.0
    for frame in range(FRAMES):
        page.evaluate(_SET, at(abs(2 * frame / FRAMES - 1)))
        metrics = session.send("Performance.getMetrics")["metrics"]
        now = float(sum(each["value"] for each in metrics if each["name"] in _COUNTED))
        times.append(1000 * (now - before))
        before = now
    session.detach()
    return sorted(times[10:])


def run() -> list[Row]:
    rows: list[Row] = []
    with _browser() as (browser, server):
        for name, (address, at) in DRAGS.items():
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"{server}/figures/{address}")
            page.wait_for_selector("body[data-ready]", state="attached")
            times = _frames(page, at)
            rows.append(
                {
                    "what": f"{address.partition('?')[0]}: {name}",
                    "ms, median": times[len(times) // 2],
                    "ms, 95th percentile": times[int(0.95 * len(times))],
                    "kB sent": None,
                    "ms until alive": None,
                }
            )
            page.close()
        for chapter in CHAPTERS:
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            page.goto(f"{server}/learn/theory/{chapter}")
            page.locator(".part.has-figure").first.scroll_into_view_if_needed()
            alive = page.wait_for_function(_ALIVE).json_value()
            for part in page.locator(".part.has-figure").all():
                part.scroll_into_view_if_needed()
                part.locator(".stage text").first.wait_for()
            rows.append(
                {
                    "what": f"/learn/theory/{chapter}",
                    "ms, median": None,
                    "ms, 95th percentile": None,
                    "kB sent": page.evaluate(_SENT) / 1000,
                    "ms until alive": alive,
                }
            )
            context.close()
    return rows
