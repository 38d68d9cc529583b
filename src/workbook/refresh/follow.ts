/**
 * Follows marked cells until each has been calculated and has settled, but never forever. The host may lose a mark (an
 * interrupted calculation, an undelivered result), and a formula may no longer call INV (`=IF(A2="","",INV.QTY(A2,B2))` in a
 * blank row). If nothing changes for a while, the remaining cells are marked once more; cells that still remain are reported as
 * missed.
 * Uses the steady clock: a refresh must not last longer because somebody set the system's clock back.
 */
import { toInvError } from "../../domain/errors";
import type { InvCell } from "../../cells/cell-register";
import type { TimerId } from "../../engine/clock";
import type { Progress } from "../../engine/types";
import { visitInTimeSlices } from "../in-time-slices";
import {
  hasChanged,
  type Mark,
  markOf,
  type RefreshContext,
  requestsNothing,
  type Target,
  invCellOf,
} from "./targets";

/** If nothing changes for this long while the engine is idle, the host has lost the remaining cells. */
const idleQuietMs = 5_000;
/** The same time if none of the remaining cells has ever called INV, but other cells have, or if some couldn't be marked. */
const unseenQuietMs = 3_000;
/** The same time while the engine is busy; the engine's pauses don't count. */
const busyQuietMs = 120_000;
const lookEveryMs = 500;

export interface FollowedRefresh {
  /** Resolves with the missed cells. Rejects if cells couldn't be marked, when the others have settled. */
  readonly missed: Promise<readonly Target[]>;
  /** Resolves when the marking under way has ended, even if it failed. */
  readonly marked: Promise<void>;
  /** Returns the cells to resume: waiting, without an answer, or not calculated since they were marked. */
  unanswered(): readonly Target[];
  /** Ends at once: the remaining cells count as missed, and nothing more is marked. */
  stop(): void;
}

