// Families of judges who err independently: two labels in closed form, more labels or judges by matrices of fractions.
import {
  ONE, Refused, ZERO, add, compare, div, floorOf, mul, negate, product, range, ratio, signOf, square, sub, sum, total, whole,
} from "./rational.mjs";
import { UNIT, inverse, isImaginary, isRational, minus, opposite, plus, sign, sqrt, surd, times } from "./surd.mjs";
import { counted, moments, pairs, patterns } from "./votes.mjs";

const isWhole = ([, q]) => q === 1n, outside = (x) => sign(x) < 0 || sign(minus(x, UNIT)) > 0, HALF = surd(ratio(1n, 2n));
const sorted = (alarms) => [...alarms].sort();

function independentBinary({ counts }) {
  const { size, rates, delta, T, pi, A } = moments(counts), [d12, d13, d23] = delta;
  const none = delta.filter((d) => d[0] === 0n).length, alarms = new Set();
  const answer = (identification, solutions = [], keys = []) => ({
    quadratic: [A, negate(A), pi], identification, alarms: sorted(alarms), key_exists: alarms.size === 0, keys,
    solutions: solutions.map(({ P, xy }) => ({ prevalence: P, accuracies: xy })),
  });
  if (none > 0) {
    if (T[0] === 0n && none > 1) return answer("family");
    alarms.add("contradiction");
    return answer("none");
  }
  if (signOf(pi) < 0) alarms.add("negative-product");
  if (A[0] === 0n) {
    alarms.add("no-root");
    return answer("none");
  }
  const root = sqrt(A), others = [d23, d13, d12], t = surd(T);
  const solutions = [root, opposite(root)].map((s) => ({
    P: times(HALF, plus(UNIT, times(t, inverse(s)))),
    xy: rates.map((b, i) => {
      const over = inverse(surd(mul(whole(2), others[i])));
      return [plus(surd(sub(ONE, b)), times(minus(s, t), over)), plus(surd(b), times(plus(s, t), over))];
    }),
  }));
  if (isImaginary(root)) alarms.add("imaginary");
  else {
    if (!isRational(root)) alarms.add("irrational");
    if (solutions.some(({ P, xy }) => [P, ...xy.flat()].some(outside))) alarms.add("out-of-range");
  }
  const part = (share, rates, hit) => range(0, 7).map((v) => product([whole(size), share,
    ...rates.map((rate, m) => (((v >> (2 - m)) & 1) === hit ? rate : sub(ONE, rate)))]));
  const keys = isRational(root) ? solutions.map(({ P, xy }) => part(P.a, xy.map(([x]) => x.a), 0)) : [];
  if (keys.length) {
    const [{ P, xy }] = solutions, numbers = [mul(whole(size), P.a), ...keys[0], ...part(sub(ONE, P.a), xy.map(([, y]) => y.a), 1)];
    if (!numbers.every(isWhole)) alarms.add("not-whole");
  }
  return answer("identified", solutions, alarms.size ? [] : keys);
}

function agreementSolution({ labels, judges, counts }) {
  if (labels.length !== 2 || judges !== 3) throw new Refused("bad-votes");
  const seen = counted(counts, 8), size = total(seen), alarms = new Set();
  if (size === 0n) throw new Refused("empty-test");
  const agreements = pairs(3).map(([i, j]) =>
    ratio(total(seen.filter((_, v) => ((v >> (2 - i)) & 1) === ((v >> (2 - j)) & 1))), size));
  const factors = agreements.map((a) => sub(mul(whole(2), a), ONE)), cc = product(factors), root = sqrt(cc);
  const branches = cc[0] === 0n ? [] : [root, opposite(root)].map((c) =>
    [2, 1, 0].map((jk) => times(HALF, minus(UNIT, times(c, inverse(surd(factors[jk])))))));
  if (cc[0] === 0n) {
    if (factors.filter((f) => f[0] === 0n).length === 1) alarms.add("contradiction");
  } else if (isImaginary(root)) alarms.add("imaginary");
  else {
    if (!isRational(root)) alarms.add("irrational");
    if (branches.flat().some(outside)) alarms.add("out-of-range");
    const errors = branches[0].filter(isRational).map((e) => e.a), joint = pairs(errors.length).map(([i, j]) => mul(errors[i], errors[j]));
    if ([...errors, ...joint].some((e) => !isWhole(mul(e, whole(size))))) alarms.add("not-whole");
  }
  return { agreements, square: cc, branches, alarms: sorted(alarms) };
}

