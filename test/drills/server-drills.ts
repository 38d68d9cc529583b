/** Faults of the servers themselves: different clocks, a kill, and a rolling upgrade. */
import { tokenFrom } from "../helpers/token-from";
import { type Bed, type Drill, readiness } from "./bed";
import { account, environmentId, type LookedUp, lookUp } from "./cluster";
import { hasHaproxy, openHaproxy } from "./haproxy";

const behindHaproxy = { settings: { trustProxy: ["127.0.0.1"], stopNoticeSeconds: 5 } };

export const serverDrills: readonly Drill[] = [
  {
    name: "clocks",
    title: "clocks an hour apart, one of them two percent fast, one set back and forth",
    options: { nodeArguments: (server) => ["--import", otherClock(server)] },
    async run(bed) {
      await bed.at(80);
      for (const [index, server] of bed.cluster.servers.entries()) {
        bed.check((await server.calls()) > 0, `server ${index} sent nothing`);
      }
    },
  },
  {
    name: "shot",
    title: "one server after another is killed (-9) in the middle of its calls, and started again",
    async run(bed) {
      for (const [index, second] of [6, 63, 125].entries()) {
        await bed.at(second);
        await bed.cluster.servers[index]?.kill();
        await bed.at(second + 3);
        await takesPart(bed, index);
      }
    },
  },
  {
    name: "halted",
    title: "one server stands still for 70 seconds in the middle of its calls, and goes on",
    options: behindHaproxy,
    lacks: () => (hasHaproxy() ? null : "haproxy"),
    openBalancer: openHaproxy,
    async run(bed) {
      const [halted] = bed.cluster.servers;
      if (halted === undefined) return;
      await bed.at(6);
      const before = await halted.calls();
      halted.pause();
      await bed.at(76);
      halted.resume();
      const back = async () => (await halted.calls()) > before + 5;
      const seconds = await bed.until("calls of the one that stood still", back, 120);
      bed.fact(`took part again after ${seconds.toFixed(1)} s`);
    },
  },
  {
    name: "rolling",
    title: "servers are stopped one after another (SIGTERM) under load, and started again",
    options: { settings: { stopNoticeSeconds: 2 } },
    run: rollOver,
  },
  {
    name: "haproxy",
    title: "the same behind HAProxy, as docs/several-servers.md configures it",
    options: behindHaproxy,
    lacks: () => (hasHaproxy() ? null : "haproxy"),
    openBalancer: openHaproxy,
    run: rollOver,
  },
];

async function rollOver(bed: Bed): Promise<void> {
  for (const [index, second] of [6, 35, 64].entries()) {
    await bed.at(second);
    const code = await bed.cluster.servers[index]?.stop();
    bed.check(code === 0, `server ${index} ended with ${String(code)}`);
    await takesPart(bed, index);
  }
}

/** A new server knows the others' tokens, answers and quota within a second of its start. */
async function takesPart(bed: Bed, index: number): Promise<void> {
  const older = bed.cluster.servers[(index + 1) % bed.cluster.servers.length];
  if (older === undefined) return;
  const token = await tokenFrom(older.origin, environmentId, account);
  const isKnown = async () => (await lookUp(older.origin, token, 900_000 + index)).status === 200;
  await bed.until("an answer to know", isKnown, 90);
  const newcomer = await bed.cluster.replace(index);
  let lookedUp: LookedUp = { status: 0, ages: null, quota: null };
  const isAnswered = async () =>
    (lookedUp = await lookUp(newcomer.origin, token, 900_000 + index)).status === 200;
  const seconds = await bed.until(`server ${index} with what the others know`, isAnswered, 1);
  // An answer without an age came from the service.
  bed.check(lookedUp.ages !== null, `server ${index} does not know the others' answer`);
  bed.check((await readiness(newcomer.origin)).startsWith("200"), `server ${index} is not ready`);
  bed.fact(
    `server ${index} gave an older one's answer ${seconds.toFixed(2)} s after its start, quota ${lookedUp.quota ?? "?"}`,
  );
}

/** Runs in the server before anything else. */
function otherClock(server: number): string {
  const code = `(${String(changeClock)})(${server})`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function changeClock(server: number): void {
  const hourMs = 3_600_000;
  const now = Date.now.bind(Date);
  const steady = performance.now.bind(performance);
  const beganAtMs = steady();
  const shiftMs = (): number => {
    const passedMs = steady() - beganAtMs;
    if (server === 0) return hourMs;
    if (server === 1) return passedMs * 0.02 - hourMs;
    return Math.floor(passedMs / 7_000) % 2 === 0 ? 0 : -45_000;
  };
  const real = Date;
  real.now = () => Math.round(now() + shiftMs());
  // A steady clock is never set, but may run fast.
  performance.now = () => steady() * (server === 1 ? 1.02 : 1) + server * hourMs;
  globalThis.Date = new Proxy(real, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made) as object,
  });
}
