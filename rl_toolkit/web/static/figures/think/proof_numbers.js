/** Proof-number search: the twin of `rl_toolkit.algorithms.proof_numbers`, step by step. */

/**
 * Answers "does the maximizing side get at least `target`?". `childrenOf(place)` and `scoreOf(place)`, null above the
 * leaves, describe the tree. `steps` has for each step the node that was `expanded` and the numbers of the root.
 */
export class ProofSearch {
  nodes = [];
  steps = [];

  constructor(place, { isOr = true, target = 1, childrenOf, scoreOf }) {
    Object.assign(this, { target, childrenOf, scoreOf });
    this.root = this.#made(place, isOr, null);
  }

  /** Expand until the question is answered, or `most` times. */
  run(most = Infinity) {
    while (answerOf(this.root) === null && this.steps.length < most) {
      const leaf = this.mostProving();
      leaf.children = this.childrenOf(leaf.place).map((child) => this.#made(child, !leaf.isOr, leaf));
      for (let node = leaf; node; node = node.parent) update(node);
      this.steps.push({ expanded: leaf, proof: this.root.proof, disproof: this.root.disproof });
    }
    return this;
  }

  mostProving() {
    let node = this.root;
    while (node.children.length) {
      const { isOr, proof, disproof } = node;
      node = node.children.find((child) => (isOr ? child.proof === proof : child.disproof === disproof));
    }
    return node;
  }

  #made(place, isOr, parent) {
    const score = this.scoreOf(place);
    const [proof, disproof] = score === null ? [1, 1] : score >= this.target ? [0, Infinity] : [Infinity, 0];
    const node = { number: this.nodes.length, place, isOr, parent, proof, disproof, children: [] };
    this.nodes.push(node);
    return node;
  }
}

function update(node) {
  const [proofs, disproofs] = [node.children.map((child) => child.proof), node.children.map((child) => child.disproof)];
  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
  node.proof = node.isOr ? Math.min(...proofs) : sum(proofs);
  node.disproof = node.isOr ? sum(disproofs) : Math.min(...disproofs);
}

/** True, false, or null while it is open. */
export const answerOf = ({ proof, disproof }) => (proof === 0 ? true : disproof === 0 ? false : null);

/** The nodes that answer the question: one child where one is enough, else all of them. */
export function proofTree(node) {
  const answer = answerOf(node);
  const told = node.children.filter((child) => answerOf(child) === answer);
  return [node, ...(node.isOr === answer ? told.slice(0, 1) : told).flatMap(proofTree)];
}
