// Families of metric models: what labels with known error rates say of a difference.
import {
  ONE, ZERO, add, compare, div, mul, natural, ratio, refuse, signOf, square, sub, sum, text, total, whole,
} from "./rational.mjs";
import { minus, plus, sqrt, surd, times } from "./surd.mjs";

const TWO = whole(2), mixed = (xs, ys) => sum(xs.map((x, i) => mul(x, ys[i])));
const spread = (share) => mul(share, sub(ONE, share));
const critical = (z, ends) => {
  refuse(signOf(z) <= 0);
  refuse(!["open", "closed"].includes(ends), "bad-choice");
  return square(z);
};
function decide(f, variance, zz, ends) {
  const shown = compare(square(f), mul(zz, variance));
  if (f[0] === 0n || shown < 0 || (shown === 0 && ends === "closed")) return "not-shown";
  return f[0] < 0n ? "lower" : "higher";
}

function model(metric) {
  if ("tp" in metric) {
    const [tp, fp, fn, tn] = ["tp", "fp", "fn", "tn"].map((name) => natural(metric[name]));
    refuse(fn + tn < 2n || tp + fp < 2n);
    const rates = [ratio(fn, fn + tn), ratio(tp, tp + fp)], sizes = [fn + tn, tp + fp];
    return { rates, positive: [false, true], variances: rates.map((r, o) => div(spread(r), whole(sizes[o] - 1n))) };
  }
  const { rates, variances, positive } = metric;
  refuse(rates.length < 2 || rates.length !== variances.length || rates.length !== positive.length);
  refuse(rates.some((r) => signOf(r) < 0 || compare(r, ONE) > 0) || variances.some((v) => signOf(v) < 0));
  return { rates, positive, variances };
}

// The shares of the classes, and the sums p, m, A and B of the specification.
function sample(counts, { rates, positive, variances }) {
  refuse(counts.length !== rates.length);
  const seen = counts.map((count) => whole(natural(count))), size = sum(seen);
  refuse(size[0] === 0n, "empty-test");
  refuse(size[0] === 1n);
  const s = seen.map((count) => div(count, size)), m = mixed(s, rates);
  return {
    seen, size, s, m, p: sum(s.filter((_, o) => positive[o])),
    A: mixed(s, rates.map((r) => square(sub(r, m)))), B: mixed(s, rates.map(spread)),
    C: mixed(s.map(square), variances), marks: positive.map((is) => (is ? ONE : ZERO)),
  };
}
function readings({ size, p, m, A, B, C }) {
  const over = (x) => div(x, sub(size, ONE)), given = div(B, size);
  return {
    deterministic: over(spread(p)), printed: over(spread(m)), "real-share": add(over(A), given), estimator: over(A),
    "given-labels": given, "estimated-rates": add(over(A), C),
  };
}
const all = (values, f) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, f(value, name)]));
const QUESTIONS = [
  "deterministic/observed", "printed/observed", "printed/real", "real-share/real", "estimator/real", "given-labels/real",
  "estimated-rates/real",
];
const answers = (f) => Object.fromEntries(QUESTIONS.map((name) => [name, f(...name.split("/"))]));

function realRate({ metric, counts }) {
  const found = model(metric), { rates, positive, variances } = found, { p, m } = sample(counts, found);
  return {
    rates, rate_variances: variances, observed_rate: p, real_rate: m,
    slope: rates.length === 2 && !positive[0] && positive[1] ? sub(rates[1], rates[0]) : "no-slope",
  };
}
const varianceReadings = ({ metric, counts }) => readings(sample(counts, model(metric)));

function intervalDecision({ z, ends, centre: f, variance: v }) {
  const zz = critical(z, ends);
  refuse(signOf(v) < 0);
  const width = times(surd(z), sqrt(v));
  return { decision: decide(f, v, zz, ends), lower: minus(surd(f), width), upper: plus(surd(f), width) };
}

