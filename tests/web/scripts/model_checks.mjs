/**
 * Checks of the scripts under `js/model`, run by Node: `node model_checks.mjs JS_FOLDER GOLDEN_FILE`.
 * It prints a JSON object with a line for each check: null, or what was wrong.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [, , folder, golden] = process.argv;
const { GLYPHS, Node, Tree } = await import(`${folder}/model/tree.js`);
const codec = await import(`${folder}/model/codec.js`);
const { stepsOf } = await import(`${folder}/play/hints.js`);
const { isEnough } = await import(`${folder}/play/retry.js`);
const { Reviewing } = await import(`${folder}/play/reviewing.js`);
const { Values, isSettled, threatIn } = await import(`${folder}/model/values.js`);

/** Numbers that look random and are the same every time. */
function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { below: (n) => Math.floor(next() * n), pick: (list) => list[Math.floor(next() * list.length)] };
}

const TEXTS = ["", "a fork", "Zug (1) *0 $5 ~ 50 %", "ü ≈ 🙂\nnext line", "%28"];

/** A tree in the simplest form that could be right: lists of children and notes, by path. */
class Reference {
  constructor() {
    this.children = { "": [] };
    this.notes = { "": note() };
    this.undone = [];
    this.redone = [];
  }

  static path = (path, move) => (path === "" ? `${move}` : `${path} ${move}`);

  add(path, move) {
    const child = Reference.path(path, move);
    if (child in this.notes) return;
    this.children[path].push(move);
    this.children[child] = [];
    this.notes[child] = note();
    for (const { later } of [...this.undone, ...this.redone]) later.push([path, move]);
  }

  edit(change) {
    this.undone.push(this.copy());
    this.undone = this.undone.slice(-50);
    this.redone = [];
    change();
  }

  remove(path) {
    const [parent, move] = split(path);
    this.children[parent] = this.children[parent].filter((other) => other !== move);
    for (const each of Object.keys(this.notes))
      if (each === path || each.startsWith(`${path} `)) {
        delete this.notes[each];
        delete this.children[each];
      }
  }

  fork(path) {
    for (let at = path; at !== ""; at = split(at)[0]) {
      const [parent, move] = split(at);
      if (this.children[parent][0] !== move) return at;
    }
    return null;
  }

  promote(path) {
    const [parent, move] = split(this.fork(path));
    const list = this.children[parent];
    const at = list.indexOf(move);
    list.splice(at - 1, 2, list[at], list[at - 1]);
  }

  makeMain(path) {
    for (let at = path; at !== ""; at = split(at)[0]) {
      const [parent, move] = split(at);
      this.children[parent] = [move, ...this.children[parent].filter((other) => other !== move)];
    }
  }

  copy() {
    return { text: JSON.stringify([this.children, this.notes]), later: [] };
  }

  /** Moves that were added after the copy was made stay, with their notes and in their places. */
  swap(from, to) {
    if (!from.length) return;
    to.push(this.copy());
    const [children, notes] = [this.children, this.notes];
    const { text, later } = from.pop();
    [this.children, this.notes] = JSON.parse(text);
    for (const [path, move] of later) {
      const child = Reference.path(path, move);
      if (!(child in notes) || !(path in this.notes) || child in this.notes) continue;
      this.children[path].splice(children[path].indexOf(move), 0, move);
      this.children[child] = [];
      this.notes[child] = notes[child];
    }
  }
}

const note = () => ({ comment: "", glyph: "", marks: [] });

function split(path) {
  const moves = path.split(" ");
  const move = Number(moves.pop());
  return [moves.join(" "), move];
}

/** What a tree says, in the form of a reference. */
function toldBy(tree) {
  const [children, notes] = [{}, {}];
  for (const node of tree.root.walk()) {
    children[node.path] = node.children.map(({ move }) => move);
    notes[node.path] = { comment: node.comment, glyph: node.glyph, marks: node.marks };
  }
  return [children, notes];
}

const nodesOf = (tree) => [...tree.root.walk()];

