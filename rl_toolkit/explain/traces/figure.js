const make = (tag, name, text) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
};

/** Fill `host` with the figure; `d` is what `figure.py` wrote. Everything shown follows from t. */
function show(host, d) {
  if (!host || host.dataset.shown) return;
  host.dataset.shown = "true";
  host.querySelector("details").open = false;
  const place = make("div");
  host.prepend(place);
  const root = place.attachShadow({ mode: "open" });
  const figure = make("div", "figure");
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", d.title);
  const style = make("style", "", d.style);
  const said = make("p", "said");
  said.setAttribute("aria-live", "polite");
  const stage = make("div", "stage");
  const slider = make("input");
  Object.assign(slider, { type: "range", min: 0, max: d.lines.length - 1, value: 0 });
  slider.setAttribute("aria-label", "Step");
  const at = make("span", "at");
  const cuts = Object.values(d.cuts ?? {}).map(([event]) => event).sort((one, other) => one - other);
  const buttons = [
    ["|◀", "To the start", () => 0],
    ["◀ Back", "One step back", (t) => t - 1],
    ["Step ▶", "One step on", (t) => t + 1],
    ...(cuts.length ? [["Next cut", "To the next cut", (t) => cuts.find((cut) => cut > t) ?? d.lines.length - 1]] : []),
    ["▶|", "To the end", () => d.lines.length - 1],
  ].map(([text, title, to]) => {
    const button = make("button", "", text);
    Object.assign(button, { type: "button", title });
    button.addEventListener("click", () => go(to(Number(slider.value))));
    return button;
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  const bar = make("div", "bar");
  bar.append(...buttons, slider, at);
  figure.append(make("div", "title", d.title), bar, said, stage);
  if (d.note) figure.append(make("p", "note", `${d.note}.`));
  root.append(style, figure);

  function go(wanted) {
    const t = Math.max(0, Math.min(d.lines.length - 1, wanted));
    slider.value = t;
    slider.setAttribute("aria-valuetext", d.lines[t]);
    at.textContent = `step ${t + 1} of ${d.lines.length}`;
    said.textContent = d.lines[t];
    said.classList.toggle("cut", cuts.includes(t));
    stage.replaceChildren(...(d.node ? searched(t) : told(t)));
    const rows = stage.querySelector(".rows");
    if (rows) rows.scrollTop = rows.scrollHeight;
    stage.querySelector(".now")?.scrollIntoView?.({ block: "nearest", container: "nearest" });
  }

  /** The sentences around a step. */
  function told(t) {
    const list = make("ol", "list");
    for (let k = Math.max(0, t - 4); k < Math.min(d.lines.length, t + 5); k++) {
      const line = make("li", k === t ? "now" : "", d.lines[k]);
      line.style.marginLeft = `${d.depth[k] * 14}px`;
      if (k === t) line.setAttribute("aria-current", "step");
      list.append(line);
    }
    return [list];
  }

  /** The path to the node of event t, each node with its children. */
  function searched(t) {
    const path = [];
    for (let n = d.node[t]; n >= 0; n = d.up[n]) path.unshift(n);
    const rows = make("div", "rows");
    rows.append(...path.map((n) => row(n, t, path)));
    return d.board.length ? [rows, board(path)] : [rows];
  }

  function row(n, t, path) {
    const isMax = d.side[n] === "X";
    const made = make("div", isMax ? "row max" : "row");
    const kind = isMax ? "MAX" : "MIN";
    const player = d.sides[d.side[n]];
    const who = make("div", "who", `${isMax ? "▲" : "▼"} ${player === kind ? kind : `${kind} · ${player}`} · ${d.name[n]}`);
    const last = lastOf(n, t);
    if (d.prunes) who.append(make("b", "", `α ${d.texts[d.alpha[last]]}`), make("b", "", `β ${d.texts[d.beta[last]]}`));
    const cards = make("div", "cards");
    d.up.forEach((up, kid) => up === n && cards.append(card(kid, t, path)));
    const [event, left] = d.cuts[n] ?? [-1, []];
    for (const name of left) cards.append(make("span", event <= t ? "card cut" : "card ahead", event <= t ? `${name} ✂` : name));
    made.append(who);
    if (cards.childElementCount) made.append(cards);
    return made;
  }

  function card(kid, t, path) {
    const closed = d.closed[kid] >= 0 && d.closed[kid] <= t;
    const kind = path.includes(kid) ? "open" : d.opened[kid] > t ? "ahead" : "";
    return make("span", `card ${kind}`, closed ? `${d.name[kid]} ${d.badge[kid]}` : d.name[kid]);
  }

  /** The last event of node n up to t. */
  function lastOf(n, t) {
    let event = t;
    while (d.node[event] !== n) event -= 1;
    return event;
  }

  function board(path) {
    const cells = [...d.board];
    let last = [];
    for (const n of path.slice(1)) {
      const mine = d.side[d.up[n]] === "X" ? 1 : -1;
      last = (Array.isArray(d.put[n]) ? d.put[n] : [d.put[n]]).map((each) => (Array.isArray(each) ? each : [each, mine])).filter(([cell]) => cell >= 0);
      for (const [cell, content] of last) cells[cell] = content;
    }
    const made = make("div", "board");
    made.style.gridTemplateColumns = `repeat(${d.cols}, auto)`;
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", "The position");
    const changed = last.map(([cell]) => cell);
    for (let r = 0; r < d.rows; r++)
      for (let c = 0; c < d.cols; c++) {
        const cell = (d.flip ? d.rows - 1 - r : r) * d.cols + c;
        made.append(make("span", changed.includes(cell) ? "last" : "", { 1: "✕", "-1": "◯" }[cells[cell]] ?? ""));
      }
    return made;
  }

  go(0);
}
