// SPDX-License-Identifier: MIT
// generate.mjs MODULES MODEL COUNT: what a JavaScript program does with a model: prints COUNT tokens that follow a prompt.
// MODULES is the folder of the binding, which is not installed beside this file.
import {pathToFileURL} from "node:url";

const [modules, model_file, count] = process.argv.slice(2);
const {getLlama} = await import(pathToFileURL(`${modules}/node-llama-cpp/dist/index.js`));
const llama = await getLlama({gpu: false, build: "never", logLevel: "error", maxThreads: 1});
const model = await llama.loadModel({modelPath: model_file});
const context = await model.createContext({contextSize: 64, threads: 1});
const tokens = [];
for await (const token of context.getSequence().evaluate(model.tokenize("My father"), {temperature: 0})) {
    tokens.push(token);
    if (tokens.length >= Number(count)) break;
}
console.log(model.detokenize(tokens));
await llama.dispose();
