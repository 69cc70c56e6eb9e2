/**
 * Trees: the top of an MCTS tree (visits as size, value as colour), and the minimax tree of a
 * position with the value of every node; branches that alpha-beta skips are marked.
 */

import { isAbort, post } from "./api.js";
import { $, h, svg } from "./dom.js";
import { count, percent, signed, tone } from "./format.js";

const ROW = 26;
const [NARROW, WIDE] = [84, 150]; // pixels from ply to ply
const LETTER = 7; // pixels that a character of a label takes, about
const LAST = 80; // pixels for the labels of the last ply

export class TreeView {
  #abort = null;
  #path = []; // moves walked from the position on the board
  #kind = "mcts";
  #root = ""; // the position whose tree is shown

  constructor(game) {
    this.game = game;
  }

  /** Clear the tree if another position is on the board. */
  reset() {
    const root = JSON.stringify(this.game.question());
    if (root === this.#root) return;
    this.#root = root;
    this.#abort?.abort();
    this.#path = [];
    $("#tree").replaceChildren();
    $("#tree-path").replaceChildren();
    $("#tree-state").textContent = "Show a tree of the position on the board.";
  }

  async grow(kind = this.#kind, path = []) {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#kind = kind;
    this.#path = path;
    $("#tree-state").textContent = "Searching …";
    const question = this.game.question();
    question.moves = [...question.moves, ...path.map((step) => step.move)];
    try {
      if (kind === "mcts") {
        const { value: engine, text: who } = $("#kibitzer [data-grows]:checked") ?? $("#kibitzer [data-grows]");
        const asked = { ...question, engine, time: 1, tree: { depth: 3, top: 4 } };
        const { tree, simulations } = await post("/api/analyse", asked, abort.signal);
        this.#draw(tree, mctsNode);
        const many = `${count(simulations)} ${simulations === 1 ? "simulation" : "simulations"}`;
        $("#tree-state").textContent = `${who}: ${many}. Larger nodes have more visits.`;
      } else {
        const levels = Number($("#tree-levels").value);
        const answer = await post("/api/game-tree", { ...question, levels }, abort.signal);
        this.#draw(answer.tree, gameNode);
        const sure = answer.tree.proven ? "With best play" : "As far as the engine can see";
        const branches = answer.cut_off === 1 ? "1 branch (dashed): it cannot" : `${answer.cut_off} branches (dashed): they cannot`;
        const cut = answer.cut_off ? ` Alpha-beta skips ${branches} change the result.` : "";
        $("#tree-state").textContent = `${sure}: ${goes(answer.tree)}. ${count(answer.nodes)} nodes.${cut}`;
      }
    } catch (error) {
      if (!isAbort(error)) $("#tree-state").textContent = error.message;
    }
    if (!abort.signal.aborted) this.#crumbs();
  }

  #crumbs() {
    const crumb = (text, path) =>
      h("li", {}, h("button", { type: "button", class: "small", text, on: { click: () => this.grow(this.#kind, path) } }));
    $("#tree-path").replaceChildren(
      crumb("position", []),
      ...this.#path.map((step, k) => crumb(step.name, this.#path.slice(0, k + 1))),
    );
  }

  #draw(root, look) {
    let leaf = 0;
    const [links, nodes] = [[], []];
    const plies = depthOf(root) - 1;
    const room = ($("#tree").clientWidth - LAST - 14) / plies;
    const step = Math.max(NARROW, Math.min(WIDE, room));
    const place = (node, depth, path) => {
      const slot = nodes.push(null) - 1; // parents before children, in the order of the keyboard
      const children = node.children.map((child) => place(child, depth + 1, [...path, child]));
      const y = children.length ? (children[0].y + children.at(-1).y) / 2 : ROW * leaf++ + ROW / 2 + 4;
      const looks = look(node, root);
      const at = { x: depth * step + 14, y, node };
      // Links begin where the label ends, so that they do not cross it.
      const from = at.x + looks.r + 11 + LETTER * looks.text.length;
      for (const child of children) {
        const cut = child.node.cut_off ? " cut" : "";
        const best = child.node.best ? " best" : "";
        const middle = (from + child.x) / 2;
        const d = `M${from} ${at.y}C${middle} ${at.y} ${middle} ${child.y} ${child.x - child.r} ${child.y}`;
        links.push(svg("path", { class: `link${cut}${best}`, d }));
      }
      nodes[slot] = this.#node(at, looks, path);
      return { ...at, r: looks.r };
    };
    const top = place(root, 0, []);
    const size = { width: plies * step + LAST + 14, height: ROW * leaf + 8 };
    $("#tree").replaceChildren(
      svg("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": "search tree" }, ...links, ...nodes),
    );
    $("#tree").scrollTop = top.y - $("#tree").clientHeight / 2;
  }

  #node({ x, y, node }, look, path) {
    const walk = () => path.length && !node.over && this.grow(this.#kind, [...this.#path, ...path.map(({ move, name }) => ({ move, name }))]);
    const open = path.length > 0 && !node.over;
    return svg(
      "g",
      {
        class: `node ${look.tone}${look.proven ? " proven" : ""}${node.cut_off ? " cut" : ""}`,
        transform: `translate(${x} ${y})`,
        "data-path": path.map(({ name }) => name).join(" "),
        tabindex: open ? "0" : undefined,
        role: open ? "button" : "img",
        "aria-label": look.title,
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

const depthOf = (node) => 1 + Math.max(0, ...node.children.map(depthOf));

function mctsNode(node, root) {
  const part = Math.sqrt(node.visits / Math.max(1, root.visits));
  const prior = node.prior === null ? "" : `, prior ${Math.round(100 * node.prior)} %`;
  const split = node.move === null ? "" : `, UCT ${signed(node.exploitation)} + ${node.exploration.toFixed(2)}`;
  return {
    r: 3 + 8 * part,
    tone: tone(node.value),
    proven: node.outcome !== null,
    text: node.move === null ? "now" : `${node.name} ${node.outcome ?? percent(node.value)}`,
    title: `${node.name || "the position"}: ${count(node.visits)} ${node.visits === 1 ? "visit" : "visits"}, value ${signed(node.value)}${split}${prior}`,
  };
}

const goes = (node) => (node.value > 0.9 ? "X wins" : node.value < -0.9 ? "O wins" : node.proven ? "a draw" : `${percent(node.value)} for X`);

/** Values are X's here: green is good for X, red for O. */
function gameNode(node) {
  const value = node.proven ? signed(node.value, 0) : signed(node.value, 1);
  return {
    r: 7,
    square: true,
    tone: tone(node.value),
    proven: node.proven,
    text: `${node.name ?? "now"} ${value}${node.cut_off ? " ✂" : ""}`,
    title: `${node.name ?? "the position"}: ${goes(node)}${node.cut_off ? ", skipped" : ""}${node.over ? ", the game is over" : ""}`,
  };
}
