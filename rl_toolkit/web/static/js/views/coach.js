/** What hints and lessons say, and how the board shows it: an area, a move, a line that is played out. */

import { $ } from "../base/dom.js";
import { side } from "../base/format.js";
import { STEP } from "../play/retry.js";
import { hide } from "./face.js";

const RINGS = { right: "right", wrong: "wrong", ask: "best" };

export class Coach {
  #turn = 0;

  /** `open` says whether a person may move in the position of the session. */
  constructor(session, board, retry, open) {
    Object.assign(this, { session, board, retry, open });
  }

  /** The strip of a lesson. */
  draw() {
    const { retry } = this;
    if (!retry.on) return hide($("#coach"));
    $("#coach").hidden = false;
    if (retry.task.solved && document.activeElement === $("#coach-hint")) $("#coach-next").focus(); // there is no further hint
    $("#coach-count").textContent = retry.count;
    $("#coach-hint").hidden = retry.task.solved;
    $("#coach-next").textContent = retry.isLast ? "Finish" : retry.task.solved ? "Next" : "Skip";
    $("#coach-next").classList.toggle("primary", retry.task.solved);
  }

  say({ text, kind, moves, area }) {
    $("#coach-text").textContent = text;
    $("#coach").dataset.kind = kind;
    this.draw();
    this.show({ moves, cells: area, kind });
  }

  /** Shade all but an area; or play moves out, the first with a ring; or show the position as it is. */
  async show({ moves = [], cells = null, kind = "ask" }) {
    const { session, board } = this;
    const turn = ++this.#turn;
    const { node, position } = session;
    const late = () => turn !== this.#turn || session.node !== node;
    this.#position(position);
    if (cells) return board.marks([{ cells }]);
    if (!moves.length) return;
    const [first] = moves;
    const entry = position.legal.find(({ move }) => move === first);
    const ring = () => board.marks(entry?.cell === null || entry === undefined ? [] : [{ kind: RINGS[kind], from: entry.origin ?? entry.cell, to: entry.cell }]);
    if (kind === "ask") {
      if (typeof entry?.origin === "number") ring(); // an arrow
      board.point(first);
      if (moves.length > 1) await this.#ghosts(moves, late);
      return;
    }
    for (const after of await session.positions.beyond(node, moves)) {
      if (late()) return;
      this.#position(after, false);
      ring();
      await new Promise((resolve) => setTimeout(resolve, STEP));
    }
  }

  async #ghosts(moves, late) {
    const { session, board } = this;
    const [mover, positions] = [session.position.player, await session.positions.beyond(session.node, moves)];
    if (late()) return;
    board.line(positions.map(({ last_cell: cell }, k) => ({ cell, player: k ? positions[k - 1].player : mover })));
  }

  #position(position, open = true) {
    this.board.show(position, { open: open && this.open(), sides: [side(1, position), side(-1, position)] });
    this.board.line();
    this.board.marks([]);
  }
}
