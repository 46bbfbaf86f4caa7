// Counting decisions from the text of a CSV file.
import { refuse as refuseAs } from "./rational.mjs";

const refuse = (broken, word = "bad-decisions") => refuseAs(broken, word);
const isBlank = (cell) => /^\s*$/u.test(cell), lineEnd = /\r\n|\r|\n/y;

function rowsOf(text, delimiter) {
  const rows = [[]];
  for (let place = 0; ;) {
    let cell = "";
    const start = place;
    if (text[place] === '"') {
      for (place++; text[place] !== '"' || text[place + 1] === '"'; place++) {
        refuse(place >= text.length);
        if (text[place] === '"') place++;
        cell += text[place];
      }
      place++;
      refuse(place < text.length && !text.startsWith(delimiter, place) && !"\r\n".includes(text[place]));
    } else {
      while (place < text.length && !text.startsWith(delimiter, place) && !"\r\n".includes(text[place])) place++;
      cell = text.slice(start, place);
    }
    rows.at(-1).push(cell);
    rows.at(-1).isBlank = rows.at(-1).length === 1 && place === start; // no character, not even quotes
    if (place >= text.length) return rows;
    if (text.startsWith(delimiter, place)) place += delimiter.length;
    else {
      lineEnd.lastIndex = place;
      place += lineEnd.exec(text)[0].length;
      rows.push([]);
    }
  }
}
const codePoints = (x, y) => {
  const [a, b] = [x, y].map((word) => [...word].map((letter) => letter.codePointAt(0)));
  const place = a.findIndex((code, i) => code !== b[i]);
  return place < 0 ? a.length - b.length : a[place] - (b[place] ?? -1);
};
const twice = (list) => new Set(list).size < list.length;

function csvCounting({ csv, judges: chosen, labels: named, truth, delimiter = "," }) {
  refuse([...delimiter].length !== 1 || '"\r\n'.includes(delimiter));
  refuse(named && (named.length < 2 || named.includes("") || twice(named)), "bad-votes");
  refuse(chosen && (!chosen.length || chosen.includes("") || twice(chosen)), "bad-votes");
  const rows = rowsOf(csv.replace(/^\uFEFF/, ""), delimiter);
  const [names, ...rest] = rows;
  refuse(names.some(isBlank) || twice(names));
  while (rest.at(-1)?.isBlank) rest.pop();
  refuse(rest.some((row) => row.length !== names.length || row.isBlank));
  const judges = chosen ?? names.filter((name) => name !== truth);
  refuse([...judges, ...(truth === undefined ? [] : [truth])].some((name) => !names.includes(name)));
  refuse(judges.includes(truth) || !judges.length);
  const columns = [...judges, ...(truth === undefined ? [] : [truth])].map((name) => names.indexOf(name));
  const cells = rest.map((row) => columns.map((column) => row[column])), seen = new Set(cells.flat());
  for (const cell of seen) refuse(cell === "" || cell.includes("\0") || (named ? !named.includes(cell) : cell.trim() !== cell));
  refuse(!named && seen.size > 100);
  const labels = named ?? [...seen].sort(codePoints);
  refuse(labels.length < 2, "bad-votes");
  const counted = (list) => {
    const counts = {};
    for (const row of list) {
      const name = row.slice(0, judges.length).map((label) => label.replace(/[\\,]/g, "\\$&")).join(",");
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  if (truth === undefined) return { labels, judges, counts: counted(cells) };
  const of = (label) => counted(cells.filter((row) => row.at(-1) === label));
  return { labels, judges, counts_by_label: Object.fromEntries(labels.map((label) => [label, of(label)])) };
}

export const families = { "csv-counting": csvCounting };
