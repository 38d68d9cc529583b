/**
 * The quota of several servers. Each decides in its own memory whose call is next, by the same rule as a single server. It
 * knows the calls of all servers, and Redis decides at the sending whether there is still room (`window-script`). If another
 * server was faster, the call waits on. Redis sees only digests of accounts and people. A step fails if Redis can't be
 * asked, or if nobody can know which calls count.
 */
import { randomBytes } from "node:crypto";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import { type AccountState, newAccountState } from "../account-state";
import type { Account } from "../call";
import { createAccounts, accountKey, type QuotaStore, type QuotaStoreOptions } from "../quota-store";
import { type CallEvent, step } from "../step";
import { allCountedAfterMs, allowance, expire, replaceFinished, usedOf, windowMs } from "../window";
import { windowScript } from "./window-script";

export interface SharedWindowOptions extends QuotaStoreOptions {
  readonly redis: Pick<Redis, "run">;
  /** Called once for each account whose window had to be replaced: nothing is sent until it opens. */
  readonly onShut: (account: Account, opensInMs: number) => void;
}

/** A later reply is ignored: this process was suspended, and the calls it sent now would count no longer. */
const lateAfterMs = 5_000;
/** How far Redis's clock and this server's may differ. Clocks that are corrected gradually stay far within these. */
const [mostApartMs, mostDrift] = [3_000, 0.05];
/** Wait while Redis is away. A random part of it is added, so that not all calls come back at once. */
const retryMs = 3_000;
const longestRetryMs = 60_000;
/** Other servers may have used more of the quota since. */
const usageIsShownForMs = 60_000;

