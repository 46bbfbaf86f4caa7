// Families that start from votes: counts of all patterns, in lexicographic order, the last judge changing fastest.
import { Refused, add, choose, div, mul, natural, ratio, refuse, sub, sum, whole } from "./rational.mjs";

const total = (list) => list.reduce((a, b) => a + b, 0);
export const pairs = (n) => [...Array(n).keys()].flatMap((i) => [...Array(n).keys()].slice(i + 1).map((j) => [i, j]));

export function patterns(labels, judges) {
  let found = [[]];
  for (let judge = 0; judge < judges; judge++) found = found.flatMap((p) => labels.map((label) => [...p, label]));
  return found;
}

// The counts as BigInt, one for each pattern.
export function counted(counts, width) {
  refuse(counts.length !== width, "bad-votes");
  return counts.map(natural);
}

// The moments of three judges between two labels: rates of b, Δ of each pair, T, Π and A.
export function moments(counts) {
  const seen = counted(counts, 8), size = seen.reduce((a, b) => a + b);
  if (size === 0n) throw new Refused("empty-test");
  const f = seen.map((c) => ratio(c, size));
  const b = (v, i) => (v >> (2 - i)) & 1; // does judge i answer b in pattern v?
  const rates = [0, 1, 2].map((i) => sum(f.filter((_, v) => b(v, i))));
  const delta = pairs(3).map(([i, j]) =>
    sub(sum(f.filter((_, v) => b(v, i) && b(v, j))), mul(rates[i], rates[j])));
  const [d12, d13, d23] = delta;
  const T = sub(f[7], sum([mul(mul(rates[0], rates[1]), rates[2]),
    mul(rates[0], d23), mul(rates[1], d13), mul(rates[2], d12)]));
  const pi = mul(mul(d12, d13), d23);
  return { size, f, rates, delta, T, pi, A: add(mul(T, T), mul(whole(4), pi)) };
}
function voteMoments({ counts }) {
  const { f, rates, delta, T, pi, A } = moments(counts);
  return { frequencies: f, rates, pair_moments: delta, trio_moment: T, pair_product: pi, discriminant: A };
}

function possibleSingle({ labels, responses, key_counts }) {
  const r = BigInt(labels.length);
  if (Math.min(...responses) < 0) throw new Refused("bad-number");
  if (Math.min(...key_counts) < 0 || total(key_counts) !== total(responses)) throw new Refused("bad-key-counts");
  const q = BigInt(total(responses));
  const ways = (list) => list.reduce((a, c) => a * choose(BigInt(c) + r - 1n, r - 1n), 1n);
  return {
    possible: choose(q + r * r - 1n, r * r - 1n), possible_at: ways(key_counts), consistent: ways(responses),
    consistent_at: tables(responses, key_counts),
  };
}

// How many tables of whole numbers have these sums of rows and columns.
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

function possibleGroup({ labels, judges, questions, key_counts }) {
  if (questions < 0) throw new Refused("bad-number");
  if (judges < 1 || labels.length < 2 || new Set(labels).size < labels.length || labels.includes(""))
    throw new Refused("bad-votes");
  if (Math.min(...key_counts) < 0 || total(key_counts) !== questions) throw new Refused("bad-key-counts");
  const r = BigInt(labels.length), width = r ** BigInt(judges), q = BigInt(questions), m = r * width;
  // The keys are a polynomial of which each label is a factor; the coefficient of x^Q counts over all of them.
  let coefficients = [1n];
  for (const _ of labels) {
    const next = Array(questions + 1).fill(0n);
    coefficients.forEach((a, i) => {
      for (let k = 0; i + k <= questions; k++) next[i + k] += a * choose(BigInt(k) + r - 1n, r - 1n) ** BigInt(judges);
    });
    coefficients = next;
  }
  return {
    possible: choose(q + m - 1n, m - 1n), individual: coefficients[questions],
    possible_at: key_counts.reduce((a, c) => a * choose(BigInt(c) + width - 1n, width - 1n), 1n),
  };
}

// The mean over the questions of one label of a value of the pattern, or undefined.
export function mean(counts, value) {
  const size = counts.reduce((a, b) => a + b, 0n);
  return size === 0n ? null : div(sum(counts.map((c, v) => mul(whole(c), value(v)))), whole(size));
}
export const truth = (is) => whole(is ? 1 : 0);

