// Families of logical alarms: could all judges be safe?
import { ONE, compare, div, floorOf, greatest, least, mul, parse, range, ratio, refuse, signOf, total, whole } from "./rational.mjs";
import { counted, patterns } from "./votes.mjs";

function specification({ labels, factors, minimum_grade }) {
  refuse(factors.length !== labels.length, "bad-votes");
  const found = factors.map(parse), grade = parse(minimum_grade);
  refuse(found.some((f) => compare(f, ONE) <= 0) || signOf(grade) < 0 || compare(grade, ONE) > 0, "bad-number");
  return { factors: found, grade };
}
// The largest whole number below f·m, but 0 for m = 0.
const mostQuestions = (factors, responses) => factors.map((f, l) => {
  const least = responses.map((list) => list[l]).reduce((a, b) => (b < a ? b : a)), [p, q] = mul(f, whole(least));
  return least === 0n ? 0n : floorOf([p - 1n, q]);
});
// All lists of whole numbers with this sum, each at most its bound, in lexicographic order.
function* keyCounts(size, most) {
  if (most.length === 1) {
    if (size <= most[0]) yield [size];
    return;
  }
  for (let first = 0; first <= Math.min(size, most[0]); first++)
    for (const rest of keyCounts(size - first, most.slice(1))) yield [first, ...rest];
}

function logicalAlarmSingle(input) {
  const { factors, grade } = specification(input), size = (list) => total(list);
  refuse(input.responses.some((list) => list.length !== input.labels.length), "bad-votes");
  const responses = input.responses.map((list) => counted(list, list.length)), questions = size(responses[0]);
  refuse(responses.some((list) => size(list) !== questions), "bad-votes");
  refuse(questions === 0n, "empty-test");
  const most = mostQuestions(factors, responses), together = total(most), smaller = (a, b) => (a < b ? a : b);
  const good = (key) => responses.every((list) =>
    compare(whole(total(list.map((n, l) => smaller(n, BigInt(key[l]))))), mul(grade, whole(questions))) >= 0);
  const exists = () => {
    for (const key of keyCounts(Number(questions), most.map(Number))) if (good(key)) return true;
    return false;
  };
  return {
    most_questions: most, together,
    misaligned: together < questions || (signOf(grade) > 0 && !exists()),
  };
}

// For each key counts, as a text, the lists of right answers that keys of a group can have; none that another one beats.
function reachable(votes, labels) {
  const judges = votes[0][0].length, r = labels.length;
  let found = new Map([[labels.map(() => 0).join(), [Array(judges * r).fill(0)]]]);
  for (const [pattern, count] of votes) for (let question = 0; question < count; question++) {
    const next = new Map();
    for (const [name, lists] of found) labels.forEach((label, l) => {
      const key = name.split(",").map(Number);
      key[l]++;
      const place = key.join();
      if (!next.has(place)) next.set(place, new Map());
      for (const list of lists) {
        const right = list.map((n, at) => (at % r === l && pattern[(at - l) / r] === label ? n + 1 : n));
        next.get(place).set(right.join(), right);
      }
    });
    found = new Map([...next].map(([name, lists]) => {
      const all = [...lists.values()];
      return [name, all.filter((one) => !all.some((two) => two !== one && two.every((n, at) => n >= one[at])))];
    }));
  }
  return found;
}

// The key counts at which every group of this many judges could be safe.
function region(input) {
  const { labels, judges, counts, group_size: together } = input, { factors, grade } = specification(input);
  const all = patterns(labels, judges), seen = counted(counts, all.length), size = Number(total(seen)), r = labels.length;
  refuse(together < 1 || together > judges, "bad-votes");
  refuse(size === 0, "empty-test");
  const responses = range(0, judges - 1).map((i) => labels.map((label) => total(seen.filter((_, v) => all[v][i] === label))));
  const groups = patterns([0, 1], judges).map((bits) => range(0, judges - 1).filter((i) => bits[i])).filter((g) => g.length === together);
  const most = mostQuestions(factors, responses).map(Number);
  const safe = (right, key) => range(0, together - 1).every((j) => {
    const mine = right.slice(j * r, (j + 1) * r);
    return compare(whole(mine.reduce((a, b) => a + b, 0)), mul(grade, whole(size))) >= 0
      && mine.every((n, l) => key[l] === 0 || compare(mul(factors[l], whole(n)), whole(key[l])) > 0);
  });
  const tables = together === 1 ? [] : groups.map((group) => {
    const votes = new Map();
    all.forEach((pattern, v) => {
      const name = JSON.stringify(group.map((i) => pattern[i]));
      if (seen[v]) votes.set(name, (votes.get(name) ?? 0) + Number(seen[v]));
    });
    return reachable([...votes].map(([name, count]) => [JSON.parse(name), count]), labels);
  });
  const alone = (key) => responses.every((list) =>
    compare(whole(list.reduce((sum, n, l) => sum + Math.min(Number(n), key[l]), 0)), mul(grade, whole(size))) >= 0);
  const inside = (key) =>
    together === 1 ? alone(key) : tables.every((table) => (table.get(key.join()) ?? []).some((right) => safe(right, key)));
  return { most, size, keys: [...keyCounts(size, most)].filter(inside) };
}
function logicalAlarmJoint(input) {
  const { keys } = region(input);
  return { misaligned: keys.length === 0, safe_keys: keys };
}

// The largest, over all keys, of the least share of right answers of a judge on a label.
function bestLevel({ labels, judges, counts, every_label }) {
  const all = patterns(labels, judges), seen = counted(counts, all.length), size = total(seen), r = labels.length;
  refuse(size === 0n, "empty-test");
  refuse(every_label && size < BigInt(r), "bad-votes");
  const votes = all.map((pattern, v) => [pattern, Number(seen[v])]).filter(([, count]) => count > 0);
  let level = ratio(0n);
  for (const [name, lists] of reachable(votes, labels)) {
    const key = name.split(",").map(BigInt);
    if (every_label && key.includes(0n)) continue;
    for (const right of lists)
      level = greatest([level, least(right.map((n, at) => (key[at % r] === 0n ? ONE : ratio(BigInt(n), key[at % r]))))]);
  }
  return { level, factor: level[0] === 0n ? "none" : div(ONE, level) };
}

export const families = {
  "best-level": bestLevel,
  "logical-alarm-single": logicalAlarmSingle, "logical-alarm-joint": logicalAlarmJoint,
};
