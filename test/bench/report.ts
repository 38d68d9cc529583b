/**
 * Turns the findings into results.md. Each number of a peer is the best of its windows, row by row, among the windows that lost the
 * fewest cells. Numbers that are the same on every machine are promises: if INV breaks one, the bench fails.
 */
import type { AloneResult } from "./alone";
import { middle, table } from "./figures";
import type { EditResult, FirstResult } from "./measure";
import type { SheetResult } from "./sheet-run";
import { people, type TeamResult, templateStores } from "./team";
import { makeWorkloads, type Workload } from "./workloads";

export interface Findings {
  readonly about: {
    readonly date: string;
    readonly machine: string;
    readonly minutes: number;
    readonly loadBefore: number;
  };
  /** All results of each measurement by `<measurement> <contender> <sheet>`. */
  readonly results: Readonly<Record<string, readonly unknown[]>>;
}

const peers = ["inv", "dataloader", "window"] as const;
type Peer = (typeof peers)[number];
const titles = ["INV", "dataloader", "Microsoft's guide"];

export function report({ about, results }: Findings): {
  readonly text: string;
  readonly isHonoured: boolean;
} {
  const workloads = makeWorkloads();
  const found = createResults(results);
  const [alone] = results["alone"] as [AloneResult];
  const [team] = results["team"] as [TeamResult | null];
  const broken = [
    ...workloads.flatMap((workload) => brokenBySheet(found.sheets("inv", workload.id), workload)),
    ...above("ms for one cell alone", found.edit("inv", "aloneMs"), 81),
    ...brokenAlone(alone),
  ];
  const sections = [
    `# The bench\n\n${introduction(about)}`,
    `## Requests\n\n${sheetTable(workloads, found, {
      least: ({ calls }) => whole(calls),
      figure: ({ calls }) => calls,
      shown: whole,
    })}`,
    `## Seconds to the last value\n\n${sheetTable(workloads, found, {
      least: ({ timeMs }) => seconds(timeMs),
      figure: ({ lastMs }) => lastMs ?? Infinity,
      shown: seconds,
    })}`,
    `## Good cells without their value\n\n${list(lostCells(workloads, found), "None, with any of the three.")}`,
    cellSection(found),
    `## Where INV is not first\n\n${list(lostRaces(workloads, found), "In no row of requests and time.")}`,
    aloneSection(alone, team),
    `## Promises not kept\n\nOf requests, virtual time, good cells and cells settled in a turn.\n\n${list(broken, "None.")}`,
  ];
  return { text: `${sections.join("\n\n")}\n`, isHonoured: broken.length === 0 };
}

function introduction({ date, machine, minutes, loadBefore }: Findings["about"]): string {
  return (
    `Written by \`npm run bench\` on ${date}, in ${minutes} minutes, with ${machine}; load before the start: ${loadBefore.toFixed(1)}.\n\n` +
    "Virtual clock, 80 ms latency, 6 connections, 100 items of one store in a request, unless a line says otherwise. Least: what no\n" +
    "client can go below. Of dataloader and of the batching in Microsoft's guide: the best window of each row. They check GTINs and\n" +
    "validate answers with INV's own code, send batches of at most ten first, ask again without items that a 400 names, and have\n" +
    "Bottleneck's reservoir and retries where there is a quota."
  );
}

type Results = ReturnType<typeof createResults>;
type CellFigure = keyof FirstResult | "known" | "waiting" | "answered";

function createResults(found: Findings["results"]) {
  const of = (measurement: string, peer: string, workload = ""): unknown[] =>
    Object.entries(found).flatMap(([key, results]) => {
      const [name = "", contender = "", sheet = ""] = key.split(" ");
      const isOfPeer = contender === peer || contender.startsWith(`${peer}-`);
      return name === measurement && isOfPeer && sheet === workload ? results : [];
    });
  return {
    /** Results of each window of the peer. */
    sheets: (peer: Peer, workload: string) => of("sheet", peer, workload) as SheetResult[],
    edit: (peer: Peer, figure: keyof EditResult): number =>
      Math.min(...(of("edit", peer) as EditResult[]).map((edit) => edit[figure] ?? Infinity)),
    /** A number for one cell, from Excel's call to its value. */
    cell(figure: CellFigure, peer: Peer): number {
      const contender = peer === "inv" ? "qty" : `qty-${peer}`;
      const isNumber = figure === "known" || figure === "waiting" || figure === "answered";
      const results = found[`${isNumber ? figure : "first"} ${contender}`] ?? [];
      return middle(
        isNumber ? (results as number[]) : (results as FirstResult[]).map((each) => each[figure]),
      );
    },
  };
}