interface SharedAccount {
  readonly account: Account;
  readonly state: AccountState;
  /** The digest by which Redis knows it. */
  readonly name: string;
  /** What Redis doesn't know yet of calls in its window, by their names there. */
  readonly unreported: Map<string, "ended" | "withdrawn">;
  toldAtMs: number;
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

type Reply = readonly [mark: string, redisMs: number, opensInMs: number, sent: number, counting: string];

export function createSharedWindow({ redis, clock, limitOf, onShut }: SharedWindowOptions): QuotaStore {
  const server = randomBytes(6).toString("base64url");
  /** The latest reply before Redis's clock jumped, if it did. */
  let lastSteady: RedisTime | null = null;
  const accounts = createAccounts(clock, (account): SharedAccount => {
    const state = newAccountState(limitOf(account.environment, account.operation));
    const name = digestOf(accountKey(account)).slice(0, 16);
    return { account, state, name, unreported: new Map(), toldAtMs: -Infinity, isShut: false };
  });

  function nameOf({ state }: SharedAccount, id: string): string {
    const call = state.inFlight.get(id);
    const { person, crowd } = call?.queued.asker ?? {};
    return `${server} ${id} ${person ?? "-"} ${crowd ?? "-"} ${call?.isPriorityEdit === true ? 1 : 0}`;
  }

  function decide(shared: SharedAccount, events: readonly CallEvent[]) {
    for (const { kind, id } of events) {
      const isToReport = (kind === "ended" || kind === "cancelled") && shared.state.inFlight.has(id);
      if (isToReport) shared.unreported.set(nameOf(shared, id), kind === "ended" ? kind : "withdrawn");
    }
    return step(shared.state, { events, nowMs: clock.now(), chance: clock.random() });
  }

  /** Asks whether these calls may be sent. Null if Redis didn't answer, or too late. */
  async function ask(shared: SharedAccount, ids: readonly string[], doubted?: string): Promise<Reply | null> {
    const { state, unreported } = shared;
    const askedAtMs = clock.now();
    const reported = (as: string) => [...unreported].flatMap(([call, kind]) => (kind === as ? [call] : []));
    const asked = {
      ...{ windowMs, longestMs: allCountedAfterMs, mostBackMs: mostApartMs, doubted },
      ...{ ended: reported("ended"), withdrawn: reported("withdrawn") },
      wanted: ids.map((id) => {
        const isEdit = state.inFlight.get(id)?.isPriorityEdit ?? false;
        return { call: nameOf(shared, id), most: allowance(state, isEdit, askedAtMs) };
      }),
    };
    const keys = [`quota ${shared.name}`, "quota mark"];
    const outcome = await redis.run(windowScript, { keys, args: [server, JSON.stringify(asked)] });
    const reply = outcome.kind === "replied" ? readReply(outcome.replies[0]) : null;
    const repliedAtMs = clock.now();
    if (reply === null || repliedAtMs - askedAtMs > lateAfterMs) return null;
    const [mark, redisMs] = reply;
    const time = { mark, redisMs, askedAtMs, repliedAtMs };
    // A new mark shuts the windows of all accounts, at all servers.
    if (mark !== doubted && hasJumped(lastSteady, time)) return ask(shared, ids, mark);
    lastSteady = time;
    unreported.clear();
    return reply;
  }

  function failedFor(waitMs: number) {
    return { kind: "failed" as const, retryAfterMs: waitMs + clock.random() * retryMs };
  }

  function isShut(shared: SharedAccount, opensInMs: number): boolean {
    const wasShut = shared.isShut;
    shared.isShut = opensInMs > 0;
    if (shared.isShut && !wasShut) onShut(shared.account, opensInMs);
    return shared.isShut;
  }

  return {
    async step(account, events) {
      const shared = accounts.of(account);
      const named = events.map(withDigest);
      let decided = decide(shared, named);
      const send: string[] = [];
      const rejected = [...decided.rejected];
      while (decided.send.length > 0 || shared.unreported.size > 0) {
        const reply = await ask(shared, decided.send);
        shared.toldAtMs = reply === null ? -Infinity : clock.now();
        if (reply === null) return failedFor(retryMs);
        const [, , opensInMs, sent, counting] = reply;
        if (isShut(shared, opensInMs)) return failedFor(Math.min(longestRetryMs, opensInMs));
        replaceFinished(shared.state, readCounting(counting, clock.now()));
        send.push(...decided.send.slice(0, sent));
        // The first of them goes back last, and so comes first again.
        const denied = decided.send.slice(sent).reverse();
        decided = decide(
          shared,
          denied.map((id) => ({ kind: "denied", id })),
        );
        rejected.push(...decided.rejected);
      }
      return { ...decided, send, rejected };
    },
    usage(account) {
      const shared = accounts.peek(account);
      const nowMs = clock.now();
      if (shared === undefined || nowMs - shared.toldAtMs > usageIsShownForMs) return Promise.resolve(null);
      expire(shared.state, nowMs);
      return Promise.resolve({ used: usedOf(shared.state), limit: shared.state.limit });
    },
  };
}

function withDigest(event: CallEvent): CallEvent {
  if (event.kind !== "arrived") return event;
  const { person, crowd = null, isEdit } = event.asker;
  const digest = (name: string): string => digestOf(name).slice(0, 8);
  return {
    ...event,
    asker: { person: digest(person), crowd: crowd === null ? null : digest(crowd), isEdit },
  };
}

/** Null for a reply of another form. */
function readReply(value: unknown): Reply | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const kinds = parts.map((part) => typeof part).join(" ");
  return kinds === "string number number number string" ? (parts as unknown as Reply) : null;
}

/** Reads the calls that count, oldest first: lines of person, crowd, 1 for a priority edit, and the time until it stops counting. */
function readCounting(text: string, nowMs: number): Parameters<typeof replaceFinished>[1] {
  const lines = text === "" ? [] : text.split("\n");
  return lines.map((line) => {
    const [person = "", crowd = "-", edit, inText] = line.split(" ");
    const inMs = Number(inText);
    const isInFlight = inMs > windowMs;
    return {
      person,
      crowd: crowd === "-" ? null : crowd,
      isPriorityEdit: edit === "1",
      // Calls in flight are expected to end now, as this server's own are.
      countsUntilMs: nowMs + Math.min(inMs, windowMs),
      sentAtMs: nowMs - ((isInFlight ? allCountedAfterMs : windowMs) - inMs),
    };
  });
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
