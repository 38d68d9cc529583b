/** The formulas of INV's templates, tests and documents. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** Each once; of tests also what is no formula of Excel's. */
export function knownFormulas(): readonly string[] {
  const found = new Set<string>();
  for (const folder of ["src/workbook/templates", "test", "docs"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:json|tsx?|md)$/.test(name)) continue;
      const text = readFileSync(join(root, folder, name), "utf8");
      for (const [, json = ""] of text.matchAll(/("(?:[^"\\\n]|\\.)*")/g)) addTo(found, unescaped(json));
      for (const [, plain = ""] of text.matchAll(/[`'](=[^`'\n]+)[`']/g)) addTo(found, plain);
      for (const [, line = ""] of text.matchAll(/^ *(=[A-Z].*)$/gm)) addTo(found, line);
    }
  }
  return [...found];
}

function addTo(found: Set<string>, text: string): void {
  if (/^=[^=>\s]/.test(text)) found.add(text);
}

function unescaped(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json.slice(1, -1);
  }
}
