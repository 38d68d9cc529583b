/**
 * Random workbooks, refreshed: edits, cancels, another environment and sleep come within the refresh, and the host and the service fail.
 * Each broken promise counts by kind. INV_WORKBOOKS sets how many workbooks there are, and INV_SEED the seed of the first.
 */
import { withHost } from "../../functions/fakes";
import { type Broken, judged } from "./judge";
import { scenarioOf } from "./random-workbook";

withHost();

const workbooks = Number(process.env.INV_WORKBOOKS ?? (process.env.INV_RUNS === undefined ? 150 : 3_000));
const firstSeed = Number(process.env.INV_SEED ?? 1);

it("keeps its promises, whatever happens before, within and after it", async () => {
  const found: (Broken & { readonly seed: number })[] = [];
  for (let seed = firstSeed; seed < firstSeed + workbooks; seed += 1) {
    const broken = await judged(scenarioOf(seed)).catch((error: unknown): readonly Broken[] => [
      { kind: "no recovery", what: String(error) },
    ]);
    found.push(...broken.map((each) => ({ ...each, seed })));
  }
  const seedsOf: Record<string, number[]> = {};
  for (const { kind, seed } of found) seedsOf[kind] = [...new Set([...(seedsOf[kind] ?? []), seed])];
  const examples = found.slice(0, 20).map(({ seed, kind, what }) => `${seed}: ${kind}: ${what}`);
  expect({ seedsOf, examples }).toEqual({ seedsOf: {}, examples: [] });
}, 3_600_000);
