// Answers all families of vectors in exact arithmetic: ntqr-exact vectors run -- node docs/vectors_runner/runner.mjs
// What is read and written follows from the schemas (schemas.mjs); the other modules hold the mathematics alone.
import { createInterface } from "node:readline";
import { Refused, parse, refuse } from "./rational.mjs";
import { schemas } from "./schemas.mjs";

const subjects = [
  "alarms", "bootstrap", "confidence", "consistent", "csv", "dependence", "graded", "independent", "logarithm", "metrics", "normal",
  "postulates", "significance", "surd", "votes",
];
const families = { "number-parsing": ({ value }) => ({ number: parse(value) }) };
for (const subject of subjects) Object.assign(families, (await import(`./${subject}.mjs`)).families);

function reply(family, json) {
  if (!(family in families)) return { skip: true };
  try {
    const { input, expected } = schemas[family], given = input.read(json);
    refuse(given === undefined, "bad-document");
    const output = expected.write(families[family](given));
    if (output === undefined) throw new Error(`an answer that the schema of ${family} does not allow`);
    return { output };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { output: { error: error.message } };
  }
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, family, input } = JSON.parse(line);
  console.log(JSON.stringify({ id, ...reply(family, input) }));
}