// Matrices are lists of rows of fractions.
const matrix = (n, f) => range(0, n - 1).map((i) => range(0, n - 1).map((j) => f(i, j)));
const matmul = (A, B) => A.map((row) => B[0].map((_, j) => sum(row.map((x, k) => (x[0] ? mul(x, B[k][j]) : ZERO)))));
const combine = (A, B, f) => A.map((row, i) => row.map((x, j) => f(x, B[i][j])));
const scaled = (c, A) => A.map((row) => row.map((x) => mul(c, x))), identity = (n) => matrix(n, (i, j) => (i === j ? ONE : ZERO));
const equal = (A, B) => A.every((row, i) => row.every((x, j) => compare(x, B[i][j]) === 0));

// The rows reduced to steps, and the columns in which these begin.
function reduced(rows) {
  const A = rows.map((row) => [...row]), places = [];
  for (let column = 0; column < A[0].length && places.length < A.length; column++) {
    const top = places.length, pivot = A.findIndex((row, i) => i >= top && row[column][0] !== 0n);
    if (pivot < 0) continue;
    [A[top], A[pivot]] = [A[pivot], A[top]];
    A[top] = A[top].map((x) => div(x, A[top][column]));
    A.forEach((row, i) => {
      if (i !== top && row[column][0]) A[i] = row.map((x, j) => sub(x, mul(row[column], A[top][j])));
    });
    places.push(column);
  }
  return { A, places };
}
function inverted(M) {
  const n = M.length, { A, places } = reduced(M.map((row, i) => [...row, ...identity(n)[i]]));
  return places.at(-1) === n - 1 ? A.map((row) => row.slice(n)) : null;
}
function kernelVector(M) {
  const { A, places } = reduced(M), free = range(0, M.length - 1).find((j) => !places.includes(j));
  return range(0, M.length - 1).map((j) => (j === free ? ONE : places.includes(j) ? negate(A[places.indexOf(j)][free]) : ZERO));
}

// Polynomials are lists of coefficients, the constant first.
function characteristic(M) { // by Faddeev and LeVerrier
  const n = M.length, p = Array(n + 1).fill(ZERO);
  let N = matrix(n, () => ZERO);
  p[n] = ONE;
  for (let k = 1; k <= n; k++) {
    N = combine(matmul(M, N), scaled(p[n - k + 1], identity(n)), add);
    p[n - k] = div(negate(sum(matmul(M, N).map((row, i) => row[i]))), whole(k));
  }
  return p;
}
const at = (p, x) => p.reduceRight((value, c) => add(mul(value, x), c), ZERO);
const derivative = (p) => p.slice(1).map((c, i) => mul(c, whole(i + 1)));
function divided(p, q) {
  const rest = [...p], quotient = [];
  while (rest.length >= q.length) {
    const c = div(rest.at(-1), q.at(-1)), shift = rest.length - q.length;
    quotient.unshift(c);
    q.forEach((x, i) => { rest[shift + i] = sub(rest[shift + i], mul(c, x)); });
    rest.pop();
  }
  while (rest.length && rest.at(-1)[0] === 0n) rest.pop();
  return [quotient, rest];
}
function squarefree(p) {
  let [a, b] = [p, derivative(p)];
  while (b.length) [a, b] = [b, divided(a, b)[1]];
  return divided(p, a.map((c) => div(c, a.at(-1))))[0];
}
// The roots of a polynomial without multiple ones: a list of fractions, or the word that says why not.
function rationalRoots(p) {
  const scale = p.reduce((d, [, q]) => (d * q) / ((a, b) => { while (b) [a, b] = [b, a % b]; return a; })(d, q), 1n);
  const n = p.length - 1, whole_ = p.map((c, i) => mul(c, whole(scale ** BigInt(n - i)))); // in scale·x, with whole coefficients
  const chain = [whole_, derivative(whole_)];
  while (chain.at(-1).length > 1) chain.push(divided(chain.at(-2), chain.at(-1))[1].map(negate));
  const changes = (x) => {
    const signs = chain.map((q) => signOf(at(q, whole(x)))).filter(Boolean);
    return signs.filter((s, i) => i && s !== signs[i - 1]).length;
  };
  const bound = 1n + total(whole_.map(([c]) => (c < 0n ? -c : c))), found = [];
  if (changes(-bound) - changes(bound) < n) return "complex-roots";
  const search = (low, high) => { // the roots above low and up to high
    if (changes(low) === changes(high)) return;
    if (high - low === 1n) {
      if (at(whole_, whole(high))[0] === 0n) found.push(ratio(high, scale));
      return;
    }
    const middle = floorOf(ratio(low + high, 2n));
    search(low, middle);
    search(middle, high);
  };
  search(-bound, bound);
  return found.length < n ? "irrational-roots" : found;
}

