/**
 * Follows marked cells until each has been calculated and has settled, and never waits for ever: the
 * host may drop a mark (a calculation broken off, a result it failed to deliver), and a formula may no
 * longer reach its INV call (`=IF(A2="","",INV.QTY(A2,B2))` in a blank row). When nothing has moved for
 * a while, what is left is marked once more; what is left after that is handed back as missed.
 * It counts by the steady clock: a refresh must not last longer because the system's was set back.
 * Owns no marking and no calls: it reads the register and the engine's progress.
 */
import { toInvError } from "../../domain/errors";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import type { Clock, TimerId } from "../../engine/clock";
import type { Engine, Progress } from "../../engine/types";
import { visitInTimeSlices } from "../in-time-slices";
import { asksNothing, hasChanged, type Mark, markOf, type Target, useOf } from "./targets";

/** Nothing moves and the engine is idle: the host has forgotten what is left. */
const idleQuietMs = 5_000;
/** The same when all that is left was never seen to call INV, and other cells were. */
const unseenQuietMs = 3_000;
/** Nothing moves though the engine is busy, paused calls counted from their end. */
const busyQuietMs = 120_000;
const lookEveryMs = 500;

export interface FollowOptions {
  readonly targets: readonly Target[];
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
  /** Marks cells dirty in the workbook; called for all at first, and for the forgotten ones once more. */
  mark(targets: readonly Target[]): Promise<void>;
  onSettled(settled: number): void;
}

export interface Following {
  /** Resolves with the cells that were missed; rejects when they could not be marked. */
  readonly missed: Promise<readonly Target[]>;
  /** Resolves when no marking is under way any more, however it ended. */
  readonly marked: Promise<void>;
  /** What is still owed, for a resume: never calculated since the mark, waiting, or settled without an answer. */
  owed(): readonly Target[];
  /** Ends at once: what has not settled counts as missed, and nothing is marked any more. */
  stop(): void;
}

/** Marks the cells and follows them. */
export function follow(options: FollowOptions): Following {
  const { targets, engine, cells, clock } = options;
  const before: readonly Mark[] = targets.map((target) => markOf(useOf(cells, target)));
  /** Seen waiting since the mark. */
  const called = new Uint8Array(targets.length);
  /** Which targets have not settled, by their place: an object for each of 200,000 would be most of the work. */
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
  let end: (outcome: { failed: unknown } | null) => void = () => undefined;

  const missed = new Promise<readonly Target[]>((resolve, reject) => {
    const unsubscribe = cells.subscribe(() => {
      if (clock.steadyNow() - lookedAtMs >= spacingMs()) look();
    });
    end = (outcome) => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      clock.clearTimeout(timer);
      if (outcome === null) resolve(pendingTargets());
      else reject(toInvError(outcome.failed));
    };
  });
  let marked = mark().catch((error: unknown) => end({ failed: error }));

  async function mark(): Promise<void> {
    isMarking = true;
    arm();
    await options.mark(pendingTargets());
    isMarking = false;
    // Stopped meanwhile: a look would begin all over.
    if (isOver) return;
    movedAtMs = clock.steadyNow();
    look();
  }

  function targetAt(index: number): Target {
    return targets[index] as Target;
  }

  function pendingTargets(): readonly Target[] {
    return pending.length === targets.length ? targets : pending.map(targetAt);
  }

  /** Large refreshes are looked through less often, so that following costs little beside them. */
  function spacingMs(): number {
    return Math.max(100, pending.length / 50);
  }

  /** The register's notices drive the looks; this is for the silence after them. */
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
      if (pending.length !== wasPending) options.onSettled(targets.length - pending.length);
      if (pending.length === 0 && !isMarking) {
        end(null);
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

  /** Takes out what has settled, in turns where there are many; tells how many are waiting. */
  function sift(end: (waiting: number) => void): void {
    let waiting = 0;
    const left: number[] = [];
    const visit = (index: number): void => {
      const use = useOf(cells, targetAt(index));
      if (use?.state === "waiting") {
        called[index] = 1;
        waiting += 1;
        left.push(index);
      } else if (use === undefined || !hasSettled(index, use)) left.push(index);
    };
    visitInTimeSlices(clock, pending, {
      visit,
      end() {
        pending = left;
        anyCalled ||= waiting > 0 || pending.length < targets.length;
        end(waiting);
      },
    });
  }

  function hasSettled(index: number, use: CellUse): boolean {
    return called[index] === 1 || isCalculatedSince(index, use) || (!isMarking && asksNothing(use));
  }

  function isCalculatedSince(index: number, use: CellUse): boolean {
    return hasChanged(before[index] ?? null, use);
  }

  /** Never seen to call INV, before or since. */
  function isUncalled(index: number): boolean {
    return before[index] === null && called[index] === 0;
  }

  function isOwed(target: Target, index: number): boolean {
    const use = useOf(cells, target);
    if (use === undefined || use.state === "waiting" || use.owedBecause !== null) return true;
    return !isCalculatedSince(index, use);
  }

  function isQuiet(progress: Progress): boolean {
    if (progress.busy) {
      // The engine says it in the system's time, for people.
      const pauseEndsAtMs = pauseEndMs(progress) - clock.now() + clock.steadyNow();
      return lookedAtMs - Math.max(movedAtMs, pauseEndsAtMs) >= busyQuietMs;
    }
    const longEnoughMs = anyCalled && pending.every(isUncalled) ? unseenQuietMs : idleQuietMs;
    return lookedAtMs - movedAtMs >= longEnoughMs;
  }

  function afterQuiet(): void {
    // The host has calculated others, so it has calculated these too: without reaching INV.
    if (anyCalled) pending = pending.filter((index) => !isUncalled(index));
    options.onSettled(targets.length - pending.length);
    if (pending.length === 0 || hadSecondChance) {
      end(null);
      return;
    }
    hadSecondChance = true;
    marked = mark().catch(() => end(null));
  }

  return {
    missed,
    get marked() {
      return marked;
    },
    owed: () => targets.filter(isOwed),
    stop: () => end(null),
  };
}

function movementOf({ busy, cells, calls }: Progress): string {
  return `${String(busy)} ${cells.done} ${cells.failed} ${calls.sent}`;
}

/** When the engine says that it goes on; in the past while it does not pause. */
function pauseEndMs({ quota }: Progress): number {
  return Math.max(quota.search.resumesAtMs ?? 0, quota.events.resumesAtMs ?? 0);
}