/** One random edit; `reference` may be left out. */
function edit(tree, random, reference = null) {
  const node = random.pick(nodesOf(tree));
  const { path } = node;
  const kind = random.below(12);
  const both = (change, wanted) => {
    const did = change();
    if (did && reference) reference.edit(wanted);
  };
  if (kind < 4) {
    const move = random.below(5);
    tree.add(node, { move, name: `m${move}` });
    reference?.add(path, move);
  } else if (kind === 4) both(() => tree.promote(node), () => reference.promote(path));
  else if (kind === 5) both(() => tree.makeMain(node), () => reference.makeMain(path));
  else if (kind === 6) both(() => tree.remove(node), () => reference.remove(path));
  else if (kind === 7) {
    const text = random.pick(TEXTS);
    both(() => tree.comment(node, text), () => (reference.notes[path].comment = text));
  } else if (kind === 8) {
    const glyph = random.pick(GLYPHS);
    both(() => tree.glyph(node, glyph), () => (reference.notes[path].glyph = reference.notes[path].glyph === glyph ? "" : glyph));
  } else if (kind === 9) {
    const [from, to] = [random.below(3), random.below(3)];
    both(() => tree.mark(node, from, to), () => {
      const same = (mark) => mark.from === from && mark.to === to;
      const { marks } = reference.notes[path];
      reference.notes[path].marks = marks.some(same) ? marks.filter((mark) => !same(mark)) : [...marks, { from, to }];
    });
  } else if (kind === 10) {
    tree.undo();
    reference?.swap(reference.undone, reference.redone);
  } else {
    tree.redo();
    reference?.swap(reference.redone, reference.undone);
  }
}

function grown(seed, count = 60) {
  const tree = new Tree(() => 0);
  const random = dice(seed);
  for (let k = 0; k < count; k += 1) edit(tree, random);
  return tree;
}

