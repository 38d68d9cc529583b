/**
 * Keeps the state of all accounts in Redis, for several servers. Each step is one script and one round trip. Redis sees
 * only digests of accounts and people. A step fails if Redis can't be asked, or if nobody can know which calls count.
 */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import { createScript } from "../../redis/script";
import type { Account } from "../call";
import type { QuotaUsage } from "../account-state";
import { keyOf, type QuotaStore, type QuotaStoreOptions } from "../quota-store";
import type { CallEvent, Decisions } from "../step";
import type { ScriptReply, ScriptStep } from "./script";
import text from "./script.lua";

export interface RedisQuotaStoreOptions extends QuotaStoreOptions {
  readonly redis: Pick<Redis, "run" | "listen">;
  /** Called once for each account whose log had to be replaced: nothing is sent until it opens. */
  readonly onShut: (account: Account, opensInMs: number) => void;
}

const script = createScript(text);
const mostAccounts = 10_000;
/** A later reply is ignored: this process was suspended, and the calls it sent now would count no longer. */
const lateAfterMs = 5_000;
/** How far Redis's clock and this server's may differ. Clocks that are corrected gradually stay far within these. */
const [mostApartMs, mostDrift] = [3_000, 0.05];
/** Wait while Redis is away. A random part of it is added, so that not all calls come back at once. */
const retryMs = 3_000;
const longestRetryMs = 60_000;
/** Other servers may have used more of the quota since. */
const usageIsShownForMs = 60_000;

interface KnownAccount {
  /** The digest by which Redis and other servers know it. */
  readonly name: string;
  readonly account: Account;
  usage: (QuotaUsage & { readonly atMs: number }) | null;
  isShut: boolean;
}

/** Redis's time in a reply, and this server's times around it. */
interface RedisTime {
  /** The Redis process; another one may have another clock. */
  readonly mark: string;
  readonly redisMs: number;
  readonly askedAtMs: number;
  readonly repliedAtMs: number;
}

