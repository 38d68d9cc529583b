/**
 * The stage of the refresh tests: a workbook in memory, the real cell register and a scripted engine. The host calculates
 * marked cells some time later, as Excel does.
 */
import { InvError } from "../../../src/domain/errors";
import type { ItemQuery } from "../../../src/domain/records";
import { type CellRegister, createCellRegister } from "../../../src/cells/cell-register";
import type { Engine, Progress, Work } from "../../../src/engine/types";
import { cellAddresses } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { createRefresher } from "../../../src/workbook/refresh/refresh";
import { createMemoryWorkbook } from "../memory-workbook";
import { createVirtualClock } from "../../helpers/virtual-clock";

type Ending = "value" | "none" | "stale" | "failed" | "hangs";

export interface Stage {
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly workbook: ReturnType<typeof createMemoryWorkbook>;
  readonly cells: CellRegister;
  readonly engine: Engine & {
    fresh: Set<string>;
    busy: boolean;
    resumesAtMs: number | null;
    connection: Engine["connection"];
  };
  readonly refresher: ReturnType<typeof createRefresher>;
  readonly log: string[];
  readonly asked: Work[];
  /** Milliseconds from a mark to the function's call, and from there to its answer. */
  callAfterMs: number;
  answerAfterMs: number;
  /** Returns how a cell's call ends; `uncalled` if the host never calls it. */
  endingOf: (ref: CellRef) => Ending | "uncalled";
  /** The reason why the engine refuses a refresh. */
  refusal: InvError | null;
  /** Starts a refresh of the workbook and lets this much time pass. */
  run(ms?: number): Promise<void>;
  resume(ms: number): Promise<void>;
  /** Calculates cells as the host does when they are entered. */
  calculate(refs: readonly CellRef[]): Promise<void>;
  /** Writes `count` INV formulas below each other and calculates them. */
  fill(sheet: string, count: number): Promise<CellRef[]>;
}

export const outage = new InvError("service-down", "The service is not available. Try again later.");
export const cancelled = new InvError("cancelled", "Cancelled by you.");

export const queryOf = ({ row }: CellRef): ItemQuery => ({
  storeNumber: 1234,
  itemType: "gtin",
  value: String(row).padStart(14, "0"),
});

export async function stageWith(formulas: number): Promise<Stage> {
  const stage = createStage();
  await stage.fill("Plan", formulas);
  return stage;
}

export function createStage(): Stage {
  const clock = createVirtualClock();
  const workbook = createMemoryWorkbook(["Plan", "Other"]);
  const cells = createCellRegister({ clock });
  const log: string[] = [];
  const asked: Work[] = [];
  /** Functions that settle open calls early, for a cancel. */
  const open = new Map<() => void, () => void>();

  const engine = createScriptedEngine();
  const stage: Stage = {
    clock,
    workbook,
    cells,
    engine,
    refresher: createRefresher({ workbook, engine, cells, clock }),
    log,
    asked,
    callAfterMs: 20,
    answerAfterMs: 200,
    endingOf: () => "value",
    refusal: null,
    async run(ms = 3_000) {
      void stage.refresher.start("workbook");
      await clock.advance(ms);
    },
    async resume(ms) {
      void stage.refresher.resume();
      await clock.advance(ms);
    },
    async calculate(refs) {
      callAll(refs);
      await clock.advance(stage.callAfterMs + stage.answerAfterMs + 1000);
    },
    async fill(sheet, count) {
      const refs = Array.from({ length: count }, (_, row) => ({ sheet, row, col: 2 }));
      for (const ref of refs) workbook.put(ref, `=INV.QTY(A${ref.row + 1},B${ref.row + 1})`);
      await stage.calculate(refs);
      return refs;
    },
  };
  workbook.onRecalculate = (refs) => {
    log.push(`mark ${refs.length}`);
    callAll(refs);
  };
  return stage;

  function callAll(refs: readonly CellRef[]): void {
    clock.setTimeout(() => {
      const settlings = refs.flatMap((ref) => call(ref) ?? []);
      clock.setTimeout(() => {
        for (const settle of settlings) settle();
      }, stage.answerAfterMs);
    }, stage.callAfterMs);
  }

  /** Returns how the call ends when its answer comes. */
  function call(ref: CellRef): (() => void) | undefined {
    const ending = stage.endingOf(ref);
    if (ending === "uncalled") return;
    const cellReport = cells.begin(cellAddresses(ref)[0], "demo");
    cellReport.requests(queryOf(ref));
    if (ending === "hangs") return;
    const end = (report: () => void) => (): void => {
      if (!open.delete(settle)) return;
      report();
      cellReport.settled();
    };
    const settle = end(() => {
      if (ending === "value") cellReport.answered(clock.now());
      else if (ending === "stale") cellReport.answered(clock.now() - 60_000, outage);
      else cellReport.failed(ending === "failed" ? outage : new InvError("no-data", "No data found."));
    });
    open.set(
      settle,
      end(() => cellReport.failed(cancelled)),
    );
    return settle;
  }

  function createScriptedEngine(): Stage["engine"] {
    const fresh = new Set<string>();
    const unused = (): never => {
      throw new Error("A refresh must not use this.");
    };
    const scripted: Stage["engine"] = {
      fresh,
      busy: false,
      resumesAtMs: null,
      item: unused,
      history: unused,
      request: unused,
      cachedItem: unused,
      cachedHistory: unused,
      isComing: unused,
      expectMore: unused,
      connect: unused,
      connection: { environment: { id: "demo" } as never, credentials: null },
      configure: unused,
      settings: {
        freshnessMs: 15 * 60_000,
        refreshAgeMs: 60_000,
        whenUnanswered: "last-known",
        askAboveCalls: 0,
        offline: false,
      },
      preferSheet: unused,
      tryAgain: unused,
      cancelSignal: new AbortController().signal,
      spendingQuestion: unused,
      approveSpending: unused,
      price: ({ items, histories }) => ({
        searchCalls: Math.ceil(items.length / 100),
        eventCallsAtLeast: histories.length,
        durationMs: 0,
      }),
      async refresh(work) {
        log.push(`ask ${work.items.length + work.histories.length}`);
        asked.push(work);
        await new Promise<void>((resolve) => clock.setTimeout(resolve, 80));
        if (stage.refusal !== null) throw stage.refusal;
      },
      cancel() {
        log.push("cancel");
        for (const settleNow of [...open.values()]) settleNow();
        open.clear();
      },
      clear: unused,
      isFresh: (query) => "value" in query && fresh.has(query.value),
      progress: (): Progress => ({
        busy: scripted.busy,
        cells: { requested: 0, waiting: 0, inFlight: 0, done: 0, failed: 0 },
        calls: { sent: 0, savedRequests: 0 },
        quota: {
          search: { used: 0, limit: 600, resumesAtMs: scripted.resumesAtMs },
          events: { used: 0, limit: 600, resumesAtMs: null },
        },
        remainingMs: null,
        faults: [],
      }),
      subscribe: () => () => undefined,
    };
    return scripted;
  }
}
