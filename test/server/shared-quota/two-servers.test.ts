/** Two servers and one company: equal items cost one call, whatever the server or time, even if callers leave, fail or are refused. */
import type { CompanyCall } from "../../../src/server/shared-quota/call";
import { createRedisAnswers } from "../../../src/server/shared-quota/in-redis/redis-answers";
import { createSharedSearch, type SharedSearch } from "../../../src/server/shared-quota/shared-search";
import type { RelayedAnswer } from "../../../src/server/answer";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { createRealWork, virtualRedis } from "../../helpers/virtual-redis";
import { describeInRedis, type RedisPlace } from "../stores";
import { type Ask, ask, gtin, json, okAnswer, pacedOf, recordsOf } from "./bed";

interface Company {
  readonly clock: VirtualClock;
  /** Items of each request that the service received, in order. */
  readonly sent: (readonly string[])[];
  /** Returns an answer that replaces the service's own, or null. */
  says: (values: readonly string[]) => RelayedAnswer | null;
  /** Waits before each answer. */
  pause: () => Promise<void>;
  ask(server: number, options: Ask): Promise<RelayedAnswer | null>;
  wait(waitMs: number): Promise<void>;
  /** Lets time pass until the service has received so many requests, and the servers have done what follows at once. */
  receives(count: number): Promise<void>;
}

async function open(place: RedisPlace): Promise<Company> {
  const work = createRealWork();
  const clock = createVirtualClock({ realWork: work.pending });
  const server = async (): Promise<SharedSearch> => {
    const redis = virtualRedis(await place.connect(), clock.now, work);
    return createSharedSearch({
      clock,
      paced: pacedOf(clock, 100_000),
      known: createRedisAnswers({ redis, maxBytes: 10_000_000 }),
      onShared: () => undefined,
    });
  };
  const servers = [await server(), await server()] as const;
  const company: Company = {
    clock,
    sent: [],
    says: () => null,
    pause: () => company.wait(5),
    wait: (waitMs) => new Promise((resolve) => void clock.setTimeout(resolve, waitMs)),
    ask(index, options) {
      const call = ask(options);
      const send: CompanyCall["send"] = async (body, { signal }) => {
        const { item_type_values: values } = JSON.parse(body.toString()) as { item_type_values: string[] };
        company.sent.push(values);
        const answer = company.says(values) ?? okAnswer("acme", 1234, values);
        await new Promise<void>((resolve) => {
          void company.pause().then(resolve);
          signal.addEventListener("abort", () => resolve());
        });
        return signal.aborted ? json(502, "{}") : answer;
      };
      return servers[index === 0 ? 0 : 1]({ ...call, send });
    },
    async receives(count) {
      for (let passedMs = 0; company.sent.length < count && passedMs < 10_000; passedMs += 1) {
        await clock.advance(1);
      }
      expect(company.sent).toHaveLength(count);
    },
  };
  return company;
}

