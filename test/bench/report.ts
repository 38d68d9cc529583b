/**
 * From the findings to the tables: every contender beside INV, what would have been the least possible, and,
 * wherever INV is not first or within 0.5 % of the first, the reason. A figure that INV promises and misses is
 * named at the end; one that is the same on every machine fails the bench.
 */
import { contenders } from "./contenders";
import { loopbackCells, loopbackStores, type LoopbackResult } from "./loopback";
import { overFloor, typed, type Findings, type Results } from "./findings";
import { brokenPromises, lostRaces, missedAims } from "./promises";
import type { CpuResult } from "./measure";
import { table } from "./table";
import { missedWholeAims, wholeSections } from "./whole-report";
import type { SheetResult } from "./sheet-run";
import { makeWorkloads, type Workload } from "./workloads";

export function report(findings: Findings): { readonly text: string; readonly isHonoured: boolean } {
  const results = typed(findings);
  const workloads = makeWorkloads();
  const broken = brokenPromises(results, workloads);
  const sections = [
    `# The bench\n\nWritten by \`npm run bench\` on ${findings.machine}. ${setting}`,
    sheetSections(results, workloads),
    cellSection(results),
    wholeSections(results),
    cpuSection(results),
    loopbackSection(results),
    `## Where INV is not first\n\n${list(lostRaces(results, workloads), "In no row of calls and time.")}`,
    `## Promises not kept\n\nOf calls, virtual time, good cells and cells settled in a turn.\n\n${list(broken, "None.")}`,
    `## Aims missed\n\nOf processor time, bytes and blocks; they move with the machine by some 10 %.\n\n${list([...missedAims(results), ...missedWholeAims(results)], "None.")}`,
  ];
  return { text: `${sections.join("\n\n")}\n`, isHonoured: broken.length === 0 };
}

const setting =
  "Virtual clock, 80 ms latency, 6 connections, 100 items of one store in a call, unless a line says otherwise.\n" +
  "Least: what no client can go below. `-`: not run, since it would take minutes and tell nothing new.";

function sheetSections(results: Results, workloads: readonly Workload[]): string {
  const row = (show: (result: SheetResult) => string, least: (workload: Workload) => string) =>
    workloads.map((workload) => [
      `**${workload.id}** ${workload.title}`,
      least(workload),
      ...contenders.map(({ id }) => shown(results.sheet(workload.id, id), show)),
    ]);
  const head = ["sheet", "least", ...contenders.map(({ title }) => title)];
  const calls = row(
    ({ calls, refusals }) => (refusals > 0 ? `${whole(calls)} (${whole(refusals)} refused)` : whole(calls)),
    ({ least }) => whole(least.calls),
  );
  const times = row(
    ({ lastMs }) => seconds(lastMs),
    ({ least }) => seconds(least.timeMs),
  );
  const lost = row(
    ({ good, lost: lostCells, wrong, stuck }) =>
      `${percent((good - lostCells) / good)}${wrong > 0 ? `, ${whole(wrong)} wrong` : ""}${stuck > 0 ? `, ${whole(stuck)} stuck` : ""}`,
    () => "100 %",
  );
  const turns = row(
    ({ mostSettledInTurn, longestTurnMs }) => `${whole(mostSettledInTurn)} / ${longestTurnMs.toFixed(0)} ms`,
    () => "",
  );
  return [
    `## Calls\n\n${table(head, calls)}`,
    `## Time to the last value\n\nSeconds of virtual time. Where good cells were lost it is the time to the last one that came.\n\n${table(head, times)}`,
    `## Good cells that got their value\n\n${table(head, lost)}`,
    `## Most cells settled in one turn of the event loop, and the longest turn\n\nThe longest turn is real time on this machine, collection of garbage included.\n\n${table(head, turns)}`,
  ].join("\n\n");
}

function cellSection(results: Results): string {
  const head = ["one cell", "least", ...contenders.map(({ title }) => title)];
  const line = (title: string, least: string, show: (id: string) => string): string[] => [
    title,
    least,
    ...contenders.map(({ id }) => show(id)),
  ];
  const ms = (value: number | null): string => (value === null ? "none" : `${value.toFixed(0)} ms`);
  const rows = [
    line("alone, nothing else to do", "80 ms", (id) => shown(results.edit(id), ({ aloneMs }) => ms(aloneMs))),
    line("typed while c is under way", "80 ms", (id) =>
      shown(results.edit(id), ({ behindMs }) => ms(behindMs)),
    ),
    line("bytes while it waits (c)", "0", (id) => shown(results.memory(id), (bytes) => bytes.toFixed(0))),
  ];
  return `## One cell\n\nBytes are those beyond one pending promise and the function that resolves it, both held.\n\n${table(head, rows)}`;
}

function cpuSection(results: Results): string {
  const head = ["sheet", "", "floor", ...contenders.map(({ title }) => title)];
  const perCell = ({ ms, cells }: CpuResult): string => ((ms * 1000) / cells).toFixed(1);
  const rows = ["b", "c", "d"].flatMap((workload) => [
    [
      `**${workload}**`,
      "x floor",
      "1",
      ...contenders.map(({ id }) =>
        shown(results.cpu(workload, id), () => (overFloor(results, workload, id) ?? NaN).toFixed(2)),
      ),
    ],
    [
      "",
      "us a cell",
      ...["floor", ...contenders.map(({ id }) => id)].map((id) => shown(results.cpu(workload, id), perCell)),
    ],
  ]);
  return `## Processor time\n\nFloor: JSON.parse of the answers of the fewest calls, one Map entry an item, one look-up and one promise a cell. The\nplatform's Request, Response and AbortController, the same for all, are replaced by light stand-ins here: in Node they\ncost more than what is compared. Each has a process of its own, the floor too; they take turns, round by round, and the least of each counts.\nINV checks the shape of every item in this time; the others check nothing.\n\n${table(head, rows)}`;
}

function loopbackSection(results: Results): string {
  const head = ["", "least", ...contenders.map(({ title }) => title)];
  const rows = [
    [
      "calls",
      whole(loopbackStores * Math.ceil(loopbackCells / loopbackStores / 100)),
      ({ calls }: LoopbackResult) => whole(calls),
    ],
    ["seconds", "", ({ timeMs }: LoopbackResult) => seconds(timeMs)],
    ["processor seconds", "", ({ cpuMs }: LoopbackResult) => seconds(cpuMs)],
    ["cells lost", "0", ({ lost }: LoopbackResult) => whole(lost)],
  ] as const;
  const cells = rows.map(([title, least, show]) => [
    title,
    least,
    ...contenders.map(({ id }) => shown(results.loopback(id), show)),
  ]);
  return `## Over loopback HTTP\n\n${whole(loopbackCells)} cells of ${whole(loopbackStores)} stores, 500 asked each 5 ms, a service of 80 ms in its own process, real time.\n\n${table(head, cells)}`;
}

function shown<T>(result: T | null | undefined, show: (result: T) => string): string {
  if (result === undefined) return "-";
  return result === null ? "not finished" : show(result);
}

function list(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : lines.map((line) => `- ${line}`).join("\n");
}

function whole(value: number): string {
  return value.toLocaleString("en-US");
}

function seconds(ms: number | null): string {
  return ms === null ? "none" : (ms / 1000).toFixed(2);
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;
}