// Mean of the products of (1 if right else 0) − accuracy, over the questions of a label.
export function correlation(counts, all, label, judges) {
  const rates = judges.map((i) => mean(counts, (v) => truth(all[v][i] === label)));
  if (rates.includes(null)) return null;
  return mean(counts, (v) => judges.map((i, k) => sub(truth(all[v][i] === label), rates[k])).reduce(mul));
}

function keyed({ labels, judges, counts_by_key }) {
  const all = patterns(labels, judges);
  if (counts_by_key.length !== labels.length) throw new Refused("bad-votes");
  const key = counts_by_key.map((counts) => counted(counts, all.length));
  const sizes = key.map((counts) => counts.reduce((a, b) => a + b, 0n)), size = sizes.reduce((a, b) => a + b);
  if (size === 0n) throw new Refused("empty-test");
  return { all, key, sizes, size };
}

function graded({ all, key, sizes, size }, labels, judges) {
  const every = [...Array(judges).keys()];
  const trios = pairs(judges).flatMap(([i, j]) => every.slice(j + 1).map((k) => [i, j, k]));
  const correlations = (groups) =>
    labels.map((label, l) => groups.map((group) => correlation(key[l], all, label, group) ?? "undefined"));
  return {
    prevalence: sizes.map((count) => ratio(count, size)),
    response_rates: every.map((i) =>
      labels.map((_, l) => labels.map((given) => mean(key[l], (v) => truth(all[v][i] === given)) ?? "undefined"))),
    pair_correlations: correlations(pairs(judges)),
    trio_correlations: correlations(trios),
  };
}

const grade = (input) => graded(keyed(input), input.labels, input.judges);

function independenceDefect(input) {
  const { labels, judges } = input;
  if (labels.length !== 2 || input.counts_by_key.length !== 2) throw new Refused("bad-votes");
  const { all, key, sizes, size } = keyed(input);
  if (sizes.includes(0n)) throw new Refused("empty-test");
  const share = (holds) =>
    ratio(key.reduce((a, counts, l) => a + counts.reduce((b, c, v) => b + (holds(all[v], labels[l]) ? c : 0n), 0n), 0n), size);
  const errors = [...Array(judges).keys()].map((i) => share((v, label) => v[i] !== label));
  const defects = pairs(judges).map(([i, j]) =>
    sub(share((v, label) => v[i] !== label && v[j] !== label), mul(errors[i], errors[j])));
  const within = pairs(judges).map((pair) => sum(labels.map((label, l) =>
    mul(ratio(sizes[l], size), correlation(key[l], all, label, pair)))));
  return { error_rates: errors, defects, within, between: defects.map((defect, place) => sub(defect, within[place])) };
}

function majority({ labels, judges, counts, ties }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length);
  if (!["refuse", "first-label", "last-label", "first-judge"].includes(ties)) throw new Refused("bad-votes");
  if (seen.every((c) => c === 0n)) throw new Refused("empty-test");
  let tied = 0n;
  const decided = all.map((pattern, v) => {
    const votes = labels.map((label) => pattern.filter((given) => given === label).length);
    const best = labels.filter((_, l) => votes[l] === Math.max(...votes));
    if (best.length > 1) tied += seen[v];
    if (ties === "first-judge") return pattern.find((given) => best.includes(given));
    return best[ties === "last-label" ? best.length - 1 : 0];
  });
  if (ties === "refuse" && tied > 0n) throw new Refused("bad-votes");
  const by = (place) => {
    const key = labels.map((label) => seen.map((c, v) => (place(decided[v]) === label ? c : 0n)));
    const sizes = key.map((part) => part.reduce((a, b) => a + b, 0n));
    const { prevalence, response_rates, pair_correlations } =
      graded({ all, key, sizes, size: sizes.reduce((a, b) => a + b) }, labels, judges);
    return {
      sizes,
      grades: { prevalence, accuracies: response_rates.map((rows) => rows.map((row, l) => row[l])), pair_correlations },
    };
  };
  const right = by((label) => label);
  return {
    tied_questions: tied, key_counts: right.sizes, if_right: right.grades,
    if_wrong: labels.length === 2 ? by((label) => labels[1 - labels.indexOf(label)]).grades : null,
  };
}

export const families = {
  "vote-moments": voteMoments, "possible-single": possibleSingle, "possible-group": possibleGroup, grade,
  "independence-defect": independenceDefect, majority,
};
