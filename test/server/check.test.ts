/**
 * `--check`, `--check --connect` and a start say the same of each setting, and a started server says it in its log and health. About 10 s.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "../../src/server/app";
import { createLog } from "../../src/server/monitoring/log";
import { openPort } from "../../src/server/open-port";
import { ConfigError } from "../../src/server/settings/config-error";
import { listSettings } from "../../src/server/settings/list";
import { readSettings } from "../../src/server/settings/read";
import { settingsSchema } from "../../src/server/settings/schema";
import { tryConnections } from "../../src/server/try-connections";
import { createFaults } from "../../src/embedded-service/fault-switches";
import { ownFolder } from "../helpers/own-folder";
import { fc, slowRuns } from "../helpers/properties";
import { until } from "../helpers/until";
import { clockOf } from "./parts";
import { openSurroundings, secretText, type Surroundings } from "./settings-surroundings";
import { settingsTable, type Words } from "./settings-table";

const folder = ownFolder();
folder.write("taskpane.html", "");

const embedded = { worlds: [], faults: createFaults(), faultSwitches: false, announce: () => undefined };

/** What `--check` reads. */
function check(settings: object) {
  const warnings: string[] = [];
  const source = { path: folder.write("inv.json", settings), variables: {} };
  const config = readSettings(source, {
    isCheck: true,
    warn: (warning: string) => void warnings.push(warning),
  });
  return { config, warnings };
}

interface Started {
  /** The warnings in its log. */
  readonly logged: readonly string[];
  readonly because: readonly string[];
}

/** What `main` does, until the server has logged that many warnings. */
async function start(settings: object, warnings = 0): Promise<Started> {
  const logged: string[] = [];
  const log = createLog("warn", (line) => void logged.push((JSON.parse(line) as { msg: string }).msg));
  const config = readSettings(
    { path: folder.write("inv.json", settings), variables: {} },
    { warn: (warning) => log.warn({}, warning) },
  );
  const app = await createApp({ config, folder: folder.path, now: () => performance.now(), log, embedded });
  try {
    await openPort(app, { setting: "port", host: config.host, port: config.port });
    await until(() => logged.length >= warnings);
    const { because = [] } = (await app.inject({ url: "/readyz" })).json<{ because?: readonly string[] }>();
    return { logged, because };
  } finally {
    await app.close();
  }
}

/** The words with which something is refused, or null. */
async function refusalOf(attempt: () => unknown): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

const matching = (words: Words) =>
  (typeof words === "string"
    ? expect.stringContaining(words)
    : expect.stringMatching(words)) as unknown as string;
const allMatching = (...words: readonly (Words | undefined)[]) =>
  words.flatMap((each) => (each === undefined ? [] : [matching(each)]));

