/**
 * What INV promises of itself, held against the findings, and the races it did not win with the reason. Times
 * that depend on the machine are promised nothing here, but processor time against the floor is: both are
 * measured in the same process.
 */
import { contenders } from "./contenders";
import { own, type Results } from "./findings";
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

export function brokenPromises(results: Results, workloads: readonly Workload[]): string[] {
  return [
    ...workloads.flatMap((workload) => brokenBySheet(results.sheet(workload.id, "inv"), workload)),
    ...["b", "c", "d"].flatMap((id) => brokenByCpu(results, id)),
    ...atMost("bytes per waiting cell", results.memory("inv"), mostBytesPerCell),
    ...atMost("ms for one cell alone", results.edit("inv")?.aloneMs, 81),
    ...atMost("cells lost over loopback HTTP", results.loopback("inv")?.lost, 0),
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

function brokenByCpu(results: Results, id: string): string[] {
  const cpu = results.cpu(id, "inv");
  return atMost(`${id}: processor time over the floor`, cpu && own(cpu), mostOverFloor);
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
  return workloads.flatMap((workload) => {
    const inv = results.sheet(workload.id, "inv");
    if (!inv) return [`${workload.id}: INV was not measured.`];
    const rivals = contenders.flatMap(({ id, title }) => {
      const result = results.sheet(workload.id, id);
      return id !== "inv" && result && isComplete(result) ? [{ title, result }] : [];
    });
    return (["calls", "lastMs"] as const).flatMap((figure) =>
      rivals
        .filter(({ result }) => (inv[figure] ?? Infinity) > closeToFirst * (result[figure] ?? Infinity))
        .map(({ title, result }) => raceLine({ workload, figure, title, inv, result })),
    );
  });
}

/** A peer that loses cells or repeats refused calls has not run the same race. */
function isComplete({ lost, wrong, stuck }: SheetResult): boolean {
  return lost + wrong + stuck === 0;
}

interface Race {
  readonly workload: Workload;
  readonly figure: "calls" | "lastMs";
  readonly title: string;
  readonly inv: SheetResult;
  readonly result: SheetResult;
}

function raceLine({ workload, figure, title, inv, result }: Race): string {
  const unit = figure === "calls" ? "calls" : "ms";
  const figures = `${String(inv[figure])} ${unit}, ${title} ${String(result[figure])} ${unit}`;
  return `${workload.id}: INV ${figures}. ${reasonFor(workload, figure)}`;
}

function reasonFor({ bursts }: Workload, figure: Race["figure"]): string {
  if (bursts === null) return "No reason is known; this is a fault to be mended.";
  return figure === "calls"
    ? "INV sends its first calls at once, before all cells are known; a window waits for more of them first."
    : "INV holds part-filled groups back while cells still arrive; the calls so saved spare the quota.";
}
