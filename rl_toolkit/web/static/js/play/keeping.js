/** Games into the library of the server, and out of it; loaded when a game has ended or one is opened. */

import { post } from "../base/api.js";
import { $, h } from "../base/dom.js";
import { HUMAN } from "../model/session.js";
import { keepSetting, setting } from "../model/store.js";
import { fileOf, openTree } from "./tree_files.js";

const kept = new Map(); // id of a game → what of it is saved
const SAID = "keeping said";

/** Save the finished game of `page`, unless it is saved as it is; an error is shown in its card. */
export async function keepGame({ session, reviewing }) {
  const { id, story, seats, tree, kept: game } = session;
  if (reviewing.running) return;
  const state = [tree.played.path, tree.played.ended?.by, story !== null].join("|");
  if (kept.get(id) === state) return;
  kept.set(id, state);
  try {
    const { file } = await fileOf(session, "json");
    const judged = reviewing.line.filter(({ review }) => review);
    const reviews = judged.map(({ review }) => ({ ply: review.ply, mark: review.mark ?? "", lesson: review.lesson ?? "" }));
    const text = withNames(file, seats);
    const engines = [1, -1].map((player) => seats[player] !== HUMAN);
    const { number } = await post("/api/library/keep", { text, key: id, begun: game.begun, engines, accuracy: story?.accuracy ?? null, reviews: story ? reviews : null });
    if (number !== null) sayOnce();
  } catch (error) {
    kept.delete(id);
    say(`This game is not in the library: ${error.message}`);
  }
}

/** The record with "You" for the only person, and no name for two. */
function withNames(file, seats) {
  const record = JSON.parse(file);
  const alone = [1, -1].filter((player) => seats[player] === HUMAN).length === 1;
  for (const side of ["x", "o"]) if (record.players?.[side] === HUMAN) record.players[side] = alone ? "You" : "";
  return JSON.stringify(record);
}

/** The first time, say that games are saved, and how that is switched off. */
function sayOnce() {
  if (setting(SAID)) return;
  keepSetting(SAID, true);
  say("Finished games are saved in your ", h("a", { href: "/library", text: "library" }), ". Preferences (⚙) switch that off.");
}

function say(...parts) {
  let line = $("#card-kept");
  if (!line) {
    line = h("p", { id: "card-kept", class: "fine", role: "status" });
    $("#end-card .row").before(line);
  }
  line.replaceChildren(...parts);
}

/** Open the game of the library that the address `wanted` names in Analyse, after its `ply` moves. */
export async function openSaved(page, wanted) {
  const { session } = page;
  const found = await openTree(await post("/api/library/file", { number: Number(wanted.get("library")) }), session.name, () => 1);
  const at = (tree) => (wanted.has("ply") ? ([tree.root, ...tree.main][Number(wanted.get("ply"))] ?? null) : null);
  await session.open({ ...found, seats: { 1: HUMAN, [-1]: HUMAN }, mode: "analyse", at });
  await page.preferKept();
}
