/**
 * What the benches in Chromium share: one browser for a file's measurements, the demo's places, and the findings,
 * written at the end to the file that INV_BENCH_OUT names. To be called where tests are declared.
 */
import { writeFileSync } from "node:fs";
import { origin } from "../browser/support";

export interface BrowserBench {
  found(finding: object): void;
}

export function benchInBrowser(): BrowserBench {
  const findings: object[] = [];
  afterAll(() => {
    const file = process.env.INV_BENCH_OUT;
    if (file) writeFileSync(file, JSON.stringify(findings));
  });
  return { found: (finding) => void findings.push(finding) };
}

/** Stores and GTINs that the demo answers for. */
export async function demoPlaces(): Promise<{ stores: number[]; items: string[] }> {
  const response = await fetch(new URL("demo-data", origin));
  const { stores, items } = (await response.json()) as { stores: number[]; items: { gtin: string }[] };
  return { stores, items: items.map(({ gtin }) => gtin) };
}
