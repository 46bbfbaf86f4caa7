// Families of tests of which some questions are graded, and of agreement beyond chance.
import {
  ONE, ZERO, add, choose, compare, div, greatest, least, mul, natural, parse, range, ratio, refuse, signOf, square, sub, sum, total,
  whole,
} from "./rational.mjs";
import { quantileSquareExceeds } from "./normal.mjs";
import { counted, patterns } from "./votes.mjs";

const refuseLevel = (level) => refuse(signOf(level) <= 0 || compare(level, ONE) >= 0);

// How many samples of m from Q questions show 0, …, m right answers if M of all are right.
const samples = (Q, m, M) => range(0, m).map((x) => choose(BigInt(M), BigInt(x)) * choose(BigInt(Q - M), BigInt(m - x)));
const binomial = (Q, m, M) =>
  range(0, m).map((x) => choose(BigInt(m), BigInt(x)) * BigInt(M) ** BigInt(x) * BigInt(Q - M) ** BigInt(m - x));
const tails = (N, r) => [total(N.slice(0, r + 1)), total(N.slice(r))];
const moreThan = (part, all, share) => compare(ratio(part, all), share) > 0;

// Whether a method keeps the truth M, given r right answers among m of Q questions.
const KEEPS = {
  central(Q, m, r, M, level) {
    const N = samples(Q, m, M), half = div(sub(ONE, level), whole(2));
    return tails(N, r).every((part) => moreThan(part, total(N), half));
  },
  blaker(Q, m, r, M, level) {
    const N = samples(Q, m, M), gamma = N.map((_, x) => tails(N, x).reduce((a, b) => (b < a ? b : a)));
    return moreThan(total(N.filter((_, x) => gamma[x] <= gamma[r])), total(N), sub(ONE, level));
  },
  anytime(Q, m, r, M, level) {
    const N = samples(Q, m, M);
    return moreThan(BigInt(m + 1) * N[r], total(N), sub(ONE, level));
  },
  clopper_pearson(Q, m, r, M, level) {
    const N = binomial(Q, m, M), half = div(sub(ONE, level), whole(2));
    return tails(N, r).every((part) => compare(ratio(part, total(N)), half) >= 0);
  },
};
const normal = (variance) => (Q, m, r, M, level) => {
  const far = square(sub(ratio(BigInt(r), BigInt(m)), ratio(BigInt(M), BigInt(Q)))), v = variance(Q, m, r, M);
  return far[0] === 0n || (v[0] !== 0n && quantileSquareExceeds(level, div(far, v)));
};
const VARIANCES = {
  wald: (Q, m, r) => ratio(BigInt(r * (m - r)), BigInt(m) ** 3n),
  wilson: (Q, m, r, M) => ratio(BigInt(M * (Q - M)), BigInt(m) * BigInt(Q) ** 2n),
};
for (const [name, variance] of Object.entries(VARIANCES)) {
  KEEPS[name] = normal(variance);
  KEEPS[`${name}_corrected`] = normal((Q, m, r, M) => (Q === 1 ? ZERO : mul(variance(Q, m, r, M), ratio(BigInt(Q - m), BigInt(Q - 1)))));
}
function interval(method, Q, m, r, level) {
  const kept = range(0, Q).filter((M) => m === 0 || KEEPS[method](Q, m, r, M, level));
  return kept.length ? [kept[0], kept.at(-1)] : null;
}
function sampleIntervals({ size, graded, right, level }) {
  const [Q, m, r] = [size, graded, right].map((value) => Number(natural(value)));
  refuseLevel(level);
  refuse(r > m);
  refuse(m > Q, "bad-votes");
  return Object.fromEntries(["central", "blaker", "anytime"].map((method) => [method, interval(method, Q, m, r, level)]));
}
function intervalCoverage({ method, size, graded, level }) {
  const [Q, m] = [size, graded].map((value) => Number(natural(value)));
  refuseLevel(level);
  refuse(!Object.hasOwn(KEEPS, method), "bad-choice");
  refuse(m > Q);
  const intervals = range(0, m).map((r) => interval(method, Q, m, r, level));
  const coverages = range(0, Q).map((M) => {
    const N = samples(Q, m, M);
    return ratio(total(N.filter((_, r) => intervals[r] && intervals[r][0] <= M && M <= intervals[r][1])), total(N));
  });
  return { coverages, least: least(coverages) };
}

