/**
 * What INV promises of itself, held against the findings, and the races it did not win with the reason. What
 * is the same on every machine is told apart from what moves with it.
 */
import { contenders } from "./contenders";
import { overFloor, type Results } from "./findings";
import type { LoopbackResult } from "./loopback";
import type { SheetResult } from "./sheet-run";
import type { Workload } from "./workloads";

/** Calls and time over the least possible. Bursts cannot all be known when the first call leaves. */
const most: Record<string, { readonly calls: number; readonly time: number }> = {
  d: { calls: 1.005, time: 1.03 },
  d2: { calls: 1.005, time: 1.03 },
};
const mostAtOnce = { calls: 1, time: 1.01 };
const mostOverFloor = 2;
const mostBytesPerCell = 120;
const mostSettledInTurn = 2000;
const closeToFirst = 1.005;

/** Figures of virtual time and of counting: the same on every machine. */
export function brokenPromises(results: Results, workloads: readonly Workload[]): string[] {
  return [
    ...workloads.flatMap((workload) => brokenBySheet(results.sheet(workload.id, "inv"), workload)),
    ...atMost("ms for one cell alone", results.edit("inv")?.aloneMs, 81),
    ...atMost("cells lost over loopback HTTP", results.loopback("inv")?.lost, 0),
  ];
}

/** Figures that move with the machine and what else it does; a miss is told and fails nothing. */
export function missedAims(results: Results): string[] {
  return [
    ...["b", "c", "d"].flatMap((id) =>
      atMost(`${id}: processor time over the floor`, overFloor(results, id, "inv"), mostOverFloor),
    ),
    ...atMost("bytes per waiting cell", results.memory("inv"), mostBytesPerCell),
  ];
}

function brokenBySheet(result: SheetResult | null | undefined, { id, least }: Workload): string[] {
  const { calls, time } = most[id] ?? mostAtOnce;
  return [
    ...atMost(`${id}: calls over the least possible`, ratio(result?.calls, least.calls), calls),
    ...atMost(`${id}: time over the least possible`, ratio(result?.lastMs, least.timeMs), time),
    ...atMost(
      `${id}: good cells lost, wrong or stuck`,
      result && result.lost + result.wrong + result.stuck,
      0,
    ),
    ...atMost(`${id}: refusals because of the quota`, result?.refusals, 0),
    ...atMost(`${id}: cells settled in one turn`, result?.mostSettledInTurn, mostSettledInTurn),
  ];
}

/** A figure that is missing keeps no promise. */
function atMost(title: string, value: number | null | undefined, limit: number): string[] {
  if (value === null || value === undefined) return [`${title}: not measured`];
  return value <= limit ? [] : [`${title}: ${value.toFixed(3)}, at most ${String(limit)} promised`];
}

function ratio(value: number | null | undefined, least: number): number | null {
  return value === null || value === undefined ? null : value / least;
}

/** Rows of calls and time where a peer that lost nothing was ahead by more than half a percent. */
export function lostRaces(results: Results, workloads: readonly Workload[]): string[] {
  const sheets = workloads.flatMap((workload) => {
    const race: Race<SheetResult> = {
      id: workload.id,
      of: (contender) => results.sheet(workload.id, contender),
    };
    return [
      ...lost(race, { unit: "calls", of: ({ calls }) => calls, reason: callsReason(workload) }),
      ...lost(race, { unit: "ms", of: ({ lastMs }) => lastMs, reason: timeReason(workload) }),
    ];
  });
  const loopback: Race<LoopbackResult> = { id: "loopback", of: (contender) => results.loopback(contender) };
  return [
    ...sheets,
    ...lost(loopback, { unit: "calls", of: ({ calls }) => calls, reason: loopbackReason }),
    ...lost(loopback, { unit: "ms", of: ({ timeMs }) => timeMs, reason: loopbackReason }),
  ];
}

/** A peer that loses cells has not run the same race. */
interface Finish {
  readonly lost: number;
  readonly wrong?: number;
  readonly stuck?: number;
}

interface Race<T extends Finish> {
  readonly id: string;
  readonly of: (contender: string) => T | null | undefined;
}

interface Figure<T> {
  readonly unit: "calls" | "ms";
  readonly of: (result: T) => number | null;
  readonly reason: string;
}

function lost<T extends Finish>(race: Race<T>, figure: Figure<T>): string[] {
  const inv = race.of("inv");
  if (!inv) return [`${race.id}: INV was not measured.`];
  const ours = figure.of(inv) ?? Infinity;
  return contenders.flatMap(({ id, title }) => {
    const result = race.of(id);
    if (id === "inv" || !result || result.lost + (result.wrong ?? 0) + (result.stuck ?? 0) > 0) return [];
    const theirs = figure.of(result) ?? Infinity;
    if (ours <= closeToFirst * theirs) return [];
    const figures = `INV ${ours.toFixed(0)} ${figure.unit}, ${title} ${theirs.toFixed(0)} ${figure.unit}`;
    return [`${race.id}: ${figures}. ${figure.reason}`];
  });
}

const unexplained = "No reason is known; this is a fault to be mended.";

function callsReason({ bursts }: Workload): string {
  if (bursts === null) return unexplained;
  return "INV's first call leaves at once, before the cells that could have joined it are there.";
}

function timeReason({ bursts }: Workload): string {
  if (bursts === null) return unexplained;
  return "While cells still arrive INV keeps one part-filled call under way at most, which spares the quota.";
}

const loopbackReason =
  "Real time, which moves with what else the machine does; where bursts pause for over 12 ms INV takes them for ended.";
