"""The experiment that proves an opening of Gomoku, and checks such proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_toolkit.algorithms.gomoku import (
    Opening,
    OpeningProver,
    check_opening,
    opening_of,
    proof_from_rows,
    proof_to_rows,
)
from rl_toolkit.arena.runs import Journal
from rl_toolkit.cli.experiments.show import Report
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments import Column, Result
from rl_toolkit.utils import read_object
from rl_toolkit.utils.svg import Chart

_KIND = "gomoku-proof"


def prove(game: str, moves: str, path: str, report: Report) -> Result:
    """Prove every reply to the opening, continuing the proof in the file if there is one."""
    env, opening = _opening(game, moves)
    replies = opening.replies()
    work = {"game": env.name, "moves": _names(env, opening.moves)}
    stopped = ""
    with Journal(path, _KIND, work) as journal:
        done = {env.parse_move(line["reply"]): line for line in journal.done}
        left = [reply for reply in replies if reply not in done]
        try:
            prover = OpeningProver(opening)
            for number, reply in enumerate(left, len(done)):
                report(number, len(replies), f"{env.move_name(reply)} …")
                proof = prover.answer(reply)
                rows = None if proof.proof is None else proof_to_rows(proof.proof)
                line = {"reply": env.move_name(reply), "nodes": proof.nodes, "proof": rows}
                journal.add(line)
                done[reply] = line
        except KeyboardInterrupt:
            stopped = (
                f"Stopped after {len(done)} of {len(replies)} replies; "
                "run the same command to resume."
            )
    return _result(env, opening, done, f"Proof: {path}", stopped)


def check(path: str, report: Report) -> Result:
    """Replay every proof in the file against every reply, with rules of its own."""
    try:
        whole, _, _ = Path(path).read_text("utf-8").rpartition("\n")  # the rest was cut off
        head, *lines = [read_object(text) for text in whole.splitlines()]
        if head.get("format") != f"rl_toolkit {_KIND}":
            raise ValueError("it is not a proof of an opening")
        env, opening = _opening(head["game"], " ".join(head["moves"]))
        done = {env.parse_move(line["reply"]): line for line in lines}
        proofs = {
            reply: proof_from_rows(line["proof"])
            for reply, line in done.items()
            if line["proof"] is not None
        }
        if not all(type(line["nodes"]) is int for line in lines):
            raise ValueError("nodes must be a whole number")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} cannot be checked: {error}") from error
    played = 0
    for number, (reply, proof) in enumerate(proofs.items()):
        report(number, len(proofs), f"{env.move_name(reply)} …")
        line, replies = check_opening(opening, reply, proof)
        played += replies
        if line is not None:
            shown = " ".join(_names(env, line))
            raise ValueError(f"{path} proves nothing: it does not answer {shown}")
    return _result(env, opening, done, f"Checked: {played:,} replies were answered.")


def _opening(game: str, moves: str) -> tuple[BaseGameEnv, Opening]:
    env = make_game(game)
    start = env.copy()
    for name in moves.split():
        env.step(env.parse_move(name))
    return start, opening_of(env)


def _names(env: BaseGameEnv, cells: list[int] | tuple[int, ...]) -> list[str]:
    return [env.move_name(cell) if cell in env.get_legal_moves() else str(cell) for cell in cells]


def _result(
    env: BaseGameEnv,
    opening: Opening,
    done: dict[int, dict[str, Any]],
    last: str,
    stopped: str = "",
) -> Result:
    """The replies by the quiet move that answers them, and what they prove together."""
    replies = opening.replies()
    side = env.traits.side(1 if opening.attacker == 0 else -1)
    by_move: dict[str, list[int]] = {}
    for reply in replies:
        rows = done[reply]["proof"] if reply in done else None
        if rows is not None:
            by_move.setdefault(env.move_name(rows[-1][0]), []).append(int(done[reply]["nodes"]))
    order = sorted(by_move, key=lambda name: (-len(by_move[name]), name))
    proven = sum(map(len, by_move.values()))
    missing = [env.move_name(r) for r in replies if r in done and done[r]["proof"] is None]
    names = " ".join(_names(env, opening.moves))
    if proven == len(replies):
        verdict = f"{side} wins after {names}: every reply is answered."
    else:
        verdict = f"{proven} of {len(replies)} replies are answered; the opening is not proven."
    remarks = [verdict, last]
    if len(replies) < env.rows * env.cols - len(opening.moves):
        remarks.insert(1, "The opening is its own mirror image, so half of the replies suffice.")
    if missing:
        remarks.insert(1, f"Not proven: {', '.join(missing)}.")
    return Result(
        title=f"Proof that {side} wins on {env.name} after {names}",
        columns=[
            Column("answer", "plain"),
            *(Column(what) for what in ("replies", "nodes", "most")),
        ],
        cells=[[name, len(n := by_move[name]), sum(n), max(n)] for name in order],
        remarks=remarks,
        chart=Chart(
            f"Replies by their answer, after {names}",
            order,
            [len(by_move[name]) for name in order],
            "replies",
        ),
        data={
            "game": env.name,
            "moves": _names(env, opening.moves),
            "replies": len(replies),
            "proven": proven,
            "not_proven": missing,
            "nodes": sum(int(line["nodes"]) for line in done.values()),
            "wins": proven == len(replies),
        },
        stopped=stopped,
    )
