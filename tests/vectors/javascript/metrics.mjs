// Families of metrics: matrices, ranked samples, weights.
import { ONE, Refused, ZERO, add, compare, div, mul, natural, parse, ratio, sub, sum, whole } from "./rational.mjs";
import { sqrt, surd, times } from "./surd.mjs";

const CELLS = ["tp", "fp", "fn", "tn"];
const OTHER = {
  "no-positives": "no-negatives", "no-negatives": "no-positives", "no-samples": "no-samples",
  "no-predicted-positives": "no-predicted-negatives", "nothing-positive": "nothing-negative",
};
export const share = (above, below, word) => (below[0] === 0n ? word : div(above, below));

export function metric(m, name) {
  if (name.startsWith("!")) {
    const found = metric({ tp: m.tn, fp: m.fn, fn: m.fp, tn: m.tp }, name.slice(1));
    return typeof found === "string" ? OTHER[found] : found;
  }
  const { tp, fp, fn, tn } = m, n = sum([tp, fp, fn, tn]), two = add(tp, tp);
  switch (name) {
    case "recall": return share(tp, add(tp, fn), "no-positives");
    case "precision": return share(tp, add(tp, fp), "no-predicted-positives");
    case "f1": return share(two, sum([two, fp, fn]), "nothing-positive");
    case "fpr": return share(fp, add(fp, tn), "no-negatives");
    case "accuracy": return share(add(tp, tn), n, "no-samples");
    case "error_rate": return share(add(fp, fn), n, "no-samples");
    case "match_rate": return share(add(tp, fp), n, "no-samples");
    case "filter_rate": return share(add(fn, tn), n, "no-samples");
  }
}
const metrics = (matrix, names) => Object.fromEntries(names.map((name) => [name, metric(matrix, name)]));
export const matrixOf = (values) => {
  if (values.some((cell) => cell[0] < 0n)) throw new Refused("bad-samples");
  return Object.fromEntries(CELLS.map((name, place) => [name, values[place]]));
};
const NAMES = ["recall", "precision", "f1", "fpr", "accuracy", "error_rate", "match_rate", "filter_rate"];

const confusionMetrics = (input) =>
  metrics(matrixOf(CELLS.map((name) => input[name])), [...NAMES, ...NAMES.map((name) => `!${name}`)]);

function populationRescaling(input) {
  const m = matrixOf(CELLS.map((name) => input[name])), { rate } = input;
  if (compare(rate, ZERO) < 0 || compare(rate, ONE) > 0) throw new Refused("bad-number");
  const p = add(m.tp, m.fn), n = add(m.fp, m.tn), size = add(p, n);
  if (size[0] === 0n || (p[0] === 0n && rate[0] > 0n) || (n[0] === 0n && compare(rate, ONE) < 0))
    throw new Refused("bad-samples");
  const up = p[0] === 0n ? ONE : div(mul(rate, size), p);
  const down = n[0] === 0n ? ONE : div(mul(sub(ONE, rate), size), n);
  const matrix = { tp: mul(up, m.tp), fp: mul(down, m.fp), fn: mul(up, m.fn), tn: mul(down, m.tn) };
  return {
    positive_factor: up, negative_factor: down, matrix,
    metrics: metrics(matrix, ["recall", "fpr", "precision", "f1", "accuracy", "match_rate", "!precision", "!f1"]),
  };
}

function multiclassAverages({ labels, undefined: policy, counts }) {
  if (!labels.length || counts.length !== labels.length || counts.some((row) => row.length !== labels.length))
    throw new Refused("bad-samples");
  if (counts.flat().some((cell) => cell[0] < 0n)) throw new Refused("bad-samples");
  const rows = counts, all = sum(rows.flat());
  const matrices = labels.map((_, l) => {
    const tp = rows[l][l], fn = sub(sum(rows[l]), tp), fp = sub(sum(rows.map((row) => row[l])), tp);
    return { tp, fp, fn, tn: sub(all, sum([tp, fp, fn])) };
  });
  const put = (value) => (typeof value === "string" && policy !== "word" ? parse(policy) : value);
  const added = Object.fromEntries(CELLS.map((name) => [name, sum(matrices.map((m) => m[name]))]));
  const weights = matrices.map((m) => add(m.tp, m.fn)), weight = sum(weights);
  const names = ["recall", "precision", "f1"], values = {}, averages = { micro: {}, macro: {}, weighted: {} };
  for (const name of names) {
    const found = matrices.map((m) => put(metric(m, name))), broken = found.some((v) => typeof v === "string");
    values[name] = found;
    averages.micro[name] = put(metric(added, name));
    averages.macro[name] = broken ? "part-undefined" : div(sum(found), whole(labels.length));
    averages.weighted[name] = broken ? "part-undefined"
      : put(share(sum(found.map((v, l) => mul(v, weights[l]))), weight, "no-positives"));
  }
  return { matrices, accuracy: share(sum(labels.map((_, l) => rows[l][l])), all, "no-samples"), values, averages };
}