// The eigenvectors that all these matrices have in common, or an alarm, or null if they are not determined.
function commonVectors(matrices) {
  const n = matrices[0].length;
  for (const [i, j] of pairs(matrices.length))
    if (!equal(matmul(matrices[i], matrices[j]), matmul(matrices[j], matrices[i]))) return "not-commuting";
  for (let t = 1; t <= (matrices.length * n * (n - 1)) / 2; t++) {
    const M = matrices.map((one, m) => scaled(whole(BigInt(t) ** BigInt(m)), one)).reduce((A, B) => combine(A, B, add));
    const p = squarefree(characteristic(M)), roots = rationalRoots(p);
    if (typeof roots === "string") return roots;
    if (roots.length === n) {
      const vectors = roots.map((root) => kernelVector(combine(M, scaled(root, identity(n)), sub)));
      if (vectors.some((vector) => sum(vector)[0] === 0n)) return "contradiction";
      return vectors.map((vector) => vector.map((x) => div(x, sum(vector))));
    }
    const value = p.reduceRight((V, c) => combine(matmul(V, M), scaled(c, identity(n)), add), matrix(n, () => ZERO));
    if (value.flat().some((x) => x[0] !== 0n)) return "not-diagonalisable";
  }
  return null;
}

function byMatrices({ labels, judges, counts }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length), size = total(seen), r = labels.length;
  if (size === 0n) throw new Refused("empty-test");
  const alarms = new Set(), answer = (identification, components = [], key = []) => ({
    identification, alarms: sorted(alarms), key_exists: alarms.size === 0, key, components,
  });
  const stop = (alarm) => {
    alarms.add(alarm);
    return answer("none");
  };
  for (const [p, q] of pairs(judges)) {
    const table = (holds) => matrix(r, (i, j) => whole(total(seen.filter((_, v) =>
      all[v][p] === labels[i] && all[v][q] === labels[j] && holds(all[v])))));
    const S = table(() => true), back = inverted(S), others = range(0, judges - 1).filter((i) => i !== p && i !== q);
    if (!back) continue;
    const M = others.map((i) => labels.map((label) => matmul(table((pattern) => pattern[i] === label), back)));
    const vectors = commonVectors(M.flat());
    if (vectors === null) continue;
    if (typeof vectors === "string") return stop(vectors);
    const U = matrix(r, (i, j) => vectors[j][i]), V = inverted(U), rows = scaled(ratio(1n, size), matmul(V, S)), shares = rows.map(sum);
    if (shares.some((share) => share[0] === 0n)) return stop("zero-prevalence");
    const components = shares.map((share, l) => {
      const rates = [];
      rates[p] = vectors[l];
      rates[q] = rows[l].map((x) => div(x, share));
      others.forEach((i, place) => { rates[i] = M[place].map((one) => matmul(matmul(V, one), U)[l][l]); });
      return { share, rates };
    });
    const flat = ({ share, rates }) => [share, ...rates.flat()];
    components.sort((one, two) => flat(two).map((x, i) => compare(x, flat(one)[i])).find(Boolean) ?? 0);
    if (components.some((one) => flat(one).some((x) => outside(surd(x))))) alarms.add("out-of-range");
    const key = components.map(({ share, rates }) => all.map((pattern) =>
      product([whole(size), share, ...pattern.map((label, i) => rates[i][labels.indexOf(label)])])));
    if (seen.some((count, v) => count > 0n && compare(whole(count), sum(key.map((list) => list[v]))) !== 0)) alarms.add("not-reproduced");
    if (!alarms.size && !key.flat().every(isWhole)) alarms.add("not-whole");
    return answer("identified", components, alarms.size ? [] : key);
  }
  throw new Refused("not-supported");
}

export const families = {
  "independent-binary": independentBinary, "agreement-solution": agreementSolution, "independent-three-labels": byMatrices,
  "independent-four-labels": byMatrices, "independent-four-judges": byMatrices,
};