const NAMED = ["percent_pooled", "percent_by_question", "cohen", "scott", "fleiss", "krippendorff", "gwet", "brennan_prediger"];
function chanceAgreement({ labels, answers, coefficient, weights }) {
  const q = labels.length, places = range(0, q - 1);
  refuse(!NAMED.includes(coefficient), "bad-choice");
  const distances = coefficient === "krippendorff" ? ["nominal", "ordinal", "interval", "ratio"] : ["nominal", "linear", "quadratic"];
  refuse(!distances.includes(weights), "bad-choice");
  refuse(q < 2 || new Set(labels).size < q || labels.includes(""), "bad-votes");
  refuse(!answers.length || !answers[0].length || answers.some((row) => row.length !== answers[0].length), "bad-votes");
  refuse(answers.flat().some((answer) => answer !== null && !labels.includes(answer)), "bad-votes");
  refuse(["cohen", "scott"].includes(coefficient) && answers[0].length !== 2, "bad-votes");
  const numbers = ["interval", "ratio"].includes(weights) ? labels.map(parse) : [];
  refuse(new Set(numbers.map(String)).size < numbers.length || (weights === "ratio" && numbers.some((x) => signOf(x) < 0)));
  const rated = answers.map((row) => ({ row, r: labels.map((label) => row.filter((a) => a === label).length) }))
    .map((one) => ({ ...one, n: one.r.reduce((a, b) => a + b, 0) })).filter(({ n }) => n > 0);
  refuse(coefficient === "fleiss" && rated.some(({ n }) => n !== rated[0].n), "bad-votes");
  const value = (x) => ({ value: x, undefined: null }), without = (word) => ({ value: null, undefined: word });
  const paired = rated.filter(({ n }) => n > 1);
  if (!paired.length) return without("no-pairs");
  const every = (f) => sum(places.flatMap((k) => places.map((l) => f(k, l)))), mean = (list) => div(sum(list), whole(list.length));
  if (coefficient === "krippendorff") {
    const n = places.map((k) => paired.reduce((a, { r }) => a + r[k], 0)), all = n.reduce((a, b) => a + b, 0);
    const delta = (k, l) => {
      if (k === l || !n[k] || !n[l]) return ZERO;
      if (weights === "nominal") return ONE;
      if (weights === "ordinal") {
        const between = n.slice(Math.min(k, l) + 1, Math.max(k, l)).reduce((a, b) => a + b, 0);
        return square(add(ratio(BigInt(n[k] + n[l]), 2n), whole(between)));
      }
      const apart = sub(numbers[k], numbers[l]);
      return square(weights === "interval" ? apart : div(apart, add(numbers[k], numbers[l])));
    };
    const D = every((k, l) => mul(delta(k, l), whole(n[k] * n[l])));
    if (D[0] === 0n) return without("one-label");
    const seen = sum(paired.map(({ r, n: m }) => div(every((k, l) => mul(delta(k, l), whole(r[k] * r[l]))), whole(m - 1))));
    return value(sub(ONE, div(mul(whole(all - 1), seen), D)));
  }
  const w = (k, l) => {
    if (k === l) return ONE;
    const apart = weights === "nominal" ? ONE : ratio(BigInt(Math.abs(k - l)), BigInt(q - 1));
    return sub(ONE, weights === "quadratic" ? square(apart) : apart);
  };
  const agreement = ({ r, n }) => {
    const like = (k) => sub(sum(places.map((l) => mul(w(k, l), whole(r[l])))), ONE);
    return div(sum(places.map((k) => mul(whole(r[k]), like(k)))), whole(n * (n - 1)));
  };
  const o = mean(paired.map(agreement)), shares = (list) => places.map((k) => mean(list.map(({ r, n }) => ratio(BigInt(r[k]), BigInt(n)))));
  if (coefficient === "percent_pooled") {
    const size = ({ n }) => whole(n * (n - 1));
    return value(div(sum(paired.map((one) => mul(size(one), agreement(one)))), sum(paired.map(size))));
  }
  if (coefficient === "percent_by_question") return value(o);
  const T = every(w), chance = {
    cohen: () => {
      const [p, s] = [0, 1].map((judge) => labels.map((label) => mean(paired.map(({ row }) => (row[judge] === label ? ONE : ZERO)))));
      return every((k, l) => mul(w(k, l), mul(p[k], s[l])));
    },
    scott: () => {
      const t = shares(paired);
      return every((k, l) => mul(w(k, l), mul(t[k], t[l])));
    },
    gwet: () => div(mul(T, sum(shares(rated).map((u) => mul(u, sub(ONE, u))))), whole(q * (q - 1))),
    brennan_prediger: () => div(T, whole(q * q)),
  };
  const e = chance[coefficient === "fleiss" ? "scott" : coefficient]();
  return compare(e, ONE) === 0 ? without("one-label") : value(div(sub(o, e), sub(ONE, e)));
}

