/**
 * The same over real HTTP on this machine: 20,000 cells of 50 stores in bursts, a service of 80 ms in its own
 * process, six connections. Real time, so the figures move with the machine; calls do not.
 */
import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { contenders, type Contender } from "./contenders";
import { systemClock } from "./system-clock";
import { hasNoData, quantityOf, type Cell } from "./workloads";

export interface LoopbackResult {
  readonly calls: number;
  readonly timeMs: number;
  /** Cells without their right value. */
  readonly lost: number;
  readonly cpuMs: number;
}

export const loopbackCells = 20_000;
export const loopbackStores = 50;
const burstCells = 500;
const burstMs = 5;

export async function measureLoopback(contenderId: string): Promise<LoopbackResult> {
  const entry = contenders.find(({ id }) => id === contenderId);
  if (!entry) throw new Error(`Unknown contender: ${contenderId}.`);
  const child = fork(join(__dirname, "loopback-service.js"), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const baseUrl = `http://127.0.0.1:${String(await portOf(child))}`;
    let calls = 0;
    const contender = entry.create({
      clock: systemClock,
      transport: (request) => {
        calls++;
        return fetch(request);
      },
      quota: null,
      baseUrl,
    });
    await contender.prepare();
    calls = 0;
    const cpu = process.cpuUsage();
    const startMs = performance.now();
    const lost = await askAll(contender);
    const used = process.cpuUsage(cpu);
    return { calls, lost, timeMs: performance.now() - startMs, cpuMs: (used.user + used.system) / 1000 };
  } finally {
    child.kill();
  }
}

async function askAll(contender: Contender): Promise<number> {
  const cells = Array.from({ length: loopbackCells }, (_, index): Cell => {
    const gtin = String(20_000_000 + Math.floor(index / loopbackStores)).padStart(14, "0");
    return { store: 1000 + (index % loopbackStores), gtin };
  });
  const checks: Promise<boolean>[] = [];
  for (let from = 0; from < cells.length; from += burstCells) {
    for (const cell of cells.slice(from, from + burstCells)) {
      const right = hasNoData(cell.store, cell.gtin) ? null : quantityOf(cell.store, cell.gtin);
      checks.push(
        contender.ask(cell).then(
          (result) => contender.quantity(result) === right,
          () => false,
        ),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, burstMs));
  }
  return (await Promise.all(checks)).filter((isRight) => !isRight).length;
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (port) => resolve(Number(port)));
    child.once("exit", () => reject(new Error("The loopback service ended before it listened.")));
  });
}
