/**
 * `node test/bench/way.mjs [names]`: through how many files of src a cell goes on an engine that has done nothing yet
 * (its token and its call included), and through how many a refresh of it (price, first call, marking, following). A
 * file counts where at least one function of it ran; what a file does as it loads does not count, nor does the putting
 * together of the add-in. Counted by the engine's own coverage. With `names` the files are listed, and what ran in them.
 */
import { createRequire } from "node:module";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compileBench } from "./compile.mjs";

const compiled = compileBench();
const source = `${pathToFileURL(join(compiled, "src")).href}/`;
const { createWays } = createRequire(import.meta.url)(join(compiled, "test/bench/way.js"));
const isListing = process.argv.includes("names");

const coverage = new Session();
coverage.connect();
await coverage.post("Profiler.enable");
const ways = createWays();
for (const name of ["cell", "refresh"]) {
  await coverage.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await ways[name]();
  const { result } = await coverage.post("Profiler.takePreciseCoverage");
  await coverage.post("Profiler.stopPreciseCoverage");
  print(name, result.filter(({ url }) => url.startsWith(source)).map(ranIn));
}
process.exit();

function ranIn({ url, functions }) {
  // The compiler makes a getter of each export, and functions of its own that run as a file loads.
  const isNamed = (name) => name !== "" && !/^(get( .*)?|_export|_interop_.*)$/.test(name);
  const ran = functions.filter(({ functionName, ranges }) => isNamed(functionName) && ranges[0].count > 0);
  return { file: url.slice(source.length).replace(/\.js$/, ""), names: ran.map((each) => each.functionName) };
}

function print(name, scripts) {
  const files = scripts.filter(({ names }) => names.length > 0);
  const functions = files.reduce((sum, { names }) => sum + names.length, 0);
  console.log(`A ${name}: ${files.length} files, ${functions} named functions.`);
  if (!isListing) return;
  for (const { file, names } of files) console.log(`  ${file}: ${names.join(", ")}`);
}