// The values of a function over all keys, without those that are null.
function spanOf(values) {
  const found = values.filter((value) => value !== null), end = (pick) => (found.length ? pick(found) : null);
  return { lower: end(least), upper: end(greatest), may_lack: found.length < values.length };
}
function partialKeyRanges({ labels, judges, counts, graded }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length).map(Number), r = labels.length;
  refuse(graded.length !== r, "bad-votes");
  const known = graded.map((list) => counted(list, all.length).map(Number)), every = range(0, judges - 1);
  const free = seen.map((count, v) => count - known.reduce((a, list) => a + list[v], 0)), size = seen.reduce((a, b) => a + b, 0);
  refuse(free.some((count) => count < 0), "bad-votes");
  const among = (list, holds) => list.reduce((a, count, v) => a + (holds(all[v]) ? count : 0), 0), open = free.reduce((a, b) => a + b, 0);
  const hits = (i) => known.reduce((a, list, l) => a + among(list, (p) => p[i] === labels[l]), 0);
  const rightOn = every.map((i) => labels.map((label, l) => {
    const fixed = among(known[l], (p) => p[i] === label);
    return [fixed, fixed + among(free, (p) => p[i] === label)];
  }));
  const accuracyOn = every.map((i) => labels.map((label, l) => {
    const wrong = among(known[l], (p) => p[i] !== label), more = among(free, (p) => p[i] !== label), [low, high] = rightOn[i][l];
    return spanOf(range(low, high).flatMap((x) => range(wrong, wrong + more).map((y) => (x + y ? ratio(BigInt(x), BigInt(x + y)) : null))));
  }));
  // All pairs of right answers and S that a key can lead to, question by question.
  const kappa = every.map((i) => {
    const given = labels.map((label) => among(seen, (p) => p[i] === label));
    let found = new Set([`${hits(i)} ${known.reduce((a, list, l) => a + given[l] * list.reduce((b, c) => b + c, 0), 0)}`]);
    labels.forEach((label, g) => range(1, among(free, (p) => p[i] === label)).forEach(() => {
      found = new Set([...found].flatMap((name) => {
        const [right, S] = name.split(" ").map(Number);
        return labels.map((_, l) => `${right + (l === g ? 1 : 0)} ${S + given[l]}`);
      }));
    }));
    return spanOf([...found].map((name) => {
      const [right, S] = name.split(" ").map(Number);
      return size * size === S ? null : ratio(BigInt(size * right - S), BigInt(size * size - S));
    }));
  });
  const same = among(free, (p) => p[0] === p[1]), apart = open - same, fixedBoth = known.reduce((a, list, l) =>
    a + among(list, (p) => p[0] === labels[l] && p[1] === labels[l]), 0);
  const covariance = range(0, same).flatMap((both) => range(0, apart).flatMap((one) => {
    const fewest = r === 2 ? apart - one : 0; // of two labels one is always right where two judges differ
    return range(fewest, apart - one).map((two) => (size === 0 ? null : sub(ratio(BigInt(fixedBoth + both), BigInt(size)),
      ratio(BigInt((hits(0) + both + one) * (hits(1) + both + two)), BigInt(size) ** 2n))));
  }));
  return {
    key_counts: known.map((list) => list.reduce((a, b) => a + b, 0)).map((n) => [n, n + open]), keys: BigInt(r) ** BigInt(open),
    splits: free.reduce((ways, n) => ways * choose(BigInt(n + r - 1), BigInt(r - 1)), 1n),
    right: every.map((i) => [hits(i), hits(i) + open]), right_on: rightOn, accuracy_on: accuracyOn, kappa,
    difference: [hits(0) - hits(1) - apart, hits(0) - hits(1) + apart], covariance: spanOf(covariance),
  };
}

export const families = {
  "sample-intervals": sampleIntervals, "interval-coverage": intervalCoverage, "chance-agreement-coefficients": chanceAgreement,
  "partial-key-ranges": partialKeyRanges,
};
