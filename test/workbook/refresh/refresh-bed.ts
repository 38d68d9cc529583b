/**
 * A bed for refreshes with the real engine and the real functions: a workbook in memory, a host that calculates marked cells as
 * Excel does, and people who edit. The service can fail, and it counts.
 */
import { type CellRegister, createCellRegister } from "../../../src/cells/cell-register";
import { createEngine } from "../../../src/engine/engine";
import type { Engine, EngineSettings } from "../../../src/engine/types";
import { argumentTexts, callsIn, invFunctionNamed } from "../../../src/formula/calls";
import { sheetCols, sheetRows } from "../../../src/formula/columns";
import { referenceIn } from "../../../src/formula/references";
import { tokensOf } from "../../../src/formula/tokens";
import { functionPreview, functionsById } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { cellAddresses, cellKey } from "../../../src/workbook/addresses";
import { constantOf } from "../../../src/workbook/formula-queries";
import type { CellRef, CellValue } from "../../../src/workbook/port";
import { createRefresher, type Refresher } from "../../../src/workbook/refresh/refresh";
import { contextOn, shownBy } from "../../functions/fakes";
import {
  createScriptedService,
  type ScriptedService,
  type ServiceOptions,
} from "../../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";

export interface RefreshBed {
  readonly clock: VirtualClock;
  readonly service: ScriptedService;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly workbook: MemoryWorkbook;
  readonly refresher: Refresher;
  /** What each cell with a formula shows, by cell. */
  readonly shown: Map<string, unknown>;
  /** The most cells that showed #BUSY! at once. */
  mostBusy: number;
  /** Milliseconds from a mark to the functions' calls. */
  callAfterMs: number;
  /** Returns whether the host forgets this mark. */
  forgets(ref: CellRef): boolean;
  /** Returns what the host does with the result of a marked cell: shows it, keeps the old value, stays #BUSY!, or shows 0. */
  shows(ref: CellRef): "result" | "old" | "busy" | "zero";
  /** Cells that the host has calculated by itself, because of an edit. */
  readonly calculatedByHost: Set<string>;
  put(ref: CellRef, value: CellValue): void;
  /** Calculates formulas as the host does when they are entered. */
  calculate(refs: readonly CellRef[]): void;
  /** The cells with formulas, in order. */
  formulas(): readonly CellRef[];
  shownAt(ref: CellRef): unknown;
  /** Types a value and recalculates the formulas of its row. */
  type(ref: CellRef, value: CellValue): void;
  /** Inserts a row. Formulas below move, and the host calculates them again. */
  insertRow(sheet: string, at: number): void;
  /** Closes the pane and opens it again: nothing is known, and cells show what the file contains. */
  reload(now?: BedOptions): RefreshBed;
  /** Makes this session the one that the host calls, after another one over the same file. */
  comeToFront(): void;
  calls(): { search: number; events: number };
}

export interface BedOptions extends Partial<Omit<ServiceOptions, "clock">> {
  readonly settings?: Partial<EngineSettings>;
  /** Whether the environment is a real one, where a refresh takes values up to a minute old. */
  readonly isProduction?: boolean;
  /** Whether a team's server has colleagues' answers, and says how old they are. */
  readonly isPacedByServer?: boolean;
  /** The time of the file's values. */
  readonly fileTime?: () => number | "unknown";
}