function pairedDecision({ z, ends, metrics, same_labelled_set: same, joint }) {
  refuse(![1, 2].includes(metrics.length) || (metrics.length === 1 && same === false));
  const [control, treatment = control] = metrics.map(model), zz = critical(z, ends);
  const plain = ({ rates, positive, variances }) => JSON.stringify([rates.map(text), positive, variances.map(text)]);
  refuse(same === true && plain(control) !== plain(treatment));
  refuse(joint.length !== control.rates.length || joint.some((row) => row.length !== treatment.rates.length));
  const table = joint.map((row) => row.map((count) => natural(count))), column = (y) => table.reduce((a, row) => a + row[y], 0n);
  const one = sample(table.map((row) => whole(total(row))), control);
  const two = sample(treatment.rates.map((_, y) => whole(column(y))), treatment), { size } = one;
  const together = (u, w) => {
    const both = sum(table.flatMap((row, x) => row.map((count, y) => mul(whole(count), mul(u[x], w[y])))));
    return div(sub(div(both, size), mul(mixed(one.s, u), mixed(two.s, w))), sub(size, ONE));
  };
  const rates = together(control.rates, treatment.rates), shared = metrics.length === 1 || same === true;
  const common = shared ? mixed(one.s.map((s, o) => mul(s, two.s[o])), control.variances) : ZERO;
  const covariances = {
    deterministic: together(one.marks, two.marks), printed: rates, "real-share": rates, estimator: rates, "given-labels": ZERO,
    "estimated-rates": add(rates, common),
  };
  const [before, after] = [one, two].map(readings), observed = sub(two.p, one.p), real = sub(two.m, one.m);
  const variances = all(covariances, (c, name) => sub(add(before[name], after[name]), mul(TWO, c)));
  return {
    observed_difference: observed, real_difference: real, covariances, variances,
    decisions: answers((name, kind) => decide(kind === "real" ? real : observed, variances[name], zz, ends)),
  };
}

function sampleSizePlan({ z, ends, metric, control, treatment, both }) {
  const found = model(metric), { rates, variances } = found, one = sample(control, found), two = sample(treatment, found);
  const zz = critical(z, ends);
  let E = ZERO;
  if (both !== null) {
    refuse(rates.length !== 2 || compare(one.size, two.size) !== 0);
    const common = natural(both), [x, y] = [one.seen[1][0], two.seen[1][0]];
    refuse(common > x || common > y || x + y - common > one.size[0]);
    E = sub(div(whole(common), one.size), mul(one.s[1], two.s[1]));
  }
  const less = (values) => mul(TWO, mul(square(sub(values[1], values[0])), E)), R = less(rates);
  const added = (f) => add(f(one), f(two)), A = sub(added((x) => x.A), R), B = added((x) => x.B);
  const C = mixed(one.s.map((s, o) => square(sub(two.s[o], s))), variances);
  const parts = {
    deterministic: [sub(added((x) => spread(x.p)), less(one.marks)), ZERO, ZERO], printed: [sub(added((x) => spread(x.m)), R), ZERO, ZERO],
    "real-share": [A, B, ZERO], estimator: [A, ZERO, ZERO], "given-labels": [ZERO, B, ZERO], "estimated-rates": [A, ZERO, C],
  };
  return answers((name, kind) => {
    const [a, b, c] = parts[name], f = kind === "real" ? sub(two.m, one.m) : sub(two.p, one.p);
    const at = (n) => decide(f, sum([div(a, whole(n - 1n)), div(b, whole(n)), c]), zz, ends);
    const shows = (n) => at(n) !== "not-shown";
    if (!shows(2n) && compare(square(f), mul(zz, c)) <= 0) return { smallest_size: "none", decision: "not-shown" };
    let low = 1n, high = 2n;
    while (!shows(high)) [low, high] = [high, 2n * high];
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (shows(middle)) high = middle;
      else low = middle;
    }
    return { smallest_size: high, decision: at(high) };
  });
}

export const families = {
  "real-rate": realRate, "variance-readings": varianceReadings, "interval-decision": intervalDecision, "paired-decision": pairedDecision,
  "sample-size-plan": sampleSizePlan,
};
