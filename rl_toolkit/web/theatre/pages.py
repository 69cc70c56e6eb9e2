"""The lobby of the theatre, the stage of minimax, and the parts put together."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, render_template
from flask.blueprints import BlueprintSetupState

from rl_toolkit.web.api import families
from rl_toolkit.web.theatre import (
    bandits,
    deepening,
    experiments,
    lessons,
    mcts,
    traces,
    workbench,
)
from rl_toolkit.web.theatre.own import PREFIX, searches_here
from rl_toolkit.web.theatre.turns import TURNS, Turns

#: No prefix: the parts have pages under ``/theatre`` and data under ``/api``.
theatre = Blueprint("theatre", __name__)
for part in (traces, deepening, mcts, workbench, bandits, experiments, lessons):
    theatre.register_blueprint(part.routes)


class Play(NamedTuple):
    """What there is to watch: its endpoint, its picture, its title, and a sentence."""

    endpoint: str
    picture: str
    title: str
    sentence: str


PLAYS = (
    Play(
        "theatre.search",
        "search",
        "Minimax and alpha-beta",
        "Step through a search: windows that close, cuts and the reason for each.",
    ),
    Play(
        "theatre.deepening.page",
        "deepening",
        "Iterative deepening",
        "Depth 1, 2, 3 …: what each search leaves for the next, and what that saves.",
    ),
    Play(
        "theatre.mcts.page",
        "mcts",
        "Tree search (MCTS)",
        "One simulation at a time: select, expand, play out, back up.",
    ),
    Play(
        "theatre.proofs",
        "proofs",
        "Proof-number search",
        "Gomoku: a win by fours alone is found, and the search says when it is proven.",
    ),
    Play(
        "theatre.training",
        "training",
        "Self-play training",
        "A network learns from games against itself: heat on the board, and its curves.",
    ),
    Play(
        "theatre.workbench.page",
        "workbench",
        "The workbench",
        "Trees to work on: fill in values, mark cuts, order moves. Checked at once.",
    ),
    Play(
        "theatre.bandits.page",
        "bandits",
        "Bandits",
        "Pull arms yourself, then watch ε-greedy, UCB1 and Thompson do it.",
    ),
    Play(
        "theatre.experiments.page",
        "experiments",
        "Experiments",
        "Counts and curves that you can run again, with questions to think about.",
    ),
)


class Scene(NamedTuple):
    """A search worth watching: a query of the stage, and what it shows."""

    query: str
    sentence: str


SCENES = (
    Scene("tree=(3+12+8)+(2+4+6)+(14+5+2)&t=18", "The first cut of the textbook’s tree"),
    Scene("position=x1o/1x1/2o+x&t=97", "Tic-Tac-Toe: a sibling that is good enough"),
    Scene(
        "tree=(((8+2)+(5+9))+((4+7)+(3+1)))+(((6+9)+(7+8))+((2+1)+(9+4)))&t=72",
        "A bound that was set at the root",
    ),
    Scene("position=x1o/1x1/2o+x&compare=on", "Four searches of one position, side by side"),
    Scene("game=connect-four&position=4453&depth=3", "Connect Four with estimates"),
)


@theatre.record_once
def _remember_turns(state: BlueprintSetupState) -> None:
    state.app.extensions[TURNS] = Turns()


@theatre.get("/theatre")
def lobby() -> str:
    """What there is to watch and do."""
    own = [
        ("theatre.search", {"engine": PREFIX + each.id}, each.id)
        for each in searches_here("minimax")
    ]
    own += [
        ("theatre.mcts.page", {"engine": PREFIX + each.id, "game": each.usual_game}, each.id)
        for each in searches_here("mcts")
    ]
    return render_template("theatre/index.html", plays=PLAYS, scenes=SCENES, own=own)


@theatre.get("/theatre/search")
def search() -> str:
    """Minimax and alpha-beta on stage; the script reads position and options in the address."""
    own = [(PREFIX + each.id, each.title) for each in searches_here("minimax")]
    return render_template("theatre/search.html", games=families(), own=own)


@theatre.get("/theatre/proofs")
def proofs() -> str:
    """Proof numbers on threats of Gomoku; the script reads position and step in the address."""
    return _figure_stage("threats", "proofs", "Proof-number search")


@theatre.get("/theatre/training")
def training() -> str:
    """The network's priors, generation by generation, with the curves of the run."""
    return _figure_stage("generations", "alphazero", "Self-play training")


def _figure_stage(kind: str, chapter: str, title: str) -> str:
    return render_template("theatre/figure.html", kind=kind, chapter=chapter, title=title)