function lostBy({ lost, wrong, stuck }: SheetResult): number {
  return lost + wrong + stuck;
}

/** The least value of a figure, among the windows that lost the fewest cells. */
function bestOf(windows: readonly SheetResult[], figure: (result: SheetResult) => number): number {
  const fewest = Math.min(...windows.map(lostBy));
  return Math.min(...windows.filter((each) => lostBy(each) === fewest).map(figure));
}

interface SheetFigure {
  readonly least: (least: Workload["least"]) => string;
  readonly figure: (result: SheetResult) => number;
  readonly shown: (value: number) => string;
}

function sheetTable(
  workloads: readonly Workload[],
  found: Results,
  { least, figure, shown }: SheetFigure,
): string {
  const rows = workloads.map((workload) => [
    `**${workload.id}** ${workload.title}`,
    least(workload.least),
    ...peers.map((peer) => shown(bestOf(found.sheets(peer, workload.id), figure))),
  ]);
  return table(["sheet", "least", ...titles], rows);
}

function lostCells(workloads: readonly Workload[], found: Results): string[] {
  return workloads.flatMap(({ id }) =>
    peers.flatMap((peer, index) => {
      const windows = found.sheets(peer, id);
      const lost = Math.min(...windows.map(lostBy));
      return lost === 0 ? [] : [`${id}: ${titles[index]!} ${whole(lost)} of ${whole(windows[0]!.good)}`];
    }),
  );
}

function cellSection({ edit, cell }: Results): string {
  const row = (title: string, figure: (peer: Peer) => number, shown: (value: number) => string) => {
    return [title, ...peers.map(figure).map(shown), (figure("inv") / figure("dataloader")).toFixed(1)];
  };
  const ofCell = (title: string, figure: CellFigure, digits = 0) =>
    row(
      title,
      (peer) => cell(figure, peer),
      (value) => value.toFixed(digits),
    );
  const rows = [
    row("ms of a typed cell, nothing else to do", (peer) => edit(peer, "aloneMs"), whole),
    row("ms of a cell typed while c is under way", (peer) => edit(peer, "behindMs"), whole),
    ofCell("c, first sheet of a fresh process, us a cell", "firstUs", 1),
    ofCell("the same after three sheets, us a cell", "warmUs", 1),
    ofCell("c calculated again while fresh, us a cell", "known", 1),
    ofCell("longest turn of the first sheet, ms", "blockMs"),
    ofCell("bytes of a cell that waits", "waiting"),
    ofCell("bytes kept of an item that was answered", "answered"),
  ];
  return (
    "## One cell\n\nFrom the function that Excel calls to the value that leaves it. Processor time: the middle of five processes of each, taken\n" +
    "in turns. Bytes are those beyond one pending promise and the function that resolves it. Microsoft's guide keeps no answers:\n" +
    `calculated again, its cells are requested again.\n\n${table(["one cell", ...titles, "INV / dataloader"], rows)}`
  );
}

/** Rows in which a peer that lost no cell was ahead. */
function lostRaces(workloads: readonly Workload[], found: Results): string[] {
  return workloads.flatMap((workload) => {
    const [inv] = found.sheets("inv", workload.id);
    if (inv === undefined) throw new Error(`${workload.id}: INV was not measured.`);
    return peers.slice(1).flatMap((peer, index) => {
      const rivals = found.sheets(peer, workload.id).filter((result) => lostBy(result) === 0);
      return (["calls", "lastMs"] as const).flatMap((figure) => {
        const ours = inv[figure] ?? Infinity;
        const theirs = bestOf(rivals, (each) => each[figure] ?? Infinity);
        if (ours <= theirs) return [];
        const unit = figure === "calls" ? "requests" : "ms";
        const figures = `INV ${whole(ours)} ${unit}, ${titles[index + 1]!} ${whole(theirs)}`;
        return [`${workload.id}: ${figures}. ${reasonOf(workload, figure)}`];
      });
    });
  });
}

