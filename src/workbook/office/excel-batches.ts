/**
 * INV's connection to Excel: batches with few round trips, which wait while somebody edits a cell, and errors in plain words.
 */
import { InvError } from "../../domain/errors";
import type { OfficeSettings } from "./settings";
import { fromOfficeError, isGroupRefusal } from "./errors";
import { charactersPerObject, charactersPerWrite } from "./limits";

/** The parts of Office's globals that INV uses: `{ excel: Excel, office: Office }`. */
export interface OfficeGlobals {
  readonly excel: { readonly run: typeof Excel.run };
  readonly office: {
    readonly context: {
      readonly document: { readonly settings: OfficeSettings };
      readonly requirements: { isSetSupported(set: string, version?: string): boolean };
    };
  };
}

export interface ExcelBatches {
  /** Runs the batch in the step's request context, or in its own. Rejects with an InvError. */
  run<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Sends the queue, to which the caller has added so many characters. Inside a step, it waits until the queue is long enough. */
  send(context: Excel.RequestContext, characters?: number): Promise<void>;
  /**
   * Like `run`, but outside of undo groups and after what is queued: for changes that Excel can't undo (a sheet's name, visibility
   * and deletion, documented), and for a new sheet, whose id INV needs at once. If Excel refuses the queue, the batch doesn't run,
   * unless it is to clean up.
   */
  ungrouped<T>(
    batch: (context: Excel.RequestContext) => Promise<T>,
    options?: { readonly isCleanUp: boolean },
  ): Promise<T>;
  /** Passes the step's own batches to the work. Everybody else's batches run beside it, so that each gets its own errors. */
  step<T>(
    work: (batches: ExcelBatches) => Promise<T>,
    options?: { readonly asOneUndo?: boolean },
  ): Promise<T>;
  /** @throws InvError if this Excel lacks the version of the ExcelApi set */
  demand(version: string, purpose: string): void;
  supports(version: string): boolean;
}

export function createExcelBatches({ excel, office }: OfficeGlobals): ExcelBatches {
  /** Whether this Excel supports undo groups; null before the first try. */
  let groups: Promise<boolean> | null = null;

  async function alone<T>(
    batch: (context: Excel.RequestContext) => Promise<T>,
    isGrouped = false,
  ): Promise<T> {
    try {
      const options = { delayForCellEdit: true, ...(isGrouped && { mergeUndoGroup: true }) };
      return await excel.run(options, batch);
    } catch (error) {
      throw fromOfficeError(error);
    }
  }

  function stepOf<T>(work: (batches: ExcelBatches) => Promise<T>, isGrouped: boolean): Promise<T> {
    return alone(async (context) => {
      if (supports("1.9")) context.application.suspendScreenUpdatingUntilNextSync();
      try {
        return await work(batchesIn(context, isGrouped));
      } finally {
        await context.sync();
      }
    }, isGrouped);
  }

  /** Returns batches that share a step's context: it collects writes and sends them together, always before the next read. */
  function batchesIn(context: Excel.RequestContext, isGrouped: boolean): ExcelBatches {
    let gathered = 0;
    const stepBatches: ExcelBatches = {
      supports,
      demand,
      async run(batch) {
        try {
          return await batch(context);
        } catch (error) {
          throw fromOfficeError(error);
        }
      },
      async send(_context, characters = 0) {
        gathered += characters + charactersPerObject;
        if (gathered < charactersPerWrite) return;
        gathered = 0;
        await context.sync();
      },
      async ungrouped(batch, { isCleanUp } = { isCleanUp: false }) {
        await context.sync().catch((error: unknown) => {
          if (!isCleanUp) throw fromOfficeError(error);
        });
        return isGrouped ? alone(batch) : stepBatches.run(batch);
      },
      step: (work) => work(stepBatches),
    };
    return stepBatches;
  }

  /**
   * Excel refuses undo groups with several codes (office-js 6255, 6491, 6711), so INV first tries one with a batch that only
   * reads. INV doesn't repeat a step that Excel refuses later, because a part of it may be in the workbook. That step fails,
   * and the next step runs without a group.
   */
  async function groupedStep<T>(work: (batches: ExcelBatches) => Promise<T>): Promise<T> {
    groups ??= alone(readNothing, true).then(
      () => true,
      () => false,
    );
    const isGrouped = await groups;
    try {
      return await stepOf(work, isGrouped);
    } catch (error) {
      if (isGrouped && isGroupRefusal(error)) groups = Promise.resolve(false);
      throw error;
    }
  }

  function supports(version: string): boolean {
    return office.context.requirements.isSetSupported("ExcelApi", version);
  }

  function demand(version: string, purpose: string): void {
    if (supports(version)) return;
    throw new InvError(
      "internal",
      `This Excel is too old to ${purpose}: it lacks ExcelApi ${version}. Update Excel, or press Ctrl+Alt+F9.`,
    );
  }

  return {
    supports,
    demand,
    run: (batch) => alone(batch),
    ungrouped: (batch) => alone(batch),
    send: (context) => context.sync(),
    step(work, options) {
      const isGrouped = options?.asOneUndo === true && supports("1.20");
      return isGrouped ? groupedStep(work) : stepOf(work, false);
    },
  };
}

async function readNothing(context: Excel.RequestContext): Promise<void> {
  context.application.load("calculationMode");
  await context.sync();
}
