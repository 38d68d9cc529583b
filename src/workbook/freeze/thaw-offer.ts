/**
 * What a workbook offers when it is opened: to finish or take back a freeze or thaw that was cut off, or,
 * once, to thaw one that was prepared to mail. Nothing happens without the person's word: thawed formulas
 * make calls, in the workbook's environment.
 */
import { createSource, type Source } from "../../domain/source";
import type { Workbook } from "../port";
import { mailedSetting } from "../settings";
import type { FreezeReport } from "./freeze";
import type { Freezer, FrozenCells } from "./freezer";

export interface Offer {
  readonly kind: "freezing" | "thawing" | "mailed";
  readonly frozen: FrozenCells;
}

export interface ThawOffer extends Source<Offer | null> {
  /** Looks at the workbook that was just opened. */
  look(): Promise<void>;
  /** Finishes what was cut off, or thaws the whole workbook. */
  accept(): Promise<FreezeReport>;
  /** Takes back what was cut off; for a mailed workbook, leaves it frozen and asks no more. */
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

  return {
    get: source.get,
    subscribe: source.subscribe,
    async look() {
      const frozen = await freezer.frozen();
      if (frozen === null) return;
      if (frozen.state !== "none") source.set({ kind: frozen.state, frozen });
      else if (await isMailed()) source.set({ kind: "mailed", frozen });
    },
    async accept() {
      const wasMailed = source.get()?.kind === "mailed";
      const report = await (wasMailed ? freezer.thaw("workbook") : freezer.finish());
      await settle();
      return report;
    },
    async decline() {
      const report = source.get()?.kind === "mailed" ? null : await freezer.goBack();
      await settle();
      return report;
    },
  };
}
