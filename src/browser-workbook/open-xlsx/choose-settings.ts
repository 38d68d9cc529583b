/**
 * Chooses INV's settings for a workbook opened from a file. A file that INV downloaded has no settings, but its
 * ledger names the environment of its figures. If the ledger contains formulas, INV offers to restore them.
 */
import { headings } from "../../workbook/frozen-formulas/entry";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import { environmentSetting, mailedSetting } from "../../workbook/settings";
import type { FileBook } from "./file-book";

const environmentCol = headings.indexOf("Environment");
/** A title and the headings come first. */
const firstEntryRow = 2;

export function openedSettings({ sheets, settings }: FileBook): ReadonlyMap<string, string> {
  const environments = sheets
    .filter(({ name }) => isLedgerSheet(name))
    .flatMap(({ cells }) => cells)
    .filter(({ row, col, value }) => row >= firstEntryRow && col === environmentCol && value !== null);
  const environment = environments.at(-1)?.value;
  if (typeof environment !== "string" || environment === "") return settings;
  return new Map([[environmentSetting, environment.slice(0, 100)], [mailedSetting, "offer"], ...settings]);
}
