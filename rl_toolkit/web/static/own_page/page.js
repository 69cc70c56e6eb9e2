/**
 * Added to a student's own page by the server, never to a file: what goes wrong appears in a bar in
 * words and in the terminal, and the page reloads when a file has changed.
 */
(() => {
  const MOST = 5; // sentences in the bar
  const EVERY = 1000; // milliseconds between two looks for changes
  const said = [];
  let bar = null;

  /** "page.js, line 12", or nothing. */
  function place(file, line) {
    const name = String(file || "").split("?")[0].split("/").pop() || (file ? "index.html" : "");
    return name && line ? ` (${name}, line ${line})` : name ? ` (${name})` : "";
  }

  /** What the browser says, as somebody who teaches would say it. */
  function inWords(text) {
    const message = String(text).replace(/^Uncaught (\(in promise\) )?/, "");
    const unknown = /^ReferenceError: (\S+) is not defined/.exec(message);
    if (unknown && ["$", "jQuery"].includes(unknown[1])) return "This script uses jQuery, which is not there. Plain JavaScript has document.querySelector for it";
    if (unknown) return `${unknown[1]} is used, but nothing defines it`;
    const empty = /^TypeError: Cannot (?:read|set) properties of (null|undefined) \((?:reading|setting) '(.+)'\)/.exec(message);
    if (empty) return `Something is ${empty[1]} here, so it has no “${empty[2]}”. If it comes from getElementById or querySelector, no element has that name yet: is the id right, and does the script stand at the end of body?`;
    const call = /^TypeError: (.+) is not a function/.exec(message);
    if (call) return `${call[1]} is not a function: is its name right?`;
    if (/^SyntaxError: Unexpected token '\+'/.test(message)) return "A line begins with +, as in a list of changes: delete the +. Nothing of this script runs";
    if (/^SyntaxError/.test(message)) return `This script cannot be read, so nothing of it runs: ${message.replace("SyntaxError: ", "")}`;
    const again = /^TypeError: Assignment to constant variable/.exec(message);
    if (again) return "A const gets another value: write let where it is declared";
    return message;
  }

  function say(text) {
    if (said.includes(text)) return;
    said.push(text);
    fetch("/__rl_toolkit/said", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) }).catch(() => {});
    if (document.body) show();
    else addEventListener("DOMContentLoaded", show, { once: true });
  }

  function show() {
    if (!bar) {
      const host = document.createElement("div");
      host.dataset.rlToolkit = "problems";
      bar = host.attachShadow({ mode: "open" }); // styles of the page do not reach in
      document.body.append(host);
    }
    const box = document.createElement("div");
    box.setAttribute("role", "alert");
    box.style.cssText = "position:fixed;inset:auto 0 0 0;z-index:2147483647;max-height:40vh;overflow:auto;padding:.6rem 2.6rem .6rem 1rem;background:#7f1d1d;color:#fff;font:15px/1.45 system-ui,sans-serif;text-align:left";
    for (const text of said.slice(0, MOST)) {
      const line = document.createElement("div");
      line.textContent = `${text}.`.replace(/([.?!])\.$/, "$1");
      box.append(line);
    }
    if (said.length > MOST) box.append(`… and ${said.length - MOST} more in the terminal`);
    const close = document.createElement("button");
    close.textContent = "×";
    close.setAttribute("aria-label", "Close");
    close.style.cssText = "position:absolute;top:.3rem;right:.6rem;border:0;background:none;color:#fff;font-size:1.4rem;cursor:pointer";
    close.onclick = () => box.remove();
    box.append(close);
    bar.replaceChildren(box);
  }

  addEventListener("error", (event) => {
    const { target } = event;
    if (target instanceof Element) {
      const file = target.src || target.href || "";
      if (!file || new URL(file, location.href).origin === location.origin) say(`${file.split("/").pop() || target.tagName.toLowerCase()} was not found in your folder, or cannot be loaded`);
    } else say(inWords(event.error ?? event.message) + place(event.filename, event.lineno));
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => {
    const at = /(https?:\S+?):(\d+):\d+/.exec(reason?.stack ?? "");
    say(inWords(reason) + (at ? place(at[1], at[2]) : ""));
  });
  addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    if (/^https?:/.test(blockedURI)) say(`${blockedURI} lies on another host. This server loads only files of your folder: save it there and name it without https`);
    else say(`The browser refuses ${blockedURI || "something"} (${effectiveDirective})`);
  });
  const log = console.error;
  console.error = (...things) => {
    log.apply(console, things);
    say(`console.error: ${things.map((each) => (typeof each === "object" ? (each?.message ?? JSON.stringify(each)) : String(each))).join(" ")}`);
  };
  const ask = window.fetch;
  window.fetch = async (...given) => {
    const answer = await ask(...given);
    const address = new URL(answer.url, location.href).pathname;
    if (!answer.ok && address.startsWith("/api/")) {
      const text = await answer.clone().json().then((data) => data?.error, () => "");
      say(`${address} answers ${answer.status}${text ? `: ${text}` : ""}`);
    }
    return answer;
  };

  let version = null;
  async function look() {
    try {
      const answer = await ask("/__rl_toolkit/version");
      const now = await answer.text();
      if (version !== null && now !== version) location.reload();
      version = now;
    } catch {
      // the server has ended, or is about to start again
    }
    setTimeout(look, EVERY);
  }
  look();
})();
