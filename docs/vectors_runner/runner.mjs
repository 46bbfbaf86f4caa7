// Answers families of vectors in exact arithmetic: ntqr-exact vectors run -- node docs/vectors_runner/runner.mjs
import { createInterface } from "node:readline";

const gcd = (a, b) => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));
const ratio = (p, q = 1n) => {
  if (q === 0n) throw new Error("bad-number");
  const g = gcd(p, q) * (q < 0n ? -1n : 1n);
  return [p / g, q / g];
};
const add = ([a, b], [c, d]) => ratio(a * d + c * b, b * d);
const mul = ([a, b], [c, d]) => ratio(a * c, b * d);
const sub = (x, y) => add(x, [-y[0], y[1]]);
const text = ([p, q]) => (q === 1n ? `${p}` : `${p}/${q}`);
const sum = (list) => list.reduce(add, [0n, 1n]);
const choose = (n, k) => {
  let value = 1n;
  for (let i = 1n; i <= k; i++) value = (value * (n - k + i)) / i;
  return value;
};

function voteMoments({ counts }) {
  if (counts.length !== 8) throw new Error("bad-votes");
  const whole = counts.map((c) => {
    if (!/^[0-9]+$/.test(`${c}`)) throw new Error("bad-number");
    return BigInt(c);
  });
  const size = whole.reduce((a, b) => a + b);
  if (size === 0n) throw new Error("empty-test");
  const f = whole.map((c) => ratio(c, size));
  const b = (v, i) => (v >> (2 - i)) & 1; // does judge i answer b in pattern v?
  const rates = [0, 1, 2].map((i) => sum(f.filter((_, v) => b(v, i))));
  const pairs = [[0, 1], [0, 2], [1, 2]].map(([i, j]) =>
    sub(sum(f.filter((_, v) => b(v, i) && b(v, j))), mul(rates[i], rates[j])));
  const [d12, d13, d23] = pairs;
  const trio = sub(f[7], sum([mul(mul(rates[0], rates[1]), rates[2]),
    mul(rates[0], d23), mul(rates[1], d13), mul(rates[2], d12)]));
  const product = mul(mul(d12, d13), d23);
  return {
    frequencies: f.map(text), rates: rates.map(text), pair_moments: pairs.map(text), trio_moment: text(trio),
    pair_product: text(product), discriminant: text(add(mul(trio, trio), mul([4n, 1n], product))),
  };
}

function possibleSingle({ labels, responses, key_counts }) {
  const r = BigInt(labels.length), total = (list) => list.reduce((a, b) => a + b);
  if (Math.min(...responses) < 0) throw new Error("bad-number");
  if (Math.min(...key_counts) < 0 || total(key_counts) !== total(responses)) throw new Error("bad-key-counts");
  const q = BigInt(total(responses));
  const ways = (list) => list.reduce((a, c) => a * choose(BigInt(c) + r - 1n, r - 1n), 1n);
  return {
    possible: `${choose(q + r * r - 1n, r * r - 1n)}`, possible_at: `${ways(key_counts)}`,
    consistent: `${ways(responses)}`, consistent_at: `${tables(responses, key_counts)}`,
  };
}

function tables(rows, columns) {
  if (columns.length === 2) return Math.min(columns[0], rows[0]) - Math.max(0, columns[0] - rows[1]) + 1;
  let left = new Map([[columns.join(), 1n]]);
  for (const row of rows) {
    const next = new Map();
    for (const [key, count] of left) {
      const spread = (place, rest, made) => {
        const room = Number(key.split(",")[place]);
        if (place === columns.length - 1) {
          if (rest > room) return;
          const name = [...made, room - rest].join();
          next.set(name, (next.get(name) ?? 0n) + count);
        } else for (let k = 0; k <= Math.min(rest, room); k++) spread(place + 1, rest - k, [...made, room - k]);
      };
      spread(0, row, []);
    }
    left = next;
  }
  return left.get(columns.map(() => 0).join());
}

function numberParsing({ value }) {
  if (Number.isInteger(value)) return { number: `${value}` };
  if (typeof value !== "string") throw new Error("not-a-number");
  let m = /^([+-]?)([0-9]+)(?:\/([0-9]+))?$/.exec(value.trim());
  if (m) {
    const p = BigInt(m[2]);
    return { number: text(ratio(m[1] === "-" ? -p : p, BigInt(m[3] ?? "1"))) };
  }
  m = /^([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(value.trim());
  if (!m) throw new Error("bad-number");
  const places = m[3] ?? "", x = BigInt((m[4] ?? "0").replace("+", ""));
  if (BigInt(m[2].length + places.length) + (x < 0n ? -x : x) > 100000n) throw new Error("bad-number");
  const digits = BigInt(m[2] + places) * (m[1] === "-" ? -1n : 1n), shift = x - BigInt(places.length);
  return { number: text(shift >= 0n ? ratio(digits * 10n ** shift) : ratio(digits, 10n ** -shift)) };
}

const runners = { "vote-moments": voteMoments, "possible-single": possibleSingle, "number-parsing": numberParsing };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, family, input } = JSON.parse(line);
  const run = runners[family];
  let reply = { id, skip: true };
  if (run) {
    try {
      reply = { id, output: run(input) };
    } catch (error) {
      reply = { id, output: { error: error.message } };
    }
  }
  console.log(JSON.stringify(reply));
}
