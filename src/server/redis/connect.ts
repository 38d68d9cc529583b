/**
 * Connects to Redis with `@redis/client`, which is loaded only when this function is called. The connection reconnects by
 * itself and reads user and password again each time. After any failure, Redis counts as away until a test write succeeds.
 */
import { messageOf } from "../../domain/errors";
import { unawaited } from "../../domain/unawaited";
import type { SteadyClock } from "../steady-clock";
import { codeOf } from "../system-error";
import { faultOfInfo, policyFault } from "./info";
import type { Away, Redis, RedisObserver, Replied } from "./redis";

export interface RedisOptions {
  readonly address: RedisAddress;
  readonly readLogin: ReadLogin;
  /** Prefix of all keys. */
  readonly prefix: string;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
  readonly observer: RedisObserver;
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly tls: boolean;
  /** The only certificates to trust, as PEM; null for Node's list. */
  readonly ca: readonly string[] | null;
}

/** Rejects when a configured user or password can't be read. */
export type ReadLogin = () => Promise<{ readonly username?: string; readonly password?: string }>;

/** Longer than Redis ever takes, and about as long as a call waits in the queue. */
const answersWithinMs = 2_000;
const testedEveryMs = 1_000;
/** Redis's settings may change while it runs. */
const checkedEveryMs = 60_000;
const connectsWithinMs = 4_000;
const pingedEveryMs = 2_000;
/** The connection is closed if no data arrives for this long, not even the answer to a ping. */
const deadAfterMs = 6_000;

type Ask = (...commands: readonly (readonly string[])[]) => Promise<RawReply>;

type RawReply = { readonly kind: "reply"; readonly values: readonly unknown[] } | NoReply;
type NoReply = { readonly kind: "refused" | "silent"; readonly reason: string };

export async function connectRedis(options: RedisOptions): Promise<Redis> {
  const { address, readLogin, prefix, clock, observer } = options;
  const { createClient, ErrorReply } = await import("@redis/client");
  const { host, port, database, ca } = address;
  const socket = {
    host,
    port,
    connectTimeout: connectsWithinMs,
    socketTimeout: deadAfterMs,
    reconnectStrategy: (retries: number) =>
      Math.min(testedEveryMs, 50 * 2 ** retries) * (0.5 + Math.random() / 2),
  };
  const client = createClient({
    RESP: 3,
    database,
    socket: address.tls ? { ...socket, tls: true, ...(ca !== null && { ca: [...ca] }) } : socket,
    credentialsProvider: { type: "async-credentials-provider", credentials: readLogin },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    pingInterval: pingedEveryMs,
    // The client's own timeouts end with the sending, so this file has its own.
    commandOptions: { timeout: 0 },
  });
  const pending = new Set<Promise<RawReply>>();
  const whenAvailable: (() => void)[] = [];
  let isClosed = false;
  const withPrefix = (keys: readonly string[]) => keys.map((key) => prefix + key);

  const ask: Ask = (...commands) => {
    const reply = Promise.all(commands.map((command) => client.sendCommand(command))).then(
      (values): RawReply => ({ kind: "reply", values }),
      (error: unknown): RawReply => ({
        kind: error instanceof ErrorReply ? "refused" : "silent",
        reason: messageOf(error),
      }),
    );
    const inTime = withinDeadline(reply, clock);
    pending.add(inTime);
    return inTime.finally(() => pending.delete(inTime));
  };

  function settled(reply: RawReply): Replied | Away {
    if (reply.kind === "reply") return { kind: "replied", replies: reply.values };
    health.away(reply.reason);
    return { kind: "away" };
  }

  const health = watchHealth(ask, {
    prefix,
    clock,
    observer: {
      ...observer,
      available() {
        observer.available();
        for (const callback of whenAvailable) callback();
      },
    },
  });
  client.on("error", (error: unknown) => health.away(whyAway(error)));
  client.on("ready", () => unawaited(health.test()));
  // A connection that is being opened when the client is destroyed opens all the same, and would keep the process alive.
  client.on("connect", () => {
    if (isClosed) client.destroy();
  });
  // It retries for ever, so it neither resolves nor rejects before `close`.
  client.connect().catch(() => undefined);

  return {
    get isAvailable() {
      return health.isAvailable();
    },
    whenAvailable(callback) {
      whenAvailable.push(callback);
      if (health.isAvailable()) callback();
    },
    async send(commands) {
      if (!health.isAvailable()) return { kind: "away" };
      const all = commands.map(([name, keys, ...others]) => [
        name,
        ...withPrefix(keys),
        ...others.map(String),
      ]);
      return settled(await ask(...all));
    },
    async run({ digest, text }, { keys, args }) {
      if (!health.isAvailable()) return { kind: "away" };
      const given = [String(keys.length), ...withPrefix(keys), ...args.map(String)];
      const reply = await ask(["EVALSHA", digest, ...given]);
      const isUnknown = reply.kind === "refused" && reply.reason.startsWith("NOSCRIPT");
      return settled(isUnknown ? await ask(["EVAL", text, ...given]) : reply);
    },
    async close() {
      health.stop();
      // Nobody waits for the last reports of how calls ended, so wait for them here.
      while (pending.size > 0) await Promise.all(pending);
      isClosed = true;
      client.destroy();
    },
  };
}