const checks = {
  whatIsLearnedFrom() {
    const move = (ply, player, mark, value_lost, sure) => ({ ply, player, review: { mark, value_lost, sure } });
    const worst = (moves, result, side) => {
      const tree = { played: { parent: true, line: moves } };
      return new Reviewing({ tree, result }, null).worst(side).map(({ ply }) => ply);
    };
    const small = [move(1, 1, "inaccuracy", 0.1, false), move(2, -1, "inaccuracy", 0.5, false), move(3, 1, "inaccuracy", 0.2, false), move(5, 1, null, 0.9, false)];
    assert.deepEqual(worst(small, -1, 1), [3]); // the worst of a lost game
    assert.deepEqual(worst(small, -1, 0), [3]);
    for (const result of [1, 0, null]) assert.deepEqual(worst(small, result, 1), []);
    const sure = [...small, move(7, 1, "mistake", 0.15, true), move(9, 1, "blunder", 0.4, true)];
    assert.deepEqual(worst(sure, -1, 1), [9, 7]);
  },

  a_try_that_is_enough() {
    const tried = (value_lost, mark = null, pace = null) => isEnough({ value_lost, mark, pace }, { value_lost: 0.2 });
    assert.deepEqual([0, 0.1, 0.12, 0.2].map((lost) => tried(lost)), [true, true, false, false]);
    assert.deepEqual([tried(0.08, "inaccuracy"), tried(0, null, { kind: "hastened" }), tried(0, null, { kind: "delayed" })], [false, false, true]);
    assert.ok(isEnough({ value_lost: 0, mark: null, pace: null }, { value_lost: 0 })); // lost anyway
  },

  random_edits_are_those_of_the_reference() {
    for (let seed = 0; seed < 4; seed += 1) {
      const [tree, reference, random] = [new Tree(() => 0), new Reference(), dice(seed)];
      for (let k = 0; k < 1000; k += 1) {
        edit(tree, random, reference);
        if (k % 20 === 0 || k > 950) assert.deepEqual(toldBy(tree), [reference.children, reference.notes]);
        assert.equal(tree.at(tree.now.path), tree.now);
      }
    }
  },

  texts_and_plain_data_give_the_tree_back() {
    let notes = 0;
    for (let seed = 0; seed < 1000; seed += 1) {
      const tree = grown(seed);
      const again = codec.read(codec.write(tree.root));
      assert.deepEqual(toldBy({ root: again }), toldBy(tree));
      assert.match(codec.write(tree.root), /^[\w.~()*:;$%-]+$/);
      const copy = new Tree();
      copy.openPlain(JSON.parse(JSON.stringify(tree.plain())));
      assert.deepEqual(copy.plain(), tree.plain());
      notes += nodesOf(tree).filter(({ comment }) => comment).length;
    }
    assert.ok(notes > 1000);
  },

  large_moves_take_two_signs_and_long_lines_no_deep_stack() {
    const tree = new Tree();
    let node = tree.root;
    for (let k = 0; k < 5000; k += 1) node = tree.add(node, { move: k % 4225 });
    assert.deepEqual(codec.read(codec.write(tree.root)).end.moves, node.moves);
    assert.ok(codec.write(tree.root).startsWith("2~"));
  },

  what_is_not_a_tree_is_refused() {
    for (const text of ["", "1", "3~0", "1~)", "1~(0", "1~0(", "1~*7", "1~0*", "1~:1-;", "1~0$abc", "1~0$%E0%A4%A$", "1~é", "2~0", "1~(0)0", "1~(0)(0)1"])
      assert.equal(codec.read(text), null, text);
    assert.equal(codec.read("1~").next, null);
  },

  async packed_links_are_shorter_and_read_back() {
    const tree = new Tree();
    tree.comment(tree.add(tree.root, { move: 3 }), "a comment that repeats itself, a comment that repeats itself");
    const text = codec.write(tree.root);
    const short = await codec.packed(text);
    assert.ok(short.length < text.length);
    assert.equal(await codec.unpacked(short), text);
    assert.equal(await codec.unpacked(encodeURIComponent(text)), text);
    assert.equal(await codec.unpacked("z~!!"), "");
    assert.equal(await codec.packed("1~0123"), "1~0123");
  },

  links_are_as_agreed() {
    for (const { moves, text } of JSON.parse(readFileSync(golden, "utf-8"))) {
      const root = codec.read(text);
      assert.deepEqual(root.end.moves, moves, text);
      assert.equal(codec.write(root), text);
    }
  },

  the_game_as_played_is_sacred() {
    const tree = new Tree();
    const root = new Node(null, null);
    let node = root;
    for (const move of [3, 1, 4]) {
      const child = new Node(node, move);
      node.children.push(child);
      node = child;
    }
    tree.open(root, root.end);
    const other = tree.add(tree.at("3"), { move: 5 });
    assert.ok(tree.makeMain(other));
    assert.deepEqual(tree.end.moves, [3, 5]);
    assert.deepEqual(tree.played.moves, [3, 1, 4]);
    assert.equal(tree.remove(tree.at("3 1")), false);
    assert.ok(tree.isPlayed(tree.at("3")) && !tree.isPlayed(other));
    const copy = new Tree();
    copy.openPlain(tree.plain());
    assert.ok(copy.backToPlayed());
    assert.deepEqual(copy.end.moves, [3, 1, 4]);
    assert.equal(copy.now, copy.end);
    assert.ok(copy.at("3 5")); // nothing is lost
  },

  undoing_an_edit_keeps_what_another_tab_has_done() {
    const [here, there] = [new Tree(), new Tree()];
    const [d] = [3, 2].map((move) => here.add(here.root, { move }));
    here.add(d, { move: 4 });
    there.merge(here.plain());
    const meet = () => {
      there.merge(here.plain());
      here.merge(there.plain());
    };
    here.comment(d, "mine");
    meet();
    there.add(there.at("2"), { move: 6 });
    there.comment(there.at("2"), "theirs");
    there.remove(there.at("3 4"));
    meet();
    assert.ok(here.undo());
    assert.equal(here.at("3").comment, "");
    assert.equal(here.at("2").comment, "theirs");
    assert.ok(here.at("2 6"));
    assert.equal(here.at("3 4"), null);
    meet();
    for (const tree of [here, there]) {
      assert.deepEqual([...tree.root.walk()].map(({ path }) => path), ["", "3", "2", "2 6"]);
      assert.deepEqual(["3", "2"].map((path) => tree.at(path).comment), ["", "theirs"]);
    }
    assert.ok(here.redo());
    assert.equal(here.at("3").comment, "mine");
    assert.ok(here.at("2 6"));
  },

  undoing_an_edit_keeps_the_moves_played_since() {
    const tree = new Tree();
    tree.playOn(tree.add(tree.root, { move: 3 }));
    tree.comment(tree.at("3"), "the middle");
    tree.playOn(tree.add(tree.at("3"), { move: 1 }));
    tree.playOn(tree.add(tree.at("3 1"), { move: 4 }));
    assert.ok(tree.undo());
    assert.equal(tree.at("3").comment, "");
    assert.deepEqual(tree.played.moves, [3, 1, 4]);
    assert.ok(tree.redo());
    assert.equal(tree.at("3").comment, "the middle");
    assert.deepEqual(tree.played.moves, [3, 1, 4]);
  },

  a_move_taken_back_stays_and_the_game_follows_the_last_one_played() {
    const [here, there] = [new Tree(), new Tree()];
    for (const [path, move] of [["", 3], ["3", 1], ["3 1", 4]]) here.playOn(here.add(here.at(path), { move }));
    there.openPlain(here.plain());
    here.playOn(here.add(here.at("3"), { move: 5 })); // two moves were taken back
    assert.deepEqual(here.end.moves, [3, 5]);
    assert.deepEqual(here.played.moves, [3, 5]);
    assert.ok(here.at("3 1 4"));
    there.merge(here.plain());
    assert.deepEqual(there.played.moves, [3, 5]);
  },

  two_tabs_agree_and_what_one_deletes_stays_deleted() {
    for (let seed = 0; seed < 60; seed += 1) {
      let moment = 0;
      const clock = () => (moment += 1);
      const random = dice(seed);
      const [here, there] = [new Tree(clock), new Tree(clock)];
      for (let round = 0; round < 6; round += 1) {
        for (let k = 0; k < 12; k += 1) edit(random.pick([here, there]), random);
        const [mine, theirs] = [here.plain(), there.plain()];
        here.merge(theirs);
        there.merge(mine);
        assert.deepEqual(toldBy(here), toldBy(there), `seed ${seed}, round ${round}`);
        assert.equal(here.merge(there.plain()), false);
      }
    }
    const [here, there] = [new Tree(), new Tree()];
    const gone = here.add(here.add(here.root, { move: 1 }), { move: 2 });
    there.openPlain(here.plain());
    here.remove(gone);
    there.comment(there.at("1"), "seen");
    here.merge(there.plain());
    there.merge(here.plain());
    for (const tree of [here, there]) {
      assert.equal(tree.at("1 2"), null);
      assert.equal(tree.at("1").comment, "seen");
    }
    here.undo(); // the deletion
    there.merge(here.plain());
    assert.ok(here.at("1 2") && there.at("1 2"));
  },

  a_hint_ends_with_what_sets_the_move_apart() {
    const move = (name, outcome, distance, proven = true) => ({ name, move: name.charCodeAt(0), line: [], note: `${name} it is.`, text: "so", proven, outcome, distance });
    const why = (candidates, more = {}) => stepsOf({ area: null, best: candidates[0].move, candidates, lines: {}, ...more }).at(-1).text;
    assert.equal(why([move("d", "win", 5), move("c", "draw", 9), move("b", "loss", 8)]), "d: d it is. No other move wins.");
    assert.equal(why([move("d", "draw", 9), move("b", "loss", 8)]), "d: d it is. Every other move loses.");
    assert.equal(why([move("d", "loss", 10), move("b", "loss", 8)]), "d: d it is. Every other move loses sooner.");
    assert.equal(why([move("d", "loss", 10), move("b", "loss", 10)]), "d: d it is. No other move holds out longer.");
    assert.equal(why([move("d", "loss", 10), move("b", "loss", 8)], { units: { score: "discs" } }), "d: d it is.");
    assert.equal(why([move("d", "loss", null), move("b", "loss", 8)]), "d: d it is.");
    assert.equal(why([move("d", "win", 5), move("c", "win", 7)]), "d: d it is.");
    assert.equal(why([move("d", "win", 5), move("c", "draw", 9, false)]), "d: d it is.");
    assert.equal(why([move("d", "win", 5), move("c", "draw", 9)], { left_out: 1 }), "d: d it is.");
    assert.equal(why([move("d", "win", 5)]), "d: d it is.");
  },

  async a_better_answer_replaces_a_worse_one_only() {
    const stored = new Map();
    const store = { value: async (key) => stored.get(key) ?? null, keepValue: (key, analysis) => stored.set(key, analysis) };
    const values = new Values(store);
    const position = { game: "g", position: "p" };
    const told = (proven, elapsed, all = false) => ({ proven, elapsed, candidates: [{ proven: all }, { proven: all }] });
    values.put(position, "e", told(false, 5));
    assert.equal(values.put(position, "e", told(false, 1)).elapsed, 5);
    assert.equal(values.put(position, "e", told(true, 0.1)).elapsed, 0.1);
    assert.equal(values.put(position, "e", told(false, 30)).elapsed, 0.1);
    assert.equal(isSettled(values.get(position, "e")), false);
    values.put(position, "e", told(true, 0, true));
    assert.equal(isSettled(values.get(position, "e")), true);
    assert.equal(values.get(position, "other"), null);
    assert.equal(isSettled(await new Values(store).find(position, "e")), true);
    const losing = (reply, distance) => ({ best: false, proven: true, outcome: "loss", distance, line: [0, reply] });
    assert.equal(threatIn({ candidates: [losing(7, 2), losing(7, 2), losing(8, 4)] }), 7);
    assert.equal(threatIn({ candidates: [losing(7, 2), losing(7, 6)] }), null);
    assert.equal(threatIn({ threat: [9], candidates: [] }), 9);
  },
};

const told = {};
for (const [name, check] of Object.entries(checks)) told[name] = await Promise.resolve().then(check).then(() => null, (error) => String(error.stack ?? error));
process.stdout.write(JSON.stringify(told));
