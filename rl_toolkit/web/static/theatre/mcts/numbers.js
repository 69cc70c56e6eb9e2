/** Numbers as the server writes them, so that picture and sentence show the same. */

/** So many digits, a real minus, no −0; ties go to the even digit, as in Python. */
export function fixed(value, digits = 2) {
  const halves = value * 2 ** (digits + 1);
  let text = Math.abs(value).toFixed(digits);
  if (Number.isInteger(halves) && halves % 2 !== 0) {
    const low = Math.floor(Math.abs(value) * 10 ** digits);
    text = ((low + (low % 2)) / 10 ** digits).toFixed(digits);
  }
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** The same with a plus. */
export function signed(value, digits = 2) {
  const text = fixed(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

export const round = (value, digits) => Number(fixed(value, digits).replace("−", "-"));

const GROUPED = new Intl.NumberFormat("en"); // made once: it is slow to make
export const whole = (number) => (number < 1000 ? String(number) : GROUPED.format(number));

/** How many of an increasing list are at most `limit`. */
export function upTo(list, limit) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
