// Asks the JavaScript runner, with a bug in it or none: a line {"family", "input", "bug": {"old", "new"}} is answered by a line
// with the output. Only the modules that the family needs are read anew for a bug; planted.mjs puts it in.
import { register } from "node:module";
import { createInterface } from "node:readline";

register("./planted.mjs", import.meta.url);
const runner = new URL("../../../docs/vectors_runner/", import.meta.url);
const { answered, homes } = await import(new URL("answer.mjs", runner));

async function output({ family, input, bug }) {
  const module = (name) => import(new URL(`${name}.mjs${bug ? `?${new URLSearchParams(bug)}` : ""}`, runner));
  const { Refused } = await module("rational"), { families } = await module(homes[family]);
  return answered(family, families[family], input, Refused).output;
}
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await output(JSON.parse(line)).catch((error) => `crashed: ${error}`)));
