/**
 * How INV talks to Excel: batches with as few round trips as possible, waiting while a cell is being
 * edited, errors in words. Inside a step all verbs share one batch: writes gather and are sent together,
 * reads send what has gathered first, so the order of things is kept.
 */
import { InvError } from "../../domain/errors";
import { fromOfficeError } from "./errors";

/** Office's globals as far as INV uses them: `{ excel: Excel, office: Office }`. */
export interface OfficeGlobals {
  readonly excel: { readonly run: typeof Excel.run };
  readonly office: {
    readonly context: {
      readonly document: { readonly settings: Pick<Office.Settings, "get" | "set" | "saveAsync"> };
      readonly requirements: { isSetSupported(set: string, version?: string): boolean };
    };
  };
}

export interface OfficeSession {
  /** Runs a batch of its own, or within the step under way. Rejects with an InvError. */
  run<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Runs a batch of its own in any case. */
  alone<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T>;
  /** Sends what is queued; inside a step only once enough has gathered. */
  send(context: Excel.RequestContext, cells: number): Promise<void>;
  step<T>(work: () => Promise<T>): Promise<T>;
  /** @throws InvError when this Excel lacks the version of the ExcelApi set */
  demand(version: string, purpose: string): void;
  supports(version: string): boolean;
}

/** What may gather in a step before it is sent: far below the 5 MB that Excel on the web takes. */
const cellsPerSend = 20_000;

export function createOfficeSession({ excel, office }: OfficeGlobals): OfficeSession {
  let step: { readonly context: Excel.RequestContext; readonly inner: Set<Promise<unknown>> } | null = null;
  let gathered = 0;

  async function alone<T>(batch: (context: Excel.RequestContext) => Promise<T>): Promise<T> {
    try {
      return await excel.run({ delayForCellEdit: true }, batch);
    } catch (error) {
      throw fromOfficeError(error);
    }
  }

  async function outerStep<T>(work: () => Promise<T>): Promise<T> {
    return alone(async (context) => {
      const own = { context, inner: new Set<Promise<unknown>>() };
      step = own;
      gathered = 0;
      if (supports("1.9")) context.application.suspendScreenUpdatingUntilNextSync();
      try {
        return await work();
      } finally {
        // A step that began meanwhile shares this batch, which must outlive it.
        await Promise.allSettled([...own.inner]);
        step = null;
        await context.sync();
      }
    });
  }

  function supports(version: string): boolean {
    return office.context.requirements.isSetSupported("ExcelApi", version);
  }

  return {
    alone,
    supports,
    async run(batch) {
      if (step === null) return alone(batch);
      try {
        return await batch(step.context);
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
    async step(work) {
      if (step === null) return outerStep(work);
      const inner = work();
      step.inner.add(inner);
      return inner;
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
