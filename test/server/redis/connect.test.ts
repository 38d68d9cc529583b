/** The connection to a real Redis: commands and scripts, what it reports during an outage, and its automatic reconnection. */
import { readFileSync } from "node:fs";
import { redisAddress, redisLogin } from "../../../src/server/redis/configured";
import { connectRedis } from "../../../src/server/redis/connect";
import { faultsOfInfo } from "../../../src/server/redis/info";
import { createScript, type Redis } from "../../../src/server/redis/redis";
import { tryRedis } from "../../../src/server/redis/try-redis";
import { selfSigned } from "../../helpers/certificate";
import { ownFolder } from "../../helpers/own-folder";
import { describeWithRedis, type RedisProcess, startRedis } from "../../helpers/redis-process";
import { until, wait } from "../../helpers/until";
import { clockOf } from "../parts";

const put = createScript('return redis.call("SET", KEYS[1], ARGV[1])');
const get = createScript('return redis.call("GET", KEYS[1])');
const replied = (...replies: readonly unknown[]) => ({ kind: "replied", replies });

/** The rights of INV's user in docs/several-servers.md. */
function documentedRights(): readonly string[] {
  const line = /^user inv on .*$/m.exec(readFileSync("docs/several-servers.md", "utf8"))?.[0] ?? "";
  return line.split(" ").filter((word) => /^[+-]/.test(word));
}

interface Bed {
  readonly redis: Redis;
  /** What the observer received. */
  readonly told: string[];
}

