/**
 * A workbook whose cells the grid's real engine calculates, with the browser workbook's parts around it, in a process
 * without a page (`grid-modules`). The test sets the answers of INV.QTY.
 */
import {
  type ICellData,
  ICommandService,
  IUniverInstanceService,
  LocaleType,
  LogLevel,
  Univer,
  UniverInstanceType,
  type Workbook,
} from "@univerjs/core";
import { FUniver } from "@univerjs/core/facade";
import {
  CalculationMode,
  SetFormulaCalculationStartMutation,
  SetRangeValuesCommand,
  UniverFormulaEnginePlugin,
  UniverSheetsFormulaPlugin,
  UniverSheetsPlugin,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../../../../src/browser-workbook/univer/grid";
import { createEngineCalculation } from "../../../../src/browser-workbook/univer/calculation/engine-calculation";
import {
  addInFunctions,
  boundedFunctions,
  pendingAwareFunctions,
} from "../../../../src/browser-workbook/univer/calculation/engine-functions";
import { addPendingErrorType } from "../../../../src/browser-workbook/univer/calculation/engine-values";

import { inOnePiece } from "../../../../src/browser-workbook/univer/calculation/engine-runs";
import { createCellCalls } from "../../../../src/browser-workbook/functions/cell-calls";
import type { CallResult, Scalar } from "../../../../src/browser-workbook/functions/cell-values";
import { createSettledCalls } from "../../../../src/browser-workbook/functions/settled-calls";

/** Errors that a page would report. */
export const complaints: unknown[] = [];
Object.assign(globalThis, { window: globalThis, reportError: (error: unknown) => complaints.push(error) });
process.on("unhandledRejection", (error) => complaints.push(error));
addPendingErrorType();

export type Bed = ReturnType<typeof createBed>;
/** Values by place, such as `Mine!B2`. */
export type Values = Readonly<Record<string, unknown>>;
type Answer = (parameters: readonly unknown[]) => Promise<CallResult>;

const unitId = "book";
const parameters = ["store", "item"].map((name) => ({
  name,
  description: "",
  optional: false,
  isMatrix: true,
}));
const descriptions = [{ id: "QTY", name: "QTY", description: "", parameters }];

/** @param sheets their names, which are their ids too */
export function createBed(sheets: readonly string[], answer: Answer) {
  const table = createSettledCalls();
  const { evaluate } = createCellCalls({
    functions: { call: (call) => answer(call.parameters) },
    table,
    addressOf: () => "",
  });
  const univer = new Univer({
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: {} },
    logLevel: LogLevel.SILENT,
  });
  const functions = [
    ...pendingAwareFunctions(),
    ...boundedFunctions(),
    ...addInFunctions(descriptions, evaluate),
  ];
  univer.registerPlugin(UniverFormulaEnginePlugin, { ...inOnePiece, function: functions });
  univer.registerPlugin(UniverSheetsPlugin);
  univer.registerPlugin(UniverSheetsFormulaPlugin, {
    initialFormulaComputing: CalculationMode.NO_CALCULATION,
  });
  const book = univer.createUnit<object, Workbook>(UniverInstanceType.UNIVER_SHEET, {
    id: unitId,
    sheetOrder: [...sheets],
    sheets: Object.fromEntries(
      sheets.map((id) => [id, { id, name: id, rowCount: 100, columnCount: 30, cellData: {} }]),
    ),
  });
  const injector = univer.__getInjector();
  // Undo acts on the workbook that has the focus.
  injector.get(IUniverInstanceService).focusUnit(unitId);
  const commands = injector.get(ICommandService);
  const grid: Grid = { injector, univer, api: FUniver.newAPI(univer) };
  const calculation = createEngineCalculation(grid, table);

  return {
    ...grid,
    /** Runs a command as a person would. All commands need their workbook's id. */
    command(id: string, params: object = {}): void {
      commands.syncExecuteCommand(id, { unitId, ...params });
    },
    write(sheet: string, [row, col]: readonly [number, number], content: Scalar): void {
      const isFormula = typeof content === "string" && content.startsWith("=");
      const value: ICellData = {
        v: isFormula ? null : content,
        f: isFormula ? content : null,
        si: null,
        p: null,
      };
      const range = { startRow: row, endRow: row, startColumn: col, endColumn: col };
      this.command(SetRangeValuesCommand.id, { subUnitId: sheet, range, value });
    },
    calculateAll(): void {
      const params = {
        dirtyRanges: [],
        dirtyNameMap: {},
        dirtyDefinedNameMap: {},
        dirtySuperTableMap: {},
        dirtyUnitFeatureMap: {},
        dirtyUnitOtherFormulaMap: {},
        clearDependencyTreeCache: {},
        forceCalculation: true,
      };
      commands.syncExecuteCommand(SetFormulaCalculationStartMutation.id, params, { onlyLocal: true });
    },
    values(): Values {
      const values: Record<string, unknown> = {};
      for (const sheet of book.getSheets()) {
        sheet.getCellMatrix().forValue((row, col) => {
          const value = sheet.getCell(row, col)?.v ?? "";
          if (value !== "") values[`${sheet.getName()}!${String.fromCharCode(65 + col)}${row + 1}`] = value;
        });
      }
      return values;
    },
    async settled(): Promise<void> {
      while (calculation.busy) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    end: () => univer.dispose(),
  };
}
