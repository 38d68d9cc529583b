/**
 * Turns the findings into the tables of results.md. Each number of a peer is the best of
 * its windows, row by row, among the windows that lost the fewest cells. At the end it lists INV's promises and misses.
 * A miss in a number that is the same on every machine fails the bench.
 */
import { table } from "./figures";
import { brokenPromises, lostRaces, missedAims } from "./promises";
import {
  bestOf,
  goodShare,
  peers,
  typed,
  type CellFigure,
  type Findings,
  type Peer,
  type Results,
} from "./results";
import type { SheetResult } from "./sheet-run";
import { makeWorkloads, type Workload } from "./workloads";

const titles: Readonly<Record<Peer, string>> = {
  inv: "INV",
  dataloader: "dataloader",
  window: "Microsoft's guide",
};

export function report({ machine, results: found }: Findings): {
  readonly text: string;
  readonly isHonoured: boolean;
} {
  const results = typed(found);
  const workloads = makeWorkloads();
  const broken = brokenPromises(results, workloads);
  const setting =
    "Virtual clock, 80 ms latency, 6 connections, 100 items of one store in a call, unless a line says otherwise.\n" +
    "Least: what no client can go below. Of dataloader and of the batching in Microsoft's guide: the best window of each row.\n" +
    "They check GTINs and validate answers with INV's own code, send batches of at most ten first, ask again without items that a 400\nnames, and have Bottleneck's reservoir and retries where there is a quota.";
  const sections = [
    `# The bench\n\nWritten by \`npm run bench\` on ${machine}. ${setting}`,
    ...sheetFigures.map(({ title, least, best }) => {
      const rows = workloads.map((workload) => [
        `**${workload.id}** ${workload.title}`,
        least(workload),
        ...peers.map((peer) => best(results.sheets(peer, workload.id))),
      ]);
      return `## ${title}\n\n${table(["sheet", "least", ...peers.map((peer) => titles[peer])], rows)}`;
    }),
    cellSection(results),
    `## Where INV is not first\n\n${list(lostRaces(results, workloads), "In no row of calls, time and good cells.")}`,
    `## Promises not kept\n\nOf calls, virtual time, good cells and cells settled in a turn.\n\n${list(broken, "None.")}`,
    `## Aims missed\n\nOf processor time and bytes; they move with the machine by some 10 %.\n\n${list(missedAims(results), "None.")}`,
  ];
  return { text: `${sections.join("\n\n")}\n`, isHonoured: broken.length === 0 };
}

const sheetFigures = [
  {
    title: "Calls",
    least: ({ least }: Workload) => whole(least.calls),
    best: (windows: readonly SheetResult[]) => whole(bestOf(windows, ({ calls }) => calls)),
  },
  {
    title:
      "Time to the last value\n\nSeconds of virtual time. Where good cells were lost it is the time to the last one that came.",
    least: ({ least }: Workload) => seconds(least.timeMs),
    best: (windows: readonly SheetResult[]) => seconds(bestOf(windows, ({ lastMs }) => lastMs ?? Infinity)),
  },
  {
    title: "Good cells that got their value",
    least: () => "100 %",
    best: (windows: readonly SheetResult[]) => percent(-bestOf(windows, (result) => -goodShare(result))),
  },
];

function cellSection(results: Results): string {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  const row = (title: string, figure: (peer: Peer) => string) => [title, ...peers.map(figure)];
  const cell = (title: string, figure: CellFigure, digits: number) =>
    row(title, (peer) => results.cell(figure, peer).toFixed(digits));
  const rows = [
    row("alone, nothing else to do", (peer) => ms(results.edit(peer, "aloneMs"))),
    row("typed while c is under way", (peer) => ms(results.edit(peer, "behindMs"))),
    cell("c, first sheet of a fresh process, us a cell", "firstUs", 1),
    cell("the same after three sheets, us a cell", "warmUs", 1),
    cell("c calculated again while fresh, us a cell", "known", 1),
    cell("longest turn of the first sheet, ms", "blockMs", 0),
    cell("bytes of a cell that waits", "waiting", 0),
    cell("bytes kept of an item that was answered", "answered", 0),
  ];
  return (
    "## One cell\n\nFrom the function that Excel calls to the value that leaves it. Processor time: the middle of five processes of each, taken in\n" +
    "turns. Bytes are those beyond one pending promise and the function that resolves it, both held. Microsoft's guide keeps no\n" +
    `answers: calculated again, its cells are asked for again.\n\n${table(["one cell", ...peers.map((peer) => titles[peer])], rows)}`
  );
}

function list(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : lines.map((line) => `- ${line}`).join("\n");
}

function whole(value: number): string {
  return value.toLocaleString("en-US");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(share === 1 ? 0 : 1)} %`;
}
