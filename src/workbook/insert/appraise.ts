/**
 * Appraises a formula before it is written: what it would show and cost in its cells. Reads the formula's arguments once, and
 * recalculates the cost whenever an answer arrives.
 */
import { dateFromMs, msFromSerial } from "../../domain/dates";
import { InvError, isInvError } from "../../domain/errors";
import { isHistory, wholeQuery } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import type { Engine, Price, Work } from "../../engine/types";
import type { FunctionPreview } from "../function-preview";
import type { NamedCells } from "../named-cells";
import type { Area, Workbook } from "../port";
import { createWorkList } from "../work-list";
import { evaluateArguments } from "./evaluate";

/** A row whose store or item INV refuses, with its number on the sheet. */
interface RefusedRow {
  readonly row: number;
  readonly reason: string;
}

export interface Appraisal {
  readonly cells: number;
  readonly refused: readonly RefusedRow[];
  readonly price: Price;
  /** What the first row shows; null while its value isn't cached. */
  readonly preview: PreviewedResult | null;
  /** Price of the first row's value; null if it is cached. */
  readonly previewPrice: Price | null;
}

export interface PreviewedResult {
  readonly rows: readonly (readonly string[])[];
  /** Why the whole formula has no value; null if it has one. */
  readonly reason: string | null;
}

export interface Appraiser {
  /**
   * The query for the first row; null if there is nothing to request. For a history, it requests all event types, so that the
   * answer serves every type.
   */
  readonly query: Query | null;
  appraise(): Promise<Appraisal>;
}

export interface AppraiseOptions {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly functions: FunctionPreview;
}

/** The same limit as for a template's grid. */
const mostPlaces = 200_000;
/** Places read in each turn of the event loop: about ten milliseconds. */
const placesPerTurn = 10_000;

export async function createAppraiser(
  { workbook, engine, clock, functions }: AppraiseOptions,
  plan: {
    readonly functionId: string;
    readonly formula: string;
    readonly area: Area;
    readonly names: NamedCells;
  },
): Promise<Appraiser> {
  const { functionId, formula, area, names } = plan;
  const argumentsAt = await evaluateArguments(workbook, formula, { area, names, nowMs: clock.now() });
  const queries: Query[] = [];
  const refused = new Map<string, RefusedRow>();
  let first: Query | null = null;
  let visited = 0;
  for (let down = 0; down < area.rows; down += 1) {
    const { rows, cols, at } = functions.queries(functionId, argumentsAt(down));
    if (visited + rows * cols > mostPlaces) throw tooManyPlaces();
    for (let place = 0; place < rows * cols; place += 1) {
      const query = at(Math.floor(place / cols), place % cols);
      const row = area.row + down + 1;
      // A wrong store fails for every item of its row; one reason for each row is enough.
      if (isInvError(query)) refused.set(`${row} ${query.message}`, { row, reason: query.message });
      else if (query !== null) queries.push(query);
      if (visited === 0 && !isInvError(query)) first = query;
      visited += 1;
      if (visited % placesPerTurn === 0) await new Promise<void>((resolve) => clock.nextTurn(resolve));
    }
  }
  const firstQuery = first;
  return {
    query: firstQuery && broadened(firstQuery),
    async appraise() {
      const isCached = firstQuery === null || engine.isFresh(firstQuery);
      return {
        cells: queries.length,
        refused: [...refused.values()],
        price: engine.price(workOf(queries.filter((query) => !engine.isFresh(query)))),
        preview: isCached ? await resultOf(functions.show(functionId, argumentsAt(0))) : null,
        previewPrice: isCached ? null : engine.price(workOf([broadened(firstQuery)])),
      };
    },
  };
}

function broadened(query: Query): Query {
  return isHistory(query) ? wholeQuery(query) : query;
}

function workOf(queries: readonly Query[]): Work {
  const list = createWorkList();
  queries.forEach(list.add);
  return list.work;
}

function tooManyPlaces(): InvError {
  return new InvError(
    "bad-argument",
    `The lists make more than ${mostPlaces} cells. Use a shorter list, or several formulas.`,
  );
}

/** Returns the function's result or error as text, from the host's own types. Never rejects. */
export async function resultOf(calculation: Promise<unknown[][]>): Promise<PreviewedResult> {
  try {
    return { rows: (await calculation).map((row) => row.map(textOf)), reason: null };
  } catch (error) {
    const reason: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : "";
    return { rows: [[textOf(error)]], reason: typeof reason === "string" ? reason : "" };
  }
}

function textOf(value: unknown): string {
  if (typeof value === "boolean") return String(value).toUpperCase();
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return "";
  const serial: unknown = Reflect.get(value, "basicValue");
  // Besides cards, which previews don't show, INV returns only one data type: a number with the format of a time.
  if (typeof serial === "number") return timeText(serial);
  const code: unknown = Reflect.get(value, "code");
  return typeof code === "string" ? code : "#VALUE!";
}

function timeText(serial: number): string {
  const ms = msFromSerial(serial);
  return `${dateFromMs(ms)} ${new Date(ms).toISOString().slice(11, 16)}`;
}
