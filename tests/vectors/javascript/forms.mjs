// The forms of JSON values that the schemas of the families name. read takes a JSON value to what the mathematics uses,
// write takes that back to JSON; both answer undefined for what has not the form.
import { parse, text } from "./rational.mjs";
import { read as readSurd, told } from "./surd.mjs";

const only = (fits) => (x) => (fits(x) ? x : undefined), plain = (fits) => ({ read: only(fits), write: only(fits) });
const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
const isWhole = (x) => typeof x === "bigint" || Number.isInteger(x), isText = (x) => typeof x === "string";
const isFraction = (x) => Array.isArray(x) && x.length === 2 && typeof x[0] === "bigint";
const numeral = (json) => (isText(json) ? parse(json) : undefined);
// Of what is made of parts, undefined if a part is.
const all = (list) => (list.includes(undefined) ? undefined : list), both = (make) => ({ read: make("read"), write: make("write") });

export const anything = plain(() => true), string = plain(isText), truth = plain((x) => typeof x === "boolean");
export const nothing = plain((x) => x === null), word = (...words) => plain((x) => words.includes(x));
export const integer = { read: only(Number.isInteger), write: (x) => (isWhole(x) ? Number(x) : undefined) };
export const count = both((way) => (x) => (x >= 0 ? integer[way](x) : undefined));
export const given = { read: (json) => (Number.isInteger(json) ? parse(json) : numeral(json)) }; // never stands in an answer
export const rational = { read: numeral, write: (x) => (isFraction(x) ? text(x) : undefined) };
export const whole = { read: (json) => numeral(json)?.[0], write: (x) => (isWhole(x) ? `${x}` : undefined) };
export const surd = {
  read: (json) => (isObject(json) ? readSurd(json) : undefined), write: (x) => (isObject(x) && "d" in x ? told(x) : undefined),
};
export const number = both((way) => (x) => surd[way](x) ?? rational[way](x));
export const list = (items, size) => both((way) => (x) =>
  (Array.isArray(x) && (size === undefined || x.length === size) ? all(x.map(items[way])) : undefined));
export const mapping = (items) => both((way) => (x) => {
  const parts = isObject(x) ? all(Object.values(x).map(items[way])) : undefined;
  return parts && Object.fromEntries(Object.keys(x).map((name, place) => [name, parts[place]]));
});
export const record = (parts, optional = []) => both((way) => (x) => {
  const names = isObject(x) ? Object.keys(parts).filter((name) => name in x || !optional.includes(name)) : [];
  if (!isObject(x) || Object.keys(x).some((name) => !(name in parts))) return undefined;
  const found = all(names.map((name) => parts[name][way](x[name])));
  return found && Object.fromEntries(names.map((name, place) => [name, found[place]]));
});
export const either = (...forms) => both((way) => (x) => {
  for (const form of forms) {
    const found = form[way]?.(x);
    if (found !== undefined) return found;
  }
});
