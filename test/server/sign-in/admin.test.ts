/** `inv sessions`: who is signed in, when and not what; one is ended, or all. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { request, type RequestOptions } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../../src/server/settings/faults";
import { type AdminPlace, openAdmin } from "../../../src/server/sign-in/admin";
import { createSessions, type SignInSession } from "../../../src/server/sign-in/sessions";
import { sessionsCommand } from "../../../src/server/sign-in/sessions-command";
import { freePort } from "../../helpers/free-port";
import { as } from "../../helpers/outcome";
import { clockOf } from "../parts";

const hourMs = 3_600_000;

let nowMs: number;
let folder: string;
let ended: SignInSession[];
let close: () => Promise<void>;

const clock = clockOf(() => nowMs);
const place = () => ({ socket: join(folder, "admin.sock"), port: null });
const signedIn = (name: string) => ({ subject: name, name, refreshToken: null, mayPublish: false });

async function open(at: AdminPlace = place()) {
  const sessions = createSessions({ clock, idleMs: 8 * hourMs, totalMs: 12 * hourMs });
  close = await openAdmin({ place: at, sessions, ended: (session) => void ended.push(session) });
  return sessions;
}

/** The status of a request to end all sessions; null where nobody listens. */
function asked(at: RequestOptions, headers: Record<string, string>): Promise<number | null> {
  return new Promise((resolve) => {
    const all = request({ ...at, method: "DELETE", path: "/sessions", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    all.on("error", () => resolve(null));
    all.end();
  });
}

beforeEach(() => {
  nowMs = 0;
  ended = [];
  folder = mkdtempSync(join(tmpdir(), "inv-admin-"));
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

test("lists those who are in, the latest first, with times and no session", async () => {
  const sessions = await open();
  const { text } = as("begun", await sessions.begin("production", signedIn("Jane Doe")));
  nowMs += hourMs;
  await sessions.begin("sandbox", signedIn("Joe Bloggs"));
  nowMs += hourMs / 2;
  await sessions.find("production", text);
  const listed = await sessionsCommand(place(), null);
  expect(listed.split("\n").map((line) => line.replace(/^[\w-]{16} {2}/, ""))).toEqual([
    "sandbox  Joe Bloggs: signed in 30 min ago, used 30 min ago, ends in 11 h 30 min",
    "production  Jane Doe: signed in 1 h 30 min ago, used 0 min ago, ends in 10 h 30 min",
  ]);
  expect(listed).not.toContain(text);
});

test("ends one by its id, then all, and tells whose", async () => {
  const sessions = await open();
  const begin = async (name: string) => as("begun", await sessions.begin("production", signedIn(name))).text;
  const [first, second] = [await begin("Jane"), await begin("Joe")];
  const { person } = as("found", await sessions.find("production", first)).session;
  expect(await sessionsCommand(place(), person)).toBe("Ended: Jane");
  expect((await sessions.find("production", first)).kind).toBe("unknown");
  expect((await sessions.find("production", second)).kind).toBe("found");
  await expect(sessionsCommand(place(), person)).rejects.toThrow(
    new ConfigError("There is no such session."),
  );
  expect(await sessionsCommand(place(), "all")).toBe("Ended: Joe");
  expect(await sessionsCommand(place(), "all")).toBe("Nobody is signed in.");
  expect(await sessionsCommand(place(), null)).toBe("Nobody is signed in.");
  expect(ended.map(({ name }) => name)).toEqual(["Jane", "Joe"]);
});

test("nobody but its own account opens the socket, and a request without the header is refused", async () => {
  const sessions = await open();
  await sessions.begin("production", signedIn("Jane"));
  expect(statSync(place().socket).mode & 0o777).toBe(0o600);
  expect(await asked({ socketPath: place().socket }, {})).toBe(403);
  expect(as("listed", await sessions.list()).sessions).toHaveLength(1);
});

test("what is no session's id ends none, least of all everybody's", async () => {
  const sessions = await open();
  await sessions.begin("production", signedIn("Jane"));
  for (const id of ["Jane Doe", "../sessions", "x".repeat(65), "?all"]) {
    await expect(sessionsCommand(place(), id)).rejects.toThrow("There is no such session.");
  }
  expect(as("listed", await sessions.list()).sessions).toHaveLength(1);
});

describe("on a port", () => {
  let port: number;
  beforeEach(async () => {
    port = await freePort();
  });

  test("it is this machine's alone: no other address of it answers", async () => {
    const sessions = await open({ socket: null, port });
    await sessions.begin("production", signedIn("Jane"));
    expect(await sessionsCommand({ socket: null, port }, null)).toContain("Jane");
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ address }) => address !== "127.0.0.1" && !address.startsWith("fe80:"));
    for (const { address } of others) {
      expect([address, await asked({ host: address, port }, { "inv-admin": "1" })]).toEqual([address, null]);
    }
    expect(await sessionsCommand({ socket: null, port }, "all")).toBe("Ended: Jane");
  });

  test.each([
    ["without the header", {}],
    ["by a name that was made to lead here", { "inv-admin": "1", host: "evil.example.com" }],
    ["by a name that begins like this machine's", { "inv-admin": "1", host: "localhost.evil.example.com" }],
  ])("a request %s is refused", async (_what, headers) => {
    const sessions = await open({ socket: null, port });
    await sessions.begin("production", signedIn("Jane"));
    expect(await asked({ host: "127.0.0.1", port }, headers)).toBe(403);
    expect(as("listed", await sessions.list()).sessions).toHaveLength(1);
  });
});

test("a server whose Redis is away is not taken for one that is not there", async () => {
  const list = () => Promise.resolve({ kind: "away" as const });
  const sessions = { ...createSessions({ clock, idleMs: hourMs, totalMs: hourMs }), list };
  close = await openAdmin({ place: place(), sessions, ended: () => {} });
  await expect(sessionsCommand(place(), null)).rejects.toThrow("cannot reach Redis");
});

test("what a killed server left in the socket's place is no obstacle; a server that is not there is said", async () => {
  await open();
  await close();
  await expect(sessionsCommand(place(), null)).rejects.toThrow("No server of INV answers at");
  await open();
  expect(await sessionsCommand(place(), null)).toBe("Nobody is signed in.");
});
