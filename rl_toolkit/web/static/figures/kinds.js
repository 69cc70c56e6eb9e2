/** The kinds of figures by name; each is loaded when a page needs it. */

const LOADERS = {
  tree: () => import("./kinds/tree.js"),
  order: () => import("./kinds/order.js"),
  whole: () => import("./kinds/whole.js"),
  arms: () => import("./kinds/arms.js"),
  waves: () => import("./kinds/waves.js"),
  gridworld: () => import("./kinds/gridworld.js"),
  proof: () => import("./kinds/proof.js"),
  threats: () => import("./kinds/threats.js"),
  uct: () => import("./kinds/uct.js"),
  graph: () => import("./kinds/graph.js"),
  mixture: () => import("./kinds/mixture.js"),
  priors: () => import("./kinds/priors.js"),
  generations: () => import("./kinds/generations.js"),
};

export const KINDS = Object.keys(LOADERS);

export async function loadKind(name) {
  if (!(name in LOADERS)) throw new Error(`there is no figure “${name}”`);
  return (await LOADERS[name]()).default;
}
