/**
 * The quota of several servers. Each decides in its own memory whose call is next, by the same rule as a single server
 * (`turns.ts`), and knows from Redis how much is used. Redis decides at the sending whether there is still room
 * (`window-script`). If another server was faster, the call waits on. Redis sees only digests of accounts, and no people. A step
 * fails if Redis can't be asked, or if nobody can know which calls count.
 */
import { randomBytes } from "node:crypto";
import { windowMs as oneWindowMs } from "../../../domain/call-window";
import { digestOf } from "../../digest";
import type { Redis } from "../../redis/redis";
import type { Account } from "../call";
import { createAccounts, accountKey, type QuotaStore, type QuotaStoreOptions } from "../quota-store";
import { type CallEvent, createTurns, type Kind, type Room, type Turns } from "../turns";
import { windowScript } from "./window-script";

export interface SharedWindowOptions extends QuotaStoreOptions {
  readonly redis: Pick<Redis, "run">;
  /** Called when Redis has lost calls: nothing is sent for this time. */
  readonly onShut: (opensInMs: number) => void;
}

/** A later reply is ignored: this process was suspended, and the calls it sent now would count no longer. */
const lateAfterMs = 5_000;
/** How far Redis's clock and this server's may differ. Clocks that are corrected gradually stay far within these. */
const [mostApartMs, mostDrift] = [3_000, 0.05];
/** Redis's clock may go forward unnoticed by `mostApartMs` in a window, so calls count for longer there. */
const windowMs = oneWindowMs + mostApartMs;
/** The relay gives up on a call by then. */
const longestCallMs = 60_000;
/** Wait while Redis is away. A random part of it is added, so that not all calls come back at once. */
const retryMs = 3_000;
/** Other servers may have used more of the quota since. */
const usageIsShownForMs = 60_000;
/** Edits of this time show how many a minute there are. */
const recentMs = 20_000;
/** After a restart of Redis with its data, each server has this time to say that calls are missing. */
const heldMs = 10_000;

export interface SharedWindow extends QuotaStore {
  /** Asks Redis at once whether it has lost calls, so that the time without calls begins. */
  look(): Promise<void>;
}

interface SharedAccount {
  readonly turns: Turns;
  readonly room: ToldRoom;
  /** The digest by which Redis knows it. */
  readonly name: string;
  /** What Redis doesn't know yet of calls in its window. */
  readonly unreported: Map<string, "ended" | "withdrawn">;
  toldAtMs: number;
}

/** Redis's time in a reply, and this server's times around it. */
interface RedisTime {
  /** Another mark begins when Redis was replaced, and that may have another clock. */
  readonly mark: string;
  readonly redisMs: number;
  readonly askedAtMs: number;
  readonly repliedAtMs: number;
}

type Reply = readonly [
  mark: string,
  redisMs: number,
  opensInMs: number,
  sent: number,
  edits: number,
  bulk: number,
  recentEdits: number,
  editLeavesInMs: number,
  bulkLeavesInMs: number,
  paceInMs: number,
  written: number,
];

/** What `look` asks for: no quota, but whether Redis knows all calls. */
const nobody: Account = { environment: "", consumerId: "", operation: "search" };

