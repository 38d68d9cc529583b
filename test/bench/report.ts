/**
 * From the findings to the tables of results.md: every contender beside INV, what would have been the least possible, and,
 * wherever INV is not first or within 0.5 % of the first, the reason. What INV promises and misses is named at the end;
 * of what is the same on every machine it fails the bench.
 */
import { contenders, type Entry } from "./contenders";
import { firstOf, typed, type Findings, type Found, type Results } from "./findings";
import { floor } from "./floor";
import { brokenPromises, enginePeers, functionPeers, lostRaces, missedAims, timesBest } from "./promises";
import type { SheetResult } from "./sheet-run";
import { table } from "./figures";
import { functions } from "./whole-way";
import { makeWorkloads, type Workload } from "./workloads";

type Row = readonly [title: string, of: (contender: string) => Found<number>];

const setting =
  "Virtual clock, 80 ms latency, 6 connections, 100 items of one store in a call, unless a line says otherwise.\n" +
  "Least: what no client can go below. `-`: not run, since it would take minutes and tell nothing new.";

export function report(findings: Findings): { readonly text: string; readonly isHonoured: boolean } {
  const results = typed(findings);
  const workloads = makeWorkloads();
  const broken = brokenPromises(results, workloads);
  const sections = [
    `# The bench\n\nWritten by \`npm run bench\` on ${findings.machine}. ${setting}`,
    ...sheetSections(results, workloads),
    cellSection(results),
    wholeSection(results),
    `## Where INV is not first\n\n${list(lostRaces(results, workloads), "In no row of calls and time.")}`,
    `## Promises not kept\n\nOf calls, virtual time, good cells and cells settled in a turn.\n\n${list(broken, "None.")}`,
    `## Aims missed\n\nOf processor time and bytes; they move with the machine by some 10 %.\n\n${list(missedAims(results), "None.")}`,
  ];
  return { text: `${sections.join("\n\n")}\n`, isHonoured: broken.length === 0 };
}

function sheetSections(results: Results, workloads: readonly Workload[]): string[] {
  const section = (
    title: string,
    least: (workload: Workload) => string,
    show: (result: SheetResult) => string,
  ): string => {
    const rows = workloads.map((workload) => [
      `**${workload.id}** ${workload.title}`,
      least(workload),
      ...contenders.map(({ id }) => shown(results.sheet(id, workload.id), show)),
    ]);
    return `## ${title}\n\n${table(["sheet", "least", ...contenders.map((each) => each.title)], rows)}`;
  };
  return [
    section(
      "Calls",
      ({ least }) => whole(least.calls),
      ({ calls, refusals }) => `${whole(calls)}${refusals > 0 ? ` (${whole(refusals)} refused)` : ""}`,
    ),
    section(
      "Time to the last value\n\nSeconds, of virtual time but for http. Where good cells were lost it is the time to the last one that came.",
      ({ least }) => seconds(least.timeMs),
      ({ lastMs }) => seconds(lastMs),
    ),
    section(
      "Good cells that got their value",
      () => "100 %",
      ({ good, lost, wrong, stuck }) =>
        percent((good - lost) / good) +
        (wrong > 0 ? `, ${whole(wrong)} wrong` : "") +
        (stuck > 0 ? `, ${whole(stuck)} stuck` : ""),
    ),
  ];
}

function cellSection(results: Results): string {
  const row = <T>(title: string, least: string, of: (id: string) => Found<T>, show: (found: T) => string) => [
    title,
    least,
    ...contenders.map(({ id }) => shown(of(id), show)),
  ];
  const ms = (value: number | null): string => (value === null ? "none" : `${value.toFixed(0)} ms`);
  const rows = [
    row("alone, nothing else to do", "80 ms", results.edit, ({ aloneMs }) => ms(aloneMs)),
    row("typed while c is under way", "80 ms", results.edit, ({ behindMs }) => ms(behindMs)),
    row("bytes while it waits (c)", "0", results.waiting, (bytes) => bytes.toFixed(0)),
  ];
  const head = ["one cell", "least", ...contenders.map(({ title }) => title)];
  return `## One cell\n\nBytes are those beyond one pending promise and the function that resolves it, both held.\n\n${table(head, rows)}`;
}

function wholeSection(results: Results): string {
  const compared = (
    title: string,
    entries: readonly Entry[],
    peers: readonly string[],
    rows: Row[],
  ): string => {
    const [own] = entries;
    const head = [title, ...entries.map((each) => each.title), `${own!.title} x the best`];
    const lines = rows.map(([words, of]) => [
      words,
      ...entries.map(({ id }) => shown(of(id), (value) => value.toFixed(value < 100 ? 1 : 0))),
      shown(timesBest(of, own!.id, peers), (value) => value.toFixed(2)),
    ]);
    return table(head, lines);
  };
  const first: Row[] = [
    ["first sheet of a fresh process, us a cell", firstOf(results, "firstUs")],
    ["the same after three sheets, us a cell", firstOf(results, "warmUs")],
    ["longest turn of the first sheet, ms", firstOf(results, "blockMs")],
  ];
  const bytes: Row[] = [
    ["bytes of a cell that waits", results.waiting],
    ["bytes kept of an item that was answered", results.answered],
  ];
  const engines = ["inv", ...enginePeers].flatMap((id) => contenders.filter((each) => each.id === id));
  return (
    "## The whole way\n\nFrom the function that Excel calls to the value that leaves it: processor time, the median of five processes\n" +
    "of each, taken in turns. The others' function takes and returns one value and checks nothing. Bytes are those beyond one\n" +
    `pending promise and the function that resolves it, both held.\n\n${compared("c, whole way", functions, functionPeers, [...first, ...bytes])}\n\n` +
    "Floor: JSON.parse of the answers of the fewest calls, one Map entry an item, one look-up and one promise a cell. INV checks the\n" +
    `shape of every item in this time; the others check nothing.\n\n${compared("c, engine alone", [...engines, floor], enginePeers, first)}`
  );
}

function shown<T>(result: Found<T>, show: (result: T) => string): string {
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
