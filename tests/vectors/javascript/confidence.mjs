// Families of confidence: scores of probability vectors, and what they say of a model on new data.
import {
  ONE, ZERO, absolute, add, compare, div, greatest, mul, natural, negate, ratio, refuse as refuseAs, signOf, square, sub, sum, text,
  whole,
} from "./rational.mjs";
import { rounded, signOfLogs, valueOf } from "./logarithm.mjs";
import { sqrt } from "./surd.mjs";

const refuse = (broken, word = "bad-samples") => refuseAs(broken, word);
function vector(p) {
  refuse(p.length < 2 || p.some((x) => signOf(x) < 0) || compare(sum(p), ONE) !== 0);
  return p;
}
const HALF = ratio(1n, 2n), scaled = (factor, terms) => terms.map(([c, m]) => [mul(factor, c), m]);
const from = (p, centre) => sum(p.map((x, i) => square(sub(x, centre[i]))));
const uniform = (p) => p.map(() => ratio(1n, BigInt(p.length)));

// A score that orders as the specification asks: rational is a number, logs the terms of a sum, root says a root is due.
const SCORES = {
  max: (p) => ({ rational: greatest(p) }),
  l2: (p) => ({ rational: sum(p.map(square)), root: true }),
  "l1-uniform": (p) => ({ rational: sum(p.map((x, i) => absolute(sub(x, uniform(p)[i])))) }),
  "l2-uniform": (p) => ({ rational: from(p, uniform(p)), root: true }),
  entropy: (p) => ({ logs: p.map((x) => [x, x]) }),
  "jensen-shannon": (p) => ({
    logs: scaled(HALF, p.flatMap((x, i) => {
      const u = uniform(p)[i], m = mul(HALF, add(x, u));
      return [[x, x], [negate(x), m], [u, u], [negate(u), m]];
    })),
  }),
  "jensen-shannon-printed": (p) =>
    p.some((x) => x[0] === 0n) ? { infinite: true } : { logs: scaled(HALF, p.map((x, i) => [sub(x, uniform(p)[i]), x])) },
};
const scoreOf = (name) => {
  refuse(!Object.hasOwn(SCORES, name));
  return (p) => {
    const score = SCORES[name](p);
    if (score.logs) {
      score.logs = score.logs.filter(([c]) => c[0] !== 0n);
      score.near = valueOf(score.logs, 128n);
    }
    return score;
  };
};
function order(x, y) {
  if (x.infinite || y.infinite) return Number(!!x.infinite) - Number(!!y.infinite);
  if (x.rational) return compare(x.rational, y.rational);
  const [apart, doubt] = [x.near[0] - y.near[0], x.near[1] + y.near[1]];
  if (apart > doubt || apart < -doubt) return apart > 0n ? 1 : -1;
  return signOfLogs([...x.logs, ...y.logs.map(([c, m]) => [negate(c), m])]);
}
const tell = (score) => {
  if (score.infinite) return "infinite";
  if (score.logs) return rounded(score.logs);
  return score.root ? sqrt(score.rational) : score.rational;
};

function scoreComparison({ score, left, right }) {
  const p = vector(left), q = vector(right), of = scoreOf(score);
  refuse(p.length !== q.length);
  return { comparison: ["less", "equal", "greater"][1 + order(of(p), of(q))], left: tell(of(p)), right: tell(of(q)) };
}

// The vectors of whole numbers with k parts and sum n, the lexicographically largest first.
function* compositions(k, n, most = n) {
  if (k === 1) {
    if (n <= most) yield [n];
    return;
  }
  for (let first = Math.min(n, most); first >= 0; first--)
    for (const rest of compositions(k - 1, n - first, most === Infinity ? Infinity : first)) yield [first, ...rest];
}
function smallestInversion(input) {
  const k = Number(natural(input.labels)), last = Number(natural(input.max_denominator));
  refuse(k < 2 || last < 2, "bad-number");
  const named = [input.left, input.right].every((one) => typeof one === "string");
  const [left, right] = [input.left, input.right].map((one) => {
    if (typeof one === "string") return scoreOf(one);
    const centre = vector(one);
    refuse(centre.length !== k);
    return (p) => ({ rational: from(p, centre) });
  });
  const vectors = [], result = (denominator, inversions, p, q) =>
    ({ denominator, vectors, inversions, higher_left: p, higher_right: q });
  for (let n = 2; n <= last; n++) {
    const taken = [...compositions(k, n, named ? n : Infinity)].map((a) => {
      const p = a.map((part) => ratio(BigInt(part), BigInt(n)));
      return { a, left: left(p), right: right(p) };
    });
    vectors.push(taken.length);
    const found = taken.flatMap((p) =>
      taken.filter((q) => order(p.left, q.left) > 0 && order(p.right, q.right) < 0).map((q) => [p.a, q.a]));
    if (found.length) return result(n, found.length, ...found[0]);
  }
  return result("none", 0, null, null);
}

