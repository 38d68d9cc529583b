/**
 * The drills (`npm run drills`, or `npm run drills -- NAME …`): four at once, each in its own environment. Prints a few
 * lines for each, then the table of results.md. Exits with 1 if a drill fails.
 */
import { table } from "../bench/figures";
import { type Drill, type Ended, runDrill } from "./bed";
import { drills } from "./drills";

const atOnce = 4;

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((each) => !drills.some(({ name }) => name === each));
  if (unknown !== undefined) {
    process.stderr.write(`There is no drill "${unknown}". There are\n${listOf(drills)}`);
    process.stderr.write("  mutations  faults that tests must find; runs alone\n");
    process.stderr.write("  stories    long browser tests; runs alone\n");
    process.exitCode = 1;
    return;
  }
  const named = names.length === 0 ? drills : drills.filter(({ name }) => names.includes(name));
  const chosen = named.filter(({ name, lacks }) => {
    const lacking = lacks?.() ?? null;
    if (lacking !== null) process.stdout.write(`left out ${name}: there is no ${lacking} here\n`);
    return lacking === null;
  });
  const waiting = [...chosen];
  const results = new Map<Drill, Ended | null>();
  const runWaiting = async () => {
    for (let drill = waiting.shift(); drill !== undefined; drill = waiting.shift()) {
      try {
        const ended = await runDrill(drill);
        results.set(drill, ended);
        process.stdout.write(reportOf(drill, ended));
      } catch (error) {
        results.set(drill, null);
        process.stdout.write(`FAILED ${drill.name}: ${String(error)}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runWaiting));
  const rows = chosen.map((drill) => rowOf(drill, results.get(drill) ?? null));
  process.stdout.write(
    `\n${table(["drill", "what happens", "busiest 60 s", "calls", "next call", ""], rows)}\n`,
  );
  const failed = [...results.values()].filter((ended) => ended === null || ended.faults.length > 0).length;
  process.stdout.write(`\n${chosen.length - failed} drills held, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function listOf(all: readonly Drill[]): string {
  return all.map(({ name, title }) => `  ${name.padEnd(10)} ${title}\n`).join("");
}

function rowOf({ name, title }: Drill, ended: Ended | null): readonly string[] {
  if (ended === null) return [name, title, "", "", "", "FAILED"];
  const { busiest, calls, nextCallSeconds, faults } = ended;
  const nextCall = nextCallSeconds === null ? "" : `${nextCallSeconds.toFixed(1)} s`;
  return [name, title, String(busiest), String(calls), nextCall, faults.length === 0 ? "held" : "FAILED"];
}

function reportOf({ name, title }: Drill, ended: Ended): string {
  const { faults, facts, busiest, limit, refused, calls, seconds, nextCallSeconds, pages } = ended;
  const minute = `busiest 60 s ${busiest} of ${limit}, ${refused} refused, ${calls} calls in ${seconds.toFixed(0)} s`;
  return [
    `${faults.length === 0 ? "ok" : "FAILED"} ${name}: ${title}`,
    `   ${[minute, ...(pages === null ? [] : cellsOf(pages))].join("; ")}`,
    ...(nextCallSeconds === null ? [] : [`   the next call arrived after ${nextCallSeconds.toFixed(1)} s`]),
    ...facts.map((fact) => `   ${fact}`),
    ...faults.map((fault) => `   NOT SO: ${fault}`),
    "",
  ].join("\n");
}

function cellsOf({ right, waiting, singlesMs, statuses }: NonNullable<Ended["pages"]>): readonly string[] {
  const longest = (Math.max(0, ...singlesMs) / 1_000).toFixed(1);
  const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [
    `${right} cells answered, ${waiting} wait, single cells ${longest} s at most`,
    `answers to pages ${answers.join(", ")}`,
  ];
}

// Each process of each drill listens for the end of this one.
process.setMaxListeners(0);
void main(process.argv.slice(2));
