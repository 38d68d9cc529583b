/** The administrator's settings: defaults, the one variable, and every mistake by its name. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { ConfigError } from "../../../src/server/settings/config-error";
import { readSettings, type ServerConfig } from "../../../src/server/settings/read";
import { settingsSchema } from "../../../src/server/settings/schema";
import { createSecret } from "../../../src/server/sign-in/secret";
import { selfSigned } from "../../helpers/certificate";
import { ownFolder } from "../../helpers/own-folder";

type Variables = Readonly<Record<string, string>>;

describe("the server's settings", () => {
  const { path: folder, write } = ownFolder();
  const read = (content: unknown, variables: Variables = {}): ServerConfig =>
    readSettings({ path: write("inv.json", content), variables });
  const faultOf = (content: unknown, variables: Variables = {}): string => {
    try {
      read(content, variables);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return (error as Error).message.replace(folder, "");
    }
    throw new Error("The settings were accepted.");
  };
  const production = {
    id: "production",
    label: "Production",
    kind: "production",
    tokenUrl: "https://auth.example.com/token",
    searchUrl: "https://api.example.com/v1/search-items",
    eventsUrl: "https://history.example.com/v2/events",
  };
  const withProduction = (changes: object) => ({ environments: [{ ...production, ...changes }] });

  it("have defaults: only this machine, plain HTTP, no real environment", () => {
    expect(readSettings({ path: null, variables: {} })).toEqual({
      host: "localhost",
      port: 3000,
      tls: null,
      redis: null,
      allowPlainHttp: false,
      trustProxy: [],
      hosts: [],
      frames: [],
      environments: [],
      maxConnections: 4_096,
      demo: false,
      cacheMegabytes: 64,
      outgoing: { ca: null, proxy: null, noProxy: [] },
      stopNoticeSeconds: 2,
      logLevel: "info",
    });
  });

  it.each(["demo", "embedded-sandbox", "embedded-production"])(
    "refuse the id %s, which sample stock has",
    (id) => {
      expect(faultOf(withProduction({ id }))).toContain(`environments[0].id "${id}" is reserved.`);
    },
  );

  it("may begin with a byte order mark", () => {
    expect(read(`\uFEFF${JSON.stringify({ port: 4000 })}`).port).toBe(4000);
  });

  it("may be UTF-16, which Windows PowerShell writes with >, as may a secret", () => {
    const windows = (text: string) => Buffer.from(`\uFEFF${text}\r\n`, "utf16le");
    const proxy = `file:${write("proxy", windows("http://proxy.example.com"))}`;
    expect(read(windows(JSON.stringify({ port: 4000, outgoing: { proxy } })))).toMatchObject({
      port: 4000,
      outgoing: { proxy: "http://proxy.example.com" },
    });
  });

  const hasPipes = process.platform !== "win32";
  (hasPipes ? it : it.skip)(
    "name secrets, and a file that answers late holds up no other request",
    async () => {
      const late = join(folder, "late");
      spawnSync("mkfifo", [late]);
      // Another process writes, because a server that waits for its file does nothing else.
      spawn("sh", ["-c", 'sleep 0.3; echo the-secret > "$0"', late]);
      const order: string[] = [];
      const read = createSecret(`file:${late}`)().then((secret) => order.push(secret));
      await new Promise((resolve) => setImmediate(resolve));
      order.push("another request");
      await read;
      expect(order).toEqual(["another request", "the-secret"]);
    },
  );

  it("must not be of another encoding, which would change labels and secrets without a word", () => {
    const label = (text: string) => JSON.stringify(withProduction({ label: text }));
    const fault = "The configuration file /inv.json can't be read: its text isn't UTF-8.";
    expect(faultOf(Buffer.from(label("Märkte"), "latin1"))).toBe(fault);
    const secret = `file:${write("secret", Buffer.from("Schlüssel", "latin1"))}`;
    const faults = faultOf(withProduction({ credentials: "server", clientId: "a", secret }));
    expect(faults).toContain("environments[0].secret names a file that can't be used: its text isn't UTF-8.");
  });

  it("name no key that somebody has pasted in the place of its file, and say that it isn't a path", () => {
    for (const pasted of ["-----BEGIN PRIVATE KEY-----MIIE\0", "MIIE".repeat(2_000)]) {
      const secret = `file:${pasted}`;
      const said = faultOf({
        templates: pasted,
        tls: { cert: pasted, key: pasted },
        outgoing: { proxy: secret },
      });
      expect(said).not.toContain("MIIE");
      expect(said.match(/: this isn't a path\./g)).toHaveLength(4);
    }
  });

  it("accept each environment's three separate addresses, with bearer tokens and 600 calls a minute by default", () => {
    expect(read(withProduction({})).environments).toEqual([
      {
        ...production,
        credentials: "user",
        authorization: "bearer",
        quota: { search: 600, events: 600 },
      },
    ]);
    const told = read(withProduction({ authorization: "bare", quota: { events: 60 } })).environments[0];
    expect(read(withProduction({ label: undefined })).environments[0]?.label).toBe("production");
    expect(told).toMatchObject({ authorization: "bare", quota: { search: 600, events: 60 } });
  });

  it("fill in the defaults of a sign-in", () => {
    const signIn = {
      ...{ label: "ACME", address: "http://localhost:3000", issuer: "https://login.example.com" },
      ...{ clientId: "inv", secret: "env:SECRET", allow: { claim: "groups", values: ["planners"] } },
    };
    expect(read({ signIn }, { SECRET: "x" }).signIn).toEqual({
      ...signIn,
      scopes: ["openid", "profile"],
      ...{ idleHours: 8, totalHours: 12, audit: false },
    });
  });

  it("come from the file alone, except the port: PORT overrides it", () => {
    const variables = { PORT: "4000", HOST: "0.0.0.0", HTTPS_PROXY: "http://proxy.example.com:3128" };
    expect(read({ host: "::1", port: 1 }, variables)).toMatchObject({
      host: "::1",
      port: 4000,
      outgoing: { proxy: null },
    });
    expect(read({ port: 1 }, { PORT: "" }).port).toBe(1);
  });

  it("accept a proxy by its address, or by the place of an address with a password", () => {
    const outgoing = (settings: object, variables: Variables = {}) =>
      read({ outgoing: settings }, variables).outgoing;
    const noProxy = ["localhost", ".example.com"];
    expect(outgoing({ proxy: "http://proxy.example.com:3128", noProxy })).toMatchObject({
      proxy: "http://proxy.example.com:3128",
      noProxy,
    });
    const secret = "http://clerk:pass1@proxy.example.com:3128";
    expect(outgoing({ proxy: "env:HTTPS_PROXY" }, { HTTPS_PROXY: secret }).proxy).toBe(secret);
    expect(outgoing({ proxy: `file:${write("proxy", `${secret}\n`)}` }).proxy).toBe(secret);
    expect(faultOf({ outgoing: { proxy: "env:HTTPS_PROXY" } })).toContain(
      "outgoing.proxy names a variable that isn't set.",
    );
  });

  it("name every mistake at once, each with its path and zod's text", () => {
    const faults = faultOf(
      {
        ...withProduction({ kind: "prod", tokenUrl: "http://auth.example.com" }),
        colour: "red",
        cacheMegabytes: -1,
      },
      { PORT: "http" },
    );
    expect(faults.split("\n  ")).toEqual([
      "/inv.json: 5 mistakes",
      "port (from PORT): Invalid input: expected number, received string",
      'environments[0].kind: Invalid option: expected one of "sandbox"|"production"',
      "environments[0].tokenUrl: must be an https address (http only for localhost)",
      "cacheMegabytes: Too small: expected number to be >=0",
      `1 name isn't a setting of INV; allowed here: ${Object.keys(settingsSchema.shape).join(", ")}`,
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ["a list as the whole file", [], /must contain one JSON object/],
    ["no JSON", "{\n  port: 1\n}", /not valid JSON/],
  ])("refuse %s", (_, content, message) => {
    expect(faultOf(content)).toMatch(message);
  });

  it.each([
    ["an address", withProduction({ searchUrl: "https://u:pass1@api.example.com" })],
    ["an unknown setting", withProduction({ client_secret: "pass1" })],
    ["broken JSON", '{ "environments": [ { "client_secret": "pass1", } ] }'],
    ["a name", { pass1: true, "12": { pass1: 1 } }],
    ["a name inside", withProduction({ quota: { pass1: 600 } })],
    ["a number's place", { port: "pass1" }],
    ["a choice's place", withProduction({ kind: "pass1" })],
    ["an object's place", { tls: "pass1" }],
    ["an object in a text's place", { host: { secret: "pass1" } }],
    ["a list in a text's place", { logLevel: ["pass1"] }],
    ["the place of a key's file", { tls: { cert: "pass1", key: "-----BEGIN PRIVATE KEY-----\npass1" } }],
    ["the place of a folder", { templates: "pass1" }],
    ["the place of an authority", { outgoing: { ca: "pass1" } }],
    ["the host's place", { host: "pass1" }],
    ["a proxy's place", { outgoing: { proxy: "pass1" } }],
    ["a host without a proxy", { outgoing: { noProxy: ["pass1!"] } }],
    ["a trusted proxy", { trustProxy: ["pass1"] }],
    ["a file's name in a place", { outgoing: { proxy: "file:pass1" } }],
    ...["pass1", "file:pass1", "env:pass1"].map((secret): [string, object] => [
      `the place of a secret, ${secret}`,
      withProduction({ credentials: "server", clientId: "acme", secret }),
    ]),
  ])("never repeat a password that was typed as %s", (_, content) => {
    expect(faultOf(content)).not.toContain("pass1");
  });

  it.each([
    ["socks://u:pass1@proxy.example.com", "outgoing.proxy: must be an http or https address"],
    ["http://u:pass1@proxy.example.com", "outgoing.proxy: must be an http or https address"],
    ["env:PROXY", "outgoing.proxy must be, or name the place of, an http or https address."],
  ])("refuse a proxy of another kind, and don't repeat it: %s", (proxy, fault) => {
    const faults = faultOf({ outgoing: { proxy } }, { PROXY: "socks://u:pass1@proxy.example.com" });
    expect(faults).toContain(fault);
    expect(faults).not.toContain("pass1");
  });

  it("suggest a setting for a name that is almost one, and count the others", () => {
    expect(faultOf({ prot: 1, pass1: 1, pass2: 1 }).split("\n  ").slice(1)).toEqual([
      `"prot" isn't a setting of INV; did you mean "port"?`,
      expect.stringMatching(/^2 names aren't settings of INV; allowed here: host, port, /),
    ]);
  });

  it("require allowPlainHttp for plain HTTP beyond this machine", () => {
    for (const host of ["0.0.0.0", "::", "inv.example.com", "10.0.0.7"]) {
      expect(faultOf({ host })).toMatch(/host.*no tls.*allowPlainHttp/);
      expect(read({ allowPlainHttp: true, host, hosts: ["inv.example.com"] }).host).toBe(host);
    }
    for (const host of ["localhost", "127.0.0.1", "::1"]) expect(read({ host }).tls).toBeNull();
  });

  it("add a private authority to the public ones", () => {
    const ca = selfSigned().cert;
    const trusted = read({ outgoing: { ca: write("ca.pem", ca) } }).outgoing.ca ?? [];
    expect(trusted.length).toBeGreaterThan(50);
    expect(trusted).toContain(ca);
  });
});