describe("--check, --check --connect and a start say the same of", () => {
  let around: Surroundings;
  let table: ReturnType<typeof settingsTable>;
  beforeAll(async () => {
    around = await openSurroundings();
    table = settingsTable(folder, around);
  });
  afterAll(() => around.close());

  const paths = listSettings(settingsSchema).map(({ path }) => path);

  // A setting without a row fails here.
  it.each([...paths, "everything"])("%s", async (setting) => {
    expect(Object.keys(table)).toContain(setting);
    for (const [what, changes, said] of table[setting] ?? []) {
      const settings = { port: 0, ...changes };
      if (typeof said === "string" || said instanceof RegExp) {
        const refused = await refusalOf(() => check(settings));
        expect({ what, refused }).toEqual({ what, refused: matching(said) });
        expect(refused).not.toContain(secretText);
        expect(await refusalOf(() => start(settings))).toBe(refused);
        continue;
      }
      const { warned, connect, endsStart = false, logged, because = [] } = said ?? {};
      const { config, warnings } = check(settings);
      const tried = (await tryConnections(config, clockOf())).flatMap(({ faults }) => faults);
      expect({ what, warnings, tried }).toEqual({
        ...{ what, warnings: allMatching(warned), tried: allMatching(connect) },
      });
      if (endsStart) {
        expect(await refusalOf(() => start(settings))).toEqual(matching(connect ?? ""));
        continue;
      }
      const lines = allMatching(warned, logged);
      const started = await start(settings, lines.length);
      expect({ what, ...started }).toEqual({ what, because, logged: lines });
      expect(JSON.stringify([warnings, tried, started])).not.toContain(secretText);
    }
  });

  it("all settings at once", () => {
    const [row] = table["everything"] ?? [];
    const has = (value: unknown, [name = "", ...rest]: readonly string[]): boolean => {
      const [, plain = "", list] = /^(.*?)(\[\])?$/.exec(name) ?? [];
      const found: unknown = Reflect.get(Object(value) as object, plain);
      const next: unknown = list === undefined ? found : (found as readonly unknown[])[0];
      return next !== undefined && (rest.length === 0 || has(next, rest));
    };
    const all = { port: 0, ...row?.[1] };
    expect(paths.filter((path) => !has(all, path.split(".")))).toEqual([]);
  });

  it("any range of proxies", async () => {
    const bits = fc.oneof(
      fc.constant(""),
      fc.integer({ min: 0, max: 130 }).map((count) => `/${count}`),
    );
    const range = fc.tuple(fc.oneof(fc.ipV4(), fc.ipV6()), bits).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(range, async (each) => {
        const settings = { port: 0, trustProxy: [each] };
        expect(await refusalOf(() => start(settings))).toBe(await refusalOf(() => check(settings)));
      }),
      { numRuns: slowRuns({ inTests: 20, inDrill: 500 }) },
    );
  });

  it("secrets, except those that only the unit has: a check by hand warns of them in the same words", async () => {
    const [, settings] = table["signIn"]?.[1] ?? [];
    const { signIn } = settings as { signIn: object };
    for (const [secret, words] of [
      ["env:NOWHERE", "signIn.secret names a variable that isn't set."],
      [
        "file:/run/credentials/inv.service/none",
        "signIn.secret names a file that can't be used: it doesn't exist.",
      ],
    ] as const) {
      const unit = { signIn: { ...signIn, secret } };
      expect(check(unit).warnings).toEqual([words]);
      expect(await refusalOf(() => start(unit))).toContain(words);
    }
  });
});

it("never repeats a name that is unlike every setting", () => {
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).toThrow(/1 name isn't a setting/);
  expect(() => check({ "s3cr3t-that-was-pasted": 1 })).not.toThrow(/s3cr3t/);
});

describe("--check --connect", () => {
  async function tryAt(listener: RequestListener, settingsAt: (port: number) => object) {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { config } = check(settingsAt((server.address() as AddressInfo).port));
    const tried = await tryConnections(config, clockOf());
    server.closeAllConnections();
    server.close();
    return tried;
  }

  const liveAt = (port: number, changes: object = {}) => ({
    ...{ id: "live", kind: "production", tokenUrl: `http://127.0.0.1:${port}/token` },
    ...{ searchUrl: `http://127.0.0.1:${port}/search`, eventsUrl: `http://127.0.0.1:${port}/events` },
    ...changes,
  });

  it("asks each host, calls no data operation, and says that the port may be INV's own", async () => {
    const asked: string[] = [];
    const tried = await tryAt(
      (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(404).end();
      },
      (port) => ({ host: "127.0.0.1", port, environments: [liveAt(port)] }),
    );
    expect(tried).toEqual([
      { what: "environments[0] (live)", faults: [] },
      {
        what: expect.stringMatching(/^port \d+$/) as string,
        faults: [
          expect.stringMatching(/taken by another program\..* If it is INV, stop it for this check\.$/),
        ],
      },
    ]);
    expect(asked).toEqual(["HEAD /"]);
  });

  it("says why a secret can't be read, and never names its place, where somebody may have pasted it", async () => {
    // As if by hand: the secrets exist only in the unit.
    const secret = "file:/run/the-secret-itself";
    const tried = await tryAt(
      (_request, response) => void response.writeHead(404).end(),
      (port) => ({
        port: 0,
        environments: [liveAt(port, { credentials: "server", clientId: "acme", secret })],
        signIn: {
          ...{ label: "ACME", address: "http://localhost:3000", issuer: "https://login.example.com" },
          ...{ clientId: "inv", secret, allow: { claim: "groups", values: ["planners"] } },
        },
      }),
    );
    const why = "The secret cannot be read: it doesn't exist.";
    expect(tried.flatMap(({ faults }) => faults)).toEqual([
      `live: ${why}`,
      `The sign-in provider can't be used at https://login.example.com: ${why} Until that changes, nobody can sign in.`,
    ]);
  });
});