export function follow(
  options: Pick<RefreshContext, "engine" | "cells" | "clock"> & {
    readonly targets: readonly Target[];
    /**
     * Marks cells dirty in the workbook. Called for all cells, and once more for lost ones. Returns those that the host refuses.
     */
    mark(targets: readonly Target[]): Promise<ReadonlySet<Target>>;
    onSettled(settled: number): void;
  },
): FollowedRefresh {
  const { targets, engine, cells, clock } = options;
  const before: readonly Mark[] = targets.map((target) => markOf(invCellOf(cells, target)));
  /** 1 for each target that has waited since it was marked. */
  const called = new Uint8Array(targets.length);
  /** Indexes of targets that haven't settled. Indexes, because handling 200,000 objects would be most of the work. */
  let pending: readonly number[] = targets.map((_, index) => index);
  let isMarking = false;
  let isLooking = false;
  let anyCalled = false;
  let hadSecondChance = false;
  let movement = "";
  let movedAtMs = clock.steadyNow();
  let lookedAtMs = clock.steadyNow();
  let timer: TimerId = null;
  let isOver = false;
  const refused: Target[] = [];
  /** Why the host refused to mark cells. It may have marked those of other sheets. */
  let refusal: { readonly error: unknown } | null = null;
  let end: () => void = () => undefined;

  const missed = new Promise<readonly Target[]>((resolve, reject) => {
    const unsubscribe = cells.subscribe(() => {
      if (clock.steadyNow() - lookedAtMs >= spacingMs()) look();
    });
    end = () => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      clock.clearTimeout(timer);
      if (refusal === null) resolve([...pendingTargets(), ...refused]);
      else reject(toInvError(refusal.error));
    };
  });
  let marked = mark().catch((error: unknown) => {
    refusal = { error };
    followMarked();
  });

  async function mark(): Promise<void> {
    isMarking = true;
    arm();
    const refusedNow = await options.mark(pendingTargets());
    refused.push(...refusedNow);
    pending = pending.filter((index) => !refusedNow.has(targetAt(index)));
    followMarked();
  }

  function followMarked(): void {
    isMarking = false;
    // The following was stopped in the meantime.
    if (isOver) return;
    movedAtMs = clock.steadyNow();
    look();
  }

  function settledCount(): number {
    return targets.length - pending.length - refused.length;
  }

  function targetAt(index: number): Target {
    return targets[index] as Target;
  }

  function pendingTargets(): readonly Target[] {
    return pending.length === targets.length ? targets : pending.map(targetAt);
  }

  /** Returns the pause between looks; it is longer for large refreshes, so that following them costs little. */
  function spacingMs(): number {
    return Math.max(100, pending.length / 50);
  }

  /**
   * Starts the timer for the next look. Notifications of the register start looks too; the timer covers the time without any.
   */
  function arm(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(look, Math.max(lookEveryMs, spacingMs()));
  }

  function look(): void {
    lookedAtMs = clock.steadyNow();
    if (isLooking) return;
    isLooking = true;
    const wasPending = pending.length;
    sift((waiting) => {
      isLooking = false;
      if (isOver) return;
      if (pending.length !== wasPending) options.onSettled(settledCount());
      if (pending.length === 0 && !isMarking) {
        end();
        return;
      }
      const progress = engine.progress();
      const seen = `${pending.length} ${waiting} ${movementOf(progress)}`;
      if (seen !== movement) movedAtMs = lookedAtMs;
      movement = seen;
      if (!isMarking && isQuiet(progress)) afterQuiet();
      else arm();
    });
  }

  /** Removes settled targets, in several turns if there are many. Passes the number of waiting cells to `end`. */
  function sift(end: (waiting: number) => void): void {
    let waiting = 0;
    const remaining: number[] = [];
    const visit = (index: number): void => {
      const invCell = invCellOf(cells, targetAt(index));
      if (invCell?.state === "waiting") {
        called[index] = 1;
        waiting += 1;
        remaining.push(index);
      } else if (!hasSettled(index, invCell)) remaining.push(index);
    };
    visitInTimeSlices(clock, pending, {
      visit,
      end() {
        pending = remaining;
        anyCalled ||= waiting > 0 || pending.length < targets.length;
        end(waiting);
      },
    });
  }

  function hasSettled(index: number, invCell: InvCell | undefined): boolean {
    // Somebody has deleted the formula or typed over it since.
    if (invCell === undefined) return before[index] !== null;
    return (
      called[index] === 1 || isCalculatedSince(index, invCell) || (!isMarking && requestsNothing(invCell))
    );
  }

  function isCalculatedSince(index: number, invCell: InvCell): boolean {
    return hasChanged(before[index] ?? null, invCell);
  }

  function isUncalled(index: number): boolean {
    return before[index] === null && called[index] === 0;
  }

  function isUnanswered(target: Target, index: number): boolean {
    const invCell = invCellOf(cells, target);
    if (invCell === undefined || invCell.state === "waiting" || invCell.unansweredBecause !== null) {
      return true;
    }
    return !isCalculatedSince(index, invCell);
  }

  function isQuiet(progress: Progress): boolean {
    if (progress.busy) {
      // The engine reports the end of its pause in system time, for people; convert it to the steady clock.
      const pauseEndsAtMs = pauseEndMs(progress) - clock.now() + clock.steadyNow();
      return lookedAtMs - Math.max(movedAtMs, pauseEndsAtMs) >= busyQuietMs;
    }
    const isShort = refusal !== null || (anyCalled && pending.every(isUncalled));
    return lookedAtMs - movedAtMs >= (isShort ? unseenQuietMs : idleQuietMs);
  }

  function afterQuiet(): void {
    // The host has calculated other cells, so it has calculated these too, and they don't call INV.
    if (anyCalled) pending = pending.filter((index) => !isUncalled(index));
    options.onSettled(settledCount());
    if (pending.length === 0 || hadSecondChance || refusal !== null) {
      end();
      return;
    }
    hadSecondChance = true;
    marked = mark().catch(() => end());
  }

  return {
    missed,
    get marked() {
      return marked;
    },
    unanswered: () => targets.filter(isUnanswered),
    stop: () => end(),
  };
}

function movementOf({ busy, cells, calls }: Progress): string {
  return `${String(busy)} ${cells.done} ${cells.failed} ${calls.sent}`;
}

/** Returns the end of the engine's pause, in system time; a past time if it doesn't pause. */
function pauseEndMs({ quota }: Progress): number {
  return Math.max(quota.search.resumesAtMs ?? 0, quota.events.resumesAtMs ?? 0);
}