export function createSharedWindow({ redis, clock, limitOf, onShut }: SharedWindowOptions): SharedWindow {
  const server = randomBytes(6).toString("base64url");
  /** The latest reply before Redis's clock jumped, if it did. */
  let lastSteady: RedisTime | null = null;
  /** How many calls Redis had been told of under its mark, as far as this server knows. */
  let known = { mark: "", written: 0 };
  const accounts = createAccounts(clock, (account): SharedAccount => {
    const room = createToldRoom();
    const turns = createTurns(limitOf(account.environment, account.operation), room, clock.random);
    const name = digestOf(accountKey(account)).slice(0, 16);
    return { turns, room, name, unreported: new Map(), toldAtMs: -Infinity };
  });

  function decide({ turns, unreported }: SharedAccount, events: readonly CallEvent[]) {
    for (const { kind, id } of events) {
      const isToReport = (kind === "ended" || kind === "cancelled") && turns.kindInFlight(id) !== null;
      if (isToReport) unreported.set(`${server} ${id}`, kind === "ended" ? kind : "withdrawn");
    }
    return turns.step(events, clock.now());
  }

  /** Asks whether these calls may be sent. Null if Redis didn't answer, or too late. */
  async function ask(shared: SharedAccount, ids: readonly string[], doubted?: string): Promise<Reply | null> {
    const { turns, room, name, unreported } = shared;
    const askedAtMs = clock.now();
    const reported = (as: string) => [...unreported].flatMap(([call, kind]) => (kind === as ? [call] : []));
    const asked = {
      ...{
        windowMs,
        longestMs: longestCallMs + windowMs,
        mostBackMs: mostApartMs,
        recentMs,
        heldMs,
        doubted,
      },
      ...known,
      ...{ ended: reported("ended"), withdrawn: reported("withdrawn") },
      wanted: ids.map((id) => ({ call: `${server} ${id}`, kind: turns.kindInFlight(id) })),
      ...turns.bounds(askedAtMs),
    };
    const keys = [`quota ${name}`, `quota edits ${name}`, `quota pace ${name}`, "quota mark", "quota writes"];
    const outcome = await redis.run(windowScript, { keys, args: [JSON.stringify(asked)] });
    const reply = outcome.kind === "replied" ? readReply(outcome.replies[0]) : null;
    const repliedAtMs = clock.now();
    if (reply === null || repliedAtMs - askedAtMs > lateAfterMs) return null;
    const [mark, redisMs, opensInMs] = reply;
    const time = { mark, redisMs, askedAtMs, repliedAtMs };
    // A new mark shuts the windows of all accounts, at all servers.
    if (mark !== doubted && hasJumped(lastSteady, time)) return ask(shared, ids, mark);
    lastSteady = time;
    const written = reply[10];
    known = { mark, written: mark === known.mark ? Math.max(known.written, written) : written };
    if (opensInMs > 0) onShut(opensInMs);
    unreported.clear();
    room.tell(reply, repliedAtMs);
    return reply;
  }

  function failedFor(waitMs: number) {
    return { kind: "failed" as const, retryAfterMs: waitMs + clock.random() * retryMs };
  }

  return {
    async look() {
      await ask(accounts.of(nobody), []);
    },
    async step(account, events) {
      const shared = accounts.of(account);
      let decided = decide(shared, events);
      const send: string[] = [];
      const rejected = [...decided.rejected];
      while (decided.send.length > 0 || shared.unreported.size > 0) {
        const reply = await ask(shared, decided.send);
        shared.toldAtMs = reply === null ? -Infinity : clock.now();
        if (reply === null) return failedFor(retryMs);
        const [, , opensInMs, sent] = reply;
        if (opensInMs > 0) return failedFor(opensInMs);
        send.push(...decided.send.slice(0, sent));
        const denied = decided.send.slice(sent);
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
      return Promise.resolve(shared.turns.usage(nowMs));
    },
  };
}

interface ToldRoom extends Room {
  tell(reply: Reply, nowMs: number): void;
}

/** What Redis said last, and this server's calls since. When a call may have stopped counting, Redis is asked again. */
function createToldRoom(): ToldRoom {
  let used = { edit: 0, bulk: 0 };
  let leaveAtMs = { edit: 0, bulk: 0 };
  let recentEdits = 0;
  const room: ToldRoom = {
    used: (kind) => used[kind],
    editsAMinute: () => Math.max(used.edit, 3 * recentEdits),
    leaveAtMs: (_count, kind) => (kind === null ? Math.min(leaveAtMs.edit, leaveAtMs.bulk) : leaveAtMs[kind]),
    sent(kind: Kind) {
      used = { ...used, [kind]: used[kind] + 1 };
      if (kind === "edit") recentEdits += 1;
    },
    // Redis is told, and says what counts then.
    ended: () => undefined,
    withdrawn: () => undefined,
    paceAtMs: -Infinity,
    tell([, , , , edit, bulk, recent, editInMs, bulkInMs, paceInMs], nowMs) {
      used = { edit, bulk };
      recentEdits = recent;
      leaveAtMs = {
        edit: nowMs + Math.min(editInMs, windowMs),
        bulk: nowMs + Math.min(bulkInMs, windowMs),
      };
      room.paceAtMs = nowMs + paceInMs;
    },
  };
  return room;
}

/** Null for a reply of another form. */
function readReply(value: unknown): Reply | null {
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const [mark, ...numbers] = parts;
  const isReply =
    typeof mark === "string" && numbers.length === 10 && numbers.every((each) => typeof each === "number");
  return isReply ? (parts as unknown as Reply) : null;
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
