// Residuals of the postulates. Undefined rates are unknowns: a value is a polynomial in them, a map from monomials.
import { Refused, mul, ratio, sub, sum, total, whole } from "./rational.mjs";
import { NOTHING, UNIT, numberOf, opposite, plus, surd, times } from "./surd.mjs";
import { correlation, counted, pairs, patterns } from "./votes.mjs";

const known = (value) => new Map([["", value]]);
const rational = (value) => known(surd(value));
const vanishes = ({ a, b }) => a[0] === 0n && b[0] === 0n;
function add(...list) {
  const found = new Map();
  for (const part of list) for (const [name, value] of part) found.set(name, plus(found.get(name) ?? NOTHING, value));
  return found;
}
const neg = (x) => new Map([...x].map(([name, value]) => [name, opposite(value)]));
const minus = (x, ...others) => add(x, ...others.map(neg));
const product = (...list) => list.reduce((x, y) => {
  const found = new Map();
  for (const [one, u] of x) for (const [two, w] of y) {
    const name = [...one.split(" "), ...two.split(" ")].filter(Boolean).sort().join(" ");
    found.set(name, plus(found.get(name) ?? NOTHING, times(u, w)));
  }
  return found;
});
const ONE = known(UNIT), other = (x) => minus(ONE, x);
const residual = (x) =>
  [...x].some(([name, value]) => name && !vanishes(value)) ? "undefined" : x.get("") ?? NOTHING;

const result = (residuals) => {
  const found = Object.fromEntries(Object.entries(residuals).map(([name, x]) => [name, residual(x)]));
  return { residuals: found, on: Object.values(found).every((value) => value !== "undefined" && vanishes(value)) };
};

// The frequencies of the votes and the rates of the point: P[l], rate[i][l], gamma[l], each a polynomial.
function given({ labels, judges, counts, key, rates }, groups) {
  const all = patterns(labels, judges), seen = counted(counts, all.length), size = total(seen);
  if (size === 0n) throw new Refused("empty-test");
  const f = seen.map((count) => ratio(count, size));
  let unknowns = 0;
  const value = (found) => (found === null ? new Map([[`u${unknowns++}`, UNIT]]) : found instanceof Map ? found : known(found));
  if (!key) {
    const { prevalence, accuracies, correlations } = rates, put = (x) => value(x === null ? null : numberOf(x));
    return {
      all, seen, size, f, P: prevalence.map(put), rate: accuracies.map((pair) => pair.map(put)),
      gamma: correlations.map((list) => list.map(put)),
    };
  }
  if (key.length !== labels.length) throw new Refused("bad-votes");
  const keyed = key.map((list) => counted(list.map(whole), all.length)), sizes = keyed.map(total), questions = total(sizes);
  if (questions === 0n) throw new Refused("empty-test");
  const put = (x) => value(x === null ? null : surd(x));
  const share = (l, i) => (sizes[l] === 0n ? null
    : ratio(total(keyed[l].filter((_, v) => all[v][i] === labels[l])), sizes[l]));
  return {
    all, seen, size, f, keyed, sizes, P: sizes.map((count) => put(ratio(count, questions))),
    rate: Array.from({ length: judges }, (_, i) => labels.map((_, l) => put(share(l, i)))),
    gamma: labels.map((label, l) => groups.map((group) => put(correlation(keyed[l], all, label, group)))),
  };
}
const totalRate = (P) => minus(add(...P), ONE);

function single(input) {
  const { seen, size, f, P, rate, keyed, sizes } = given(input, []), [[x, y]] = rate, [fa, fb] = f.map(rational);
  const count = (n) => rational(whole(n));
  return result({
    ...(keyed && {
      1: count(sizes[0] + sizes[1] - size), 11: count(seen[0] - keyed[0][0] - keyed[1][0]),
      12: count(seen[1] - keyed[0][1] - keyed[1][1]), "16R": count(keyed[0][0] - keyed[1][1] - seen[0] + sizes[1]),
    }),
    5: totalRate(P), 14: minus(fa, product(P[0], x), product(P[1], other(y))),
    15: minus(fb, product(P[0], other(x)), product(P[1], y)),
    16: minus(product(P[0], minus(x, fa)), product(P[1], minus(y, fb))),
  });
}

function pair(input) {
  const { f, P, rate: [[x1, y1], [x2, y2]], gamma: [[ga], [gb]] } = given(input, [[0, 1]]);
  const [aa, ab, ba, bb] = f, a = [sum([aa, ab]), sum([aa, ba])], b = a.map((share) => sub(whole(1), share));
  const seen = sub(bb, mul(b[0], b[1])), delta = input.moment ?? seen, d = rational(delta);
  const cell = (share, r, s, way) =>
    minus(rational(share), product(P[0], add(product(...r), way(ga))), product(P[1], add(product(...s), way(gb))));
  const [u1, u2] = [x1, x2].map((x, i) => minus(x, rational(a[i]))), [v1, v2] = [y1, y2].map((y, i) => minus(y, rational(b[i])));
  const up = (x) => x, cubic = (u, v) =>
    add(product(u1, v2, add(u, v)), product(v, minus(ga, d)), product(u, minus(gb, d)));
  return {
    moment: delta,
    ...result({
      5: totalRate(P), "26a": cell(aa, [x1, x2], [other(y1), other(y2)], up), "26b": cell(ab, [x1, other(x2)], [other(y1), y2], neg),
      "26c": cell(ba, [other(x1), x2], [y1, other(y2)], neg), "26d": cell(bb, [other(x1), other(x2)], [y1, y2], up),
      34: minus(d, rational(seen)), 35: minus(d, rational(sub(aa, mul(a[0], a[1])))),
      "33a": minus(product(P[0], u1), product(P[1], v1)), "33b": minus(product(P[0], u2), product(P[1], v2)),
      "33c": minus(product(u1, v2), product(v1, u2)),
      "33d": add(product(u1, v2), product(P[0], minus(ga, d)), product(P[1], minus(gb, d))),
      "33e": cubic(u1, v1), "33f": cubic(u2, v2),
    }),
  };
}

function trio(input) {
  const groups = [...pairs(3), [0, 1, 2]], { all, f, P, rate, gamma } = given(input, groups);
  const residuals = { 5: totalRate(P) };
  all.forEach((pattern, v) => {
    const parts = input.labels.map((label, l) => {
      const r = pattern.map((given, m) => (given === label ? rate[m][l] : other(rate[m][l])));
      const terms = groups.map((group, place) => {
        const odd = group.filter((m) => pattern[m] !== label).length % 2;
        const term = product(gamma[l][place], ...r.filter((_, m) => !group.includes(m)));
        return odd ? neg(term) : term;
      });
      return product(P[l], add(product(...r), ...terms));
    });
    residuals[`f(${pattern})`] = minus(rational(f[v]), ...parts);
  });
  return result({ ...residuals, 38: minus(rational(sum(f)), ONE) });
}

export const families = { "single-postulates": single, "pair-postulates": pair, "trio-postulates": trio };
