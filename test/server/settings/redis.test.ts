/** The settings of Redis: an error names each mistake and contains no password. */
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

const url = "redis://localhost:6379";
it.each([
  [{ url: "https://redis.example.com" }, "redis.url: must be a rediss address (redis only for localhost)"],
  [{ url: "redis://redis.example.com" }, "redis.url: must be a rediss address (redis only for localhost)"],
  [{ url: "rediss://" }, "redis.url: must name a host"],
  [
    { url: "rediss://:hunter2@redis.example.com" },
    'redis.url: must not contain a user name or password; "user" and "password" name their places',
  ],
  [{ url: "rediss://redis.example.com/keys" }, "redis.url: may have nothing behind host and port but"],
  [{ url: "rediss://redis.example.com?db=hunter2" }, 'redis.url: must end before any "?" or "#"'],
  [{ url, prefix: "a b:" }, "redis.prefix: must be 1 to 63 letters, digits and . _ - with a"],
  [{ url, prefix: "inv:acme:" }, "redis.prefix: must be 1 to 63 letters, digits and . _ - with a"],
  [{ url, ca: "nowhere" }, "redis.ca names a file that can't be read: it doesn't exist."],
  [{ url, secret: "hunter2" }, "redis: 1 name isn't a setting of INV; allowed here: url, prefix"],
  [{ url, password: "hunter2" }, 'redis.password: must be "file:PATH" or "env:NAME"'],
  [{ url, password: "file:nowhere" }, "redis.password names a file that can't be used: it doesn't exist."],
  [{ url, password: "env:NOWHERE" }, "redis.password names a variable that isn't set."],
  [{ url, user: "env:SET" }, "redis.user needs redis.password."],
  [{ prefix: "x" }, "redis.url: Invalid input: expected string, received undefined"],
])("names what is wrong with %j", (redis, fault) => {
  const said = () => read(redis, { SET: "x" });
  expect(said).toThrow(fault);
  expect(said).not.toThrow("hunter2");
});

it("is tried only by --check --connect", () => {
  expect(readCommandLine(["--check", "--connect"])).toMatchObject({ check: true, connect: true });
  expect(() => readCommandLine(["--connect"])).toThrow("--connect: needs --check");
});
