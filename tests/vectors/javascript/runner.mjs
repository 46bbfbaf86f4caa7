// Answers all families of vectors in exact arithmetic: ntqr-exact vectors run -- node tests/vectors/javascript/runner.mjs
import { createInterface } from "node:readline";
import { reply } from "./answer.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, family, input } = JSON.parse(line);
  console.log(JSON.stringify({ id, ...reply(family, input) }));
}