function reasonOf({ bursts, quota }: Workload, figure: "calls" | "lastMs"): string {
  if (quota !== null) {
    return "INV keeps some of each minute's requests for edits, and time between its window and the service's; so none is refused.";
  }
  if (bursts === null && figure === "lastMs") {
    return "INV's part-filled requests wait 12 ms, until no more cells come that could join them.";
  }
  if (bursts === null) return "No reason is known; this is a fault to be mended.";
  return figure === "calls"
    ? "INV's first request leaves at once, before the cells that could have joined it are there; a window of a second waits for them."
    : "While cells still arrive INV keeps one part-filled request under way at most, which spares the quota.";
}

function aloneSection({ outage, cancel, again }: AloneResult, team: TeamResult | null): string {
  const rows: (readonly [string, number])[] = [
    ["service down for five minutes: requests meanwhile", outage.callsMeanwhile],
    ["cells with new values when it failed", outage.fresh],
    ["cells that keep their last known value", outage.kept],
    ["cells without their new value after the service's return", outage.withoutValue],
    ["requests of the refresh and of its rest together", outage.calls],
    ["cancel after a minute: ms until every cell has settled, on the virtual clock", cancel.settledAfterMs],
    ["the same on this machine", cancel.settledAfterRealMs],
    ["requests after the cancel", cancel.callsAfter],
    ["cells that keep their last known value", cancel.kept],
    ["4,000 cells at 160 stores refreshed: requests", again.calls],
    ["refreshed again within a minute: requests", again.callsOfSecond],
  ];
  if (team !== null) {
    rows.push(
      [
        `${people} people open one template of ${templateStores} stores: requests of their pages`,
        team.answers,
      ],
      ["requests of the three servers to the service", team.requests],
      ["cells with their value", team.cellsRight],
      ["cells without", team.cellsWithout],
    );
  }
  return (
    "## What only INV does\n\nA refresh of 100,000 cells at 4,000 stores whose values are an hour old, with 600 requests in any 60 s. The service fails, or a\n" +
    "person cancels, after a minute. This is the engine without the functions. dataloader can forget its answers and load them again, but no\n" +
    "peer keeps a last known value, cancels, or knows what a colleague has fetched. The people's pages call three servers in\n" +
    `turn, over real HTTP; the servers share a Redis.${team === null ? " They were not measured: there was no redis-server, or they failed." : ""}\n\n` +
    table(
      ["event", "INV"],
      rows.map(([title, value]) => [title, whole(value)]),
    )
  );
}

/** Requests and time relative to the least possible. The first request can't know all bursts. */
const mostInBursts = { calls: 1.005, time: 1.03 };
const mostAtOnce = { calls: 1, time: 1.01 };
const mostSettledInTurn = 2000;

function brokenBySheet(results: readonly SheetResult[], { id, least, bursts }: Workload): string[] {
  const most = bursts === null ? mostAtOnce : mostInBursts;
  return results.flatMap((result) => [
    ...above(`${id}: requests over the least possible`, result.calls / least.calls, most.calls),
    ...above(`${id}: time over the least possible`, (result.lastMs ?? Infinity) / least.timeMs, most.time),
    ...above(`${id}: good cells lost, wrong or stuck`, lostBy(result), 0),
    ...above(`${id}: refusals because of the quota`, result.refusals, 0),
    ...above(`${id}: cells settled in one turn`, result.mostSettledInTurn, mostSettledInTurn),
  ]);
}

function brokenAlone({ outage, cancel, again }: AloneResult): string[] {
  return [
    ...above("outage: cells without their new value in the end", outage.withoutValue, 0),
    ...above("cancel: cells without a value", cancel.withoutValue, 0),
    ...above("cancel: ms until every cell has settled", cancel.settledAfterMs, 100),
    ...above("cancel: requests afterwards", cancel.callsAfter, 0),
    ...above("second refresh within a minute: requests", again.callsOfSecond, 0),
  ];
}

function above(title: string, value: number, most: number): string[] {
  return value <= most ? [] : [`${title}: ${value.toFixed(3)}, at most ${String(most)} promised`];
}

function list(lines: readonly string[], none: string): string {
  return lines.length === 0 ? none : lines.map((line) => `- ${line}`).join("\n");
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
