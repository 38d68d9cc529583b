/**
 * Compares INV's promises with the findings, and lists the comparisons that INV did not win, with the reason. It
 * separates numbers that are the same on every machine from those that vary.
 */
import { bestOf, goodShare, lostBy, peers, type CellFigure, type Results } from "./results";
import type { SheetResult } from "./sheet-run";
import type { Workload } from "./workloads";

/** Calls and time relative to the least possible. The first call can't know all bursts. */
const mostInBursts = { calls: 1.005, time: 1.03 };
const mostAtOnce = { calls: 1, time: 1.01 };
const mostSettledInTurn = 2000;

/** Checks numbers of virtual time and counts, which are the same on every machine. */
export function brokenPromises(results: Results, workloads: readonly Workload[]): string[] {
  return [
    ...workloads.flatMap((workload) =>
      results.sheets("inv", workload.id).flatMap((result) => brokenBySheet(result, workload)),
    ),
    ...above("promised", "ms for one cell alone", results.edit("inv", "aloneMs"), 81),
  ];
}

function brokenBySheet(result: SheetResult, { id, least, bursts }: Workload): string[] {
  const { calls, time } = bursts === null ? mostAtOnce : mostInBursts;
  const promised = (title: string, value: number, most: number) =>
    above("promised", `${id}: ${title}`, value, most);
  const lost = promised("good cells lost, wrong or stuck", lostBy(result), 0);
  return [
    ...promised("calls over the least possible", result.calls / least.calls, calls),
    ...promised("time over the least possible", (result.lastMs ?? Infinity) / least.timeMs, time),
    ...lost,
    ...promised("refusals because of the quota", result.refusals, 0),
    ...promised("cells settled in one turn", result.mostSettledInTurn, mostSettledInTurn),
  ];
}

/** Checks numbers that vary with the machine and its other work. A miss is reported but fails nothing. */
export function missedAims({ cell }: Results): string[] {
  const timesBest = (figure: CellFigure): number =>
    cell(figure, "inv") / Math.min(cell(figure, "dataloader"), cell(figure, "window"));
  const aims: readonly (readonly [string, number, number])[] = [
    ["first sheet, x the best", timesBest("firstUs"), 1.8],
    ["warm sheet, x the best", timesBest("warmUs"), 1.8],
    ["calculated again while fresh, x the best", timesBest("known"), 2],
    ["bytes of a cell that waits", cell("waiting", "inv"), 650],
    // This includes the item's consumer items as they arrived.
    ["bytes kept of an answered item", cell("answered", "inv"), 950],
  ];
  return aims.flatMap(([title, value, most]) => above("aimed at", title, value, most));
}

function above(word: string, title: string, value: number, most: number): string[] {
  return value <= most ? [] : [`${title}: ${value.toFixed(3)}, at most ${String(most)} ${word}`];
}

/** Rows in which a peer that lost no cell was ahead, in calls and in time. */
export function lostRaces(results: Results, workloads: readonly Workload[]): string[] {
  return workloads.flatMap((workload) => {
    const [inv] = results.sheets("inv", workload.id);
    if (inv === undefined) throw new Error(`${workload.id}: INV was not measured.`);
    return peers.slice(1).flatMap((peer) => {
      const windows = results.sheets(peer, workload.id);
      if (windows.some((result) => goodShare(result) > goodShare(inv))) {
        return [`${workload.id}: more good cells of ${peer}.`];
      }
      const rivals = windows.filter((result) => lostBy(result) === 0);
      if (rivals.length === 0) return [];
      return (["calls", "lastMs"] as const).flatMap((figure) => {
        const [ours, theirs] = [inv[figure] ?? Infinity, bestOf(rivals, (each) => each[figure] ?? Infinity)];
        if (ours <= theirs) return [];
        const unit = figure === "calls" ? "calls" : "ms";
        const figures = `INV ${ours.toFixed(0)} ${unit}, ${peer} ${theirs.toFixed(0)} ${unit}`;
        return [`${workload.id}: ${figures}. ${reasonOf(workload, figure)}`];
      });
    });
  });
}

function reasonOf({ bursts, quota }: Workload, figure: "calls" | "lastMs"): string {
  if (quota !== null) {
    return "INV keeps some of each minute's calls for edits, and time between its window and the service's; so none is refused.";
  }
  if (bursts === null && figure === "lastMs") {
    return "INV's part-filled calls wait 12 ms, until no more cells come that could join them.";
  }
  if (bursts === null) return "No reason is known; this is a fault to be mended.";
  return figure === "calls"
    ? "INV's first call leaves at once, before the cells that could have joined it are there; a window of a second waits for them."
    : "While cells still arrive INV keeps one part-filled call under way at most, which spares the quota.";
}
