// The bootstrap over all resamples, by adding up how many draws lead to each sum of weights.
import { ONE, ZERO, add, compare, div, mul, natural, parse, ratio, refuse, signOf, sub, sum, text, total, whole } from "./rational.mjs";

// For each metric the factors of tp, fp, fn and tn above and below the line.
const METRICS = {
  recall: [[1, 0, 0, 0], [1, 0, 1, 0]], precision: [[1, 0, 0, 0], [1, 1, 0, 0]], f1: [[2, 0, 0, 0], [2, 1, 1, 0]],
  fpr: [[0, 1, 0, 0], [0, 1, 0, 1]], accuracy: [[1, 0, 0, 1], [1, 1, 1, 1]], error_rate: [[0, 1, 1, 0], [1, 1, 1, 1]],
  match_rate: [[1, 1, 0, 0], [1, 1, 1, 1]], filter_rate: [[0, 0, 1, 1], [1, 1, 1, 1]],
};

// All sums of n draws, as a map from "above below" to the number of ways; items are [above, below, how many].
function drawn(items, n) {
  let found = new Map([["0 0", 1n]]);
  for (let draw = 0n; draw < n; draw++) {
    const next = new Map();
    for (const [name, ways] of found) for (const [above, below, count] of items) {
      const [a, b] = name.split(" ").map(BigInt), place = `${a + above} ${b + below}`;
      next.set(place, (next.get(place) ?? 0n) + ways * count);
    }
    found = next;
  }
  return found;
}
function together(one, two) {
  const found = new Map();
  for (const [x, w] of one) for (const [y, u] of two) {
    const [[a, b], [c, d]] = [x, y].map((name) => name.split(" ").map(BigInt)), place = `${a + c} ${b + d}`;
    found.set(place, (found.get(place) ?? 0n) + w * u);
  }
  return found;
}

function exactBootstrap({ metric, strata, stratified, undefined: policy, level, quantiles }) {
  const negated = metric.startsWith("!"), parts = METRICS[negated ? metric.slice(1) : metric];
  refuse(!parts, "bad-query");
  const [above, below] = parts.map((list) => (negated ? [...list].reverse() : list));
  refuse(signOf(level) <= 0 || compare(level, ONE) >= 0, "bad-number");
  const weights = strata.map((stratum) => stratum[4]), counts = strata.map((stratum) => stratum.slice(0, 4).map(natural));
  refuse(weights.some((w) => signOf(w) < 0), "bad-samples");
  const size = total(counts.flat());
  refuse(size === 0n || counts.every((list, i) => total(list) === 0n || weights[i][0] === 0n), "bad-samples");
  const scale = weights.reduce((d, [, q]) => d * q, 1n); // weights as whole numbers
  const items = counts.map((list, i) => list.map((count, kind) => {
    const [w] = mul(weights[i], whole(scale));
    return [w * BigInt(above[kind]), w * BigInt(below[kind]), count];
  }).filter(([, , count]) => count > 0n));
  const [up, down] = [0, 1].map((k) => total(items.flat().map((item) => item[k] * item[2])));
  refuse(down === 0n, "undefined-metric");
  const estimate = ratio(up, down), all = stratified
    ? items.map((list) => drawn(list, total(list.map(([, , count]) => count)))).reduce(together)
    : drawn(items.flat(), size);
  const ways = total([...all.values()]), values = new Map();
  let lost = 0n;
  for (const [name, count] of all) {
    const [a, b] = name.split(" ").map(BigInt);
    if (b === 0n) lost += count;
    else values.set(text(ratio(a, b)), (values.get(text(ratio(a, b))) ?? 0n) + count);
  }
  const order = (list) => list.sort(([x], [y]) => compare(x, y));
  const outcomes = order([...values].map(([name, count]) => [parse(name), ratio(count, ways)]));
  const undefinedShare = ratio(lost, ways), defined = sub(ONE, undefinedShare);
  refuse(policy === "error" && lost > 0n, "undefined-metric");
  const put = policy === "0" || policy === "1" ? [[parse(policy), undefinedShare]] : [];
  const used = put.length ? order([...outcomes, ...put]) : outcomes.map(([value, p]) => [value, div(p, defined)]);
  const first = (p, least) => {
    let seen = ZERO;
    for (const [value, share] of used) {
      seen = add(seen, share);
      if (compare(seen, p) >= least && (share[0] || least === 0)) return value;
    }
  };
  const q = (p) => (quantiles === "lower" ? first(p, 0) : div(add(first(p, 0), first(p, 1)), whole(2)));
  const alpha = div(sub(ONE, level), whole(2)), [low, high] = [q(alpha), q(sub(ONE, alpha))], twice = add(estimate, estimate);
  return {
    estimate, outcomes, undefined_probability: undefinedShare, mean: div(sum(outcomes.map(([value, p]) => mul(value, p))), defined),
    percentile: [low, high], basic: [sub(twice, high), sub(twice, low)],
  };
}

export const families = { "exact-bootstrap": exactBootstrap };
