// Answers all families of vectors in exact arithmetic: ntqr-exact vectors run -- node docs/vectors_runner/runner.mjs
import { createInterface } from "node:readline";
import { Refused, parse, text } from "./rational.mjs";

const subjects = [
  "alarms", "bootstrap", "confidence", "consistent", "csv", "dependence", "graded", "independent", "logarithm", "metrics", "normal",
  "postulates", "significance", "surd", "votes",
];
const families = { "number-parsing": ({ value }) => ({ number: text(parse(value)) }) };
for (const subject of subjects) Object.assign(families, (await import(`./${subject}.mjs`)).families);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, family, input } = JSON.parse(line);
  let reply = { id, skip: true };
  if (family in families) {
    try {
      reply = { id, output: families[family](input) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      reply = { id, output: { error: error.message } };
    }
  }
  console.log(JSON.stringify(reply));
}
