// Families of shares of positive outputs: exact tests, intervals, and how often they hold the truth.
import { ONE, ZERO, add, choose, compare, div, floorOf, isqrt, mul, natural, range, ratio, refuse, signOf, square, sub, sum, total, whole } from "./rational.mjs";
import { quantile, quantileSquareExceeds } from "./normal.mjs";

const TWO = whole(2), HALF = ratio(1n, 2n), smaller = (x, y) => (compare(x, y) < 0 ? x : y);
const sample = ([k, n]) => {
  refuse(natural(k) > natural(n));
  return [k[0], n[0]];
};
const checkLevel = (level) => refuse(signOf(level) <= 0 || compare(level, ONE) >= 0);

function fisherTest({ control, treatment }) {
  const [a, n1] = sample(control), [b, n2] = sample(treatment), K = a + b, N = n1 + n2, ways = new Map();
  for (let x = 0n; x <= K && x <= n2; x++) if (n2 - x <= N - K) ways.set(x, choose(K, x) * choose(N - K, n2 - x));
  const chance = (holds) => ratio(total([...ways].filter(holds).map(([, count]) => count)), choose(N, n2));
  const two_sided = chance(([, count]) => count <= ways.get(b)), apart = b * n1 - a * n2;
  const shown = compare(two_sided, ratio(1n, 20n)) <= 0 && apart !== 0n;
  return {
    two_sided, higher: chance(([x]) => x >= b), lower: chance(([x]) => x <= b), decision: shown ? (apart > 0n ? "higher" : "lower") : "not-shown",
  };
}

function mcnemarTest({ control_only, treatment_only }) {
  const c = natural(control_only), t = natural(treatment_only), n = c + t, fewer = c < t ? c : t;
  const B = (m) => {
    let found = 0n;
    for (let k = 0n, ways = 1n; k <= m; k++) {
      found += ways;
      ways = (ways * (n - k)) / (k + 1n);
    }
    return found;
  };
  const tails = (part) => {
    const tail = (m) => div(sub(whole(B(m)), mul(part, whole(choose(n, m)))), whole(2n ** n));
    return { higher: tail(c), lower: tail(t), two_sided: smaller(ONE, mul(TWO, tail(fewer))) };
  };
  return { exact: tails(ZERO), mid: tails(HALF) };
}

const BITS = 200n, near = ([p, q]) => ratio((p << BITS) / q, 1n << BITS);
const root = ([p, q]) => ratio(isqrt((p << (2n * BITS)) / q), 1n << BITS);
const places = (x) => ratio(floorOf(add(mul(x, whole(10n ** 9n)), HALF)), 10n ** 9n);
const around = (middle, down, up = down) => [sub(middle, down), add(middle, up)];

const wald = (k, n, z) => around(ratio(k, n), mul(z, root(ratio(k * (n - k), n ** 3n))));
function wilson(k, n, z) {
  const zz = square(z), reach = mul(z, root(add(ratio(k * (n - k), n), div(zz, whole(4)))));
  const [low, high] = around(add(whole(k), div(zz, TWO)), reach).map((x) => near(div(x, add(whole(n), zz))));
  return [k === 0n ? ZERO : low, k === n ? ONE : high];
}
// The chance of at most k positives at x/2^64, as a whole number of parts of 2^(64n): Horner's rule for Σ C(n, i)·xⁱ·yⁿ⁻ⁱ.
function atMost(k, n, ways, x) {
  const y = (1n << 64n) - x;
  let found = 0n, power = 1n;
  for (let i = k; i >= 0n; i--, power *= y) found = found * x + ways[i] * power;
  return found * y ** (n - k);
}
function clopperPearson(k, n, level) {
  const [p, q] = div(sub(ONE, level), TWO), all = 1n << (64n * n), ways = [1n];
  for (let i = 0n; i < n; i++) ways.push((ways.at(-1) * (n - i)) / (i + 1n));
  const upper = (hits) => { // the x at which at most so many hits have the chance α/2
    if (hits === n) return ONE;
    let low = 0n, high = 1n << 64n;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (atMost(hits, n, ways, middle) * q > p * all) low = middle;
      else high = middle;
    }
    return ratio(high, 1n << 64n);
  };
  return [sub(ONE, upper(n - k)), upper(k)];
}

function shareIntervals({ control, treatment, level }) {
  const samples = [control, treatment].map(sample);
  refuse(samples.some(([, n]) => n === 0n));
  checkLevel(level);
  const z = near(quantile(level, 150n)[0]), [[a, m], [b, n]] = samples, pC = ratio(a, m), pT = ratio(b, n), d = sub(pT, pC);
  const [[lC, uC], [lT, uT]] = samples.map(([k, size]) => wilson(k, size, z)), far = (x, y) => root(add(square(x), square(y)));
  const v = sum(samples.map(([k, size]) => ratio(k * (size - k), size ** 3n)));
  const newcombe = around(d, far(sub(pT, lT), sub(uC, pC)), far(sub(uT, pT), sub(pC, lC))), ends = (interval) => interval.map(places);
  return {
    wald: samples.map(([k, size]) => ends(wald(k, size, z))), wilson: samples.map(([k, size]) => ends(wilson(k, size, z))),
    clopper_pearson: samples.map(([k, size]) => ends(clopperPearson(k, size, level))),
    difference_wald: ends(around(d, mul(z, root(v)))), newcombe: ends(newcombe),
    decision: d[0] !== 0n && signOf(newcombe[0]) > 0 ? "higher" : d[0] !== 0n && signOf(newcombe[1]) < 0 ? "lower" : "not-shown",
  };
}

function shareCoverage({ n: outputs, p, level }) {
  const n = natural(outputs), ks = range(0, Number(n)).map(BigInt), mean = mul(whole(n), p), other = sub(ONE, p);
  refuse(n === 0n || signOf(p) < 0 || compare(p, ONE) > 0);
  checkLevel(level);
  const chance = ks.map((k) => ratio(choose(n, k) * p[0] ** k * other[0] ** (n - k), p[1] ** n));
  const within = (k, variance) => {
    const far = square(sub(whole(k), mean));
    return far[0] === 0n || (variance[0] !== 0n && quantileSquareExceeds(level, div(far, variance)));
  };
  const tail = div(sub(ONE, level), TWO), enough = (list) => compare(sum(list), tail) >= 0;
  const holds = {
    wald: (k) => within(k, ratio(k * (n - k), n)), wilson: (k) => within(k, mul(mean, other)),
    clopper_pearson: (k) => enough(chance.slice(0, Number(k) + 1)) && enough(chance.slice(Number(k))),
  };
  return Object.fromEntries(Object.entries(holds).map(([name, rule]) => {
    const held = ks.filter(rule);
    return [name, { held, coverage: sum(held.map((k) => chance[Number(k)])) }];
  }));
}

export const families = {
  "fisher-test": fisherTest, "mcnemar-test": mcnemarTest, "share-intervals": shareIntervals, "share-coverage": shareCoverage,
};
