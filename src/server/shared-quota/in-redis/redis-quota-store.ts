/**
 * The state of all accounts in Redis, for servers that are one: each step is one script there, one round trip. Who
 * and whose it is goes as digests alone. Where Redis cannot be asked, or nobody can know which calls count, a step fails.
 */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import { createScript } from "../../redis/script";
import type { CompanyQuotaUse } from "../call-end";
import type { Account } from "../entry";
import { keyOf, type QuotaStore, type QuotaStoreOptions } from "../quota-store";
import type { Decisions, News } from "../step";
import type { Room } from "../turns";
import type { ScriptReply, ScriptStep } from "./script";
import { createTimeWatch } from "./redis-time";
import text from "./script.lua";

export interface RedisQuotaStoreOptions extends QuotaStoreOptions {
  readonly redis: Pick<Redis, "run" | "listen">;
  /** Told once of each account whose log had to be begun anew: nothing is sent for so long. */
  readonly onShut: (account: Account, opensInMs: number) => void;
}

const script = createScript(text);
const mostAccounts = 10_000;
/** No answer takes so long; what was decided before this process stood still would leave when it counts no more. */
const lateAfterMs = 5_000;
/** While Redis is away; and so that not all come back in one moment. */
const retryMs = 3_000;
const longestRetryMs = 60_000;
/** The quota is shown as it stood at most so long ago, whoever spent it. */
const useIsNewForMs = 2_000;
const useIsKnownForMs = 60_000;

interface Known {
  /** Stands for the account wherever others see it. */
  readonly name: string;
  readonly account: Account;
  use: { readonly use: CompanyQuotaUse; readonly atMs: number } | null;
  isShut: boolean;
}

export function createRedisQuotaStore(options: RedisQuotaStoreOptions): QuotaStore {
  const { redis, clock, limitOf, holdMs, onShut } = options;
  const server = randomBytes(6).toString("base64url");
  const byKey = new LRUCache<string, Known>({
    max: mostAccounts,
    dispose: ({ name }) => byName.delete(name),
  });
  const byName = new Map<string, Known>();
  const watch = createTimeWatch(clock);
  /** Nothing that is said under it holds. */
  let doubted: string | null = null;
  const people = new LRUCache<string, string>({ max: mostAccounts });

  function knownOf(account: Account): Known {
    const key = keyOf(account);
    let known = byKey.get(key);
    if (known === undefined) {
      known = { name: shortOf(key), account, use: null, isShut: false };
      byKey.set(key, known);
      byName.set(known.name, known);
    }
    return known;
  }

  function personOf(person: string): string {
    const digest = people.get(person) ?? shortOf(person);
    people.set(person, digest);
    return digest;
  }

  const mine = (id: string): string => `${server}.${id}`;
  const bare = (id: string): string => id.slice(server.length + 1);

  function told(news: News): News {
    const id = mine(news.id);
    if (news.kind === "leaves") return { ...news, id };
    if (news.kind === "ended") {
      const { end } = news;
      // What is null in JSON is something in Lua.
      const isUntold = end.kind === "throttled" && end.retryAfterMs === null;
      return { ...news, id, end: isUntold ? ({ kind: "throttled" } as typeof end) : end };
    }
    return {
      ...news,
      id,
      askers: news.askers.map(({ person, isEdit }) => ({ person: personOf(person), isEdit })),
    };
  }

  async function run(known: Known, news: readonly News[], room: Room | null): Promise<ScriptReply | null> {
    const { name, account } = known;
    const limit = limitOf(account.environment, account.operation);
    const step: Omit<ScriptStep, "room"> = {
      server,
      news: news.map(told),
      holdMs,
      limit,
      chance: clock.random(),
      ...(doubted !== null && { doubted }),
    };
    const askedAtMs = clock.now();
    const outcome = await redis.run(script, {
      keys: ["quota marks", `quota ${name}`, `quota ended ${name}`, turnsOf("")],
      args: [name, JSON.stringify({ ...step, ...(room !== null && { room }) })],
    });
    const reply = outcome.kind === "ran" ? readReply(outcome.value) : null;
    if (reply === null || clock.now() - askedAtMs > lateAfterMs) return null;
    const [kind, mark, redisMs] = reply;
    if (watch({ mark, redisMs, askedAtMs }) === "jumped") {
      doubted = mark;
      // Nobody waits for it: it is shut for others too.
      void run(known, [], null);
    }
    if (mark === doubted) return null;
    doubted = null;
    if (kind === "shut") {
      if (!known.isShut) onShut(account, reply[3]);
      known.isShut = true;
      known.use = null;
    } else {
      known.isShut = false;
      known.use = { use: { used: reply[7], limit }, atMs: clock.now() };
    }
    return reply;
  }

  return {
    async step(account, news, room) {
      const known = knownOf(account);
      const reply = await run(known, news, room);
      if (reply === null || known.use === null || reply[0] === "shut") {
        const inMs = reply?.[0] === "shut" ? Math.min(longestRetryMs, reply[3]) : retryMs;
        return { kind: "failed", retryAfterMs: inMs + clock.random() * retryMs };
      }
      const [, , , go, back, againMs, lacksRoom] = reply;
      return {
        go: go.map(bare),
        sentBack: sentBackOf(back, bare),
        lookAgainInMs: againMs < 0 ? null : againMs,
        lacksRoom: lacksRoom === 1,
        // Told by the script.
        turnOf: null,
        use: known.use.use,
      };
    },
    use(account) {
      const known = knownOf(account);
      const ageMs = known.use === null ? Infinity : clock.now() - known.use.atMs;
      // Nobody waits for it: the next answer will show it.
      if (ageMs > useIsNewForMs) void run(known, [], null);
      return Promise.resolve(ageMs > useIsKnownForMs ? null : (known.use?.use ?? null));
    },
    onTurn(listener) {
      redis.listen(turnsOf(server), (name) => {
        const known = byName.get(name);
        if (known !== undefined) listener(known.account);
      });
    },
  };
}

/** Null for what no step says: a line that went by it would stand still, or let go what nobody decided. */
function readReply(value: unknown): ScriptReply | null {
  const kind: unknown = Array.isArray(value) ? value[0] : null;
  return kind === "shut" || kind === "decided" ? (value as ScriptReply) : null;
}

function turnsOf(server: string): string {
  return `quota turn ${server}`;
}

function sentBackOf(back: readonly (string | number)[], bare: (id: string) => string): Decisions["sentBack"] {
  const sentBack: { id: string; retryAfterMs: number }[] = [];
  for (let place = 0; place < back.length; place += 2) {
    sentBack.push({ id: bare(String(back[place])), retryAfterMs: Number(back[place + 1]) });
  }
  return sentBack;
}

function shortOf(name: string): string {
  return digestOf(name).slice(0, 16);
}