export function createRedisQuotaStore(options: RedisQuotaStoreOptions): QuotaStore {
  const { redis, clock, limitOf, onShut } = options;
  const server = randomBytes(6).toString("base64url");
  const byKey = new LRUCache<string, KnownAccount>({
    max: mostAccounts,
    dispose: ({ name }) => byName.delete(name),
  });
  const byName = new Map<string, KnownAccount>();
  /** The latest reply before Redis's clock jumped, if it did. */
  let lastSteady: RedisTime | null = null;
  const people = new LRUCache<string, string>({ max: mostAccounts });

  function accountOf(account: Account): KnownAccount {
    const key = keyOf(account);
    let known = byKey.get(key);
    if (known === undefined) {
      known = { name: shortDigestOf(key), account, usage: null, isShut: false };
      byKey.set(key, known);
      byName.set(known.name, known);
    }
    return known;
  }

  function digestOfPerson(person: string): string {
    const digest = people.get(person) ?? shortDigestOf(person);
    people.set(person, digest);
    return digest;
  }

  const withServer = (id: string): string => `${server}.${id}`;
  const withoutServer = (id: string): string => id.slice(server.length + 1);

  function forRedis(event: CallEvent): CallEvent {
    const id = withServer(event.id);
    if (event.kind === "cancelled") return { ...event, id };
    if (event.kind === "ended") {
      const { end } = event;
      // A null in JSON is a value in Lua, so the field is left out.
      const hasNoTime = end.kind === "throttled" && end.retryAfterMs === null;
      return { ...event, id, end: hasNoTime ? ({ kind: "throttled" } as typeof end) : end };
    }
    return { ...event, id, asker: { ...event.asker, person: digestOfPerson(event.asker.person) } };
  }

  /** Null if Redis didn't answer, or too late. If its clock has jumped, the log is shut for all servers. */
  async function ask(
    known: KnownAccount,
    events: readonly CallEvent[],
    doubted?: string,
  ): Promise<ScriptReply | null> {
    const { name, account } = known;
    const limit = limitOf(account.environment, account.operation);
    const input = { server, events: events.map(forRedis), limit, chance: clock.random() };
    const step: ScriptStep = doubted === undefined ? input : { ...input, doubted };
    const askedAtMs = clock.now();
    const outcome = await redis.run(script, {
      keys: ["quota marks", `quota ${name}`, `quota ended ${name}`, turnChannelOf("")],
      args: [name, JSON.stringify(step)],
    });
    const reply = outcome.kind === "ran" ? readReply(outcome.value) : null;
    const repliedAtMs = clock.now();
    if (reply === null || repliedAtMs - askedAtMs > lateAfterMs) return null;
    const [, mark, redisMs] = reply;
    const time = { mark, redisMs, askedAtMs, repliedAtMs };
    if (mark !== doubted && hasJumped(lastSteady, time)) return ask(known, [], mark);
    lastSteady = time;
    return reply;
  }

  function failedFor(waitMs: number) {
    return { kind: "failed" as const, retryAfterMs: waitMs + clock.random() * retryMs };
  }

  return {
    async step(account, events) {
      const known = accountOf(account);
      const reply = await ask(known, events);
      if (reply === null) return failedFor(retryMs);
      const wasShut = known.isShut;
      known.isShut = reply[0] === "shut";
      if (reply[0] === "shut") {
        known.usage = null;
        if (!wasShut) onShut(account, reply[3]);
        return failedFor(Math.min(longestRetryMs, reply[3]));
      }
      const [, , , send, rejected, againMs, used] = reply;
      const usage = { used, limit: limitOf(account.environment, account.operation) };
      known.usage = { ...usage, atMs: clock.now() };
      return {
        send: send.map(withoutServer),
        rejected: rejectedOf(rejected, withoutServer),
        checkAgainInMs: againMs < 0 ? null : againMs,
        // The script has notified it.
        turnOfServer: null,
        usage,
      };
    },
    usage(account) {
      const { usage } = accountOf(account);
      if (usage === null || clock.now() - usage.atMs > usageIsShownForMs) return Promise.resolve(null);
      return Promise.resolve({ used: usage.used, limit: usage.limit });
    },
    onTurn(listener) {
      redis.listen(turnChannelOf(server), (name) => {
        const known = byName.get(name);
        if (known !== undefined) listener(known.account);
      });
    },
  };
}

/**
 * Compares how much time has passed in Redis and here. Redis's clock decides which calls count: set forward it would forget
 * them too early, set back too late.
 */
function hasJumped(before: RedisTime | null, { mark, redisMs, askedAtMs, repliedAtMs }: RedisTime): boolean {
  if (before?.mark !== mark) return false;
  const passedMs = redisMs - before.redisMs;
  // Redis read its clock at an unknown time between request and reply.
  const [least, most] = [askedAtMs - before.repliedAtMs, repliedAtMs - before.askedAtMs];
  const apart = mostApartMs + most * mostDrift;
  return passedMs < least - apart || passedMs > most + apart;
}

/** Null for a reply of another form; acting on it could block a queue or send calls that nobody decided on. */
function readReply(value: unknown): ScriptReply | null {
  const kind: unknown = Array.isArray(value) ? value[0] : null;
  return kind === "shut" || kind === "decided" ? (value as ScriptReply) : null;
}

function turnChannelOf(server: string): string {
  return `quota turn ${server}`;
}

function rejectedOf(
  reply: readonly (string | number)[],
  withoutServer: (id: string) => string,
): Decisions["rejected"] {
  const rejected: { id: string; retryAfterMs: number }[] = [];
  for (let index = 0; index < reply.length; index += 2) {
    rejected.push({ id: withoutServer(String(reply[index])), retryAfterMs: Number(reply[index + 1]) });
  }
  return rejected;
}

function shortDigestOf(name: string): string {
  return digestOf(name).slice(0, 16);
}
