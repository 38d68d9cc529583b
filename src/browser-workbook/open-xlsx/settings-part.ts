/**
 * Reads INV's settings from a workbook saved by Excel, which stores an add-in's settings in their own parts.
 * It reads only settings that INV may take over. It ignores the mark of a device that allowed the workbook: nobody
 * has allowed it here yet.
 */
import { parsedJson } from "../../domain/json";
import { asOfSetting, environmentSetting, mailedSetting } from "../../workbook/settings";
import { attribute, readXml } from "./xml";
import type { Zip } from "./zip";

const kept: ReadonlySet<string> = new Set([asOfSetting, environmentSetting, mailedSetting]);
const longest = 200;

export async function readFileSettings(zip: Zip): Promise<ReadonlyMap<string, string>> {
  const settings = new Map<string, string>();
  for (const part of zip.names.filter((name) => /^xl\/webextensions\/webextension\d*\.xml$/i.test(name))) {
    await readXml(part, await zip.text(part), {
      open(element, attributes) {
        const key = attribute(attributes, "name") ?? "";
        if (element !== "property" || !kept.has(key)) return;
        const value = textOf(attribute(attributes, "value") ?? "");
        if (value !== null && value.length <= longest) settings.set(key, value);
      },
    });
  }
  return settings;
}

/** Values are JSON. */
function textOf(value: string): string | null {
  const read = parsedJson(value);
  return typeof read === "string" ? read : null;
}
