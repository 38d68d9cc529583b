/**
 * Random edits, while answers are late and the engine is made to pause: once all is at rest, every cell has the value
 * that a calculation of the whole workbook gives it. A workbook has six rounds. INV_SEED is the first workbook's, and
 * the next one's is one more. Ends with 1 at the first difference, and tells the edits of that workbook and the cells.
 */
import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "../../helpers/virtual-clock";
import { createBed, type Values } from "../../browser-workbook/univer/calculation/engine-bed";
import { answerTo } from "./answers";
import { elsewhere, formulas, guest, inputs, main, other, sheets } from "./cells";
import { createEdits } from "./edits";

const roundsOfWorkbook = 6;
const longestMs = 60_000;
const { INV_SEED, INV_RUNS } = process.env;
const startedAtMs = performance.now();

let left = Number(INV_RUNS);
for (let seed = Number(INV_SEED); left > 0; seed += 1) {
  await tryWorkbook(seed, Math.min(left, roundsOfWorkbook));
  left -= roundsOfWorkbook;
}
console.log(`${INV_RUNS} rounds held, ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`);
process.exit();

async function tryWorkbook(seed: number, count: number): Promise<void> {
  // The edits are the seed's alone; what comes between them also depends on the machine.
  const [random, late, hurry] = [createRandom(seed), createRandom(seed), createRandom(seed)];
  const giveBackClock = hurryClock(hurry);
  const bed = createBed(sheets, answerTo(late));
  const rounds: string[] = [];
  const edits = createEdits(bed, random);
  edits.name("$A$1");
  for (const [row, col, content] of [...inputs, ...formulas]) bed.write(main, [row, col], content);
  for (const [row, content] of elsewhere.entries()) bed.write(other, [row, 0], content);
  bed.write(guest, [0, 0], "=Main!B2");
  bed.write(guest, [1, 0], "=Main!I1*10");
  for (let round = 0; round < count; round += 1) {
    const told: string[] = [];
    for (let number = 1 + Math.floor(random() * 6); number > 0; number -= 1) {
      told.push(edits.any());
      if (random() < 0.2) continue;
      const ms = Math.floor(random() * 240);
      told.push(`${ms} ms`);
      await wait(ms);
    }
    rounds.push(`INV_SEED=${seed} round ${round + 1}: ${told.join(", ")}`);
    await rest(bed.settled(), rounds);
    const shown = bed.values();
    bed.calculateAll();
    await wait(5);
    await rest(bed.settled(), rounds);
    const differing = differences(shown, bed.values());
    if (differing.length > 0) fail([...rounds, ...differing]);
  }
  bed.end();
  giveBackClock();
}

/** In some workbooks a slice of the engine's time is over whenever it looks, in some now and then. */
function hurryClock(random: () => number): () => void {
  const now = performance.now;
  const often = [0, 0.1, 1][Math.floor(random() * 3)] ?? 0;
  let aheadMs = 0;
  performance.now = () => {
    if (random() < often) aheadMs += 45;
    return now.call(performance) + aheadMs;
  };
  return () => void (performance.now = now);
}

async function rest(settled: Promise<void>, rounds: readonly string[]): Promise<void> {
  const atRest = new AbortController();
  const minute = wait(longestMs, true, { signal: atRest.signal }).catch(() => false);
  const isLate = await Promise.race([settled, minute]);
  if (isLate === true) fail([...rounds, "   is still calculated after a minute"]);
  atRest.abort();
}

function differences(shown: Values, right: Values): string[] {
  const places = [...new Set([...Object.keys(shown), ...Object.keys(right)])];
  return places
    .filter((place) => !Object.is(shown[place], right[place]))
    .map((place) => `   ${place} shows ${String(shown[place])}, and is ${String(right[place])}`);
}

function fail(lines: readonly string[]): never {
  console.log(lines.join("\n"));
  process.exit(1);
}
