/**
 * Turns the findings into results.md. Each number of a peer is the best of its windows, row by row, among the windows that lost the
 * fewest cells. Numbers that are the same on every machine are promises: if INV breaks one, the bench fails.
 */
import type { AloneResult } from "./alone";
import { middle, table } from "./figures";
import type { BurstResult, EditResult, FirstResult } from "./measure";
import type { SheetResult } from "./sheet-run";
import type { WholeWay } from "./whole-way";
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
    wholeWaySection(found),
    targetSection(found),
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
type Bytes = "waiting" | "answered" | "allocated";

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
    /** The middle of several processes of a contender. */
    number: (measurement: Bytes | "known", contender: string): number =>
      middle((found[`${measurement} ${contender}`] ?? []) as number[]),
    first: (contender: string, figure: keyof FirstResult): number =>
      middle(((found[`first ${contender}`] ?? []) as FirstResult[]).map((each) => each[figure])),
    burst: (contender: string, figure: keyof BurstResult): number =>
      middle(((found[`bursts ${contender}`] ?? []) as BurstResult[]).map((each) => each[figure])),
    /** The best window of the peer, each the middle of its processes. */
    wholeWay(peer: Peer, cells: string, figure: keyof WholeWay): number {
      const windows = Object.entries(found).flatMap(([key, results]) => {
        const [measurement, contender = "", size] = key.split(" ");
        const isOfPeer = peer === "inv" ? contender === "qty" : contender.startsWith(functionOf(peer));
        return measurement === "whole-way" && size === cells && isOfPeer ? [results as WholeWay[]] : [];
      });
      return Math.min(...windows.map((window) => middle(window.map((each) => each[figure]))));
    },
  };
}

/** The peer as Excel calls it for a cell. */
function functionOf(peer: Peer): string {
  return peer === "inv" ? "qty" : `qty-${peer}`;
}

/** The peer called with single values. INV has only one way. */
function plainFunctionOf(peer: Peer): string {
  return peer === "inv" ? "qty" : `plain-${peer}`;
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

function cellSection({ edit, number, first, burst }: Results): string {
  const row = (title: string, figure: (peer: Peer) => number, digits = 0) => [
    title,
    ...peers.map((peer) => figure(peer).toFixed(digits)),
    (figure("inv") / figure("dataloader")).toFixed(1),
  ];
  /** As Excel calls INV, and below it the peers with single values. */
  const bothWays = (title: string, figure: (contender: string) => number, digits = 1) => [
    row(title, (peer) => figure(functionOf(peer)), digits),
    row("- peers called with single values", (peer) => figure(plainFunctionOf(peer)), digits),
  ];
  const rows = [
    row("ms of a typed cell, nothing else to do", (peer) => edit(peer, "aloneMs")),
    row("ms of a cell typed while c is under way", (peer) => edit(peer, "behindMs")),
    ...bothWays("c, first sheet of a fresh process, us a cell", (name) => first(name, "firstUs")),
    ...bothWays("the same after three sheets, us a cell", (name) => first(name, "warmUs")),
    ...bothWays("c calculated again while fresh, us a cell", (name) => number("known", name)),
    row("longest turn of the first sheet, all cells in one call, ms", (peer) =>
      first(functionOf(peer), "blockMs"),
    ),
    row("longest turn of the first sheet in bursts (d2), ms", (peer) => burst(functionOf(peer), "firstMs")),
    row("longest turn of d2 while fresh, ms", (peer) => burst(functionOf(peer), "knownMs")),
    row("bytes of a cell that waits", (peer) => number("waiting", functionOf(peer))),
    row("bytes kept of an item that was answered", (peer) => number("answered", functionOf(peer))),
    row("bytes allocated by a cell whose answer is fresh", (peer) => number("allocated", functionOf(peer))),
  ];
  const nothing = `${number("known", "qty-nothing").toFixed(1)} us and ${whole(number("allocated", "qty-nothing"))} bytes`;
  return (
    "## One cell\n\nFrom the function that Excel calls to the value that leaves it. Excel calls INV and peers alike: a matrix for each argument and\n" +
    `an Invocation, whatever the function does with them. A function that does nothing costs ${nothing} that way.\n` +
    "Processor time: the middle of three processes of each, taken in turns. Bytes that wait or are kept are those beyond one pending\n" +
    "promise and the function that resolves it. Microsoft's guide keeps no answers: calculated again, its cells are requested again.\n\n" +
    table(["one cell", ...titles, "INV / dataloader"], rows)
  );
}

const wholeWaySizes = ["10000", "100000"];
const wholeWayRows = [
  ["first sheet, s", "firstMs"],
  ["calculated again while fresh, s", "knownMs"],
  ["first sheet, us of processor time a cell", "firstUs"],
  ["calculated again while fresh, us a cell", "knownUs"],
] as const;

/** INV relative to the best peer. */
function wholeWayRatio({ wholeWay }: Results, cells: string, figure: keyof WholeWay): number {
  const best = Math.min(...peers.slice(1).map((peer) => wholeWay(peer, cells, figure)));
  return wholeWay("inv", cells, figure) / best;
}

function wholeWaySection(found: Results): string {
  const rows = wholeWaySizes.flatMap((cells) =>
    wholeWayRows.map(([title, figure]) => [
      `${whole(Number(cells))} cells, ${title}`,
      ...peers.map((peer) => {
        const value = found.wholeWay(peer, cells, figure);
        return figure.endsWith("Ms") ? seconds(value) : value.toFixed(1);
      }),
      wholeWayRatio(found, cells, figure).toFixed(2),
    ]),
  );
  return (
    "## The whole way through Microsoft's runtime\n\nFrom the host's message with the calls until it has the last value: Microsoft's own runtime of custom functions over a simulated\n" +
    "host. 1,000 items of each store, 80 ms latency, 6 connections. Waits are virtual, and all work takes its real time, the runtime's and\n" +
    `the host's too. The middle of three processes of each, taken in turns.\n\n${table(["whole way", ...titles, "INV / best peer"], rows)}`
  );
}

/** What a cell should cost at most, on an idle machine. Times fail no run, because they depend on the machine. */
function targetSection(found: Results): string {
  const overDataloader = (figure: (contender: string) => number): number =>
    figure("qty") / figure("qty-dataloader");
  const targets: (readonly [title: string, value: number, most: number, digits: number])[] = [
    ["bytes of a cell that waits", found.number("waiting", "qty"), 500, 0],
    ["first sheet, INV / dataloader", overDataloader((name) => found.first(name, "firstUs")), 1.7, 2],
    ["calculated again, INV / dataloader", overDataloader((name) => found.number("known", name)), 2.5, 2],
    ["longest turn in bursts, ms", found.burst("qty", "firstMs"), 50, 0],
    ...wholeWaySizes.flatMap((cells) =>
      (["firstMs", "knownMs"] as const).map((figure) => {
        const title = `${whole(Number(cells))} cells, ${figure === "firstMs" ? "first sheet" : "calculated again"}, whole way, INV / best peer`;
        return [title, wholeWayRatio(found, cells, figure), 1.15, 2] as const;
      }),
    ),
  ];
  const rows = targets.map(([title, value, most, digits]) => [
    title,
    value.toFixed(digits),
    String(most),
    value <= most ? "yes" : "no",
  ]);
  return `## Targets\n\nWhat a cell should cost at most. Peers are called as Excel calls INV.\n\n${table(["target", "INV", "at most", "met"], rows)}`;
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
