/**
 * What a workbook that was opened from a file has of INV's settings. A file that INV downloaded has none; its ledger
 * says which environment its figures are from, and formulas in a ledger are worth the offer to thaw them.
 */
import { headings } from "../../workbook/frozen-formulas/entry";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import { environmentSetting, mailedSetting } from "../../workbook/settings";
import type { FileBook } from "./file-book";

const environmentCol = headings.indexOf("Environment");
/** Above them stand a title and the headings. */
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
