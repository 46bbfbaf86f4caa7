// Numbers a + b√d with rational a, b and a whole d, which may be negative; rational ones have b = 0 and d = 0.
import {
  ONE, Refused, ZERO, add, div, floorOf, isqrt, mul, negate, parse, ratio, signOf, square, sub, text, whole,
} from "./rational.mjs";

export class NotASurd extends Refused {}
const rootOf = (n) => (n >= 0n && isqrt(n) ** 2n === n ? isqrt(n) : null);

export function surd(a, b = ZERO, d = 0n) {
  if (b[0] === 0n) return { a, b: ZERO, d: 0n };
  const root = rootOf(d);
  return root === null ? { a, b, d } : { a: add(a, mul(b, whole(root))), b: ZERO, d: 0n };
}
export const sqrt = ([p, q]) => surd(ZERO, ratio(1n, q), p * q);
export const isRational = ({ b }) => b[0] === 0n;
export const isImaginary = ({ b, d }) => b[0] !== 0n && d < 0n;

// The coefficient that y has if its root is written as that of x, or null if the roots are not multiples of each other.
function aligned(x, y) {
  if (isRational(x) || isRational(y) || x.d === y.d) return y.b;
  const root = x.d > 0n === y.d > 0n ? rootOf(x.d * y.d) : null;
  return root === null ? null : mul(y.b, ratio(root, x.d < 0n ? -x.d : x.d));
}
const radicand = (x, y) => (isRational(x) ? y.d : x.d);
export function plus(x, y) {
  const b = aligned(x, y);
  if (b === null) throw new NotASurd("not-a-surd");
  return surd(add(x.a, y.a), add(x.b, b), radicand(x, y));
}
export function times(x, y) {
  const b = aligned(x, y);
  if (b !== null) {
    const d = radicand(x, y);
    return surd(add(mul(x.a, y.a), mul(mul(x.b, b), whole(d))), add(mul(x.a, b), mul(x.b, y.a)), d);
  }
  if (x.a[0] !== 0n || y.a[0] !== 0n) throw new NotASurd("not-a-surd");
  const both = mul(x.b, y.b);
  return surd(ZERO, x.d < 0n && y.d < 0n ? negate(both) : both, x.d * y.d);
}
export const opposite = ({ a, b, d }) => ({ a: negate(a), b: negate(b), d });
export const minus = (x, y) => plus(x, opposite(y));
const norm = ({ a, b, d }) => sub(square(a), mul(square(b), whole(d)));
export const inverse = (x) => surd(div(x.a, norm(x)), div(negate(x.b), norm(x)), x.d);
export const UNIT = surd(ONE), NOTHING = surd(ZERO);

// The sign of a real number.
export function sign(x) {
  const a = signOf(x.a), b = signOf(x.b);
  return a * b >= 0 ? a || b : a * signOf(norm(x));
}
export function floor({ a, b, d }) {
  const below = a[1] * b[1], under = (b[0] * a[1]) ** 2n * d, root = isqrt(under);
  return floorOf(ratio(a[0] * b[1] + (b[0] < 0n && root * root !== under ? -root - 1n : b[0] < 0n ? -root : root), below));
}
export const told = (x) =>
  isRational(x) ? text(x.a) : { rational: text(x.a), coefficient: text(x.b), radicand: `${x.d}` };
export function read(value) {
  if (value === null || typeof value !== "object") return surd(parse(value));
  const [a, b, d] = [value.rational, value.coefficient, value.radicand].map(parse);
  if (d[1] !== 1n) throw new Refused("bad-number");
  return surd(a, b, d[0]);
}
export const numberOf = (given) => (typeof given === "string" ? surd(parse(given)) : given); // a text, or a surd as the forms read it
