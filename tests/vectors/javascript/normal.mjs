// The normal quantile between two fractions, from the series of erf in whole numbers scaled by 2^bits.
import { ONE, add, compare, div, floorOf, isqrt, mul, ratio, refuse, signOf, square, text } from "./rational.mjs";

// atan(1/n) · 2^bits; π = 16·atan(1/5) − 4·atan(1/239).
function arctangent(n, bits) {
  let power = (1n << bits) / n, value = 0n;
  for (let k = 1n; power; k += 2n, power /= -n * n) value += power / k;
  return value;
}
// erf(x/2^bits) · 2^bits, with an error far below 2^(bits/2) for x/2^bits below 16.
function erf(x, bits, pi) {
  let term = x, value = 0n;
  for (let k = 0n; term; k++, term = (-term * ((x * x) >> bits)) / (k << bits)) value += term / (2n * k + 1n);
  return (2n * value << bits) / isqrt(pi << bits);
}
const found = new Map();

// Fractions on both sides of z with Φ(z) = (1 + level)/2, closer to each other than 2^(3 − digits).
export function quantile(level, digits = 200n) {
  const name = `${text(level)} ${digits}`;
  if (!found.has(name)) {
    const bits = 3n * digits + 400n, pi = 16n * arctangent(5n, bits) - 4n * arctangent(239n, bits);
    const goal = (level[0] << bits) / level[1];
    let low = 0n, high = 16n << bits; // of z/√2
    while (high - low >> (bits - digits)) {
      const middle = (low + high) >> 1n;
      if (erf(middle, bits, pi) < goal) low = middle;
      else high = middle;
    }
    const end = (x) => ratio(isqrt(2n * x * x), 1n << bits), slack = ratio(1n, 1n << digits);
    found.set(name, [add(end(low), [-slack[0], slack[1]]), add(end(high), slack)]);
  }
  return found.get(name);
}

// Whether z² is above a rational number; it never is equal to one.
export function quantileSquareExceeds(level, bound) {
  for (let digits = 100n; ; digits *= 2n) {
    const [low, high] = quantile(level, digits).map(square);
    if (compare(low, bound) > 0) return true;
    if (compare(high, bound) < 0) return false;
  }
}

function normalDecision({ level, ends, centre: f, variance: v }) {
  refuse(signOf(v) < 0 || signOf(level) <= 0 || compare(level, ONE) >= 0);
  refuse(!["open", "closed"].includes(ends), "bad-choice");
  const shown = f[0] !== 0n && (v[0] === 0n || !quantileSquareExceeds(level, div(square(f), v)));
  const scale = ratio(10n ** 15n), [z] = quantile(level, 100n);
  return {
    z: div(ratio(floorOf(add(mul(z, scale), ratio(1n, 2n)))), scale),
    decision: shown ? (f[0] < 0n ? "lower" : "higher") : "not-shown",
  };
}

export const families = { "normal-decision": normalDecision };
