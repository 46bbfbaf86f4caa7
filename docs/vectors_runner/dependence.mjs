// Families of dependence: error correlations of a key, and a leaf of a proof about them.
import {
  ONE, ZERO, absolute, add, greatest, mul, parse, product, range, ratio, refuse, signOf, sub, sum, total, whole,
} from "./rational.mjs";
import { counted, pairs, patterns } from "./votes.mjs";

function keyDependence({ labels, judges, counts_by_key }) {
  const all = patterns(labels, judges);
  refuse(counts_by_key.length !== labels.length || judges < 2, "bad-votes");
  const key = counts_by_key.map((list) => counted(list, all.length)), size = total(key.map(total));
  refuse(size === 0n, "empty-test");
  const trios = pairs(judges).flatMap(([i, j]) => range(j + 1, judges - 1).map((k) => [i, j, k])), groups = [pairs(judges), trios];
  const found = [[ZERO], [ZERO]], filled = key.filter((counts) => total(counts) > 0n);
  let variation = ZERO;
  for (const counts of filled) {
    const here = total(counts), f = counts.map((count) => ratio(count, here));
    const share = range(0, judges - 1).map((i) => labels.map((label) => sum(f.filter((_, v) => all[v][i] === label))));
    groups.forEach((list, kind) => list.forEach((group) => patterns(range(0, labels.length - 1), group.length).forEach((answer) => {
      const rate = group.map((i, place) => share[i][answer[place]]);
      const factor = (v, place) => (all[v][group[place]] === labels[answer[place]] ? sub(ONE, rate[place]) : sub(ZERO, rate[place]));
      const moment = (v) => product(rate.map((_, place) => factor(v, place)));
      found[kind].push(absolute(sum(f.map((part, v) => (part[0] ? mul(part, moment(v)) : ZERO)))));
    })));
    const apart = sum(f.map((part, v) => absolute(sub(part, product(share.map((list, i) => list[labels.indexOf(all[v][i])]))))));
    variation = add(variation, mul(ratio(here, 2n * size), apart));
  }
  const [two, three] = found.map(greatest);
  return { pairs: two, trios: three, largest: greatest([two, three]), one_label: filled.length === 1, total_variation: variation };
}

function dependenceLeaf({ labels, judges, counts, correlation, ranges, rows }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length), delta = parse(correlation), half = ratio(1n, 2n);
  refuse(total(seen) === 0n, "empty-test");
  const bounds = ranges.map((list) => list.map((pair) => pair.map(parse)));
  const number = ({ kind, label, judges: group, corner }, pattern) => {
    const p = group.map((i) => (pattern[i] === labels[0] ? ONE : ZERO)), ends = group.map((i) => bounds[label][i]);
    if (kind === "low") return sub(p[0], ends[0][0]);
    if (kind === "high") return sub(ends[0][1], p[0]);
    if (kind === "pair") {
      const [one, two] = corner.split(" "), end = (name) => Number(name === "high");
      const both = mul(sub(p[0], ends[0][end(one)]), sub(p[1], ends[1][end(two)]));
      return one === two ? add(delta, both) : sub(delta, both);
    }
    const away = product(p.map((x, i) => sub(x, mul(half, add(...ends[i]))))), width = ends.map(([low, high]) => mul(half, sub(high, low)));
    const bound = sum([delta, mul(delta, sum(width)), product(width)]);
    return corner === "+" ? add(bound, away) : sub(bound, away);
  };
  const bound = sum(all.map((pattern, v) => {
    if (seen[v] === 0n) return ZERO;
    const G = [0, 1].map((l) => sum(rows.filter((row) => row.label === l).map((row) => mul(parse(row.weight), number(row, pattern)))));
    return mul(whole(seen[v]), greatest(G));
  }));
  return { bound, refutes: signOf(bound) < 0 };
}

export const families = { "key-dependence": keyDependence, "dependence-leaf": dependenceLeaf };
