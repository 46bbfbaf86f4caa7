// Error correlations of a key.
import { ONE, ZERO, absolute, add, greatest, mul, product, range, ratio, refuse, sub, sum, total } from "./rational.mjs";
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

export const families = { "key-dependence": keyDependence };
