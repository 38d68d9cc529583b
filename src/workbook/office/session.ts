/**
 * How INV talks to Excel: batches with as few round trips as possible, waiting while a cell is being
 * edited, errors in words. Inside a step all verbs share one batch: writes gather and are sent together,
 * reads send what has gathered first, so the order of things is kept.
 */
import { InvError } from "../../domain/errors";
import type { StepOptions } from "../port";
import { type AreaLists, createAreaLists } from "./area-lists";
import type { OfficeSettings } from "./settings";
import { fromOfficeError, isGroupRefusal } from "./errors";

/** Office's globals as far as INV uses them: `{ excel: Excel, office: Office }`. */
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
  /** Steps and batches that began meanwhile, whoever began them. */
  readonly inner: Set<Promise<unknown>>;
}

export interface OfficeSession {
  /** Runs a batch of its own, or within the step under way. Rejects with an InvError. */
  run<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Runs a batch of its own in any case. */
  alone<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Sends what is queued; inside a step only once enough has gathered. */
  send(context: Excel.RequestContext, cells: number): Promise<void>;
  /** Sends what has gathered, so that the next batch has nothing else in it. */
  flush(context: Excel.RequestContext): Promise<void>;
  /**
   * Like `run`, but never within a group of steps that are undone together: for what Excel cannot undo (a
   * sheet's name, visibility and deletion, documented).
   */
  ungrouped<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  step<T>(work: () => Promise<T>, options?: StepOptions): Promise<T>;
  /** @throws InvError when this Excel lacks the version of the ExcelApi set */
  demand(version: string, purpose: string): void;
  supports(version: string): boolean;
  /** How this Excel wants many areas named. */
  readonly lists: AreaLists;
}

/** What may gather in a step before it is sent: far below the 5 MB that Excel on the web takes. */
const cellsPerSend = 20_000;

export function createOfficeSession({ excel, office }: OfficeGlobals): OfficeSession {
  let step: Step | null = null;
  let gathered = 0;

  /** Whether this Excel groups undo steps; null until it was tried. */
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
      // Another flow's step began while this one waited for Excel.
      if (step !== null) return within(step, work());
      const own = { context, isGrouped, inner: new Set<Promise<unknown>>() };
      step = own;
      gathered = 0;
      if (supports("1.9")) context.application.suspendScreenUpdatingUntilNextSync();
      try {
        return await work();
      } finally {
        // What began meanwhile shares this batch, which must outlive it.
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
   * Excel refuses undo groups with several codes (office-js 6255, 6491, 6711), so a batch that changes nothing tries one
   * first. A step that is refused later is not repeated, because a part of it may be in the workbook: it fails, and
   * the next one goes without a group.
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
    lists: createAreaLists(),
    async run(batch) {
      if (step === null) return alone(batch);
      // Another flow's, too: a page cannot tell whose flow calls, and a step's own port would have to go through every
      // verb. Its batch outlives all that share it, and each hears of its own errors.
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
      // What has gathered comes first; that it was refused must not keep this from being done.
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
        `Expected an Excel with ExcelApi ${version} to ${purpose}; this one is older. Update Excel, or press Ctrl+Alt+F9.`,
      );
    },
  };
}

async function readNothing(context: Excel.RequestContext): Promise<void> {
  context.application.load("calculationMode");
  await context.sync();
}
