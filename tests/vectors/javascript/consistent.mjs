// Families of evaluations that are consistent with votes.
import { choose, range, ratio, refuse, whole } from "./rational.mjs";
import { NOTHING, isImaginary, minus, numberOf, plus, sign, surd, times } from "./surd.mjs";
import { counted, patterns } from "./votes.mjs";

const plain = (list) => list.map(Number), added = (list) => list.reduce((a, b) => a + b, 0);

// The questions of each pattern spread over all labels in all ways; what becomes of them is folded into states.
function states(counts, labels, start, step, join) {
  let found = new Map([[start.join(), 1n]]);
  counts.forEach((count, v) => {
    const next = new Map();
    const spread = (l, left, state, ways) => {
      if (l === labels - 1) {
        const name = step(state, v, l, left).join();
        next.set(name, join(next.get(name) ?? 0n, ways));
      } else for (let k = 0; k <= left; k++) spread(l + 1, left - k, step(state, v, l, k), ways);
    };
    if (count) {
      for (const [name, ways] of found) spread(0, count, name.split(",").map(Number), ways);
      found = next;
    }
  });
  return found;
}
function pairOfJudges(c, qa) {
  let points = 0n;
  const [aa, ab, ba, bb] = c, within = (right, wrong) => [Math.max(0, qa - wrong), Math.min(qa, right)];
  const [low, high] = within(aa + ab, ba + bb), [least, most] = within(aa + ba, ab + bb);
  for (let s = low; s <= high; s++)
    points += BigInt(Math.max(0, Math.min(most, qa + aa - s, s + ba) - Math.max(least, qa - bb - s, s - ab) + 1));
  return points;
}
function consistentCounts({ labels, judges, counts, key_counts, evaluations }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length), c = plain(seen), r = labels.length;
  refuse(key_counts.length !== r || Math.min(...key_counts) < 0 || added(key_counts) !== added(c), "bad-key-counts");
  const tell = (consistent, at) => ({ consistent, consistent_at: at });
  if (evaluations === "group" || judges === 1) {
    const every = seen.reduce((ways, n) => ways * choose(n + BigInt(r) - 1n, BigInt(r) - 1n), 1n);
    if (r === 2) {
      let ways = [1n];
      for (const n of c) {
        const next = Array(Math.min(ways.length + n, key_counts[0] + 1)).fill(0n);
        let window = 0n;
        for (let k = 0; k < next.length; k++) {
          window += (ways[k] ?? 0n) - (ways[k - n - 1] ?? 0n);
          next[k] = window;
        }
        ways = next;
      }
      return tell(every, ways[key_counts[0]] ?? 0n);
    }
    const step = (state, v, l, k) => state.map((q, place) => (place === l ? q + k : q));
    return tell(every, states(c, r, labels.map(() => 0), step, (a, b) => a + b).get(key_counts.join()) ?? 0n);
  }
  if (r === 2 && judges === 2)
    return tell(range(0, added(c)).reduce((n, qa) => n + pairOfJudges(c, qa), 0n), pairOfJudges(c, key_counts[0]));
  // A state holds for each label, judge and answer how often it was given.
  const width = judges * r, step = (state, v, l, k) => {
    const next = [...state];
    for (let i = 0; i < judges; i++) next[l * width + i * r + labels.indexOf(all[v][i])] += k;
    return next;
  };
  const names = [...states(c, r, Array(r * width).fill(0), step, () => 1n).keys()];
  const at = (name) => key_counts.every((q, l) => added(name.split(",").slice(l * width, l * width + r).map(Number)) === q);
  return tell(names.length, names.filter(at).length);
}

// How often the judges of a list gave the two labels, by their patterns aa, ab, …
const answers = (c, judges, group) => range(0, 2 ** group.length - 1).map((w) => added(c.filter((_, v) =>
  group.every((i, place) => ((v >> (judges - 1 - i)) & 1) === ((w >> (group.length - 1 - place)) & 1)))));

