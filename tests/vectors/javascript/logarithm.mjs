// Sums of c·log m: their sign, decided exactly, and their value to 12 places.
import { ONE, compare, mul, ratio, refuse, sum, whole } from "./rational.mjs";

// 2·atanh(p/q) · 2^bits by its series, for |p/q| ≤ 1/3.
function series(p, q, bits) {
  let power = (p << bits) / q, value = 0n;
  for (let k = 1n; power; k += 2n, power = (power * p * p) / (q * q)) value += power / k;
  return 2n * value;
}
const logs = new Map(), length = (n) => BigInt(n.toString(2).length);

// log(m)·2^bits for a positive m: m = 2^e·(p/q) with p/q near 1, and log(p/q) = 2·atanh((p − q)/(p + q)).
export function log([p, q], bits) {
  const name = `${p}/${q} ${bits}`;
  if (!logs.has(name)) {
    const e = length(p) - length(q), [u, w] = e > 0n ? [p, q << e] : [p << -e, q];
    // Shorter by far than the numbers may be, and right to the last places.
    const cut = (n) => { const drop = length(w) - 2n * bits; return drop > 0n ? n >> drop : n; };
    logs.set(name, series(cut(u) - cut(w), cut(u) + cut(w), bits) + e * series(1n, 3n, bits));
  }
  return logs.get(name);
}
// The sum scaled by 2^bits, and a bound of its error.
export function valueOf(terms, bits) {
  let value = 0n, error = 2n;
  for (const [[c, d], m] of terms) {
    const size = c < 0n ? -c : c;
    value += (c * log(m, bits)) / d;
    error += ((size / d + 1n) * (8n * bits + length(m[0]) + length(m[1]))) + 1n;
  }
  return [value, error];
}

// Numbers of which no two have a common divisor, and of which all given ones are products of powers.
function coprimeBase(numbers) {
  const base = [], gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const queue = [...numbers];
  while (queue.length) {
    const n = queue.pop();
    if (n === 1n) continue;
    const place = base.findIndex((b) => gcd(b, n) > 1n);
    if (place < 0) base.push(n);
    else if (base[place] !== n) {
      const [b] = base.splice(place, 1), g = gcd(b, n);
      queue.push(g, b / g, n / g);
    }
  }
  return base;
}
const power = (n, b) => {
  let k = 0n;
  for (; n % b === 0n; n /= b) k++;
  return k;
};
function isTie(terms) {
  const base = coprimeBase(terms.flatMap(([, m]) => m));
  return base.every((b) => sum(terms.map(([c, [p, q]]) => mul(c, whole(power(p, b) - power(q, b)))))[0] === 0n);
}

export function signOfLogs(given) {
  const terms = given.filter(([c, m]) => c[0] !== 0n && compare(m, ONE) !== 0);
  let tie = terms.length === 0;
  for (let bits = 128n; !tie; bits *= 2n) {
    const [value, error] = valueOf(terms, bits);
    if (value > error) return 1;
    if (value < -error) return -1;
    if (bits === 128n) tie = isTie(terms);
  }
  return 0;
}

// The nearest multiple of 10^−12.
export function rounded(terms) {
  const scale = 10n ** 12n, half = 1n << 199n, up = (valueOf(terms, 200n)[0] * scale + half) >> 200n;
  return ratio(up, scale);
}

function logSumSign({ terms }) {
  refuse(terms.some(([c, m]) => m[0] < 0n || (m[0] === 0n && c[0] !== 0n)));
  return { sign: ["negative", "zero", "positive"][1 + signOfLogs(terms)] };
}

export const families = { "log-sum-sign": logSumSign };
