/**
 * An Excel for tests that keeps Office's discipline (see fake-office-object) and its limits: an error in
 * the middle stops the rest of a batch and leaves what ran before it, answers and requests over 5 MB are
 * refused as on the web, address lists over 8,190 characters are refused. Every round trip is counted.
 */
import type { Block } from "../../../src/workbook/cell-areas";
import type { OfficeGlobals } from "../../../src/workbook/office/session";
import { createFakeEdits, createFakeEvent, type FakeEdits, idOf } from "./fake-events";
import { fail, itemProperties, OfficeError, officeObject, push, type Queue } from "./fake-office-object";
import {
  type Cell,
  contents,
  enter,
  type FakeSheet,
  formulaBlocks,
  newSheet,
  parseBlock,
  usedBlock,
} from "./fake-sheet";

export interface FakeExcel extends OfficeGlobals, FakeEdits {
  readonly sheets: FakeSheet[];
  /** What each round trip did, in order. */
  readonly trips: string[][];
  /** Codes with which the next round trips fail before anything of them ran; null for one that passes. */
  readonly failures: (string | null)[];
  /** Options given to Excel.run. */
  readonly runOptions: unknown[];
  readonly saved: Map<string, unknown>;
  failsToSave: boolean;
  active: string;
  selection: { readonly sheet: string; readonly blocks: readonly Block[] } | null;
  /** Minor version of the ExcelApi set. */
  excelApi: number;
  sheet(name: string): FakeSheet;
  /** Tells the handlers of the selection event. */
  moveSelection(sheet: string, ...blocks: Block[]): void;
  /** Of the selection event. */
  handlers(): number;
}

interface Place {
  readonly sheet: FakeSheet;
  readonly blocks: readonly Block[];
}

const mostBytes = 5_000_000;
const corners = ["rowIndex", "columnIndex", "rowCount", "columnCount"];

