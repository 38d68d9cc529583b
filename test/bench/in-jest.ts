/**
 * What the benches that run as jest's project `bench` share: what they found becomes a section of the page, written at the
 * end to the file that INV_BENCH_OUT names; and the demo's places.
 */
import { writeFileSync } from "node:fs";
import { origin } from "../browser/support";

/** Gives what takes a finding; to be called where tests are declared. */
export function findings<T>(section: (found: readonly T[]) => string): (finding: T) => void {
  const found: T[] = [];
  afterAll(() => {
    const file = process.env.INV_BENCH_OUT;
    if (file) writeFileSync(file, JSON.stringify({ text: section(found), isHonoured: true }));
  });
  return (finding) => void found.push(finding);
}

/** Stores and GTINs that the demo answers for. */
export async function demoPlaces(): Promise<{ stores: number[]; items: string[] }> {
  const response = await fetch(new URL("demo-data", origin));
  const { stores, items } = (await response.json()) as { stores: number[]; items: { gtin: string }[] };
  return { stores, items: items.map(({ gtin }) => gtin) };
}
