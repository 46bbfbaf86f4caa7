// Hooks of the module loader: a module asked for with ?old=…&new=… has that text replaced, and so have all that it imports.
import { readFileSync } from "node:fs";

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context), { search } = new URL(context.parentURL ?? found.url);
  return search && !new URL(found.url).search ? { ...found, url: found.url + search } : found;
}
export async function load(url, context, next) {
  const { search, searchParams, pathname } = new URL(url);
  if (!search) return next(url, context);
  const source = readFileSync(decodeURIComponent(pathname), "utf8").replace(searchParams.get("old"), () => searchParams.get("new"));
  return { format: "module", source, shortCircuit: true };
}