// How many questions of a have the answers aa, ab, ba and bb, if e have aa; null if that is too many or too few.
const fits = (e, qa, si, sj, n) => {
  const m = [e, si - e, sj - e, qa - si - sj + e];
  return m.every((part, w) => part >= 0 && part <= n[w]) ? m : null;
};
const third = (m, s, c) =>
  added(m.map((part, w) => Math.max(0, part - c[2 * w + 1]))) <= s && s <= added(m.map((part, w) => Math.min(part, c[2 * w])));

// The numbers e of questions of a on which judges i and j both answer a, under all keys with these right answers.
function overlaps(c, judges, qa, s, [i, j] = [0, 1]) {
  const n = answers(c, judges, [i, j]), h = [0, 1, 2].find((one) => one !== i && one !== j);
  const low = Math.max(0, s[i] - n[1], s[j] - n[2], s[i] + s[j] - qa), high = Math.min(n[0], s[i], s[j], s[i] + s[j] - qa + n[3]);
  const by = judges === 3 ? answers(c, judges, [i, j, h]) : null;
  return range(low, high).filter((e) => {
    const m = fits(e, qa, s[i], s[j], n);
    return m && (!by || third(m, s[h], by));
  });
}
// Whether some key of the votes has qa questions of a, and these right answers on a.
function hasKey(c, judges, qa, s) {
  if (judges > 1) return overlaps(c, judges, qa, s).length > 0;
  return s[0] >= 0 && s[0] <= c[0] && qa - s[0] >= 0 && qa - s[0] <= c[1];
}

function evaluated({ counts, judges, key_counts, right }) {
  const c = plain(counted(counts, 2 ** judges));
  refuse(Math.min(...key_counts, ...right.flat()) < 0, "bad-number");
  refuse(right.length !== judges || right.some((pair) => pair.some((s, l) => s > key_counts[l])), "bad-votes");
  const [qa, qb] = key_counts, single = range(0, judges - 1).every((i) => right[i][0] + qb - right[i][1] === answers(c, judges, [i])[0]);
  return { c, qa, qb, s: right.map(([one]) => one), single };
}

function consistentMembership(input) {
  const { c, qa, qb, s, single } = evaluated(input), { judges } = input;
  const broken = () => {
    if (qa + qb !== added(c)) return "key-counts";
    if (!single) return "single";
    for (const i of range(0, judges - 1)) for (const j of range(i + 1, judges - 1))
      if (!hasKey(answers(c, judges, [i, j]), 2, qa, [s[i], s[j]])) return "pair";
    if (judges < 3 || hasKey(c, 3, qa, s)) return "none";
    return hasKey(c.map((n) => 2 * n), 3, 2 * qa, s.map((n) => 2 * n)) ? "whole" : "trio";
  };
  const word = broken();
  return { consistent: word === "none", broken: word };
}

// Of all x and total − x within their bounds, the greatest and the least product.
const ends = (sum, c, d) => [Math.max(0, sum - d), Math.min(sum, c)];
const most = (sum, c, d) => {
  const [low, high] = ends(sum, c, d), x = Math.min(high, Math.max(low, Math.floor(sum / 2)));
  return x * (sum - x);
};
const fewest = (sum, c, d) => Math.min(...ends(sum, c, d).map((x) => x * (sum - x)));
function correlationRange(size, both, onlyI, onlyJ, none) {
  if (size === 0) return "no-questions";
  const sums = range(Math.max(0, size - onlyI - onlyJ), Math.min(size, both + none));
  const scaled = (x) => ratio(BigInt(x), BigInt(size) ** 2n);
  return [
    scaled(Math.min(...sums.map((t) => fewest(t, both, none) - most(size - t, onlyI, onlyJ)))),
    scaled(Math.max(...sums.map((t) => most(t, both, none) - fewest(size - t, onlyI, onlyJ)))),
  ];
}
function pairCorrelationInterval(input) {
  const { c, qa, qb, s, single } = evaluated(input), { judges, right } = input, [i, j] = input.pair.map((judge) => judge - 1);
  refuse(qa + qb !== added(c), "bad-key-counts");
  const n = answers(c, judges, [i, j]), found = single ? overlaps(c, judges, qa, s, [i, j]) : [];
  const gamma = (size, both, one, two) =>
    size === 0 ? "no-questions" : ratio(BigInt(size * both - one * two), BigInt(size) ** 2n);
  const end = (e) => {
    if (e === undefined) return null;
    const other = n[3] - (qa - s[i] - s[j] + e);
    return { both_right: [e, other], correlations: [gamma(qa, e, s[i], s[j]), gamma(qb, other, right[i][1], right[j][1])] };
  };
  return {
    consistent: found.length > 0, points: found.length, lowest: end(found[0]), highest: end(found.at(-1)),
    range_a: correlationRange(qa, ...n), range_b: correlationRange(qb, n[3], n[2], n[1], n[0]),
  };
}

