/** The administrator's settings: defaults, what is accepted, and what stops the start. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/server/config";

describe("the server's settings", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "inv-config-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (content: unknown): string => {
    const path = join(folder, "environments.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const production = {
    id: "production",
    label: "Production",
    kind: "production",
    tokenUrl: "https://auth.example.com/token",
    searchUrl: "https://api.example.com/v1/search-items",
    eventsUrl: "https://history.example.com/v2/events",
  };
  const read = (...environments: object[]) => readConfig({ INV_CONFIG: file({ environments }) });

  it("have defaults: localhost, port 3000, plain HTTP, nothing real configured", () => {
    expect(readConfig({})).toEqual({
      host: "localhost",
      port: 3000,
      tls: null,
      environments: [],
      hosts: [],
      frames: [],
      logCalls: false,
    });
  });

  it("take each environment's three separate addresses and 600 calls a minute unless told otherwise", () => {
    expect(read(production).environments).toEqual([{ ...production, quota: { search: 600, events: 600 } }]);
    expect(read({ ...production, quota: { events: 60 } }).environments[0]?.quota).toEqual({
      search: 600,
      events: 60,
    });
  });

  it.each([
    ["a port that is no number", { PORT: "http" }, /PORT.*"http"/],
    ["a port too high", { PORT: "70000" }, /PORT.*70000/],
    ["a certificate without its key", { HTTPS_CERT: "cert.pem" }, /HTTPS_KEY/],
    ["a file that is not there", { INV_CONFIG: "/nowhere/environments.json" }, /INV_CONFIG.*\/nowhere/],
  ])("refuse %s, naming it", (_case, variables, message) => {
    expect(() => readConfig(variables)).toThrow(ConfigError);
    expect(() => readConfig(variables)).toThrow(message);
  });

  it.each([
    ["an address without https", { ...production, tokenUrl: "http://auth.example.com" }, /tokenUrl.*https/],
    [
      "an address with a user in it",
      { ...production, searchUrl: "https://u:pass1@api.example.com" },
      /searchUrl must not hold a user name or password/,
    ],
    [
      "an address with a password alone",
      { ...production, searchUrl: "https://:pass1@api.example.com" },
      /searchUrl must not hold a user name or password/,
    ],
    [
      "a trailing question mark",
      { ...production, eventsUrl: "https://api.example.com/e?" },
      /eventsUrl.*"\?"/,
    ],
    ["a query", { ...production, eventsUrl: "https://api.example.com/e?a=1" }, /eventsUrl.*"\?"/],
    ["a trailing hash", { ...production, eventsUrl: "https://api.example.com/e#" }, /eventsUrl.*"#"/],
    ["an address that is none", { ...production, eventsUrl: "api.example.com" }, /eventsUrl.*https/],
    ["another field, such as a secret", { ...production, client_secret: "x" }, /client_secret/],
    ["a demo of another server", { ...production, kind: "demo" }, /kind/],
    ["the id of the demo", { ...production, id: "demo" }, /demo.*twice/],
    ["an id that is no path segment", { ...production, id: "../x" }, /id/],
  ])("refuse %s", (_case, environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });

  it("never repeat a password that stands in an address", () => {
    const searchUrl = "https://u:pass1@api.example.com";
    expect(() => read({ ...production, searchUrl })).not.toThrow(/pass1/);
  });

  it.each([
    ["hosts", ["https://inv.example.com"]],
    ["hosts", ["inv.example.com:3000"]],
    ["hosts", ["*"]],
    ["frames", ["http://portal.example.com"]],
    ["frames", ["https://*"]],
    ["frames", ["https://portal.example.com; script-src *"]],
    ["allowPlainHttp", "yes"],
  ])("refuse %s %j", (name, value) => {
    expect(() => readConfig({ INV_CONFIG: file({ [name]: value }) })).toThrow(new RegExp(name));
  });

  it("take names to answer to and origins that may frame the pane", () => {
    const names = { hosts: ["inv.example.com", "10.0.0.7"], frames: ["https://*.portal.example.com"] };
    expect(readConfig({ INV_CONFIG: file(names) })).toMatchObject({ ...names, environments: [] });
  });

  it("ask for an explicit yes before plain HTTP beyond this machine", () => {
    for (const HOST of ["0.0.0.0", "::", "inv.example.com", "10.0.0.7", ""]) {
      expect(() => readConfig({ HOST })).toThrow(/HOST.*no certificate.*allowPlainHttp/);
      const said = readConfig({ HOST, INV_CONFIG: file({ allowPlainHttp: true }) });
      expect(said.host).toBe(HOST);
    }
    for (const HOST of ["localhost", "127.0.0.1", "::1"]) expect(readConfig({ HOST }).tls).toBeNull();
  });

  it("say in one sentence that a certificate or its key is none", () => {
    const HTTPS_CERT = file("no PEM");
    expect(() => readConfig({ HTTPS_CERT, HTTPS_KEY: HTTPS_CERT })).toThrow(ConfigError);
    expect(() => readConfig({ HTTPS_CERT, HTTPS_KEY: HTTPS_CERT })).toThrow(/^HTTPS_CERT and HTTPS_KEY.*PEM/);
  });

  it("refuse a file that is not JSON", () => {
    expect(() => readConfig({ INV_CONFIG: file("{") })).toThrow(/not valid JSON/);
  });

  it("allow plain HTTP to this machine, for trials", () => {
    const local = { ...production, searchUrl: "http://127.0.0.1:4000/search-items" };
    expect(read(local).environments[0]?.searchUrl).toBe("http://127.0.0.1:4000/search-items");
  });
});
