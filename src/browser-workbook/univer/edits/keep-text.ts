/**
 * Keeps text as text if an edit changes only a cell's style or formula. The grid would find the type again from the cell's
 * content: made bold, or moved by an inserted column, the text 00012345678905 would become a number without its zeros.
 */
import { CellValueType, ICommandService, ObjectMatrix } from "@univerjs/core";
import { type ISetRangeValuesMutationParams, SetRangeValuesMutation } from "@univerjs/preset-sheets-core";
import type { Grid } from "../grid";

export function keepText({ api, injector }: Grid): void {
  injector.get(ICommandService).beforeCommandExecuted(({ id, params }) => {
    if (id !== SetRangeValuesMutation.id) return;
    const { subUnitId, cellValue = {} } = params as ISetRangeValuesMutationParams;
    const sheet = api.getActiveWorkbook()?.getWorkbook().getSheetBySheetId(subUnitId);
    const changes = new ObjectMatrix(cellValue);
    changes.forValue((row, col, change) => {
      if (!change || change.v !== undefined) return;
      const t = sheet?.getCellRaw(row, col)?.t;
      // Several cells may share one object, so it isn't changed.
      if (t === CellValueType.STRING) changes.setValue(row, col, { ...change, t });
    });
  });
}
