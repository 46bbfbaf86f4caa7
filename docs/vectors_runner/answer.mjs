// The answer to a question of any family. What is read and written follows from the schemas (schemas.mjs); the modules of the
// subjects hold the mathematics alone.
import { Refused, parse, refuse } from "./rational.mjs";
import { schemas } from "./schemas.mjs";

const subjects = [
  "alarms", "bootstrap", "confidence", "consistent", "csv", "dependence", "graded", "independent", "logarithm", "metrics", "normal",
  "postulates", "predictions", "shares", "significance", "surd", "votes",
];
const families = { "number-parsing": ({ value }) => ({ number: parse(value) }) };
for (const subject of subjects) Object.assign(families, (await import(`./${subject}.mjs`)).families);

export function reply(family, json) {
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