// What the two estimates share: vectors, weights, and the error of the source.
function study(input) {
  const [source, target] = [input.source, input.target].map((list) => list.map(vector));
  refuse(!source.length || !target.length || [...source, ...target].some((p) => p.length !== source[0].length));
  const weigh = (weights, vectors) => {
    const found = weights ?? vectors.map(() => ONE);
    refuse(found.length !== vectors.length || found.some((w) => signOf(w) < 0) || sum(found)[0] === 0n);
    return found;
  };
  const weights = weigh(input.source_weights, source), targetWeights = weigh(input.target_weights, target);
  refuse([input.error, input.accuracy, input.labels].filter((one) => one !== null).length !== 1);
  let error;
  if (input.labels === null) {
    error = input.error ?? sub(ONE, input.accuracy);
    refuse(signOf(error) < 0 || compare(error, ONE) > 0, "bad-number");
  } else {
    const labels = input.labels.map((label) => Number(natural(label)));
    refuse(labels.length !== source.length || labels.some((label) => label >= source[0].length));
    const predicted = (p) => p.findIndex((x) => compare(x, greatest(p)) === 0);
    error = share(weights, (i) => predicted(source[i]) !== labels[i]);
  }
  return { source, target, weights, targetWeights, error };
}
const share = (weights, holds) => div(sum(weights.filter((_, i) => holds(i))), sum(weights));

function atcEstimate(input) {
  const { source, target, weights, targetWeights, error: e } = study(input), of = scoreOf(input.score);
  const reading = input.reading ?? (input.accuracy === null ? "error-below" : "accuracy-above");
  refuse(!["error-below", "accuracy-above", "accuracy-below"].includes(reading), "bad-choice");
  refuse(!["smallest", "largest"].includes(input.tie_rule), "bad-choice");
  const gamma = reading === "error-below" ? e : sub(ONE, e), scores = source.map(of), targets = target.map(of);
  const u = (list, w, t) => share(w, (i) => (order(list[i], t) < 0) === (reading !== "accuracy-above"));
  const candidates = source.map((_, i) => i).filter((i) => weights[i][0] !== 0n)
    .map((i) => ({ i, far: absolute(sub(gamma, u(scores, weights, scores[i]))) }));
  const way = input.tie_rule === "smallest" ? 1 : -1;
  const [{ i }] = candidates.sort((x, y) => compare(x.far, y.far) || way * order(scores[x.i], scores[y.i]) || x.i - y.i);
  const estimate = u(targets, targetWeights, scores[i]), error = reading === "error-below" ? estimate : sub(ONE, estimate);
  return {
    reading, gamma, threshold_vector: source[i], source_share: u(scores, weights, scores[i]), estimate, error, accuracy: sub(ONE, error),
  };
}

const mean = (list, weights) => div(sum(list.map((x, i) => mul(x, weights[i]))), sum(weights));
const confidence = (vectors, weights = vectors.map(() => ONE)) => mean(vectors.map(greatest), weights);

function docEstimate(input) {
  const { source, target, weights, targetWeights, error: e } = study(input), right = sub(ONE, e);
  const difference = sub(confidence(source, weights), confidence(target, targetWeights));
  let intercept = ZERO, slope = ONE;
  if (input.line !== null) {
    const points = input.line.points ?? input.line.data_sets.map(({ vectors, accuracy }) => {
      refuse(!vectors.length);
      const found = vectors.map(vector);
      refuse(found.some((p) => p.length !== source[0].length));
      return [sub(confidence(source), confidence(found)), sub(right, accuracy)];
    });
    refuse(new Set(points.map(([x]) => text(x))).size < 2);
    const n = whole(points.length), [mx, my] = [0, 1].map((k) => div(sum(points.map((point) => point[k])), n));
    slope = div(sum(points.map(([x, y]) => mul(sub(x, mx), sub(y, my)))), sum(points.map(([x]) => square(sub(x, mx)))));
    intercept = sub(my, mul(slope, mx));
  }
  refuse(!["subtracted", "added"].includes(input.sign), "bad-choice");
  const drop = add(intercept, mul(slope, difference)), accuracy = input.sign === "added" ? add(right, drop) : sub(right, drop);
  return {
    source_accuracy: right, difference, intercept, slope, drop, accuracy, error: sub(ONE, accuracy),
  };
}

export const families = {
  "score-comparison": scoreComparison, "smallest-inversion": smallestInversion, "atc-estimate": atcEstimate, "doc-estimate": docEstimate,
};