function nearestEvaluation(input) {
  const { judges, counts, key_counts, right, prevalence, accuracies, at } = input;
  const c = plain(counted(counts, 2 ** judges)), size = added(c), number = (n) => surd(whole(n));
  if (key_counts) evaluated(input);
  refuse((right ?? accuracies).length !== judges, "bad-votes");
  refuse(at && (Math.min(...at) < 0 || added(at) !== size), "bad-key-counts");
  const given = (rate) => (rate === null ? NOTHING : numberOf(rate)), share = (prevalence ?? []).map((p) => times(number(size), given(p)));
  const q = key_counts ? number(key_counts[0]) : share[0];
  const xy = right ? right.map((pair) => pair.map(number)) : accuracies.map((pair) => pair.map((rate, l) => times(share[l], given(rate))));
  refuse([q, ...xy.flat()].some(isImaginary), "not-ordered");
  [q, ...xy.flat()].reduce(plus);
  const far = (n, x) => times(minus(number(n), x), minus(number(n), x)), less = (x, y) => sign(minus(x, y)) < 0;
  const wrong = range(0, judges - 1).map((i) => answers(c, judges, [i])[1]);
  let best = null;
  // Judge by judge, each with its right answers from the nearest on; what is too far already is not gone into.
  const search = (qa, lists, chosen, sofar, rest) => {
    const i = chosen.length;
    if (i === judges) {
      const place = [qa, ...chosen], other = place.findIndex((n, k) => n !== best?.place[k]);
      const first = best && place[other] < best.place[other];
      if ((!best || less(sofar, best.distance) || (first && !less(best.distance, sofar))) && hasKey(c, judges, qa, chosen))
        best = { place, distance: sofar };
      return;
    }
    for (const { s, d } of lists[i]) {
      const next = plus(sofar, d);
      if (best && less(best.distance, plus(next, rest[i + 1]))) return;
      search(qa, lists, [...chosen, s], next, rest);
    }
  };
  const keys = (at ? [at[0]] : range(0, size)).map((qa) => ({ qa, d: far(qa, q) })).sort((x, y) => sign(minus(x.d, y.d)));
  for (const { qa, d } of keys) {
    if (best && less(best.distance, d)) break;
    const lists = xy.map(([x, y], i) => range(Math.max(0, qa - wrong[i]), Math.min(qa, size - wrong[i]))
      .map((s) => ({ s, d: plus(far(s, x), far(s - qa + wrong[i], y)) })).sort((one, two) => sign(minus(one.d, two.d))));
    const rest = lists.map((_, i) => lists.slice(i).reduce((sum, list) => plus(sum, list[0]?.d ?? NOTHING), NOTHING));
    search(qa, lists, [], d, [...rest, NOTHING]);
  }
  const [qa, ...s] = best.place;
  return {
    key_counts: [qa, size - qa], right: s.map((n, i) => [n, n - qa + wrong[i]]), squared_distance: best.distance,
  };
}

export const families = {
  "consistent-counts": consistentCounts, "consistent-membership": consistentMembership,
  "pair-correlation-interval": pairCorrelationInterval, "nearest-evaluation": nearestEvaluation,
};
