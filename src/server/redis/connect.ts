/**
 * The connection to Redis, over `@redis/client`, which is loaded here and only when this is called. It connects again
 * by itself, reads user and password each time anew, and after whatever went wrong tries with a write whether Redis
 * serves again before anybody else may ask it.
 */
import { messageOf } from "../../domain/errors";
import type { SteadyClock } from "../shared-quota/clock";
import { faultOfInfo, policyFault } from "./info";
import type { Redis, RedisObserver, ScriptOutcome } from "./redis";

export interface RedisOptions {
  readonly address: RedisAddress;
  readonly readLogin: ReadLogin;
  /** Before every key and channel. */
  readonly prefix: string;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
  readonly observer: RedisObserver;
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly tls: boolean;
  /** All certificates to trust, as PEM; null for Node's own. */
  readonly ca: readonly string[] | null;
}

/** Rejects where one is named and cannot be read. */
export type ReadLogin = () => Promise<{ readonly username?: string; readonly password?: string }>;

/** Longer than any script takes, and about as long as a call is held. */
const answersWithinMs = 2_000;
const triedEveryMs = 1_000;
/** Its settings may change while it runs. */
const lookedAtEveryMs = 60_000;
const connectsWithinMs = 4_000;
const pingedEveryMs = 2_000;
/** Nothing came, not even the answer to a ping. */
const deadAfterMs = 6_000;

type Said = { readonly kind: "said"; readonly value: unknown } | Unsaid;
type Unsaid = { readonly kind: "refused" | "silent"; readonly reason: string };

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
      Math.min(triedEveryMs, 50 * 2 ** retries) * (0.5 + Math.random() / 2),
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
    // Deadlines are counted here: the client's own end with the sending.
    commandOptions: { timeout: 0 },
  });
  const asBytes = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };
  /** Null before the first try. */
  let isAvailable: boolean | null = null;
  let isTrying = false;
  let isClosed = false;
  let timer: unknown = null;
  let lookTimer: unknown = null;
  let knownPolicyFault: string | null = null;
  const asked = new Set<Promise<Said>>();

  function available(): void {
    if (isAvailable === true) return;
    isAvailable = true;
    observer.available();
  }

  function away(reason: string): void {
    if (isClosed) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void tryIt(), triedEveryMs);
    if (isAvailable === false) return;
    isAvailable = false;
    observer.away(reason);
  }

  /** With a write: one that is full or follows another would answer all the same. */
  async function tryIt(): Promise<void> {
    if (isTrying || isClosed) return;
    isTrying = true;
    const info = await ask(["INFO"]);
    const wrote = info.kind === "said" ? await ask(["SET", `${prefix}tried`, "1", "PX", "1000"]) : info;
    isTrying = false;
    lookLater();
    const fault = info.kind === "said" ? faultOfInfo(String(info.value)) : null;
    if (info.kind === "said") tellPolicy(policyFault(String(info.value)));
    if (wrote.kind !== "said") away(wrote.reason);
    else if (fault !== null) away(fault);
    else available();
  }

  function lookLater(): void {
    clock.clearTimeout(lookTimer);
    if (!isClosed) lookTimer = clock.setTimeout(() => void tryIt(), lookedAtEveryMs);
  }

  function tellPolicy(fault: string | null): void {
    if (fault !== null && fault !== knownPolicyFault) observer.doubtful(fault);
    knownPolicyFault = fault;
  }

  function ask(command: readonly (string | Buffer)[], how = {}): Promise<Said> {
    const said = askInTime(command, how);
    asked.add(said);
    return said.finally(() => asked.delete(said));
  }

  async function askInTime(command: readonly (string | Buffer)[], how: object): Promise<Said> {
    let deadline: unknown = null;
    const isOver = new Promise<Said>((resolve) => {
      const late = { kind: "silent", reason: `no answer within ${answersWithinMs / 1_000} seconds` } as const;
      deadline = clock.setTimeout(() => resolve(late), answersWithinMs);
    });
    try {
      const said = client.sendCommand(command, how).then(
        (value): Said => ({ kind: "said", value }),
        (error: unknown): Said => ({
          kind: error instanceof ErrorReply ? "refused" : "silent",
          reason: messageOf(error),
        }),
      );
      return await Promise.race([said, isOver]);
    } finally {
      clock.clearTimeout(deadline);
    }
  }

  client.on("error", (error: unknown) => away(messageOf(error)));
  client.on("ready", () => void tryIt());
  // Never gives up, so it neither ends nor rejects before `close`.
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
      let said = await ask(["EVALSHA", digest, ...given], how);
      if (said.kind === "refused" && said.reason.startsWith("NOSCRIPT")) {
        said = await ask(["EVAL", text, ...given], how);
      }
      if (said.kind === "said") return { kind: "ran", value: said.value };
      away(said.reason);
      return { kind: "away" };
    },
    listen(channel, listener) {
      const subscribe = (): void => {
        client.subscribe(prefix + channel, listener).catch(() => {
          if (!isClosed) clock.setTimeout(subscribe, triedEveryMs);
        });
      };
      subscribe();
    },
    async close() {
      isClosed = true;
      clock.clearTimeout(timer);
      clock.clearTimeout(lookTimer);
      // How calls ended is told without anybody waiting for it, the last ones too.
      while (asked.size > 0) await Promise.all(asked);
      isAvailable = false;
      client.destroy();
    },
  };
}
