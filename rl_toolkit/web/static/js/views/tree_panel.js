/**
 * Trees: the top of a tree that an engine or an own bot has kept of its search (visits as size), and
 * the minimax tree of a position with the value of every node; branches that alpha-beta skips are
 * marked. In both, the colour is the side that is ahead. A click on a node makes it the root, and the
 * board shows its position.
 *
 * "look" says which position the board should show: detail is the moves from the game's position.
 */

import { isAbort, post } from "../base/api.js";
import { $, h, svg } from "../base/dom.js";
import { counted, share, signed } from "../base/format.js";
import { Roving } from "../base/roving.js";
import { claimsAbout, playedBy } from "../play/claims.js";

const ROW = 26;
const LETTER = 6.6; // pixels that a character of a label takes, about
const GAP = 44; // pixels between a label and the next ply
const MCTS_DEPTH = 5; // deeper ones would be too large

export class TreeView extends EventTarget {
  #abort = null;
  #path = []; // moves walked from the position on the board
  #kind = null; // the tree that is shown
  #root = ""; // the position whose tree is shown

  /** `growers` are the engines that may keep a tree: `{ name, spec, isOwn }`, `isOwn` for a bot of the user. */
  constructor(session, growers) {
    super();
    Object.assign(this, { session, growers });
    $("#tree-engine").addEventListener("change", () => this.grow("mcts", this.#path));
    this.nodes = new Roving($("#tree"), ".node[role=button]");
    $("#tree-full").addEventListener("click", () => this.#fill(!this.#isFull));
    $("#tree-view").addEventListener("keydown", ({ key }) => key === "Escape" && this.#isFull && this.#fill(false));
  }

  get #isFull() {
    return $("#tree-view").classList.contains("full");
  }

  /** Let the tree have the whole window, and nothing else in it the focus; or give it back. */
  #fill(full) {
    const view = $("#tree-view");
    view.classList.toggle("full", full);
    $("#tree-full").setAttribute("aria-pressed", String(full));
    $("#tree-full").textContent = full ? "Close" : "Full screen";
    const others = [$(".top"), ...[view, $(".side")].flatMap((part) => [...part.parentElement.children].filter((other) => other !== part))];
    for (const other of others) other.inert = full;
    $("#tree-full").focus();
  }

  /** The moves walked from the position of the game. */
  get path() {
    return this.#path;
  }

  /** Clear the tree if another position is on the board. */
  draw() {
    const root = JSON.stringify(this.session.question());
    if (root === this.#root) return;
    this.#root = root;
    this.#abort?.abort();
    this.#path = [];
    this.#kind = null;
    $("#tree").replaceChildren();
    $("#tree-path").replaceChildren();
    $("#tree-legend").hidden = true;
    const { done } = this.session.position;
    this.#fillEngines();
    for (const id of ["#grow-mcts", "#grow-game"]) $(id).disabled = done;
    $("#tree-state").textContent = done ? "The game is over here." : "Show a tree of the position on the board.";
    this.#watch();
  }

  /** Links to the theatre, for the position on the board. */
  #watch() {
    const { game, position, done } = this.session.position;
    $("#watch").hidden = done;
    for (const link of $("#watch").children) link.search = new URLSearchParams({ game, position });
  }

  /** Grow the tree that is shown again, after its depth has changed. */
  async regrow() {
    if (this.#kind) await this.grow(this.#kind, this.#path);
  }

  async grow(kind = this.#kind, path = []) {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#kind = kind;
    this.#path = path;
    this.#look();
    $("#tree-state").textContent = "Searching …";
    const question = this.session.question();
    question.moves = [...question.moves, ...path.map((step) => step.move)];
    const depth = Number($("#tree-levels").value);
    try {
      if (kind === "mcts") await this.#growMcts(question, depth, abort.signal);
      else await this.#growMinimax(question, depth, abort.signal);
      $("#tree-sizes").hidden = kind !== "mcts";
      $("#tree-legend").hidden = false;
    } catch (error) {
      if (!isAbort(error)) $("#tree-state").textContent = error.message;
    }
    if (!abort.signal.aborted) this.#crumbs();
  }

  #fillEngines() {
    const before = $("#tree-engine").value || document.body.dataset.own;
    const options = this.growers().map(({ name, spec }) => h("option", { value: spec, text: name, selected: spec === before }));
    $("#tree-engine").replaceChildren(...options);
    $("#tree-by").hidden = options.length < 2;
  }

  /** The answer of an engine with its tree; of a bot that has moved here the tree of that search. */
  async #grown({ spec: engine, isOwn }, question, tree, signal) {
    const played = isOwn && !this.#path.length ? playedBy(this.session.node, engine) : null;
    const kept = played === null ? null : await claimsAbout(question, engine, played, { tree }, signal);
    return kept?.tree ? kept : post("/api/analyse", { ...question, engine, ...(isOwn ? {} : { time: 1 }), tree }, signal);
  }

  async #growMcts(question, asked, signal) {
    const growers = this.growers();
    const grower = growers.find(({ spec }) => spec === $("#tree-engine").value) ?? growers[0];
    const who = grower.name;
    const depth = Math.min(asked, MCTS_DEPTH);
    const answer = await this.#grown(grower, question, { depth, top: 4 }, signal);
    this.#draw(answer.tree, mctsNode);
    const less = depth < asked ? ` Depth ${asked} would be too large; showing depth ${depth}.` : "";
    const work = answer.simulations === null ? "" : `${counted(answer.simulations, "simulation")}, `;
    const moves = `${work}the 4 most visited moves of each node.`;
    $("#tree-state").textContent = `${who}: ${answer.text}. ${moves[0].toUpperCase()}${moves.slice(1)}${less}`;
  }

