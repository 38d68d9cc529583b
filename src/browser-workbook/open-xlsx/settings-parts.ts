/**
 * What INV stored in the workbook under Excel, which keeps an add-in's settings in parts of their own. Only what INV
 * may take over is read; the mark under which a device allows a workbook is not: here nobody has allowed it yet.
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

/** Values stand as JSON. */
function textOf(value: string): string | null {
  const read = parsedJson(value);
  return typeof read === "string" ? read : null;
}
