/**
 * Reads INV's settings from a file. Excel stores an add-in's settings in their own parts. INV reads only those that it may
 * take over: it ignores the mark of a device that allowed the workbook, because nobody has allowed it here yet.
 */
import { parsedJson } from "../../domain/json";
import { headings } from "../../workbook/frozen-formulas/entry";
import { isLedgerSheet } from "../../workbook/frozen-formulas/ledger-sheets";
import type { FileBook } from "./file-book";
import { asOfSetting, environmentSetting, mailedSetting } from "../../workbook/settings";
import { attribute, readXml } from "./xml";
import type { Zip } from "./zip";

const keptSettings: ReadonlySet<string> = new Set([asOfSetting, environmentSetting, mailedSetting]);
const maxLength = 200;

export async function readFileSettings(zip: Zip): Promise<ReadonlyMap<string, string>> {
  const settings = new Map<string, string>();
  for (const part of zip.names.filter((name) => /^xl\/webextensions\/webextension\d*\.xml$/i.test(name))) {
    await readXml(part, await zip.text(part), {
      open(element, attributes) {
        const key = attribute(attributes, "name") ?? "";
        if (element !== "property" || !keptSettings.has(key)) return;
        const value = parsedJson(attribute(attributes, "value") ?? "");
        if (typeof value === "string" && value.length <= maxLength) settings.set(key, value);
      },
    });
  }
  return settings;
}

const environmentCol = headings.indexOf("Environment");
/** A title and the headings come first. */
const firstEntryRow = 2;

/**
 * Returns the settings for a workbook opened from a file. A file that INV downloaded has no settings, but its ledger names
 * the environment of its figures. If the ledger contains formulas, INV offers to restore them.
 */
export function openedSettings({ sheets, settings }: FileBook): ReadonlyMap<string, string> {
  const environments = sheets
    .filter(({ name }) => isLedgerSheet(name))
    .flatMap(({ cells }) => cells)
    .filter(({ row, col, value }) => row >= firstEntryRow && col === environmentCol && value !== null);
  const environment = environments.at(-1)?.value;
  if (typeof environment !== "string" || environment === "") return settings;
  return new Map([[environmentSetting, environment.slice(0, 100)], [mailedSetting, "offer"], ...settings]);
}
