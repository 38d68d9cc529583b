/**
 * Servers that can't start: each says why and ends with an exit code, so that whoever supervises the process starts it again or reports
 * it. Nothing that was opened before keeps the process alive, not even a connection to Redis.
 */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { selfSigned } from "../helpers/certificate";
import { ownFolder } from "../helpers/own-folder";

const folder = ownFolder();
const program = join(__dirname, "..", "..", "dist", "server.js");
const withinMs = 120_000;
/** Root may do everything: for a test that runs as root, servers start without root's capabilities, where that is possible. */
const isRoot = process.getuid?.() === 0;
const dropped = ["--bounding-set", "-all", process.execPath];
const canDropRights = isRoot && spawnSync("setpriv", [...dropped, "--check", program]).status === 0;
const [command, firstArgs] = canDropRights ? ["setpriv", dropped] : [process.execPath, []];
/** Skipped on Windows, and for root if `setpriv` is missing or the checkout belongs to an account that shares it with nobody. */
const itWithoutRights = process.platform !== "win32" && (!isRoot || canDropRights) ? it : it.skip;
/** The first port that any account may open. Docker's containers have 0. */
const firstFreePort =
  process.platform === "linux"
    ? Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"))
    : 0;

/** Takes every port that a test wants to be in use, and stands for a Redis that never answers. */
let other: Server;
let takenPort: number;
let connections = 0;
/** A process that something keeps alive ends itself after a while, and says so here. */
const saysIfForced = `data:text/javascript,${encodeURIComponent(
  'const { exit } = process; process.exit = (...code) => { console.log("ended by force"); exit(...code); };',
)}`;

beforeAll(async () => {
  other = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined);
    socket.resume();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  takenPort = (other.address() as AddressInfo).port;
});
afterAll(() => other.close());

interface Ended {
  /** Null if the process was still running when time was up. */
  readonly code: number | null;
  readonly printed: string;
}

function start(
  settings: object,
  { args = [] as string[], nodeArgs = [] as string[], isAttended = false } = {},
): Promise<Ended> {
  const config = folder.write("inv.json", { host: "127.0.0.1", port: 0, ...settings });
  const mode = isAttended ? [] : ["--unattended"];
  const child = spawn(
    command,
    [...firstArgs, ...nodeArgs, "--import", saysIfForced, program, ...mode, "--config", config, ...args],
    {
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, printed });
    });
  });
}

const provider = {
  label: "ACME",
  address: "http://localhost:3000",
  issuer: "https://login.example.com/",
  clientId: "inv",
  secret: "env:PATH",
  allow: { claim: "groups", values: ["planners"] },
};

describe("a server that can't start", () => {
  it.each([true, false])("ends if its port is taken (in a terminal: %p)", async (isAttended) => {
    const { code, printed } = await start({ port: takenPort }, { isAttended });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain(`Port ${takenPort} is taken by another program.`);
  });

  it("ends if its monitoringPort is taken", async () => {
    const { code, printed } = await start({ monitoringPort: takenPort });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain(`monitoringPort ${takenPort} is taken by another program.`);
  });

  it("ends if its port is taken after it has connected to Redis, and closes that connection", async () => {
    const redis = { url: `redis://127.0.0.1:${takenPort}` };
    const { code, printed } = await start({ port: takenPort, redis });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).not.toContain("by force");
    expect(connections).toBeGreaterThan(0);
  });

  (firstFreePort > 443 ? itWithoutRights : it.skip)("ends if the account may not open port 443", async () => {
    const { code, printed } = await start({ port: 443 });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain("This account may not open port 443");
  });

  async function expectUnreadableKey(name: string, why: string): Promise<void> {
    const { cert, key } = selfSigned();
    chmodSync(folder.write("key.pem", key), 0o000);
    const tls = { cert: folder.write("cert.pem", cert), key: join(folder.path, name) };
    const { code, printed } = await start({ tls });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain(`tls.key names a file that can't be read: ${why}.`);
  }

  it("ends if its key is missing", () => expectUnreadableKey("missing.pem", "it doesn't exist"));
  itWithoutRights("ends if the account may not read its key", () =>
    expectUnreadableKey("key.pem", "this account may not use it"),
  );

  itWithoutRights("ends if it can't write to the folder of published templates", async () => {
    const templates = { folder: join(folder.path, "not-own"), claim: "groups", values: ["planners"] };
    mkdirSync(templates.folder, { mode: 0o555 });
    const { code, printed } = await start({ signIn: { ...provider, templates } });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain(
      "signIn.templates.folder names a folder that can't be written to: this account may not use it.",
    );
  });

  it("ends with a sentence if its own figures need more memory than Node may use", async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, index) =>
        `${1_000 + (index % 50)},${String(10_000_000 + index).padStart(14, "0")},,STORE,AVAILABLE,1,2026-11-20`,
    );
    const heading = "store_nbr,gtin,wm_item_number,location_area,state,quantity,last_updated_time";
    const stock = folder.write("large.csv", [heading, ...rows.map((row) => `${row}T05:58:00`)].join("\n"));
    const { code, printed } = await start(
      {},
      { args: ["--stock", stock], nodeArgs: ["--max-old-space-size=64"] },
    );
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toMatch(
      /The figures need more memory than the \d+ MB that Node may use\. Set the variable NODE_OPTIONS/,
    );
  });

  it("fails the check if a file of figures is missing or faulty", async () => {
    const stock = join(folder.path, "missing.csv");
    const { code, printed } = await start({}, { args: ["--check", "--stock", stock], isAttended: true });
    expect({ code, printed }).toEqual({ code: 1, printed: expect.stringContaining("missing.csv") as string });
    expect(printed).not.toContain("is right");
  });

  it("ends if a row of its own figures is faulty", async () => {
    const stock = folder.write(
      "stock.csv",
      "store_nbr,gtin,wm_item_number,location_area,state,quantity,last_updated_time\n1,,,,,,",
    );
    const { code, printed } = await start({}, { args: ["--stock", stock], isAttended: true });
    expect({ code, printed }).toMatchObject({ code: 1 });
    expect(printed).toContain('"stock.csv", row 2, "store_nbr"');
  });
});
