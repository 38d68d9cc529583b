/**
 * Property tests with a fixed seed: a test fails because of a change, not by chance. `npm run drills -- properties` starts
 * with a random seed and prints it. INV_SEED sets a seed.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.INV_SEED ?? 20_261_123) });

/** Returns how often a slow property runs: rarely in `npm test`, often in `npm run drills -- properties`, which sets INV_RUNS. */
export function slowRuns(counts: { readonly inTests: number; readonly inDrill: number }): number {
  return process.env.INV_RUNS === undefined ? counts.inTests : counts.inDrill;
}

export { fc };
