// Families of predictions for samples of two or more labels: losses, the k highest scores, areas of many labels.
import { ONE, ZERO, absolute, add, compare, div, floorOf, greatest, mul, natural, ratio, refuse, signOf, square, sub, sum, whole } from "./rational.mjs";
import { rounded } from "./logarithm.mjs";
import { metric, matrixOf, ranked, share } from "./metrics.mjs";

const weighed = (weights, samples) => {
  const found = weights ?? samples.map(() => ONE);
  refuse(!samples.length || found.length !== samples.length, "bad-samples");
  refuse(found.some((w) => signOf(w) < 0) || sum(found)[0] === 0n, "bad-samples");
  return found;
};
const mean = (list, weights) => div(sum(list.map((x, i) => mul(x, weights[i]))), sum(weights));

function liftAndFBeta({ beta, tp, fp, fn, tn }) {
  refuse(!/^[0-9]+([./][0-9]+)?$/.test(beta), "bad-query");
  const [above, below] = beta.split("/"), [whole_, places = ""] = above.split(".");
  const b = ratio(BigInt(whole_ + places), 10n ** BigInt(places.length) * BigInt(below ?? 1)), bb = square(b);
  refuse(b[0] === 0n || compare(b, whole(1000)) > 0);
  const m = matrixOf([tp, fp, fn, tn]), n = sum([tp, fp, fn, tn]), hits = mul(add(ONE, bb), tp);
  const predicted = add(tp, fp), positives = add(tp, fn), chance = mul(predicted, positives);
  return {
    lift: share(mul(tp, n), chance, predicted[0] === 0n ? "no-predicted-positives" : "no-positives"),
    f_beta: share(hits, sum([hits, fp, mul(bb, fn)]), "nothing-positive"), jaccard: share(tp, add(predicted, fn), "nothing-positive"),
    negated_jaccard: share(tn, sum([tn, fn, fp]), "nothing-negative"), false_discovery_rate: share(fp, predicted, metric(m, "precision")),
  };
}

function probabilityLosses({ labels, probabilities, bins, weights }) {
  const w = weighed(weights, labels), n = natural(bins), y = labels.map(whole);
  refuse(n === 0n);
  refuse(probabilities.length !== labels.length || labels.some((label) => label !== 0 && label !== 1), "bad-samples");
  refuse(probabilities.some((p) => signOf(p) < 0 || compare(p, ONE) > 0));
  const used = labels.map((_, i) => i).filter((i) => w[i][0] !== 0n), seen = (i) => (labels[i] ? probabilities[i] : sub(ONE, probabilities[i]));
  const W = sum(w), infinite = used.some((i) => seen(i)[0] === 0n), groups = new Map();
  for (const i of used) {
    const place = Number(floorOf(mul(probabilities[i], whole(n)))), bin = Math.min(place, Number(n) - 1);
    groups.set(bin, [...(groups.get(bin) ?? []), i]);
  }
  const found = [...groups].sort(([i], [j]) => i - j).map(([bin, members]) => {
    const here = members.map((i) => w[i]), of = (list) => mean(members.map((i) => list[i]), here);
    return { lower: ratio(BigInt(bin), n), upper: ratio(BigInt(bin + 1), n), weight: sum(here), mean: of(probabilities), positives: of(y) };
  });
  const gaps = found.map((bin) => absolute(sub(bin.mean, bin.positives)));
  return {
    brier: mean(probabilities.map((p, i) => square(sub(p, y[i]))), w),
    log_loss: infinite ? "infinite" : rounded(used.map((i) => [div(sub(ZERO, w[i]), W), seen(i)])),
    bins: found, calibration_error: mean(gaps, found.map((bin) => bin.weight)), largest_gap: greatest(gaps),
  };
}

const table = ({ names, labels, scores, weights }) => {
  refuse(scores.length !== labels.length || scores.some((row) => row.length !== names.length), "bad-samples");
  return weighed(weights, labels);
};

function topKAccuracy(input) {
  const { names, labels, scores } = input, k = Number(natural(input.k)), w = table(input);
  const places = labels.map((label) => names.indexOf(label));
  refuse(places.includes(-1), "bad-samples");
  const counts = scores.map((row, i) => {
    const order = row.map((score) => compare(score, row[places[i]])), equal = order.filter((c) => c === 0).length;
    return { h: order.filter((c) => c > 0).length, e: equal, b: order.slice(0, places[i]).filter((c) => c === 0).length };
  });
  const value = (of) => mean(counts.map(of), w), truth = (is) => (is ? ONE : ZERO);
  return {
    first: value(({ h, b }) => truth(h + b < k)), last: value(({ h, e, b }) => truth(h + e - 1 - b < k)),
    shared: value(({ h, e }) => ratio(BigInt(Math.min(Math.max(k - h, 0), e)), BigInt(e))),
  };
}

// The area of samples [is positive, score, weight], or why there is none.
function area(samples) {
  const half = ratio(1n, 2n), positives = samples.filter(([is]) => is), negatives = samples.filter(([is]) => !is);
  const weight = (list) => sum(list.map(([, , w]) => w)), pairs = mul(weight(positives), weight(negatives));
  if (pairs[0] === 0n) return weight(positives)[0] === 0n ? "no-positives" : "no-negatives";
  const won = positives.flatMap(([, p, w]) => negatives.map(([, n, u]) => mul(mul(w, u), [ZERO, half, ONE][1 + compare(p, n)])));
  return div(sum(won), pairs);
}
function manyLabelAreas(input) {
  const { names, labels, scores } = input, w = table(input), every = labels.map((_, i) => i);
  const against = (place, members) => area(members.map((i) => [labels[i] === names[place], scores[i][place], w[i]]));
  const weightOf = (...places) => sum(every.filter((i) => places.some((place) => labels[i] === names[place])).map((i) => w[i]));
  const average = (areas, weights) => (areas.some((x) => typeof x === "string") ? "part-undefined" : mean(areas, weights));
  const columns = names.map((_, place) => place), ovr = columns.map((place) => against(place, every));
  const pairs = columns.flatMap((i) => columns.slice(i + 1).map((j) => [i, j]));
  const ovo = pairs.flatMap(([i, j]) => {
    const members = every.filter((sample) => [names[i], names[j]].includes(labels[sample]));
    return [against(i, members), against(j, members)];
  });
  const cells = every.flatMap((i) => columns.map((place) => [labels[i] === names[place], scores[i][place], w[i]]));
  const ones = (list) => list.map(() => ONE), twice = pairs.flatMap((pair) => [weightOf(...pair), weightOf(...pair)]);
  return {
    ovr_macro: average(ovr, ones(ovr)), ovr_weighted: average(ovr, columns.map((place) => weightOf(place))), micro: area(cells),
    ovo_macro: pairs.length ? average(ovo, ones(ovo)) : "one-label", ovo_weighted: pairs.length ? average(ovo, twice) : "one-label",
  };
}

function detCurve(input) {
  const { rows, positives, negatives } = ranked(input);
  const point = ({ tp, fp }) => [share(fp, negatives, "no-negatives"), share(sub(positives, tp), positives, "no-positives")];
  return { thresholds: rows.map(({ threshold }) => threshold), points: [{ tp: ZERO, fp: ZERO }, ...rows].map(point) };
}

export const families = {
  "lift-and-f-beta": liftAndFBeta, "probability-losses": probabilityLosses, "top-k-accuracy": topKAccuracy,
  "many-label-areas": manyLabelAreas, "det-curve": detCurve,
};
