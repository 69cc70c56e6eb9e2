/** Trees that people type, `(3 12 8) (2 4 6)` or `min (3 5) (6 9)`, as `rl_toolkit.envs.hand_trees` reads them. */

/** `{ root, first }`: nodes have `number`, `name` and `children` or `value`; `first` is +1 where MAX begins. */
export function readTree(text) {
  const words = text.match(/[()]|[^\s(),]+/g) ?? [];
  const side = /^(min|max)$/i.test(words[0] ?? "") ? words.shift().toLowerCase() : "max";
  let at = 0;
  const inside = () => {
    const children = [];
    while (at < words.length && words[at] !== ")") {
      const word = words[at++];
      if (word === "(") {
        children.push({ children: inside() });
        if (words[at++] !== ")") throw new SyntaxError("a parenthesis is not closed");
      } else {
        const value = Number(word.replace("−", "-"));
        if (!Number.isFinite(value)) throw new SyntaxError(`“${word}” is not a number`);
        children.push({ value });
      }
    }
    if (!children.length) throw new SyntaxError("a node has no children");
    return children;
  };
  let root = { children: inside() };
  if (at < words.length) throw new SyntaxError("there is a parenthesis too many");
  if (root.children.length === 1 && root.children[0].children) [root] = root.children; // parentheses round everything
  let count = 0;
  const name = (node, called) => {
    node.number = count++;
    node.name = called;
    node.children?.forEach((child, place) => name(child, childName(called, place)));
  };
  name(root, "");
  return { root, first: side === "min" ? -1 : 1 };
}

/** A, B below the root, A1, A2 below A, A1a, A1b below A1, and so on. */
function childName(above, place) {
  if (!above) return String.fromCharCode(65 + place);
  return above + (/\d$/.test(above) ? String.fromCharCode(97 + place) : place + 1);
}

export function writeTree({ root, first }) {
  const write = (node) => (node.children ? `(${node.children.map(write).join(" ")})` : String(node.value));
  return (first < 0 ? "min " : "") + root.children.map(write).join(" ");
}

export const leavesOf = (node) => (node.children ? node.children.flatMap(leavesOf) : [node]);

/** The node and all below it, each with its parent and depth, in the order of their numbers. */
export function walk(node, depth = 0, parent = null) {
  return [{ node, depth, parent }, ...(node.children ?? []).flatMap((child) => walk(child, depth + 1, node))];
}

/** A tree as a game: a move is the number of the node that it leads to. */
export class TreeGame {
  sides = { 1: "MAX", "-1": "MIN" };
  isTyped = true;

  constructor({ root, first }) {
    this.path = [root];
    this.first = first;
    this.names = new Map(walk(root).map(({ node }) => [node.number, node.name]));
  }

  get here() {
    return this.path.at(-1);
  }

  get side() {
    return this.path.length % 2 ? this.first : -this.first;
  }

  /** The result for MAX, null while the game goes on. */
  get result() {
    return this.here.children ? null : this.here.value;
  }

  get moves() {
    return this.here.children?.map((child) => child.number) ?? [];
  }

  get key() {
    return this.here.number;
  }

  name(move) {
    return this.names.get(move);
  }

  play(move) {
    this.path.push(this.here.children.find((child) => child.number === move));
  }

  undo() {
    this.path.pop();
  }
}
