// Asks copies of the JavaScript runner: a line {"folder": …, "family": …, "inputs": […]} is answered by a line of outputs.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, family, inputs } = JSON.parse(line);
  const outputs = [];
  try {
    const { reply } = await import(pathToFileURL(`${folder}/answer.mjs`));
    for (const input of inputs) outputs.push(reply(family, input).output);
  } catch (error) {
    outputs.push(`crashed: ${error}`);
  }
  console.log(JSON.stringify(outputs));
}
