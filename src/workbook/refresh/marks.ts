/**
 * Marks cells dirty, so that Excel calculates them again, and follows them until the wave is over. Nobody can tell Excel which request
 * belongs to a mark. So a mark counts for the first calculation of its address after it, and for no later one: a cell that somebody
 * types again asks as any other cell.
 * Invariant: a mark counts until 30 s after the end of its refresh, by both clocks. No timer ends it: hidden panes delay timers, and the
 * steady clock stands still while the computer sleeps.
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { InvError, messageOf } from "../../domain/errors";
import { type Clock, pause } from "../../engine/clock";
import { cellAddresses, contains } from "../addresses";
import type { CellContent, Workbook } from "../port";
import { invCellOf, placeOf, type RefreshCell } from "./scopes";

/** What a refresh knows of a cell that it has found and that isn't refreshed. A search for the cells drops it. */
export interface OpenCell {
  readonly cell: RefreshCell;
  /** How often it was marked. */
  marks: number;
  /** The number of the last recalculation before its mark, or before the refresh. */
  calculatedBefore: number;
  /** What it showed when it was read after its last calculation. */
  shown: CellContent | undefined;
  /** Why it can't or mustn't be marked. */
  refusal: InvError | null;
  /** Whether all its outcomes are there, and whether it is refreshed. Once true, nobody looks again before the end. */
  isReady: boolean;
  isRefreshed: boolean;
}

/** Guesses about Excel: a wave is over this long after its last call, or if nothing was called within this time. */
const afterLastCallMs = 2_000;
const firstCallWithinMs = 5_000;
/** Excel shows what INV returned within this time. */
export const showsWithinMs = 10_000;
/** Excel calls functions of marked cells this long after the refresh has ended. */
const countsAfterEndMs = 30_000;
const lookEveryMs = 500;

interface Mark {
  /** The number of the first recalculation since the mark; null until its first request. */
  recalculation: number | null;
  readonly asksAnyway: boolean;
}

export type Marks = ReturnType<typeof createMarks>;

export function createMarks(options: {
  readonly workbook: Pick<Workbook, "recalculate">;
  readonly cells: CellRegister;
  readonly clock: Clock;
  /** Resolves when nothing more is to be followed. */
  readonly stopped: Promise<void>;
  isStopped(): boolean;
}) {
  const { workbook, cells, clock, stopped } = options;
  /** By each of the two addresses that Excel may use. */
  const marks = new Map<string, Mark>();
  let waves = 0;
  let endedAt: { readonly steadyMs: number; readonly systemMs: number } | null = null;

  function counts(): boolean {
    if (endedAt === null) return true;
    const passedMs = [clock.steadyNow() - endedAt.steadyMs, clock.now() - endedAt.systemMs];
    return passedMs.every((ms) => Math.abs(ms) <= countsAfterEndMs);
  }

  function markOf(address: string): Mark | null {
    const mark = marks.get(address);
    if (mark === undefined || !counts()) return null;
    mark.recalculation ??= cells.get(address)?.recalculation ?? null;
    return mark.recalculation === cells.get(address)?.recalculation ? mark : null;
  }

  const entryOf = (open: OpenCell): InvCell | undefined => invCellOf(cells, open.cell);
  const isCalled = (open: OpenCell): boolean => (entryOf(open)?.recalculation ?? 0) > open.calculatedBefore;
  const isWaiting = (open: OpenCell): boolean => entryOf(open)?.state === "waiting";

  async function untilOver(wave: readonly OpenCell[]): Promise<void> {
    let wake: () => void = () => undefined;
    const unsubscribe = cells.subscribe(() => wake());
    let uncalled = wave;
    let lastCallMs = clock.steadyNow();
    while (!options.isStopped()) {
      const stillUncalled = uncalled.filter((open) => !isCalled(open));
      if (stillUncalled.length < uncalled.length) lastCallMs = clock.steadyNow();
      uncalled = stillUncalled;
      const leastMs = uncalled.length === wave.length ? firstCallWithinMs : afterLastCallMs;
      const isQuiet = uncalled.length === 0 || clock.steadyNow() - lastCallMs >= leastMs;
      // INV settles a waiting cell itself, however long that takes.
      if (isQuiet && !wave.some(isWaiting)) break;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([stopped, woken, pause(clock, lookEveryMs)]);
    }
    unsubscribe();
  }

  return {
    /** Returns how many waves were marked. */
    waves: () => waves,
    isMarked: (address: string): boolean => markOf(address) !== null,
    asksAnyway: (address: string): boolean => markOf(address)?.asksAnyway === true,
    /** Whether Excel has called the cell since its last mark, or since the refresh began. */
    isCalled,
    /**
     * Marks these cells, and resolves when the wave is over.
     * @param asksAnyway whether their requests are sent even after a cancel
     */
    async mark(wave: readonly OpenCell[], { asksAnyway = false } = {}): Promise<void> {
      if (wave.length === 0) return;
      waves += 1;
      for (const open of wave) {
        open.marks += 1;
        open.calculatedBefore = entryOf(open)?.recalculation ?? 0;
        open.shown = undefined;
        const mark = { recalculation: null, asksAnyway };
        for (const address of cellAddresses(placeOf(open.cell))) marks.set(address, mark);
      }
      // If the host refuses all of them, it rejects.
      const refusals = await workbook
        .recalculate(wave.map(({ cell }) => placeOf(cell)))
        .catch((error: unknown) => [{ areas: null, reason: messageOf(error) }]);
      for (const { areas, reason } of refusals) {
        for (const open of wave) {
          const place = placeOf(open.cell);
          if (areas !== null && !areas.some((area) => contains(area, place))) continue;
          open.refusal = new InvError("not-possible", reason);
          for (const address of cellAddresses(place)) marks.delete(address);
        }
      }
      await untilOver(wave.filter(({ refusal }) => refusal === null));
    },
    end(): void {
      endedAt = { steadyMs: clock.steadyNow(), systemMs: clock.now() };
    },
  };
}
