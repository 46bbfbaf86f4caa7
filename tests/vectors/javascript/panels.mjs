// Panels with gaps: Dawid and Skene's key, and the number of judges that fail under every key, by trying all.
import { ONE, compare, mul, natural, ratio, refuse, signOf, total, whole } from "./rational.mjs";

function dawidSkene({ labels, patterns, counts }) {
  const names = new Set(patterns.map((pattern) => JSON.stringify(pattern)));
  refuse(counts.length !== patterns.length || names.size !== patterns.length || patterns.length === 0, "bad-votes");
  const judges = patterns[0].length, bad = (pattern) => pattern.length !== judges || pattern.every((one) => one === null) ||
    pattern.some((one) => one !== null && !labels.includes(one));
  refuse(patterns.some(bad), "bad-votes");
  const numbers = counts.map(natural), used = patterns.map((pattern, v) => [pattern, numbers[v]]).filter(([, count]) => count > 0n);
  refuse(used.length === 0, "empty-test");
  const R = BigInt(labels.length), first = (values, better) => values.reduce((best, value, l) => (better(value, values[best]) ? l : best), 0);
  const on = (key, j, l, holds) => total(used.filter(([pattern], v) => key[v] === l && holds(pattern[j])).map(([, count]) => count));
  const next = (key) => {
    const rate = labels.map((_, l) => [...Array(judges).keys()].map((j) => {
      const all = on(key, j, l, (one) => one !== null);
      return new Map(labels.map((label) => [label, ratio(1n + on(key, j, l, (one) => one === label), R + all)]));
    }));
    return used.map(([pattern], v) => {
      const product = labels.map((_, l) => pattern.reduce((p, one, j) => (one === null ? p : mul(p, rate[l][j].get(one))), ONE));
      const best = first(product, (x, y) => compare(x, y) > 0);
      return compare(product[key[v]], product[best]) === 0 ? key[v] : best;
    });
  };
  let key = used.map(([pattern]) => first(labels.map((label) => pattern.filter((one) => one === label).length), (x, y) => x > y));
  const seen = new Set();
  while (!seen.has(key.join()) && seen.size < 100) {
    seen.add(key.join());
    key = next(key);
  }
  const places = new Map(used.map(([pattern], v) => [pattern, labels[key[v]]]));
  const accuracy = [...Array(judges).keys()].map((j) => {
    const answered = used.filter(([pattern]) => pattern[j] !== null), right = answered.filter(([pattern]) => pattern[j] === places.get(pattern));
    return answered.length ? ratio(total(right.map(([, n]) => n)), total(answered.map(([, n]) => n))) : null;
  });
  const size = (l) => total(used.filter((_, v) => key[v] === l).map(([, count]) => count));
  return { key: patterns.map((pattern) => places.get(pattern) ?? null), rounds: seen.size, key_counts: labels.map((_, l) => size(l)), accuracy };
}

function failingJudges({ labels, answers, level, measure }) {
  refuse(answers.length === 0, "empty-test");
  const judges = answers[0].length;
  refuse(answers.some((row) => row.length !== judges || row.some((one) => one !== null && !labels.includes(one))), "bad-votes");
  refuse(level === undefined || signOf(level) < 0 || compare(level, ONE) >= 0, "bad-number");
  refuse(!["every_label", "overall"].includes(measure), "bad-choice");
  const isBelow = (right, asked) => compare(whole(right), mul(level, whole(asked))) <= 0;
  let least = Infinity;
  const trusted = Array(judges).fill(Infinity), key = Array(answers.length).fill(0);
  for (let step = 0; step < labels.length ** answers.length; step++) {
    key.forEach((_, q) => { key[q] = Math.floor(step / labels.length ** q) % labels.length; });
    const passes = [...Array(judges).keys()].map((j) => {
      const right = labels.map(() => 0n), asked = labels.map(() => 0n);
      answers.forEach((row, q) => {
        if (row[j] === null) return;
        asked[key[q]] += 1n;
        if (row[j] === labels[key[q]]) right[key[q]] += 1n;
      });
      return measure === "overall" ? !isBelow(total(right), total(asked)) : !labels.some((_, l) => asked[l] > 0n && isBelow(right[l], asked[l]));
    });
    const failing = passes.filter((one) => !one).length;
    least = Math.min(least, failing);
    passes.forEach((one, j) => { if (one) trusted[j] = Math.min(trusted[j], failing); });
  }
  return { least, if_trusted: trusted.map((one) => (one === Infinity ? null : one)) };
}

export const families = { "dawid-skene": dawidSkene, "failing-judges": failingJudges };
