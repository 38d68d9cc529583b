/**
 * When a workbook opens, offers to finish or undo an interrupted freeze or thaw. Otherwise offers, once, to thaw a workbook
 * that was prepared for mail. INV waits for the person's choice, because thawed formulas send requests in the workbook's
 * environment.
 */
import { createSource, type Source } from "../../domain/notices";
import type { Workbook } from "../port";
import { mailedSetting } from "../settings";
import type { FreezeReport } from "./report";
import type { Freezer, FrozenCells } from "./freezer-types";

export interface Offer {
  readonly kind: "freezing" | "thawing" | "mailed";
  readonly frozen: FrozenCells;
}

export interface ThawOffer extends Source<Offer | null> {
  /** Checks a workbook that was just opened, or in which work was interrupted again. */
  look(): Promise<void>;
  /** Finishes the interrupted work, or thaws the whole workbook. */
  accept(): Promise<FreezeReport>;
  /** Undoes the interrupted work. Leaves a mailed workbook frozen, and doesn't ask again. */
  decline(): Promise<FreezeReport | null>;
}

export function createThawOffer(workbook: Workbook, freezer: Freezer): ThawOffer {
  const source = createSource<Offer | null>(null);

  async function isMailed(): Promise<boolean> {
    return (await workbook.setting(mailedSetting)) === "offer";
  }

  async function settle(): Promise<void> {
    source.set(null);
    if (await isMailed()) await workbook.setSetting(mailedSetting, "asked");
  }

  async function look(): Promise<void> {
    const frozen = await freezer.frozen();
    if (frozen === null) source.set(null);
    else if (frozen.state !== "none") source.set({ kind: frozen.state, frozen });
    else source.set((await isMailed()) ? { kind: "mailed", frozen } : null);
  }

  /** If work fails, it may have turned a freeze into a thaw, or a thaw into a freeze, so INV checks again. */
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      const report = await work();
      await settle();
      return report;
    } catch (error) {
      await look().catch(() => undefined);
      throw error;
    }
  }

  return {
    get: source.get,
    subscribe: source.subscribe,
    look,
    accept() {
      const wasMailed = source.get()?.kind === "mailed";
      return attempt(() => (wasMailed ? freezer.thaw("workbook") : freezer.finish()));
    },
    decline() {
      const wasMailed = source.get()?.kind === "mailed";
      return attempt(() => (wasMailed ? Promise.resolve(null) : freezer.goBack()));
    },
  };
}
