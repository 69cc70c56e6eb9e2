/**
 * Sums in the text of a chapter, over the facts of a figure: `leaves`, `100 * entered / all`, `!seen.B2 && cuts == 1`.
 * There is no `eval`: the pages forbid it. A name that the figure does not have is an error.
 */

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|"([^"]*)"|([A-Za-z_][\w.]*)|(<=|>=|==|!=|&&|\|\||[-+*/^()<>,!]))/y;
/** From what binds least to what binds most. */
const BINARY = [
  { "||": (a, b) => a || b },
  { "&&": (a, b) => a && b },
  { "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => a / b },
  { "^": (a, b) => a ** b },
];
const FUNCTIONS = { abs: Math.abs, ln: Math.log, max: Math.max, min: Math.min, round: Math.round, sqrt: Math.sqrt };

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`“${text}” is not a sum of facts`);
    const [, number, quoted, name, sign] = match;
    if (number !== undefined) found.push({ value: Number(number) });
    else if (quoted !== undefined) found.push({ value: quoted });
    else found.push(name ? { name } : { sign });
  }
  return found;
}

export function evaluate(text, facts) {
  const list = tokens(text);
  let at = 0;
  const isNext = (sign) => list[at]?.sign === sign;
  const need = (sign) => {
    if (!isNext(sign)) throw new SyntaxError(`“${sign}” is missing in “${text}”`);
    at++;
  };
  const level = (depth) => {
    if (depth === BINARY.length) return unary();
    let value = level(depth + 1);
    while (list[at]?.sign in BINARY[depth]) {
      const { sign } = list[at++];
      value = BINARY[depth][sign](value, level(depth + 1));
    }
    return value;
  };
  const unary = () => {
    if (isNext("-")) return at++, -unary();
    if (isNext("!")) return at++, !unary();
    if (isNext("(")) {
      at++;
      const value = level(0);
      need(")");
      return value;
    }
    const token = list[at++];
    if (token && "value" in token) return token.value;
    if (!token?.name) throw new SyntaxError(`“${text}” is not a sum of facts`);
    if (isNext("(") && token.name in FUNCTIONS) {
      const given = [];
      do {
        at++;
        given.push(level(0));
      } while (isNext(","));
      need(")");
      return FUNCTIONS[token.name](...given);
    }
    if (!(token.name in facts)) throw new ReferenceError(`the figure has no “${token.name}”`);
    return facts[token.name];
  };
  const value = level(0);
  if (at < list.length) throw new SyntaxError(`“${text}” goes on after its end`);
  return value;
}

/** A value in the manner of a written one: as many digits, thousands apart, percent, a real minus. */
export function like(written, value) {
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  const digits = /\.(\d+)/.exec(written)?.[1].length ?? 0;
  const tail = /\s?%$/.exec(written)?.[0] ?? "";
  const text = Math.abs(tail ? 100 * value : value).toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 && /[1-9]/.test(text) ? "−" : "") + text + tail;
}