export function createFakeExcel(...names: string[]): FakeExcel {
  const selected = createFakeEvent("onSelectionChanged");
  const edits = createFakeEdits();
  const fake: FakeExcel = {
    sheets: names.map(newSheet),
    trips: [],
    failures: [],
    runOptions: [],
    saved: new Map(),
    failsToSave: false,
    active: names[0] ?? "",
    selection: null,
    excelApi: 17,
    sheet: (name) => fake.sheets.find((sheet) => sheet.name === name) ?? fail("ItemNotFound"),
    moveSelection(sheet, ...blocks) {
      fake.selection = { sheet, blocks };
      selected.tell();
    },
    change: edits.change,
    tellOfSheet: edits.tellOfSheet,
    handlers: selected.handlers,
    excel: { run: run },
    office: {
      context: {
        document: { settings: createSettings() as unknown as Office.Settings },
        requirements: {
          isSetSupported: (_set: string, version?: string) => Number(version?.split(".")[1]) <= fake.excelApi,
        },
      },
    },
  };
  return fake;

  async function run(...parameters: unknown[]): Promise<unknown> {
    const batch = parameters.at(-1) as (context: unknown) => Promise<unknown>;
    fake.runOptions.push(parameters.length > 1 ? parameters[0] : null);
    const context = createContext();
    const result = await batch(context);
    await context.sync();
    return result;
  }

  function createContext() {
    const queue: Queue = { actions: [], arrivals: [], bytes: 0 };
    return {
      workbook: createWorkbook(queue),
      application: {
        suspendScreenUpdatingUntilNextSync: () => push(queue, "suspendScreenUpdating", () => undefined),
      },
      async sync() {
        const actions = queue.actions.splice(0);
        if (actions.length === 0) return;
        await Promise.resolve();
        fake.trips.push(actions.map(({ name }) => name));
        const failure = fake.failures.shift() ?? null;
        if (failure !== null) fail(failure);
        queue.bytes = 0;
        queue.arrivals.length = 0;
        for (const action of actions) action.run();
        if (queue.bytes > mostBytes) fail("ResponsePayloadSizeLimitExceeded");
        for (const arrive of queue.arrivals) arrive();
      },
    };
  }

  function createWorkbook(queue: Queue) {
    const selectedPlace = (): Place => {
      if (fake.selection === null) throw new OfficeError("InvalidSelection");
      return { sheet: fake.sheet(fake.selection.sheet), blocks: fake.selection.blocks };
    };
    return {
      worksheets: createWorksheets(queue),
      getSelectedRanges: () => createAreas(queue, selectedPlace),
      getSelectedRange: () =>
        createRange(queue, () => {
          const place = selectedPlace();
          return place.blocks.length === 1 ? place : fail("InvalidSelection");
        }),
      onSelectionChanged: selected.on(queue),
    };
  }

  function createWorksheets(queue: Queue) {
    const collection = officeObject(queue, "worksheets", {
      properties: ["items"],
      answer: (paths) => ({
        items: fake.sheets.map((sheet) => {
          const { name, visibility } = sheet;
          const worksheet = createWorksheet(queue, () => sheet);
          worksheet.arrive(itemProperties({ id: idOf(name), name, visibility }, paths));
          return worksheet;
        }),
      }),
    });
    return Object.assign(collection, edits.members(queue), {
      getItem: (name: string) => createWorksheet(queue, () => fake.sheet(name)),
      getItemOrNullObject: (name: string) =>
        createWorksheet(queue, () => fake.sheets.find((sheet) => sheet.name === name) ?? null),
      add(name: string) {
        push(queue, "worksheets.add", () => {
          const isTaken = fake.sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
          if (isTaken) fail("ItemAlreadyExists");
          fake.sheets.push(newSheet(name));
        });
        return createWorksheet(queue, () => fake.sheet(name));
      },
    });
  }

  function createWorksheet(queue: Queue, find: () => FakeSheet | null) {
    const sheet = (): FakeSheet => find() ?? fail("ItemNotFound");
    const object = officeObject(queue, "worksheet", {
      properties: ["id", "name", "visibility", "isNullObject"],
      answer: () => ({ isNullObject: find() === null, name: find()?.name, visibility: find()?.visibility }),
    });
    return Object.assign(object, {
      activate: () => push(queue, "activate", () => (fake.active = sheet().name)),
      freezePanes: {
        freezeRows: (rows: number) => push(queue, "freezeRows", () => (sheet().frozenRows = rows)),
      },
      getUsedRangeOrNullObject: () =>
        createRange(queue, () => {
          const block = usedBlock(sheet());
          return block === null ? null : { sheet: sheet(), blocks: [block] };
        }),
      getRangeByIndexes: (row: number, col: number, rows: number, cols: number) =>
        createRange(queue, () => ({ sheet: sheet(), blocks: [{ row, col, rows, cols }] })),
      getRanges: (address: string) =>
        createAreas(queue, () => {
          if (address.length > 8190) fail("InvalidArgument");
          return { sheet: sheet(), blocks: address.split(",").map(parseBlock), address };
        }),
    });
  }

  function createRange(queue: Queue, find: () => Place | null) {
    const place = (): { sheet: FakeSheet; block: Block } => {
      const { sheet, blocks } = find() ?? fail("ItemNotFound");
      return { sheet, block: blocks[0]! };
    };
    const formatted = (property: string) => (value: unknown) => {
      const { sheet, block } = place();
      if (sheet.isProtected) fail("AccessDenied");
      sheet.formats.push({ block, property, value });
    };
    const object = officeObject(queue, "range", {
      properties: ["isNullObject", "values", "text", ...corners],
      set: {
        formulas: (value) => {
          const { sheet, block } = place();
          if (sheet.isProtected) fail("AccessDenied");
          if (JSON.stringify(value).length > mostBytes) fail("RequestPayloadSizeLimitExceeded");
          for (const [r, line] of matrixFor(block, value).entries()) {
            for (const [c, cell] of line.entries()) enter(sheet, block.row + r, block.col + c, cell);
          }
        },
        numberFormat: (value) => formatted("numberFormat")(matrixFor(place().block, value)[0]?.[0]),
      },
      answer(paths) {
        if (find() === null) return { isNullObject: true };
        const { sheet, block } = place();
        const answer: Record<string, unknown> = { isNullObject: false, ...cornersOf(block) };
        for (const path of paths.filter((each) => !corners.includes(each))) {
          answer[path] = contents(sheet, block, path);
          queue.bytes += JSON.stringify(answer[path]).length;
        }
        return answer;
      },
    });
    const part = (name: string, set: Record<string, (value: unknown) => void>) =>
      officeObject(queue, name, { properties: [], set, answer: () => ({}) });
    return Object.assign(object, {
      format: Object.assign(
        part("format", { horizontalAlignment: formatted("align"), columnWidth: formatted("columnWidth") }),
        {
          font: part("font", { bold: formatted("bold"), color: formatted("color") }),
          fill: part("fill", { color: formatted("fill") }),
        },
      ),
      worksheet: worksheetOf(queue, () => place().sheet),
      getSpecialCellsOrNullObject: () =>
        createAreas(queue, () => {
          const { sheet } = place();
          if (sheet.isProtected) fail("AccessDenied");
          const blocks = formulaBlocks(sheet);
          return blocks.length === 0 ? null : { sheet, blocks };
        }),
      select: () =>
        push(queue, "select", () => {
          const { sheet, block } = place();
          fake.selection = { sheet: sheet.name, blocks: [block] };
        }),
    });
  }

  function createAreas(queue: Queue, find: () => (Place & { readonly address?: string }) | null) {
    const place = () => find() ?? fail("ItemNotFound");
    const mark = (what: "dirty" | "calculated") => () =>
      push(queue, what, () => {
        const { sheet, address } = place();
        if (sheet.isProtected) fail("AccessDenied");
        sheet[what].push(address ?? "");
      });
    const object = officeObject(queue, "areas", {
      properties: ["isNullObject", "areaCount"],
      answer: () => ({ isNullObject: find() === null, areaCount: find()?.blocks.length }),
    });
    return Object.assign(object, {
      areas: officeObject(queue, "areas.areas", {
        properties: ["items"],
        answer: (paths) => ({
          items: place().blocks.map((block) => {
            const range = createRange(queue, () => ({ sheet: place().sheet, blocks: [block] }));
            range.arrive(itemProperties(cornersOf(block), paths));
            return range;
          }),
        }),
      }),
      worksheet: worksheetOf(queue, () => place().sheet),
      setDirty: mark("dirty"),
      calculate: mark("calculated"),
    });
  }

  function createSettings() {
    const unsaved = new Map<string, unknown>();
    return {
      get: (key: string) => unsaved.get(key) ?? fake.saved.get(key) ?? null,
      set: (key: string, value: unknown) => void unsaved.set(key, value),
      saveAsync(callback: (result: { status: string }) => void) {
        if (!fake.failsToSave) for (const [key, value] of unsaved) fake.saved.set(key, value);
        setImmediate(() => callback({ status: fake.failsToSave ? "failed" : "succeeded" }));
      },
    };
  }
}

function worksheetOf(queue: Queue, sheet: () => FakeSheet) {
  return officeObject(queue, "worksheet", { properties: ["name"], answer: () => ({ name: sheet().name }) });
}

function cornersOf({ row, col, rows, cols }: Block): Record<string, number> {
  return { rowIndex: row, columnIndex: col, rowCount: rows, columnCount: cols };
}

/** Excel refuses a matrix of another shape than its range. */
function matrixFor(block: Block, value: unknown): Cell[][] {
  const matrix = value as Cell[][];
  const fits = matrix.length === block.rows && matrix.every((line) => line.length === block.cols);
  return fits ? matrix : fail("InvalidArgument");
}
