/**
 * The stage of the refresh tests: a workbook in memory, the real cell register and a scripted engine. The host calculates
 * marked cells some time later, as Excel does.
 */
import { InvError } from "../../../src/domain/errors";
import type { ItemQuery, ItemRecord } from "../../../src/domain/records";
import type { Returned } from "../../../src/cells/cell-record";
import { type CellRegister, createCellRegister } from "../../../src/cells/cell-register";
import {
  type Engine,
  isAnswered,
  type ItemAnswer,
  type Outcome,
  type Progress,
  type Work,
} from "../../../src/engine/types";
import { cellAddresses } from "../../../src/workbook/addresses";
import type { FunctionPreview } from "../../../src/domain/functions";
import type { CellRef } from "../../../src/workbook/port";
import { createRefresher } from "../../../src/workbook/refresh/refresh";
import { record } from "../../functions/fakes";
import { createUnanswered, type Unanswered } from "../../../src/engine/unanswered";
import { createMemoryWorkbook } from "../memory-workbook";
import { createVirtualClock } from "../../helpers/virtual-clock";

type Ending = "value" | "none" | "stale" | "failed" | "hangs";

export interface Stage {
  readonly clock: ReturnType<typeof createVirtualClock>;
  readonly workbook: ReturnType<typeof createMemoryWorkbook>;
  readonly cells: CellRegister;
  /** Why queries have no answer. */
  readonly unanswered: Unanswered;
  readonly engine: Engine & {
    fresh: Set<string>;
    busy: boolean;
    resumesAtMs: number | null;
    connection: Engine["connection"];
  };
  readonly refresher: ReturnType<typeof createRefresher>;
  readonly log: string[];
  readonly asked: Work[];
  /** Milliseconds from a mark to the function's call, and from a request to its answer. */
  callAfterMs: number;
  answerAfterMs: number;
  /** Returns how a cell's call ends; `uncalled` if the host never calls it. */
  endingOf: (ref: CellRef) => Ending | "uncalled";
  /** Returns what a cell's call returns; undefined if nobody compares that. */
  returnedOf: (ref: CellRef) => Returned | undefined;
  /** Starts a refresh of the workbook and lets this much time pass. */
  run(ms?: number): Promise<void>;
  /** Calculates cells as the host does when they are entered. */
  calculate(refs: readonly CellRef[]): Promise<void>;
  /** Writes `count` INV formulas below each other and calculates them. */
  fill(sheet: string, count: number): Promise<CellRef[]>;
}

