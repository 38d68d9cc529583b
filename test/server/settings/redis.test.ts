/** The settings of Redis. `check.test.ts` has the mistakes. */
import { rmSync } from "node:fs";
import { redisAddress, redisLogin } from "../../../src/server/redis/configured";
import { readCommandLine } from "../../../src/server/command-line";
import { readSettings } from "../../../src/server/settings/read";
import { selfSigned } from "../../helpers/certificate";
import { ownFolder } from "../../helpers/own-folder";

const { write } = ownFolder();

function read(redis: object | undefined, variables: Record<string, string> = {}) {
  return readSettings({ path: write("inv.json", { redis }), variables }).redis;
}

it("is null unless configured, and needs only an address", () => {
  expect(read(undefined)).toBeNull();
  expect(read({ url: "rediss://redis.example.com" })).toEqual({
    url: "rediss://redis.example.com",
    prefix: "inv:",
    ca: null,
  });
});

it("has an address, and reads user and password again each time", async () => {
  const { cert } = selfSigned();
  const ca = write("ca.pem", cert);
  const passwordFile = write("password", "first\n");
  const config = read(
    { url: "rediss://[::1]/3", ca, user: "env:REDIS_USER", password: `file:${passwordFile}` },
    { REDIS_USER: "inv" },
  )!;
  expect(redisAddress(config)).toMatchObject({ host: "::1", port: 6379, database: 3, tls: true });
  expect(config.ca).toContain(cert);
  const login = redisLogin(config, { REDIS_USER: "inv" });
  expect(await login()).toEqual({ username: "inv", password: "first" });
  write("password", "second");
  expect(await login()).toEqual({ username: "inv", password: "second" });
  rmSync(passwordFile);
  await expect(login()).rejects.toThrow(/^redis.password cannot be read$/);
});

it("is tried only by --check --connect", () => {
  expect(readCommandLine(["--check", "--connect"])).toMatchObject({ check: true, connect: true });
  expect(() => readCommandLine(["--connect"])).toThrow("--connect: needs --check");
});
