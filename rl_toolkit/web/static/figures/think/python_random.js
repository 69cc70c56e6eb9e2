/**
 * The generator of Python's `random.Random` (Mersenne Twister): the same seed, a whole number or a text, gives the same
 * numbers. Texts are hashed by SHA-512, written out here: the browser's own is not there on plain http.
 */

const SIZE = 624;

export class PythonRandom {
  #words = new Uint32Array(SIZE);
  #next = SIZE;

  constructor(seed = 0) {
    this.#fill(typeof seed === "string" ? wordsOfText(seed) : wordsOf(BigInt(Math.abs(seed))));
  }

  /** A number from 0 to below 1. */
  random() {
    const high = this.#draw() >>> 5;
    const low = this.#draw() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** A whole number from 0 to below `n`. */
  below(n) {
    const spare = Math.clz32(n);
    for (;;) {
      const drawn = this.#draw() >>> spare;
      if (drawn < n) return drawn;
    }
  }

  choice(list) {
    return list[this.below(list.length)];
  }

  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  /** `init_by_array` of the Mersenne Twister. */
  #fill(key) {
    const words = this.#words;
    const mixed = (i, factor) => Math.imul(words[i - 1] ^ (words[i - 1] >>> 30), factor);
    words[0] = 19650218;
    for (let i = 1; i < SIZE; i++) words[i] = mixed(i, 1812433253) + i;
    let [i, j] = [1, 0];
    const step = () => {
      i++;
      if (i === SIZE) [words[0], i] = [words[SIZE - 1], 1];
    };
    for (let left = Math.max(SIZE, key.length); left > 0; left--) {
      words[i] = (words[i] ^ mixed(i, 1664525)) + key[j] + j;
      j = (j + 1) % key.length;
      step();
    }
    for (let left = SIZE - 1; left > 0; left--) {
      words[i] = (words[i] ^ mixed(i, 1566083941)) - i;
      step();
    }
    words[0] = 0x80000000;
  }

  #draw() {
    const words = this.#words;
    if (this.#next === SIZE) {
      for (let k = 0; k < SIZE; k++) {
        const y = (words[k] & 0x80000000) | (words[(k + 1) % SIZE] & 0x7fffffff);
        words[k] = words[(k + 397) % SIZE] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.#next = 0;
    }
    let y = words[this.#next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }
}

/** A whole number as words of 32 bits, the least first. */
function wordsOf(number) {
  const words = [];
  for (let rest = number; rest; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words.length ? words : [0];
}

/** A text as Python takes it: its bytes and their hash as one number. */
function wordsOfText(text) {
  const bytes = [...new TextEncoder().encode(text)];
  return wordsOf([...bytes, ...sha512(bytes)].reduce((number, byte) => (number << 8n) | BigInt(byte), 0n));
}

// ------------------------------------------------------------------------------------- SHA-512

const MASK = 2n ** 64n - 1n;
const turned = (x, by) => ((x >> BigInt(by)) | (x << BigInt(64 - by))) & MASK;
let CONSTANTS = null;

/** The first 64 bits behind the point of a root of the first primes. */
function rootsOfPrimes(count, degree) {
  const roots = [];
  for (let p = 2; roots.length < count; p++) {
    if ([...Array(p).keys()].slice(2).some((d) => p % d === 0)) continue;
    const wanted = BigInt(p) << BigInt(64 * degree);
    let [low, high] = [0n, 1n << 70n];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle ** BigInt(degree) <= wanted) low = middle;
      else high = middle;
    }
    roots.push(low & MASK);
  }
  return roots;
}

function sha512(bytes) {
  CONSTANTS ??= { start: rootsOfPrimes(8, 2), rounds: rootsOfPrimes(80, 3) };
  const length = Math.ceil((bytes.length + 17) / 128) * 128;
  const padded = [...bytes, 0x80, ...Array(length - bytes.length - 1).fill(0)];
  for (let i = 1, bits = bytes.length * 8; bits; i++, bits = Math.floor(bits / 256)) padded[length - i] = bits % 256;
  const state = [...CONSTANTS.start];
  for (let block = 0; block < length; block += 128) {
    const w = Array.from({ length: 16 }, (_, i) => padded.slice(block + 8 * i, block + 8 * i + 8).reduce((word, byte) => (word << 8n) | BigInt(byte), 0n));
    for (let i = 16; i < 80; i++) {
      const s0 = turned(w[i - 15], 1) ^ turned(w[i - 15], 8) ^ (w[i - 15] >> 7n);
      const s1 = turned(w[i - 2], 19) ^ turned(w[i - 2], 61) ^ (w[i - 2] >> 6n);
      w.push((w[i - 16] + s0 + w[i - 7] + s1) & MASK);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 80; i++) {
      const one = h + (turned(e, 14) ^ turned(e, 18) ^ turned(e, 41)) + ((e & f) ^ (~e & MASK & g)) + CONSTANTS.rounds[i] + w[i];
      const two = (turned(a, 28) ^ turned(a, 34) ^ turned(a, 39)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) & MASK));
  }
  return state.flatMap((word) => Array.from({ length: 8 }, (_, i) => Number((word >> BigInt(56 - 8 * i)) & 255n)));
}
