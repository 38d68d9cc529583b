/** `inv sessions`: who is signed in, when and not what; one is ended, or all. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAdmin } from "../../../src/server/sign-in/admin";
import { createSessions, type Session } from "../../../src/server/sign-in/sessions";
import { sessionsCommand } from "../../../src/server/sign-in/sessions-command";
import { clockOf } from "../parts";

const hourMs = 3_600_000;

let nowMs: number;
let folder: string;
let ended: Session[];
let close: () => Promise<void>;

const clock = clockOf(() => nowMs);
const place = () => ({ socket: join(folder, "admin.sock"), port: null });
const signedIn = (name: string) => ({ subject: name, name, refreshToken: null });

async function open() {
  const sessions = createSessions({ clock, idleMs: 8 * hourMs, totalMs: 12 * hourMs });
  close = await openAdmin({ place: place(), sessions, clock, ended: (session) => void ended.push(session) });
  return sessions;
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
  const text = sessions.begin("production", signedIn("Jane Doe"));
  nowMs += hourMs;
  sessions.begin("sandbox", signedIn("Joe Bloggs"));
  nowMs += hourMs / 2;
  sessions.find("production", text);
  const listed = await sessionsCommand(place(), null);
  expect(listed.split("\n").map((line) => line.replace(/^[\w-]{16} {2}/, ""))).toEqual([
    "sandbox  Joe Bloggs: signed in 30 min ago, used 30 min ago, ends in 11 h 30 min",
    "production  Jane Doe: signed in 1 h 30 min ago, used 0 min ago, ends in 10 h 30 min",
  ]);
  expect(listed).not.toContain(text);
});

test("ends one by its id, then all, and tells whose", async () => {
  const sessions = await open();
  const [first, second] = ["Jane", "Joe"].map((name) => sessions.begin("production", signedIn(name)));
  const { person } = sessions.find("production", first!)!;
  expect(await sessionsCommand(place(), person)).toBe("Ended: Jane");
  expect(sessions.find("production", first!)).toBeNull();
  expect(sessions.find("production", second!)).not.toBeNull();
  expect(await sessionsCommand(place(), person)).toBe("There is no such session.");
  expect(await sessionsCommand(place(), "all")).toBe("Ended: Joe");
  expect(await sessionsCommand(place(), null)).toBe("Nobody is signed in.");
  expect(ended.map(({ signedIn: { name } }) => name)).toEqual(["Jane", "Joe"]);
});

test("nobody but its own account opens the socket, and a request without the header is refused", async () => {
  const sessions = await open();
  sessions.begin("production", signedIn("Jane"));
  expect(statSync(place().socket).mode & 0o777).toBe(0o600);
  const status = await new Promise((resolve) => {
    request({ socketPath: place().socket, method: "DELETE", path: "/sessions" }, ({ statusCode }) =>
      resolve(statusCode),
    ).end();
  });
  expect(status).toBe(403);
  expect(sessions.list()).toHaveLength(1);
});

test("what a killed server left in the socket's place is no obstacle; a server that is not there is said", async () => {
  await open();
  await close();
  await expect(sessionsCommand(place(), null)).rejects.toThrow("No server of INV answers at");
  await open();
  expect(await sessionsCommand(place(), null)).toBe("Nobody is signed in.");
});
