"""The lobby of the theatre, the stage of minimax, and the parts put together."""

from __future__ import annotations

from typing import NamedTuple

from flask import Blueprint, Response, render_template, request
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue

from rl_toolkit.analysis import EngineError
from rl_toolkit.web.api import bad_request, engine_failed, families, nobody_reads, pool_full
from rl_toolkit.web.job_pool import PoolFullError
from rl_toolkit.web.json_fields import BadRequestError
from rl_toolkit.web.searches import ClientGoneError
from rl_toolkit.web.theatre import bandits, experiments, mcts, traces, workbench
from rl_toolkit.web.theatre.turns import TURNS, Turns

#: No prefix: the parts have pages under ``/theatre`` and data under ``/api``.
theatre = Blueprint("theatre", __name__)
for part in (traces, mcts, workbench, bandits, experiments):
    theatre.register_blueprint(part.routes)


class Play(NamedTuple):
    """What there is to watch: its endpoint, title, and one sentence."""

    endpoint: str
    title: str
    sentence: str


PLAYS = (
    Play("theatre.search", "Minimax and alpha-beta", "Step through a search and see why it cuts."),
    Play(
        "theatre.mcts.page", "MCTS", "One simulation at a time: select, expand, play out, back up."
    ),
    Play("theatre.workbench.page", "Workbench", "Trees to work on: values, cuts, order of visits."),
    Play("theatre.bandits.page", "Bandits", "Pull arms yourself, then watch the policies do it."),
    Play("theatre.experiments.page", "Experiments", "Counts and curves that you can run again."),
)


@theatre.record_once
def _remember_turns(state: BlueprintSetupState) -> None:
    state.app.extensions[TURNS] = Turns()


@theatre.app_context_processor
def _plays() -> dict[str, object]:
    return {"plays": PLAYS}


@theatre.get("/theatre")
def lobby() -> str:
    """What there is to watch and do."""
    return render_template("theatre/index.html")


@theatre.get("/theatre/search")
def search() -> str:
    """Minimax and alpha-beta on stage; the script reads position and options in the address."""
    return render_template("theatre/search.html", games=families())


@theatre.errorhandler(BadRequestError)
def _refused(error: BadRequestError) -> ResponseReturnValue:
    if request.path.startswith("/api/"):
        return bad_request(error)
    return Response(
        render_template("error.html", text=str(error), status=error.status), error.status
    )


theatre.register_error_handler(EngineError, engine_failed)
theatre.register_error_handler(PoolFullError, pool_full)
theatre.register_error_handler(ClientGoneError, nobody_reads)
