/**
 * Random edits while answers are late and the engine pauses. Once everything is at rest, every cell must have the value that
 * a calculation of the whole workbook gives. Each workbook has six rounds. INV_SEED is the first workbook's seed; each next
 * workbook's is one more. Everything runs in virtual time, so the same seed gives the same run. At the first difference it
 * prints the edits of that workbook and the cells, and exits with 1.
 */
import { createRandom, createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { createBed, type Values } from "../../browser-workbook/univer/calculation/engine-bed";
import { answerTo } from "./answers";
import { elsewhere, formulas, guest, inputs, main, other, sheets } from "./cells";
import { createEdits } from "./edits";
import { useVirtualTime } from "./virtual-time";

const roundsOfWorkbook = 6;
const longestMs = 60_000;
const { INV_SEED, INV_RUNS } = process.env;
let turns = 0;

let left = Number(INV_RUNS);
for (let seed = Number(INV_SEED); left > 0; seed += 1) {
  await tryWorkbook(seed, Math.min(left, roundsOfWorkbook));
  left -= roundsOfWorkbook;
}
console.log(`${INV_RUNS} rounds held, in ${turns} turns of the event loop`);
process.exit();

async function tryWorkbook(seed: number, count: number): Promise<void> {
  const [random, late] = [createRandom(seed), createRandom(seed)];
  const clock = createVirtualClock({ seed });
  const restoreTime = useVirtualTime(clock);
  const bed = createBed(sheets, answerTo(late));
  const rounds: string[] = [];
  const edits = createEdits(bed, random);
  edits.names();
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
      await clock.advance(ms);
    }
    rounds.push(`INV_SEED=${seed} round ${round + 1}: ${told.join(", ")}`);
    await rest(clock, bed.settled(), rounds);
    const shown = bed.values();
    bed.calculateAll();
    await clock.advance(5);
    await rest(clock, bed.settled(), rounds);
    const differing = differences(shown, bed.values());
    if (differing.length > 0) fail([...rounds, ...differing]);
  }
  bed.end();
  turns += clock.turn;
  restoreTime();
}

async function rest(clock: VirtualClock, settled: Promise<void>, rounds: readonly string[]): Promise<void> {
  const limit = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), longestMs));
  const isAtRest = await clock.until(Promise.race([settled.then(() => true), limit]));
  if (!isAtRest) fail([...rounds, "   is still calculated after a minute"]);
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
