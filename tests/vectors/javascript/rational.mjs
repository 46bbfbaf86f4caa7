// Exact rational numbers as pairs of BigInt, in lowest terms with a positive denominator.
export class Refused extends Error {}
export const refuse = (broken, word = "bad-number") => {
  if (broken) throw new Refused(word);
};

const gcd = (a, b) => {
  while (b) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
};
export const ratio = (p, q = 1n) => {
  if (q === 0n) throw new Refused("bad-number");
  const g = gcd(p, q) * (q < 0n ? -1n : 1n);
  return [p / g, q / g];
};
export const ZERO = [0n, 1n], ONE = [1n, 1n];
export const add = ([a, b], [c, d]) => ratio(a * d + c * b, b * d);
export const mul = ([a, b], [c, d]) => ratio(a * c, b * d);
export const sub = (x, y) => add(x, [-y[0], y[1]]);
export const div = ([a, b], [c, d]) => ratio(a * d, b * c);
export const compare = ([a, b], [c, d]) => Number(a * d > c * b) - Number(a * d < c * b);
export const sum = (list) => list.reduce(add, ZERO);
export const whole = (n) => [BigInt(n), 1n];
export const negate = ([p, q]) => [-p, q];
export const square = (x) => mul(x, x);
export const product = (list) => list.reduce(mul, ONE);
export const signOf = ([p]) => Number(p > 0n) - Number(p < 0n);
export const least = (list) => list.reduce((x, y) => (compare(y, x) < 0 ? y : x));
export const greatest = (list) => list.reduce((x, y) => (compare(y, x) > 0 ? y : x));
export const absolute = ([p, q]) => [p < 0n ? -p : p, q];
export const floorOf = ([p, q]) => (p - (((p % q) + q) % q)) / q;
export const text = ([p, q]) => (q === 1n ? `${p}` : `${p}/${q}`);

// The number that a JSON value stands for: an integer, or a text such as 3/8, 0.375 or 4e-7.
export function parse(value) {
  if (Number.isInteger(value)) return whole(value);
  if (typeof value !== "string") throw new Refused("not-a-number");
  let m = /^([+-]?)([0-9]+)(?:\/([0-9]+))?$/.exec(value.trim());
  if (m) return ratio((m[1] === "-" ? -1n : 1n) * BigInt(m[2]), BigInt(m[3] ?? "1"));
  m = /^([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(value.trim());
  if (!m) throw new Refused("bad-number");
  const places = m[3] ?? "", x = BigInt((m[4] ?? "0").replace("+", ""));
  if (BigInt(m[2].length + places.length) + (x < 0n ? -x : x) > 100000n) throw new Refused("bad-number");
  const digits = BigInt(m[2] + places) * (m[1] === "-" ? -1n : 1n), shift = x - BigInt(places.length);
  return shift >= 0n ? ratio(digits * 10n ** shift) : ratio(digits, 10n ** -shift);
}

// A whole number that is not negative, as BigInt.
export function natural([p, q]) {
  refuse(p < 0n || q !== 1n);
  return p;
}

export const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
export const total = (list) => list.reduce((a, b) => a + b, 0n);
export const choose = (n, k) => {
  if (k < 0n || k > n) return 0n;
  let value = 1n;
  for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
};
export function isqrt(n) {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}
