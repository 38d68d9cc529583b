/**
 * `node test/bench/way.mjs [names]`: counts the files of src that a cell uses on an unused engine, including its token and
 * its call. It also counts those that a refresh of the cell uses (price, first call, marking, following). A file counts if at least one of
 * its functions ran. What a file does while it loads doesn't count, and neither does composing the add-in. V8's own
 * coverage counts. With `names` it lists the files and the functions that ran.
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
  // The compiler adds a getter for each export, and functions that run while a file loads.
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
