/**
 * INV's connection to Excel: batches with few round trips, which wait while somebody edits a cell, and errors in plain words.
 * Inside a step all methods share one batch: it collects writes and sends them together, always before the next read.
 */
import { InvError } from "../../domain/errors";
import type { StepOptions } from "../port";
import type { OfficeSettings } from "./settings";
import { fromOfficeError, isGroupRefusal } from "./errors";

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

interface Step {
  readonly context: Excel.RequestContext;
  readonly isGrouped: boolean;
  /** Steps and batches of any caller that started during this step. */
  readonly inner: Set<Promise<unknown>>;
}

export interface ExcelBatches {
  /** Runs the batch inside the current step, or alone. Rejects with an InvError. */
  run<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  alone<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Sends the queue. Inside a step, it waits until the queue is long enough. */
  send(context: Excel.RequestContext, cells: number): Promise<void>;
  /** Sends the queue, so that the next batch starts empty. */
  flush(context: Excel.RequestContext): Promise<void>;
  /**
   * Like `run`, but outside of undo groups: for changes that Excel can't undo (a sheet's name, visibility and deletion,
   * documented).
   */
  ungrouped<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  step<T>(work: () => Promise<T>, options?: StepOptions): Promise<T>;
  /** @throws InvError if this Excel lacks the version of the ExcelApi set */
  demand(version: string, purpose: string): void;
  supports(version: string): boolean;
}

/** Cells that a step queues before it sends them: far below the 5 MB limit of Excel on the web. */
const cellsPerSend = 20_000;

export function createExcelBatches({ excel, office }: OfficeGlobals): ExcelBatches {
  let step: Step | null = null;
  let gathered = 0;

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

  async function outerStep<T>(work: () => Promise<T>, isGrouped: boolean): Promise<T> {
    return alone(async (context) => {
      // Another caller's step started while this one waited for Excel.
      if (step !== null) return within(step, work());
      const own = { context, isGrouped, inner: new Set<Promise<unknown>>() };
      step = own;
      gathered = 0;
      if (supports("1.9")) context.application.suspendScreenUpdatingUntilNextSync();
      try {
        return await work();
      } finally {
        // Callers that joined in the meantime share this batch.
        while (own.inner.size > 0) await Promise.allSettled([...own.inner]);
        step = null;
        await context.sync();
      }
    }, isGrouped);
  }

  function within<T>({ inner }: Step, work: Promise<T>): Promise<T> {
    inner.add(work);
    const leave = (): void => void inner.delete(work);
    work.then(leave, leave);
    return work;
  }

  /**
   * Excel refuses undo groups with several codes (office-js 6255, 6491, 6711), so INV first tries one with a batch that only
   * reads. INV doesn't repeat a step that Excel refuses later, because a part of it may be in the workbook. That step fails,
   * and the next step runs without a group.
   */
  async function groupedStep<T>(work: () => Promise<T>): Promise<T> {
    groups ??= alone(readNothing, true).then(
      () => true,
      () => false,
    );
    const isGrouped = await groups;
    try {
      return await outerStep(work, isGrouped);
    } catch (error) {
      if (isGrouped && isGroupRefusal(error)) groups = Promise.resolve(false);
      throw error;
    }
  }

  function supports(version: string): boolean {
    return office.context.requirements.isSetSupported("ExcelApi", version);
  }

  return {
    alone,
    supports,
    async run(batch) {
      if (step === null) return alone(batch);
      // The step may be another caller's: the page can't tell which caller this is. The batch ends after all callers that share
      // it, and each caller gets its own errors.
      try {
        return await within(step, batch(step.context));
      } catch (error) {
        throw fromOfficeError(error);
      }
    },
    async send(context, cells) {
      gathered += cells;
      if (step !== null && gathered < cellsPerSend) return;
      gathered = 0;
      await context.sync();
    },
    async flush(context) {
      if (gathered > 0) await context.sync();
      gathered = 0;
    },
    async ungrouped(batch) {
      if (step?.isGrouped !== true) return this.run(batch);
      // Send the queue first; if Excel refuses it, this batch must still run.
      const refused: unknown = await step.context.sync().then(
        () => null,
        (error: unknown) => error,
      );
      const result = await alone(batch);
      if (refused !== null) throw fromOfficeError(refused);
      return result;
    },
    async step(work, options) {
      if (step === null) {
        const isGrouped = options?.asOneUndo === true && supports("1.20");
        return isGrouped ? groupedStep(work) : outerStep(work, false);
      }
      return within(step, work());
    },
    demand(version, purpose) {
      if (supports(version)) return;
      throw new InvError(
        "internal",
        `This Excel is too old to ${purpose}: it lacks ExcelApi ${version}. Update Excel, or press Ctrl+Alt+F9.`,
      );
    },
  };
}

async function readNothing(context: Excel.RequestContext): Promise<void> {
  context.application.load("calculationMode");
  await context.sync();
}
