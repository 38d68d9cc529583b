/**
 * The load of a team (`node test/bench/team.mjs [results.json]`, some minutes): compiles, runs `team` in a process of
 * its own, and writes team-results.md beside this file. With a file of results it only writes the page.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileBench } from "./compile.mjs";
import { fairSharesSection, measureFairShares } from "./fair-shares.mjs";
import { measureRelayTime, relayTimeSection } from "./relay-time.mjs";
import { measureThreeServers, threeServersSection } from "./three-servers.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const results =
  process.argv[2] === undefined ? await measure() : JSON.parse(readFileSync(process.argv[2], "utf8"));
const rows = [
  ["40 people open one template of 200 stores x 25 items within 10 s", results.oneTemplate],
  ["40 people open 40 templates of 200 stores x 25 items within 10 s", results.ownTemplates],
  ["one cell each of 3 people behind a colleague's 50,000", results.oneCell],
].flatMap(([title, { server, direct }]) => [row(title, "server", server), row(title, "direct", direct)]);

const text = `# A team behind one server

Engines of forty people on virtual time, a quota of 600 calls a minute, 80 ms a call; beside it the same people without
the server. Times are seconds until a person's last cell. Written by \`node test/bench/team.mjs\`.

| load | way | answered calls | 429s of the service | mean | slowest | slowest / mean |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}

The single cells waited ${results.oneCell.server.seconds.slice(1).map(format).join(", ")} s behind the server.

Memory that stays after each quarter of an hour's worth of calls (36,000, another store each, 8 MB of answers kept):
${results.memory.map((megabytes) => `${megabytes.toFixed(1)} MB`).join(", ")}.

${crowdSection(results.crowd)}
${fairSharesSection(results.fairShares)}
${threeServersSection(results.threeServers)}
${relayTimeSection(results.relayTime)}`;
process.stdout.write(text);
writeFileSync(join(here, "team-results.md"), text);

async function measure() {
  const compiled = compileBench();
  const run = (name) => {
    const args = ["--expose-gc", join(compiled, `test/bench/${name}.js`)];
    const options = { encoding: "utf8", maxBuffer: 1e8, stdio: ["ignore", "pipe", "inherit"] };
    return JSON.parse(spawnSync(process.execPath, args, options).stdout);
  };
  return {
    ...run("team"),
    crowd: run("crowd"),
    fairShares: await measureFairShares(),
    threeServers: await measureThreeServers(),
    relayTime: await measureRelayTime(),
  };
}

function crowdSection({ ids, megabytes, waiting }) {
  const rows = [
    ["10,000 client IDs were tried in vain, and 10,000 others call", "ten of each", ids],
    ["1,000 calls wait in its line", "ten", waiting],
  ].map(([crowd, beside, [few, many]]) => {
    const ratio = many / few;
    const cells = [crowd, beside, few.toFixed(3), many.toFixed(3), ratio.toFixed(2)];
    return `| ${[...cells, `1.2: ${ratio <= 1.2 ? "held" : "not held"}`].join(" | ")} |`;
  });
  return `## What a crowd costs

Milliseconds of processor time of a lookup of 100 items in the relay and the company's parts, without HTTP. The 20,000 IDs take
${megabytes.toFixed(0)} MB.

| while | beside | so | with the crowd | ratio | may be |
| --- | --- | ---: | ---: | ---: | --- |
${rows.join("\n")}
`;
}

function row(title, way, { calls, refusals, seconds }) {
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  const slowest = Math.max(...seconds);
  const figures = [calls, refusals, format(mean), format(slowest), (slowest / mean).toFixed(2)];
  return `| ${[title, way, ...figures].join(" | ")} |`;
}

function format(seconds) {
  return seconds.toFixed(seconds < 10 ? 2 : 1);
}
