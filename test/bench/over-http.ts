/**
 * What a sheet is calculated with over real HTTP on this machine, on real time: a service of 80 ms in a process of its own,
 * which ends with this one. Times move with the machine; calls hardly do.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Setting } from "./contenders";
import type { Bench } from "./sheet-run";
import { systemClock } from "./system-clock";

export async function createHttpBench(): Promise<{ readonly bench: Bench; readonly setting: Setting }> {
  const stub = fork(join(__dirname, "../drills/stub.js"), ["Infinity", "quick"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [port] = (await once(stub, "message")) as [number];
  let calls = 0;
  const loop = {
    clock: systemClock,
    // Nobody counts what settles in a turn here.
    turns: () => 0,
    takeLongestTurnMs: () => 0,
    async run(isDone: () => boolean) {
      while (!isDone()) await sleep(1);
    },
  };
  return {
    bench: { loop, service: { calls: () => calls, refusals: () => 0, reset: () => void (calls = 0) } },
    setting: {
      clock: systemClock,
      transport: (request) => {
        calls++;
        return fetch(request);
      },
      quota: null,
      baseUrl: `http://127.0.0.1:${port}`,
    },
  };
}