export function createRefreshBed(options: BedOptions = {}, before?: RefreshBed): RefreshBed {
  const clock = before?.clock ?? createVirtualClock();
  const service = before?.service ?? createScriptedService({ quota: 1_000_000, ...options, clock });
  const engine = createEngine({
    clock,
    transport: service.transport,
    ...(options.settings && { settings: options.settings }),
  });
  const { environment, credentials } = service.connection;
  const kind = options.isProduction === true ? "production" : environment.kind;
  const pacedBy = options.isPacedByServer === true ? ({ pacedBy: "server" } as const) : {};
  engine.connect({ environment: { ...environment, kind, ...pacedBy }, credentials });
  const cells = createCellRegister({ clock, reasons: engine.unanswered });
  const workbook = before?.workbook ?? createMemoryWorkbook(["Plan", "Other"]);
  const shown = before?.shown ?? new Map<string, unknown>();
  const refs = new Map<string, CellRef>(before?.formulas().map((ref) => [cellKey(ref), ref]));
  /** The latest calculation of each cell; Excel ignores the results of earlier ones. */
  const latest = new Map<string, object>();
  const busy = new Set<string>();

  const bed: RefreshBed = {
    ...{ clock, service, engine, cells, workbook, shown },
    refresher: createRefresher({
      ...{ workbook, engine, cells, clock, functions: functionPreview },
      ...(options.fileTime && { fileTime: options.fileTime }),
    }),
    mostBusy: 0,
    callAfterMs: 20,
    forgets: () => false,
    shows: () => "result",
    calculatedByHost: new Set(),
    put(ref, value) {
      workbook.put(ref, value);
      shown.delete(cellKey(ref));
      if (typeof value === "string" && value.startsWith("=")) refs.set(cellKey(ref), ref);
      else refs.delete(cellKey(ref));
    },
    calculate(given) {
      for (const ref of given) {
        bed.calculatedByHost.add(cellKey(ref));
        void calculateOne(ref, () => "result");
      }
    },
    formulas: () => [...refs.values()],
    shownAt: (ref) => shown.get(cellKey(ref)),
    type(ref, value) {
      bed.put(ref, value);
      bed.calculate(bed.formulas().filter(({ sheet, row }) => sheet === ref.sheet && row === ref.row));
      workbook.tellEdit([{ ...ref, rows: 1, cols: 1 }]);
    },
    insertRow(sheet, at) {
      const moved = [...workbook.cells.keys()]
        .map(refOf)
        .filter((ref) => ref.sheet === sheet && ref.row >= at);
      const contents = moved.map(
        (ref) => [workbook.cells.get(cellKey(ref)) ?? null, bed.shownAt(ref)] as const,
      );
      for (const ref of moved) bed.put(ref, null);
      const formulas: CellRef[] = [];
      for (const [index, ref] of moved.entries()) {
        const [content = null, value] = contents[index] ?? [];
        const to = { ...ref, row: ref.row + 1 };
        bed.put(to, typeof content === "string" && content.startsWith("=") ? pushed(content, at) : content);
        if (value === undefined) continue;
        shown.set(cellKey(to), value);
        formulas.push(to);
      }
      bed.calculate(formulas);
      workbook.tellEdit([{ sheet, row: at, col: 0, rows: sheetRows - at, cols: sheetCols }]);
    },
    reload: (now = {}) => createRefreshBed({ ...options, ...now }, bed),
    comeToFront() {
      startFunctions({
        ...{ ...contextOn(clock), engine, cells },
        environmentId: () => engine.connection?.environment.id ?? null,
      });
      workbook.valueOf = (_formula, ref) => {
        if (busy.has(cellKey(ref))) return "#BUSY!";
        const content = shown.get(cellKey(ref)) ?? null;
        // The formula's own cell contains the first value of its result.
        const value = Array.isArray(content) ? ((content as unknown[][])[0]?.[0] ?? null) : content;
        return typeof value === "string" && value.startsWith("#")
          ? (value.split(" ")[0] ?? null)
          : (value as CellValue);
      };
      workbook.onRecalculate = (marked) => {
        const called = marked.filter((ref) => !bed.forgets(ref));
        for (const ref of called) busy.add(cellKey(ref));
        bed.mostBusy = Math.max(bed.mostBusy, busy.size);
        clock.setTimeout(() => {
          for (const ref of called) void calculateOne(ref, () => bed.shows(ref));
        }, bed.callAfterMs);
      };
    },
    calls: () => ({ search: service.of("search").length, events: service.of("events").length }),
  };
  bed.comeToFront();
  return bed;

  async function calculateOne(ref: CellRef, shows: () => ReturnType<RefreshBed["shows"]>): Promise<void> {
    const key = cellKey(ref);
    const formula = workbook.cells.get(key);
    busy.delete(key);
    if (typeof formula !== "string" || !formula.startsWith("=")) return;
    const run = {};
    latest.set(key, run);
    busy.add(key);
    bed.mostBusy = Math.max(bed.mostBusy, busy.size);
    const tokens = tokensOf(formula);

    const calls = callsIn(tokens).filter(({ name }) => invFunctionNamed(name) !== null);
    let result: unknown = null;
    if (skips(formula, ref)) result = "";
    else if (calls.length > 0) {
      // The host begins all calls of a formula in one turn.
      const results = await Promise.all(
        calls.map((call) => {
          const given = argumentTexts(tokens, call).map((text) => valueOf(text, ref));
          const id = invFunctionNamed(call.name) ?? "";
          const implementation = functionsById[id] as (...all: unknown[]) => Promise<unknown[][]>;
          const missing = new Array<null>(Math.max(0, implementation.length - 1 - given.length)).fill(null);
          const invocation = { functionName: id, address: cellAddresses(ref)[0] };
          return shownBy(implementation(...given, ...missing, invocation));
        }),
      );
      const others = results.filter((each) => typeof each !== "number");
      result =
        results.length === 1 || others.length > 0
          ? (others[0] ?? results[0])
          : results.reduce((sum: number, each) => sum + Number(each), 0);
    }
    if (latest.get(key) !== run) return;
    const how = shows();
    if (how === "busy") return;
    busy.delete(key);
    if (how !== "old") shown.set(key, how === "zero" ? 0 : result);
  }

  /** `=IF(E2>0,INV.QTY(A2,B2),"")` skips INV unless E2 contains a number above 0, `=IF(A2="","",…)` if A2 is blank. */
  function skips(formula: string, ref: CellRef): boolean {
    const [, cell, test] = /^=IF\((\w+)(>0|=""),/.exec(formula) ?? [];
    if (cell === undefined) return false;
    const value = oneOf(valueOf(cell, ref));
    return test === ">0" ? !(Number(value) > 0) : value === null || value === "";
  }

  function valueOf(text: string, { sheet: own }: CellRef): unknown {
    const constant = constantOf(text, clock.now());
    if (constant !== undefined) return constant;
    const reference = referenceIn(text);
    // An argument that INV can't read before: TEXT(B1,"0").
    if (reference === null) {
      return valueOf(/\w+\((\w+)/.exec(text)?.[1] ?? "", { sheet: own, row: 0, col: 0 });
    }
    const { row, col, rows, cols } = reference;
    const sheet = reference.sheet ?? own;
    return Array.from({ length: rows }, (_, r) =>
      Array.from(
        { length: cols },
        (_unused, c) => workbook.cells.get(cellKey({ sheet, row: row + r, col: col + c })) ?? null,
      ),
    );
  }
}

function oneOf(value: unknown): unknown {
  return Array.isArray(value) ? oneOf(value[0]) : value;
}

function refOf(key: string): CellRef {
  const [row, col, ...sheet] = key.split(",");
  return { sheet: sheet.join(","), row: Number(row), col: Number(col) };
}

/** References to rows from `at` on move down by one. */
function pushed(formula: string, at: number): string {
  return formula.replace(/([A-Z])(\d+)/g, (whole, col: string, row: string) =>
    Number(row) > at ? `${col}${Number(row) + 1}` : whole,
  );
}