function importanceWeights({ populations, matrices }) {
  const sizes = populations, found = {}, drawn = {};
  Object.values(sizes).forEach(natural);
  for (const [name, values] of Object.entries(matrices)) {
    found[name] = matrixOf(values);
    drawn[name] = sum(Object.values(found[name]));
    if (drawn[name][1] !== 1n) throw new Refused("bad-number");
    if (!(name in sizes) || compare(drawn[name], sizes[name]) > 0) throw new Refused("bad-samples");
  }
  const population = sum(Object.values(sizes)), samples = sum(Object.values(drawn));
  if (population[0] === 0n) throw new Refused("bad-samples");
  const weights = {}, matrix = Object.fromEntries(CELLS.map((cell) => [cell, ZERO]));
  for (const [name, size] of Object.entries(sizes)) {
    if (size[0] === 0n) continue;
    if (!drawn[name] || drawn[name][0] === 0n) throw new Refused("bad-samples");
    weights[name] = mul(div(samples, drawn[name]), div(size, population));
    for (const cell of CELLS) matrix[cell] = add(matrix[cell], mul(weights[name], found[name][cell]));
  }
  return {
    samples: samples[0], population: population[0], matrix, weights, ...metrics(matrix, ["error_rate", "precision", "recall", "f1"]),
  };
}

// Samples by their distinct scores from the highest down, with the weight of positives and negatives at or above each.
export function ranked({ labels, scores, weights }) {
  const weigh = weights ?? labels.map(() => ONE);
  if (!labels.length || labels.length !== scores.length || weigh.length !== labels.length) throw new Refused("bad-samples");
  if (labels.some((label) => label !== 0 && label !== 1)) throw new Refused("bad-samples");
  if (weigh.some((w) => w[0] < 0n) || sum(weigh)[0] === 0n) throw new Refused("bad-samples");
  const order = [...labels.keys()].sort((i, j) => compare(scores[j], scores[i])), rows = [];
  let tp = ZERO, fp = ZERO;
  for (const i of order) {
    if (labels[i]) tp = add(tp, weigh[i]);
    else fp = add(fp, weigh[i]);
    if (rows.length && compare(rows.at(-1).threshold, scores[i]) === 0) rows.pop();
    rows.push({ threshold: scores[i], tp, fp });
  }
  return { rows, positives: tp, negatives: fp };
}
const thresholds = ({ rows }) => rows.map(({ threshold }) => threshold);

function rocCurve(input) {
  const found = ranked(input);
  const point = ({ tp, fp }) =>
    [share(fp, found.negatives, "no-negatives"), share(tp, found.positives, "no-positives")];
  return { thresholds: thresholds(found), points: [{ tp: ZERO, fp: ZERO }, ...found.rows].map(point) };
}

function precisionRecallCurve(input) {
  const found = ranked(input);
  return {
    thresholds: thresholds(found),
    points: found.rows.map(({ tp, fp }) =>
      [share(tp, found.positives, "no-positives"), div(tp, add(tp, fp))]),
  };
}

function allAreas({ rows, positives, negatives }) {
  const half = ratio(1n, 2n), trapezoids = (points) => sum(points.slice(1).map(([r, p], i) =>
    mul(mul(sub(r, points[i][0]), add(p, points[i][1])), half)));
  let auc = ZERO, before = { tp: ZERO, fp: ZERO };
  for (const row of rows) {
    auc = add(auc, mul(sub(row.fp, before.fp), mul(add(row.tp, before.tp), half)));
    before = row;
  }
  const roc = positives[0] === 0n ? "no-positives" : share(auc, mul(positives, negatives), "no-negatives");
  if (positives[0] === 0n) {
    const names = ["pr_auc_none", "pr_auc_first_precision", "pr_auc_one", "average_precision"];
    return { roc_auc: roc, ...Object.fromEntries(names.map((name) => [name, "no-positives"])) };
  }
  const points = rows.filter(({ tp, fp }) => add(tp, fp)[0] !== 0n)
    .map(({ tp, fp }) => [div(tp, positives), div(tp, add(tp, fp))]);
  return {
    roc_auc: roc, pr_auc_none: trapezoids(points), pr_auc_first_precision: trapezoids([[ZERO, points[0][1]], ...points]),
    pr_auc_one: trapezoids([[ZERO, ONE], ...points]),
    average_precision: sum(points.map(([r, p], i) => mul(sub(r, i ? points[i - 1][0] : ZERO), p))),
  };
}
const areas = (input) => allAreas(ranked(input));

