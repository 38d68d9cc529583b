/** Implements the direct queries to this Excel (see probes.ts). */
import type { ExcelProbes } from "./probes";
import type { CellRef } from "../../src/workbook/port";
import { officeCode } from "../../src/workbook/office/errors";
import { areaOf } from "../../src/workbook/office/area";

/** The parts of Office's globals that the checks use. */
export interface ProbedOffice {
  readonly excel: { readonly run: typeof Excel.run };
  readonly office: {
    readonly context: {
      readonly document: {
        readonly settings: Pick<Office.Settings, "get" | "set" | "remove" | "saveAsync">;
      };
      readonly requirements: { isSetSupported(set: string, version?: string): boolean };
    };
  };
}

export function createOfficeProbes({ excel, office }: ProbedOffice): ExcelProbes {
  const { settings } = office.context.document;

  async function onRange(cell: CellRef, act: (range: Excel.Range) => void): Promise<void> {
    await excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItem(cell.sheet);
      act(sheet.getRangeByIndexes(cell.row, cell.col, 1, 1));
      await context.sync();
    });
  }

  async function onSheet(name: string, act: (sheet: Excel.Worksheet) => void): Promise<void> {
    await excel.run(async (context) => {
      act(context.workbook.worksheets.getItem(name));
      await context.sync();
    });
  }

  function save(): Promise<string> {
    return new Promise((resolve) => settings.saveAsync(({ status }) => resolve(String(status))));
  }

  return {
    supports: (set, version) => office.context.requirements.isSetSupported(set, version),
    insertRow: (cell) => onRange(cell, (range) => void range.getEntireRow().insert("Down")),
    isSavedAsArray: (cell) =>
      excel.run(async (context) => {
        const sheet = context.workbook.worksheets.getItem(cell.sheet);
        const range = sheet.getRangeByIndexes(cell.row, cell.col, 1, 1).load("savedAsArray");
        await context.sync();
        return range.savedAsArray;
      }),
    async inManualMode(work) {
      const before = await changeMode("Manual");
      try {
        return await work();
      } finally {
        await changeMode(before);
      }
    },
    protect: (sheet) => onSheet(sheet, ({ protection }) => protection.protect()),
    unprotect: (sheet) => onSheet(sheet, ({ protection }) => protection.unprotect()),
    rename: (sheet, name) => onSheet(sheet, (renamed) => void (renamed.name = name)),
    addName: (name, formula) =>
      excel.run(async (context) => {
        context.workbook.names.add(name, formula);
        await context.sync();
      }),
    deleteName: (name) =>
      excel.run(async (context) => {
        context.workbook.names.getItemOrNullObject(name).delete();
        await context.sync();
      }),
    async saveSetting(key, value) {
      settings.set(key, value);
      const status = await save();
      const kept = settings.get(key) === value;
      settings.remove(key);
      await save();
      return kept ? status : `${status}, but not kept`;
    },
    namesOf: (sheet) =>
      excel.run(async (context) => {
        const { names, worksheets } = context.workbook;
        const collection = sheet === null ? names : worksheets.getItem(sheet).names;
        collection.load("items/name,items/formula");
        await context.sync();
        return collection.items.map(({ name, formula }) => ({ name, formula: String(formula) }));
      }),
    pageOfNames: (top, skip) =>
      excel.run(async (context) => {
        const { names } = context.workbook;
        names.load({ name: true, $top: top, $skip: skip });
        await context.sync();
        return names.items.length;
      }),
    groupRefusal: ({ sheet, row, col }) =>
      excel
        .run({ mergeUndoGroup: true }, async (context) => {
          const { worksheets } = context.workbook;
          worksheets.getItem(sheet).getRangeByIndexes(row, col, 1, 1).values = [["grouped"]];
          await context.sync();
        })
        .then(
          () => null,
          (error: unknown) => officeCode(error),
        ),
    selected: () =>
      excel.run(async (context) => {
        const range = context.workbook.getSelectedRange();
        range.load("rowIndex,columnIndex,rowCount,columnCount,worksheet/name");
        await context.sync();
        return areaOf(range.worksheet.name, range);
      }),
  };

  async function changeMode(mode: Mode): Promise<Mode> {
    return excel.run(async (context) => {
      const { application } = context.workbook;
      application.load("calculationMode");
      await context.sync();
      const { calculationMode } = application;
      application.set({ calculationMode: mode });
      await context.sync();
      return calculationMode;
    });
  }
}

type Mode = NonNullable<Excel.Interfaces.ApplicationUpdateData["calculationMode"]>;