describeInRedis("two servers", (place) => {
  it("send one request for equal items in overlapping calls, and give all callers their own items", async () => {
    const company = await open(place);
    const { clock, wait } = company;
    company.pause = () => wait(clock.random() * 8);
    for (let round = 0; round < 30; round += 1) {
      const asked = Array.from({ length: 12 }, () => {
        const from = round * 100 + Math.floor(clock.random() * 20);
        return Array.from({ length: 1 + Math.floor(clock.random() * 10) }, (_, index) => gtin(from + index));
      });
      const answered = asked.map(async (values, index) => {
        await wait(clock.random() * 6);
        return company.ask(index % 2, { values, person: `person-${index}` });
      });
      const answers = await clock.until(Promise.all(answered));
      for (const [index, answer] of answers.entries()) {
        expect(recordsOf(answer).map((record) => (record as { gtin: string }).gtin)).toEqual(asked[index]);
      }
    }
    const items = company.sent.flat();
    expect(items).toHaveLength(new Set(items).size);
  });

  it("ask again if the first caller left, or if the service refused or failed the first caller's request", async () => {
    const company = await open(place);
    const { clock } = company;
    const { open: answer, gate } = closedGate();
    company.pause = () => gate;
    const leaver = new AbortController();
    const values = [gtin(1), gtin(2)];
    const first = company.ask(0, { values, signal: leaver.signal });
    await company.receives(1);
    const second = company.ask(1, { values });
    // By this time the second caller waits for the first one's call.
    await clock.advance(20);
    leaver.abort();
    answer();
    expect((await clock.until(second))?.status).toBe(200);
    await clock.until(first);
    expect(company.sent).toHaveLength(2);

    for (const [status, number] of [
      [400, 11],
      [401, 12],
      [500, 13],
    ] as const) {
      const [one, other] = [[gtin(number)], [gtin(number), gtin(number + 10)]];
      const before = company.sent.length;
      const { open: answer, gate } = closedGate();
      company.pause = () => gate;
      company.says = (asked) =>
        asked.length === 1 && company.sent.length === before + 1 ? json(status, "{}") : null;
      const refused = company.ask(0, { values: one });
      await company.receives(before + 1);
      const served = company.ask(1, { values: other, person: "person-2" });
      await company.receives(before + 2);
      answer();
      expect((await clock.until(refused))?.status).toBe(status);
      expect((await clock.until(served))?.status).toBe(200);
      expect(company.sent.slice(before).map((asked) => asked.length)).toEqual([1, 1, 1]);
    }
  });

  it("give a caller who accepts no cached value a request of their own, whose answer others share", async () => {
    const company = await open(place);
    const values = [gtin(1)];
    const first = company.ask(0, { values });
    await company.receives(1);
    const exact = company.ask(1, { values, maxAgeMs: 0 });
    await company.receives(2);
    const others = [company.ask(0, { values }), company.ask(1, { values, person: "person-2" })];
    const answers = await company.clock.until(Promise.all([first, exact, ...others]));
    for (const answer of answers) expect(answer?.status).toBe(200);
    expect(company.sent).toHaveLength(2);
  });

  it("send no request for a caller who left while waiting for a colleague's", async () => {
    const company = await open(place);
    const { clock } = company;
    const { open: answer, gate } = closedGate();
    company.pause = () => gate;
    const leaver = new AbortController();
    const first = company.ask(0, { values: [gtin(1)] });
    await company.receives(1);
    const left = company.ask(1, { values: [gtin(1)], signal: leaver.signal });
    await clock.advance(10);
    leaver.abort();
    expect(await clock.until(left)).toBeNull();
    answer();
    expect((await clock.until(first))?.status).toBe(200);
    expect(company.sent).toHaveLength(1);
  });
});

describeInRedis("an edit at one server", (place) => {
  it("is sent by itself when the queued call of another server that would bring its item is rejected", async () => {
    const company = await open(place);
    const { clock } = company;
    company.says = () => json(429, "{}", { "retry-after": "1" });
    await clock.until(company.ask(0, { values: [gtin(100)] }));
    company.says = () => null;
    // After the pause, this call tests the service, and the next one waits for its answer.
    const leaver = new AbortController();
    company.pause = () => closedGate().gate;
    const hanging = company.ask(0, { values: [gtin(101)], signal: leaver.signal });
    const waiting = company.ask(0, { values: [gtin(1)], person: "person-1" });
    await company.receives(2);
    company.pause = () => company.wait(5);
    const edit = company.ask(1, { values: [gtin(1)], person: "person-2", isEdit: true });
    expect((await clock.until(edit))?.status).toBe(200);
    expect((await clock.until(waiting))?.status).toBe(429);
    expect(company.sent.slice(2)).toEqual([[gtin(1)]]);
    leaver.abort();
    await clock.until(hanging);
  });
});

function closedGate(): { readonly gate: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return { gate, open };
}
