/** Requests to the server: JSON in and out, and streams of events that can be stopped. */

const CLIENT = [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join("");
const PATIENCE = 3; // how often a busy server is asked again

export class ApiError extends Error {
  /** `refused` says whether the request itself was wrong, rather than the connection or the server. */
  constructor(sentence, refused = false) {
    super(sentence);
    this.refused = refused;
  }
}

/** A lost connection as a plain sentence. */
function lost(error) {
  if (error instanceof TypeError) throw new ApiError("the server cannot be reached; is it still running?");
  throw error;
}

const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("aborted", "AbortError"));
    });
  });

async function request(path, body, signal) {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json", "X-Client": CLIENT },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    }).catch(lost);
    if (response.ok) return response;
    if (response.status === 503 && attempt < PATIENCE) {
      await pause(1000 * Math.min(5, Number(response.headers.get("Retry-After")) || 1), signal);
      continue;
    }
    const answer = await response.json().catch(() => ({}));
    throw new ApiError(answer.error ?? `The server answered ${response.status}.`, response.status === 400);
  }
}

export const get = async (path) => (await request(path)).json();
export const post = async (path, body, signal) => (await request(path, body, signal)).json();
export const postForText = async (path, body) => (await request(path, body)).text();

/** Yields `{ name, data }` for each event; aborting the signal ends the work at the server. */
export async function* stream(path, body, signal) {
  const response = await request(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const match = /^event: (.*)\ndata: (.*)$/s.exec(block);
      if (!match) continue;
      const event = { name: match[1], data: JSON.parse(match[2]) };
      signal?.throwIfAborted(); // an event received together with a stop is stale
      if (event.name === "error") throw new ApiError(event.data.error, event.data.refused);
      yield event;
    }
  }
}

export const isAbort = (error) => error?.name === "AbortError";
