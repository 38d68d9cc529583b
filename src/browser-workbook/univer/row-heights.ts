/**
 * Cancels measuring the rows of a sheet that is deleted. The grid measures rows out of view when the page is idle; if their sheet
 * is gone by then, it fails and measures no sheet any more.
 */
import { ICommandService } from "@univerjs/core";
import {
  CancelMarkDirtyRowAutoHeightOperation,
  type IMarkDirtyRowAutoHeightOperationParams,
  type IRemoveSheetMutationParams,
  MarkDirtyRowAutoHeightOperation,
  RemoveSheetMutation,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "./grid";

export function cancelHeightsOfDeletedSheets({ injector }: Grid): void {
  const commands = injector.get(ICommandService);
  /** Each sheet's measurements by their ids, which are random. */
  const measurements = new Map<string, Set<string>>();
  commands.onCommandExecuted(({ id, params }) => {
    if (id !== MarkDirtyRowAutoHeightOperation.id) return;
    const { subUnitId, id: measurement } = params as IMarkDirtyRowAutoHeightOperationParams;
    measurements.set(subUnitId, (measurements.get(subUnitId) ?? new Set()).add(measurement));
  });
  commands.beforeCommandExecuted(({ id, params }) => {
    if (id !== RemoveSheetMutation.id) return;
    const { unitId, subUnitId } = params as IRemoveSheetMutationParams;
    for (const measurement of measurements.get(subUnitId) ?? []) {
      commands.syncExecuteCommand(CancelMarkDirtyRowAutoHeightOperation.id, {
        ...{ unitId, subUnitId, id: measurement },
      });
    }
    measurements.delete(subUnitId);
  });
}
