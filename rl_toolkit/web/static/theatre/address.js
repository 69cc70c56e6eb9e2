/** What the address of a page asks for. Values that make no sense are left out, and named once. */

const MOST = 40; // characters of a value that are shown

/** Whether a text is a number from `least` to `most`. */
export const isNumber = (text, least, most) => text.trim() !== "" && Number(text) >= least && Number(text) <= most;

/** The same for whole numbers. */
export const isWhole = (text, least, most) => /^\d{1,12}$/.test(text) && isNumber(text, least, most);

export class Address {
  #ignored = [];

  constructor(search) {
    this.query = new URLSearchParams(search);
  }

  /** The value of that name; null if there is none, or none that makes sense. */
  read(name, makesSense) {
    const value = this.query.get(name);
    if (value === null || makesSense(value)) return value;
    this.#ignored.push(`${name}=${value.slice(0, MOST)}`);
    return null;
  }

  /** What was not understood, as a sentence, the first time that it is asked for; "" if nothing. */
  complaint() {
    const named = this.#ignored.splice(0);
    return named.length ? `Not understood in the address: ${named.join(", ")}.` : "";
  }
}

/** Put an address into the clipboard and the address bar, and say so on the button for a while. */
export async function copyLink(button, address) {
  const name = button.textContent;
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
  } catch {
    button.textContent = "In the address bar"; // copying may be forbidden
  }
  setTimeout(() => (button.textContent = name), 2000);
}