describeWithRedis("the connection to Redis", () => {
  let server: RedisProcess;
  const password = "the-password";
  const folder = ownFolder();
  const beds: Bed[] = [];

  beforeAll(async () => {
    server = await startRedis({ password });
  });
  afterEach(async () => {
    for (const { redis } of beds.splice(0)) await redis.close();
  });
  afterAll(() => server.kill());

  async function connect(
    changes: { server?: RedisProcess; password?: string; ca?: string[]; prefix?: string } = {},
  ) {
    const { server: { url } = server, password: given = password, ca = null, prefix = "inv:" } = changes;
    const config = { url, prefix, ca, password: "env:PASSWORD" };
    const told: string[] = [];
    const clock = clockOf();
    const redis = await connectRedis({
      address: redisAddress(config),
      readLogin: redisLogin(config, { PASSWORD: given }),
      prefix,
      clock: {
        ...clock,
        setTimeout: (call, waitMs) => clock.setTimeout(call, waitMs === 60_000 ? 50 : waitMs),
      },
      observer: {
        available: () => told.push("available"),
        away: (reason) => told.push(reason),
        doubtful: (reason) => told.push(`doubtful: ${reason}`),
      },
    });
    const bed = { redis, told };
    beds.push(bed);
    await until(() => told.length > 0);
    return bed;
  }

  it("runs scripts on keys with its prefix, even after Redis has forgotten the scripts", async () => {
    const [one, other] = [await connect(), await connect({ prefix: "other:" })];
    expect(await one.redis.run(put, { keys: ["k"], args: ["ü"] })).toEqual(replied("OK"));
    expect(await other.redis.run(get, { keys: ["k"], args: [] })).toEqual(replied(null));
    await server.command("SCRIPT", "FLUSH");
    expect(await one.redis.run(get, { keys: ["k"], args: [] })).toEqual(replied("ü"));
  });

  it("sends several commands together, in their order, and fails if one of them does", async () => {
    const { redis, told } = await connect();
    const sent = await redis.send([
      ["SET", ["n"], 1, "PX", 60_000],
      ["INCRBY", ["n"], 4],
      ["MGET", ["n", "unknown"]],
    ]);
    expect(sent).toEqual(replied("OK", 5, ["5", null]));
    expect(
      await redis.send([
        ["INCR", ["n"]],
        ["ZCARD", ["n"]],
      ]),
    ).toEqual({ kind: "away" });
    expect(told).toEqual(["available", expect.stringMatching(/^WRONGTYPE/)]);
    await until(() => redis.isAvailable);
  });

  it("reports at once that Redis is away, once why, and reconnects by itself", async () => {
    const { redis, told } = await connect();
    await server.kill();
    await until(() => told.length === 2);
    expect(await redis.run(get, { keys: ["k"], args: [] })).toEqual({ kind: "away" });
    // No call waited, because the observer would have reported that.
    expect(told.slice(1)).toEqual([expect.not.stringMatching(/no answer within/)]);
    await server.restart();
    await until(() => redis.isAvailable);
    expect(told).toEqual(["available", expect.any(String), "available"]);
    expect(await redis.run(get, { keys: ["k"], args: [] })).toEqual(replied(null));
  });

  it("waits two seconds for an answer, then sends nothing until there is one", async () => {
    const { redis, told } = await connect();
    server.pause();
    expect(await redis.run(get, { keys: ["k"], args: [] })).toEqual({ kind: "away" });
    expect(told).toEqual(["available", "no answer within 2 seconds"]);
    server.resume();
    await until(() => redis.isAvailable);
  });

  it.each([
    ["full", ["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"], /^OOM/],
    [
      "a follower",
      ["REPLICAOF", "127.0.0.1", "1"],
      ["REPLICAOF", "NO", "ONE"],
      /^(READONLY|it follows another)/,
    ],
  ])("does not use one that is %s, until it is no more", async (_, before, after, reason) => {
    const { redis, told } = await connect();
    await server.command(...before);
    expect((await redis.run(put, { keys: ["k"], args: ["v"] })).kind).toBe("away");
    // Longer than the time between two checks.
    await wait(1_100);
    expect(redis.isAvailable).toBe(false);
    await server.command(...after);
    await until(() => redis.isAvailable);
    expect(told).toEqual(["available", expect.stringMatching(reason), "available"]);
  });

  it("warns once when a running Redis begins to drop keys, and continues", async () => {
    const { redis, told } = await connect();
    await server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    await until(() => told.length === 2);
    await server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    expect(told).toEqual(["available", expect.stringMatching(/^doubtful: .*allkeys-lru/)]);
    expect(redis.isAvailable).toBe(true);
  });

  it("reports why Redis refuses the login, without the password", async () => {
    const { told } = await connect({ password: "a-wrong-one" });
    expect(told).toEqual([expect.stringMatching(/^WRONGPASS/)]);
    expect(told.join()).not.toContain("a-wrong-one");
  });

  it("is tried before the start, and faults are named without the password", async () => {
    const config = {
      url: server.url,
      prefix: "inv:",
      ca: null,
      password: "env:PASSWORD",
      cacheMegabytes: 64,
    };
    const faults = (given: string) => tryRedis(config, clockOf(), { PASSWORD: given });
    expect(await faults(password)).toEqual([]);
    const wrong = await faults("a-wrong-one");
    expect(wrong).toEqual([expect.stringMatching(/^redis cannot be used: WRONGPASS.*[^.]\.$/)]);
    expect(wrong.join()).not.toContain("a-wrong-one");
    const asUser = { ...config, url: `${server.url}/1`, user: "env:USER" };
    const variables = { USER: "limited", PASSWORD: "limited" };
    const limit = (...rights: readonly string[]) =>
      server.command("ACL", "SETUSER", "limited", "reset", "on", ">limited", "~inv:*", ...rights);
    await limit(...documentedRights());
    expect(await tryRedis(asUser, clockOf(), variables)).toEqual([]);
    // Each of them is needed, and a missing one is named before the start.
    for (const right of documentedRights().slice(1)) {
      await limit(...documentedRights().filter((each) => each !== right));
      await server.command("SCRIPT", "FLUSH");
      const [fault = ""] = await tryRedis(asUser, clockOf(), variables);
      expect(fault).toMatch(
        new RegExp(`no permissions .*'${right.slice(1)}'|executing the script can't run`, "i"),
      );
    }
    await server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    const policy = "redis cannot be used: its maxmemory-policy is allkeys-lru, and must be noeviction.";
    expect(await faults(password)).toEqual([policy]);
    await server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    const told = (version: string, maxBytes: number) =>
      faultsOfInfo(
        `redis_version:${version}\r\nrole:master\r\nmaxmemory:${maxBytes}\r\nmaxmemory_policy:noeviction\r\n`,
        config,
      );
    expect(told("6.2.1", 0)).toEqual(["it is version 6.2.1, and INV needs 7 or later"]);
    const megabytes = 1_048_576;
    expect(told("7.2.0", 64 * megabytes)).toEqual([
      "its maxmemory is 64 MB, and must be more than cacheMegabytes (64)",
    ]);
    expect(told("7.2.0", 65 * megabytes)).toEqual([]);
  });

  describe("with TLS", () => {
    const [own, other] = [selfSigned(), selfSigned()];
    let secured: RedisProcess;

    beforeAll(async () => {
      const tls = { cert: folder.write("cert.pem", own.cert), key: folder.write("key.pem", own.key) };
      secured = await startRedis({ tls, password });
    });
    afterAll(() => secured.kill());

    it("connects to a Redis whose authority is configured", async () => {
      expect((await connect({ server: secured, ca: [own.cert] })).told).toEqual(["available"]);
    });

    it.each<[string, { ca: string[] | null; host?: string }, RegExp]>([
      ["of no configured authority", { ca: null }, /self-signed certificate/],
      ["of another authority", { ca: [other.cert] }, /self-signed certificate/],
      ["for another host", { ca: [own.cert], host: "0.0.0.0" }, /IP: 0\.0\.0\.0 is not in the cert's list/],
    ])("refuses a certificate %s and says so, also before the start", async (_, { ca, host }, reason) => {
      const url = `rediss://${host ?? "localhost"}:${secured.port}`;
      const { redis, told } = await connect({ server: { ...secured, url }, ...(ca !== null && { ca }) });
      expect(told).toEqual([expect.stringMatching(reason)]);
      expect(await redis.run(get, { keys: ["x"], args: [] })).toEqual({ kind: "away" });
      const config = { url, prefix: "inv:", ca, password: "env:PASSWORD", cacheMegabytes: 64 };
      expect(await tryRedis(config, clockOf(), { PASSWORD: password })).toEqual([
        expect.stringMatching(new RegExp(`^redis cannot be used: .*${reason.source}`)),
      ]);
    });
  });
});
