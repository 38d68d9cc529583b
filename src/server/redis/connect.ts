/**
 * Connects to Redis with `@redis/client`, which is loaded only when this function is called. The connection reconnects by
 * itself and reads user and password again each time. After any failure, Redis counts as away until a test write succeeds.
 */
import { messageOf } from "../../domain/errors";
import type { SteadyClock } from "../steady-clock";
import { faultOfInfo, policyFault } from "./info";
import type { Redis, RedisObserver, ScriptOutcome } from "./redis";

export interface RedisOptions {
  readonly address: RedisAddress;
  readonly readLogin: ReadLogin;
  /** Prefix of all keys and channels. */
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

/** Longer than any script takes, and about as long as a call is held. */
const answersWithinMs = 2_000;
const testedEveryMs = 1_000;
/** Redis's settings may change while it runs. */
const checkedEveryMs = 60_000;
const connectsWithinMs = 4_000;
const pingedEveryMs = 2_000;
/** Without any data for this long, not even the answer to a ping, the connection is closed. */
const deadAfterMs = 6_000;

type RawReply = { readonly kind: "reply"; readonly value: unknown } | NoReply;
type NoReply = { readonly kind: "refused" | "silent"; readonly reason: string };

export async function connectRedis(options: RedisOptions): Promise<Redis> {
  const { address, readLogin, prefix, clock, observer } = options;
  const { createClient, ErrorReply, RESP_TYPES } = await import("@redis/client");
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
  const asBytes = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };
  /** Null before the first test. */
  let isAvailable: boolean | null = null;
  let isTesting = false;
  let isClosed = false;
  let timer: unknown = null;
  let testTimer: unknown = null;
  let lastPolicyFault: string | null = null;
  const pending = new Set<Promise<RawReply>>();

  function available(): void {
    if (isAvailable === true) return;
    isAvailable = true;
    observer.available();
  }

  function away(reason: string): void {
    if (isClosed) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void test(), testedEveryMs);
    if (isAvailable === false) return;
    isAvailable = false;
    observer.away(reason);
  }

  /** Tests with a write, because a full Redis and a replica still answer reads. */
  async function test(): Promise<void> {
    if (isTesting || isClosed) return;
    isTesting = true;
    const info = await ask(["INFO"]);
    const wrote = info.kind === "reply" ? await ask(["SET", `${prefix}tried`, "1", "PX", "1000"]) : info;
    isTesting = false;
    testLater();
    const fault = info.kind === "reply" ? faultOfInfo(String(info.value)) : null;
    if (info.kind === "reply") reportPolicy(policyFault(String(info.value)));
    if (wrote.kind !== "reply") away(wrote.reason);
    else if (fault !== null) away(fault);
    else available();
  }

  function testLater(): void {
    clock.clearTimeout(testTimer);
    if (!isClosed) testTimer = clock.setTimeout(() => void test(), checkedEveryMs);
  }

  function reportPolicy(fault: string | null): void {
    if (fault !== null && fault !== lastPolicyFault) observer.doubtful(fault);
    lastPolicyFault = fault;
  }

  function ask(command: readonly (string | Buffer)[], how = {}): Promise<RawReply> {
    const reply = askInTime(command, how);
    pending.add(reply);
    return reply.finally(() => pending.delete(reply));
  }

  async function askInTime(command: readonly (string | Buffer)[], how: object): Promise<RawReply> {
    let deadline: unknown = null;
    const isOver = new Promise<RawReply>((resolve) => {
      const late = { kind: "silent", reason: `no answer within ${answersWithinMs / 1_000} seconds` } as const;
      deadline = clock.setTimeout(() => resolve(late), answersWithinMs);
    });
    try {
      const reply = client.sendCommand(command, how).then(
        (value): RawReply => ({ kind: "reply", value }),
        (error: unknown): RawReply => ({
          kind: error instanceof ErrorReply ? "refused" : "silent",
          reason: messageOf(error),
        }),
      );
      return await Promise.race([reply, isOver]);
    } finally {
      clock.clearTimeout(deadline);
    }
  }

  client.on("error", (error: unknown) => away(messageOf(error)));
  client.on("ready", () => void test());
  // It retries for ever, so it neither resolves nor rejects before `close`.
  client.connect().catch(() => undefined);

  return {
    get isAvailable() {
      return isAvailable === true;
    },
    async run({ digest, text }, { keys, args, isBinary = false }): Promise<ScriptOutcome> {
      if (isAvailable !== true) return { kind: "away" };
      const given = [
        String(keys.length),
        ...keys.map((key) => prefix + key),
        ...args.map((each) => (typeof each === "number" ? String(each) : each)),
      ];
      const how = isBinary ? asBytes : {};
      let reply = await ask(["EVALSHA", digest, ...given], how);
      if (reply.kind === "refused" && reply.reason.startsWith("NOSCRIPT")) {
        reply = await ask(["EVAL", text, ...given], how);
      }
      if (reply.kind === "reply") return { kind: "ran", value: reply.value };
      away(reply.reason);
      return { kind: "away" };
    },
    listen(channel, listener) {
      const subscribe = (): void => {
        client.subscribe(prefix + channel, listener).catch(() => {
          if (!isClosed) clock.setTimeout(subscribe, testedEveryMs);
        });
      };
      subscribe();
    },
    async close() {
      isClosed = true;
      clock.clearTimeout(timer);
      clock.clearTimeout(testTimer);
      // Nobody waits for the last reports of how calls ended, so wait for them here.
      while (pending.size > 0) await Promise.all(pending);
      isAvailable = false;
      client.destroy();
    },
  };
}