/** OpenSSL's and the client's own texts name no remedy. */
function whyAway(error: unknown): string {
  const [code, words] = [codeOf(error) ?? "", messageOf(error)];
  if (code.startsWith("ERR_SSL_")) return `no TLS connection (${code}); redis.url must name a port with TLS`;
  return words.startsWith("Unknown RESP type") ? "what answers there isn't Redis" : words;
}

async function withinDeadline(
  reply: Promise<RawReply>,
  clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">,
): Promise<RawReply> {
  let deadline: unknown = null;
  const isOver = new Promise<RawReply>((resolve) => {
    const late = { kind: "silent", reason: `no answer within ${answersWithinMs / 1_000} seconds` } as const;
    deadline = clock.setTimeout(() => resolve(late), answersWithinMs);
  });
  try {
    return await Promise.race([reply, isOver]);
  } finally {
    clock.clearTimeout(deadline);
  }
}

interface Health {
  isAvailable(): boolean;
  /** Redis counts as away until a test succeeds. */
  away(reason: string): void;
  test(): Promise<void>;
  stop(): void;
}

function watchHealth(
  ask: Ask,
  { prefix, clock, observer }: Pick<RedisOptions, "prefix" | "clock" | "observer">,
): Health {
  /** Null before the first test. */
  let isAvailable: boolean | null = null;
  let isTesting = false;
  let isStopped = false;
  let retryTimer: unknown = null;
  let checkTimer: unknown = null;
  let lastPolicyFault: string | null = null;

  function away(reason: string): void {
    if (isStopped) return;
    clock.clearTimeout(retryTimer);
    retryTimer = clock.setTimeout(() => unawaited(test()), testedEveryMs);
    if (isAvailable === false) return;
    isAvailable = false;
    observer.away(reason);
  }

  /** Tests with a write, because a full Redis and a replica still answer reads. */
  async function test(): Promise<void> {
    if (isTesting || isStopped) return;
    isTesting = true;
    const info = await ask(["INFO"]);
    const wrote = info.kind === "reply" ? await ask(["SET", `${prefix}tried`, "1", "PX", "1000"]) : info;
    isTesting = false;
    checkLater();
    const text = info.kind === "reply" ? String(info.values[0]) : null;
    if (text !== null) reportPolicy(policyFault(text));
    const fault = wrote.kind === "reply" ? faultOfInfo(text ?? "") : wrote.reason;
    if (fault !== null) away(fault);
    else if (isAvailable !== true) {
      isAvailable = true;
      observer.available();
    }
  }

  function checkLater(): void {
    clock.clearTimeout(checkTimer);
    if (!isStopped) checkTimer = clock.setTimeout(() => unawaited(test()), checkedEveryMs);
  }

  function reportPolicy(fault: string | null): void {
    if (fault !== null && fault !== lastPolicyFault) observer.doubtful(fault);
    lastPolicyFault = fault;
  }

  return {
    isAvailable: () => isAvailable === true,
    away,
    test,
    stop() {
      isStopped = true;
      clock.clearTimeout(retryTimer);
      clock.clearTimeout(checkTimer);
    },
  };
}