  async #growMinimax(question, depth, signal) {
    const answer = await post("/api/game-tree", { ...question, depth }, signal);
    this.#draw(answer.tree, minimaxNode);
    const { proven, text } = answer.tree;
    const branches = answer.cut_off === 1 ? "1 branch (dashed line): it cannot" : `${answer.cut_off} branches (dashed lines): they cannot`;
    $("#tree-state").textContent = [
      `${answer.engine}: ${text}${proven || text === "Unknown" ? "" : " (estimate)"}. ${counted(answer.nodes, "node")}.`,
      ...answer.notes,
      answer.cut_off ? `Alpha-beta skips ${branches} change the result.` : "",
    ].filter(Boolean).join(" ");
  }

  #look() {
    this.dispatchEvent(new CustomEvent("look", { detail: this.#path }));
  }

  #crumbs() {
    const crumb = (text, path) =>
      h("li", {}, h("button", { type: "button", class: "small", text, on: { click: () => this.grow(this.#kind, path) } }));
    $("#tree-path").replaceChildren(
      crumb("the game", []),
      ...this.#path.map((step, k) => crumb(step.name, this.#path.slice(0, k + 1))),
    );
    $("#tree-path").hidden = this.#path.length === 0;
  }

  #draw(root, look) {
    const top = this.#path.at(-1)?.name ?? "now";
    const looks = new Map();
    const wide = []; // the longest label of each ply
    const read = (node, depth) => {
      const seen = look(node, root, depth ? node.name : top);
      if (depth === 0) seen.text = top; // its value is in the sentence above
      looks.set(node, seen);
      wide[depth] = Math.max(wide[depth] ?? 0, 2 * seen.r + 5 + LETTER * seen.text.length);
      node.children.forEach((child) => read(child, depth + 1));
    };
    read(root, 0);
    const shown = [...looks.values()];
    $("#tree-dashed").hidden = !shown.some(({ proven, value }) => !proven && value !== null);
    $("#tree-empty").hidden = !shown.some(({ value }) => value === null);
    const left = [14];
    wide.forEach((width, depth) => (left[depth + 1] = left[depth] + width + GAP));
    let leaf = 0;
    const [links, nodes] = [[], []];
    const place = (node, depth, path) => {
      const slot = nodes.push(null) - 1; // parents before children, in the order of the keyboard
      const children = node.children.map((child) => place(child, depth + 1, [...path, child]));
      const y = children.length ? (children[0].y + children.at(-1).y) / 2 : ROW * leaf++ + ROW / 2 + 4;
      const seen = looks.get(node);
      const at = { x: left[depth], y, node };
      // Links begin where the label ends, so that they do not cross it.
      const from = at.x + seen.r + 11 + LETTER * seen.text.length;
      for (const child of children) {
        const cut = child.node.cut_off ? " cut" : "";
        const best = child.node.best ? " best" : "";
        const middle = (from + child.x) / 2;
        const d = `M${from} ${at.y}C${middle} ${at.y} ${middle} ${child.y} ${child.x - child.r} ${child.y}`;
        links.push(svg("path", { class: `link${cut}${best}`, d }));
      }
      nodes[slot] = this.#node(at, seen, path);
      return { ...at, r: seen.r };
    };
    const rooted = place(root, 0, []);
    const size = { width: left.at(-1) - GAP + 8, height: ROW * leaf + 8 };
    $("#tree").replaceChildren(
      svg("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": "search tree" }, ...links, ...nodes),
    );
    this.nodes.refresh();
    $("#tree").scrollTop = rooted.y - $("#tree").clientHeight / 2;
  }

  #node({ x, y, node }, look, path) {
    const walk = () => path.length && !node.over && this.grow(this.#kind, [...this.#path, ...path.map(({ move, name }) => ({ move, name }))]);
    const open = path.length > 0 && !node.over;
    const kind = [look.value === null && "unknown", look.proven && "proven", node.cut_off && "cut"].filter(Boolean).join(" ");
    return svg(
      "g",
      {
        class: `node ${kind}`,
        transform: `translate(${x} ${y})`,
        "data-path": path.map(({ name }) => name).join(" "),
        tabindex: open ? "-1" : undefined,
        role: open ? "button" : "img",
        "aria-label": look.title,
        vars: { "--share": ((look.value ?? 0) + 1) / 2 },
        on: { click: walk, keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), walk()) },
      },
      svg("title", { text: look.title }),
      look.square
        ? svg("rect", { x: -look.r, y: -look.r, width: 2 * look.r, height: 2 * look.r, rx: 3 })
        : svg("circle", { r: look.r }),
      svg("text", { x: look.r + 5, y: 4, text: look.text }),
    );
  }
}

function mctsNode(node, root, name) {
  const part = Math.sqrt(node.visits / Math.max(1, root.visits));
  const prior = node.prior === null ? "" : `, prior ${share(node.prior)}`;
  const text = `${name} ${node.label}`;
  const uct = node.proven ? ", solved" : `, UCT ${signed(node.exploitation)} + ${node.exploration.toFixed(2)}`;
  return {
    r: 3.5 + 8 * part,
    value: node.value,
    proven: node.proven,
    text,
    title: `${text}, ${counted(node.visits, "visit")}${node.move === null || !node.visits ? "" : uct}${prior}`,
  };
}

function minimaxNode(node, root, name) {
  const text = `${name} ${node.label}${node.cut_off ? " ✂" : ""}`;
  const further = [node.best && "best", node.cut_off && "skipped", node.over && "the game is over"].filter(Boolean);
  return { r: 7, square: true, value: node.value, proven: node.proven, text, title: [text, ...further].join(", ") };
}
