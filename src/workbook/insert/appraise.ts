/**
 * What a formula would show and cost in its cells, before it is written: its arguments are read once, from the
 * formula's own text; what is at hand is looked at again with every answer that comes.
 */
import { dateFromMs, msFromSerial } from "../../domain/dates";
import { serviceNowMs } from "../../domain/environment";
import { isInvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import type { Engine, Price, Work } from "../../engine/types";
import type { NamedCells } from "../named-cells";
import type { Area, Workbook } from "../port";
import { createWorkList } from "../work-list";
import { evaluateArguments } from "./evaluate";
import { inPlaces } from "./places";
import type { DescribedFunction } from "./functions-list";
import { type Question, questionOf, wholeOf } from "./question";

/** A row whose store or item INV refuses; counted as the sheet shows it. */
export interface RefusedRow {
  readonly row: number;
  readonly reason: string;
}

export interface Appraisal {
  /** Cells that ask for something. */
  readonly cells: number;
  readonly refused: readonly RefusedRow[];
  /** Of what is not at hand. */
  readonly price: Price;
  /** Of the first row; null while its value is not at hand. */
  readonly preview: Previewed | null;
  /** What asking for the first row's value costs; null where it is at hand. */
  readonly previewPrice: Price | null;
}

/** What a cell would show. */
export interface Previewed {
  /** The rows of the result, as texts; one cell for a single value. */
  readonly rows: readonly (readonly string[])[];
  /** Where the formula is refused as a whole. */
  readonly reason: string | null;
}

export interface Prepared {
  /** What the first row asks for, wide enough to serve other types of event too; null where it asks for nothing. */
  readonly question: Question | null;
  appraise(): Promise<Appraisal>;
}

/** Calculates a function of the catalogue without a call. Rejects with what its cell would show. */
export type PreviewFunction = (implementation: string, given: readonly unknown[]) => Promise<unknown[][]>;

export interface AppraiseOptions {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly preview: PreviewFunction;
}

export interface Filled {
  readonly described: DescribedFunction;
  /** Of the first row. */
  readonly formula: string;
  readonly area: Area;
  readonly names: NamedCells;
}

export async function prepare(
  { workbook, engine, clock, preview }: AppraiseOptions,
  { described, formula, area, names: named }: Filled,
): Promise<Prepared> {
  const nowMs = clock.now();
  const argumentsAt = await evaluateArguments(workbook, formula, { area, names: named, nowMs });
  const names = described.arguments.map(({ name }) => name);
  const questions: Question[] = [];
  const refused: RefusedRow[] = [];
  /** A refused store of a list is so beside each item: told once a row. */
  const told = new Set<string>();
  const refuse = (row: number, reason: string): void => {
    const key = `${row} ${reason}`;
    if (!told.has(key)) refused.push({ row, reason });
    told.add(key);
  };
  const serviceMs = serviceNowMs(engine.connection?.environment ?? null, nowMs);
  let first: Question | null | undefined;
  await inPlaces(clock, { argumentsAt, rows: area.rows }, (values, down) => {
    const given = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
    const question = questionOf(given, serviceMs);
    if (isInvError(question)) refuse(area.row + down + 1, question.message);
    else if (question !== null) questions.push(question);
    if (first === undefined) first = isInvError(question) ? null : question;
  });
  const ownValues = argumentsAt(0);
  const given = names.map((_, index) => ownValues[index] ?? null);
  const notAtHand = first ?? null;
  return {
    question: notAtHand && wholeOf(notAtHand),
    async appraise() {
      const isAtHand = notAtHand === null || engine.isFresh(notAtHand);
      return {
        cells: questions.length,
        refused,
        price: engine.price(workOf(questions.filter((question) => !engine.isFresh(question)))),
        preview: isAtHand ? await previewedOf(preview(described.implementation, given)) : null,
        previewPrice: isAtHand ? null : engine.price(workOf([wholeOf(notAtHand)])),
      };
    },
  };
}

function workOf(questions: readonly Question[]): Work {
  const list = createWorkList();
  questions.forEach(list.add);
  return list.work;
}

/** Reads what a function returns or rejects with, in the host's own shapes. Never rejects. */
export async function previewedOf(calculation: Promise<unknown[][]>): Promise<Previewed> {
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
  // The only data type that INV gives is a number with the format of a time.
  if (typeof serial === "number") return timeText(serial);
  const code: unknown = Reflect.get(value, "code");
  return typeof code === "string" ? code : "#VALUE!";
}

function timeText(serial: number): string {
  const ms = msFromSerial(serial);
  return `${dateFromMs(ms)} ${new Date(ms).toISOString().slice(11, 16)}`;
}
