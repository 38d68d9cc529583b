/** A process that was suspended reports it, and doesn't count the pause against answers that wait in a socket. */
import { type AddressInfo, connect, createServer } from "node:net";
import { once } from "node:events";
import { createSteadyClock, watchForStalls } from "../../src/server/steady-clock";
import { createVirtualClock } from "../helpers/virtual-clock";

it("handles an answer that has arrived before a late timer", async () => {
  const server = createServer((socket) => void socket.end("an answer")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");
  const seen: string[] = [];
  socket.once("data", () => seen.push("answer"));
  const clock = createSteadyClock(() => performance.now());
  const late = new Promise<void>((resolve) => {
    clock.setTimeout(() => {
      seen.push("timer");
      resolve();
    }, 50);
  });
  const cleared = clock.setTimeout(() => seen.push("cleared timer"), 50);
  clock.setTimeout(() => clock.clearTimeout(cleared), 40);
  // The answer is sent while this process is blocked.
  await new Promise((resolve) => setTimeout(resolve, 5));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  await late;
  expect(seen).toEqual(["answer", "timer"]);
  socket.destroy();
  server.close();
});

it.each([
  ["the event loop stopped", { steadyMs: 6_000, wallMs: 6_000 }, [5]],
  ["the machine slept", { steadyMs: 1_000, wallMs: 3_601_000 }, [3_600]],
  ["the process was slow", { steadyMs: 2_900, wallMs: 2_900 }, []],
  ["the wall clock was set back", { steadyMs: 1_000, wallMs: -3_600_000 }, []],
])("logs that it stood still, and for how long: %s", async (_what, { steadyMs, wallMs }, seconds) => {
  const timers = createVirtualClock();
  let [nowMs, wallNowMs] = [0, 0];
  const logged: unknown[] = [];
  const warn = (fields: Readonly<Record<string, unknown>>) => void logged.push(fields["seconds"]);
  const stop = watchForStalls({ ...timers, now: () => nowMs }, { warn }, () => wallNowMs);
  for (const [steady, wall] of [
    [1_000, 1_000],
    [steadyMs, wallMs],
    [1_000, 1_000],
  ] as const) {
    [nowMs, wallNowMs] = [nowMs + steady, wallNowMs + wall];
    await timers.advance(1_000);
  }
  stop();
  expect(logged).toEqual(seconds);
});
