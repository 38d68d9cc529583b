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
      { ...production, searchUrl: "https://u:p@api.example.com" },
      /searchUrl/,
    ],
    ["another field, such as a secret", { ...production, client_secret: "x" }, /client_secret/],
    ["a demo of another server", { ...production, kind: "demo" }, /kind/],
    ["the id of the demo", { ...production, id: "demo" }, /demo.*twice/],
    ["an id that is no path segment", { ...production, id: "../x" }, /id/],
  ])("refuse %s", (_case, environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });

  it("refuse a file that is not JSON", () => {
    expect(() => readConfig({ INV_CONFIG: file("{") })).toThrow(/not valid JSON/);
  });

  it("allow plain HTTP to this machine, for trials", () => {
    const local = { ...production, searchUrl: "http://127.0.0.1:4000/search-items" };
    expect(read(local).environments[0]?.searchUrl).toBe("http://127.0.0.1:4000/search-items");
  });
});
