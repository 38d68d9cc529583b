/**
 * Shared by the benches of jest's project `bench`: findings become a section of the page, which is written at the end to the
 * file that INV_BENCH_OUT names. It also reads the demo's stores and items.
 */
import { writeFileSync } from "node:fs";
import { origin } from "../browser/support";

/** Returns a function that records a finding. Call it where tests are declared. */
export function findings<T>(section: (found: readonly T[]) => string): (finding: T) => void {
  const found: T[] = [];
  afterAll(() => {
    const file = process.env.INV_BENCH_OUT;
    if (file) writeFileSync(file, JSON.stringify({ text: section(found), isHonoured: true }));
  });
  return (finding) => void found.push(finding);
}

/** Stores and GTINs for which the demo has answers. */
export async function demoPlaces(): Promise<{ stores: number[]; items: string[] }> {
  const response = await fetch(new URL("demo-data", origin));
  const { stores, items } = (await response.json()) as { stores: number[]; items: { gtin: string }[] };
  return { stores, items: items.map(({ gtin }) => gtin) };
}
