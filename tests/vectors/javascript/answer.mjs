// The answer to a question of any family. What is read and written follows from the schemas (schemas.mjs); the modules of the
// subjects hold the mathematics alone.
import { Refused, refuse } from "./rational.mjs";
import { schemas } from "./schemas.mjs";

const subjects = [
  "alarms", "bootstrap", "confidence", "consistent", "dependence", "graded", "independent", "logarithm", "metrics", "normal",
  "panels", "postulates", "predictions", "shares", "significance", "votes",
];
const families = {};
export const homes = {}; // the subject of each family
for (const subject of subjects) {
  const found = (await import(`./${subject}.mjs`)).families;
  Object.assign(families, found);
  for (const name of Object.keys(found)) homes[name] = subject;
}

// What a function answers; an error of the class Refusal is a refusal, like those of reading the input.
export function answered(family, compute, json, Refusal = Refused) {
  try {
    const { input, expected } = schemas[family], given = input.read(json);
    refuse(given === undefined, "bad-document");
    const output = expected.write(compute(given));
    if (output === undefined) throw new Error(`an answer that the schema of ${family} does not allow`);
    return { output };
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Refusal)) throw error;
    return { output: { error: error.message } };
  }
}
export const reply = (family, json) => (family in families ? answered(family, families[family], json) : { skip: true });