function matthewsAndKappa({ labels, counts }) {
  if (!labels.length || counts.length !== labels.length || counts.some((row) => row.length !== labels.length))
    throw new Refused("bad-samples");
  if (counts.flat().some((cell) => cell[0] < 0n)) throw new Refused("bad-samples");
  const rows = counts, t = rows.map(sum), p = labels.map((_, g) => sum(rows.map((row) => row[g]))), s = sum(t), ss = mul(s, s);
  const dot = (x, y) => sum(x.map((value, k) => mul(value, y[k]))), chance = dot(t, p), why = s[0] === 0n ? "no-samples" : "one-label";
  const above = sub(mul(s, sum(rows.map((row, k) => row[k]))), chance), below = mul(sub(ss, dot(p, p)), sub(ss, dot(t, t)));
  const recalls = rows.map((row, k) => share(row[k], t[k], null)).filter(Boolean);
  return {
    matthews: below[0] === 0n ? why : (times(surd(div(above, below)), sqrt(below))),
    kappa: share(above, sub(ss, chance), why),
    balanced_accuracy: recalls.length ? div(sum(recalls), whole(recalls.length)) : "no-samples",
  };
}

const rankedMetrics = ["error_rate", "precision", "recall", "f1", "!precision", "!recall"];
function weightedMetrics({ labels, scores, weights, threshold }) {
  ranked({ labels, scores, weights });
  const used = weights.map((_, i) => i).filter((i) => weights[i][0] !== 0n), of = (list) => used.map((i) => list[i]);
  const found = ranked({ labels: of(labels), scores: of(scores), weights: of(weights) });
  const { tp, fp } = found.rows.findLast((row) => compare(row.threshold, threshold) >= 0) ?? { tp: ZERO, fp: ZERO };
  const matrix = { tp, fp, fn: sub(found.positives, tp), tn: sub(found.negatives, fp) };
  return { thresholds: thresholds(found), matrix, ...metrics(matrix, rankedMetrics), ...allAreas(found) };
}

const QUERY = /^\s*(maximum|minimum)\s+(!?)\s*([a-z_0-9]+)\s*@\s*(!?)\s*([a-z_0-9]+)\s*(>=|<=|>|<|=)\s*([0-9./e+-]+)\s*$/;
function thresholdQuery({ rule, labels, scores, query }) {
  const { rows, positives, negatives } = ranked({ labels, scores }), found = QUERY.exec(query.toLowerCase());
  if (!found || ![found[3], found[5]].every((name) => NAMES.includes(name))) throw new Refused("bad-query");
  const [, goal, no, first, not, second, way, number] = found, bound = parse(number);
  if (compare(bound, ZERO) < 0 || compare(bound, ONE) > 0) throw new Refused("bad-query");
  const holds = { ">=": (c) => c >= 0, "<=": (c) => c <= 0, ">": (c) => c > 0, "<": (c) => c < 0, "=": (c) => c === 0 }[way];
  const up = goal === "maximum" ? 1 : -1;
  let best = null;
  rows.forEach(({ threshold }, i) => {
    const { tp, fp } = rule === ">=" ? rows[i] : rows[i - 1] ?? { tp: ZERO, fp: ZERO };
    const matrix = { tp, fp, fn: sub(positives, tp), tn: sub(negatives, fp) };
    const value = metric(matrix, no + first), other = metric(matrix, not + second);
    if (typeof value === "string" || typeof other === "string" || !holds(compare(other, bound))) return;
    const better = best ? up * compare(value, best.value) : 1; // the thresholds come from the highest down
    if (better > 0 || (better === 0 && up < 0)) best = { threshold, value, matrix };
  });
  if (!best) return { answered: false };
  return { answered: true, ...best };
}

export const families = {
  "matthews-and-kappa": matthewsAndKappa, "weighted-metrics": weightedMetrics, "threshold-query": thresholdQuery,
  "confusion-metrics": confusionMetrics, "population-rescaling": populationRescaling, areas,
  "multiclass-averages": multiclassAverages, "importance-weights": importanceWeights, "roc-curve": rocCurve,
  "precision-recall-curve": precisionRecallCurve,
};
