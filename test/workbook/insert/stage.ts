/** The common parts of Insert's tests: an engine over the scripted service, a sheet in memory, the catalogue's functions. */
import { readFileSync } from "node:fs";
import { catalogueFiles, namespace } from "../../../src/build/functions-metadata.cjs";
import { readCatalogue } from "../../../src/build/help/read-catalogue.cjs";
import { createCellRegister } from "../../../src/cells/cell-register";
import { functionPreview } from "../../../src/functions/preview";
import { startFunctions } from "../../../src/functions/context";
import { type DescribedFunction, readFunctionsList } from "../../../src/workbook/insert/functions-list";
import { createInsert, type Insert, type Plan } from "../../../src/workbook/insert/insert";
import type { Picks } from "../../../src/workbook/insert/picks";
import type { NamedCells } from "../../../src/workbook/lists/lists";
import type { CellValue } from "../../../src/workbook/port";
import { createBed, noQuota } from "../../engine/bed";
import { contextOn } from "../../functions/fakes";
import { createMemoryWorkbook } from "../memory-workbook";

export const functions = readFunctionsList({
  functions: readCatalogue(
    catalogueFiles.map((file) => readFileSync(file, "utf8")),
    namespace,
  ),
});

export function named(id: string): DescribedFunction {
  return functions.find((each) => each.id === id)!;
}

export const noNames: NamedCells = {
  lists: [],
  isSingle: () => false,
  areaOf: () => null,
};

export const gtin = (number: number) => String(number).padStart(14, "0");

export const heading = ["Store", "GTIN", "Name"];

export const list = (rows: number): CellValue[][] => [
  heading,
  ...Array.from({ length: rows }, (_, at) => [1000 + (at % 3), gtin(17 + at), `Item ${at}`]),
];

/** Sales of three days, for items with an odd number. */
function history(url: URL): unknown {
  const number = Number(url.searchParams.get("gtin"));
  const type = url.searchParams.get("event_type");
  if (type !== null && type !== "SALES") return { event_history_item_details: [], next_page_token: null };
  const sold = { event_type: "SALES", event_qty: String(number % 7), aggregated_qty: "5" };
  const events = number % 2 === 0 ? [] : [{ ...sold, event_creation_time: "2026-11-19T10:00:00" }];
  return { event_history_item_details: events, next_page_token: null };
}

export function createStage(rows: readonly (readonly CellValue[])[]) {
  const bed = createBed({ ...noQuota, history: ({ url }) => history(url) });
  const { engine, clock, service } = bed;
  const workbook = createMemoryWorkbook(["Plan", "Other"]);
  const cells = createCellRegister({ clock });
  startFunctions({ ...contextOn(clock), engine, cells });
  rows.forEach((line, row) => line.forEach((value, col) => workbook.put({ sheet: "Plan", row, col }, value)));
  const insert = createInsert({ workbook, engine, clock, functions: functionPreview });
  const select = (row: number, col: number, more: object = {}) =>
    workbook.select({ sheet: "Plan", row, col, rows: 1, cols: 1, ...more });
  const choose = (id: string, picks: Picks = {}, fillDown = true) =>
    insert.choose({ described: named(id), picks, fillDown });
  /** Chooses a function for a cell and waits until everything is read. */
  async function begin(row: number, col: number, id: string, picks: Picks = {}, more: object = {}) {
    await select(row, col, more);
    insert.follow(() => undefined);
    choose(id, picks);
    await clock.turns();
  }
  /** Number of requests without those for tokens. */
  const calls = () => service.of("search").length + service.of("events").length;
  return { ...bed, workbook, cells, insert, select, choose, begin, calls };
}

export function planIn(insert: Insert): Plan {
  const { plan, lacks, failed } = insert.state();
  if (plan === null) throw new Error(`Expected a plan: ${lacks ?? String(failed)}`);
  return plan;
}
