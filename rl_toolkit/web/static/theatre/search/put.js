/** Tell the page only what has changed: `put(memory, "name", value, tell)`. */
export function put(memory, what, value, tell) {
  if (memory[what] === value) return;
  memory[what] = value;
  tell(value);
}
