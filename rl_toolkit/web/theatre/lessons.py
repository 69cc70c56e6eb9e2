"""Eight lessons of 45 minutes for a class: every step has a link that opens the right moment.

`LESSONS` is the one text of them: ``/lessons`` shows it, and the section of docs/guides/teachers.md
is written from it (`as_markdown`).
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from flask import Blueprint, render_template

routes = Blueprint("lessons", __name__)

#: How documents name a page of this server.
_SERVER = "http://localhost:5001"

_TREE = "tree=(3+12+8)+(2+4+6)+(14+5+2)"
_DEEP = "tree=(((8+2)+(5+9))+((4+7)+(3+1)))+(((6+9)+(7+8))+((2+1)+(9+4)))"
_CUTS = "game=tictactoe&position=x1o/1x1/2o+x"
_SEVEN = "game=tictactoe&position=3/1o1/2x+x"
_FOUR = "game=connect-four&position=4453"


class Step(NamedTuple):
    """A part of a lesson: what the teacher does, where, and what the class is asked."""

    minutes: int
    doing: str
    link: str = ""
    question: str = ""
    answer: str = ""


class Lesson(NamedTuple):
    """A lesson of 45 minutes, with homework.

    ``tasks`` is a set for the workbench, ``puzzles`` a game, a kind of puzzle and words for both.
    """

    title: str
    aim: str
    steps: tuple[Step, ...]
    tasks: str
    lab: str
    puzzles: tuple[str, str, str] | None = None

    @property
    def timed(self) -> list[tuple[int, Step]]:
        """Each step with the minute at which it begins."""
        minute, found = 0, []
        for step in self.steps:
            found.append((minute, step))
            minute += step.minutes
        return found


def _search(query: str) -> str:
    return f"/theatre/search?{query}&presenter"


LESSONS = (
    Lesson(
        "Minimax",
        "Two sides with opposite wishes: a value travels from the leaves to the root.",
        (
            Step(
                8,
                "Show the tree with all its leaves. Let the class find the value of each node on "
                "paper before the first step.",
                _search(f"{_TREE}&pruning=off&leaves=on"),
                "What is the root worth?",
                "3: MIN takes 3, 2 and 2, and MAX takes the greatest of these.",
            ),
            Step(
                10,
                "Step with → and let the class say each value before it appears.",
                _search(f"{_TREE}&pruning=off&t=2"),
                "Why does MIN not hand up 12 at A?",
                "MIN moves there, and 3 is less.",
            ),
            Step(
                7,
                "Go to the end: the best line is drawn.",
                _search(f"{_TREE}&pruning=off&t=38"),
                "At which leaf does the game end if both play well?",
                "A1: every other move is worse for the side that makes it.",
            ),
            Step(
                12,
                "The same on a real board: five empty cells. Switch Guess first on.",
                _search(f"{_CUTS}&pruning=off"),
                "Who takes the greatest value here, and who the least?",
                "X the greatest, O the least.",
            ),
            Step(
                8,
                "The class works alone: values of a tree with leaves on different plies.",
                "/theatre/workbench?puzzle=early-ends&presenter",
            ),
        ),
        "values@two-branches;values@early-ends;values@red-and-blue",
        "L05",
        ("tictactoe", "block", "stop a win in Tic-Tac-Toe"),
    ),
    Lesson(
        "Alpha-beta: why may it stop?",
        "A branch that cannot change the result need not be looked at.",
        (
            Step(
                8,
                "Ask first. Then press c: the first cut, and its sentence.",
                _search(f"{_TREE}&t=17"),
                "MAX already has 3, and MIN has a leaf worth 2 here. How much can B be worth?",
                "At most 2, whatever the other leaves are.",
            ),
            Step(
                5,
                "Show the leaves that were cut.",
                _search(f"{_TREE}&t=18&leaves=on"),
                "Would another value at B2 or B3 have changed the result?",
                "No: B could only become smaller.",
            ),
            Step(
                6,
                "The same for MAX: MIN is at the root. Ask, then press →.",
                _search("tree=min+(3+5)+(6+9)&t=14"),
                "MAX has 6 at B. Must B2 be read?",
                "No: MIN has 5 at A and does not come to a node where MAX gets 6 or more.",
            ),
            Step(
                8,
                "Ask, then press →: the arrow leads up to the root. Bounds come from anywhere on "
                "the path.",
                _search(f"{_DEEP}&t=71"),
                "α = 4 has crossed β = 2. Where was α set?",
                "At the root, by A, three plies further up.",
            ),
            Step(
                10,
                "Switch Guess first on and press →: a real board, four answers. The class says why "
                "before you press the key.",
                _search(f"{_CUTS}&t=93"),
                "When may the search leave a node of X?",
                "As soon as X gets as much there as O can hold X to elsewhere.",
            ),
            Step(
                8,
                "The class works alone: mark the cuts of the textbook's tree.",
                "/theatre/workbench?puzzle=textbook&presenter",
            ),
        ),
        "cuts@textbook;windows@textbook;bounds@textbook;cuts@far-bound",
        "L07",
        ("tictactoe", "fork", "two threats at once in Tic-Tac-Toe"),
    ),
    Lesson(
        "Order, and the square root",
        "The same search with good moves first visits far fewer positions.",
        (
            Step(
                8,
                "Two strips: alpha-beta without and with ordering.",
                _search(f"{_CUTS}&compare=on&strips=p,po"),
                "The value is the same. Why is the second strip shorter?",
                "A good move first makes the window narrow at once, so more is cut.",
            ),
            Step(
                10,
                "Let the class move children on a tree where the worst moves come first.",
                "/theatre/workbench?puzzle=worst-first&presenter",
                "How few of the nine leaves are enough?",
                "Five: the leaves that prove the value for both sides.",
            ),
            Step(
                10,
                "All of Tic-Tac-Toe: drag the order from worst to best. The colours go.",
                "/figures/whole?order=-1",
                "What is it that keeps its colour at the best end?",
                "The proof: one good move for X, and an answer to every move of O.",
            ),
            Step(
                10,
                "Iterative deepening: where do good orders come from? Next depth goes on, End "
                "shows all.",
                "/theatre/deepening?game=connect-four&position=4453&depth=4&presenter",
                "Why search depth 1, 2 and 3 before depth 4?",
                "Their best moves are tried first: 381 positions all together, 389 for depth 4 at "
                "once. And there is an answer at any time.",
            ),
            Step(
                7,
                "The same without the order of the search before: press End and compare.",
                "/theatre/deepening?game=connect-four&position=4453&depth=4&ordering=off&presenter",
                "Depth 4 took 233 positions. And without the order?",
                "790, and all depths together 1,181.",
            ),
        ),
        "order@worst-first;visits@three-by-three;order@red-and-blue-order",
        "L06",
        ("connect-four", "win", "the only win in Connect Four"),
    ),
    Lesson(
        "Tables and the graph of positions",
        "Different move orders meet in the same position: remember it.",
        (
            Step(
                8,
                "Press h: the first hit of the table, with the board that was seen before.",
                _search(f"{_SEVEN}&depth=4&memoization=on"),
                "Two lines, one position: which moves changed places?",
                "a1 and b1: X plays both, O plays c1 between them.",
            ),
            Step(
                8,
                "Go on with h. The counters show what hits spare.",
                _search(f"{_SEVEN}&depth=4&memoization=on&t=400"),
                "When may a bound of the table be used?",
                "When it is enough for the window in force here.",
            ),
            Step(
                8,
                "Drag the tree until it is a graph: dots with the same board slide together.",
                "/figures/graph",
                "How many different boards has the last row of 44 dots?",
                "Five: the same stones came in other orders.",
            ),
            Step(
                11,
                "Four strips: nothing, a table, symmetry, all with pruning.",
                _search(f"{_SEVEN}&depth=5&compare=on&strips=-,m,ms,pms"),
                "Which idea saves most here?",
                "The table: 1,126 positions instead of 2,964. With symmetry 412, with cuts too "
                "288.",
            ),
            Step(
                10,
                "Run the experiment on distinct positions.",
                "/theatre/experiments/positions",
                "Why are there fewer positions than nodes in the tree?",
                "A position is reached by many orders of moves.",
            ),
        ),
        "values@red-and-blue;cuts@red-and-blue-cuts",
        "L09",
        ("tictactoe-5x5x4", "hold", "the only defence, four in a row on 5×5"),
    ),
    Lesson(
        "Value iteration",
        "Values without a tree: sweep over all positions until nothing changes.",
        (
            Step(
                10,
                "One sweep by hand, all together.",
                "/theatre/workbench?task=sweep&seed=1&presenter",
                "May a new value be used in the same sweep?",
                "Not in this task: all new values come from the old ones.",
            ),
            Step(
                15,
                "Run the experiment: how many values change in each sweep?",
                "/theatre/experiments/value-iteration",
                "Why does the number fall to 0?",
                "A value is right once those it leads to are; each sweep is one ply more.",
            ),
            Step(
                10,
                "All 5,478 positions as dots: press Next sweep, and watch the wave.",
                "/figures/waves?sweep=0",
                "Where does the wave begin, and why there?",
                "At the rim, where games end: only there are the values known at first.",
            ),
            Step(
                10,
                "The class works alone, each with another seed.",
                "/theatre/workbench?task=sweep&seed=2&presenter",
            ),
        ),
        "sweep@3;sweep@4;sweep@5",
        "L10",
        ("reversi-8", "discs", "the most discs in Reversi"),
    ),
    Lesson(
        "Bandits",
        "Which arm next: the one that looks best, or one that is hardly known?",
        (
            Step(
                12,
                "Hidden arms: the class pulls with the keys 1 to 3, then reveal them.",
                "/theatre/bandits?arms=3&seed=5&presenter",
                "How much did we lose compared with the best arm?",
                "The regret, beside the arms.",
            ),
            Step(
                12,
                "UCB1 step by step: mean + bonus = sum. Guess first.",
                "/theatre/bandits?means=0.2,0.5,0.8&policy=ucb1&presenter",
                "Why does an arm with a poor mean get pulled again?",
                "Its bonus grows while the others are pulled.",
            ),
            Step(
                10,
                "Greedy on the same arms.",
                "/theatre/bandits?means=0.2,0.5,0.8&policy=greedy&presenter",
                "What can go wrong?",
                "One unlucky pull, and the best arm is never tried again.",
            ),
            Step(
                11,
                "Many runs: press 200 runs of every policy.",
                "/theatre/bandits?means=0.2,0.5,0.8&presenter",
                "Which policy loses least, and which depends most on luck?",
                "Thompson sampling loses least. Greedy has the widest band: some runs never find "
                "the best arm.",
            ),
        ),
        "uct@11;uct@12",
        "L15",
    ),
    Lesson(
        "From bandits to UCT",
        "Every node of a tree is a bandit: Monte Carlo tree search.",
        (
            Step(
                5,
                "O is to move; only one of eight replies does not lose. The class votes.",
                "/theatre/mcts?game=tictactoe&position=a1&presenter",
                "Which one?",
                "Write the votes down; the truth stays hidden.",
            ),
            Step(
                8,
                "One simulation, step by step.",
                "/theatre/mcts?game=tictactoe&position=a1&presenter",
                "What has one random game told us?",
                "Next to nothing.",
            ),
            Step(
                10,
                "Every move has one visit. Guess first; ties have several right answers.",
                "/theatre/mcts?game=tictactoe&position=a1&at=8&presenter",
                "Which move is next?",
                "One of those with the greatest sum.",
            ),
            Step(
                8,
                "Press h and k, then v: the plot in the place of the tree. Show the truth.",
                "/theatre/mcts?game=tictactoe&position=a1&at=100&presenter",
                "Why are the means of lost moves far from −1?",
                "They were visited too seldom to find all wins of X.",
            ),
            Step(
                7,
                "Play by most visits, best mean, a mixture: the star goes with the rule.",
                "/theatre/mcts?game=tictactoe&position=a1&seed=1&at=30&plot=large&presenter",
                "Which move would you play now?",
                "A best mean of few visits is luck; wait for more visits.",
            ),
            Step(
                7,
                "c = 0 does not explore. Press o, turn c to 4 and look again.",
                "/theatre/mcts?game=tictactoe&position=a1&c=0&at=100&presenter",
                "Where do 100 simulations go with c = 0, and where with c = 4?",
                "With 0 to c1: 71 of them, by the luck of the first playouts. With 4 to all moves: "
                "8 to 19 each.",
            ),
        ),
        "uct@1;uct@2;uct@3",
        "L16",
        ("connect-four", "hold", "the only defence in Connect Four"),
    ),
    Lesson(
        "PUCT and networks",
        "A prior tells where to look, a value takes the place of the playout.",
        (
            Step(
                10,
                "Step to Evaluate: a value instead of a playout, a prior for each move.",
                "/theatre/mcts?game=connect-four&position=44455554&engine=alphazero&presenter",
                "What does the network know before any search?",
                "A prior for each move, and one value of the position.",
            ),
            Step(
                10,
                "The choice: the prior scales the bonus.",
                "/theatre/mcts?game=connect-four&position=44455554&engine=alphazero&at=20&step=1&presenter",
                "What is the mean of a move without visits?",
                "That of the position: it is written below the table.",
            ),
            Step(
                10,
                "One choice by hand, all together.",
                "/theatre/workbench?task=puct&seed=1&presenter",
            ),
            Step(
                8,
                "UCT on the same position, for comparison.",
                "/theatre/mcts?game=connect-four&position=44455554&at=100&presenter",
                "Which search spreads its visits more?",
                "UCT: it has no prior, so every move is tried.",
            ),
            Step(
                7,
                "A network learns from games against itself: drag the generation from 0 to 100.",
                "/figures/generations?position=x2/3/3+o",
                "Which reply of O does it find, though no person has shown it?",
                "The centre, the only reply that does not lose.",
            ),
        ),
        "puct@2;puct@3;uct@4",
        "L20",
        ("gomoku-15", "fours", "wins by fours in Gomoku"),
    ),
)

TERM = (
    "A term of eight weeks: one lesson and its lab a week. L04 (trees by hand) fits before the "
    "first lesson, L08 and L17 (bug hunts) after the second and the seventh, L13 (depth and "
    "heuristic) after the fourth, L18 (measuring players) at the end."
)


@routes.get("/lessons")
def page() -> str:
    """The lessons, with links that open each step for the projector."""
    return render_template("theatre/lessons.html", lessons=LESSONS, term=TERM)


def as_markdown() -> str:
    """The lessons as a section of a document."""
    lines = [
        "## Eight lessons",
        "",
        "Each lesson takes 45 minutes. Start `rl-toolkit web --open`; `/lessons` has the same plan "
        "with links to click, and every",
        "link opens its moment for the projector. `p` leaves that view, `o` shows position and "
        "options, → steps, Space plays.",
        "",
        TERM,
    ]
    for number, lesson in enumerate(LESSONS, 1):
        lines += ["", f"### {number}. {lesson.title}", "", lesson.aim, ""]
        lines += ["| minute | what you do | ask | answer |", "|---|---|---|---|"]
        for minute, step in lesson.timed:
            link = quote(step.link, safe="/?&=+@;:,-_.").replace("+", "%20")
            doing = f"[{step.doing}]({_SERVER}{link})"
            lines.append(f"| {minute} | {doing} | {step.question} | {step.answer} |")
        sheet = quote(lesson.tasks, safe="@;")
        bench = f"{_SERVER}/theatre/workbench"
        homework = f"Homework: {lesson.lab}, and [a set of tasks]({bench}?set={sheet}), also "
        homework += f"[on paper]({bench}/sheet?set={sheet})"
        if lesson.puzzles:
            game, kind, words = lesson.puzzles
            homework += f"; [puzzles]({_SERVER}/puzzles?game={game}&theme={kind}): {words}"
        lines += ["", f"{homework}."]
    return "\n".join(lines) + "\n"