export const outage = new InvError("service-down", "The service is not available. Try again later.");
const noData = new InvError("no-data", "No data found.");
const cancelled = new InvError("cancelled", "Cancelled by you.");

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
  const unanswered = createUnanswered(() => "demo");
  const cells = createCellRegister({ clock, reasons: unanswered.queries });
  const log: string[] = [];
  const asked: Work[] = [];
  /** Functions that settle open calls early, for a cancel. */
  const open = new Map<() => void, () => void>();
  const answers = new Map<string, { readonly answer: ItemAnswer; readonly round: number }>();
  /** The number of the latest refresh. */
  let round = 0;

  const engine = createScriptedEngine();
  const stage: Stage = {
    clock,
    workbook,
    cells,
    unanswered,
    engine,
    refresher: createRefresher({ workbook, engine, cells, clock, functions: { queries: tellQueries } }),
    log,
    asked,
    callAfterMs: 20,
    answerAfterMs: 200,
    endingOf: () => "value",
    returnedOf: () => undefined,
    async run(ms = 3_000) {
      void stage.refresher.start("workbook");
      await clock.advance(ms);
    },
    async calculate(refs) {
      callAll(refs);
      await clock.advance(stage.callAfterMs + stage.answerAfterMs + 1000);
    },
    async fill(sheet, count) {
      const refs = Array.from({ length: count }, (_, row) => ({ sheet, row, col: 2 }));
      for (const ref of refs) {
        workbook.put({ ...ref, col: 1 }, ref.row);
        workbook.put(ref, `=INV.QTY(A${ref.row + 1},B${ref.row + 1})`);
      }
      await stage.calculate(refs);
      return refs;
    },
  };
  workbook.onRecalculate = (refs) => {
    log.push(`mark ${refs.length}`);
    callAll(refs);
  };
  return stage;

  /** Cells whose query the refresh has answered settle at once, as from the cache. */
  function callAll(refs: readonly CellRef[]): void {
    clock.setTimeout(() => {
      const settlings = refs.flatMap((ref) => call(ref) ?? []);
      const isCached = round > 0 && refs.every((ref) => isNew(queryOf(ref)));
      clock.setTimeout(
        () => {
          for (const settle of settlings) settle();
        },
        isCached ? 0 : stage.answerAfterMs,
      );
    }, stage.callAfterMs);
  }

  /** Returns how the call ends when its answer comes. */
  function call(ref: CellRef): (() => void) | undefined {
    const ending = stage.endingOf(ref);
    if (ending === "uncalled") return;
    const cellReport = cells.begin(cellAddresses(ref)[0], "demo");
    cellReport.requests(queryOf(ref));
    if (ending === "hangs") return;
    const returned = stage.returnedOf(ref);
    const end = (report: () => void) => (): void => {
      if (!open.delete(settle)) return;
      report();
      cellReport.settled(returned);
    };
    const settle = end(() => {
      const query = queryOf(ref);
      if (!isNew(query) && ending !== "failed") note(query, outcomeOf(query));
      const fetchedAtMs = answers.get(query.value)?.answer.fetchedAtMs ?? clock.now();
      if (ending !== "failed") cellReport.answered(fetchedAtMs, ending === "stale");
      if (ending === "failed") cellReport.failed(outage);
      if (ending === "none") cellReport.failed(noData);
    });

    open.set(
      settle,
      end(() => cellReport.failed(cancelled)),
    );
    return settle;
  }

  function outcomeOf(query: ItemQuery): Outcome<ItemRecord> {
    const ending = stage.endingOf({ sheet: "", row: Number(query.value), col: 2 });
    const fetchedAtMs = clock.now();
    if (ending === "failed") return outage;
    if (ending === "none") return { found: false, error: noData, fetchedAtMs };
    if (ending !== "stale") return { found: true, value: record(), fetchedAtMs };
    return { found: true, value: record(), fetchedAtMs: fetchedAtMs - 60_000, staleBecause: outage };
  }

  function isNew({ value }: ItemQuery): boolean {
    return (answers.get(value)?.round ?? -1) >= round;
  }

  function note({ value }: ItemQuery, outcome: Outcome<ItemRecord>): void {
    if (isAnswered(outcome)) {
      answers.set(value, { answer: outcome, round: outcome.staleBecause === undefined ? round : -1 });
    }
  }

  /** Tells the query of formulas like `=INV.QTY(A1,B1)` by the row that their first argument names. */
  function tellQueries(_id: string, [, item]: readonly unknown[]): ReturnType<FunctionPreview["queries"]> {
    return {
      rows: 1,
      cols: 1,
      at: () => (item === null ? null : queryOf({ sheet: "", row: Number(item), col: 2 })),
    };
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
      requestItem: unused,
      cachedItem: ({ value }) => answers.get(value)?.answer,
      cachedHistory: unused,
      isComing: unused,
      connect: unused,
      connection: { environment: { id: "demo" } as never, credentials: null },
      configure: unused,
      settings: {
        freshnessMs: 15 * 60_000,
        refreshAgeMs: 60_000,
        whenUnanswered: "last-known",
        askAboveCalls: 0,
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
      async refresh(work, { settled, continues = false } = {}) {
        log.push(`ask ${work.items.length + work.histories.length}`);
        asked.push(work);
        if (!continues) round += 1;
        await Promise.all(
          work.items.map(
            (query) =>
              new Promise<void>((resolve) => {
                const end = (outcome: Outcome<ItemRecord>): void => {
                  if (!open.delete(answer)) return;
                  note(query, outcome);
                  const because = isAnswered(outcome) ? outcome.staleBecause : outcome;
                  if (because === undefined) unanswered.forget(query, "demo");
                  else unanswered.note(query, because, "demo");
                  settled?.(query, outcome);
                  resolve();
                };
                const answer = (): void => end(outcomeOf(query));
                open.set(answer, () => end(cancelled));
                clock.setTimeout(answer, stage.answerAfterMs);
              }),
          ),
        );
      },
      cancel() {
        log.push("cancel");
        for (const settleNow of [...open.values()]) settleNow();
        open.clear();
      },
      clear: unused,
      unanswered: unanswered.queries,
      sheetInView: "Plan",
      isNewEnough: () => false,
      hasNewAnswer: (query) => "value" in query && isNew(query),
      refreshOutcome: (query) =>
        "value" in query && isNew(query) ? "new" : unanswered.queries.because(query),
      get hasRefresh() {
        return round > 0;
      },
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
