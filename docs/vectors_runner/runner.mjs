// Answers families of vectors in exact arithmetic: ntqr-exact vectors run -- node docs/vectors_runner/runner.mjs
import { createInterface } from "node:readline";
import { families as metrics } from "./metrics.mjs";
import { Refused, parse, text } from "./rational.mjs";
import { families as votes } from "./votes.mjs";

const families = { ...votes, ...metrics, "number-parsing": ({ value }) => ({ number: text(parse(value)) }) };

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
