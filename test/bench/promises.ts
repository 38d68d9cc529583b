/**
 * What INV promises of itself, held against the findings, and the races it did not win with the reason. What
 * is the same on every machine is told apart from what moves with it.
 */
import { contenders } from "./contenders";
import { firstOf, type Found, type Results } from "./findings";
import type { SheetResult } from "./sheet-run";
import type { Workload } from "./workloads";

/** Beside which INV's engine and its function are set. */
export const enginePeers = ["window", "tick"];
export const functionPeers = ["qty-window", "qty-tick"];

/** Calls and time over the least possible. Bursts cannot all be known when the first call leaves. */
const mostInBursts = { calls: 1.005, time: 1.03 };
const mostAtOnce = { calls: 1, time: 1.01 };
const mostSettledInTurn = 2000;
const closeToFirst = 1.005;

/** Figures of virtual time and of counting: the same on every machine. */
export function brokenPromises(results: Results, workloads: readonly Workload[]): string[] {
  return [
    ...workloads.flatMap((workload) => brokenBySheet(results.sheet("inv", workload.id), workload)),
    ...above("promised", "ms for one cell alone", results.edit("inv")?.aloneMs, 81),
  ];
}

function brokenBySheet(result: Found<SheetResult>, { id, least, bursts, isReal }: Workload): string[] {
  const { calls, time } = bursts === null ? mostAtOnce : mostInBursts;
  const promised = (title: string, value: Found<number>, most: number) =>
    above("promised", `${id}: ${title}`, value, most);
  const lost = promised("good cells lost, wrong or stuck", result && lostBy(result), 0);
  if (isReal) return lost;
  return [
    ...promised("calls over the least possible", result && result.calls / least.calls, calls),
    ...promised(
      "time over the least possible",
      result && result.lastMs && result.lastMs / least.timeMs,
      time,
    ),
    ...lost,
    ...promised("refusals because of the quota", result?.refusals, 0),
    ...promised("cells settled in one turn", result?.mostSettledInTurn, mostSettledInTurn),
  ];
}

/** Figures that move with the machine and what else it does; a miss is told and fails nothing. */
export function missedAims(results: Results): string[] {
  const [first, warm] = [firstOf(results, "firstUs"), firstOf(results, "warmUs")];
  const aims: readonly (readonly [string, Found<number>, number])[] = [
    ["first sheet, whole way, x the best", timesBest(first, "qty", functionPeers), 2.7],
    ["warm sheet, whole way, x the best", timesBest(warm, "qty", functionPeers), 2.7],
    ["first sheet, engine alone, x the best", timesBest(first, "inv", enginePeers), 1.5],
    ["warm sheet, engine alone, x the floor", timesBest(warm, "inv", ["floor"]), 2],
    ["bytes of a waiting cell, engine alone", results.waiting("inv"), 120],
    ["bytes of a waiting cell, whole way", results.waiting("qty"), 650],
    // Its consumer items as they came among it: some 1,250 of the bench's.
    ["bytes kept of an answered item, whole way", results.answered("qty"), 1_350],
  ];
  return aims.flatMap(([title, value, most]) => above("aimed at", title, value, most));
}

/** A figure that is missing keeps no promise. */
function above(word: string, title: string, value: Found<number>, most: number): string[] {
  if (value === null || value === undefined) return [`${title}: not measured`];
  return value <= most ? [] : [`${title}: ${value.toFixed(3)}, at most ${String(most)} ${word}`];
}

/** Its own figure over the least of the others'; null where one is missing. */
export function timesBest(
  of: (contender: string) => Found<number>,
  own: string,
  others: readonly string[],
): number | null {
  const ours = of(own);
  const theirs = others.map((other) => of(other)).filter((value) => typeof value === "number");
  return typeof ours === "number" && theirs.length > 0 ? ours / Math.min(...theirs) : null;
}

/** Rows of calls and time where a peer that lost nothing was ahead by more than half a percent. */
export function lostRaces(results: Results, workloads: readonly Workload[]): string[] {
  return workloads.flatMap((workload) => {
    const inv = results.sheet("inv", workload.id);
    if (!inv) return [`${workload.id}: INV was not measured.`];
    return (["calls", "lastMs"] as const).flatMap((figure) =>
      contenders.flatMap(({ id, title }) => {
        const peer = results.sheet(id, workload.id);
        // A peer that loses cells has not run the same race.
        if (id === "inv" || !peer || lostBy(peer) > 0) return [];
        const [ours, theirs] = [inv[figure] ?? Infinity, peer[figure] ?? Infinity];
        if (ours <= closeToFirst * theirs) return [];
        const unit = figure === "calls" ? "calls" : "ms";
        const figures = `INV ${ours.toFixed(0)} ${unit}, ${title} ${theirs.toFixed(0)} ${unit}`;
        return [`${workload.id}: ${figures}. ${reasonOf(workload, figure)}`];
      }),
    );
  });
}

function lostBy({ lost, wrong, stuck }: SheetResult): number {
  return lost + wrong + stuck;
}

function reasonOf({ bursts, isReal }: Workload, figure: "calls" | "lastMs"): string {
  if (isReal) {
    return "Real time, which moves with what else the machine does; where bursts pause for over 12 ms INV takes them for ended.";
  }
  if (bursts === null) return "No reason is known; this is a fault to be mended.";
  return figure === "calls"
    ? "INV's first call leaves at once, before the cells that could have joined it are there."
    : "While cells still arrive INV keeps one part-filled call under way at most, which spares the quota.";
}
